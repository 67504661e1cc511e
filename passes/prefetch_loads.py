"""Prefetch what loops without dot operations load in their next iteration.

    scf.for %i iter_args(%p = %first, %state = ...) {      scf.for %i iter_args(%p = %first, %state = ...) {
                                                             %soon = tt.addptr %p, %step
                                                             %inside = arith.cmpi slt, %i, %last
                                                             ttg.prefetch %soon, %inside
      %x = tt.load %p                                        %x = tt.load %p
      %new = f(%state, %x)                            =>     %new = f(%state, %x)
      tt.store %out, ...                                     tt.store %out, ...
      %q = tt.addptr %p, %step                               %q = tt.addptr %p, %step
      scf.yield %q, %new                                     scf.yield %q, %new
    }                                                      }

A recurrence waits for memory in each iteration: what it loads may be what it has stored, so no load moves over the
stores of the iteration before.  A prefetch may, since no value depends on it.  It takes one instruction where the load
takes one, and the pure operations that compute the next iteration's address and mask.

Input:  ttg.      Output: ttg.
Order:  late, when loops are pipelined; after load-early, as loads do not move over prefetches.
Skips:  loops that write nothing that depends on carried floats or on a reduction: they stream, and programs beside them
        hide the latency; loops that contain loops, dot operations or copies to shared memory; volatile loads; addresses
        and masks that stay the same, are loaded, or need many operations; loops whose loads take many instructions.
Test:   test/lit/passes/prefetch_loads.mlir
"""

from __future__ import annotations

from functools import cached_property

from mlir import ir

from ttkit.dialects import arith, tt, ttg
from ttkit.dialects._result_types import element_type_of
from ttkit.inspection import collect, contains_any, defining, users_of
from ttkit.operation_sets import ALL_DOTS, ALONG_AXIS, COPIES_TO_SHARED, LOOPS
from ttkit.passes.infra import Pass
from ttkit.passes.infra.buffers_and_barriers import may_write_global
from ttkit.passes.infra.loops import body_of, carried_number, yielded
from ttkit.passes.infra.nesting import is_above
from ttkit.passes.infra.rewriting import is_pure
from ttkit.passes.infra.slices import forward_slice
from ttkit.passes.infra.transforms import clone_operations
from ttkit.passes.layouts.assignment import elements_per_thread
from ttkit.tuning.passes import PREFETCHED_ELEMENTS, PREFETCHED_OPERATIONS


class PrefetchLoads(Pass):
    """Prefetch what loops without dot operations load in their next iteration"""

    name = "ttkit-prefetch-loads"
    dependent_dialects = ("ttg", "tt", "arith")

    def run(self, op: ir.Operation) -> None:
        """Prefetches the loads of each such loop."""
        for loop in collect(op, ["scf.for"]):
            loads = loads_of(loop)
            if loads:
                prefetch_all(loop, loads)


def loads_of(loop: ir.Operation) -> list[ir.Operation]:
    """The loads of a loop whose next addresses differ, if the loop has no other way to hide their latency."""
    body = body_of(loop)
    if contains_any(loop, (*LOOPS, *ALL_DOTS, *COPIES_TO_SHARED)) or not waits(loop):
        return []
    loads = [op for op in collect(loop, ["tt.load"]) if op.block == body and not op.attributes["isVolatile"].value]
    loads = [load for load in loads if not is_above(load.opview.ptr, loop)]
    return loads if sum(map(elements_of, loads)) <= PREFETCHED_ELEMENTS else []


def waits(loop: ir.Operation) -> bool:
    """Whether an iteration writes to global memory what it needs long for: what depends on its state, or on sums."""
    states = [value for value in body_of(loop).arguments if isinstance(element_type_of(value.type), ir.FloatType)]
    late = [*(user for state in states for user in users_of(state)), *collect(loop, ALONG_AXIS)]
    return any(may_write_global(op) for start in late for op in (start, *forward_slice(start)))


def elements_of(load: ir.Operation) -> int:
    """The elements that a thread loads."""
    type = load.result.type
    return elements_per_thread(type) if isinstance(type, ir.RankedTensorType) else 1


