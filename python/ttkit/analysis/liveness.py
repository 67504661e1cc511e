"""Live ranges of values, as intervals in a numbering of a function's operations.

Operations are numbered after those in their regions, so that an operation's interval covers its regions.  A value is
live from its definition, or from the first operation of a block into which it is live, to its last use in each block.
A use in a nested region counts as a use by the operation with the region.
"""

from typing import NamedTuple

from mlir import ir

from ttkit._native import library, operation_handle, operations_told
from ttkit.inspection import terminator, users_of


class Interval(NamedTuple):
    """The numbers from `start` to `end`, without `end`."""

    start: int
    end: int

    def intersects(self, other: "Interval") -> bool:
        """Whether two intervals overlap; `end` is not part of an interval."""
        return self.start < other.end and other.start < self.end

    def union(self, other: "Interval") -> "Interval":
        """The smallest interval that contains both."""
        return Interval(min(self.start, other.start), max(self.end, other.end))


ALWAYS = Interval(0, 1 << 62)


class Liveness:
    """The live ranges of the values in one function.

    Attributes:
        numbers: operation -> its number.
    """

    def __init__(self, function: ir.Operation) -> None:
        operations = operations_told(library().ttkitOperationsIn, operation_handle(function.operation))
        self.numbers = {op: number for number, op in enumerate(operations)}
        self._firsts: dict[ir.Block, int] = {}
        self._lasts: dict[ir.Block, int] = {}
        self._predecessors: dict[ir.Block, list[ir.Block]] = {}

    def interval(self, value: ir.Value) -> Interval:
        """The live range of `value`, in numbers of operations; without a use it ends right after the definition."""
        owner = value.owner
        is_argument = isinstance(owner, ir.Block)
        home = owner if is_argument else owner.operation.block
        last_uses, using = self._last_uses(home, users_of(value))
        start = self._first(home) if is_argument else self.numbers[owner.operation]
        starts, ends = [start], [start, *last_uses.values()]
        live_in, live_out = self._across_blocks(home, list(last_uses))
        starts += [self._first(block) for block in {*using, *live_in} if block != home]
        ends += [self._last(block) for block in live_out]
        return Interval(min(starts), max(ends) + 1)

    def _first(self, block: ir.Block) -> int:
        found = self._firsts.get(block)
        if found is None:
            found = self._firsts[block] = self.numbers[block.operations[0].operation]
        return found

    def _last(self, block: ir.Block) -> int:
        found = self._lasts.get(block)
        if found is None:
            found = self._lasts[block] = self.numbers[terminator(block).operation]
        return found

    def _last_uses(self, home: ir.Block, users: list[ir.Operation]) -> tuple[dict[ir.Block, int], list[ir.Block]]:
        """The number of the last use in each block, and the blocks of the uses.

        A nested use counts for all blocks around it up to the region of `home`.
        """
        last: dict[ir.Block, int] = {}
        using: list[ir.Block] = []
        for user in users:
            block = user.block
            using.append(block)
            op = user
            while True:
                last[block] = max(last.get(block, 0), self.numbers[op])
                if block.region == home.region:
                    break
                op = op.parent.operation
                block = op.block
        return last, using

    def _across_blocks(self, home: ir.Block, users: list[ir.Block]) -> tuple[set[ir.Block], set[ir.Block]]:
        """The blocks into which, and out of which, a value used in `users` is live, in regions with several blocks."""
        live_in: set[ir.Block] = set()
        live_out: set[ir.Block] = set()
        pending = [block for block in users if len(block.region.blocks) > 1]
        while pending:
            block = pending.pop()
            if block == home or block in live_in:
                continue
            live_in.add(block)
            predecessors = self._predecessors.get(block)
            if predecessors is None:
                predecessors = self._predecessors[block] = list(block.predecessors)
            live_out.update(predecessors)
            pending += predecessors
        return live_in, live_out
