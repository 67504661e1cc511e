"""Questions about integers and booleans that facts leave open, by z3: bit-vectors, and unknown numbers for all else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

from ttkit.validation.booleans import negation
from ttkit.validation.integers import LEAST, number, sum_of, width
from ttkit.validation.terms import Term, make, session

STEPS = 1_500_000
"""z3's steps for one question: some 0.4 seconds (x86-64, 2026-11), and the same answers on a busy machine."""


LARGEST_FACTOR = 1 << 12
"""Sums with larger factors may be meant to wrap."""


def is_installed() -> bool:
    """Whether z3 is there (`pip install ttkit[prove]`)."""
    return find_spec("z3") is not None


class Question:
    """Conditions, and what z3 makes of them.

    stands: the term whose unknown number a term that z3 does not look into gets; itself by default.
    sums_fit: whether sums of 32 bits are taken not to wrap, where they are linear and their factors are small.
    """

    def __init__(self, stands: Callable[[Term], Term] = lambda term: term, sums_fit: bool = False) -> None:
        import z3  # type: ignore[import-untyped, unused-ignore]

        self.z3, self.stands, self.sums_fit = z3, stands, sums_fit
        self.made: dict[Term, Any] = {}
        self.claims: list[Any] = []
        self.unknowns: dict[Term, Any] = {}

    def of(self, root: Term) -> Any:
        """A term for z3."""
        stack = [root]
        while stack:
            term = stack[-1]
            if term in self.made:
                stack.pop()
                continue
            inner = term.args if encoder(term) is not None else ()
            missing = [arg for arg in inner if arg not in self.made]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            self.made[term] = self._made(term)
        return self.made[root]

    def _made(self, term: Term) -> Any:
        encode = encoder(term)
        if encode is not None:
            found = encode(self.z3, term, [self.made[arg] for arg in term.args])
            if self.sums_fit and term.head == "poly" and term.sort == "i32":
                self._fits(term, found)
            return found
        stands = self.stands(term)
        if stands not in self.unknowns:
            self.unknowns[stands] = self._unknown(stands)
        return self.unknowns[stands]

    def _fits(self, term: Term, made: Any) -> None:
        """Takes a linear sum not to wrap."""
        products = sum_of(term)
        if all(len(key) < 2 and (not key or abs(factor) <= LARGEST_FACTOR) for key, factor in products.items()):
            bits = self.z3.SignExt
            exact = sum(factor * (bits(32, self.made[key[0]]) if key else 1) for key, factor in products.items())
            self.claims.append(bits(32, made) == exact)

    def _unknown(self, term: Term) -> Any:
        """An unknown number, with what is known of it."""
        z3, name = self.z3, f"t{term.number}"
        if term.sort == "i1":
            return z3.Bool(name)
        if term.sort[0] != "i":
            return z3.BitVec(name, 64)  # a float: only whether it is the same
        made = z3.BitVec(name, width(term))
        if term.head in ("x", "bound"):
            self.claims.append(z3.ULT(made, term.attr[1]))
        if term.head in LEAST:
            self.claims.append(made >= LEAST[term.head])
        if term.head == "trips":
            self._trips(term, made)
        return made

    def _trips(self, term: Term, made: Any) -> None:
        """Iterations of a loop: none if it does not begin; else each has an index below the upper bound."""
        z3 = self.z3
        lower, upper, step = (self.of(arg) for arg in term.args)
        bits = width(term)
        wide = [z3.SignExt(bits + 2, part) for part in (made, lower, upper, step)]
        trips, low, high, by = wide
        runs = z3.And(low < high, by > 0)
        self.claims += [made >= 0, z3.Implies(z3.Not(runs), made == 0)]
        self.claims.append(z3.Implies(runs, z3.And(low + (trips - 1) * by < high, high <= low + trips * by)))

    def unsatisfiable(self, conditions: Sequence[Term], steps: int = STEPS) -> bool | None:
        """Whether conditions never hold together; None if z3 does not know."""
        z3 = self.z3
        solver = z3.Solver()
        solver.set("rlimit", steps)
        made = [self.of(condition) for condition in conditions]
        made += [self.of(condition) for condition in facts()]
        solver.add(*made, *self.claims)
        answer = solver.check()
        self.model = solver.model() if answer == z3.sat else None
        return None if answer == z3.unknown else answer == z3.unsat


def facts() -> list[Term]:
    """The facts of the session, as conditions."""
    known = session().facts.items()
    lows = [negation(make("slt", (term, number(low, term.sort)), None, "i1")) for term, (low, _) in known]
    return lows + [negation(make("slt", (number(high, term.sort), term), None, "i1")) for term, (_, high) in known]


Encode = Callable[[Any, Term, "list[Any]"], Any]


