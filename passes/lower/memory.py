"""Lower loads and stores of global memory.

Consecutive registers with consecutive addresses move together: as many as layout, alignment and mask allow, up to 16
bytes.  Plain accesses are LLVM's own; those with a mask or a cache hint are PTX with a predicate, since LLVM would
branch around each.

Ops: dialects/tt/memory_ops.td    Test: test/lit/lower/memory.mlir
"""

from __future__ import annotations

from typing import NamedTuple

from mlir import ir

from ttkit.analysis.vector_width import mask_alignment, vector_elements
from ttkit.dialects.tt import CacheModifier, EvictionPolicy
from ttkit.dialects.ttng import cache_policy_fields
from ttkit.inspection import element_bits
from ttkit.layout.distribution import contiguous_per_thread, order
from ttkit.layout.hardware import VECTOR_BITS
from ttkit.operation_sets import ASYNC_COPY
from ttkit.passes.infra.base import remark
from ttkit.passes.lower.access_words import (
    POLICY,
    WORD_CONSTRAINT,
    alignment,
    join_single_words,
    join_words,
    predicated_store,
    split_words,
    words,
)
from ttkit.passes.lower.assembly import Assembly, assembled, braced
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.pointer import pointee
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.stored import from_stored, to_stored
from ttkit.passes.lower.unsupported import CannotLower

CACHING = {
    "tt.load": (CacheModifier.CA, CacheModifier.CG, CacheModifier.CS, CacheModifier.CV),
    "tt.store": (CacheModifier.WB, CacheModifier.CG, CacheModifier.CS, CacheModifier.WT),
    ASYNC_COPY: (CacheModifier.CA, CacheModifier.CG, CacheModifier.CS, CacheModifier.CV),
}
"""How an access may be cached (PTX ISA, "Cache operators")."""


@lowers("tt.load")
def load(low: Lowering, op: ir.OpView, pointer: ir.Value, *masked: ir.Value) -> ir.Value:
    """result[i] = mask[i] ? *pointer[i] : other[i]"""
    mask, other = operand_or_none(low, op.mask), operand_or_none(low, op.other)
    element = pointee(low, op.ptr)
    vector = access_width(low, op.ptr, op.mask, element)
    result_element = low.element_type(op.result)
    others = None if other is None else to_stored(low, other)
    caching = None if mask is None and is_default(op) else Caching.of_load(low, op)
    if vector == 1 and low.elements.count(pointer) > 1:
        say_single_elements(low, op, "numElems", low.elements.count(pointer))
    copies = low.owners.register_copies(op.ptr)
    loaded: dict[int, list[ir.Value]] = {}
    for first in range(0, low.elements.count(pointer), vector):
        if first & copies:  # its element is in an earlier register
            loaded[first] = loaded[first & ~copies]
            continue
        address = low.elements.at(pointer, first)
        if caching is None:
            # One element alone is a scalar: as a vector its load would get the location of what takes it.
            is_alone = low.elements.count(pointer) == 1
            type = element if is_alone else low.emit.vector(vector, element)
            extra = {"volatile_": ir.UnitAttr.get(low.emit.context)} if op.isVolatile else {}
            value = low.emit.load(address, type, alignment(element, vector), **extra)
            loaded[first] = [low.emit.pack([value]) if is_alone else value]
            continue
        chosen = None if mask is None else low.elements.at(mask, first)
        default = None if others is None else low.elements.slice(others, first, vector)
        words = predicated_load(low, caching, address, chosen, default, element, vector)
        loaded[first] = words if vector == 1 else [join_words(low.emit, words, element, vector)]
    values = [value for parts in loaded.values() for value in parts]
    is_single = vector == 1 and caching is not None
    joined = join_single_words(low.emit, values, element) if is_single else low.emit.concat(values)
    result = from_stored(low, joined, result_element)
    return low.elements.result(op.result, result)


