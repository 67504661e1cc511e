"""Reductions in one form, whatever the order in which they combine.

`reduction` holds what a reduction combines, in one order; of largest and smallest numbers each once.  Where the kernel
reduces by an operation, all trees of that operation get this form, on both sides.
"""

from __future__ import annotations

import ttkit.validation.floats as floats
from ttkit.validation.integers import add, number
from ttkit.validation.terms import REBUILD, Term, at_bound, make

FLOAT_TREES = (*floats.COMMUTATIVE,)
IDEMPOTENT = (*floats.IDEMPOTENT, "maxsi", "minsi", "arith.maxui", "arith.minui", "arith.andi", "arith.ori")
CALLS = tuple(f"arith.{name}" for name in "andi ori xori maxui minui".split())
EXACT = (*CALLS, "maxsi", "minsi")
"""Operations of which all orders give the same."""


def tree_of(term: Term) -> str:
    """The operation whose trees have a form of their own, at the top of a term; empty if there is none."""
    if term.head in (*FLOAT_TREES, "maxsi", "minsi"):
        return term.head
    if term.head == "call" and term.attr[0] in CALLS:
        return str(term.attr[0])
    return ""


def reduction(name: str, args: tuple[Term, ...], sort: str) -> Term:
    """All that is combined, in one order."""
    flat: list[Term] = []
    for arg in args:
        flat += arg.args if arg.head == "reduction" and arg.attr == name else (arg,)
    if name in IDEMPOTENT:
        flat = list(dict.fromkeys(flat))
    return flat[0] if len(flat) == 1 else make("reduction", sorted(flat, key=lambda term: term.number), name, sort)


REBUILD["reduction"] = lambda args, attr, sort: reduction(attr, args, sort)


def operation_of(key: Term) -> str:
    """The operation of a region that combines two elements; empty if there is another one, or none."""
    if len(key.args) != 1:
        return ""
    [term] = key.args
    first, second = elements = [make("element", (), n, term.sort) for n in (0, 1)]
    if term.sort[0] == "i" and term.sort != "i1" and term is add(first, second):
        return "sum"
    return tree_of(term) if sorted(term.args, key=lambda one: one.number) == elements else ""


def parts_of_reduction(term: Term) -> list[Term] | None:
    """The terms that a reduction by one operation combines, or a scan at a known place; None of another one."""
    key, *rest = term.args
    size, level = term.attr[0], term.attr[-1]
    is_scan = term.head == "scan"
    here, bodies = (rest[0], rest[1:]) if is_scan else (None, rest)
    if not operation_of(key) or len(bodies) != 1 or bodies[0].level > level:
        return None  # it is inside of another one, which comes first
    if here is None:
        places = range(size)
    elif here.is_const:
        places = range(here.attr, size) if term.attr[1] else range(here.attr + 1)
    else:
        return None
    return [at_bound(bodies[0], size, level, number(n, "i32")) for n in places]


def combined(name: str, elements: list[Term], sort: str) -> Term:
    """The result of an operation on elements, in one order."""
    if name != "sum":
        return reduction(name, tuple(elements), sort)
    total = number(0, sort)
    for element in elements:
        total = add(total, element)
    return total
