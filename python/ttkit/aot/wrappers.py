"""Wrappers around the C functions of a kernel: a C++ header, a Python module that calls them by ctypes."""

from __future__ import annotations

from collections.abc import Sequence

from ttkit.aot.c_source import CParameter
from ttkit.aot.dispatcher import Dispatcher

_IN_CPP = {
    "*fp32": "float *",
    "*fp64": "double *",
    **{
        f"*{kind}": f"{name} *"
        for kind, name in (("i8", "int8_t"), ("i16", "int16_t"), ("i32", "int32_t"), ("i64", "int64_t"))
    },
    **{
        f"*{kind}": f"{name} *"
        for kind, name in (("u8", "uint8_t"), ("u16", "uint16_t"), ("u32", "uint32_t"), ("u64", "uint64_t"))
    },
    "fp32": "float ",
    "i1": "bool ",
    "u1": "bool ",
}


def cpp_header(dispatcher: Dispatcher, c_header: str) -> str:
    """A C++ header that includes the C header of that name: functions that take pointers and throw."""
    name, parameters = dispatcher.name, dispatcher.parameters
    taken = "".join(f", {_cpp_type(one)}{one.name}" for one in parameters)
    passed = "".join(f", {_passed(one)}" for one in parameters)
    guard = f"TT_{name}_HPP".upper()
    return f"""\
#ifndef {guard}
#define {guard}

#include <stdexcept>
#include <string>

#include "{c_header}"

#ifndef TT_ERROR_DEFINED
#define TT_ERROR_DEFINED
namespace ttkit {{
// What the driver refuses.
class Error : public std::runtime_error {{
public:
  Error(CUresult code, const std::string &function) : std::runtime_error(text(code, function)), code(code) {{}}
  const CUresult code;

private:
  static std::string text(CUresult code, const std::string &function) {{
    const char *name = nullptr, *reason = nullptr;
    cuGetErrorName(code, &name);
    cuGetErrorString(code, &reason);
    return function + ": " + (name ? name : "unknown error") + (reason ? std::string(", ") + reason : std::string());
  }}
}};

inline void check(CUresult code, const char *function) {{
  if (code != CUDA_SUCCESS)
    throw Error(code, function);
}}
}} // namespace ttkit
#endif

namespace ttkit {{
// The kernel {name}: loaded by its first launch, or by load().
struct {name} {{
  static void load() {{ check(load_{name}(), "load_{name}"); }}
  static void unload() {{ check(unload_{name}(), "unload_{name}"); }}
  static int algorithms() {{ return {name}_get_num_algos(); }}
  // algorithm: which of the compiled constants and options, in the order in which they were compiled.
  static void launch(CUstream stream{taken}, int algorithm = 0) {{
    check(::{name}(stream{passed}, algorithm), "{name}");
  }}
}};
}} // namespace ttkit

#endif
"""


def _cpp_type(parameter: CParameter) -> str:
    kind = parameter.of.kind if parameter.of is not None else ""
    return _IN_CPP.get(kind, "void *" if parameter.type == "CUdeviceptr" else f"{parameter.type} ")


def _passed(parameter: CParameter) -> str:
    return f"reinterpret_cast<CUdeviceptr>({parameter.name})" if parameter.type == "CUdeviceptr" else parameter.name


_IN_CTYPES = {
    "CUdeviceptr": "c_uint64",
    "double": "c_double",
    **{f"{sign}int{bits}_t": f"c_{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
}


def python_module(dispatcher: Dispatcher) -> str:
    """A Python module that needs ctypes alone: `load(path)` gives the kernel of a shared library made of the C.

    Raises:
        ValueError: a parameter is a tensor map, which ctypes can't pass.
    """
    name, parameters = dispatcher.name, dispatcher.parameters
    if maps := [one.name for one in parameters if one.type not in _IN_CTYPES]:
        raise ValueError(f"ctypes can't pass the tensor map {maps[0]}: use a tensor descriptor, or C")
    taken = "".join(f", {one.name}" for one in parameters)
    return f'''\
"""The kernel {name} of a shared library, by ctypes: `{name} = load("lib{name}.so"); {name}(stream{taken})`."""

import ctypes


class Error(RuntimeError):
    """What the driver refuses: `code` is its number."""

    def __init__(self, function, code):
        super().__init__(f"{{function}}: CUDA error {{code}}")
        self.code = code


class Kernel:
    """Launches; a CUDA context must be current, as it is after any use of a GPU by torch."""

    def __init__(self, path):
        self._library = ctypes.CDLL(path)
        self._launch = self._library.{name}
        self._launch.argtypes = [ctypes.c_void_p, {_ctypes(parameters)}ctypes.c_int]

    def __call__(self, stream{taken}, algorithm=0):
        """Starts the kernel on a stream, the driver's handle; pointers are addresses on the GPU, or have data_ptr()."""
        self._check("{name}", self._launch(stream{"".join(f", {_of_python(one)}" for one in parameters)}, algorithm))

    def load(self):
        """Loads it before the first launch does."""
        self._check("load_{name}", self._library.load_{name}())

    def unload(self):
        """Frees its memory on all devices; the next launch loads it again."""
        self._check("unload_{name}", self._library.unload_{name}())

    @staticmethod
    def _check(function, code):
        if code:
            raise Error(function, code)


def _address(value):
    return value.data_ptr() if hasattr(value, "data_ptr") else value


load = Kernel
'''


def _ctypes(parameters: Sequence[CParameter]) -> str:
    return "".join(f"ctypes.{_IN_CTYPES[one.type]}, " for one in parameters)


def _of_python(parameter: CParameter) -> str:
    return f"_address({parameter.name})" if parameter.type == "CUdeviceptr" else parameter.name