class Caching(NamedTuple):
    """Modifiers of the instructions of a load, and an i64 for the second-level cache."""

    modifiers: str
    policy: ir.Value | None

    @classmethod
    def of_load(cls, low: Lowering, op: ir.OpView) -> Caching:
        """That of a load, read once for all of its instructions."""
        if op.isVolatile:
            return cls(".volatile.global", None)
        policy = cache_policy(low, op)
        modifiers = f".global{hints(op)}{'' if policy is None else POLICY}"
        if bytes := policy_fields(op).get("l2_prefetch_size"):
            modifiers += f".L2::{bytes}B"
        return cls(modifiers, policy)


def predicated_load(
    low: Lowering,
    caching: Caching,
    pointer: ir.Value,
    mask: ir.Value | None,
    default: ir.Value | None,
    element: ir.Type,
    vector: int,
) -> list[ir.Value]:
    """The words of `vector` elements from `pointer` where `mask` holds, else of `default`, else zeros."""
    word, count = words(element, vector)
    outputs, given = [f"${i}" for i in range(count)], Assembly(count, repeats=True)
    lines = []
    if mask is not None:
        starts = ["0x0"] * count
        if default is not None:
            starts = [
                given.operand(each, WORD_CONSTRAINT[word]) for each in split_words(low.emit, default, word, count)
            ]
        lines += [f"mov.u{max(word, 16)} {out}, {start};" for out, start in zip(outputs, starts)]
    address = given.operand(pointer, "l")
    guard = "" if mask is None else f"@{given.operand(mask, 'b')} "
    policy = "" if caching.policy is None else f", {given.operand(caching.policy, 'l')}"
    shape = f".v{count}" if count > 1 else ""
    lines.append(f"{guard}ld{caching.modifiers}{shape}.b{word} {braced(outputs)}, [ {address} + 0 ]{policy};")
    type = ir.IntegerType.get_signless(word, low.emit.context)
    output = "=" if default is None or mask is None else "=&"
    constraints = ",".join([output + WORD_CONSTRAINT[word]] * count + given.kinds)
    return assembled(low.emit, "\n\t".join(lines), constraints, [type] * count, given.operands)


@lowers("ttg.prefetch")
def prefetch(low: Lowering, op: ir.OpView, pointer: ir.Value, *masked: ir.Value) -> None:
    """One instruction for as many elements as one load would take."""
    mask = operand_or_none(low, op.mask)
    vector = access_width(low, op.src, op.mask, pointee(low, op.src))
    copies = low.owners.register_copies(op.src)
    for first in range(0, low.elements.count(pointer), vector):
        if first & copies:
            continue
        given = Assembly(0)
        guard = "" if mask is None else f"@{given.operand(low.elements.at(mask, first), 'b')} "
        address = given.operand(low.elements.at(pointer, first), "l")
        low.emit.inline_asm(f"{guard}prefetch.global.L1 [ {address} ];", ",".join(given.kinds), None, *given.operands)


@lowers("tt.store")
def store(low: Lowering, op: ir.OpView, pointer: ir.Value, value: ir.Value, *masked: ir.Value) -> None:
    """*pointer[i] = value[i] where mask[i]; of threads with copies only one."""
    emit = low.emit
    element = pointee(low, op.ptr)
    mask = operand_or_none(low, op.mask)
    vector = access_width(low, op.ptr, op.mask, element)
    value = to_stored(low, value)
    owner = low.owners.owns(op.ptr)
    copies = low.owners.register_copies(op.ptr)
    modifiers, policy = ".global" + hints(op), cache_policy(low, op)
    if vector == 1 and low.elements.count(pointer) > 1:
        say_single_elements(low, op, "elemsPerThread", low.elements.count(pointer))
    for first in range(0, low.elements.count(pointer), vector):
        if first & copies:
            continue
        address = low.elements.at(pointer, first)
        chosen = both(low, owner, None if mask is None else low.elements.at(mask, first))
        piece = low.elements.slice(value, first, vector)
        if chosen is None and modifiers == ".global":
            emit.store(piece, address, alignment(element, vector))
        else:
            predicated_store(low.emit, address, piece, chosen, modifiers, element, vector, policy)