def encoder(term: Term) -> Encode | None:
    """The function that makes a term for z3; None where it is an unknown number."""
    if term.head == "call":
        return _CALLS.get(term.attr[0]) if term.sort[0] == "i" and term.sort != "i1" else None
    if term.head == "const" and term.sort[0] != "i":
        return None
    if term.head == "ite" and term.sort[0] != "i":
        return None if term.sort == "mem" else _HEADS["ite"]
    return _HEADS.get(term.head)


UNKNOWABLE = ("ite", "const", "x", "bound", "argument", "carried", *LEAST)


def unknowns(root: Term) -> list[Term]:
    """Parts that z3 takes as unknown numbers, and that have operands."""
    found: list[Term] = []
    stack, seen = [root], set()
    while stack:
        term = stack.pop()
        if term in seen:
            continue
        seen.add(term)
        if encoder(term) is None:
            if term.args and term.head not in UNKNOWABLE:
                found.append(term)
            continue
        stack.extend(term.args)
    return found


def _constant(z3: Any, term: Term, args: list[Any]) -> Any:
    return z3.BoolVal(bool(term.attr)) if term.sort == "i1" else z3.BitVecVal(term.attr, width(term))


def _poly(z3: Any, term: Term, args: list[Any]) -> Any:
    total, place = z3.BitVecVal(0, width(term)), 0
    for factor, count in term.attr:
        product = z3.BitVecVal(factor, width(term))
        for part in args[place : place + count]:
            product = product * part
        place += count
        total = total + product
    return total


def _extended(signed: bool) -> Encode:
    def extend(z3: Any, term: Term, args: list[Any]) -> Any:
        """With high bits."""
        more = width(term) - width(term.args[0])
        return (z3.SignExt if signed else z3.ZeroExt)(more, args[0])

    return extend


def _divided(z3: Any, term: Term, args: list[Any], quotient: Any) -> Any:
    """All bits set where the divisor is 0, as the interpreter has it."""
    return z3.If(args[1] == 0, z3.BitVecVal(-1, width(term)), quotient)


_HEADS: dict[str, Encode] = {
    "const": _constant,
    "poly": _poly,
    "ite": lambda z3, term, args: z3.If(*args),
    "mul": lambda z3, term, args: args[0] * args[1],
    "divu": lambda z3, term, args: _divided(z3, term, args, z3.UDiv(*args)),
    "remu": lambda z3, term, args: z3.If(args[1] == 0, args[0], z3.URem(*args)),
    "eq": lambda z3, term, args: args[0] == args[1],
    "slt": lambda z3, term, args: args[0] < args[1],
    "ult": lambda z3, term, args: z3.ULT(*args),
    "minsi": lambda z3, term, args: z3.If(args[0] < args[1], args[0], args[1]),
    "maxsi": lambda z3, term, args: z3.If(args[0] < args[1], args[1], args[0]),
    "sext": _extended(True),
    "zext": _extended(False),
    "trunc": lambda z3, term, args: z3.Extract(width(term) - 1, 0, args[0]),
    "and": lambda z3, term, args: z3.And(*args),
    "not": lambda z3, term, args: z3.Not(args[0]),
}


def _rounded_quotient(up: bool) -> Encode:
    def divide(z3: Any, term: Term, args: list[Any]) -> Any:
        """A signed quotient rounded up, or down."""
        quotient = args[0] / args[1]
        rest = z3.SRem(*args)
        same_sign = (rest < 0) == (args[1] < 0)
        moved = z3.And(rest != 0, same_sign if up else z3.Not(same_sign))
        return _divided(z3, term, args, z3.If(moved, quotient + (1 if up else -1), quotient))

    return divide


_CALLS: dict[str, Encode] = {
    "arith.andi": lambda z3, term, args: args[0] & args[1],
    "arith.ori": lambda z3, term, args: args[0] | args[1],
    "arith.xori": lambda z3, term, args: args[0] ^ args[1],
    "arith.shli": lambda z3, term, args: args[0] << args[1],
    "arith.shrui": lambda z3, term, args: z3.LShR(args[0], args[1]),
    "arith.shrsi": lambda z3, term, args: args[0] >> args[1],
    "arith.divui": lambda z3, term, args: _divided(z3, term, args, z3.UDiv(*args)),
    "arith.divsi": lambda z3, term, args: _divided(z3, term, args, args[0] / args[1]),
    "arith.ceildivsi": _rounded_quotient(True),
    "arith.floordivsi": _rounded_quotient(False),
    "arith.remui": lambda z3, term, args: z3.If(args[1] == 0, args[0], z3.URem(*args)),
    "arith.remsi": lambda z3, term, args: z3.If(args[1] == 0, args[0], z3.SRem(*args)),
    "arith.maxui": lambda z3, term, args: z3.If(z3.ULT(*args), args[1], args[0]),
    "arith.minui": lambda z3, term, args: z3.If(z3.ULT(*args), args[0], args[1]),
}
