"""Shrinks IR and kernels that show a bug (`tt-reduce`): `reducer` says how."""
