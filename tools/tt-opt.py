#!/usr/bin/env python3
"""tt-opt from the checkout: `.venv/bin/python tools/tt-opt.py FILE`.  Installed, it is the command `tt-opt`."""

from ttkit.drivers.opt import main

if __name__ == "__main__":
    main()
