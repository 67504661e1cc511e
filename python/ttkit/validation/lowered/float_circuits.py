"""Functions of one number of 32 or 64 bits that round floats: z3 says whether two are equal for all its values.

Integers are bit-vectors and floats are those of IEEE 754, with each conversion rounded once.  Numbers of 8 bits are
held as f16, which has all of them.  What a NaN looks like is not known: its bits are those of an unknown one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ttkit.validation.integers import width
from ttkit.validation.solver import encoder, is_installed
from ttkit.validation.terms import Term

STEPS = 40_000_000
"""z3's steps for one pair of functions: some 20 seconds (x86-64, 2026-11)."""
FORMATS = {"f16": (5, 11), "bf16": (8, 8), "f32": (8, 24), "f64": (11, 53), "f8E5M2": (5, 11), "f8E4M3FN": (5, 11)}
"""Bits of the exponent and of the mantissa, with its first one; those of f16 for numbers of 8 bits."""
LARGEST = {"f8E5M2": 57344.0, "f8E4M3FN": 448.0}
SMALLEST_NORMAL = 2.0**-6
"""The smallest normal number of f8E4M3FN.  Below it IEEE 754 with 4 bits of exponent has all, from there on with 5."""
NARROW, WIDE = (4, 4), (5, 4)
BIASES_APART = 8
"""The bias of WIDE less that of f8E4M3FN."""


class Unknown(Exception):
    """A part of a term has no meaning here."""


def equal_by_circuits(first: Term, second: Term, leaf: Term) -> bool:
    """Whether two functions of a number agree for all its values; NaNs are all the same."""
    if not is_installed():
        return False
    circuits = Circuits(leaf)
    z3 = circuits.z3
    try:
        one, other = circuits.bits_of(first), circuits.bits_of(second)
        same = one == other
        sort = float_sort(first) or float_sort(second)
        if sort:
            same = z3.Or(same, z3.And(circuits.is_nan(first, sort), circuits.is_nan(second, sort)))
    except Unknown:
        return False
    solver = z3.SolverFor("QF_FPBV")
    solver.set("rlimit", STEPS)
    solver.add(z3.Not(same), *circuits.claims)
    return bool(solver.check() == z3.unsat)


