"""Rules by which each operation gives the axis facts (axis_info.py) of its result.

A rule takes the operation, the type of its result, and the facts of its operands.  It gives the facts of the result,
or None if nothing is known, as of operations without a rule.

The rules are Triton 3.6's except where those claim what need not hold; such places say "Triton:".
"""

from collections.abc import Callable
from math import gcd
from typing import Any, NamedTuple

from mlir import ir

from ttkit.analysis.axis_info import (
    MAX_DIVISOR,
    AxisInfo,
    Dims,
    common_divisibility,
    power_of_two_divisor,
    product,
)
from ttkit.analysis.integer_constants import (
    GREATER,
    GREATER_EQUAL,
    LESS,
    LESS_EQUAL,
    holds,
    in_width,
    signed,
    truncated_quotient,
    unsigned,
)
from ttkit.dialects._tt_types import PointerType


class ValueType(NamedTuple):
    """Properties of a type that the rules need."""

    shape: Dims
    """() for a scalar."""
    rank: int
    """1 for a scalar."""
    is_tensor: bool
    width: int
    """Bits of an integer element, 64 for index; 0 for others."""
    pointee_bytes: int
    """Of the element that a pointer element points to, at least 1; 0 for others."""


Rule = Callable[..., AxisInfo | None]
RULES: dict[str, Rule] = {}


def rule(*names: str) -> Callable[[Rule], Rule]:
    def add(function: Rule) -> Rule:
        RULES.update(dict.fromkeys(names, function))
        return function

    return add


