#!/usr/bin/env python3
"""tt-layout from the checkout: `.venv/bin/python tools/tt-layout.py FILE`.  Installed: the command `tt-layout`."""

from ttkit.drivers.layout import main

if __name__ == "__main__":
    main()
