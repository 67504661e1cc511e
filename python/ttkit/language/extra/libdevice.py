"""The target's device library: CUDA's libdevice."""

from ttkit.language.extra.cuda import libdevice as _cuda
from ttkit.language.extra.cuda.libdevice import __getattr__ as __getattr__  # so that checkers take its names, too

globals().update({name: value for name, value in vars(_cuda).items() if getattr(value, "__triton_builtin__", False)})
