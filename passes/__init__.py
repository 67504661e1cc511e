"""Passes: one a file.  `registry.py` lists them; `infra/` is what they are written with."""
