"""Building operations of a loop's body together with their place in its schedule."""

from collections.abc import Callable
from typing import Any

from mlir import ir

from ttkit.passes.pipelining.schedule import Cluster, Schedule


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
        self.at: tuple[int, Cluster] | None = None
        if like in self.schedule:
            _, stage, cluster = self.schedule[like]
            self.place_at(stage, cluster)

    def place_at(self, stage: int, cluster: Cluster) -> None:
        """From here on operations run at a stage and in a cluster."""
        self.at = stage, cluster

    def build(self, builder: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        """Calls a builder of `ttkit.dialects`; gives what it gives."""
        with self.location, self.point:
            made = builder(*arguments, **named)
        if self.at is not None:
            op = made.owner if isinstance(made, (ir.Value, ir.OpResultList)) else made
            self.schedule.insert(op.operation, *self.at)
        return made
