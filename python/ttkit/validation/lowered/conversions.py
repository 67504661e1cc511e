"""Conversions between floats, in one form on both sides: which the hardware has, and which are exact."""

from __future__ import annotations

import numpy as np

import ttkit.validation.floats as floats
from ttkit.interpreter.values import DTYPES
from ttkit.validation.integers import number, width
from ttkit.validation.lowered.bits import bits, cast, join
from ttkit.validation.meanings.elementwise import literal
from ttkit.validation.terms import Term, make

EXACT_CONVERSIONS = ("arith.sitofp", "arith.uitofp", "arith.extf", "arith.truncf")


def number_converted(name: str, term: Term, sort: str) -> Term:
    """A known number as a float, rounded to the nearest one."""
    value = term.attr if term.sort[0] == "i" else floats.value_of(term)
    if name == "arith.uitofp":
        value &= (1 << width(term)) - 1
    with np.errstate(all="ignore"):
        return literal(np.asarray(value).astype(DTYPES[sort]), sort)


EIGHT_BITS = ("f8E4M3FN", "f8E5M2")


def of_eight_bits(term: Term, sort: str) -> Term:
    """A number of 8 bits as a wider one, which is exact: as f16, and from there.  f8E5M2 is the upper half of f16."""
    if term.sort == "f8E5M2":
        half = cast(join([number(0, "i8"), bits(term)]), "f16")
    else:
        half = make("call", (term,), ("widened",), "f16")
    if sort == "f16":
        return half
    wide = make("call", (half,), ("arith.extf", ()), "f32" if sort == "bf16" else sort)
    return make("call", (wide,), ("arith.truncf", ()), sort) if sort == "bf16" else wide


def to_eight_bits(term: Term, sort: str) -> Term | None:
    """A number as the nearest one of 8 bits: a function of f16 or f32."""
    if term.sort in EIGHT_BITS:
        term = of_eight_bits(term, "f16")
    if term.sort == "bf16":
        term = make("call", (term,), ("arith.extf", ()), "f32")
    return make("call", (term,), ("narrowed",), sort) if term.sort in ("f16", "f32") else None


WIDTHS = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}


def cut(term: Term, sort: str) -> Term:
    """A number rounded toward zero to a narrower type; what is cut off twice is cut off once."""
    if term.sort == "f64" and sort != "f32":
        term = cut(term, "f32")
    return make("call", (term,), ("cut",), sort)


def converted(term: Term, args: tuple[Term, ...]) -> Term | None:
    """A conversion between floats of 16 bits and more that rounds to the nearest number, as arith has it."""
    if args[0].sort in EIGHT_BITS and term.sort in WIDTHS:
        return of_eight_bits(args[0], term.sort)
    source, target = WIDTHS.get(args[0].sort), WIDTHS.get(term.sort)
    mode = dict(term.attr[1]).get("rounding")
    if term.sort in EIGHT_BITS and (mode is None or "1" in str(mode)):
        return to_eight_bits(args[0], term.sort)
    if str(mode) == "0" and source in (32, 64) and target is not None and target < source:
        return cut(args[0], term.sort)
    if source is None or target is None or source == target:
        return None
    if source < target:
        return make("call", args, ("arith.extf", ()), term.sort)
    return make("call", args, ("arith.truncf", ()), term.sort) if mode is None or "1" in str(mode) else None
