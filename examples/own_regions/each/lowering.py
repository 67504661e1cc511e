"""What one thread does: the operations become those of llvm and nvvm."""

from typing import Any

from mlir import ir

from each.dialect import ClampOp, Limits, LimitsOp, MapOp
from ttkit.passes.lower.emitter import Emitter
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.registry import lowers, lowers_type
from ttkit.passes.lower.types import TypeConverter

ORDERED = {"gt": 2, "lt": 4}
"""Predicates of llvm.fcmp, which NaN does not satisfy."""


@lowers_type("each.limits")
def limits_type(types: TypeConverter, type: Limits) -> tuple[ir.Type, ...]:
    """low and high."""
    return (types.element(type.number),) * 2


@lowers("each.limits")
def limits(low: Lowering, op: LimitsOp, *given: ir.Value) -> tuple[ir.Value, ...]:
    """Those that are given, and the least and the largest number in place of others."""
    number, rest = op.result.type.number, iter(given)
    least, most = float("-inf"), float("inf")
    if isinstance(number, ir.IntegerType):
        least, most = -(1 << (number.width - 1)), (1 << (number.width - 1)) - 1
    others = (low.emit.constant(low.types.element(number), limit) for limit in (least, most))
    return tuple(next(rest) if limit is not None else other for limit, other in zip((op.low, op.high), others))


@lowers("each.clamp")
def clamp(low: Lowering, op: ClampOp, src: ir.Value, within: tuple[ir.Value, ...]) -> ir.Value:
    """min(max(src, low), high) for each register; NaN stays."""
    least, most = (low.elements.of_length(limit, low.elements.count(src)) for limit in within)
    src = low.emit.select(compare(low.emit, "lt", src, least), least, src)
    return low.emit.select(compare(low.emit, "gt", src, most), most, src)


def compare(emit: Emitter, how: str, lhs: ir.Value, rhs: ir.Value) -> ir.Value:
    """Whether lhs is less or greater than rhs; integers are signed."""
    if isinstance(lhs.type.element_type, ir.IntegerType):
        return emit.compare(f"s{how}", lhs, rhs)
    return emit.op("llvm.fcmp", emit.like(lhs, emit.i1), lhs, rhs, predicate=emit.integer(ORDERED[how]))


@lowers("each.map")
def map(low: Lowering, op: MapOp, *values: Any) -> Any:
    """The region, on the registers of all elements."""
    found = list(values)
    for _ in range(op.times.count):
        found = low.inline_region(op.body, found)
    return found if len(found) > 1 else found[0]
