"""Operations that many passes build, without the classes of their dialects: `arith.addi(a, b)`, `tt.splat(x, shape)`.

Each goes to the current insertion point, with the current location, and gives its result.  Results have the type of the
first operand where nothing else is said.
"""

from collections.abc import Sequence
from typing import Any

from mlir import ir

# In the order in which arith numbers them.
INTEGER_COMPARISONS = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
FLOAT_COMPARISONS = ("false", *"oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno".split(), "true")


def build(name: str, type: ir.Type, *operands: ir.Value, **attributes: ir.Attribute) -> ir.Value:
    """The result of an operation with one."""
    return ir.Operation.create(name, results=[type], operands=operands, attributes=attributes or None).results[0]


def with_element_type(type: ir.Type, element: ir.Type) -> ir.Type:
    """`element` with the shape and layout of `type`."""
    return (
        ir.RankedTensorType.get(type.shape, element, type.encoding)
        if isinstance(type, ir.RankedTensorType)
        else element
    )


def i32(value: int) -> ir.Attribute:
    """An attribute, such as the number of an enumeration's member."""
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(32), value)


def _compare(name: str, predicate: int, a: ir.Value, b: ir.Value) -> ir.Value:
    number = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), predicate)
    return build(name, with_element_type(a.type, ir.IntegerType.get_signless(1)), a, b, predicate=number)


class arith:
    """Operations of arith."""

    @staticmethod
    def constant(type: ir.Type, value: Any) -> ir.Value:
        """A number, splatted for a tensor type, or an attribute."""
        if not isinstance(value, ir.Attribute):
            integer = isinstance(type, (ir.IntegerType, ir.IndexType))
            value = ir.IntegerAttr.get(type, value) if integer else ir.FloatAttr.get(type, value)
        return build("arith.constant", type, value=value)

    @staticmethod
    def addi(a: ir.Value, b: ir.Value) -> ir.Value:
        return build("arith.addi", a.type, a, b)

    @staticmethod
    def subi(a: ir.Value, b: ir.Value) -> ir.Value:
        return build("arith.subi", a.type, a, b)

    @staticmethod
    def muli(a: ir.Value, b: ir.Value) -> ir.Value:
        return build("arith.muli", a.type, a, b)

    @staticmethod
    def divsi(a: ir.Value, b: ir.Value) -> ir.Value:
        return build("arith.divsi", a.type, a, b)

    @staticmethod
    def andi(a: ir.Value, b: ir.Value) -> ir.Value:
        return build("arith.andi", a.type, a, b)

    @staticmethod
    def addf(a: ir.Value, b: ir.Value) -> ir.Value:
        return build("arith.addf", a.type, a, b)

    @staticmethod
    def subf(a: ir.Value, b: ir.Value) -> ir.Value:
        return build("arith.subf", a.type, a, b)

    @staticmethod
    def truncf(type: ir.Type, value: ir.Value) -> ir.Value:
        return build("arith.truncf", type, value)

    @staticmethod
    def extf(type: ir.Type, value: ir.Value) -> ir.Value:
        return build("arith.extf", type, value)

    @staticmethod
    def extsi(type: ir.Type, value: ir.Value) -> ir.Value:
        return build("arith.extsi", type, value)

    @staticmethod
    def cmpi(predicate: str, a: ir.Value, b: ir.Value) -> ir.Value:
        """The comparison eq, ne, slt, sle, sgt, sge, ult, ule, ugt or uge."""
        return _compare("arith.cmpi", INTEGER_COMPARISONS.index(predicate), a, b)

    @staticmethod
    def cmpf(predicate: str, a: ir.Value, b: ir.Value) -> ir.Value:
        """The comparison oeq, ogt ... or uno, of floats."""
        return _compare("arith.cmpf", FLOAT_COMPARISONS.index(predicate), a, b)

    @staticmethod
    def select(condition: ir.Value, then: ir.Value, otherwise: ir.Value) -> ir.Value:
        return build("arith.select", then.type, condition, then, otherwise)


class tt:
    """Operations of tt.  Where `result` is a shape, the tensor has the element type of the source and no layout."""

    @staticmethod
    def splat(source: ir.Value, result: ir.Type | Sequence[int]) -> ir.Value:
        return build("tt.splat", _tensor(source.type, result), source)

    @staticmethod
    def broadcast(source: ir.Value, result: ir.Type | Sequence[int]) -> ir.Value:
        return build("tt.broadcast", _tensor(source.type, result), source)

    @staticmethod
    def reshape(source: ir.Value, result: ir.Type | Sequence[int]) -> ir.Value:
        return build("tt.reshape", _tensor(source.type, result), source)

    @staticmethod
    def expand_dims(source: ir.Value, axis: int) -> ir.Value:
        """`source`, a tensor without a layout, with a dimension of size one more."""
        shape = list(source.type.shape)
        shape.insert(axis, 1)
        return build("tt.expand_dims", _tensor(source.type, shape), source, axis=i32(axis))

    @staticmethod
    def make_range(start: int, end: int) -> ir.Value:
        type = ir.RankedTensorType.get([end - start], ir.IntegerType.get_signless(32))
        return build("tt.make_range", type, start=i32(start), end=i32(end))

    @staticmethod
    def addptr(pointer: ir.Value, offset: ir.Value) -> ir.Value:
        return build("tt.addptr", pointer.type, pointer, offset)


def _tensor(source: ir.Type, result: ir.Type | Sequence[int]) -> ir.Type:
    if isinstance(result, ir.Type):
        return result
    return ir.RankedTensorType.get(
        list(result), source.element_type if isinstance(source, ir.RankedTensorType) else source
    )
