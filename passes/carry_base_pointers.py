"""Carry the pointer that all addresses of a tile start from, in loops of the group that loads.

    scf.for ... iter_args(%p = %first) {              scf.for ... iter_args(%b = %base) {
      ttg.async_copy_global_to_local %p, ...            %s = tt.splat %b
      %q = tt.addptr %p, %step                  =>      %p = tt.addptr %s, %offsets
      scf.yield %q                                      ttg.async_copy_global_to_local %p, ...
    }                                                   %c = tt.addptr %b, %scalar_step
                                                        scf.yield %c
                                                      }

where %first is %base plus %offsets, and %step the same number for all elements.  The offsets of a tile are 32 bits
each, and those of two tiles are often the same; addresses are 64 bits.  A group of warps that loads has a third of the
registers of one that computes, so 32 addresses of a thread do not fit.  In a second loop that goes on with the
addresses of the first one, as in causal attention, LLVM does not find out what they have in common.  One instruction
adds an offset to the base.  In the same way, a number that an iteration adds to all addresses of a tile is added to
the base, of which there is one:

    %q = tt.addptr %tile, (tt.splat %number)    =>    %b = tt.addptr %base, %number; tt.addptr (tt.splat %b), %offsets

Input:  ttg.      Output: ttg.
Order:  late, when the groups have their loops; before the lowering.
Skips:  addresses that a loop advances by different steps, or that do not start from one pointer; loops outside of
        groups of warps.
Test:   test/lit/passes/carry_base_pointers.mlir
"""

from __future__ import annotations

from collections.abc import Callable

from mlir import ir

from ttkit.dialects import tt
from ttkit.dialects.tt import PointerType
from ttkit.inspection import collect, defining, enclosing, has_uses
from ttkit.operation_sets import ASYNC_COPY, WARP_SPECIALIZE
from ttkit.passes.infra import Pass, canonicalize_ops
from ttkit.passes.infra.dead_loop_arguments import drop_dead_loop_arguments
from ttkit.passes.infra.loops import (
    body_of,
    body_operations,
    carried_argument,
    carry_more,
    final_value,
    initial_value,
    set_yielded,
    yield_also,
    yielded,
)
from ttkit.passes.infra.nesting import is_above
from ttkit.passes.lower.view import BASE_POINTER
from ttkit.records import dataclass


class CarryBasePointers(Pass):
    """Carry one pointer for all addresses of a tile in loops of the group that loads"""

    name = "ttkit-carry-base-pointers"
    dependent_dialects = ("tt",)

    def run(self, op: ir.Operation) -> None:
        """Rewrites the loops in their order, so that one can go on with the pointer of another."""
        changed = False
        for loop in collect(op, ["scf.for"]):
            if enclosing(loop, WARP_SPECIALIZE) is not None and collect(loop, [ASYNC_COPY]):
                changed |= add_to_bases(loop)
                changed |= carry_bases(loop)  # last: it replaces the loop
        if changed:
            drop_dead_loop_arguments(op)
            canonicalize_ops(op, ["scf.for"])


@dataclass(frozen=True)
class Term:
    """An offset that is added to all addresses of a tile: how to make it at an insertion point, where it varies."""

    make: Callable[[], ir.Value]
    dimensions: frozenset[int]


@dataclass(frozen=True)
class Addresses:
    """The addresses of a tile: a pointer, numbers that are added to it, and tensors of offsets.

    type: of the tensor of addresses.
    """

    type: ir.RankedTensorType
    base: ir.Value
    numbers: tuple[ir.Value, ...]
    terms: tuple[Term, ...]

    def start(self) -> ir.Value:
        """The pointer with the numbers, made at the insertion point."""
        pointer = self.base
        for number in self.numbers:
            pointer = tt.addptr(pointer, number)
        return pointer

    def offsets(self) -> list[ir.Value]:
        """The tensors of offsets, made at the insertion point; first those along the contiguous dimension.

        A thread has few different ones of these, so few additions are left once they are in the pointer.
        """
        first = next(iter(getattr(self.type.encoding, "order", [self.type.rank - 1])))
        return [term.make() for term in sorted(self.terms, key=lambda term: first not in term.dimensions)]

    def at(self, pointer: ir.Value, offsets: list[ir.Value]) -> ir.Value:
        """The addresses from another pointer on, made at the insertion point."""
        tile = tt.splat(pointer, self.type)
        tile.owner.attributes[BASE_POINTER] = ir.UnitAttr.get(self.type.context)
        for offset in offsets:
            tile = tt.addptr(tile, offset)
        return tile


def addresses_of(value: ir.Value) -> Addresses | None:
    """The pointer and offsets from which addresses were made; None if not from one pointer."""
    made = defining(value)
    if made is None:
        return None
    op = made.operation
    if op.name == "tt.splat":
        return Addresses(value.type, made.src, (), ())
    if op.name not in ("tt.addptr", "tt.broadcast", "tt.expand_dims"):
        return None
    inner = addresses_of(made.ptr if op.name == "tt.addptr" else made.src)
    if inner is None:
        return None
    if op.name == "tt.addptr":
        offset = made.offset
        number = uniform_number(offset)
        if number is not None:
            return Addresses(value.type, inner.base, (*inner.numbers, number), inner.terms)
        term = Term(lambda: offset, frozenset(varying_dimensions(offset)))
        return Addresses(value.type, inner.base, inner.numbers, (*inner.terms, term))
    return Addresses(value.type, inner.base, inner.numbers, tuple(viewed(term, op) for term in inner.terms))


