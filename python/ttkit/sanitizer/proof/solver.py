"""Questions that polynomials alone leave open, by z3: another proof, or sizes for which an access is outside."""

from __future__ import annotations

import math
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any, Literal

from ttkit.sanitizer.proof.conditions import Condition
from ttkit.sanitizer.proof.polynomials import Poly

STEPS = 8_000_000
"""z3's steps for one question: some two seconds (x86-64, 2026-11), and the same answers on a busy machine."""
SMALL = (2048, 1 << 31)
"""Largest sizes to look for, small ones first: they are easier to try."""


def is_installed() -> bool:
    """Whether z3 is there (`pip install ttkit[prove]`)."""
    return find_spec("z3") is not None


def outside(
    wrong: Sequence[Poly], facts: Sequence[Poly], conditions: Sequence[Condition], bounded: Sequence[str]
) -> dict[str, int] | Literal[False] | None:
    """Numbers for which one of `wrong` is positive, all facts are at most zero, and the conditions hold.

    Args:
        bounded: variables that are sizes.

    Returns:
        The numbers; False if there are none; None if z3 does not know.
    """
    import z3  # type: ignore[import-untyped, unused-ignore]

    variables: dict[str, Any] = {}

    def term(poly: Poly) -> Any:
        """The polynomial for z3, times a number that makes its factors integers: its sign is the same."""
        scale = math.lcm(*(factor.denominator for factor in poly.terms.values()))
        total: Any = z3.IntVal(0)
        for monomial, factor in poly.terms.items():
            part: Any = z3.IntVal(int(factor * scale))
            for name in monomial:
                if name not in variables:
                    variables[name] = z3.Int(name)
                part = part * variables[name]
            total = total + part
        return total

    def holds(condition: Condition) -> Any:
        """The condition for z3; what is not known may hold."""
        if condition.kind == "le":
            assert condition.poly is not None
            return term(condition.poly) <= 0
        if condition.kind in ("and", "or"):
            return (z3.And if condition.kind == "and" else z3.Or)([holds(part) for part in condition.parts])
        return z3.BoolVal(condition.kind != "false")

    claims = [term(fact) <= 0 for fact in facts] + [holds(condition) for condition in conditions]
    claims.append(z3.Or([term(poly) > 0 for poly in wrong]))
    claims += [variable >= 0 for variable in variables.values()]
    for most in SMALL:
        solver = z3.Solver()
        solver.set("rlimit", STEPS)
        solver.add(*claims, *[variables[name] < most for name in bounded if name in variables])
        answer = solver.check()
        if answer == z3.sat:
            model = solver.model()
            return {name: model.eval(each, model_completion=True).as_long() for name, each in variables.items()}
        if answer == z3.unknown:
            return None
    return False
