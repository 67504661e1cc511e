"""Specialization: the types of a kernel's arguments, and what their values tell.

Each argument gives a pair (type, key), as in Triton:

    5            "i32", ""              an int that fits; "i64", "u64" for larger ones
    16           "i32", "D"             divisible by 16
    1            "constexpr", 1
    True, 2.0    "u1", None; "fp32", None
    None, a jitted function, a constexpr   "constexpr", what stands for it
    x            "*fp32", "D"           a tensor whose address is divisible by 16, else ""
    (1, x)       ("constexpr", "*fp32"), (1, "D")

Keys and types together identify the kernel; `signature_of` takes them apart into what is compiled.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from ttkit.language.jit_function import JITCallable
from ttkit.language.parameters import KernelParam, canonical_type_name, is_type_name
from ttkit.runtime.pointers import element_type, is_array, pointer_value
from ttkit.runtime.tensor_descriptor import TensorDescriptor

Path: TypeAlias = tuple[int, ...]
Specialized: TypeAlias = tuple[Any, Any]

ALIGNMENT = 16
_LARGEST_U64 = (1 << 64) - 1


class Signature(NamedTuple):
    """Types, constants and attributes that a function is compiled for.

    types: {name: type}.
    constants: {path: value}; a path is (argument,), or (argument, item) in a tuple.
    attributes: {path: [[attribute, integer]]}.
    """

    types: dict[str, Any]
    constants: dict[Path, Any]
    attributes: dict[Path, Any]


TensorKey: TypeAlias = Callable[..., Any]
"""`get_tensor_specialization(tensor, align=...)` of a backend."""


def native_specialize_impl(
    backend: Any, arg: Any, is_const: bool = False, specialize_value: bool = True, align: bool = True
) -> Specialized:
    """The type and the key of an argument that is not annotated, by Triton's name and arguments.

    Args:
        backend: what keys of tensors are, where it says that it knows better (`HIPBackend`).
        is_const, specialize_value, align: as `specialize` takes them.

    Raises:
        TypeError: nothing that can be passed to a kernel.
        OverflowError: an integer of more than 64 bits.
    """
    return specialize(arg, is_const, specialize_value, align, tensor_key_of(backend))


def tensor_key_of(backend: Any) -> TensorKey | None:
    """The function of a backend that makes keys of tensors; None where divisibility by 16 is all that counts."""
    if getattr(backend, "supports_native_tensor_specialization", True):
        return None
    key: TensorKey = backend.get_tensor_specialization
    return key


def specialize(
    value: Any,
    is_const: bool = False,
    by_value: bool = True,
    by_alignment: bool = True,
    tensor_key: TensorKey | None = None,
) -> Specialized:
    """The type and the key of an argument that is not annotated.

    Args:
        is_const: a pointer to what the kernel does not change.
        by_value: 1 becomes a constant, and whether it is divisible by 16 counts.
        by_alignment: without, it does not.
        tensor_key: makes the keys of tensors, see `tensor_key_of`.

    Raises:
        TypeError: nothing that can be passed to a kernel.
        OverflowError: an integer of more than 64 bits.
    """
    kind = type(value)
    if kind is bool:
        return "u1", None
    if kind is float or isinstance(value, float):
        return "fp32", None
    if value is None:
        return "constexpr", None
    if isinstance(value, int):
        return _specialize_integer(value, by_value, by_alignment)
    if hasattr(value, "data_ptr") or is_array(value):
        prefix = "*k" if is_const else "*"
        if not by_value:
            return prefix + element_type(value), None
        if tensor_key is not None:
            return prefix + element_type(value), tensor_key(value, align=by_alignment)
        aligned = by_alignment and pointer_value(value) % ALIGNMENT == 0
        return prefix + element_type(value), "D" if aligned else ""
    if isinstance(value, tuple):
        return _specialize_tuple(value, tensor_key)
    return _specialize_other(value, by_value, by_alignment)


def _specialize_integer(value: int, by_value: bool, by_alignment: bool) -> Specialized:
    if value == 1 and by_value:
        return "constexpr", value
    if -(1 << 31) <= value < 1 << 31:
        kind = "i32"
    elif -(1 << 63) <= value < 1 << 63:
        kind = "i64"
    elif 0 <= value <= _LARGEST_U64:
        kind = "u64"
    else:
        raise OverflowError(
            "integer to be specialized too large to represent: integers of a kernel have at most 64 bits"
        )
    if not by_value:
        return kind, None
    return kind, "D" if by_alignment and value % ALIGNMENT == 0 else ""


def _specialize_tuple(value: tuple[Any, ...], tensor_key: TensorKey | None) -> Specialized:
    pairs = [specialize(item, tensor_key=tensor_key) for item in value]
    types, keys = tuple(pair[0] for pair in pairs), tuple(pair[1] for pair in pairs)
    if hasattr(value, "_fields"):  # a named tuple's class takes its items one by one
        return type(value)(*types), type(value)(*keys)
    return types, keys


def _specialize_other(value: Any, by_value: bool, by_alignment: bool) -> Specialized:
    if isinstance(value, JITCallable):
        return "constexpr", value.cache_key
    if is_constexpr(value):
        return "constexpr", value
    if isinstance(value, TensorDescriptor) or (hasattr(value, "block_shape") and hasattr(value, "base")):
        layout = f",{value.layout!r}" if hasattr(value, "layout") else ""  # of Gluon's
        kind, rank = "tensordesc", ""
        if getattr(value, "mode", "tiled") == "im2col":
            kind, rank = "tensordesc_im2col", f",input_rank={len(value.shape)}"
        return f"{kind}<{element_type(value.base)}{list(value.block_shape)}{rank}{layout}>", None
    if hasattr(value, "tma_desc_cpu_ptr"):
        return "nvTmaDesc", None
    if (numpy := sys.modules.get("numpy")) is not None and isinstance(value, numpy.generic):
        # Not the scalar's own type: it is a Python number of that value, as for every other framework.
        return specialize(value.item(), by_value=by_value, by_alignment=by_alignment)
    name = f"{type(value).__module__}.{type(value).__name__}".removeprefix("builtins.")
    raise TypeError(f"failed to specialize argument of type: {name}")


def is_constexpr(value: Any) -> bool:
    """Whether it is a `tl.constexpr`; without importing the language, which there is no such value before."""
    module = sys.modules.get("ttkit.language.constexpr")
    return module is not None and isinstance(value, module.constexpr)


def specialize_parameter(param: KernelParam, backend: Any = None) -> Callable[[Any], Specialized]:
    """A function that specializes arguments of this parameter, whose annotation may name the type.

    backend: what keys of tensors are, see `native_specialize_impl`.

    It raises TypeError for what a kernel can't take, and OverflowError for an integer of more than 64 bits.
    """
    if param.is_constexpr:
        return lambda value: ("constexpr", value)
    is_const, by_value, by_alignment = (
        param.is_const,
        not param.do_not_specialize,
        not param.do_not_specialize_on_alignment,
    )
    annotated, tensor_key = param.annotation_type, tensor_key_of(backend)

    def specialized(value: Any) -> Specialized:
        """Type and specialization of an argument; errors name the parameter.

        Raises:
            TypeError: nothing takes such a value.
            OverflowError: an integer of more than 64 bits.
        """
        try:
            return specialize(value, is_const, by_value, by_alignment, tensor_key)
        except TypeError as error:
            raise TypeError(f"{error}; {param.name} is {_TAKEN}") from None
        except OverflowError as error:
            raise OverflowError(f"{param.name}: {error}") from None

    if not annotated:
        return specialized
    if not by_value or annotated == "u1" or annotated[:2] in ("fp", "bf"):
        return lambda value: (annotated, None)
    return lambda value: (annotated, specialized(value)[1])


_TAKEN = "an array (torch, CuPy, JAX, NumPy, DLPack), a number, a tensor descriptor, a function, or a tuple of these"


def signature_of(names: Sequence[str], values: Sequence[Any], specialization: Sequence[Specialized]) -> Signature:
    """The signature of a function for these arguments.

    Args:
        names, values: of all arguments.
        specialization: of each, see `specialize_parameter`.
    """
    types = {name: kind for name, (kind, _) in zip(names, specialization)}
    constants: dict[Path, Any] = {}
    attributes: dict[Path, Any] = {}
    for index, (kind, key) in enumerate(specialization):
        _collect((index,), kind, key, values[index], constants, attributes)
    return Signature(types, constants, attributes)


def _collect(path: Path, kind: Any, key: Any, value: Any, constants: dict[Path, Any], attributes: Any) -> None:
    if isinstance(kind, tuple):
        for index, (inner, inner_key) in enumerate(zip(kind, key)):
            _collect((*path, index), inner, inner_key, value[index], constants, attributes)
        return
    if kind == "constexpr":
        constants[path] = value
    elif isinstance(key, str):
        attributes[path] = [["tt.divisibility", ALIGNMENT]] if "D" in key else []


__all__ = [
    "Path",
    "Signature",
    "Specialized",
    "canonical_type_name",
    "is_constexpr",
    "is_type_name",
    "native_specialize_impl",
    "signature_of",
    "specialize",
    "specialize_parameter",
]
