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

Source: TypeAlias = ir.Value | tuple[ir.Value, int]


@dataclass(frozen=True)
class Origin:
    """Where a part comes from: part `number` of the expanded `value`.  Equal keys: the same number at run time."""

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
    meetings: Sequence[Meeting],
    candidates: Callable[[Meeting], Iterable[int]],
    source: Callable[[ir.Value, int], Source],
) -> None:
    """Takes from `carried` of each meeting the parts that are the same in all its sources, and puts them in `fixed`.

    Args:
        candidates: numbers of the parts to look at.
        source: of a value that does not come from control flow, where a part is from: an ordinary value, or a part of
            another expanded value; (value, number) itself if it is new.
    """
    _Analysis(meetings, source).run(candidates)


class _Analysis:
    def __init__(self, meetings: Sequence[Meeting], source: Callable[[ir.Value, int], Source]) -> None:
        self.meetings, self.source = meetings, source
        self.meeting_of = {value: meeting for meeting in meetings for value in meeting.merged}
        self.fixed: dict[tuple[Meeting, int], Origin | None] = {}  # None: the part is carried
        self.keys: dict[ir.Value, Hashable] = {}

    def run(self, candidates: Callable[[Meeting], Iterable[int]]) -> None:
        pairs = [(meeting, number) for meeting in self.meetings for number in candidates(meeting)]
        changed = True
        while changed:
            changed = False
            for pair in pairs:
                # From "not known yet" over one origin to "carried": each changes twice at most.
                if self.fixed.get(pair, pair) is not None and self.update(*pair):
                    changed = True
        for meeting, number in pairs:
            if (origin := self.fixed.get((meeting, number))) is not None:
                meeting.carried.remove(number)
                meeting.fixed[number] = (origin.value, origin.number)

    def update(self, meeting: Meeting, number: int) -> bool:
        origins = [self.origin(value, number) for value in meeting.sources]
        known = [origin for origin in origins if origin is not None]
        if not known and meeting.sources:
            return False
        visible = [origin for origin in known if origin.is_visible_at(meeting.op)]
        new = visible[0] if visible and len(set(known)) == 1 else None
        old = self.fixed.get((meeting, number), "unknown")
        self.fixed[meeting, number] = new
        return new != old

    def origin(self, value: ir.Value, number: int) -> Origin | None:
        """Where a part of a value comes from; None if that is not known yet."""
        while value not in self.meeting_of:
            found = self.source(value, number)
            if isinstance(found, ir.Value):
                return Origin(self.key(found), value, number, found)
            if found == (value, number):
                return Origin(found, value, number)
            value, number = found
        meeting = self.meeting_of[value]
        if (meeting, number) not in self.fixed:
            return None
        return self.fixed[meeting, number] or Origin((value, number), value, number)

    def key(self, value: ir.Value) -> Hashable:
        """Equal for values that the same operations make of the same values: frontends repeat constants and casts."""
        if value not in self.keys:
            self.keys[value] = self.make_key(value)
        return self.keys[value]

    def make_key(self, value: ir.Value) -> Hashable:
        owner = value.owner
        if isinstance(owner, ir.Block) or len(owner.operation.regions) or not is_memory_effect_free(owner):
            return value
        op = owner.operation
        operands = tuple(self.key(operand) for operand in op.operands)
        attributes = frozenset(dict(op.attributes).items())
        return op.name, attributes, operands, value.type, ir.OpResult(value).result_number
