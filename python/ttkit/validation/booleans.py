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
    negated = [part for part in found if part.head == "not"]
    if any(part.args[0] in found for part in negated):
        return truth(False)
    if len(found) > 1 and any(part.args[0].head == "and" for part in negated):
        shorter = _shorter(found)
        if shorter is not None:
            return both(*shorter)
    if not found:
        return truth(True)
    if len(found) == 1:
        return next(iter(found))
    return make("and", sorted(found, key=lambda t: t.number), None, "i1")


def _shorter(found: set[Term]) -> set[Term] | None:
    """Parts of the same conjunction, with a negated conjunction less or a shorter one; None if there is nothing to do.

    a and not (a and b) is a and not b; not a and not (a and b) is not a; not (a and b) and not (a and not b) is not a.
    """
    # In the order in which terms were made, so that the result does not depend on hashes.
    negated = sorted((one for one in found if one.head == "not" and one.args[0].head == "and"), key=lambda t: t.number)
    for part in negated:
        inner = part.args[0].args
        if any(negation(one) in found for one in inner):
            return found - {part}
        left = [one for one in inner if one not in found]
        if len(left) < len(inner):
            return found - {part} | {negation(both(*left))}
    for place, part in enumerate(negated):
        one = set(part.args[0].args)
        for other_part in negated[place + 1 :]:
            other = set(other_part.args[0].args)
            if len(one - other) == 1 and {negation(term) for term in one - other} == other - one:
                return found - {part, other_part} | {negation(both(*(one & other)))}
    return None


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
