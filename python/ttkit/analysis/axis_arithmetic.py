"""Rules for the axis facts of the results of arithmetic, see `axis_rules`."""

from math import gcd
from typing import Any

from mlir import ir

from ttkit.analysis.axis_info import AxisInfo, Dims, common_divisibility, product
from ttkit.analysis.axis_rules import RULES, ValueType, constancies, folded, rule, value_type
from ttkit.analysis.integer_constants import (
    GREATER,
    GREATER_EQUAL,
    LESS,
    LESS_EQUAL,
    holds,
    signed,
    truncated_quotient,
    unsigned,
)
from ttkit.analysis.signs import is_at_least_zero

__all__ = ["RULES"]


@rule("arith.addi", "arith.subi", "tt.addptr")
def add(op: Any, result: ValueType, lhs: AxisInfo, rhs: AxisInfo) -> AxisInfo:
    """As in Triton, the divisibility of both is kept if the groups become smaller."""
    name = op.OPERATION_NAME
    known = folded(result, lhs, rhs, int.__sub__ if name == "arith.subi" else int.__add__)
    if known is not None:
        return known
    # A pointer counts bytes, and moves by pointees.
    size = max(result.pointee_bytes, 1) if name == "tt.addptr" else 1
    contiguity = tuple(map(gcd, lhs.contiguity, rhs.constancy))
    if name != "arith.subi":  # the subtrahend grows in the other direction
        contiguity = tuple(map(max, contiguity, map(gcd, lhs.constancy, rhs.contiguity)))
    divisibility = tuple(
        gcd(lhs.divisibility_of_groups(d, c, size), product(rhs.divisibility_of_groups(d, c), size))
        for d, c in enumerate(contiguity)
    )
    return AxisInfo(contiguity, divisibility, constancies(lhs, rhs))


@rule("arith.muli")
def multiply(op: Any, result: ValueType, lhs: AxisInfo, rhs: AxisInfo) -> AxisInfo:
    """Runs of consecutive integers stay if the other operand is 1; divisibilities multiply."""
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
    """Divisors of every element, not only of the first of each group: 1 for groups of several elements."""
    return tuple(1 if c > 1 else k for c, k in zip(info.contiguity, info.divisibility, strict=True))