def say_single_elements(low: Lowering, op: ir.OpView, counted: str, count: int) -> None:
    """A remark, in Triton's words, on an access element by element where each thread holds several.

    counted: what Triton calls the number of these, `count`.
    """
    pointer, mask = op.ptr, op.mask
    without_mask = access_width(low, pointer, None, pointee(low, pointer))
    aligned = -1 if mask is None else mask_alignment(low.axes, mask, order(low.layout(pointer))[0])
    remark(
        op,
        f"Warning: vectorization fails vec = 1 origin vec = {without_mask} {counted} = {count} mask is {aligned}\n",
    )


def both(low: Lowering, first: ir.Value | None, second: ir.Value | None) -> ir.Value | None:
    """Whether two conditions hold; None always holds."""
    if first is None or second is None:
        return second if first is None else first
    return low.emit.and_(first, second)


def policy_fields(op: ir.OpView) -> dict[str, str | int | float]:
    """The fields of an access's #ttng.cache_policy by name; empty without one."""
    found = op.operation.attributes
    return cache_policy_fields(found["cachePolicy"]) if "cachePolicy" in found else {}


def hints(op: ir.OpView) -> str:
    """The hints of an access for the first-level cache.  PTX takes only one: how to cache, else when to evict.

    Raises:
        CannotLower: a way to cache that such an access does not have.
    """
    if fields := policy_fields(op):
        if modifier := fields.get("cache_modifier"):
            return f".{modifier}"
        return f".L1::{fields['l1']}" if "l1" in fields else ""
    if op.cache != CacheModifier.NONE:
        if op.cache not in (known := CACHING[op.operation.name]):
            names = ", ".join(map(str, known))
            raise CannotLower(
                f"found cacheModifier = {op.cache!s}, which this access does not have; use one of {names}"
            )
        return f".{op.cache!s}"
    return "" if op.evict == EvictionPolicy.NORMAL else f".L1::{op.evict!s}"


def cache_policy(low: Lowering, op: ir.OpView) -> ir.Value | None:
    """An i64 by which the second-level cache knows when to evict what an access touches; None if it may choose."""
    fields, evict = policy_fields(op), getattr(op, "evict", EvictionPolicy.NORMAL)  # stores by TMA have no `evict`
    if not low.target.has_cache_policies or (not fields and evict == EvictionPolicy.NORMAL):
        return None
    if not fields:
        return eviction_policy(low, evict)
    if "l2_primary" not in fields:
        return None
    fraction = float(f"{fields['l2_fraction']:.6g}")  # an f32: more digits would be those of its rounding
    return eviction_policy(low, str(fields["l2_primary"]), str(fields["l2_secondary"]), fraction)


def eviction_policy(
    low: Lowering, evict: EvictionPolicy | str, rest: str = "evict_unchanged", fraction: float = 1.0
) -> ir.Value:
    """i64, the policy of the second-level cache for what is touched: `evict` for a fraction of the lines.

    rest: the policy for the other lines.
    """
    secondary = "" if fraction == 1 else f".L2::{rest}"
    text = f"createpolicy.fractional.L2::{evict!s}{secondary}.b64 $0, {fraction};"
    return low.index.once(text, lambda: low.emit.inline_asm(text, "=l", low.emit.i64, effects=False))


def access_width(low: Lowering, pointer: ir.Value, mask: ir.Value | None, element: ir.Type, known: int = 1) -> int:
    """Elements that one access moves.  known: elements that are consecutive and aligned, whatever can be proven."""
    if not isinstance(pointer.type, ir.RankedTensorType):
        return 1
    layout = low.layout(pointer)
    fastest = order(layout)[0]
    held = contiguous_per_thread(layout)[fastest]
    width = max(vector_elements(low.axes, pointer, fastest, held), min(known, held))
    if mask is not None:
        width = min(width, mask_alignment(low.axes, mask, fastest))
    return min(width, VECTOR_BITS // element_bits(element))


def is_default(op: ir.OpView) -> bool:
    """Whether a load asks for no caching of its own."""
    is_plain = op.cache == CacheModifier.NONE and op.evict == EvictionPolicy.NORMAL
    return is_plain and "cachePolicy" not in op.operation.attributes


def operand_or_none(low: Lowering, value: ir.Value | None) -> ir.Value | None:
    """An optional operand as it was lowered; None where it is missing."""
    return None if value is None else low.values.of(value)
