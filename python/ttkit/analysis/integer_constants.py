"""Arithmetic on integer constants of a given width.

Numbers are kept as Triton prints them: constants of the IR zero-extended, results as they come.  So an operation first
reads them in its own width, signed or not.
"""


def signed(value: int, width: int) -> int:
    """`value` modulo 2^width, read as two's complement."""
    value &= (1 << width) - 1
    return value - (1 << width) if value >> (width - 1) else value


def unsigned(value: int, width: int) -> int:
    """`value` modulo 2^width, in [0, 2^width)."""
    return value & ((1 << width) - 1)


def in_width(value: int, width: int) -> int:
    """`value` if it can be one of `width` bits, signed or not; else what is left of it in these."""
    return value if -(1 << (width - 1)) <= value < 1 << width else unsigned(value, width)


def truncated_quotient(a: int, b: int) -> int:
    """`a / b` rounded toward zero, as arith.divsi.  Raises ZeroDivisionError: `b` is 0."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


# Predicates of arith.cmpi by number; of pairs, the signed one first.
EQUAL, NOT_EQUAL = 0, 1
LESS, LESS_EQUAL, GREATER, GREATER_EQUAL = {2, 6}, {3, 7}, {4, 8}, {5, 9}


def holds(predicate: int, a: int, b: int, width: int) -> bool:
    """Whether `a` and `b`, integers of `width` bits, compare as an arith.cmpi of the predicate's number asks."""
    reads = unsigned if predicate in (EQUAL, NOT_EQUAL) or predicate >= 6 else signed
    a, b = reads(a, width), reads(b, width)
    if predicate in (EQUAL, NOT_EQUAL):
        return (a == b) == (predicate == EQUAL)
    if predicate in LESS | LESS_EQUAL:
        return a < b or (a == b and predicate in LESS_EQUAL)
    return a > b or (a == b and predicate in GREATER_EQUAL)
