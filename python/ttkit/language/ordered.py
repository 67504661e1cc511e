"""Loads and stores in one step, in an order that other programs see: Triton has them since 3.9.

Ops: dialects/tt/atomic_ops.td    Interpreter: interpreter/ops/atomic.py
"""

from __future__ import annotations

from typing import Any

from ttkit.dialects._tt_enums import MemSemantic, MemSyncScope
from ttkit.language.broadcasting import broadcast_like
from ttkit.language.building import builder
from ttkit.language.builtin import _tensor_member_fn, builtin
from ttkit.language.constants import integer_constant, ir_type, to_tensor
from ttkit.language.constexpr import unwrap
from ttkit.language.errors import BadArgument, BadMask, BadPointer
from ttkit.language.memory import as_bytes, enum_attribute, spelled
from ttkit.language.tensor import tensor
from ttkit.language.type_conversion import cast_to
from ttkit.language.types import int1, int8, uint64

_SCOPES = {"gpu": MemSyncScope.GPU, "cta": MemSyncScope.CTA, "sys": MemSyncScope.SYSTEM}
_POLLED_WIDTHS = (16, 32, 64)


def _checked(function: str, pointer: Any, sem: Any, scope: Any, order: MemSemantic) -> tuple[Any, dict[str, str]]:
    """The type of elements, and the attributes of the operation.

    Raises:
        BadPointer, BadArgument: not of pointers to elements, or in another order.
    """
    if not isinstance(pointer, tensor) or not pointer.dtype.is_ptr() or pointer.dtype.element_ty.is_block():
        raise BadPointer(type=repr(getattr(pointer, "type", pointer)), function=function)
    element = pointer.type.scalar.element_ty
    possible = {"relaxed": MemSemantic.RELAXED, order.name.lower(): order}
    attributes = {
        "sem": enum_attribute(spelled("Memory semantic", sem, possible, order)),
        "scope": enum_attribute(spelled("Memory scope", scope, _SCOPES, MemSyncScope.GPU)),
    }
    return element, attributes


def _mask(pointer: tensor, mask: Any) -> tensor:
    """The mask in the shape of the pointers; without one, a true one.  Raises BadMask: of another type."""
    mask = unwrap(mask)
    mask = tensor(integer_constant(1, "i1"), int1) if mask is None else to_tensor(mask)
    if pointer.type.is_block():
        mask = broadcast_like(mask, pointer.type)
    if mask.type != pointer.type.with_element_ty(int1):
        raise BadMask(type=mask.type)
    return mask


@_tensor_member_fn
@builtin
def atomic_load(pointer: Any, mask: Any = None, sem: Any = None, scope: Any = None) -> tensor:
    """The contents of `pointer` read in the order that `sem` asks for.

    Args:
        mask: where to read; elsewhere the result is undefined.
        sem: "acquire", or "relaxed".
        scope: whose accesses are ordered: "gpu", "cta" or "sys".

    Raises:
        BadPointer, BadArgument, BadMask: other operands, or another order.

    Example:
        >>> tl.atomic_load(pointer(np.array([5], np.int32)))
        int32[] 5
    """
    element, attributes = _checked("atomic_load", pointer, sem, scope, MemSemantic.ACQUIRE)
    if is_bool := element == int1:
        element, pointer = int8, as_bytes(pointer)
    type = pointer.type.with_element_ty(element)
    operands = (pointer.handle, _mask(pointer, mask).handle)
    loaded = tensor(builder().emit("tt.atomic_load", operands, ir_type(type), attributes), type)
    return cast_to(loaded, int1) if is_bool else loaded


@_tensor_member_fn
@builtin
def atomic_store(pointer: Any, val: Any, mask: Any = None, sem: Any = None, scope: Any = None) -> None:
    """Writes `val` in the order that `sem` asks for: "release", or "relaxed".

    Args:
        mask, scope: as of `atomic_load`.

    Raises:
        BadPointer, BadArgument, BadMask: other operands, a pointer to constants, or another order.

    Example:
        >>> value = np.array([5], np.int32)
        >>> tl.atomic_store(pointer(value), 7)
        >>> value
        array([7], dtype=int32)
    """
    element, attributes = _checked("atomic_store", pointer, sem, scope, MemSemantic.RELEASE)
    if pointer.type.scalar.is_const():
        raise BadArgument(function="atomic_store", reason="Cannot store to a constant pointer")
    if element == int1:
        element, pointer = int8, as_bytes(pointer)
    val = to_tensor(val)
    if pointer.type.is_block():
        val = broadcast_like(val, pointer.type)
    elif val.type.is_block():
        reason = "Value argument cannot be block type if pointer argument is not a block"
        raise BadArgument(function="atomic_store", reason=reason)
    if unwrap(mask) is not None:  # broadcast before the value is converted, as in Triton
        mask = _mask(pointer, mask)
    operands = (pointer.handle, cast_to(val, element).handle, _mask(pointer, mask).handle)
    builder().emit_op("tt.atomic_store", operands, (), attributes)


@_tensor_member_fn
@builtin
def atomic_poll(
    pointer: Any, expected_value: Any, sem: Any = None, scope: Any = None, timeout_ns: Any = None
) -> tensor:
    """Waits until `pointer` has `expected_value`, an integer of 16, 32 or 64 bits; of a block each at some time.

    Args:
        sem: "acquire", or "relaxed".
        scope: as of `atomic_load`.
        timeout_ns: nanoseconds of the GPU's timer, for all together, after which it waits no longer.

    Returns:
        where the value was seen.

    Raises:
        BadPointer, BadArgument: other operands, or another order.

    Example:
        >>> tl.atomic_poll(pointer(np.array([5], np.int32)), 5)
        int1[] True
    """
    element, attributes = _checked("atomic_poll", pointer, sem, scope, MemSemantic.ACQUIRE)
    if not (element.is_int() and element.primitive_bitwidth in _POLLED_WIDTHS):
        reason = f"atomic_poll takes integers of 16, 32 and 64 bits, found {element}"
        raise BadArgument(function="atomic_poll", reason=reason)
    expected, timeout = to_tensor(expected_value), _timeout(unwrap(timeout_ns))
    expected = cast_to(expected, element)
    if pointer.type.is_block():
        expected = broadcast_like(expected, pointer.type)
    elif expected.type.is_block():
        reason = "expected_value cannot be of block type if pointer is not a block"
        raise BadArgument(function="atomic_poll", reason=reason)
    operands = [pointer.handle, expected.handle]
    if timeout is not None:
        operands.append(cast_to(timeout, uint64).handle)
    type = pointer.type.with_element_ty(int1)
    return tensor(builder().emit("tt.atomic_poll", operands, ir_type(type), attributes), type)


def _timeout(limit: Any) -> tensor | None:
    """A limit in nanoseconds, if there is one.  Raises BadArgument: it is negative, or not a scalar integer."""
    if limit is None:
        return None
    if isinstance(limit, int) and limit < 0:
        raise BadArgument(function="atomic_poll", reason=f"timeout_ns must not be negative, found {limit}")
    found = to_tensor(limit)
    if found.type.is_block() or not found.type.is_int():
        raise BadArgument(function="atomic_poll", reason=f"timeout_ns must be a scalar integer, found {found.type}")
    return found
