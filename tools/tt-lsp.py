#!/usr/bin/env python3
"""tt-lsp from the checkout: `.venv/bin/python tools/tt-lsp.py`.  Installed, it is the command `tt-lsp`."""

from ttkit.drivers.lsp import main

if __name__ == "__main__":
    main()