def value_type(type: ir.Type) -> ValueType:
    """Reads a type; slow, so keep the answer."""
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
        pointee_bytes = max(1, bit_width(element.pointee_type) // 8)
    return ValueType(shape, len(shape) if is_tensor else 1, is_tensor, width, pointee_bytes)


def bit_width(type: ir.Type) -> int:
    """Bits of an integer, a float, or a pointer (64)."""
    return type.width if isinstance(type, (ir.IntegerType, ir.FloatType)) else 64


# --- constants ---


def folded(
    result: ValueType, lhs: AxisInfo, rhs: AxisInfo, compute: Callable[[int, int], int], reads: Any = None
) -> AxisInfo | None:
    """The result of constant operands; None if they are not, or give none."""
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
    return tuple(map(gcd, lhs.constancy, rhs.constancy))


# --- where values come from ---


@rule("arith.constant")
def constant(op: Any, result: ValueType) -> AxisInfo | None:
    attribute = op.attributes["value"]
    if isinstance(attribute, ir.DenseElementsAttr):
        if not attribute.is_splat:
            return None
        attribute = attribute.get_splat_value()
    if isinstance(attribute, ir.BoolAttr):
        return AxisInfo.constant(int(attribute.value), result.shape)
    if isinstance(attribute, ir.IntegerAttr) and result.width:
        return AxisInfo.constant(unsigned(attribute.value, result.width), result.shape)
    return None


@rule("ub.poison")
def poison(op: Any, result: ValueType) -> AxisInfo:
    """Nobody may look at it, so all may be claimed."""
    best = (MAX_DIVISOR,) * result.rank
    return AxisInfo(best, best, best)


@rule("tt.make_range")
def make_range(op: Any, result: ValueType) -> AxisInfo:
    start = op.attributes["start"].value
    # 32 bits, so a range from 0 is a multiple of 2^30 at most, as Triton has it.
    return AxisInfo(result.shape, (min(power_of_two_divisor(start), 1 << 30),), (1,))


@rule("tt.load")
def load(op: Any, result: ValueType, pointer: AxisInfo, *others: AxisInfo) -> AxisInfo:
    """Equal addresses under equal masks hold equal values.  Triton: looks at the mask and not at what replaces it."""
    constancy = pointer.constancy
    for other in others:
        constancy = tuple(map(gcd, constancy, other.constancy))
    ones = (1,) * len(constancy)
    return AxisInfo(ones, ones, constancy)


# --- views ---


@rule("arith.extui", "arith.extsi", "arith.trunci")
def cast(op: Any, result: ValueType, source: AxisInfo) -> AxisInfo:
    value = source.constant_value
    if value is None:
        return source
    from_width = value_type(op.operands[0].type).width
    if op.OPERATION_NAME == "arith.extsi":
        value = signed(value, from_width)
    elif op.OPERATION_NAME == "arith.extui":
        value = unsigned(value, from_width)
    value = in_width(value, result.width)
    return source if value == source.constant_value else AxisInfo.constant(value, result.shape)


@rule("ttg.convert_layout", "gluon.set_auto_layout")
def same(op: Any, result: ValueType, source: AxisInfo) -> AxisInfo:
    return source


@rule("builtin.unrealized_conversion_cast")
def unrealized_cast(op: Any, result: ValueType, *sources: AxisInfo) -> AxisInfo | None:
    return sources[0] if sources and sources[0].rank == result.rank else None


@rule("tt.bitcast")
def bitcast(op: Any, result: ValueType, source: AxisInfo) -> AxisInfo:
    """Triton: neighbours stay neighbours where the pointee changes its size."""
    before = value_type(op.operands[0].type).pointee_bytes
    if before == result.pointee_bytes:
        return source
    dims = range(source.rank)
    divisibility = tuple(source.divisibility_of_groups(d, 1, max(before, 1)) for d in dims)
    return AxisInfo((1,) * source.rank, divisibility, source.constancy)


@rule("tt.splat")
def splat(op: Any, result: ValueType, source: AxisInfo) -> AxisInfo:
    rank = result.rank
    return AxisInfo((1,) * rank, source.divisibility[:1] * rank, result.shape, source.constant_value)


@rule("tt.expand_dims")
def expand_dims(op: Any, result: ValueType, source: AxisInfo) -> AxisInfo:
    at = op.attributes["axis"].value
    if source.constant_value is not None:
        divisibility = power_of_two_divisor(source.constant_value)
    else:  # every single element is a group now
        divisibility = gcd(*(1 if c > 1 else k for c, k in zip(source.contiguity, source.divisibility, strict=True)))

    def insert(values: Dims, value: int) -> Dims:
        return (*values[:at], value, *values[at:])

    return AxisInfo(
        insert(source.contiguity, 1),
        insert(source.divisibility, divisibility),
        insert(source.constancy, 1),
        source.constant_value,
    )


@rule("tt.broadcast")
def broadcast(op: Any, result: ValueType, source: AxisInfo) -> AxisInfo:
    before = op.operands[0].type.shape
    return AxisInfo(
        tuple(1 if n == 1 else c for n, c in zip(before, source.contiguity, strict=True)),
        source.divisibility,
        tuple(m if n == 1 else s for n, m, s in zip(before, result.shape, source.constancy, strict=True)),
        source.constant_value,
    )


@rule("tt.trans")
def trans(op: Any, result: ValueType, source: AxisInfo) -> AxisInfo:
    order = list(op.attributes["order"])
    contiguity, divisibility, constancy = (tuple(values[d] for d in order) for values in source[:3])
    return AxisInfo(contiguity, divisibility, constancy, source.constant_value)


# --- arithmetic ---


@rule("arith.addi", "arith.subi", "tt.addptr")
def add(op: Any, result: ValueType, lhs: AxisInfo, rhs: AxisInfo) -> AxisInfo:
    """Triton: keeps the divisibility of both where the groups become smaller."""
    name = op.OPERATION_NAME
    known = folded(result, lhs, rhs, int.__sub__ if name == "arith.subi" else int.__add__)
    if known is not None:
        return known
    # A pointer counts bytes, and moves by pointees.
    size = max(result.pointee_bytes, 1) if name == "tt.addptr" else 1
    contiguity = tuple(map(gcd, lhs.contiguity, rhs.constancy))
    if name != "arith.subi":  # what is subtracted grows the wrong way
        contiguity = tuple(map(max, contiguity, map(gcd, lhs.constancy, rhs.contiguity)))
    divisibility = tuple(
        gcd(lhs.divisibility_of_groups(d, c, size), product(rhs.divisibility_of_groups(d, c), size))
        for d, c in enumerate(contiguity)
    )
    return AxisInfo(contiguity, divisibility, constancies(lhs, rhs))


@rule("arith.muli")
def multiply(op: Any, result: ValueType, lhs: AxisInfo, rhs: AxisInfo) -> AxisInfo:
    if 0 in (lhs.constant_value, rhs.constant_value):
        return AxisInfo.constant(0, result.shape)
    known = folded(result, lhs, rhs, int.__mul__)
    if known is not None:
        return known
    for factor, other in ((lhs, rhs), (rhs, lhs)):
        if factor.constant_value == 1:
            return AxisInfo(other.contiguity, other.divisibility, constancies(lhs, rhs))
    return AxisInfo((1,) * lhs.rank, tuple(map(product, of_elements(lhs), of_elements(rhs))), constancies(lhs, rhs))


def of_elements(info: AxisInfo) -> Dims:
    """Divisors of every element, not only of the first of each group: 1 if groups have more than one."""
    return tuple(1 if c > 1 else k for c, k in zip(info.contiguity, info.divisibility, strict=True))


@rule("arith.divsi", "arith.divui")
def divide(op: Any, result: ValueType, lhs: AxisInfo, rhs: AxisInfo) -> AxisInfo:
    """A contiguous dimension by a constant one gives equal groups: 0..7 / 4 is 0 0 0 0 1 1 1 1."""
    reads = signed if op.OPERATION_NAME == "arith.divsi" else unsigned
    known = folded(result, lhs, rhs, truncated_quotient, reads)
    if known is not None:
        return known
    constancy = list(constancies(lhs, rhs))
    for d in aligned_dimensions(result, lhs, rhs):
        constancy[d] = max(constancy[d], gcd(lhs.contiguity[d], lhs.divisibility[d], rhs.divisibility[d]))
    by = rhs.constant_value
    if by == 1:
        return AxisInfo(lhs.contiguity, lhs.divisibility, tuple(constancy))
    divisibility = (1,) * lhs.rank
    if lhs.constant_value == 0:
        divisibility = lhs.divisibility
    elif by is not None and (by := abs(reads(by, result.width))) and by & (by - 1) == 0:
        divisibility = tuple(k // by if c == 1 and k % by == 0 else 1 for c, k in zip(*lhs[:2], strict=True))
    return AxisInfo((1,) * lhs.rank, divisibility, tuple(constancy))


def aligned_dimensions(result: ValueType, lhs: AxisInfo, rhs: AxisInfo) -> list[int]:
    """The dimensions along which all of lhs is contiguous and all of rhs equal."""
    return [d for d, n in enumerate(result.shape) if lhs.contiguity[d] == n and rhs.constancy[d] == n]


@rule("arith.remsi", "arith.remui")
def remainder(op: Any, result: ValueType, lhs: AxisInfo, rhs: AxisInfo) -> AxisInfo:
    """Triton: keeps the divisibility of both where lhs is contiguous in part of the dimension."""
    reads = signed if op.OPERATION_NAME == "arith.remsi" else unsigned
    known = folded(result, lhs, rhs, lambda a, b: a - b * truncated_quotient(a, b), reads)
    if known is not None:
        return known
    if rhs.constant_value == 1:
        return AxisInfo.constant(0, result.shape)
    contiguity, divisibility = [1] * lhs.rank, [1] * lhs.rank
    for d in aligned_dimensions(result, lhs, rhs):
        contiguity[d] = gcd(lhs.contiguity[d], lhs.divisibility[d], rhs.divisibility[d])
    for d, c in enumerate(contiguity):
        if rhs.constancy[d] > 1:
            divisibility[d] = gcd(lhs.divisibility_of_groups(d, c), rhs.divisibility_of_groups(d, c))
    return AxisInfo(tuple(contiguity), tuple(divisibility), constancies(lhs, rhs))


@rule("arith.shli")
def shift_left(op: Any, result: ValueType, lhs: AxisInfo, rhs: AxisInfo) -> AxisInfo:
    """Triton: keeps the divisibility of contiguous groups under an unknown shift."""
    by = rhs.constant_value
    if by is not None and not 0 <= by < max(result.width, 1):
        return AxisInfo.unknown(lhs.rank)  # poison
    known = folded(result, lhs, rhs, int.__lshift__)
    if known is not None:
        return known
    if by == 0:
        return AxisInfo(lhs.contiguity, lhs.divisibility, constancies(lhs, rhs))
    divisibility = tuple(product(k, 1 << (by or 0)) for k in of_elements(lhs))
    return AxisInfo((1,) * lhs.rank, divisibility, constancies(lhs, rhs))


@rule("arith.shrsi", "arith.shrui")
def shift_right(op: Any, result: ValueType, lhs: AxisInfo, rhs: AxisInfo) -> AxisInfo:
    by, ones = rhs.constant_value, (1,) * lhs.rank
    if by is not None and not 0 <= by < max(result.width, 1):
        return AxisInfo.unknown(lhs.rank)  # poison
    reads = signed if op.OPERATION_NAME == "arith.shrsi" else unsigned
    known = folded(result, lhs, rhs, int.__rshift__, reads)
    if known is not None:
        return known
    if by is None:
        return AxisInfo(ones, ones, constancies(lhs, rhs))
    if by == 0:
        return AxisInfo(lhs.contiguity, lhs.divisibility, constancies(lhs, rhs))
    divisibility = tuple(1 if k % (1 << by) else k >> by for k in of_elements(lhs))
    return AxisInfo(ones, divisibility, constancies(lhs, rhs))


@rule("arith.andi", "arith.ori", "arith.xori")
def logical(op: Any, result: ValueType, lhs: AxisInfo, rhs: AxisInfo) -> AxisInfo:
    compute = {"arith.andi": int.__and__, "arith.ori": int.__or__, "arith.xori": int.__xor__}[op.OPERATION_NAME]
    known = folded(result, lhs, rhs, compute)
    ones = (1,) * lhs.rank
    return known if known is not None else AxisInfo(ones, ones, constancies(lhs, rhs))


@rule("arith.maxsi", "arith.maxui", "arith.minsi", "arith.minui")
def extremum(op: Any, result: ValueType, lhs: AxisInfo, rhs: AxisInfo) -> AxisInfo:
    a, b = lhs.constant_value, rhs.constant_value
    name = op.OPERATION_NAME
    if a is not None and b is not None and result.width:
        reads = signed if name.endswith("si") else unsigned
        pick = max if "max" in name else min
        return AxisInfo.constant(pick(a, b, key=lambda value: reads(value, result.width)), result.shape)
    return either(lhs, rhs)


def either(lhs: AxisInfo, rhs: AxisInfo, switches: Dims = ()) -> AxisInfo:
    """Each element is one of lhs or rhs; the choice is the same within groups of `switches`, or within all groups."""
    contiguity = whole = tuple(map(gcd, lhs.contiguity, rhs.contiguity))
    constancy = constancies(lhs, rhs)
    divisibility = tuple(common_divisibility(lhs, rhs, d) for d in range(lhs.rank))
    if switches:
        contiguity, constancy = tuple(map(gcd, whole, switches)), tuple(map(gcd, constancy, switches))
        # Triton: keeps the divisibility where the condition makes groups smaller.
        divisibility = tuple(
            k if c == before else gcd(k, c) for k, c, before in zip(divisibility, contiguity, whole, strict=True)
        )
    return AxisInfo(contiguity, divisibility, constancy)


@rule("arith.select")
def select(op: Any, result: ValueType, condition: AxisInfo, lhs: AxisInfo, rhs: AxisInfo) -> AxisInfo:
    if condition.constant_value is not None:
        return rhs if condition.constant_value == 0 else lhs
    if lhs.constant_value is not None and lhs.constant_value == rhs.constant_value:
        return AxisInfo.constant(lhs.constant_value, result.shape)
    is_scalar = isinstance(op.operands[0].type, ir.IntegerType)  # chooses one of the tensors
    return either(lhs, rhs, () if is_scalar else condition.constancy)


@rule("arith.cmpi")
def compare(op: Any, result: ValueType, lhs: AxisInfo, rhs: AxisInfo) -> AxisInfo | None:
    """Contiguous aligned groups lie on one side of an aligned bound: 0 1 2 3 4 5 6 7 < 4 is 1 1 1 1 0 0 0 0."""
    if not result.is_tensor:
        return None
    predicate = op.attributes["predicate"].value
    ones = (1,) * lhs.rank
    a, b = lhs.constant_value, rhs.constant_value
    if a is not None and b is not None and (width := value_type(op.operands[0].type).width):
        return AxisInfo(ones, ones, result.shape, int(holds(predicate, a, b, width)))
    constancy = list(constancies(lhs, rhs))
    for bounds, moving, predicates in ((lhs, rhs, GREATER | LESS_EQUAL), (rhs, lhs, LESS | GREATER_EQUAL)):
        if predicate not in predicates:
            continue
        for d, n in enumerate(result.shape):
            if bounds.constancy[d] == n:
                aligned = gcd(moving.contiguity[d], bounds.divisibility[d], moving.divisibility[d])
                constancy[d] = max(constancy[d], aligned)
    return AxisInfo(ones, ones, tuple(constancy))
