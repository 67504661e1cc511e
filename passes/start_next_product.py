"""Start the first wgmma of the next iteration before the result of a loop's last one is stored.

    scf.for %i {                                             %s0 = ttng.warp_group_dot %k, %q[first] {isAsync}
      ttg.async_wait                                         scf.for %i iter_args(%r = %s0) {
      %s = ttng.warp_group_dot %k, %q[i] {isAsync}             %t = ttng.warp_group_dot_wait %r {pendings = 0}
      %t = ttng.warp_group_dot_wait %s {pendings = 0}          ...
      ...                                                      %d = ttng.warp_group_dot %a, %k {isAsync}
      %d = ttng.warp_group_dot %a, %k {isAsync}          =>    ttg.async_wait
      %e = ttng.warp_group_dot_wait %d {pendings = 0}          %s = ttng.warp_group_dot %k, %q[i + 1] {isAsync}
      tt.atomic_rmw fadd, %out[i], %e                          %e = ttng.warp_group_dot_wait %d {pendings = 1}
    }                                                          tt.atomic_rmw fadd, %out[i], %e
                                                               scf.yield %s
                                                             }
                                                             ttng.warp_group_dot_wait %r {pendings = 0}

The tensor cores would be idle from the end of the last wgmma until the next iteration has begun; meanwhile threads
scale its result, take it through shared memory and store it.  Gradients of attention in one loop are such loops: they
add to the gradients of the queries in each iteration.  After the last iteration the wgmma reads slots that hold
no tile of this loop, and nothing uses its result.  (If the stores moved into the next iteration instead, ptxas would
not know which wgmma they wait for, and have each wgmma wait for the one before it.)

`ttkit.tuning.passes.START_NEXT_PRODUCT` has the gain.

Input:  ttg.      Output: ttg.
Order:  late, while loops are scf.for; after ttkit-start-copies-early, which looks at iterations that begin with the
        first wgmma.
Skips:  loops divided among groups of warps; a last wgmma that adds to a loop's accumulator; a first one that needs
        more than slots of copies, or has fewer than three of them, which are filled too late; stores of what the loop
        reads; more tensors than registers for them.
Test:   test/lit/passes/start_next_product.mlir
"""

from __future__ import annotations

from collections.abc import Sequence

from mlir import ir

from ttkit.analysis.global_accesses import GlobalAccesses
from ttkit.dialects import arith, ttng
from ttkit.dialects._layouts import layout_of
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import address_of, collect, defining, enclosing, has_uses, terminator, users_of
from ttkit.layout.encodings import SwizzledShared
from ttkit.operation_sets import (
    ASYNC_COMMIT,
    ASYNC_WAIT,
    COPIES_TO_SHARED,
    FENCE,
    MEMDESC_VIEWS,
    WAIT_BARRIER,
    WARP_SPECIALIZE,
    WGMMA,
    WGMMA_WAIT,
)
from ttkit.passes.infra import Pass, clone_operations
from ttkit.passes.infra.buffers_and_barriers import is_buffer
from ttkit.passes.infra.loops import (
    body_of,
    body_operations,
    carried_argument,
    carried_number,
    carry_more,
    has_iteration,
    initial_value,
    yield_also,
    yielded,
)
from ttkit.passes.infra.nesting import is_above, operations_in
from ttkit.passes.infra.rewriting import defining_name, defining_op, is_pure
from ttkit.passes.infra.segments import add_operand, group_of, operand_of
from ttkit.passes.infra.value_flow import viewed
from ttkit.passes.layouts.register_pressure import registers_of_type
from ttkit.passes.layouts.shared import nvmma_for
from ttkit.passes.pipelining.wgmma_waits import build_wait, hold_too
from ttkit.passes.products.instruction import HALF
from ttkit.records import dataclass
from ttkit.tuning.passes import NEXT_PRODUCT_REGISTERS, NEXT_PRODUCT_SLOTS

