"""Atomic updates of memory.  Each gives what was in memory before.

`sem` is the memory order ("acquire", "release", "acq_rel" or "relaxed"; "acq_rel" by default), `scope` the threads that
see it ("gpu", "cta" or "sys"; "gpu" by default).

Ops: dialects/tt/atomic_ops.td    Interpreter: interpreter/ops/atomic.py
"""

from __future__ import annotations

from typing import Any

from ttkit.dialects._tt_enums import MemSemantic, MemSyncScope, RMWOp
from ttkit.language.arith import and_, invert, lshr, to_tensor, where
from ttkit.language.broadcasting import broadcast_like
from ttkit.language.building import builder
from ttkit.language.builtin import _tensor_member_fn, builtin
from ttkit.language.constants import integer_constant, ir_type
from ttkit.language.constexpr import unwrap
from ttkit.language.errors import BadArgument, BadMask, BadOperandTypes, BadPointer
from ttkit.language.memory import enum_attribute, spelled
from ttkit.language.tensor import tensor
from ttkit.language.type_conversion import bitcast_to, cast_to
from ttkit.language.types import (
    bfloat16,
    float16,
    float32,
    float64,
    get_int_dtype,
    int1,
    int16,
    int32,
    int64,
    pointer_type,
    uint16,
    uint32,
    uint64,
)
from ttkit.language.versions import since

_SEMANTICS = {
    "acquire": MemSemantic.ACQUIRE,
    "release": MemSemantic.RELEASE,
    "acq_rel": MemSemantic.ACQUIRE_RELEASE,
    "relaxed": MemSemantic.RELAXED,
}
_SCOPES = {"gpu": MemSyncScope.GPU, "cta": MemSyncScope.CTA, "sys": MemSyncScope.SYSTEM}


def _order(sem: Any, scope: Any) -> dict[str, str]:
    return {
        "sem": enum_attribute(spelled("Memory semantic", sem, _SEMANTICS, MemSemantic.ACQUIRE_RELEASE)),
        "scope": enum_attribute(spelled("Memory scope", scope, _SCOPES, MemSyncScope.GPU)),
    }


@_tensor_member_fn
@builtin
def atomic_cas(pointer: Any, cmp: Any, val: Any, sem: Any = None, scope: Any = None) -> tensor:
    """Writes `val` where memory holds `cmp`; elements of 16, 32 or 64 bits.

    Raises:
        BadArgument: elements of another width.

    Example:
        >>> lock = np.zeros(1, np.int32)
        >>> tl.atomic_cas(pointer(lock), 0, 1)
        int32[] 0
        >>> lock
        array([1], dtype=int32)
    """
    cmp, val = to_tensor(cmp), to_tensor(val)
    attributes = _order(sem, scope)
    if not isinstance(pointer, tensor) or not pointer.dtype.is_ptr() or pointer.dtype.element_ty.is_block():
        raise BadPointer(type=repr(getattr(pointer, "type", pointer)), function="atomic_cas")
    element = pointer.type.scalar.element_ty
    if element.primitive_bitwidth not in (16, 32, 64):
        reason = "atomic_cas only supports elements with width {16, 32, 64}"
        raise BadArgument(function="atomic_cas", reason=reason, advice=f"found {element}")
    if not ir_type(pointer.type.with_element_ty(element)) == ir_type(cmp.type) == ir_type(val.type):
        reason = f"cmp and val of atomic_cas must have the type that {pointer} points to, got {cmp} and {val}"
        raise BadArgument(function="atomic_cas", reason=reason)
    handle = builder().emit("tt.atomic_cas", (pointer.handle, cmp.handle, val.handle), ir_type(val.type), attributes)
    return tensor(handle, val.type)