def viewed(term: Term, view: ir.Operation) -> Term:
    """An offset of addresses that a tt.broadcast or tt.expand_dims takes, as one of its result."""
    shape, encoding = list(view.result.type.shape), view.result.type.encoding

    def make() -> ir.Value:
        """The view of the offset."""
        offset = term.make()
        if view.name == "tt.expand_dims":
            return tt.expand_dims(offset, view.opview.axis.value)
        return tt.broadcast(offset, ir.RankedTensorType.get(shape, offset.type.element_type, encoding))

    if view.name == "tt.broadcast":
        return Term(make, term.dimensions)
    axis = view.opview.axis.value
    return Term(make, frozenset(d + (d >= axis) for d in term.dimensions))


def varying_dimensions(offset: ir.Value) -> list[int]:
    """The dimensions along which a tensor may vary: those that no tt.broadcast repeats."""
    made = defining(offset)
    if made is not None and made.operation.name == "tt.broadcast":
        return [d for d, size in enumerate(made.src.type.shape) if size > 1]
    return [d for d, size in enumerate(offset.type.shape) if size > 1]


def uniform_number(offset: ir.Value) -> ir.Value | None:
    """The scalar that all elements of a tensor are; None if they are not the result of a tt.splat."""
    made = defining(offset)
    return made.src if made is not None and made.operation.name == "tt.splat" else None


def advances_of(loop: ir.Operation, number: int) -> list[ir.Operation] | None:
    """The tt.addptr by which an iteration advances a carried tile, the first one first; None if it does otherwise."""
    found = sums_in(body_of(loop), yielded(body_of(loop), number))
    if not found or found[0].opview.ptr != carried_argument(loop, number):
        return None
    steps = [uniform_number(op.opview.offset) for op in found]
    return found if all(step is not None and is_above(step, loop) for step in steps) else None


def add_to_bases(loop: ir.Operation) -> bool:
    """Has copies whose addresses are a tile from before the loop, and numbers, add these to a pointer; whether any."""
    found = []
    tiles = dict.fromkeys(op.opview.src for op in body_operations(loop) if op.name == ASYNC_COPY)
    for tile in tiles:
        sums = sums_in(body_of(loop), tile)
        addresses = addresses_of(sums[0].opview.ptr) if sums and is_above(sums[0].opview.ptr, loop) else None
        if addresses is not None and addresses.terms:
            found.append((sums, addresses))
    for sums, addresses in found:
        with ir.InsertionPoint(loop), loop.location:
            pointer, offsets = addresses.start(), addresses.offsets()
        for op in sums:
            with ir.InsertionPoint(op), op.location:
                pointer = tt.addptr(pointer, uniform_number(op.opview.offset))
                op.result.replace_all_uses_with(addresses.at(pointer, offsets))
    return bool(found)


def sums_in(body: ir.Block, addresses: ir.Value) -> list[ir.Operation]:
    """The tt.addptr of a body that add the same number to all addresses, the first one first."""
    found: list[ir.Operation] = []
    while (made := defining(addresses)) is not None and made.operation.name == "tt.addptr":
        if made.operation.block != body or uniform_number(made.offset) is None:
            break
        found.insert(0, made.operation)
        addresses = made.ptr
    return found


def carry_bases(loop: ir.Operation) -> bool:
    """Has a loop carry a pointer for each tile of addresses that starts from one; whether there are any."""
    found = []
    for number in range(len(loop.results)):
        type = carried_argument(loop, number).type
        if isinstance(type, ir.RankedTensorType) and isinstance(type.element_type, PointerType):
            advances, addresses = advances_of(loop, number), addresses_of(initial_value(loop, number))
            if advances is not None and addresses is not None and addresses.terms:
                found.append((number, advances, addresses))
    if not found:
        return False
    with ir.InsertionPoint(loop), loop.location:
        starts = [addresses.start() for _, _, addresses in found]
        offsets = [addresses.offsets() for _, _, addresses in found]
    new, pointers = carry_more(loop, starts)
    body = body_of(new)
    lasts = []
    for (number, advances, addresses), pointer, tensors in zip(found, pointers, offsets):
        argument = carried_argument(new, number)
        with ir.InsertionPoint.at_block_begin(body), new.location:
            argument.replace_all_uses_with(addresses.at(pointer, tensors))
        for advance in advances:
            step = uniform_number(advance.opview.offset)
            with ir.InsertionPoint(advance), advance.location:
                pointer = tt.addptr(pointer, step)
                advance.result.replace_all_uses_with(addresses.at(pointer, tensors))
        lasts.append(pointer)
        set_yielded(body, number, argument)
    yield_also(new, lasts)
    for (number, _, addresses), tensors, last in zip(found, offsets, list(new.results)[-len(found) :]):
        result = final_value(new, number)
        if has_uses(result):
            with ir.InsertionPoint.after(new), new.location:
                result.replace_all_uses_with(addresses.at(last, tensors))
    return True
