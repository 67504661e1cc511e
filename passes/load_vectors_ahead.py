"""Load vectors that a warp group needs one iteration ahead, while it multiplies.

    scf.for %i {                                          %first = tt.load %p[0], %exists
      %x = tt.load %p[%i]                                 scf.for %i iter_args(%x = %first) {
      %s = ttng.warp_group_dot ... {isAsync}       =>       %next = tt.load %p[%i + 1], %goes_on
      use(%s, %x)                                           %s = ttng.warp_group_dot ... {isAsync}
    }                                                       use(%s, %x)
                                                            scf.yield %next
                                                          }

Gradients of attention take a number of each row from memory.  Groups that compute load such vectors themselves, without
copies to shared memory, and would wait for them in each iteration.

Input:  ttg.      Output: ttg.
Order:  after ttkit-start-products-early.
Skips:  loops outside of partitions of ttg.warp_specialize, or without wgmmas; those that may write global memory;
        matrices; volatile loads; addresses and masks that another operation loads; more elements than registers suit.
Test:   test/lit/passes/load_vectors_ahead.mlir
"""

from __future__ import annotations

from mlir import ir

from ttkit.dialects import arith, tt
from ttkit.inspection import collect, defining, enclosing
from ttkit.operation_sets import FENCE, PARTITIONS, WGMMA
from ttkit.passes.infra import Pass, clone_operations
from ttkit.passes.infra.loops import body_of, body_operations, carried_number, carry_more, initial_value, yield_also
from ttkit.passes.infra.masks import MASKS, access_mask, set_mask
from ttkit.passes.infra.nesting import is_above
from ttkit.passes.infra.shared_memory import may_write_global
from ttkit.passes.layouts.assignment import elements_per_thread
from ttkit.passes.prefetch_loads import Following
from ttkit.tuning import VECTOR_ELEMENTS


class LoadVectorsAhead(Pass):
    """Load vectors that a warp group needs one iteration ahead, while it multiplies"""

    name = "ttkit-load-vectors-ahead"
    dependent_dialects = ("arith", "tt")

    def run(self, op: ir.Operation) -> None:
        """Rewrites such loops of each partition."""
        for loop in collect(op, ["scf.for"]):
            if enclosing(loop, PARTITIONS) is not None:
                loads = vectors_of(loop)
                if loads:
                    load_ahead(loop, loads)


def vectors_of(loop: ir.Operation) -> list[ir.Operation]:
    """The vectors that each iteration of a loop with wgmmas loads from other addresses, if threads can hold them."""
    ops = body_operations(loop)
    if all(op.name != WGMMA for op in ops) or any(op.name != FENCE and may_write_global(op) for op in ops):
        return []
    following = Following(loop)
    loads = [op for op in ops if op.name == "tt.load" and is_vector(op) and not is_above(op.operands[0], loop)]
    loads = [load for load in loads if following.has(list(load.operands))]
    return loads if sum(elements_per_thread(load.result.type) for load in loads) <= VECTOR_ELEMENTS else []


def is_vector(load: ir.Operation) -> bool:
    """Whether a load loads a tensor of rank 1, and may do so at another time."""
    type = load.result.type
    return isinstance(type, ir.RankedTensorType) and type.rank == 1 and not load.attributes["isVolatile"].value


def load_ahead(loop: ir.Operation, loads: list[ir.Operation]) -> None:
    """Has a loop carry what it loads: at first that of the first iteration, then each time that of the next one."""
    following, first = Following(loop), First(loop)
    initial = [copied(load, [first.value(one) for one in load.operands], first.exists, first.at) for load in loads]
    values = [[following.value(one) for one in load.operands] for load in loads]
    after = [copied(load, those, following.goes_on, following.at) for load, those in zip(loads, values)]
    loop, carried = carry_more(loop, initial)
    for load, argument in zip(loads, carried):
        load.result.replace_all_uses_with(argument)
        load.erase()
    yield_also(loop, after)


def copied(load: ir.Operation, operands: list[ir.Value], condition: ir.Value, at: ir.InsertionPoint) -> ir.Value:
    """The result of a copy of a load with other operands, where a condition holds too."""
    (copy,) = clone_operations([load], zip(load.operands, operands), at)
    pointers, point = copy.operands[0].type, ir.InsertionPoint(copy)
    type = ir.RankedTensorType.get(pointers.shape, condition.type, pointers.encoding, loc=load.location)
    mask, given = tt.splat(condition, type, loc=load.location, ip=point), access_mask(copy)
    if given is not None:
        mask = arith.andi(mask, given, loc=load.location, ip=point)
    set_mask(copy, MASKS[copy.name], mask)
    return copy.results[0]


class First:
    """Values of a loop's first iteration, computed before the loop."""

    def __init__(self, loop: ir.Operation) -> None:
        self.loop, self.at = loop, ir.InsertionPoint(loop)
        self.lower, self.upper = list(loop.operands)[:2]
        self.known: dict[ir.Value, ir.Value] = {}
        less = arith.CmpIPredicate.ult if loop.opview.unsignedCmp else arith.CmpIPredicate.slt
        self.exists = arith.cmpi(less, self.lower, self.upper, loc=loop.location, ip=self.at)

    def value(self, value: ir.Value) -> ir.Value:
        """A value of the first iteration, made by pure operations of the body."""
        if is_above(value, self.loop):
            return value
        if value not in self.known:
            self.known[value] = self.made(value)
        return self.known[value]

    def made(self, value: ir.Value) -> ir.Value:
        """The same, computed."""
        op = defining(value)
        if op is None:
            number = carried_number(value, body_of(self.loop))
            return self.lower if number is None else initial_value(self.loop, number)
        mapping = [(operand, self.value(operand)) for operand in op.operation.operands]
        (clone,) = clone_operations([op.operation], mapping, self.at)
        return clone.results[list(op.operation.results).index(value)]
