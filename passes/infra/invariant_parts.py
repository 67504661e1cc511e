"""Parts of expanded values that are the same wherever control flow comes from: they need not be passed along it.

It is the analysis that finds trivial phis, for each part by itself: optimistic, so that a part that only travels around
a loop, or is exchanged between equals, is found too.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from mlir import ir

from ttkit.passes.infra.rewriting import is_memory_effect_free
from ttkit.passes.infra.value_flow import Meeting

Source: TypeAlias = Callable[[ir.Value], ir.Value | Sequence[ir.Value] | None]
"""Of a value that does not come from control flow, where its candidate parts are from: another expanded value, ordinary
ones, or, if None, they are new."""


@dataclass(frozen=True)
class Origin:
    """Origin of a part: part `number` of the expanded `value`.  Equal keys mean equal values at run time."""

    key: Hashable
    value: ir.Value = field(compare=False)
    number: int = field(compare=False)
    ordinary: ir.Value | None = field(compare=False, default=None)

    def is_visible_at(self, op: ir.Operation) -> bool:
        """Whether it is defined outside of `op`."""
        owner = (self.ordinary or self.value).owner
        inner = owner.owner if isinstance(owner, ir.Block) else owner
        while inner is not None:
            if inner == op:
                return False
            inner = inner.operation.parent
        return True


def find_invariant_parts(
    meetings: Sequence[Meeting], candidates: Callable[[Meeting], Iterable[int]], source: Source
) -> None:
    """Takes from `carried` of each meeting the parts that are the same in all its sources, and puts them in `fixed`.

    Args:
        candidates: numbers of the parts to look at.
        source: says where values come from.
    """
    _Analysis(meetings, source).run(candidates)


class _Analysis:
    def __init__(self, meetings: Sequence[Meeting], source: Source) -> None:
        self.meetings, self.source = meetings, source
        self.meeting_of = {value: meeting for meeting in meetings for value in meeting.merged}
        self.carried: set[tuple[Meeting, int]] = set()
        self.fixed: dict[tuple[Meeting, int], Origin] = {}
        self.ends: dict[ir.Value, tuple[ir.Value, Sequence[ir.Value] | None]] = {}
        self.keys: dict[ir.Value, Hashable] = {}

    def run(self, candidates: Callable[[Meeting], Iterable[int]]) -> None:
        """Notes in the meetings which of their candidate parts are the same on all ways, and where these come from."""
        pairs = [(meeting, number) for meeting in self.meetings for number in candidates(meeting)]
        self.carried.update(pair for pair in pairs if not pair[0].sources)
        # What was concluded from a part that turns out to be carried may be wrong: start again without it.
        while not self.spread_origins(pairs):
            self.fixed.clear()
        for (meeting, number), origin in self.fixed.items():
            meeting.carried.remove(number)
            meeting.fixed[number] = (origin.value, origin.number)

    def spread_origins(self, pairs: Sequence[tuple[Meeting, int]]) -> bool:
        """Finds the origin of each part that has one; false as soon as one more part has to be carried."""
        changed = True
        while changed:
            changed = False
            for pair in pairs:
                if pair in self.carried:
                    continue
                meeting, number = pair
                known = [origin for value in meeting.sources if (origin := self.origin(value, number)) is not None]
                visible = [origin for origin in known if origin.is_visible_at(meeting.op)]
                if len(set(known)) > 1 or (known and not visible):
                    self.carried.add(pair)
                    return False
                if known and pair not in self.fixed:
                    self.fixed[pair] = visible[0]
                    changed = True
        return True

    def origin(self, value: ir.Value, number: int) -> Origin | None:
        """Origin of a part of a value; None if it is not known yet."""
        value, ordinary = self.end(value)
        if ordinary is not None:
            return Origin(self.key(ordinary[number]), value, number, ordinary[number])
        meeting = self.meeting_of.get(value)
        if meeting is None or (meeting, number) in self.carried:
            return Origin((value, number), value, number)
        return self.fixed.get((meeting, number))

    def end(self, value: ir.Value) -> tuple[ir.Value, Sequence[ir.Value] | None]:
        """The value that parts come from in the end, and the ordinary values that they are there."""
        if value not in self.ends:
            last, ordinary = value, None
            while last not in self.meeting_of:
                found = self.source(last)
                if not isinstance(found, ir.Value):
                    ordinary = found
                    break
                last = found
            self.ends[value] = last, ordinary
        return self.ends[value]

    def key(self, value: ir.Value) -> Hashable:
        """Equal for values that the same operations make of the same values: frontends repeat constants and casts."""
        if value not in self.keys:
            self.keys[value] = self.make_key(value)
        return self.keys[value]

    def make_key(self, value: ir.Value) -> Hashable:
        """Name, attributes and keys of operands of what made a value without effects; else the value itself."""
        owner = value.owner
        if isinstance(owner, ir.Block) or len(owner.operation.regions) or not is_memory_effect_free(owner):
            return value
        op = owner.operation
        operands = tuple(self.key(operand) for operand in op.operands)
        attributes = frozenset(dict(op.attributes).items())
        return op.name, attributes, operands, value.type, ir.OpResult(value).result_number
