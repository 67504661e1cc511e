"""Functions for GPUs of NVIDIA, by the generation that brought them."""

from ttkit.language.gluon.nvidia import ampere, blackwell, hopper

__all__ = ["ampere", "blackwell", "hopper"]
