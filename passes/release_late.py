"""Keep a wgmma in flight in groups of warps: buffers are released one iteration later, when it has ended.

    scf.for %i {                                                scf.for %i iter_args(..., %before) {
      wait until %slot is full                                    wait until %slot is full
      %d = ttng.warp_group_dot %a, %b, %acc                       %d = ttng.warp_group_dot %a, %b, %acc {isAsync}
      arrive at %empty[%slot]                          =>         %w = ttng.warp_group_dot_wait %d {pendings = 1}
    }                                                             arrive at %empty[%before], unless it is the first
                                                                }
                                                                %w = ttng.warp_group_dot_wait %d {pendings = 0}
                                                                arrive at %empty[%before], if there was an iteration

A group that waits for its wgmma before it releases the buffers starts the next one when it has seen that these are
full.  Meanwhile the tensor cores are idle, unless another group has a wgmma in flight.

Input:  ttg.      Output: ttg.
Order:  after loops are divided among groups.
Skips:  loops outside of partitions of ttg.warp_specialize, and those of several partitions with wgmmas; loops without
        exactly one wgmma, whose result only the next iteration's uses; left operands in registers; buffers of fewer
        than three slots, which would be filled too late; operands that the group itself writes in the loop.
Test:   test/lit/passes/release_late.mlir
"""

from __future__ import annotations

from mlir import ir

from ttkit.analysis.control_flow import partitions
from ttkit.dialects import arith, ttng
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import address_of, collect, defining, holders, memory_effects, terminator, users_of
from ttkit.operation_sets import ARRIVE_BARRIER, MEMDESC_VIEWS, WARP_SPECIALIZE, WGMMA
from ttkit.passes.infra import Pass, clone_operations
from ttkit.passes.infra.loops import (
    body_of,
    body_operations,
    carried_argument,
    carry_more,
    final_value,
    has_iteration,
    set_yielded,
    yield_also,
)
from ttkit.passes.infra.nesting import operations_in
from ttkit.passes.infra.transforms import replace_use
from ttkit.passes.infra.value_flow import viewed
from ttkit.passes.pipelining.wgmma_waits import build_wait
from ttkit.tuning.passes import RELEASED_SLOTS

INDEX = "ttg.memdesc_index"
READERS = (WGMMA, "ttg.local_load")
"""Operations that only read the shared memory that they take."""


class ReleaseLate(Pass):
    """Release the buffers of a wgmma one iteration later, while the next one runs"""

    name = "ttkit-release-late"
    dependent_dialects = ("arith", "scf", "ttng")

    def run(self, op: ir.Operation) -> None:
        """Rewrites such loops of each ttg.warp_specialize of which one partition has wgmmas."""
        for specialized in collect(op, [WARP_SPECIALIZE]):
            loops = [collect_in(region, ["scf.for"]) for region in partitions(specialized)]
            multiplying = [found for found in loops if any(collect(loop, [WGMMA]) for loop in found)]
            for loop in multiplying[0] if len(multiplying) == 1 else ():
                rewrite(loop)


def rewrite(loop: ir.Operation) -> None:
    """Rewrites a loop, if its wgmma can stay in flight."""
    product = product_of(loop)
    arrivals = [] if product is None else arrivals_of(loop, product)
    late = late_values(loop, arrivals)
    if product is not None and arrivals and all(isinstance(value.type, ir.IntegerType) for value in late):
        release_late(loop, product, arrivals, late)


def collect_in(region: ir.Region, names: list[str]) -> list[ir.Operation]:
    """The operations of these names in a region."""
    tops = [op.operation for block in region.blocks for op in block.operations]
    return [found for top in tops for found in ([top] if top.name in names else []) + collect(top, names)]


def product_of(loop: ir.Operation) -> ir.Operation | None:
    """The only wgmma of a loop, if it is one that the next iteration's adds to, and all that uses the accumulator."""
    products = collect(loop, [WGMMA])
    if len(products) != 1 or products[0].block != body_of(loop) or products[0].opview.isAsync:
        return None
    (product,) = products
    if not all(is_kept(operand, loop) for operand in (product.opview.a, product.opview.b)):
        return None
    last = terminator(body_of(loop)).operation
    numbers = [number for number, value in enumerate(last.operands) if value == product.result]
    if users_of(product.result) != [last] or len(numbers) != 1:
        return None
    return product if users_of(carried_argument(loop, numbers[0])) == [product] else None


