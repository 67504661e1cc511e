"""Overlap the second of two dependent wgmmas with the threads' work on the next iteration's first one.

    scf.for %i {                                              if there is an iteration at all:
      wait K(i)                                                 s, p, m of iteration 0
      %s = ttng.warp_group_dot %q, %k, %zero                    scf.for %i from the second one on {
      arrive K(i)                                                 wait K(i)
      %p = softmax(%s)                                            %s = ttng.warp_group_dot %q, %k, %zero {isAsync}
      %m = scale(%o)                               =>             wait V(i - 1)
      wait V(i)                                                   %o = ttng.warp_group_dot %p', %v, %m' {isAsync}
      %o = ttng.warp_group_dot %p, %v, %m                         %s is there; arrive K(i)
      arrive V(i)                                                 %p = softmax(%s)
    }                                                             %o is there; arrive V(i - 1)
                                                                  %m = scale(%o)
                                                                }
                                                                wait V; %o = the last wgmma; arrive V

In attention the tensor cores would wait while the threads compute the softmax; now they accumulate the previous
iteration (FlashAttention-3, section 3.2).  It takes registers for the softmax numerators of one more iteration.  It
pays for warp groups that neither load nor synchronize with other groups, as nothing keeps those in step; it did not in
loops where all threads load (docs/pipelining.md).

Input:  ttg.      Output: ttg.
Order:  late, after loops are pipelined: other passes that look for wgmmas do not know this order.
Skips:  loops outside of partitions of ttg.warp_specialize; those without exactly two wgmmas, of which
        the second's left operand is computed from the first's result in registers; other uses of the accumulator than
        the next iteration's; buffers of the second wgmma that are released with others; results that
        take too many registers.
Test:   test/lit/passes/overlap_products.mlir
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from mlir import ir

from ttkit.dialects import arith, scf
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import address_of, collect, defining, enclosing, memory_effects, terminator, users_of
from ttkit.operation_sets import ARRIVE_BARRIER, CONVERT_LAYOUT, FENCE, PARTITIONS, WAIT_BARRIER, WGMMA
from ttkit.passes.infra import Pass, replace_by
from ttkit.passes.infra.loops import body_of, body_operations, carried_argument, has_iteration
from ttkit.passes.infra.nesting import defining_in, places_in
from ttkit.passes.infra.slices import backward_slice
from ttkit.passes.infra.transforms import clone_operations
from ttkit.passes.layouts.register_pressure import registers_of_type
from ttkit.passes.pipelining.wgmma_waits import build_wait
from ttkit.tuning.passes import OVERLAPPED_REGISTERS

NARROWING = ("arith.truncf", "tt.fp_to_fp", CONVERT_LAYOUT)


class OverlapProducts(Pass):
    """Overlap the second of two dependent wgmmas with the threads' work on the next iteration's first one"""

    name = "ttkit-overlap-products"
    dependent_dialects = ("arith", "scf", "ttng")

    def run(self, op: ir.Operation) -> None:
        """Rebuilds each loop of a partition that has such wgmmas."""
        for loop in collect(op, ["scf.for"]):
            if enclosing(loop, PARTITIONS) is not None:
                parts = parts_of(loop)
                if parts is not None:
                    Overlapped(loop, parts).build()


class Parts(NamedTuple):
    """The operations of an iteration in parts, each in order.

    start: the operations up to the first wgmma.
    use: those that depend on its result, without `narrow`.
    narrow: the last operations before the second wgmma's A, which make it smaller.
    scale: the scaling of the accumulator before the second wgmma adds to it.
    finish: the second wgmma, with the waits for its B and the release of B.
    accumulator: the number of the loop-carried value.
    """

    start: list[ir.Operation]
    use: list[ir.Operation]
    narrow: list[ir.Operation]
    scale: list[ir.Operation]
    finish: list[ir.Operation]
    accumulator: int


# --- Finding the parts ------------------------------------------------------------------------------------------------
def parts_of(loop: ir.Operation) -> Parts | None:
    """The parts of a loop's iterations, if its second wgmma can be one iteration late."""
    ops = body_operations(loop)
    products = collect(loop, [WGMMA])
    if len(products) != 2 or any(op.block != body_of(loop) or op.opview.isAsync for op in products):
        return None
    first, second = products
    left = second.opview.a
    if isinstance(left.type, MemDescType) or not is_made_of(left, first, body_of(loop)):
        return None
    number = number_of_accumulator(loop, second)
    scale = None if number is None else between(carried_argument(loop, number), second)
    if number is None or scale is None or not fit_registers(first, second):
        return None
    narrow = narrowing(second)
    finish = finishing(ops, second)
    apart = {address_of(op) for op in (*narrow, *scale, *finish)}
    rest = [op for op in ops if address_of(op) not in apart]
    end = rest.index(first) + 1
    start, use = rest[:end], rest[end:]
    if not is_released_apart(rest) or not is_released_apart(finish) or needs_any(rest, [*narrow, *scale, *finish]):
        return None
    return Parts(start, use, narrow, scale, finish, number)