def _operands(pointer: Any, val: Any, mask: Any, name: str) -> tuple[Any, tensor, tensor]:
    """The operands in one shape, the value in the element type; without a mask, a true one.

    Raises:
        BadPointer, BadArgument: not for this pointer.
    """
    val, mask = to_tensor(val), unwrap(mask)
    if not isinstance(pointer, tensor) or not pointer.dtype.is_ptr() or pointer.dtype.element_ty.is_block():
        raise BadPointer(type=repr(getattr(pointer, "type", pointer)), function=f"atomic_{name}")
    if pointer.type.scalar.is_const():
        raise BadArgument(function=f"atomic_{name}", reason="Cannot store to a constant pointer")
    element = pointer.type.scalar.element_ty
    narrow = element in (int16, uint16) or element.primitive_bitwidth < 16
    if narrow or (element in (float16, bfloat16) and name != "add"):
        raise BadArgument(function=f"atomic_{name}", reason=f"atomic_{name} does not support {element}")
    if pointer.type.is_block():
        mask = None if mask is None else broadcast_like(to_tensor(mask), pointer.type)
        val = broadcast_like(val, pointer.type)
    elif val.type.is_block():
        reason = "Value argument cannot be block type if pointer argument is not a block"
        raise BadArgument(function=f"atomic_{name}", reason=reason)
    val = cast_to(val, element)
    if mask is None:
        mask = tensor(integer_constant(1, "i1"), int1)
        if pointer.type.is_block():
            mask = broadcast_like(mask, pointer.type)
    elif (mask := to_tensor(mask)).type != pointer.type.with_element_ty(int1):
        raise BadMask(type=mask.type)
    return pointer, val, mask


def _of_bits(name: str, pointer: Any, val: Any, mask: Any, sem: Any, scope: Any) -> tensor:
    pointer, val, mask = _operands(pointer, val, mask, name)
    return _update(getattr(RMWOp, name.upper()), pointer, val, mask, _order(sem, scope))


def _update(kind: Any, pointer: tensor, val: tensor, mask: tensor, order: dict[str, str]) -> tensor:
    attributes = {"atomic_rmw_op": enum_attribute(kind), **order}
    operands = (pointer.handle, val.handle, mask.handle)
    return tensor(builder().emit("tt.atomic_rmw", operands, ir_type(val.type), attributes), val.type)


@_tensor_member_fn
@builtin
def atomic_xchg(pointer: Any, val: Any, mask: Any = None, sem: Any = None, scope: Any = None) -> tensor:
    """Writes `val`.

    Example:
        >>> value = np.array([5], np.int32)
        >>> tl.atomic_xchg(pointer(value), 7)
        int32[] 5
        >>> value
        array([7], dtype=int32)
    """
    return _of_bits("xchg", pointer, val, mask, sem, scope)


@_tensor_member_fn
@builtin
def atomic_add(pointer: Any, val: Any, mask: Any = None, sem: Any = None, scope: Any = None) -> tensor:
    """Adds `val`, integers or floats.

    Example:
        >>> bins = np.zeros(4, np.int32)
        >>> tl.atomic_add(pointer(bins) + tl.arange(0, 8) // 3, 1)
        int32[8] [0 1 2 0 1 2 0 1]
        >>> bins
        array([3, 3, 2, 0], dtype=int32)
    """
    pointer, val, mask = _operands(pointer, val, mask, "add")
    kind = RMWOp.FADD if val.dtype.is_floating() else RMWOp.ADD
    return _update(kind, pointer, val, mask, _order(sem, scope))


@_tensor_member_fn
@builtin
def atomic_and(pointer: Any, val: Any, mask: Any = None, sem: Any = None, scope: Any = None) -> tensor:
    """Bitwise and with `val`.

    Example:
        >>> value = np.array([7], np.int32)
        >>> tl.atomic_and(pointer(value), 5)
        int32[] 7
        >>> value
        array([5], dtype=int32)
    """
    return _of_bits("and", pointer, val, mask, sem, scope)


