"""Wrappers around the C functions of a kernel: a C++ header, a Python module that calls them by ctypes."""

from __future__ import annotations

from pathlib import Path
from string import Template

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
    return _filled("wrapper.hpp", name=name, guard=guard, c_header=c_header, taken=taken, passed=passed)


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
    types = "".join(f"ctypes.{_IN_CTYPES[one.type]}, " for one in parameters)
    passed = "".join(f", {_of_python(one)}" for one in parameters)
    return _filled("wrapper.py", name=name, taken=taken, types=types, passed=passed)


def _of_python(parameter: CParameter) -> str:
    return f"_address({parameter.name})" if parameter.type == "CUdeviceptr" else parameter.name


def _filled(template: str, **fields: str) -> str:
    text = Path(__file__).with_name(f"{template}.template").read_text(encoding="utf-8")
    return Template(text).substitute(fields)
