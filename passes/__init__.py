"""Passes: one a file.  `registry.py` lists them, `pipelines.py` puts them in order, `infra/` is what they are written with."""
