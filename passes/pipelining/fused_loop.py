"""Building one loop that replaces a loop and the loops in it.

The fused loop carries, in this order:

- the number of its iteration within an iteration of the outer loop, from 0
- the induction variable of the outer loop, and the values that this loop carries
- the trip count of each inner loop, and the number of its own iterations for one of the outer loop
- the induction variable of each inner loop, then the values that each carries
- the values that the operations before each inner loop compute for later
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from mlir import ir

from ttkit.dialects import arith, scf, ub
from ttkit.inspection import terminator
from ttkit.passes.infra import replace_each
from ttkit.passes.infra.loop_attributes import DISALLOW_ACC_MULTI_BUFFER, NUM_STAGES, WARP_SPECIALIZE_LOOP, num_stages
from ttkit.passes.infra.loops import body_of, body_operations
from ttkit.passes.infra.nesting import ancestor_in, block_of
from ttkit.passes.infra.operation_attributes import set_integer
from ttkit.passes.infra.transforms import replace_uses


def fuse(outer: ir.Operation, inner: Sequence[ir.Operation], *, run_once: bool = True) -> ir.Operation:
    """Replaces a loop and loops in it by one, and returns that.

    Args:
        outer: its body consists of the inner loops, in this order, and operations before, between and after them.
        inner: loops whose bounds are defined before the outer loop.
        run_once: whether each is known to run at least once in each iteration of the outer loop.
    """
    with outer.location:
        return _Fusion(outer, inner, run_once).run()


def num_iterations(loop: ir.Operation) -> ir.Value:
    """Build the trip count of a loop, ceil((ub - lb) / step), at the current insertion point."""
    lower, upper, step = list(loop.operands)[:3]
    return arith.ceildivsi(arith.subi(upper, lower), step)


def width_of(type: ir.Type) -> int:
    """Bits of an induction variable."""
    return 64 if isinstance(type, ir.IndexType) else ir.IntegerType(type).width


def as_integer(value: ir.Value, type: ir.Type) -> ir.Value:
    """A number of iterations converted to an integer type that is at least as wide."""
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


class _Inner:
    """An inner loop and its prologue: the operations between the previous inner loop and this one.

    Attributes set while the fused loop is built:
        length: the trip count of the inner loop.
        now, carried: its induction variable and its carried values, as the fused loop carries them.
        kept: the values that the prologue computed for later, likewise.
        yielded: the results of the inner loop.
    """

    length: ir.Value
    now: ir.Value
    carried: list[ir.Value]
    started: list[ir.Value]
    kept: list[ir.Value]
    outputs_now: list[ir.Value]
    yielded: list[ir.Value]
    next: ir.Value

    def __init__(self, loop: ir.Operation, prologue: list[ir.Operation], block: ir.Block) -> None:
        self.loop, self.prologue = loop, prologue
        self.variable, *self.arguments = body_of(loop).arguments
        self.initial = list(loop.operands)[3:]
        # The epilogue resets values that start from before the outer loop, the prologue the others.
        self.reset = [block_of(value) != block for value in self.initial]
        self.changing = [number for number, is_reset in enumerate(self.reset) if not is_reset]
        # As in Triton, including values that only regions of prologue operations use.
        self.outputs = [
            result
            for op in prologue
            for result in op.results
            if any(use.owner.operation not in prologue for use in result.uses)
        ]


class _Fusion:
    """The loops, and the loop built from them."""

    def __init__(self, outer: ir.Operation, inner: Sequence[ir.Operation], run_once: bool) -> None:
        self.outer, self.run_once = outer, run_once
        self.block = body_of(outer)
        body = body_operations(outer)
        self.inner: list[_Inner] = []
        begin = 0
        for loop in inner:
            position = body.index(loop)
            self.inner.append(_Inner(loop, body[begin:position], self.block))
            begin = position + 1
        self.epilogue = body[begin:]
        self.lower, _, self.step = list(outer.operands)[:3]
        self.variable, *self.arguments = self.block.arguments

    def run(self) -> ir.Operation:
        """Builds the fused loop, moves the operations of all loops into it, and erases these."""
        self.used_late = [self._is_used_late(argument, number) for number, argument in enumerate(self.arguments)]
        with ir.InsertionPoint(self.outer):
            self._create_loop()
        with ir.InsertionPoint(body_of(self.loop)):
            for number, inner in enumerate(self.inner):
                self._count_up(number)
                self._add_prologue(inner, is_first=number == 0)
                self._add_body(inner)
            self._add_epilogue()
            self._add_yield()
        first = 2
        replace_each(self.outer.results, list(self.loop.results)[first:])
        for inner in self.inner:
            inner.loop.erase()
        self.outer.erase()
        return self.loop

    def _is_used_late(self, argument: ir.Value, number: int) -> bool:
        """Whether a value that the outer loop carries is used after the first prologue: its next value has to wait.

        Such uses are in an inner loop, in the prologue of a later one, after one, or as another carried value.
        """
        last, first = terminator(self.block).operation, self.inner[0]
        for use in argument.uses:
            owner, user = use.owner.operation, ancestor_in(self.block, use.owner.operation)
            if user == last:
                if use.operand_number != number:
                    return True
            elif user not in first.prologue and owner != first.loop:
                return True
        return False

    # --- The loop -----------------------------------------------------------------------------------------------------
    def _create_loop(self) -> None:
        outer_length = num_iterations(self.outer)
        lengths = [num_iterations(inner.loop) for inner in self.inner]
        variables = [self.variable, *(inner.variable for inner in self.inner)]
        self.counter = ir.IntegerType.get_signless(max(width_of(variable.type) for variable in variables))
        lengths = [as_integer(length, self.counter) for length in lengths]
        self.per_outer = arith.subi(self._iterations_of(lengths), self._number(len(self.inner) - 1))
        total = self._passed_through(arith.muli(as_integer(outer_length, self.counter), self.per_outer))
        start = self._number(0)
        # The first prologue adds a step.
        before_first = arith.subi(self.lower, self.step)
        starts = [zero_or_poison(inner.variable.type) for inner in self.inner]
        empty = [[zero_or_poison(argument.type) for argument in inner.arguments] for inner in self.inner]
        carried = [
            value if reset else zero
            for inner, zeros in zip(self.inner, empty)
            for value, zero, reset in zip(inner.initial, zeros, inner.reset)
        ]
        outputs = [zero_or_poison(value.type) for inner in self.inner for value in inner.outputs]
        outer_carried = list(self.outer.operands)[3:]
        initial = [start, before_first, *outer_carried, *lengths, self.per_outer, *starts, *carried, *outputs]
        loop = scf.for_(self._number(0), total, self._number(1), initial)
        self.loop = loop.operation
        self._copy_attributes()
        self._name_carried(iter(loop.inner_iter_args))

    def _name_carried(self, values: Iterator[ir.Value]) -> None:
        """Assigns the arguments of the fused loop to their attributes."""
        self.number, self.outer_now = islice(values, 2)
        self.carried = list(islice(values, len(self.arguments)))
        for inner in self.inner:
            inner.length = next(values)
        next(values)  # iterations for one of the outer loop
        for inner in self.inner:
            inner.now = next(values)
        for inner in self.inner:
            inner.carried = list(islice(values, len(inner.initial)))
        for inner in self.inner:
            inner.kept = list(islice(values, len(inner.outputs)))

    def _iterations_of(self, lengths: Sequence[ir.Value]) -> ir.Value:
        """The iterations of loops with these trip counts together, each at least one."""
        total = self._number(0)
        for length in lengths:
            total = arith.addi(total, arith.maxsi(self._number(1), length))
        return total

    def _passed_through(self, total: ir.Value) -> ir.Value:
        """The total, passed through an empty loop as in Triton; canonicalization removes that loop."""
        lower, upper, step = list(self.outer.operands)[:3]
        loop = scf.for_(lower, upper, step, [total])
        scf.yield_(loop.inner_iter_args, ip=ir.InsertionPoint(loop.body))
        return loop.operation.result

    def _number(self, value: int) -> ir.Value:
        return arith.constant(self.counter, value)

    def _copy_attributes(self) -> None:
        loops = (self.outer, *(inner.loop for inner in self.inner))
        for name in (WARP_SPECIALIZE_LOOP, DISALLOW_ACC_MULTI_BUFFER):
            if any(name in loop.attributes for loop in loops):
                self.loop.attributes[name] = ir.UnitAttr.get()
        if any(NUM_STAGES in loop.attributes for loop in loops):
            set_integer(self.loop, NUM_STAGES, max(num_stages(loop, 1) for loop in loops))

    # --- Its body -----------------------------------------------------------------------------------------------------
    def _count_up(self, number: int) -> None:
        """Sets the fused iteration at which an inner loop starts: the last one of the previous loop."""
        before = self._iterations_of([inner.length for inner in self.inner[:number]])
        self.first = arith.subi(before, self._number(number))

    def _add_prologue(self, inner: _Inner, is_first: bool) -> None:
        """Adds the prologue, run if the inner loop starts; for the first one with the next step of the outer loop."""
        lower = inner.loop.opview.lowerBound
        condition = arith.cmpi("eq", self.number, self.first)
        types = [lower.type, *(value.type for value in inner.outputs)]
        types += [inner.initial[number].type for number in inner.changing]
        lengths = [each.length for each in self.inner] if is_first else []
        if is_first:
            types += [self.variable.type, *(length.type for length in lengths), self.counter]
        branch = scf.if_(condition, types, has_else=True)
        then = branch.then_block
        with ir.InsertionPoint(then):
            outer_next = arith.addi(self.outer_now, self.step) if is_first else None
            for op in inner.prologue:
                then.append(op)
            if outer_next is not None:
                self.variable.replace_all_uses_with(outer_next)
                replace_each(self.arguments, self.carried)
            started = [inner.loop.opview.initArgs[number] for number in inner.changing]
            scf.yield_([lower, *inner.outputs, *started, *([outer_next, *lengths, self.per_outer] if is_first else [])])
        with ir.InsertionPoint(branch.else_block):
            running = [inner.carried[number] for number in inner.changing]
            steady = [self.outer_now, *lengths, self.per_outer] if is_first else []
            scf.yield_([inner.now, *inner.kept, *running, *steady])
        results = iter(branch.operation.results)
        inner.now = next(results)
        inner.outputs_now = list(islice(results, len(inner.outputs)))
        inner.started = list(inner.carried)
        for number, value in zip(inner.changing, results):
            inner.started[number] = value
        replaced = list(zip(inner.outputs, inner.outputs_now))
        if outer_next is not None:
            self.outer_now, *lengths_now, self.per_outer_now = list(branch.operation.results)[-2 - len(lengths) :]
            for each, length in zip(self.inner, lengths_now):
                each.length = length
            replaced.append((outer_next, self.outer_now))
        for value, new in replaced:
            replace_uses(value, new, lambda user: ancestor_in(then, user) is None)

    def _add_body(self, inner: _Inner) -> None:
        """Adds the body of an inner loop."""
        end = arith.addi(self.first, inner.length)
        started = arith.cmpi("sge", self.number, self.first)
        runs = arith.andi(started, arith.cmpi("slt", self.number, end))
        types = [value.type for value in (inner.variable, *inner.arguments)]
        branch = scf.if_(arith.true() if self.run_once else runs, types, has_else=True)
        then = branch.then_block
        block = body_of(inner.loop)
        last = terminator(block).operation
        for op in body_operations(inner.loop):
            then.append(op)
        inner.variable.replace_all_uses_with(inner.now)
        replace_each(inner.arguments, inner.started)
        with ir.InsertionPoint(then):
            scf.yield_([arith.addi(inner.now, inner.loop.opview.step), *last.operands])
        with ir.InsertionPoint(branch.else_block):
            scf.yield_([inner.now, *inner.carried])
        inner.next, *inner.yielded = branch.operation.results
        replace_each(inner.loop.results, inner.yielded)

    def _add_epilogue(self) -> None:
        """Adds the epilogue, run if the last inner loop ends: the rest of the outer iteration."""
        yielded = list(terminator(self.block).operation.operands)
        # Triton delays only values that the epilogue computes.
        passed = [
            number
            for number, value in enumerate(yielded)
            if self._is_in_epilogue(value) or (self.used_late[number] and value != self.carried[number])
        ]
        passed.sort(key=lambda number: self._epilogue_position(yielded[number]))
        condition = arith.cmpi("eq", self.number, arith.subi(self.per_outer_now, self._number(1)))
        restarted = [(inner, number) for inner in self.inner for number, reset in enumerate(inner.reset) if reset]
        new = [yielded[number] for number in passed] + [inner.initial[number] for inner, number in restarted]
        old = [self.carried[number] for number in passed] + [inner.yielded[number] for inner, number in restarted]
        branch = scf.if_(condition, [value.type for value in new], has_else=True)
        then = branch.then_block
        for op in self.epilogue:
            then.append(op)
        with ir.InsertionPoint(then):
            scf.yield_(new)
        with ir.InsertionPoint(branch.else_block):
            scf.yield_(old)
        results = iter(branch.operation.results)
        self.next = list(yielded)
        for number, result in zip(passed, results):
            self.next[number] = result
        for (inner, number), result in zip(restarted, results):
            inner.yielded[number] = result

    def _is_in_epilogue(self, value: ir.Value) -> bool:
        return not isinstance(value.owner, ir.Block) and value.owner.operation in self.epilogue

    def _epilogue_position(self, value: ir.Value) -> tuple[int, int]:
        """A sort key: the position in the epilogue where a value is defined; others come last."""
        if not self._is_in_epilogue(value):
            return len(self.epilogue), 0
        op = value.owner.operation
        return self.epilogue.index(op), list(op.results).index(value)

    def _add_yield(self) -> None:
        following = arith.addi(self.number, self._number(1))
        is_last = arith.cmpi("eq", self.number, arith.subi(self.per_outer_now, self._number(1)))
        number = arith.select(is_last, self._number(0), following)
        values = [number, self.outer_now, *self.next]
        values += [*(inner.length for inner in self.inner), self.per_outer_now, *(inner.next for inner in self.inner)]
        for inner in self.inner:
            values += inner.yielded
        for inner in self.inner:
            values += inner.outputs_now
        scf.yield_(values)
