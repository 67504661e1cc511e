"""Building operations of a loop's body together with their place in its schedule."""

from collections.abc import Sequence

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

    def build(
        self, name: str, results: Sequence[ir.Type], operands: Sequence[ir.Value], **attributes: ir.Attribute
    ) -> ir.Operation:
        """An operation with any number of results."""
        with self.location:
            op = ir.Operation.create(
                name, results=results, operands=operands, attributes=attributes or None, ip=self.point
            )
        if self.like is not None:
            self.schedule.insert(op, self.like.stage, self.like.cluster)
        return op

    def value(self, name: str, type: ir.Type, *operands: ir.Value, **attributes: ir.Attribute) -> ir.Value:
        """The result of an operation with one."""
        return self.build(name, [type], operands, **attributes).results[0]

    def constant(self, type: ir.Type, value: int) -> ir.Value:
        """An integer."""
        return self.value("arith.constant", type, value=ir.IntegerAttr.get(type, value))
