"""Building operations of a loop's body together with their place in its schedule."""

from collections.abc import Callable
from typing import Any

from mlir import ir

from ttkit.passes.pipelining.schedule import Schedule


class ScheduledBuilder:
    """Builds operations at one point after another, each scheduled as `place` last said.

    Args:
        schedule: gets the operations.
        point: where the first goes.
        location: of all of them.
        like: the operation at whose stage and cluster they run; if it is not scheduled, nor are they.
    """

    def __init__(self, schedule: Schedule, point: ir.InsertionPoint, location: ir.Location, like: ir.Operation) -> None:
        self.schedule, self.point, self.location = schedule, point, location
        self.place(like)

    def place(self, like: ir.Operation) -> None:
        """From here on operations run at the stage and in the cluster of that one."""
        scheduled = like in self.schedule
        self.like = self.schedule[like] if scheduled else None

    def build(self, builder: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        """Calls a builder of `ttkit.dialects`; gives what it gives."""
        with self.location, self.point:
            made = builder(*arguments, **named)
        if self.like is not None:
            op = made.owner if isinstance(made, ir.Value) else made
            self.schedule.insert(op.operation, self.like.stage, self.like.cluster)
        return made