INDEX, LOCAL_STORE = "ttg.memdesc_index", "ttg.local_store"
PREDICATE = 2
"""The number of the operand group of a wait for an mbarrier that says whether it waits."""
TO_GLOBAL = ("tt.store", "tt.atomic_rmw", "ttng.async_tma_copy_local_to_global", "ttng.async_tma_reduce")
STORES = (*TO_GLOBAL, LOCAL_STORE, FENCE, "ttng.async_tma_store_wait")
"""Operations that store a result, perhaps by way of shared memory."""
COPIES = (*COPIES_TO_SHARED, ASYNC_COMMIT, "ttng.barrier_expect")


class StartNextProduct(Pass):
    """Start the next iteration's first wgmma before the last one's result is stored"""

    name = "ttkit-start-next-product"
    dependent_dialects = ("arith", "scf", "ttng")
    takes_pointers_apart = "what an iteration stores comes after its loads"

    def run(self, op: ir.Operation) -> None:
        """Rewrites each loop that stores the result of its last wgmma."""
        for loop in collect(op, ["scf.for"]):
            plan = None if enclosing(loop, WARP_SPECIALIZE) else plan_of(loop)
            if plan is not None:
                plan.apply()


@dataclass(frozen=True)
class Plan:
    """A loop to rewrite.

    head: what starts the first wgmma, with the waits before it and what they need, in order; the wgmma is the last.
    moved: the wait for the last wgmma and what stores its result, in order.
    last: the last wgmma.  stored: its operand a, if it is to read that from shared memory.
    """

    loop: ir.Operation
    head: list[ir.Operation]
    moved: list[ir.Operation]
    last: ir.Operation
    stored: Stored | None

    def apply(self) -> None:
        """Starts the wgmma before the loop and at the end of each iteration."""
        first, body = self.head[-1], body_of(self.loop)
        acting = [op for op in self.head if not is_pure(op)]
        results = [result for op in acting for result in op.results]
        with self.loop.location:
            with ir.InsertionPoint(self.loop):
                exists = has_iteration(self.loop)
            numbers = range(len(self.loop.results))
            initial = {carried_argument(self.loop, n): initial_value(self.loop, n) for n in numbers}
            initial[body.arguments[0]] = self.loop.opview.lowerBound
            copies = self.copy_head(initial, exists, ir.InsertionPoint(self.loop))
            loop, arguments = carry_more(self.loop, [copies[result] for result in results])
            end = ir.InsertionPoint(terminator(body).operation)
            copies = self.copy_head(*following(loop, len(numbers), end), end)
            yield_also(loop, [copies[result] for result in results])
            for result, argument in zip(results, arguments):
                result.replace_all_uses_with(argument)
            started = list(loop.results)[-1]
            buffers = [value for value in first.operands if is_buffer(value) and is_above(value, loop)]
            build_wait(ir.InsertionPoint.after(loop), first.location, 0, [started, *buffers], [])
        for op in reversed(acting):
            op.erase()
        wait, *stores = self.moved
        if self.stored is not None:
            wait = self.stored.read_by(self.last, wait)
        wait.attributes["pendings"] = ir.IntegerAttr.get(wait.attributes["pendings"].type, 1)
        for op in (wait, *stores):
            op.move_before(terminator(body).operation)

    def copy_head(
        self, values: dict[ir.Value, ir.Value], exists: ir.Value, point: ir.InsertionPoint
    ) -> dict[ir.Value, ir.Value]:
        """Copies the head; what takes the place of its results.

        values: what takes the place of values of the loop.  exists: whether there is such an iteration, an i1.
        """
        values = dict(values)
        for op in self.head:
            (copy,) = clone_operations([op], values.items(), point)
            values.update(zip(op.results, copy.results))
            if op.name == WAIT_BARRIER:
                only_if(copy, exists)
        return values


