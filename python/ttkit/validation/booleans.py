"""Exact facts about booleans and choices: conjunctions are flat and sorted, a disjunction is a negated conjunction."""

from __future__ import annotations

from ttkit.validation.terms import REBUILD, Term, make


def truth(value: bool) -> Term:
    """A constant of type i1."""
    return make("const", (), int(value), "i1")


def negation(a: Term) -> Term:
    """not a"""
    if a.is_const:
        return truth(not a.attr)
    if a.head == "not":
        return a.args[0]
    return make("not", (a,), None, "i1")


def both(*parts: Term) -> Term:
    """The conjunction."""
    found: set[Term] = set()
    for part in parts:
        if part.is_const:
            if not part.attr:
                return part
            continue
        found.update(part.args if part.head == "and" else (part,))
    if any(negation(part) in found for part in found if part.head == "not"):
        return truth(False)
    if not found:
        return truth(True)
    if len(found) == 1:
        return next(iter(found))
    return make("and", sorted(found, key=lambda t: t.number), None, "i1")


def either(*parts: Term) -> Term:
    """The disjunction."""
    return negation(both(*map(negation, parts)))


def choose(condition: Term, a: Term, b: Term) -> Term:
    """condition ? a : b, of values or of memory."""
    if a is b:
        return a
    if condition.is_const:
        return a if condition.attr else b
    if condition.head == "not":
        return choose(condition.args[0], b, a)
    if a.head == "ite" and a.args[0] is condition:
        a = a.args[1]
    if b.head == "ite" and b.args[0] is condition:
        b = b.args[2]
    if a is b:
        return a
    if a.sort == "i1":
        if a.is_const and b.is_const:
            return condition if a.attr else negation(condition)
        if a.is_const:
            return either(condition, b) if a.attr else both(negation(condition), b)
        if b.is_const:
            return either(negation(condition), a) if b.attr else both(condition, a)
        if a is negation(b):  # exclusive or, in one order of its operands
            first, second = sorted((condition, b if b.head != "not" else a), key=lambda t: t.number)
            plain = make("ite", (first, negation(second), second), None, "i1")
            return plain if b.head != "not" else negation(plain)
    if a.head == "ite" and a.args[2] is b:  # c ? (d ? x : b) : b
        return choose(both(condition, a.args[0]), a.args[1], b)
    if a.head == "store" and a.sort == b.sort == "mem" and a.args[0] is b:
        memory, address, mask, value = a.args
        return make("store", (memory, address, both(mask, condition), value), a.attr, "mem")
    return make("ite", (condition, a, b), None, a.sort)


REBUILD.update(
    {
        "not": lambda args, attr, sort: negation(*args),
        "and": lambda args, attr, sort: both(*args),
        "ite": lambda args, attr, sort: choose(*args),
    }
)
