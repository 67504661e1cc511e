"""Parts of expanded values that are equal on all incoming edges of control flow, which need not carry them.

The analysis finds trivial phis, for each part separately.  It is optimistic: it also finds a part that a loop passes on
unchanged or exchanges with an equal one.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import field
from typing import TypeAlias

from mlir import ir

from ttkit.passes.infra.rewriting import is_memory_effect_free
from ttkit.passes.infra.value_flow import MergePoint
from ttkit.records import dataclass

Source: TypeAlias = Callable[[ir.Value], ir.Value | Sequence[ir.Value] | None]
"""The source of the candidate parts of a value that is not a merge point: another expanded value, ordinary values, or
None if the parts are new."""


@dataclass(frozen=True)
class Origin:
    """Origin of a part: part `number` of the expanded `value`.  Equal keys mean equal values at run time."""

    key: Hashable
    value: ir.Value = field(compare=False)
    number: int = field(compare=False)
    ordinary: ir.Value | None = field(compare=False, default=None)

    def is_visible_at(self, op: ir.Operation) -> bool:
        """Whether the part is defined outside of `op`."""
        owner = (self.ordinary or self.value).owner
        inner = owner.owner if isinstance(owner, ir.Block) else owner
        while inner is not None:
            if inner == op:
                return False
            inner = inner.operation.parent
        return True


def find_invariant_parts(
    merge_points: Sequence[MergePoint], candidates: Callable[[MergePoint], Iterable[int]], source: Source
) -> None:
    """Moves the parts that are equal in all sources of a merge point from its `carried` to its `fixed`.

    Args:
        candidates: gives the numbers of the parts to look at.
        source: gives the source of a value's parts.
    """
    _Analysis(merge_points, source).run(candidates)


class _Analysis:
    def __init__(self, merge_points: Sequence[MergePoint], source: Source) -> None:
        self.merge_points, self.source = merge_points, source
        self.merge_of = {value: point for point in merge_points for value in point.merged}
        self.carried: set[tuple[MergePoint, int]] = set()
        self.fixed: dict[tuple[MergePoint, int], Origin] = {}
        self.ends: dict[ir.Value, tuple[ir.Value, Sequence[ir.Value] | None]] = {}
        self.keys: dict[ir.Value, Hashable] = {}

    def run(self, candidates: Callable[[MergePoint], Iterable[int]]) -> None:
        """Records the candidate parts of each merge point that are equal on all edges, with their origins."""
        pairs = [(point, number) for point in self.merge_points for number in candidates(point)]
        self.carried.update(pair for pair in pairs if not pair[0].sources)
        # Conclusions from a part that has to be carried may be wrong: start again without it.
        while not self.spread_origins(pairs):
            self.fixed.clear()
        for (point, number), origin in self.fixed.items():
            point.carried.remove(number)
            point.fixed[number] = (origin.value, origin.number)

    def spread_origins(self, pairs: Sequence[tuple[MergePoint, int]]) -> bool:
        """Finds the origins of parts; returns false as soon as another part has to be carried."""
        changed = True
        while changed:
            changed = False
            for pair in pairs:
                if pair in self.carried:
                    continue
                point, number = pair
                known = [origin for value in point.sources if (origin := self.origin(value, number)) is not None]
                visible = [origin for origin in known if origin.is_visible_at(point.op)]
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
        point = self.merge_of.get(value)
        if point is None or (point, number) in self.carried:
            return Origin((value, number), value, number)
        return self.fixed.get((point, number))

    def end(self, value: ir.Value) -> tuple[ir.Value, Sequence[ir.Value] | None]:
        """The first value in the chain of sources, and its parts if they are ordinary values."""
        if value not in self.ends:
            last, ordinary = value, None
            while last not in self.merge_of:
                found = self.source(last)
                if not isinstance(found, ir.Value):
                    ordinary = found
                    break
                last = found
            self.ends[value] = last, ordinary
        return self.ends[value]

    def key(self, value: ir.Value) -> Hashable:
        """A key that is equal for values computed alike from equal values: frontends repeat constants and casts."""
        if value not in self.keys:
            self.keys[value] = self.make_key(value)
        return self.keys[value]

    def make_key(self, value: ir.Value) -> Hashable:
        """Name, attributes and operand keys of the operation, if it has no effects; else the value itself."""
        owner = value.owner
        if isinstance(owner, ir.Block) or len(owner.operation.regions) or not is_memory_effect_free(owner):
            return value
        op = owner.operation
        operands = tuple(self.key(operand) for operand in op.operands)
        attributes = frozenset(dict(op.attributes).items())
        return op.name, attributes, operands, value.type, ir.OpResult(value).result_number
