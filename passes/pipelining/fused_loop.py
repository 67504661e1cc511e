"""Building the loop that does the work of two nested ones.

It carries, in this order:

    the number of the iteration of the inner loop, counted from 0
    the induction variable of the outer loop, and what that loop carries
    how often the inner loop runs, and how many iterations the fused loop has for one of the outer loop
    the induction variable of the inner loop, and what that loop carries
    what the prologue computes for later
"""

from mlir import ir

from ttkit.dialects import arith, scf, ub
from ttkit.inspection import terminator
from ttkit.passes.infra import replace_each
from ttkit.passes.infra.nesting import ancestor_in, block_of
from ttkit.passes.infra.transforms import replace_uses
from ttkit.passes.pipelining.attributes import (
    DISALLOW_ACC_MULTI_BUFFER,
    NUM_STAGES,
    WARP_SPECIALIZE,
    num_stages,
    set_integer,
)
from ttkit.passes.pipelining.loops import body_of, body_operations


def fuse(outer: ir.Operation, inner: ir.Operation) -> None:
    """Replaces two loops, of which the inner one runs at least once, by one.

    Args:
        outer: its body is a prologue, the inner loop and an epilogue.
        inner: its bounds are from before the outer loop.
    """
    with outer.location:
        _Fusion(outer, inner).run()


def num_iterations(loop: ir.Operation) -> ir.Value:
    """Build the trip count of a loop, ceil((ub - lb) / step), at the current insertion point."""
    lower, upper, step = list(loop.operands)[:3]
    return arith.ceildivsi(arith.subi(upper, lower), step)


def width_of(type: ir.Type) -> int:
    """Bits of an induction variable."""
    return 64 if isinstance(type, ir.IndexType) else ir.IntegerType(type).width


def as_integer(value: ir.Value, type: ir.Type) -> ir.Value:
    """A number of iterations as another integer type, at least as wide."""
    if value.type == type:
        return value
    if isinstance(value.type, ir.IndexType):
        return arith.index_cast(type, value)
    return arith.extsi(type, value)


def zero_or_poison(type: ir.Type) -> ir.Value:
    """Placeholder for a value not computed yet: zero, or poison of a type that has no zero."""
    element = type.element_type if isinstance(type, ir.RankedTensorType) else type
    has_zero = isinstance(element, (ir.IntegerType, ir.IndexType, ir.FloatType))
    return arith.constant(type, 0) if has_zero else ub.poison(type)