def is_kept(operand: ir.Value, loop: ir.Operation) -> bool:
    """Whether an operand of a loop's wgmma is in memory that holds it until one iteration later.

    That is memory from outside of the loop, which the loop only reads, and slots for enough iterations.
    """
    if not isinstance(operand.type, MemDescType):
        return False
    memory = viewed(operand)
    if (maker := defining(memory)) is not None and loop in holders(maker.operation):
        return False
    accesses = [op for op in operations_in(loop) if any(viewed(value) == memory for value in op.operands)]
    if any(op.name not in (*MEMDESC_VIEWS, *READERS) for op in accesses):
        return False
    has_slots = any(op.name == INDEX and op.opview.src == memory for op in accesses)
    return not has_slots or memory.type.shape[0] >= RELEASED_SLOTS


def arrivals_of(loop: ir.Operation, product: ir.Operation) -> list[ir.Operation]:
    """The releases of buffers after a wgmma, with what only they need, in order; none if there are other effects."""
    ops = body_operations(loop)
    after = [op for op in ops[ops.index(product) + 1 :] if memory_effects(op) != [] and op.name != "scf.yield"]
    if any(op.name != ARRIVE_BARRIER or len(op.operands) > 1 for op in after):
        return []
    chosen = {address_of(op) for op in after}
    for op in reversed(ops):
        users = [address_of(user) for result in op.results for user in users_of(result)]
        if users and op.name == INDEX and chosen.issuperset(users):
            chosen.add(address_of(op))
    return [op for op in ops if address_of(op) in chosen]


def late_values(loop: ir.Operation, arrivals: list[ir.Operation]) -> list[ir.Value]:
    """The values of an iteration that arrivals need."""
    body, inside = body_of(loop), {address_of(op) for op in arrivals}
    found: dict[ir.Value, None] = {}
    for value in (operand for op in arrivals for operand in op.operands):
        source = defining(value)
        is_argument = source is None and value in list(body.arguments)
        if is_argument or (source is not None and source.operation.block == body and address_of(source) not in inside):
            found[value] = None
    return list(found)


def release_late(loop: ir.Operation, product: ir.Operation, arrivals: list[ir.Operation], late: list[ir.Value]) -> None:
    """Has the wgmma stay in flight, and the arrivals come one iteration later."""
    with loop.location:
        with ir.InsertionPoint(loop):
            none = [arith.constant(value.type, 0) for value in late]
            exists = has_iteration(loop)
        last = terminator(body_of(loop)).operation
        number = next(number for number, value in enumerate(last.operands) if value == product.result)
        loop, before = carry_more(loop, none)
        yield_also(loop, late)
        product.attributes["isAsync"] = ir.BoolAttr.get(True, product.context)
        point = ir.InsertionPoint(terminator(body_of(loop)).operation)
        waited = build_wait(point, product.location, 1, [product.result])
        with point:
            is_later = arith.cmpi("ne", body_of(loop).arguments[0], loop.opview.lowerBound)
        copy_arrivals(arrivals, dict(zip(late, before)), is_later, point)
        set_yielded(body_of(loop), number, waited.results[0])
        after, final = ir.InsertionPoint.after(loop), final_value(loop, number)
        uses = list(final.uses)
        done = build_wait(after, product.location, 0, [final], [])
        for use in uses:
            replace_use(use, done.results[0])
        held = list(loop.results)[len(loop.results) - len(late) :]
        copy_arrivals(arrivals, dict(zip(late, held)), exists, after)
        for op in reversed(arrivals):
            op.erase()


def copy_arrivals(
    arrivals: list[ir.Operation], values: dict[ir.Value, ir.Value], predicate: ir.Value, point: ir.InsertionPoint
) -> None:
    """Copies arrivals with what they need; they arrive where the predicate holds.

    values: what takes the place of values of the loop.
    """
    for op in arrivals:
        if op.name != ARRIVE_BARRIER:
            (copy,) = clone_operations([op], values.items(), point)
            values.update(zip(op.results, copy.results))
            continue
        barrier = values.get(op.opview.alloc, op.opview.alloc)
        made = ttng.arrive_barrier(barrier, op.attributes["count"].value, pred=predicate, ip=point, loc=op.location)
        for name in op.attributes:
            made.operation.attributes[name] = op.attributes[name]
