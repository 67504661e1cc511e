"""The schedule of a loop, as plain values."""

from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """Kind of work of an operation."""

    LOAD = "load"
    PRODUCT = "product"
    STORE = "store"
    OTHER = "other"


@dataclass(frozen=True)
class Scheduled:
    """An operation of a loop.

    Attributes:
        text: the operation, as it reads in a line.
        kind: what it keeps busy.
        stage: how many iterations after its own has started it runs.
        cluster: its place in an iteration of the pipelined loop.
        latency: stages that its result takes, where that was said.
        used: stage and cluster of the first operation that uses its result in the same iteration.
        variable: the source's name of the result; empty if it has none.
    """

    text: str
    kind: Kind
    stage: int
    cluster: int
    latency: int | None = None
    used: tuple[int, int] | None = None
    variable: str = ""

    @property
    def name(self) -> str:
        """The name of the result, `%a`; empty without one."""
        return self.text.partition(" = ")[0].partition(":")[0] if " = " in self.text else ""


@dataclass(frozen=True)
class LoopSchedule:
    """A loop and its operations, in the order of the text.

    Attributes:
        title: which loop.
        num_stages: one more than the highest stage.
        operations: all that are scheduled.
        units: the units of a multiprocessor that an iteration of one program keeps busy, with cycles at their peak
            rates; the busiest first.
    """

    title: str
    num_stages: int
    operations: tuple[Scheduled, ...]
    units: tuple[tuple[str, float], ...] = ()

    @property
    def num_clusters(self) -> int:
        """One more than the highest cluster."""
        return max((op.cluster for op in self.operations), default=0) + 1

    def idle(self, kind: Kind) -> tuple[int, int] | None:
        """Numbers of the first and of the last iterations of the pipelined loop that have no work of a kind.

        None if the loop has no such work.
        """
        stages = [op.stage for op in self.operations if op.kind is kind]
        return (min(stages), self.num_stages - 1 - max(stages)) if stages else None

    def told_idle(self) -> str:
        """`idle: loads in the last 2 iterations, dots in the first 2`; empty if nothing is."""
        parts = []
        for kind, many in ((Kind.LOAD, "loads"), (Kind.PRODUCT, "dots"), (Kind.STORE, "stores")):
            first, last = self.idle(kind) or (0, 0)
            places = [f"the {place} {count}" for place, count in (("first", first), ("last", last)) if count]
            if places:
                parts.append(f"{many} in {' and '.join(places)}")
        return f"idle, in iterations of the pipelined loop: {', '.join(parts)}" if parts else ""

    def told_units(self) -> list[str]:
        """A line for each unit, with its cycles and the share of an iteration in which it is idle at least."""
        if not self.units:
            return []
        bound = self.units[0][1]
        width = max(len(name) for name, _ in self.units)
        lines = [
            f"  {name:{width}}  {cycles:7,.0f}  {f'idle {1 - cycles / bound:.0%}' if cycles < bound else ''}".rstrip()
            for name, cycles in self.units
        ]
        return ["cycles of an iteration of one program in each unit, at peak rates:", *lines, self.told_bound()]

    def told_bound(self) -> str:
        """The least and the most cycles of an iteration, by its units."""
        bound, in_turn = self.units[0][1], sum(cycles for _, cycles in self.units)
        return f"with any schedule at least {bound:,.0f} cycles; {in_turn:,.0f} if no two units work at once"

    def in_order(self) -> list[Scheduled]:
        """The operations as an iteration of the pipelined loop runs them."""
        return sorted(self.operations, key=lambda op: op.cluster)
