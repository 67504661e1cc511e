"""Start wgmmas of a warp group as soon as their operands are there, and wait for each where its result is used.

    scf.for %i {                                        scf.for %i {
      wait until %q is full                               wait until %q is full
      %s = ttng.warp_group_dot %k, %q                     %s = ttng.warp_group_dot %k, %q {isAsync}
      %p = softmax(%s)                                    wait until %d is full
      wait until %d is full                        =>     %t = ttng.warp_group_dot %v, %d {isAsync}
      %b = ttng.warp_group_dot %p, %d, %x                 wait for %s; %p = softmax(%s)
      %t = ttng.warp_group_dot %v, %d                     %b = ttng.warp_group_dot %p, %d, %x {isAsync}
      arrive at %empty_d                                  wait for %t; %u = %p * %t
      %u = %p * %t                                        %a = ttng.warp_group_dot %u, %q, %y {isAsync}
      %a = ttng.warp_group_dot %u, %q, %y                 wait for all
      arrive at %empty_q                                  arrive at %empty_d; arrive at %empty_q
    }                                                   }

The gradients of attention have four such wgmmas, or three.  Tensor cores run %t while threads compute the softmax.

Input:  ttg.      Output: ttg.
Order:  after ttkit-overlap-products and ttkit-release-late, which know loops of one and two wgmmas that wait at once.
Skips:  loops outside of partitions of ttg.warp_specialize; those with other effects than loads, waits and arrivals;
        loops whose wgmmas depend on each other one by one; results that take too many registers.
Test:   test/lit/passes/start_products_early.mlir
"""

from __future__ import annotations

from mlir import ir

from ttkit.inspection import address_of, collect, enclosing, memory_effects, terminator
from ttkit.operation_sets import ARRIVE_BARRIER, FENCE, LOADS, PARTITIONS, WAIT_BARRIER, WGMMA, WGMMA_WAIT
from ttkit.passes.infra import Pass
from ttkit.passes.infra.loops import body_of, body_operations
from ttkit.passes.infra.nesting import is_above, operations_in
from ttkit.passes.infra.slices import backward_slice
from ttkit.passes.layouts.register_pressure import registers_of_type
from ttkit.passes.pipelining.wgmma_waits import build_wait
from ttkit.tuning.passes import STARTED_REGISTERS

WAITS = (WAIT_BARRIER, FENCE)
KNOWN = (*WAITS, ARRIVE_BARRIER, WGMMA, *LOADS)
"""Operations with effects over which, or with which, others may move."""


class StartProductsEarly(Pass):
    """Start wgmmas of a warp group as soon as their operands are there, and wait for them late"""

    name = "ttkit-start-products-early"
    dependent_dialects = ("ttng",)

    def run(self, op: ir.Operation) -> None:
        """Rewrites such loops of each partition."""
        for loop in collect(op, ["scf.for"]):
            if enclosing(loop, PARTITIONS) is not None and is_known(loop):
                products = [op for op in body_operations(loop) if op.name == WGMMA]
                ready = [product for product in products if not depends_on(product, products)]
                if len(ready) > 1 and fit_registers(loop, products):
                    start_together(ready)
                    release_at_end(loop)
                    wait_late(loop)


def is_known(loop: ir.Operation) -> bool:
    """Whether a loop's operations may move, and all its wgmmas are in its body and finish at once."""
    body = body_of(loop)
    for op in operations_in(loop)[:-1]:
        if op.name == WGMMA_WAIT or (op.name == WGMMA and (op.opview.isAsync or op.block != body)):
            return False
        if op.name not in KNOWN and not len(op.regions) and memory_effects(op) != []:
            return False
        if op.name in (*WAITS, ARRIVE_BARRIER) and op.block != body:
            return False
    return True


def depends_on(op: ir.Operation, others: list[ir.Operation]) -> bool:
    """Whether an operation uses results of others of its block and iteration."""
    found = {address_of(one) for one in backward_slice(op, lambda one: one.block == op.block)}
    return any(address_of(other) in found for other in others if other != op)


def fit_registers(loop: ir.Operation, products: list[ir.Operation]) -> bool:
    """Whether a thread has registers for all results, and for the left operands that an iteration computes."""
    lefts = [product.opview.a for product in products if isinstance(product.opview.a.type, ir.RankedTensorType)]
    values = [product.result for product in products] + [left for left in lefts if not is_above(left, loop)]
    return sum(registers_of_type(value.type) for value in values) <= STARTED_REGISTERS


def start_together(ready: list[ir.Operation]) -> None:
    """Moves wgmmas that need no others after the first of them, with waits for their buffers and what they compute.

    One that would move over an arrival stays, with those after it: what it waits for may need the arrival.
    """
    after, block = ready[0], ready[0].block
    for product in ready[1:]:
        ops = body_operations(product.parent.operation)
        between = ops[ops.index(after) + 1 : ops.index(product)]
        if any(op.name == ARRIVE_BARRIER for op in between):
            return
        needed = {address_of(product)}
        for op in [product, *(op for op in between if op.name in WAITS)]:
            needed |= {address_of(op), *map(address_of, backward_slice(op, lambda one: one.block == block))}
        moved = [op for op in [*between, product] if address_of(op) in needed]
        if any(op.name == WGMMA and op != product for op in moved):
            return
        for op in moved:
            op.move_after(after)
            after = op


def release_at_end(loop: ir.Operation) -> None:
    """Moves arrivals to the end of an iteration, but over no wait for a barrier."""
    last = terminator(body_of(loop)).operation
    for op in body_operations(loop)[::-1]:
        if op.name == WAIT_BARRIER:
            return
        if op.name == ARRIVE_BARRIER:
            op.move_before(last)
            last = op


def wait_late(loop: ir.Operation) -> None:
    """Makes the wgmmas of an iteration asynchronous; waits for each before its first use, an arrival, and the end."""
    flying: list[ir.Operation] = []
    for op in body_operations(loop):
        used = {operand for inner in operations_in(op) for operand in inner.operands}
        count = len(flying) if op.name in (ARRIVE_BARRIER, "scf.yield") else 0
        count = max([count, *(place + 1 for place, product in enumerate(flying) if product.result in used)])
        if count:
            done, flying = flying[:count], flying[count:]
            results = [product.result for product in done]
            build_wait(ir.InsertionPoint(op), done[-1].location, len(flying), results, done)
        if op.name == WGMMA:
            op.attributes["isAsync"] = ir.BoolAttr.get(True, op.context)
            flying.append(op)