def following(loop: ir.Operation, count: int, point: ir.InsertionPoint) -> tuple[dict[ir.Value, ir.Value], ir.Value]:
    """The values of the next iteration, by the arguments of the body, and whether there is one, an i1.

    count: how many of the carried values the body yields.
    """
    body, bounds = body_of(loop), loop.opview
    with point:
        step, index = bounds.step, body.arguments[0]
        is_less = "ult" if bounds.unsignedCmp else "slt"
        exists = arith.cmpi(is_less, index, arith.subi(bounds.upperBound, step))
        values = {index: arith.addi(index, step)}
    return values | {carried_argument(loop, n): yielded(body, n) for n in range(count)}, exists


def only_if(wait: ir.Operation, exists: ir.Value) -> None:
    """Has a wait for an mbarrier wait only if an i1 holds."""
    own = operand_of(wait, PREDICATE)
    with ir.InsertionPoint(wait), wait.location:
        predicate = exists if own is None else arith.andi(own, exists)
    numbers = group_of(wait, PREDICATE)
    if numbers:
        wait.operands[numbers.start] = predicate
    else:
        add_operand(wait, PREDICATE, predicate)


# --- Which loops ------------------------------------------------------------------------------------------------------
def plan_of(loop: ir.Operation) -> Plan | None:
    """The plan for a loop; None if it is to stay."""
    ops = body_operations(loop)
    wgmmas = [op for op in ops if op.name == WGMMA]
    waits = [op for op in ops if op.name == WGMMA_WAIT]
    if len(wgmmas) < 2 or len(waits) < 2 or waits[-1].attributes["pendings"].value:
        return None
    first, last, wait = wgmmas[0], wgmmas[-1], waits[-1]
    if not all(op.opview.isAsync and is_above(op.opview.c, loop) for op in (first, last)):
        return None
    if wait.operands[0] != last.result or users_of(last.result) != [wait]:
        return None
    moved = moved_of(ops[ops.index(wait) :], ops)
    head = head_of(ops[: ops.index(first) + 1], loop, moved)
    if not moved or not head or slots_of(first) < NEXT_PRODUCT_SLOTS:
        return None
    registers = registers_of(loop, ops, first, last)
    stored = stored_operand(last) if registers > NEXT_PRODUCT_REGISTERS else None
    if stored is not None:
        registers -= registers_of_type(last.opview.a.type)
    return Plan(loop, head, moved, last, stored) if registers <= NEXT_PRODUCT_REGISTERS else None


def moved_of(tail: list[ir.Operation], ops: list[ir.Operation]) -> list[ir.Operation]:
    """The last wait of an iteration with all that depends on it and all that stores; none if that can't be last.

    tail: the operations from the wait on.
    """
    moved = {address_of(tail[0])}
    for op in tail[1:]:
        depends = any((made := defining(value)) is not None and address_of(made) in moved for value in op.operands)
        if op.name in STORES or depends:
            moved.add(address_of(op))
        elif op.name not in COPIES and not is_pure(op):
            return []
    chosen = [op for op in tail if address_of(op) in moved]
    others = [op for op in chosen[1:] if op.name not in STORES and not is_pure(op)]
    stores = [op for op in chosen if op.name in TO_GLOBAL]
    if others or not stores or any(has_uses(result) for op in stores for result in op.results):
        return []
    if not all(is_only_used_by(op.opview.dst, chosen, ops) for op in chosen if op.name == LOCAL_STORE):
        return []
    accesses = GlobalAccesses()
    written = [accesses.touched(op) for op in stores]
    rest = [accesses.touched_in(op) for op in ops if address_of(op) not in moved]
    is_known = all(one.written for one in written)
    return chosen if is_known and not any(one.conflicts_with(other) for one in written for other in rest) else []


def is_only_used_by(buffer: ir.Value, chosen: list[ir.Operation], ops: list[ir.Operation]) -> bool:
    """Whether no other operations of a loop's body than the chosen ones use the memory of a buffer."""
    memory = viewed(buffer)
    inside = {address_of(op) for op in chosen}
    return isinstance(memory.owner, ir.OpView | ir.Operation) and not any(
        viewed(value) == memory and op.name not in MEMDESC_VIEWS and address_of(op) not in inside
        for place in ops
        for op in operations_in(place)
        for value in op.operands
        if is_buffer(value)
    )