def is_made_of(value: ir.Value, product: ir.Operation, block: ir.Block) -> bool:
    """Whether operations of a block compute a value from a wgmma."""
    last = defining_in(block, value)
    return last is not None and product in (last, *backward_slice(last, lambda op: op.block == block))


def number_of_accumulator(loop: ir.Operation, second: ir.Operation) -> int | None:
    """The number of the carried value that the second wgmma makes; None if it has other uses."""
    last = terminator(body_of(loop)).operation
    if users_of(second.result) != [last]:
        return None
    numbers = [number for number, value in enumerate(last.operands) if value == second.result]
    return numbers[0] if len(numbers) == 1 else None


def between(value: ir.Value, product: ir.Operation) -> list[ir.Operation] | None:
    """The operations between a value and a wgmma that accumulates to it, in order; None if it has other uses."""
    found: dict[int, ir.Operation] = {}
    waiting = [value]
    while waiting:
        for use in waiting.pop().uses:
            user = use.owner.operation
            if user == product and use.operand_number == 2:
                continue
            if user.block != product.block or user.name == "scf.yield" or memory_effects(user) != [] or user == product:
                return None
            if address_of(user) not in found:
                found[address_of(user)] = user
                waiting += user.results
    return [op for op in body_operations(product.parent.operation) if address_of(op) in found]


def narrowing(second: ir.Operation) -> list[ir.Operation]:
    """The last operations, in order, that narrow elements of a wgmma's left operand and have no other use."""
    found: list[ir.Operation] = []
    value = second.opview.a
    while (op := defining(value)) is not None and op.operation.name in NARROWING and len(users_of(value)) == 1:
        found.insert(0, op.operation)
        (value,) = op.operation.operands
    while found and found[0].name == CONVERT_LAYOUT:
        found.pop(0)
    return found


def finishing(ops: list[ir.Operation], second: ir.Operation) -> list[ir.Operation]:
    """The second wgmma, its waits, fences and release of buffers, and operations that only these need, in order."""
    place = ops.index(second)
    chosen = {address_of(second)}
    for op in reversed(ops[:place]):
        if op.name in (WAIT_BARRIER, FENCE):
            chosen.add(address_of(op))
        elif memory_effects(op) != []:
            break
    chosen |= {address_of(op) for op in ops[place:] if op.name == ARRIVE_BARRIER}
    for op in reversed(ops):
        users = [address_of(user) for result in op.results for user in users_of(result)]
        if users and memory_effects(op) == [] and not is_tensor(op.results[0]) and chosen.issuperset(users):
            chosen.add(address_of(op))
    return [op for op in ops if address_of(op) in chosen]


def is_tensor(value: ir.Value) -> bool:
    """Whether a value is a tensor in registers."""
    return isinstance(value.type, ir.RankedTensorType)


def is_released_apart(ops: list[ir.Operation]) -> bool:
    """Whether operations release as many buffers as they wait for: each part must run without the other."""
    names = [op.name for op in ops]
    return names.count(WAIT_BARRIER) == names.count(ARRIVE_BARRIER) and WAIT_BARRIER in names


def needs_any(ops: list[ir.Operation], others: list[ir.Operation]) -> bool:
    """Whether operations, or those in their regions, use results of others."""
    users = (user for op in others for result in op.results for user in users_of(result))
    block = others[0].block
    mine = {address_of(op) for op in ops}
    return any(address_of(place) in mine for place in places_in(block, users))


def fit_registers(first: ir.Operation, second: ir.Operation) -> bool:
    """Whether a thread has registers for scores, softmax numerators of two iterations and the accumulator."""
    values = [first.result, second.result, second.opview.a]
    return sum(registers_of_type(value.type) for value in values) <= OVERLAPPED_REGISTERS


