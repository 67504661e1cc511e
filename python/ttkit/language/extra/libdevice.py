"""The target's device library: CUDA's libdevice."""

from ttkit.language.extra.cuda import libdevice as _cuda

globals().update({name: value for name, value in vars(_cuda).items() if getattr(value, "__triton_builtin__", False)})