def head_of(start: list[ir.Operation], loop: ir.Operation, moved: Sequence[ir.Operation]) -> list[ir.Operation]:
    """The first wgmma of an iteration, with the waits before it and all that these need; none if that can't be early.

    start: the operations up to the wgmma.
    """
    acting = [op for op in start if not is_pure(op)]
    if any(op.name not in (ASYNC_WAIT, WAIT_BARRIER) for op in acting[:-1]):
        return []
    needed = {address_of(op) for op in acting}
    for op in reversed(start):
        if address_of(op) in needed:
            needed |= {address_of(made) for value in op.operands if (made := defining(value)) is not None}
    head = [op for op in start if address_of(op) in needed]
    late = {address_of(op) for op in moved}
    body = body_of(loop)
    for value in (value for op in head for value in op.operands):
        number = carried_number(value, body)
        made = None if number is None else defining(yielded(body, number))
        if made is not None and address_of(made) in late:
            return []
    return head


def registers_of(loop: ir.Operation, ops: list[ir.Operation], first: ir.Operation, last: ir.Operation) -> int:
    """The registers of a thread for carried tensors, both results, and operands of wgmmas in flight with the last."""
    in_flight: list[ir.Operation] = []
    for op in ops[: ops.index(last) + 1]:
        if op.name == WGMMA_WAIT:
            in_flight = in_flight[len(in_flight) - op.attributes["pendings"].value :]
        elif op.name == WGMMA:
            in_flight.append(op)
    values = [*list(body_of(loop).arguments)[1:], first.result, last.result, *(op.opview.a for op in in_flight)]
    types = [value.type for value in values if isinstance(value.type, ir.RankedTensorType)]
    return sum(registers_of_type(type) for type in types)


def slots_of(first: ir.Operation) -> int:
    """The least number of slots of the buffers that a wgmma reads slots of; 0 if it reads none."""
    slots: list[int] = []
    for value in first.operands:
        view = viewed(value, {*MEMDESC_VIEWS} - {INDEX}) if is_buffer(value) else value
        if defining_name(view) == INDEX:
            slots.append(view.owner.src.type.shape[0])
    return min(slots, default=0)


# --- The operand that goes through shared memory ----------------------------------------------------------------------
@dataclass(frozen=True)
class Stored:
    """A ttg.local_alloc through which a register operand a goes, and its type if wgmma reads it from there."""

    op: ir.Operation
    type: MemDescType

    def read_by(self, last: ir.Operation, wait: ir.Operation) -> ir.Operation:
        """Has a wgmma read operand a from shared memory; returns the wait, which keeps the memory."""
        load, buffer = last.opview.a.owner.operation, self.op.result
        buffer.set_type(self.type)
        last.opview.a.replace_all_uses_with(buffer)
        load.erase()
        ttng.fence_async_shared(False, loc=last.location, ip=ir.InsertionPoint(last))
        return hold_too(wait, [buffer])


def stored_operand(last: ir.Operation) -> Stored | None:
    """The store of operand a of a wgmma, if it has an order that wgmma reads; None for other operands."""
    load = defining_op(last.opview.a, "ttg.local_load")
    stored = None if load is None else defining_op(load.src, "ttg.local_alloc")
    if load is None or stored is None or stored.operation.block != last.block:
        return None
    type, layout = stored.result.type, layout_of(stored.result)
    has_other_users = users_of(stored.result) != [load.operation] or len(users_of(load.result)) > 1
    if has_other_users or not isinstance(layout, SwizzledShared):
        return None
    if layout.order[0] != 1 and not isinstance(type.element_type, HALF):
        return None
    shared = nvmma_for(type.shape, type.element_type.width, layout.cga_layout, layout.order)
    return Stored(stored.operation, MemDescType.get(type.shape, type.element_type, shared))
