"""Kinds of attributes: from Python values, for builders and setters, and to Python values, for accessors.

A kind is called with a value and a context and gives the attribute; attributes stay as they are.  Without a context it
takes the current one.
"""

import functools
from collections.abc import Callable
from importlib import import_module
from typing import Any

from mlir import ir


class Kind:
    """A kind of attribute.

    Attributes:
        make: gives the attribute of a Python value in a context.
        read: gives the Python value of an attribute.
    """

    __slots__ = ("make", "read")

    def __init__(
        self, make: Callable[[Any, ir.Context | None], ir.Attribute], read: Callable[[Any], Any] = lambda it: it
    ) -> None:
        self.make = make
        self.read = read

    def __call__(self, value: Any, context: ir.Context | None = None) -> ir.Attribute:
        return value if isinstance(value, ir.Attribute) else self.make(value, context)


def _value(attribute: Any) -> Any:
    return attribute.value


def integer(bits: int) -> Kind:
    """The kind of signless integers."""

    def make(value: int, context: ir.Context | None) -> ir.Attribute:
        """The attribute of a signless integer of so many bits."""
        return ir.IntegerAttr.get(ir.IntegerType.get_signless(bits, context), int(value))

    return Kind(make, _value)


@functools.cache
def _enum(name: str) -> Any:
    """An enumeration by its dialect and name; loaded on first use, since a member costs 10 us (x86-64, 2026-11)."""
    dialect, _, name = name.partition(".")
    return getattr(import_module(f"ttkit.dialects._{dialect}_enums"), name)


@functools.cache
def _number(enum: str, value: Any) -> int:
    return int(_enum(enum)(value))


def number(enum: str, bits: int) -> Kind:
    """The kind of an enumeration kept as an integer; takes a member, its spelling in the IR or its number."""

    def make(value: Any, context: ir.Context | None) -> ir.Attribute:
        """The attribute of the member's number."""
        return ir.IntegerAttr.get(ir.IntegerType.get_signless(bits, context), _number(enum, value))

    return Kind(make, lambda attribute: _enum(enum)(attribute.value))


def spelled(enum: str, text: str) -> Kind:
    """The kind of an enumeration kept as an attribute of its own, whose text has the spelling in it."""
    start, end = (len(part) for part in text.split("{}"))

    def make(value: Any, context: ir.Context | None) -> ir.Attribute:
        """The attribute of its text, with the member's spelling in it."""
        return ir.Attribute.parse(text.format(_enum(enum)(value)), context)

    return Kind(make, lambda attribute: _enum(enum)(str(attribute)[start : -end or None]))


def unit(context: ir.Context | None) -> ir.Attribute:
    """The attribute that is only there or not."""
    return ir.UnitAttr.get(context)


def _opaque(value: Any, context: ir.Context | None) -> ir.Attribute:
    raise TypeError(f"expected an ir.Attribute, not {value!r}")


def named(kind: str) -> Kind:
    """The kind of which the bindings know by its name in MLIR how attributes are made; read as attributes."""

    def make(value: Any, context: ir.Context | None) -> ir.Attribute:
        """The attribute that the bindings make of the value; without a builder of theirs only an attribute will do."""
        builder = ir.AttrBuilder.get(kind) if ir.AttrBuilder.contains(kind) else _opaque
        return builder(value, context)

    return Kind(make)


def _type(value: Any, context: ir.Context | None) -> ir.Attribute:
    """Raises TypeError for what is not a type."""
    if not isinstance(value, ir.Type):
        raise TypeError(f"expected an ir.Type, not {value!r}")
    return ir.TypeAttr.get(value)


any_attribute = Kind(_opaque)
i1, i8, i16, i32, i64 = map(integer, (1, 8, 16, 32, 64))
index = Kind(lambda value, context: ir.IntegerAttr.get(ir.IndexType.get(context), value), _value)
boolean = Kind(lambda value, context: ir.BoolAttr.get(bool(value), context), _value)
f64 = Kind(lambda value, context: ir.FloatAttr.get(ir.F64Type.get(context), value), _value)
string = Kind(ir.StringAttr.get, _value)
symbol = Kind(ir.FlatSymbolRefAttr.get, _value)
type_ = Kind(ir.TypeAttr.get, _value)
type_of = Kind(_type, _value)
i32_array = Kind(lambda value, context: ir.DenseI32ArrayAttr.get(list(value), context), tuple)
i64_array = Kind(lambda value, context: ir.DenseI64ArrayAttr.get(list(value), context), tuple)
array = Kind(lambda value, context: ir.ArrayAttr.get(list(value), context))
