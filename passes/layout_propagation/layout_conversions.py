"""Creating layout conversions."""

from mlir import ir

from ttkit.dialects import ttg
from ttkit.passes.infra.layout_inference import Encoding, LayoutInference
from ttkit.passes.infra.nesting import point_after


def insert_conversion(
    value: ir.Value,
    encoding: Encoding,
    location: ir.Location,
    layouts: LayoutInference,
    place: ir.InsertionPoint | None = None,
) -> ir.Value:
    """A conversion of `value` to another layout: at `place`, or right after its definition."""
    type = layouts.retyped(value.type, encoding)
    return ttg.convert_layout(value, type, loc=location, ip=place or point_after(value))
