"""Constants."""

from mlir import ir

from ttkit.passes.infra.rewriting import defining_name


def i32_attribute(value: int) -> ir.IntegerAttr:
    """`value : i32`, in the current context."""
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(32), value)


def constant_attribute(value: ir.Value) -> ir.Attribute | None:
    """The attribute of the arith.constant that defines `value`; None if another operation does."""
    if defining_name(value) != "arith.constant":
        return None
    return value.owner.attributes["value"]


def constant_splat_attribute(value: ir.Value) -> ir.Attribute | None:
    """The element of a splat constant *tensor*, as an integer or float attribute; None for other values."""
    attribute = constant_attribute(value)
    if not isinstance(attribute, ir.DenseElementsAttr) or not attribute.is_splat:
        return None
    return attribute.get_splat_value()


def constant_splat(value: ir.Value) -> int | float | None:
    """The number in all elements of `value`: a scalar constant, a splat constant tensor, or a tt.splat of a constant.

    Integers are signed, except i1, which is 0 or 1.
    """
    if defining_name(value) == "tt.splat":
        value = value.owner.src
    attribute = constant_splat_attribute(value) or constant_attribute(value)
    if isinstance(attribute, ir.BoolAttr):
        return int(attribute.value)
    return attribute.value if isinstance(attribute, (ir.FloatAttr, ir.IntegerAttr)) else None