# --- Building ---------------------------------------------------------------------------------------------------------
class Overlapped:
    """The loop that takes the place of one.

    late: values of an iteration that its second wgmma needs, which the new loop carries.
    """

    def __init__(self, loop: ir.Operation, parts: Parts) -> None:
        self.loop, self.parts = loop, parts
        self.arguments = list(body_of(loop).arguments)
        self.yielded = list(terminator(body_of(loop)).operation.operands)
        inside = {address_of(op) for op in parts.finish}
        late = [operand for op in parts.finish for operand in op.operands if self.is_of_iteration(operand, inside)]
        self.late = list(dict.fromkeys(late))

    def is_of_iteration(self, value: ir.Value, but: set[int]) -> bool:
        """Whether a value is one of the loop's body, made by other operations than these."""
        if value in self.arguments:
            return True
        op = defining(value)
        return op is not None and op.operation.block == body_of(self.loop) and address_of(op.operation) not in but

    def build(self) -> None:
        """Replaces the loop."""
        loop, number = self.loop, self.parts.accumulator
        lower, upper, step, *initial = loop.operands
        with loop.location:
            with ir.InsertionPoint(loop):
                branch = scf.if_(has_iteration(loop), [result.type for result in loop.results], has_else=True)
            scf.yield_(initial, ip=ir.InsertionPoint(branch.else_block))
            point = ir.InsertionPoint(branch.then_block)
            values = dict(zip(self.arguments, [lower, *initial]))
            self.copy([*self.parts.start, *self.parts.use, *self.parts.narrow, *self.parts.scale], values, point)
            with point:
                begin = arith.addi(lower, step)
                inits = [values.get(value, value) for value in (*self.others(self.yielded), *self.late)]
                turned = scf.for_(begin, upper, step, inits)
            for name in loop.attributes:
                turned.operation.attributes[name] = loop.attributes[name]
            self.fill(turned)
            count = len(self.yielded) - 1
            values = dict(zip(self.late, list(turned.results)[count:]))
            self.copy(self.parts.finish, values, point)
            results = list(turned.results)[:count]
            results.insert(number, values[self.yielded[number]])
            scf.yield_(results, ip=point)
        replace_by(loop, branch.results)

    def others(self, values: list[ir.Value]) -> list[ir.Value]:
        """The carried values other than the accumulator."""
        return [value for number, value in enumerate(values) if number != self.parts.accumulator]

    def fill(self, turned: ir.OpView) -> None:
        """The body of the new loop: the second wgmma is that of the previous iteration."""
        parts, point = self.parts, ir.InsertionPoint(turned.body)
        kept = self.others(self.arguments[1:])
        carried = list(turned.inner_iter_args)
        now = dict(zip([self.arguments[0], *kept], [turned.induction_variable, *carried]))
        before = dict(zip(self.late, carried[len(kept) :]))
        second = next(place for place, op in enumerate(parts.finish) if op.name == WGMMA)
        started = self.copy(parts.start, now, point)[-1]
        finished = self.copy(parts.finish[: second + 1], before, point)[-1]
        for product in (started, finished):
            product.attributes["isAsync"] = ir.BoolAttr.get(True, product.context)
        waited_for, *_ = build_wait(point, started.location, 1, [started.result]).results
        now[parts.start[-1].result] = waited_for
        self.copy(parts.use, now, point)
        wide = list(parts.narrow[0].operands) if parts.narrow else []
        done = build_wait(point, finished.location, 0, [finished.result, *(now[value] for value in wide)])
        accumulator, *waited = done.results
        before[parts.finish[second].result] = accumulator
        self.copy(parts.finish[second + 1 :], before, point)
        now.update(zip(wide, waited))
        now[self.arguments[parts.accumulator + 1]] = accumulator
        self.copy([*parts.narrow, *parts.scale], now, point)
        scf.yield_([now.get(value, value) for value in (*self.others(self.yielded), *self.late)], ip=point)

    def copy(
        self, ops: Iterable[ir.Operation], values: dict[ir.Value, ir.Value], point: ir.InsertionPoint
    ) -> list[ir.Operation]:
        """Copies operations; `values` maps values of the old loop to new ones, and receives the copies' results."""
        chosen = list(ops)
        copies = clone_operations(chosen, values.items(), point)
        for op, copy in zip(chosen, copies):
            values.update(zip(op.results, copy.results))
        return copies
