"""Kernels that run as Python, with `print` and `pdb`."""
