"""Rules for the axis facts (axis_info.py) of the results of operations.

A rule takes the operation, the type of its result, and the facts of its operands.  It gives the facts of the result,
or None if nothing is known, as of operations without a rule.

The rules are Triton 3.6's except where those claim what need not hold; such places say "Triton:".
"""

from collections.abc import Callable
from math import gcd
from typing import Any, NamedTuple

from mlir import ir

from ttkit.analysis.axis_info import MAX_DIVISOR, AxisInfo, Dims, power_of_two_divisor
from ttkit.analysis.integer_constants import in_width, signed, unsigned
from ttkit.declarations import declares
from ttkit.dialects._tt_types import PointerType
from ttkit.inspection import element_bits


class ValueType(NamedTuple):
    """The properties of a type for the rules."""

    shape: Dims
    """() for a scalar."""
    rank: int
    """1 for a scalar."""
    is_tensor: bool
    width: int
    """Bits of an integer element; 64 for index, 0 for others."""
    pointee_bytes: int
    """Bytes of the pointee of a pointer element, at least 1; 0 for others."""


Rule = Callable[..., AxisInfo | None]
RULES: dict[str, Rule] = {}


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Decorator: registers the rule for operations of these names.

    A rule takes (op, type of the result, facts of each operand) and gives None where nothing is known.
    """
    return declares(RULES, names)


def value_type(type: ir.Type) -> ValueType:
    """The properties of a type; slow, so the caller should cache them."""
    shape, is_tensor, element = (), False, type
    if isinstance(type, PointerType) and isinstance(type.pointee_type, ir.RankedTensorType):
        return ValueType((), type.pointee_type.rank, False, 0, 0)
    if isinstance(type, ir.RankedTensorType):
        shape, is_tensor, element = tuple(type.shape), True, type.element_type
    width = pointee_bytes = 0
    if isinstance(element, ir.IntegerType):
        width = element.width
    elif isinstance(element, ir.IndexType):
        width = 64
    elif isinstance(element, PointerType):
        pointee_bytes = max(1, element_bits(element.pointee_type) // 8)
    return ValueType(shape, len(shape) if is_tensor else 1, is_tensor, width, pointee_bytes)


# --- constants ---


def folded(
    result: ValueType, lhs: AxisInfo, rhs: AxisInfo, compute: Callable[[int, int], int], reads: Any = None
) -> AxisInfo | None:
    """The facts of the result if the operands are constant; None otherwise, or if there is no result."""
    a, b = lhs.constant_value, rhs.constant_value
    if a is None or b is None or not result.width:
        return None
    if reads is not None:
        a, b = reads(a, result.width), reads(b, result.width)
    try:
        return AxisInfo.constant(in_width(compute(a, b), result.width), result.shape)
    except (ArithmeticError, ValueError):  # division by 0, a negative shift
        return None


def constancies(lhs: AxisInfo, rhs: AxisInfo) -> Dims:
    """The lengths of runs, along each dimension, in which neither operand changes."""
    return tuple(map(gcd, lhs.constancy, rhs.constancy))


# --- sources ---


@rule("arith.constant")
def constant(op: Any, result: ValueType) -> AxisInfo | None:
    """A splat constant: its divisibility, and constancy over the whole shape."""
    attribute = of_each_element(op.attributes["value"])
    if isinstance(attribute, ir.BoolAttr):
        return AxisInfo.constant(int(attribute.value), result.shape)
    if isinstance(attribute, ir.IntegerAttr) and result.width:
        return AxisInfo.constant(unsigned(attribute.value, result.width), result.shape)
    return None


@rule("ub.poison")
def poison(op: Any, result: ValueType) -> AxisInfo:
    """Any facts hold for poison."""
    best = (MAX_DIVISOR,) * result.rank
    return AxisInfo(best, best, best)


def of_each_element(attribute: ir.Attribute) -> ir.Attribute | None:
    """The value of a constant scalar, or of each element of a constant tensor; None if they differ."""
    if not isinstance(attribute, ir.DenseElementsAttr):
        return attribute
    return attribute.get_splat_value() if attribute.is_splat else None


@rule("tt.make_range")
def make_range(op: Any, result: ValueType) -> AxisInfo:
    """Integers from `start` on, one more at each element."""
    start = op.attributes["start"].value
    # 32 bits, so a range from 0 is a multiple of 2^30 at most, as Triton has it.
    return AxisInfo(result.shape, (min(power_of_two_divisor(start), 1 << 30),), (1,))


@rule("tt.load")
def load(op: Any, result: ValueType, pointer: AxisInfo, *others: AxisInfo) -> AxisInfo:
    """Equal addresses under equal masks have equal values.  As in Triton, values under a false mask do not count."""
    constancy = pointer.constancy
    for other in others:
        constancy = tuple(map(gcd, constancy, other.constancy))
    ones = (1,) * len(constancy)
    return AxisInfo(ones, ones, constancy)


# --- views ---


@rule("arith.extui", "arith.extsi", "arith.trunci")
def cast(op: Any, result: ValueType, source: AxisInfo) -> AxisInfo:
    """Extended or truncated integers: a constant in the new type, else the facts of the source."""
    value = source.constant_value
    if value is None:
        return source
    from_width = value_type(op.in_.type).width
    if op.OPERATION_NAME == "arith.extsi":
        value = signed(value, from_width)
    elif op.OPERATION_NAME == "arith.extui":
        value = unsigned(value, from_width)
    value = in_width(value, result.width)
    return source if value == source.constant_value else AxisInfo.constant(value, result.shape)


@rule("ttg.convert_layout", "gluon.set_auto_layout")
def same(op: Any, result: ValueType, source: AxisInfo) -> AxisInfo:
    """The facts of the source."""
    return source


@rule("builtin.unrealized_conversion_cast")
def unrealized_cast(op: Any, result: ValueType, *sources: AxisInfo) -> AxisInfo | None:
    """The facts of the source, if it has the same rank; a struct, which is not a tensor, fits any rank."""
    number = (ir.RankedTensorType, ir.IntegerType, ir.IndexType, ir.FloatType, PointerType)
    fits = sources and (sources[0].rank == result.rank or not isinstance(op.results[0].type, number))
    return sources[0] if fits else None


@rule("tt.bitcast")
def bitcast(op: Any, result: ValueType, source: AxisInfo) -> AxisInfo:
    """Triton: neighbours stay neighbours where the pointee changes its size."""
    before = value_type(op.src.type).pointee_bytes
    if before == result.pointee_bytes:
        return source
    dims = range(source.rank)
    divisibility = tuple(source.divisibility_of_groups(d, 1, max(before, 1)) for d in dims)
    return AxisInfo((1,) * source.rank, divisibility, source.constancy)


@rule("tt.splat")
def splat(op: Any, result: ValueType, source: AxisInfo) -> AxisInfo:
    """One value in all elements, with the divisibility of the scalar."""
    rank = result.rank
    return AxisInfo((1,) * rank, source.divisibility[:1] * rank, result.shape, source.constant_value)


@rule("tt.expand_dims")
def expand_dims(op: Any, result: ValueType, source: AxisInfo) -> AxisInfo:
    """The facts of the source with one more dimension, of size one."""
    at = op.attributes["axis"].value
    if source.constant_value is not None:
        divisibility = power_of_two_divisor(source.constant_value)
    else:  # every single element is a group now
        divisibility = gcd(*(1 if c > 1 else k for c, k in zip(source.contiguity, source.divisibility, strict=True)))

    def insert(values: Dims, value: int) -> Dims:
        """The values with one more, at the new axis."""
        return (*values[:at], value, *values[at:])

    return AxisInfo(
        insert(source.contiguity, 1),
        insert(source.divisibility, divisibility),
        insert(source.constancy, 1),
        source.constant_value,
    )


@rule("tt.broadcast")
def broadcast(op: Any, result: ValueType, source: AxisInfo) -> AxisInfo:
    """The facts of the source; constant along dimensions that grow."""
    before = op.src.type.shape
    return AxisInfo(
        tuple(1 if n == 1 else c for n, c in zip(before, source.contiguity, strict=True)),
        source.divisibility,
        tuple(m if n == 1 else s for n, m, s in zip(before, result.shape, source.constancy, strict=True)),
        source.constant_value,
    )


@rule("tt.trans")
def trans(op: Any, result: ValueType, source: AxisInfo) -> AxisInfo:
    """The facts of the source with permuted dimensions."""
    order = list(op.attributes["order"])
    contiguity, divisibility, constancy = (tuple(values[d] for d in order) for values in source[:3])
    return AxisInfo(contiguity, divisibility, constancy, source.constant_value)
