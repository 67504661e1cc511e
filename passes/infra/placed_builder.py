"""Building operations together with their place: in the schedule of a loop, or in a partition of warps."""

from collections.abc import Callable
from typing import Any

from mlir import ir


class PlacedBuilder:
    """Builds operations that run in one place.

    Args:
        at: the insertion point; each operation goes after the previous one.
        location: the location of all of them.
        place: the place of all of them, which `put` records.
    """

    def __init__(self, at: ir.InsertionPoint, location: ir.Location, place: Any) -> None:
        self.at, self.location, self.place = at, location, place

    def __call__(self, builder: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        """Calls a builder of `ttkit.dialects` and returns its result."""
        with self.location, self.at:
            made = builder(*arguments, **named)
        op = made.owner if isinstance(made, (ir.Value, ir.OpResultList)) else made
        self.put(op.operation)
        return made

    def put(self, op: ir.Operation) -> None:
        """Records the place of an operation."""
        self.place.put(op)


def direct(builder: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """Calls a builder of `ttkit.dialects` as a `PlacedBuilder` does, but records no place."""
    return builder(*arguments, **named)
