"""The same bits in another type of that size, moved to where numbers are read."""

from __future__ import annotations

from ttkit.interpreter.values import DTYPES
from ttkit.validation.booleans import choose
from ttkit.validation.integers import wrapped
from ttkit.validation.terms import REBUILD, Term, make, session


def recast(term: Term, sort: str) -> Term:
    """The bits of a term as another sort of its size."""
    if term.sort == sort:
        return term
    known = session().casts[sort]
    found = known.get(term)
    if found is None:
        found = known[term] = _recast(term, sort)
    return found


def _recast(term: Term, sort: str) -> Term:
    if term.head == "bitcast":
        return recast(term.args[0], sort)
    if term.head == "undefined":
        return make("undefined", [recast(arg, sort) for arg in term.args if arg.sort == term.sort], term.attr, sort)
    if "i1" in (term.sort, sort):
        return make("bitcast", (term,), None, sort)
    if term.is_const:
        size = 8 * int(DTYPES[sort].itemsize)
        bits = term.attr & ((1 << size) - 1)
        return make("const", (), wrapped(bits, size) if sort[0] == "i" else bits, sort)
    if term.head == "ite":
        return choose(term.args[0], recast(term.args[1], sort), recast(term.args[2], sort))
    return make("bitcast", (term,), None, sort)


REBUILD["bitcast"] = lambda args, attr, sort: recast(args[0], sort)
