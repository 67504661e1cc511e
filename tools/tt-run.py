#!/usr/bin/env python3
"""tt-run from the checkout: `.venv/bin/python tools/tt-run.py FILE`.  Installed, it is the command `tt-run`."""

from ttkit.drivers.run import main

if __name__ == "__main__":
    main()
