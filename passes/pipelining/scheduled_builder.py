"""Building operations of a loop's body together with their place in its schedule."""

from mlir import ir

from ttkit.passes.infra.placed_builder import PlacedBuilder
from ttkit.passes.pipelining.schedule import Schedule


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