def prefetch_all(loop: ir.Operation, loads: list[ir.Operation]) -> None:
    """Prefetches at the beginning of an iteration what the next one will load, if there is a next one."""
    following = Following(loop)
    addresses: list[ir.Value] = []
    for load in loads:
        # The address, and the mask if there is one; not what masked elements get.
        wanted = list(load.operands)[:2]
        if not following.has(wanted):
            continue
        pointer, *masks = (following.value(value) for value in wanted)
        if pointer not in addresses:
            addresses.append(pointer)
            prefetch(following, pointer, masks, load.location)


def prefetch(following: Following, pointer: ir.Value, masks: list[ir.Value], location: ir.Location) -> None:
    """One prefetch, where there is a next iteration and its mask holds."""
    chosen = following.goes_on
    if isinstance(pointer.type, ir.RankedTensorType):
        type = ir.RankedTensorType.get(pointer.type.shape, chosen.type, pointer.type.encoding, loc=location)
        chosen = tt.splat(chosen, type, loc=location, ip=following.at)
    for mask in masks:
        chosen = arith.andi(chosen, mask, loc=location, ip=following.at)
    ttg.prefetch(pointer, mask=chosen, loc=location, ip=following.at)


class Following:
    """Values of a loop's next iteration, computed at the beginning of this one."""

    def __init__(self, loop: ir.Operation) -> None:
        self.loop, self.body, self.location = loop, body_of(loop), loop.location
        self.at = ir.InsertionPoint.at_block_begin(self.body)
        _, self.upper, self.step = list(loop.operands)[:3]
        # Those of this iteration, and those of the next one.
        self.known: tuple[dict[ir.Value, ir.Value], ...] = ({}, {})

    @cached_property
    def goes_on(self) -> ir.Value:
        """Whether there is a next iteration."""
        if self.loop.opview.unsignedCmp:  # the bound less the step may be below zero, the rest of the way is not
            rest = arith.subi(self.upper, self.body.arguments[0], loc=self.location, ip=self.at)
            return arith.cmpi(arith.CmpIPredicate.ugt, rest, self.step, loc=self.location, ip=self.at)
        last = arith.subi(self.upper, self.step, loc=self.location, ip=ir.InsertionPoint(self.loop))
        return arith.cmpi(arith.CmpIPredicate.slt, self.body.arguments[0], last, loc=self.location, ip=self.at)

    def has(self, values: list[ir.Value]) -> bool:
        """Whether values of the next iteration follow from what the loop carries by a few pure operations."""
        found: set[tuple[ir.Value, bool]] = set()
        waiting = [(value, True) for value in values]
        while waiting:
            value, is_next = waiting.pop()
            if (value, is_next) in found or is_above(value, self.loop):
                continue
            found.add((value, is_next))
            op = defining(value)
            if op is not None:
                if op.operation.block != self.body or len(op.operation.regions) or not is_pure(op):
                    return False
                waiting += [(operand, is_next) for operand in op.operation.operands]
            elif is_next and (carried := carried_number(value, self.body)) is not None:
                waiting.append((yielded(self.body, carried), False))
            if len(found) > PREFETCHED_OPERATIONS:
                return False
        return True

    def value(self, value: ir.Value, is_next: bool = True) -> ir.Value:
        """A value of the next iteration, or of this one; `has` must hold."""
        if is_above(value, self.loop) or (not is_next and isinstance(value.owner, ir.Block)):
            return value
        known = self.known[is_next]
        if value not in known:
            known[value] = self.made(value, is_next)
        return known[value]

    def made(self, value: ir.Value, is_next: bool) -> ir.Value:
        """The same, computed."""
        if isinstance(value.owner, ir.Block):
            if (carried := carried_number(value, self.body)) is None:
                return arith.addi(value, self.step, loc=self.location, ip=self.at)
            return self.value(yielded(self.body, carried), is_next=False)
        op = value.owner.operation
        mapping = [(operand, self.value(operand, is_next)) for operand in op.operands]
        (clone,) = clone_operations([op], mapping, self.at)
        return clone.results[list(op.results).index(value)]
