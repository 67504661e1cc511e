"""Building operations together with their place: in the schedule of a loop, or among groups of warps."""

from collections.abc import Callable
from typing import Any

from mlir import ir

from ttkit.passes.pipelining.schedule import Schedule


class PlacedBuilder:
    """Builds operations that run in one place.

    Args:
        at: where in the code; each goes after the one before it.
        location: of all of them.
        place: of all of them, what `put` notes.
    """

    def __init__(self, at: ir.InsertionPoint, location: ir.Location, place: Any) -> None:
        self.at, self.location, self.place = at, location, place

    def __call__(self, builder: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        """Calls a builder of `ttkit.dialects`; gives what it gives."""
        with self.location, self.at:
            made = builder(*arguments, **named)
        op = made.owner if isinstance(made, (ir.Value, ir.OpResultList)) else made
        self.put(op.operation)
        return made

    def put(self, op: ir.Operation) -> None:
        """Notes the place on an operation."""
        self.place.put(op)


class ScheduledBuilder(PlacedBuilder):
    """Builds operations of a loop's body, each scheduled as `run_like` last said; at first in front of `like`.

    Args:
        schedule: gets the operations.
        like: the operation at whose stage and cluster, its `place`, they run; if it is not scheduled, nor are they.
    """

    def __init__(self, schedule: Schedule, like: ir.Operation) -> None:
        super().__init__(ir.InsertionPoint(like), like.location, None)
        self.schedule = schedule
        self.run_like(like)

    def run_like(self, like: ir.Operation) -> None:
        """From here on operations run at the stage and in the cluster of that one."""
        self.place = self.schedule[like][1:] if like in self.schedule else None

    def put(self, op: ir.Operation) -> None:
        """Schedules an operation."""
        if self.place is not None:
            self.schedule.insert(op, *self.place)