@_tensor_member_fn
@builtin
def atomic_or(pointer: Any, val: Any, mask: Any = None, sem: Any = None, scope: Any = None) -> tensor:
    """Bitwise or with `val`.

    Example:
        >>> value = np.array([1], np.int32)
        >>> tl.atomic_or(pointer(value), 6)
        int32[] 1
        >>> value
        array([7], dtype=int32)
    """
    return _of_bits("or", pointer, val, mask, sem, scope)


@_tensor_member_fn
@builtin
def atomic_xor(pointer: Any, val: Any, mask: Any = None, sem: Any = None, scope: Any = None) -> tensor:
    """Bitwise exclusive or with `val`.

    Example:
        >>> value = np.array([7], np.int32)
        >>> tl.atomic_xor(pointer(value), 5)
        int32[] 7
        >>> value
        array([2], dtype=int32)
    """
    return _of_bits("xor", pointer, val, mask, sem, scope)


@_tensor_member_fn
@builtin
def atomic_max(pointer: Any, val: Any, mask: Any = None, sem: Any = None, scope: Any = None) -> tensor:
    """The maximum with `val`, integers, fp32 or fp64.

    Example:
        >>> value = np.array([3], np.int32)
        >>> tl.atomic_max(pointer(value) + tl.zeros((4,), tl.int32), tl.arange(0, 4) * 2)
        int32[4] [3 3 3 4]
        >>> value
        array([6], dtype=int32)
    """
    return _extreme("max", RMWOp.MAX, RMWOp.UMAX, RMWOp.UMIN, pointer, val, mask, _order(sem, scope))


@_tensor_member_fn
@builtin
def atomic_min(pointer: Any, val: Any, mask: Any = None, sem: Any = None, scope: Any = None) -> tensor:
    """The minimum with `val`, integers, fp32 or fp64.

    Example:
        >>> value = np.array([3.5], np.float32)
        >>> tl.atomic_min(pointer(value), 1.25, mask=True)
        fp32[] 3.5
        >>> value
        array([1.25], dtype=float32)
    """
    return _extreme("min", RMWOp.MIN, RMWOp.UMIN, RMWOp.UMAX, pointer, val, mask, _order(sem, scope))


def _extreme(
    name: str, signed: Any, unsigned: Any, opposite: Any, pointer: Any, val: Any, mask: Any, order: dict[str, str]
) -> tensor:
    """Floats of one sign are ordered as their bits are, negative ones backwards: one update for each sign of `val`."""
    pointer, val, mask = _operands(pointer, val, mask, name)
    scalar = val.type.scalar
    if scalar.is_int():
        return _update(signed if scalar.is_int_signed() else unsigned, pointer, val, mask, order)
    if scalar not in (float32, float64):
        raise BadOperandTypes(function=f"atomic_{name}", reason=f"atomic_{name} not supported for dtype {scalar}")
    bits, unsigned_bits = (int32, uint32) if scalar == float32 else (int64, uint64)
    as_signed, signed_pointer = bitcast_to(val, bits), bitcast_to(pointer, pointer_type(bits, 1))
    as_unsigned, unsigned_pointer = bitcast_to(val, unsigned_bits), bitcast_to(pointer, pointer_type(unsigned_bits, 1))
    negative = _sign_bit(val)
    positive = invert(negative)
    of_positive = _update(signed, signed_pointer, as_signed, and_(mask, positive), order)
    of_negative = _update(opposite, unsigned_pointer, as_unsigned, and_(mask, negative), order)
    if name == "min" and not since(3, 8):  # as in Triton, which then converts one to the other's type for the maximum
        of_negative = tensor(of_negative.handle, of_positive.type)
    return bitcast_to(where(positive, of_positive, of_negative), scalar)


def _sign_bit(x: tensor) -> tensor:
    width = x.dtype.primitive_bitwidth
    return cast_to(lshr(bitcast_to(x, get_int_dtype(width, signed=False)), width - 1), int1)
