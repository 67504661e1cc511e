#!/usr/bin/env python3
"""tt-reduce from the checkout: `.venv/bin/python tools/tt-reduce.py FILE`.  Installed, it is `tt-reduce`."""

from ttkit.drivers.reduce import main

if __name__ == "__main__":
    main()
