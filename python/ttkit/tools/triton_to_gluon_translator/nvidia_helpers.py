"""Functions that translated kernels call on GPUs of NVIDIA: those of `translator_helpers`, which are for every GPU."""

from ttkit.tools.triton_to_gluon_translater.translator_helpers import *
from ttkit.tools.triton_to_gluon_translater.translator_helpers import __all__ as __all__
