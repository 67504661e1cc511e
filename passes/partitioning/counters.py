"""Counters of the uses of channels, from which the next buffer slot and its phase are computed.

Each loop or branch that directly contains a channel has a counter, which the loops around it carry.  Loops that run
one after the other and share buffers share a counter: the later one goes on where the earlier one has ended.

    %n = scf.for ... iter_args(%k = %c0) {
      ...                                       // slot %k mod 3, phase %k / 3 mod 2
      scf.yield %k + 1
    }
"""

from mlir import ir

from ttkit.dialects import arith
from ttkit.inspection import enclosing, terminator
from ttkit.operation_sets import FOR_AND_IF
from ttkit.passes.infra import set_operands
from ttkit.passes.infra.loops import body_of, branch_with_more, carry_more, yield_more
from ttkit.passes.infra.nesting import blocks_in
from ttkit.passes.infra.operation_attributes import integer, set_integer
from ttkit.passes.partitioning.tasks import TaskBuilder, nested_tasks, set_tasks
from ttkit.records import dataclass

# Number of the counter of a loop or branch: operations are replaced meanwhile, but their attributes stay.
NUMBER = "ttkit.counter"

Counts = dict[int, ir.Value]
"""Number of a counter -> its value at some place."""


@dataclass(frozen=True)
class Slot:
    """The next slot of a buffer.

    Attributes:
        index: i32.
        phase: i1, the parity of completed rounds through the slots, for its mbarriers.
    """

    index: ir.Value
    phase: ir.Value


def regions_in(op: ir.Operation) -> list[ir.Operation]:
    """The loops and branches directly in the body of an operation."""
    inside = [each.operation for block in blocks_in(op) for each in block.operations]
    return [inner for inner in inside if inner.name in FOR_AND_IF]


def numbers_in(op: ir.Operation) -> list[int]:
    """The numbers of the counters of an operation and of those in its regions, in order."""
    own = integer(op, NUMBER)
    found = [] if own is None else [own]
    for inner in regions_in(op):
        found += numbers_in(inner)
    return list(dict.fromkeys(found))


class Counters:
    """Adds counters to a function.

    Args:
        function: gets the counters.
        series: the scf.for and scf.if operations that directly contain channels; those of one list share a counter.
    """

    def __init__(self, function: ir.Operation, series: list[list[ir.Operation]]) -> None:
        for number, regions in enumerate(series):
            for region in regions:
                set_integer(region, NUMBER, number)
        # The induction variable of a loop -> its counters: the loop itself is replaced with the loop around it.
        self._counts: dict[ir.Value, Counts] = {}
        counts: Counts = {}
        for op in regions_in(function):
            counts.update(self._add(op, counts))

    def _add(self, op: ir.Operation, outer: Counts) -> Counts:
        """Has a loop or branch pass on its counters.

        Args:
            op: the loop or branch.
            outer: the counters before it: of the loop around it, and of earlier loops.

        Returns:
            The counters after it.
        """
        numbers = numbers_in(op)
        if not numbers:
            return {}
        build = TaskBuilder(ir.InsertionPoint(op), op.location, nested_tasks(op))
        wide = ir.IntegerType.get_signless(64, op.context)
        start = {one: outer[one] if one in outer else build(arith.constant, wide, 0) for one in numbers}
        new = self._loop(op, start) if op.name == "scf.for" else self._branch(op, start)
        return dict(zip(numbers, list(new.results)[len(new.results) - len(numbers) :]))

    def _loop(self, loop: ir.Operation, start: Counts) -> ir.Operation:
        tasks = nested_tasks(loop)
        loop, arguments = carry_more(loop, list(start.values()))
        set_tasks(loop, tasks)
        counts = dict(zip(start, arguments))
        self._counts[body_of(loop).arguments[0]] = counts
        self._pass_on(loop, body_of(loop), counts)
        return loop

    def _branch(self, branch: ir.Operation, start: Counts) -> ir.Operation:
        tasks = nested_tasks(branch)
        new = branch_with_more(branch, [value.type for value in start.values()])
        set_tasks(new, tasks)
        then, otherwise = (region.blocks[0] for region in new.regions)
        self._pass_on(new, then, start)
        yield_more(otherwise, list(start.values()))
        set_tasks(terminator(otherwise).operation, tasks)
        return new

    def _pass_on(self, op: ir.Operation, block: ir.Block, counts: Counts) -> None:
        """Adds the counters to the values that a loop or branch yields."""
        after = dict(counts)
        for inner in regions_in(op):
            after.update(self._add(inner, after))
        last = terminator(block).operation
        build = TaskBuilder(ir.InsertionPoint(last), op.location, nested_tasks(op))
        own = integer(op, NUMBER)
        if own is not None:
            after[own] = build(arith.addi, counts[own], build(arith.constant, counts[own].type, 1))
        set_operands(last, [*last.operands, *(after[one] for one in counts)])

    def slot(self, region: ir.Operation, slots: int, build: TaskBuilder) -> Slot:
        """Builds the index and phase of the slot, one of `slots`, that channels directly in a loop or branch use."""
        word, bit = (ir.IntegerType.get_signless(width, region.context) for width in (32, 1))
        loop = region if region.name == "scf.for" else enclosing(region, "scf.for")
        number = integer(region, NUMBER)
        if loop is None or number is None:  # it is used once
            return Slot(build(arith.i32, 0), build(arith.constant, bit, 0))
        count = self._counts[body_of(loop).arguments[0]][number]
        size = build(arith.extsi, count.type, build(arith.i32, slots))
        round = build(arith.divui, count, size)
        index = build(arith.trunci, word, build(arith.subi, count, build(arith.muli, round, size)))
        odd = build(arith.andi, round, build(arith.constant, count.type, 1))
        return Slot(index, build(arith.trunci, bit, odd))
