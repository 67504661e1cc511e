"""Exact facts about floats; everything else about them is an uninterpreted function.

Commutative operations have their operands in one order.  A subtraction is the sum with the negated number.  Signs move
out of products, x * 2 is x + x, and a quotient by a power of two is a product.  Operations that leave every number as
it is (x * 1, x + -0) are left out.  NaNs are all the same.
"""

from __future__ import annotations

import math
import struct
from typing import Any

import numpy as np

from ttkit.interpreter.values import DTYPES
from ttkit.validation.booleans import truth
from ttkit.validation.terms import REBUILD, Term, make

COMMUTATIVE = ("addf", "mulf", "maximumf", "minimumf", "maxnumf", "minnumf")
IDEMPOTENT = ("maximumf", "minimumf", "maxnumf", "minnumf")
_BITS = {1: "B", 2: "H", 4: "I", 8: "Q"}


def constant(value: np.generic | float, sort: str) -> Term:
    """A constant of a type of floats, by its bits."""
    array = np.asarray(value).astype(DTYPES[sort])
    return make("const", (), struct.unpack(f"<{_BITS[array.itemsize]}", array.tobytes())[0], sort)


def value_of(term: Term) -> Any:
    """The number that a constant is."""
    dtype = DTYPES[term.sort]
    return np.frombuffer(struct.pack(f"<{_BITS[dtype.itemsize]}", term.attr), dtype)[0]


def negated(a: Term) -> Term:
    """-a"""
    if a.is_const:
        return constant(-value_of(a), a.sort)
    return a.args[0] if a.head == "negf" else make("negf", (a,), None, a.sort)


def binary(name: str, a: Term, b: Term) -> Term:
    """The operation arith.NAME of two floats."""
    if name == "subf":
        return binary("addf", a, negated(b))
    if name == "mulf":
        return _product(a, b)
    if name == "divf":
        return _quotient(a, b)
    if name == "addf":
        for one, other in ((a, b), (b, a)):
            if other.is_const and value_of(other) == 0 and np.signbit(value_of(other)):
                return one
        if a.head == b.head == "negf":  # -(x + y), but of zeros: -0 + -0 = -0, and so is -(0 + 0)
            return _sorted("addf", a, b)
    if name in IDEMPOTENT and a is b:
        return a
    if name in COMMUTATIVE:
        return _sorted(name, a, b)
    return make(name, (a, b), None, a.sort)


def _sorted(name: str, a: Term, b: Term) -> Term:
    return make(name, sorted((a, b), key=lambda t: t.number), None, a.sort)


def _product(a: Term, b: Term) -> Term:
    for one, other in ((a, b), (b, a)):
        if other.is_const and value_of(other) in (1.0, -1.0):
            return one if value_of(other) == 1.0 else negated(one)
        if other.is_const and value_of(other) in (2.0, -2.0):
            double = binary("addf", one, one)
            return double if value_of(other) == 2.0 else negated(double)
        if one.head == "negf" and not other.is_const:
            return negated(_product(one.args[0], other))
    return _sorted("mulf", a, b)


def _quotient(a: Term, b: Term) -> Term:
    if b.is_const and value_of(b) in (1.0, -1.0):
        return a if value_of(b) == 1.0 else negated(a)
    if b.is_const and (exact := _reciprocal(value_of(b))) is not None:
        return _product(a, constant(exact, a.sort))
    return make("divf", (a, b), None, a.sort)


def _reciprocal(number: Any) -> Any:
    """1 / number for a power of two whose reciprocal the type has, too: quotients by it are products, rounded once."""
    with np.errstate(all="ignore"):
        found = type(number)(1.0 / float(number)) if number else number
        is_power = abs(math.frexp(float(number))[0]) == 0.5
        return found if is_power and np.isfinite(found) and float(found) * float(number) == 1 else None


# Predicates of arith.cmpf whose operands change places: > becomes <, >= becomes <=.
_SWAPPED = {2: 4, 3: 5, 9: 11, 10: 12}
_SYMMETRIC = (1, 6, 7, 8, 13, 14)


def compare(predicate: int, a: Term, b: Term) -> Term:
    """arith.cmpf: false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true."""
    if predicate in (0, 15):
        return truth(predicate == 15)
    if predicate in _SWAPPED:
        predicate, a, b = _SWAPPED[predicate], b, a
    if predicate in _SYMMETRIC and a.number > b.number:
        a, b = b, a
    return make("cmpf", (a, b), predicate, "i1")


REBUILD["negf"] = lambda args, attr, sort: negated(*args)
REBUILD["cmpf"] = lambda args, attr, sort: compare(attr, *args)
for _name in ("addf", "mulf", "divf", *IDEMPOTENT):
    REBUILD[_name] = lambda args, attr, sort, name=_name: binary(name, *args)  # type: ignore[misc]
