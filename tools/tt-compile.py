#!/usr/bin/env python3
"""tt-compile from the checkout: `.venv/bin/python tools/tt-compile.py FILE`.  Installed: the command `tt-compile`."""

from ttkit.drivers.compile import main

if __name__ == "__main__":
    main()
