"""Arguments of kernels that run as Python: from what the caller passes to values of the language."""

from __future__ import annotations

from typing import Any

import numpy as np

from ttkit.interpreter.ops.descriptor import Descriptor, flag
from ttkit.interpreter.python_mode.array_memory import KernelMemory
from ttkit.interpreter.python_mode.eager import Concrete
from ttkit.interpreter.python_mode.host_arrays import host_array
from ttkit.interpreter.values import ADDRESS, DTYPES, ValueType
from ttkit.language import types
from ttkit.language.base import base_type, base_value
from ttkit.language.constexpr import constexpr, unwrap
from ttkit.language.descriptor import descriptor_ir, tensor_descriptor
from ttkit.language.signatures import str_to_ty
from ttkit.language.tensor import tensor

_EXPECTED = "a kernel takes numbers, arrays (numpy, torch, CuPy, DLPack), tensor descriptors, tuples of these and None"


def argument(memory: KernelMemory, param: Any, value: Any) -> Any:
    """The value of a parameter.

    Args:
        param: the `KernelParam`.
        value: for a constexpr anything, which stays as it is.

    Raises:
        TypeError: a kernel can't take it.
        OverflowError: an integer has more than 64 bits.
    """
    if param.is_constexpr:
        return unwrap(value)
    return of_value(memory, param.name, value, param.annotation_type, param.is_const)


def of_value(memory: KernelMemory, name: str, value: Any, annotation: str = "", const: bool = False) -> Any:
    """The same by the name of a parameter and its annotation.  Raises TypeError if no kernel takes it."""
    if isinstance(value, constexpr):
        return value.value
    if value is None or isinstance(value, (str, base_value, base_type)) or callable(value):
        return value
    if isinstance(value, tuple):
        items = [of_value(memory, f"{name}[{index}]", item) for index, item in enumerate(value)]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        raise OverflowError(f"{name}: integers of a kernel have at most 64 bits, found {value}")
    if isinstance(value, (bool, int, float)):
        return number(value, str_to_ty(annotation) if annotation else None)
    if _is_host_descriptor(value):
        return _descriptor(memory, name, value)
    array = host_array(value)
    if array is None:
        raise TypeError(f"{name}: {_EXPECTED}, got {type(value)}")
    pointer = str_to_ty(annotation) if annotation.startswith("*") else types.pointer_type(array.element, const=const)
    address = memory.add_array(name, array)
    return tensor(Concrete(pointer.ir, np.array([address], ADDRESS)), pointer)


def number(value: bool | int | float, type: Any = None) -> tensor:
    """A scalar of `type`; by default int1, int32 or the first of int64 and uint64 that holds it, or float32."""
    if type is None:
        type = _scalar_type(value)
    if type.is_ptr():
        return tensor(Concrete(type.ir, np.array([value], ADDRESS)), type)
    dtype = DTYPES[type.ir]
    if isinstance(value, (int, bool)) and type.is_int() and type.ir != "i1":
        bits = type.int_bitwidth
        wrapped = int(value) & (1 << bits) - 1
        return tensor(Concrete(type.ir, np.array([wrapped], np.uint64).astype(f"u{dtype.itemsize}").view(dtype)), type)
    return tensor(Concrete(type.ir, np.array([value]).astype(dtype)), type)


def _scalar_type(value: Any) -> types.dtype:
    if isinstance(value, bool):
        return types.int1
    if isinstance(value, float):
        return types.float32
    return types.int32 if -(2**31) <= value < 2**31 else types.int64 if value < 2**63 else types.uint64


def _is_host_descriptor(value: Any) -> bool:
    """Whether it has what a tensor descriptor of the host has, whoever made it."""
    return all(hasattr(value, name) for name in ("base", "shape", "strides", "block_shape"))


def _descriptor(memory: KernelMemory, name: str, value: Any) -> tensor_descriptor:
    array = host_array(value.base)
    if array is None:
        raise TypeError(f"{name}: the base of a tensor descriptor is an array, got {type(value.base)}")
    address = memory.add_array(name, array)
    sizes = tuple(int(size) for size in value.block_shape)
    block = types.block_type(array.element, list(sizes))
    padding = str(getattr(value, "padding", "zero") or "zero").lower()
    text = descriptor_ir(block)
    kind = ValueType(sizes, DTYPES[array.element.ir], text.removeprefix("!tt.tensordesc<").removesuffix(">"))
    shape, strides = (tuple(np.array([int(n)], np.int64) for n in numbers) for numbers in (value.shape, value.strides))
    rounds = flag(bool(getattr(value, "round_f32_to_tf32", False)))
    made = Descriptor(np.array([address], ADDRESS), shape, strides, kind, flag(padding == "nan"), rounds)
    return tensor_descriptor(
        Concrete(text, made),
        [number(int(size), types.int32) for size in value.shape],
        [number(int(stride), types.int64) for stride in value.strides],
        block,
    )
