"""Lower copies from global to shared memory that go on while the program does (cp.async, sm_80).

Ops: dialects/ttg/async_ops.td    Test: test/lit/lower/async_copy.mlir
"""

from typing import NamedTuple

from mlir import ir

from ttkit.dialects.tt import CacheModifier
from ttkit.inspection import element_bits
from ttkit.operation_sets import ASYNC_COMMIT, ASYNC_COPY, ASYNC_WAIT
from ttkit.passes.infra.constants import constant_splat
from ttkit.passes.lower.access_words import join_words
from ttkit.passes.lower.assembly import Assembly
from ttkit.passes.lower.buffer_places import accesses, memory_layout
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.memory import (
    Caching,
    access_width,
    alignment,
    both,
    is_default,
    operand_or_none,
    policy_fields,
    predicated_load,
)
from ttkit.passes.lower.pointer import pointee
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.spread_memory import own_part
from ttkit.passes.lower.stored import to_stored
from ttkit.passes.lower.types import SharedView
from ttkit.passes.lower.unsupported import CannotLower

# Bytes that one copy moves: 16 may go past the first-level cache.
SIZES = (4, 8, 16)
COPIES = "asynchronous copies"


class Copy(NamedTuple):
    """One instruction's part of the copies: which registers, and this thread's address in shared memory.

    owner: whether this thread copies, where others hold the same elements; None if none does.
    """

    registers: list[int]
    address: ir.Value
    owner: ir.Value | None
    chosen: ir.Value | None
    other: ir.Value | None


@lowers(ASYNC_COPY)
def async_copy_global_to_local(
    low: Lowering, op: ir.OpView, pointer: ir.Value, view: SharedView, *rest: ir.Value
) -> ir.Value:
    """result[i] = mask[i] ? *src[i] : other[i], by one thread, some time before the group is waited for.

    Raises:
        CannotLower: other CTAs copy a part of the buffer.
    """
    low.require("has_async_copy", COPIES)
    emit = low.emit
    element = pointee(low, op.src)
    mask, other = operand_or_none(low, op.mask), operand_or_none(low, op.other)
    # Copies that don't happen leave zeros.
    other = None if other is None or constant_splat(op.other) == 0 else to_stored(low, other)
    width = access_width(low, op.src, op.mask, element, op.contiguity)
    owner = low.owners.copies_in_cta(op.src)
    if not own_part(low, memory_layout(low, op.result.type), low.layout(op.src)):
        raise CannotLower(
            "found a buffer divided among other CTAs than the pointers; convert the pointers to its division"
        )
    places = accesses(low, view, op.result.type, low.layout(op.src), width, part_first=low.has_uniform_slots)
    for registers, address in places:
        copy = Copy(
            registers,
            address,
            owner,
            None if mask is None else low.elements.at(mask, registers[0]),
            None if other is None else emit.pick(other, registers),
        )
        source = low.elements.at(pointer, registers[0])
        if len(registers) * element_bits(element) // 8 in SIZES:
            asynchronous(low, op, source, copy, element)
        else:
            # No instruction copies so little: it is loaded and stored, now.
            by_register(low, op, source, copy, element)
    return emit.i32_constant(0)


def asynchronous(low: Lowering, op: ir.OpView, source: ir.Value, copy: Copy, element: ir.Type) -> None:
    """cp.async; where the mask does not hold a copy of 0 bytes, which makes zeros, or a store of the others.

    Hints of eviction are left out, as by Triton: ptxas 12.8 and 13.0 make illegal instructions of copies with a policy.
    """
    emit, size = low.emit, len(copy.registers) * element_bits(element) // 8
    caching = ".cg" if size == 16 and op.cache in (CacheModifier.NONE, CacheModifier.CG) else ".ca"
    given = Assembly(repeats=True)
    there, here = given.operand(copy.address, "r"), given.operand(source, "l")
    # A copy of 0 bytes would write its zeros some time, also after the store of the others.
    copied = copy.owner if copy.other is None else both(low, copy.owner, copy.chosen)
    guard = "" if copied is None else f"@{given.operand(copied, 'b')} "
    bytes_read = f"0x{size:x}"
    if copy.chosen is not None and copy.other is None:
        chosen_size = emit.select(copy.chosen, emit.i32_constant(size), emit.i32_constant(0))
        bytes_read = given.operand(chosen_size, "r")
    ahead = policy_fields(op).get("l2_prefetch_size")
    prefetch = f".L2::{ahead}B" if ahead else ""
    text = f"cp.async{caching}.shared.global{prefetch} [ {there} + 0 ], [ {here} + 0 ], 0x{size:x}, {bytes_read};"
    emit.inline_asm(guard + text, ",".join(given.kinds), None, *given.operands)
    if copy.chosen is not None and copy.other is not None:
        left_out = emit.xor(copy.chosen, emit.constant(emit.i1, 1))
        low.shared.store(copy.address, copy.other, both(low, copy.owner, left_out))


def by_register(low: Lowering, op: ir.OpView, source: ir.Value, copy: Copy, element: ir.Type) -> None:
    """A load and a store."""
    count = len(copy.registers)
    if copy.chosen is None and is_default(op):
        loaded = low.emit.load(source, low.emit.vector(count, element), alignment(element, count))
    else:
        words = predicated_load(low, Caching.of_load(low, op), source, copy.chosen, copy.other, element, count)
        loaded = join_words(low.emit, words, element, count)
    low.shared.store(copy.address, loaded, copy.owner)


@lowers(ASYNC_COMMIT)
def async_commit_group(low: Lowering, op: ir.OpView, *tokens: ir.Value) -> ir.Value:
    """The copies since the last one are a group."""
    low.require("has_async_copy", COPIES)
    low.emit.effect("nvvm.cp.async.commit.group")
    return low.emit.i32_constant(0)


@lowers(ASYNC_WAIT)
def async_wait(low: Lowering, op: ir.OpView, *tokens: ir.Value) -> ir.Value:
    """All groups but the last `num` are complete, for this thread."""
    low.require("has_async_copy", COPIES)
    low.emit.effect("nvvm.cp.async.wait.group", n=op.operation.attributes["num"])
    return low.emit.i32_constant(0)
