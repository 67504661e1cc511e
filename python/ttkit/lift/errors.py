"""The error of an operation that Gluon can't say."""

from __future__ import annotations

from mlir import ir


class LiftError(ValueError):
    """An operation that Gluon has no words for."""

    def __init__(self, op: ir.Operation, reason: str) -> None:
        place = place_of(op.location)
        where = f"{place[0]}:{place[1]}: " if place else ""
        super().__init__(f"{where}{op.name} can't be written in Gluon: {reason}")


def place_of(location: ir.Location) -> tuple[str, int] | None:
    """File and line of a location, the innermost call first; None if it has none."""
    if location.is_a_file():
        return location.filename, location.start_line
    if location.is_a_name():
        return place_of(location.child_loc)
    if location.is_a_callsite():
        return place_of(location.callee)
    if location.is_a_fused():
        return next((place for each in location.locations if (place := place_of(each))), None)
    return None
