"""Attributes of operations as values of Python, and locations as text."""

from __future__ import annotations

from typing import Any

from mlir import ir

from ttkit.interpreter.errors import InterpreterError


def attributes_of(op: ir.Operation) -> dict[str, Any]:
    """The values of an operation's attributes by name.

    Raises:
        InterpreterError: one is an array of elements that the bindings don't read, as in `array<i128: 1>`.
    """
    found = {}
    for name in op.attributes:
        try:
            found[name] = attribute_value(op.attributes[name])
        except TypeError as error:
            message = f"{op.name}: attribute '{name}' has elements of a type that is not supported"
            raise InterpreterError(f"{message}\n  at       {location_text(op.location)}") from error
    return found


def attribute_value(attribute: ir.Attribute) -> Any:
    """The Python value of a simple attribute; the attribute itself where there is none."""
    if isinstance(attribute, ir.BoolAttr):
        return bool(attribute.value)
    if isinstance(attribute, (ir.IntegerAttr, ir.FloatAttr, ir.StringAttr)):
        return attribute.value
    if isinstance(attribute, ir.UnitAttr):
        return True
    if isinstance(attribute, ir.FlatSymbolRefAttr):
        return attribute.value
    if isinstance(attribute, (ir.DenseI32ArrayAttr, ir.DenseI64ArrayAttr, ir.DenseBoolArrayAttr, ir.ArrayAttr)):
        return tuple(attribute_value(item) if isinstance(item, ir.Attribute) else item for item in attribute)
    return attribute


def location_text(location: ir.Location) -> str:
    """A location as `Instruction.location` has it: without the "loc(" and ")" around."""
    return str(location)[4:-1]
