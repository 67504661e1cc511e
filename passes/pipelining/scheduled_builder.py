"""Building operations of a loop's body together with their place in its schedule."""

from mlir import ir

from ttkit.passes.infra.placed_builder import PlacedBuilder
from ttkit.passes.pipelining.schedule import Schedule


class ScheduledBuilder(PlacedBuilder):
    """Builds operations of a loop's body in front of `like`, each with the stage and cluster that `run_like` set last.

    Args:
        schedule: the schedule to which they are added.
        like: the operation whose stage and cluster, its `place`, they get; if it has none, they get none.
    """

    def __init__(self, schedule: Schedule, like: ir.Operation) -> None:
        super().__init__(ir.InsertionPoint(like), like.location, None)
        self.schedule = schedule
        self.run_like(like)

    def run_like(self, like: ir.Operation) -> None:
        """Gives further operations the stage and the cluster of `like`."""
        self.place = self.schedule[like][1:] if like in self.schedule else None

    def put(self, op: ir.Operation) -> None:
        """Schedules an operation."""
        if self.place is not None:
            self.schedule.insert(op, *self.place)
