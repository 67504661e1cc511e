"""Basic operations on float64, rounded in a direction: the nearest result, moved where it lies beyond the exact one.

What is exact is found with fractions, element by element.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from ttkit.interpreter.numerics.rounding import DOWN, F64, TOWARD_ZERO, UP, fused_multiply_add

Array = np.ndarray


def _sign(value: Fraction) -> int:
    return (value > 0) - (value < 0)


# Name -> the result rounded to nearest, and the sign of (exact - result) for finite operands.
OPERATIONS: dict[str, tuple[Callable[..., Array], Callable[..., int]]] = {
    "add": (np.add, lambda r, a, b: _sign(a + b - r)),
    "sub": (np.subtract, lambda r, a, b: _sign(a - b - r)),
    "mul": (np.multiply, lambda r, a, b: _sign(a * b - r)),
    "div": (np.divide, lambda r, a, b: _sign((a - r * b) * b)),
    "rcp": (lambda a: 1.0 / a, lambda r, a: _sign((1 - r * a) * a)),
    "sqrt": (np.sqrt, lambda r, a: _sign(a - r * r)),
    "fma": (fused_multiply_add, lambda r, a, b, c: _sign(a * b + c - r)),
}

TERMS: dict[str, Callable[..., tuple[float, ...]]] = {
    "add": lambda a, b: (a, b),
    "sub": lambda a, b: (a, -b),
    "fma": lambda a, b, c: (a * b, c),
}
"""Numbers whose sum an operation rounds, exact if that is zero."""


def directed(name: str, direction: str, *operands: Array) -> Array:
    """The result of a basic operation, rounded toward zero, down or up."""
    nearest, excess = OPERATIONS[name]
    operands = tuple(np.broadcast_arrays(*operands))

    def move(result: float, *values: float) -> float:
        """The float64 next to a result that was rounded to nearest, if the exact one lies on its other side."""
        if math.isnan(result) or not all(map(math.isfinite, values)):
            return result
        if math.isinf(result):
            by_zero = name in ("div", "rcp") and values[-1] == 0
            stays = direction == (UP if result > 0 else DOWN)
            return result if by_zero or stays else math.copysign(sys.float_info.max, result)
        if result == 0 and direction == DOWN and name in TERMS:
            beyond = excess(Fraction(0), *map(Fraction, values))
            if beyond == 0:  # of terms that cancel each other; zeros of one sign keep it
                return -0.0 if len({math.copysign(1, term) for term in TERMS[name](*values)}) == 2 else result
            return math.nextafter(0.0, -math.inf) if beyond < 0 else 0.0
        beyond = excess(Fraction(result), *map(Fraction, values))
        down = direction == DOWN or (direction == TOWARD_ZERO and (result > 0 or (result == 0 and beyond > 0)))
        if beyond and (beyond < 0) == down:
            return math.nextafter(result, -math.inf if down else math.inf)
        return result

    moved = np.frompyfunc(move, 1 + len(operands), 1)(nearest(*operands), *operands)
    return np.asarray(moved).astype(F64)