@rule("arith.divsi", "arith.divui")
def divide(op: Any, result: ValueType, lhs: AxisInfo, rhs: AxisInfo) -> AxisInfo:
    """Contiguous elements by equal ones give equal groups: 0..7 / 4 is 0 0 0 0 1 1 1 1."""
    reads = signed if op.OPERATION_NAME == "arith.divsi" else unsigned
    known = folded(result, lhs, rhs, truncated_quotient, reads)
    if known is not None:
        return known
    constancy = list(constancies(lhs, rhs))
    for d, size in aligned_groups(op, result, lhs, rhs):
        constancy[d] = max(constancy[d], size)
    by = rhs.constant_value
    if by == 1:
        return AxisInfo(lhs.contiguity, lhs.divisibility, tuple(constancy))
    divisibility = (1,) * lhs.rank
    if lhs.constant_value == 0:
        divisibility = lhs.divisibility
    elif by is not None and (by := abs(reads(by, result.width))) and by & (by - 1) == 0:
        divisibility = tuple(k // by if c == 1 and k % by == 0 else 1 for c, k in zip(*lhs[:2], strict=True))
    return AxisInfo((1,) * lhs.rank, divisibility, tuple(constancy))


def aligned_groups(op: Any, result: ValueType, lhs: AxisInfo, rhs: AxisInfo) -> list[tuple[int, int]]:
    """Dimensions with groups of several elements that pass no multiple of rhs, and the size of these groups.

    lhs is contiguous in a group, from a multiple of the size on, and rhs equal.  Triton knows the groups of dimensions
    that are contiguous as a whole, so not those of `(x % 512) // 64`, and takes any lhs as at least 0.
    """
    groups = []
    for d, n in enumerate(result.shape):
        size = gcd(lhs.contiguity[d], lhs.divisibility[d], rhs.divisibility[d], rhs.constancy[d])
        is_whole = lhs.contiguity[d] == n and rhs.constancy[d] == n
        if size > 1 and (is_whole or op.OPERATION_NAME.endswith("ui") or is_at_least_zero(op.lhs)):
            groups.append((d, size))
    return groups


@rule("arith.remsi", "arith.remui")
def remainder(op: Any, result: ValueType, lhs: AxisInfo, rhs: AxisInfo) -> AxisInfo:
    """As in Triton, the divisibility of both is kept in smaller groups."""
    reads = signed if op.OPERATION_NAME == "arith.remsi" else unsigned
    known = folded(result, lhs, rhs, lambda a, b: a - b * truncated_quotient(a, b), reads)
    if known is not None:
        return known
    if rhs.constant_value == 1:
        return AxisInfo.constant(0, result.shape)
    contiguity, divisibility = [1] * lhs.rank, [1] * lhs.rank
    for d, size in aligned_groups(op, result, lhs, rhs):
        contiguity[d] = size
    for d, c in enumerate(contiguity):
        if rhs.constancy[d] > 1:
            divisibility[d] = gcd(lhs.divisibility_of_groups(d, c), rhs.divisibility_of_groups(d, c))
    return AxisInfo(tuple(contiguity), tuple(divisibility), constancies(lhs, rhs))


@rule("arith.shli")
def shift_left(op: Any, result: ValueType, lhs: AxisInfo, rhs: AxisInfo) -> AxisInfo:
    """As in Triton, the divisibility of contiguous groups is kept under an unknown shift."""
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
    """Division by 2^n, rounded down: the divisibility is divided too."""
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
    """A constant if both operands are, else runs in which neither changes."""
    compute = {"arith.andi": int.__and__, "arith.ori": int.__or__, "arith.xori": int.__xor__}[op.OPERATION_NAME]
    known = folded(result, lhs, rhs, compute)
    ones = (1,) * lhs.rank
    return known if known is not None else AxisInfo(ones, ones, constancies(lhs, rhs))


@rule("arith.maxsi", "arith.maxui", "arith.minsi", "arith.minui")
def extremum(op: Any, result: ValueType, lhs: AxisInfo, rhs: AxisInfo) -> AxisInfo:
    """A minimum or maximum: constants fold; else the weaker facts of both."""
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
        # As in Triton, the divisibility is kept if the condition makes groups smaller.
        divisibility = tuple(
            k if c == before else gcd(k, c) for k, c, before in zip(divisibility, contiguity, whole, strict=True)
        )
    return AxisInfo(contiguity, divisibility, constancy)


@rule("arith.select")
def select(op: Any, result: ValueType, condition: AxisInfo, lhs: AxisInfo, rhs: AxisInfo) -> AxisInfo | None:
    """The facts of the chosen operand if the condition is constant, else those that hold for both."""
    if lhs.rank != rhs.rank:  # of structs, which casts make of tensors
        return None
    if condition.constant_value is not None:
        return rhs if condition.constant_value == 0 else lhs
    if lhs.constant_value is not None and lhs.constant_value == rhs.constant_value:
        return AxisInfo.constant(lhs.constant_value, result.shape)
    is_scalar = isinstance(op.condition.type, ir.IntegerType)  # chooses one of the tensors
    return either(lhs, rhs, () if is_scalar else condition.constancy)


@rule("arith.cmpi")
def compare(op: Any, result: ValueType, lhs: AxisInfo, rhs: AxisInfo) -> AxisInfo | None:
    """Contiguous aligned groups are on one side of an aligned bound: 0 1 2 3 4 5 6 7 < 4 is 1 1 1 1 0 0 0 0."""
    if not result.is_tensor:
        return None
    predicate = op.attributes["predicate"].value
    ones = (1,) * lhs.rank
    a, b = lhs.constant_value, rhs.constant_value
    if a is not None and b is not None and (width := value_type(op.lhs.type).width):
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