class Circuits:
    """Terms that are functions of one number, as z3 has them."""

    def __init__(self, leaf: Term) -> None:
        import z3  # type: ignore[import-untyped, unused-ignore]

        self.z3 = z3
        self.made: dict[Term, Any] = {}
        self.claims: list[Any] = []
        self.modes = {"rn": z3.RNE(), "rz": z3.RTZ()}
        self.number = z3.BitVec("number", width_of(leaf))
        self.leaf = leaf

    def of(self, root: Term) -> Any:
        """A term: a bit-vector, a condition, or a float.

        Raises:
            Unknown: it has no meaning here.
        """
        stack = [root]
        while stack:
            term = stack[-1]
            missing = [arg for arg in term.args if arg not in self.made] if term not in self.made else []
            if term is self.leaf:
                missing = []
            if missing:
                stack += missing
                continue
            stack.pop()
            if term not in self.made:
                self.made[term] = self._made(term)
        return self.made[root]

    def bits_of(self, term: Term) -> Any:
        """The bits of a term."""
        return self.of(term) if term.sort not in FORMATS else self._as_bits(term, self.of(term))

    def is_nan(self, term: Term, sort: str) -> Any:
        """When a term, or the float of a sort with its bits, is NaN."""
        value = term.args[0] if term.head == "bitcast" else term
        if value.sort == sort:
            return self.z3.fpIsNaN(self.of(value))
        return self.z3.fpIsNaN(self.from_bits(self.bits_of(term), sort))

    def _made(self, term: Term) -> Any:
        if term is self.leaf:
            return self.from_bits(self.number, term.sort) if term.sort in FORMATS else self.number
        args = [self.made[arg] for arg in term.args]
        if term.is_const and term.sort in FORMATS:
            return self.from_bits(self.z3.BitVecVal(term.attr, width_of(term)), term.sort)
        if term.head == "bitcast":
            bits = self._as_bits(term.args[0], args[0]) if term.args[0].sort in FORMATS else args[0]
            return self.from_bits(bits, term.sort) if term.sort in FORMATS else bits
        if term.head == "packed":
            return self.z3.Concat(*reversed(args))
        if term.head == "part":
            place, size = term.attr
            return self.z3.Extract(8 * size * (place + 1) - 1, 8 * size * place, args[0])
        if term.sort in FORMATS or any(arg.sort in FORMATS for arg in term.args):
            return self._of_floats(term, args)
        encode = encoder(term)
        if encode is None:
            raise Unknown
        return encode(self.z3, term, args)

    def _of_floats(self, term: Term, args: list[Any]) -> Any:
        z3, name = self.z3, str(term.head if term.head != "call" else term.attr[0])
        if name == "ite":
            return z3.If(*args)
        if name == "cmpf":
            return self._compared(term.attr, *args)
        if name in ("addf", "mulf") and len(args) == 2 and term.sort in ("f32", "f64"):
            return (z3.fpMul if name == "mulf" else z3.fpAdd)(self.modes["rn"], *args)
        if name == "negf":
            return z3.fpNeg(args[0])
        if name == "math.absf":
            return z3.fpAbs(args[0])
        if name in ("math.roundeven", "math.rint"):
            return z3.fpRoundToIntegral(self.modes["rn"], args[0])
        if name in ("arith.fptoui", "arith.fptosi"):
            return self._to_integer(term, args[0], name == "arith.fptosi")
        return self._converted(term, name, args[0])

    def _converted(self, term: Term, name: str, value: Any) -> Any:
        """A conversion between floats.

        Raises:
            Unknown: it is none, or one that may overflow a type of 8 bits.
        """
        source = term.args[0].sort
        if source not in FORMATS or term.sort not in FORMATS:
            raise Unknown
        mode = "rn"
        if name == "cut" or (name == "tt.fp_to_fp" and dict(term.attr[1]).get("rounding", "1") == "0"):
            mode = "rz"
        if name not in ("cut", "narrowed", "widened", "tt.fp_to_fp", "arith.extf", "arith.truncf"):
            raise Unknown
        if name == "arith.truncf" and (term.attr[1:] not in ((), ((),)) or term.sort in LARGEST):
            raise Unknown
        if term.sort in LARGEST:
            return self._eight_bits(value, term.sort, mode)
        return self.z3.fpToFP(self.modes[mode], value, self.format(term.sort))

    def _eight_bits(self, value: Any, sort: str, mode: str) -> Any:
        """A float rounded to 8 bits; what is beyond the largest number, infinities included, is the largest."""
        z3, here = self.z3, value.sort()
        limit, rounding = z3.FPVal(LARGEST[sort], here), self.modes[mode]
        value = z3.If(z3.fpGT(value, limit), limit, z3.If(z3.fpLT(value, z3.fpNeg(limit)), z3.fpNeg(limit), value))

        def rounded(bits: tuple[int, int]) -> Any:
            """To a format, as f16."""
            return z3.fpToFP(rounding, z3.fpToFP(rounding, value, z3.FPSort(*bits)), self.format("f16"))

        if sort == "f8E5M2":
            return rounded((5, 3))
        is_small = z3.fpLT(z3.fpAbs(value), z3.FPVal(SMALLEST_NORMAL, here))
        return z3.If(is_small, rounded(NARROW), rounded(WIDE))

    def _to_integer(self, term: Term, value: Any, signed: bool) -> Any:
        """A float without its fraction; an unknown number if it does not fit."""
        z3, bits = self.z3, width(term)
        low, high = (-(2.0 ** (bits - 1)), 2.0 ** (bits - 1)) if signed else (0.0, 2.0**bits)
        whole = z3.fpRoundToIntegral(self.modes["rz"], value)
        fits = z3.And(z3.fpGEQ(whole, z3.FPVal(low, value.sort())), z3.fpLT(whole, z3.FPVal(high, value.sort())))
        found = (z3.fpToSBV if signed else z3.fpToUBV)(self.modes["rz"], value, z3.BitVecSort(bits))
        return z3.If(fits, found, z3.FreshConst(z3.BitVecSort(bits)))

    def _compared(self, predicate: int, a: Any, b: Any) -> Any:
        """A comparison; those from 7 on hold for NaN too, but for `ord`."""
        z3 = self.z3
        unordered = z3.Or(z3.fpIsNaN(a), z3.fpIsNaN(b))
        if predicate in (7, 14):
            return z3.Not(unordered) if predicate == 7 else unordered
        by: dict[int, Callable[..., Any]] = {
            1: z3.fpEQ, 2: z3.fpGT, 3: z3.fpGEQ, 4: z3.fpLT, 5: z3.fpLEQ, 6: lambda a, b: z3.Not(z3.fpEQ(a, b)),
        }  # fmt: skip
        if predicate < 7:
            return z3.And(z3.Not(unordered), by[predicate](a, b))
        return z3.Or(unordered, by[predicate - 7](a, b))

    def format(self, sort: str) -> Any:
        """The sort of floats that holds those of a type."""
        return self.z3.FPSort(*FORMATS[sort])

    def from_bits(self, bits: Any, sort: str) -> Any:
        """The float with these bits."""
        z3 = self.z3
        if sort == "f8E5M2":
            return z3.fpBVToFP(z3.Concat(bits, z3.BitVecVal(0, 8)), self.format("f16"))
        if sort != "f8E4M3FN":
            return z3.fpBVToFP(bits, self.format(sort))
        sign, magnitude = z3.Extract(7, 7, bits), z3.Extract(6, 0, bits)
        moved = z3.ZeroExt(1, magnitude) + (BIASES_APART << 3)
        narrow, wide = (
            z3.fpToFP(self.modes["rn"], z3.fpBVToFP(z3.Concat(sign, part), z3.FPSort(*by)), self.format("f16"))
            for part, by in ((magnitude, NARROW), (moved, WIDE))
        )
        value = z3.If(z3.Extract(6, 3, bits) == 15, wide, narrow)
        return z3.If(magnitude == 127, z3.fpNaN(self.format("f16")), value)

    def _as_bits(self, term: Term, value: Any) -> Any:
        """The bits of a float; of NaN those of an unknown one."""
        z3 = self.z3
        if term is self.leaf:
            return self.number
        if term.sort == "f8E4M3FN":
            bits = self._e4m3(value)
        else:
            bits = z3.fpToIEEEBV(value)
            if term.sort == "f8E5M2":
                bits = z3.Extract(15, 8, bits)
        unknown = z3.FreshConst(z3.BitVecSort(width_of(term)))
        self.claims.append(z3.fpIsNaN(self.from_bits(unknown, term.sort)))
        return z3.If(z3.fpIsNaN(value), unknown, bits)

    def _e4m3(self, value: Any) -> Any:
        """The bits of a number that f8E4M3FN has."""
        z3 = self.z3
        narrow, wide = (z3.fpToIEEEBV(z3.fpToFP(self.modes["rn"], value, z3.FPSort(*by))) for by in (NARROW, WIDE))
        moved = z3.Extract(6, 0, z3.Extract(7, 0, wide) - (BIASES_APART << 3))
        is_small = z3.fpLT(z3.fpAbs(value), z3.FPVal(SMALLEST_NORMAL, value.sort()))
        return z3.If(is_small, narrow, z3.Concat(z3.Extract(8, 8, wide), moved))


def float_sort(term: Term) -> str:
    """The sort of floats of a term, or of what it has the bits of; empty if there is none."""
    sort = term.args[0].sort if term.head == "bitcast" else term.sort
    return sort if sort in FORMATS else ""


def width_of(term: Term) -> int:
    """Bits of a term's sort."""
    return {"bf16": 16, "f8E5M2": 8, "f8E4M3FN": 8}.get(term.sort) or int(term.sort[1:])
