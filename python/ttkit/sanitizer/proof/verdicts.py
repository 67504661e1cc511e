"""A verdict for each access of a kernel: it can't be out of bounds, it is for some sizes, or nobody knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mlir import ir

import ttkit.sanitizer.proof.solver as solver
from ttkit.interpreter.decode import Function, decode_module
from ttkit.sanitizer.proof.assumptions import Assumptions, expression, substituted
from ttkit.sanitizer.proof.meanings import HANDLERS
from ttkit.sanitizer.proof.polynomials import Poly, never_positive
from ttkit.sanitizer.proof.symbols import Access, Symbols
from ttkit.sanitizer.source_lines import Site, sites


@dataclass
class Verdict:
    """outcome: "proved", "outside" or "unknown"; by: what proved it, "bounds" or "z3"; reason: of the others."""

    kernel: str
    op: str
    argument: str | None
    site: list[Site]
    outcome: str
    by: str = ""
    reason: str = ""

    def __str__(self) -> str:
        where = f"{self.site[0]}: " if self.site else ""
        what = f"{self.op.removeprefix('tt.')} of {self.argument}" if self.argument else self.op.removeprefix("tt.")
        said = {
            "proved": f"cannot be out of bounds (by {self.by})",
            "outside": f"is out of bounds for {self.reason}",
            "unknown": f"don't know: {self.reason}",
        }[self.outcome]
        return f"{where}{what}: {said}"


def prove(module: ir.Module, assumptions: Assumptions) -> list[Verdict]:
    """Looks at every access of the kernel in a module of tt, without descriptors and block pointers
    (`triton-rewrite-tensor-pointer`).

    Integer arguments are taken not to be negative, those in sizes to be positive, and index arithmetic not to wrap.

    Raises:
        ValueError: an assumption is not an expression of the kernel's integer arguments, or uses none of them.
        InterpreterError: the module has no kernel, or several.
    """
    function = decode_module(module).public_function(None)
    names = integer_names(function)
    for name in assumptions.sizes:
        if name not in function.argument_names:
            known = ", ".join(function.argument_names)
            raise ValueError(f"the kernel has no argument '{name}', whose size is given; it takes {known}")
    given = assumptions.polynomials(names)
    symbols = Symbols(function, given, HANDLERS)
    facts = [*symbols.facts, *grid_facts(given, assumptions)]
    sizes = {name for text in assumptions.sizes.values() for name in expression(text, names)[0].variables & {*names}}
    facts += [Poly.of(1) - Poly.of(name) for name in sorted(sizes)]
    extents = {}
    for name, text in assumptions.sizes.items():
        extent, more = expression(text, names)
        extents[name] = substituted(extent, given)
        facts += [substituted(fact, given) for fact in more]
    return [verdict(access, function, symbols, facts, extents) for access in symbols.accesses]


def summary(verdicts: Sequence[Verdict]) -> str:
    """Number of accesses that are proved."""
    proved = sum(each.outcome == "proved" for each in verdicts)
    return f"{proved} of {len(verdicts)} accesses proved"


def integer_names(function: Function) -> list[str]:
    """The integer arguments of a kernel."""
    kinds = zip(function.argument_names, function.argument_types)
    return [
        name for name, kind in kinds if kind.element is not None and kind.pointee is None and kind.element.kind == "i"
    ]


def grid_facts(given: Mapping[str, Poly], assumptions: Assumptions) -> list[Poly]:
    """Facts about the grid."""
    facts: list[Poly] = []
    for axis, text in zip("xyz", assumptions.grid):
        if text is not None:
            count, more = expression(text, list(given))
            grid = Poly.of(f"grid.{axis}")
            facts += [substituted(fact, given) for fact in (*more, grid - count, count - grid)]
    return facts


def verdict(
    access: Access, function: Function, symbols: Symbols, facts: list[Poly], extents: Mapping[str, Poly]
) -> Verdict:
    """The verdict on one access."""
    op = access.op
    made = Verdict(function.name, op.name, None, list(sites(op.location, op.name)), "unknown")
    if access.argument is None:
        made.reason = "its pointer comes from no argument, or in a way that is not followed"
        return made
    made.argument = function.argument_names[access.argument]
    if access.offset is None:
        made.reason = "its index is not a polynomial"
        return made
    extent = extents.get(made.argument)
    if extent is None:
        made.reason = f"the size of {made.argument} is not given"
        return made
    held = [*facts, *(fact for condition in access.conditions for fact in condition.facts())]
    wrong = [-access.offset, access.offset - extent + 1]
    relevant = related(wrong, held)
    if all(never_positive(poly, relevant) for poly in wrong):
        made.outcome, made.by = "proved", "bounds"
        return made
    return by_solver(made, access, function, symbols, wrong, facts)


def by_solver(
    made: Verdict, access: Access, function: Function, symbols: Symbols, wrong: list[Poly], facts: list[Poly]
) -> Verdict:
    """The verdict of z3."""
    if not solver.is_installed():
        made.reason = "bounds alone do not show it; z3 may (pip install ttkit[prove])"
        return made
    conditions = [*access.conditions, *symbols.choices]
    found = solver.outside(wrong, facts, conditions, integer_names(function))
    if isinstance(found, bool):
        made.outcome, made.by = "proved", "z3"
    elif found is None:
        made.reason = "z3 does not find an answer in time"
    elif symbols.unknown & set(found) or not all(condition.is_exact for condition in conditions):
        made.reason = "it depends on values from memory, or on what is not followed"
    else:
        made.outcome, made.reason = "outside", described(access, function, found)
    return made


def described(access: Access, function: Function, numbers: Mapping[str, int]) -> str:
    """The case that z3 found, in words."""
    assert access.offset is not None
    sizes = [f"{name} = {numbers[name]}" for name in integer_names(function) if name in numbers]
    program = tuple(numbers.get(f"pid.{axis}", 0) for axis in "xyz")
    element = [numbers.get(name, 0) for name in access.index]
    offset = access.offset.value({**dict.fromkeys(access.offset.variables, 0), **numbers})
    index = f", element {element}" if element else ""
    name = function.argument_names[access.argument or 0]
    return f"{', '.join(sizes) or 'every size'}: program {program}{index} accesses {name}[{int(offset)}]"


def related(wrong: Sequence[Poly], facts: Sequence[Poly]) -> list[Poly]:
    """The facts that share variables with what is to be shown, directly or through others; the shortest first."""
    names = {name for poly in wrong for name in poly.variables}
    rest, found = list(facts), list[Poly]()
    while True:
        next_ones = [fact for fact in rest if fact.variables & names]
        if not next_ones:
            return sorted(found, key=lambda fact: len(fact.terms))
        found += next_ones
        rest = [fact for fact in rest if fact not in next_ones]
        names |= {name for fact in next_ones for name in fact.variables}
