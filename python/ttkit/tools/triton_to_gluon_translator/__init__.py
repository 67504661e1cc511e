"""Kernels of the tile language as source in Gluon, under the names that Triton has had since 3.8."""

from ttkit.tools.triton_to_gluon_translater import translator_helpers
from ttkit.tools.triton_to_gluon_translator.translator import (
    convert_triton_to_gluon,
    translate_kernels,
    translate_paths,
)

__all__ = ["convert_triton_to_gluon", "translate_kernels", "translate_paths"]

# The modules that Triton has for each generation of GPUs are one.
blackwell_helpers = common_helpers = hopper_helpers = nvidia_helpers = translator_helpers
