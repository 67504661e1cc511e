"""Functions for GPUs of NVIDIA, by the generation that brought them."""

from ttkit.language.gluon.nvidia import ampere

__all__ = ["ampere"]
