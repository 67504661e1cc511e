"""Kernels of the tile language as source in Gluon, under Triton's names: for tests of Gluon, not for speed."""