class _Fusion:
    """The two loops, and the one that is built of them."""

    def __init__(self, outer: ir.Operation, inner: ir.Operation) -> None:
        self.outer, self.inner = outer, inner
        self.block = body_of(outer)
        body = body_operations(outer)
        position = body.index(inner)
        self.prologue, self.epilogue = body[:position], body[position + 1 :]
        self.lower, _, self.step = list(outer.operands)[:3]
        self.variable, *self.arguments = self.block.arguments
        self.inner_variable, *self.inner_arguments = body_of(inner).arguments
        self.initial = list(inner.operands)[3:]
        # What starts anew from a value of before the outer loop is reset by the epilogue; the rest by the prologue.
        self.reset = [block_of(value) != self.block for value in self.initial]
        # Among them what only regions of prologue operations use, as Triton has it.
        self.outputs = [
            result
            for op in self.prologue
            for result in op.results
            if any(use.owner.operation not in self.prologue for use in result.uses)
        ]

    def _user(self, use: ir.OpOperand) -> ir.Operation | None:
        return ancestor_in(self.block, use.owner.operation)

    def run(self) -> None:
        """Makes the one loop, moves the operations of both into it, and erases them."""
        self.used_late = [self._is_used_late(argument, number) for number, argument in enumerate(self.arguments)]
        with ir.InsertionPoint(self.outer):
            self._create_loop()
        with ir.InsertionPoint(body_of(self.loop)):
            self._count_up()
            self._add_prologue()
            self._add_body()
            self._add_epilogue()
            self._add_yield()
        first = 2
        replace_each(self.outer.results, list(self.loop.results)[first:])
        self.inner.erase()
        self.outer.erase()

    def _is_used_late(self, argument: ir.Value, number: int) -> bool:
        """Whether what the outer loop carries is used after the prologue: then its next value has to wait.

        Used by the inner loop, but for its initial values, by the epilogue, or passed on as another carried value.
        """
        last = terminator(self.block).operation
        for use in argument.uses:
            owner, user = use.owner.operation, self._user(use)
            if user in self.epilogue or (user == self.inner and owner != self.inner):
                return True
            if user == last and use.operand_number != number:
                return True
        return False

    # --- The loop -----------------------------------------------------------------------------------------------------
    def _create_loop(self) -> None:
        outer_length, inner_length = num_iterations(self.outer), num_iterations(self.inner)
        width = max(width_of(self.variable.type), width_of(self.inner_variable.type))
        self.counter = ir.IntegerType.get_signless(width)
        inner_length = as_integer(inner_length, self.counter)
        nothing = self._number(0)
        at_least_one = arith.maxsi(self._number(1), inner_length)
        all_inner = arith.addi(nothing, at_least_one)
        self.per_outer = arith.subi(all_inner, self._number(0))
        total = self._passed_through(arith.muli(as_integer(outer_length, self.counter), self.per_outer))
        start = self._number(0)
        # The first prologue adds a step.
        before_first = arith.subi(self.lower, self.step)
        inner_start = zero_or_poison(self.inner_variable.type)
        empty = [zero_or_poison(argument.type) for argument in self.inner_arguments]
        carried = [value if reset else zero for value, zero, reset in zip(self.initial, empty, self.reset)]
        outputs = [zero_or_poison(value.type) for value in self.outputs]
        outer_carried = list(self.outer.operands)[3:]
        initial = [start, before_first, *outer_carried, inner_length, self.per_outer, inner_start, *carried, *outputs]
        loop = scf.for_(self._number(0), total, self._number(1), initial)
        self.loop = loop.operation
        self._copy_attributes()
        self.number, self.outer_now, *rest = loop.inner_iter_args
        count, inner_count = len(outer_carried), len(carried)
        self.carried, (self.length, _, self.inner_now), rest = rest[:count], rest[count : count + 3], rest[count + 3 :]
        self.inner_carried, self.kept = rest[:inner_count], rest[inner_count:]

    def _passed_through(self, total: ir.Value) -> ir.Value:
        """The total, as Triton has it: through a loop that does nothing, which canonicalization removes."""
        lower, upper, step = list(self.outer.operands)[:3]
        loop = scf.for_(lower, upper, step, [total])
        scf.yield_(loop.inner_iter_args, ip=ir.InsertionPoint(loop.body))
        return loop.operation.results[0]

    def _number(self, value: int) -> ir.Value:
        return arith.constant(self.counter, value)

    def _copy_attributes(self) -> None:
        loops = (self.outer, self.inner)
        for name in (WARP_SPECIALIZE, DISALLOW_ACC_MULTI_BUFFER):
            if any(name in loop.attributes for loop in loops):
                self.loop.attributes[name] = ir.UnitAttr.get()
        if any(NUM_STAGES in loop.attributes for loop in loops):
            set_integer(self.loop, NUM_STAGES, max(num_stages(loop, 1) for loop in loops))

    # --- Its body -----------------------------------------------------------------------------------------------------
    def _count_up(self) -> None:
        """Set the number of the fused iteration at which the inner loop starts: 0, as there is one inner loop only."""
        first, skipped = self._number(0), self._number(0)
        self.first = arith.subi(first, skipped)

    def _add_prologue(self) -> None:
        """If the inner loop starts: the next outer iteration, up to the inner loop."""
        changing = [number for number, is_reset in enumerate(self.reset) if not is_reset]
        inner_lower = self.inner.operands[0]
        condition = arith.cmpi("eq", self.number, self.first)
        types = [inner_lower.type, *(value.type for value in self.outputs)]
        types += [self.initial[number].type for number in changing]
        branch = scf.if_(condition, [*types, self.variable.type, self.counter, self.counter], has_else=True)
        then = branch.then_block
        with ir.InsertionPoint(then):
            outer_next = arith.addi(self.outer_now, self.step)
            for op in self.prologue:
                then.append(op)
            self.variable.replace_all_uses_with(outer_next)
            replace_each(self.arguments, self.carried)
            started = [self.inner.operands[3 + number] for number in changing]
            scf.yield_([inner_lower, *self.outputs, *started, outer_next, self.length, self.per_outer])
        with ir.InsertionPoint(branch.else_block):
            running = [self.inner_carried[number] for number in changing]
            scf.yield_([self.inner_now, *self.kept, *running, self.outer_now, self.length, self.per_outer])
        self.inner_now, *now = branch.operation.results
        count = len(self.outputs)
        self.outputs_now = now[:count]
        self.inner_started = list(self.inner_carried)
        for number, value in zip(changing, now[count:]):
            self.inner_started[number] = value
        self.outer_now, self.length_now, self.per_outer_now = now[-3:]
        for value, new in [*zip(self.outputs, self.outputs_now), (outer_next, self.outer_now)]:
            replace_uses(value, new, lambda user: ancestor_in(then, user) is None)

    def _add_body(self) -> None:
        """The inner loop's body."""
        end = arith.addi(self.first, self.length_now)
        started = arith.cmpi("sge", self.number, self.first)
        arith.andi(started, arith.cmpi("slt", self.number, end))
        # The inner loop runs at least once, so in every iteration.
        types = [value.type for value in (self.inner_variable, *self.inner_arguments)]
        branch = scf.if_(arith.true(), types, has_else=True)
        then = branch.then_block
        block = body_of(self.inner)
        last = terminator(block).operation
        for op in body_operations(self.inner):
            then.append(op)
        self.inner_variable.replace_all_uses_with(self.inner_now)
        replace_each(self.inner_arguments, self.inner_started)
        with ir.InsertionPoint(then):
            scf.yield_([arith.addi(self.inner_now, self.inner.operands[2]), *last.operands])
        with ir.InsertionPoint(branch.else_block):
            scf.yield_([self.inner_now, *self.inner_carried])
        self.inner_next, *self.inner_yielded = branch.operation.results
        replace_each(self.inner.results, self.inner_yielded)

    def _add_epilogue(self) -> None:
        """If the inner loop ends: the rest of the outer iteration."""
        yielded = list(terminator(self.block).operation.operands)
        # Triton lets only values wait that the epilogue computes.
        passed = [
            number
            for number, value in enumerate(yielded)
            if self._is_in_epilogue(value) or (self.used_late[number] and value != self.carried[number])
        ]
        passed.sort(key=lambda number: self._epilogue_position(yielded[number]))
        condition = arith.cmpi("eq", self.number, arith.subi(self.per_outer_now, self._number(1)))
        restarted = [number for number, is_reset in enumerate(self.reset) if is_reset]
        new = [yielded[number] for number in passed] + [self.initial[number] for number in restarted]
        old = [self.carried[number] for number in passed] + [self.inner_yielded[number] for number in restarted]
        branch = scf.if_(condition, [value.type for value in new], has_else=True)
        then = branch.then_block
        for op in self.epilogue:
            then.append(op)
        with ir.InsertionPoint(then):
            scf.yield_(new)
        with ir.InsertionPoint(branch.else_block):
            scf.yield_(old)
        results = list(branch.operation.results)
        self.next = list(yielded)
        self.inner_values = list(self.inner_yielded)
        for number, result in zip(passed, results):
            self.next[number] = result
        for number, result in zip(restarted, results[len(passed) :]):
            self.inner_values[number] = result

    def _is_in_epilogue(self, value: ir.Value) -> bool:
        return not isinstance(value.owner, ir.Block) and value.owner.operation in self.epilogue

    def _epilogue_position(self, value: ir.Value) -> tuple[int, int]:
        """Sorts values by where the epilogue makes them, others last."""
        if not self._is_in_epilogue(value):
            return len(self.epilogue), 0
        op = value.owner.operation
        return self.epilogue.index(op), list(op.results).index(value)

    def _add_yield(self) -> None:
        following = arith.addi(self.number, self._number(1))
        is_last = arith.cmpi("eq", self.number, arith.subi(self.per_outer_now, self._number(1)))
        number = arith.select(is_last, self._number(0), following)
        counts = [self.length_now, self.per_outer_now]
        scf.yield_(
            [number, self.outer_now, *self.next, *counts, self.inner_next, *self.inner_values, *self.outputs_now]
        )
