"""Loops as systems of equations: which values of two loops are pairs."""

from __future__ import annotations

from typing import Any

from ttkit.validation.terms import Term, free_symbols, make


def equations(system: Term) -> dict[Any, tuple[Term, Term]]:
    """By name, the first and the next value."""
    _, _, roots, names = system.attr
    rest = system.args[roots:]
    return {name: (rest[2 * n], rest[2 * n + 1]) for n, name in enumerate(names)}


def symbol_of(system: Term, level: int, name: Any) -> Term | None:
    """The symbol of a carried value, as a function of the index; None if nothing uses it."""
    for root in system.args:
        for part in free_symbols(root, level):
            if part.head == "carried" and part.attr[1] == name:
                index = [make("x", (), (d, 0)) for d in range(len(part.args))]  # `replaced` goes by the dimension
                return make("carried", index, part.attr, part.sort)
    return None


def paired(a: Term, b: Term, level: int, ones: dict[Any, Any], others: dict[Any, Any]) -> dict[Any, Any]:
    """Names of the first loop -> names of the second for what stands at the same places, or begins equal."""
    found: dict[Any, Any] = {name: name for name in ones if name in others}
    taken = set(found.values())
    queue = [(one, other) for one, other in zip(a.args[: a.attr[2]], b.args[: b.attr[2]])]
    queue += [(ones[name][1], others[name][1]) for name in found]
    seen = set()
    while queue:
        one, other = queue.pop()
        if one is other or (one, other) in seen or level not in one.loops or level not in other.loops:
            continue
        seen.add((one, other))
        if one.head == other.head == "carried" and one.attr[0] == other.attr[0] == level:
            n, m = one.attr[1], other.attr[1]
            if n not in found and m not in taken and n in ones and m in others:
                found[n] = m
                taken.add(m)
                queue.append((ones[n][1], others[m][1]))
        if one.head == other.head:
            queue.extend(zip(one.args, other.args))
    for name in ones:
        if name not in found:
            fits = [m for m in others if m not in taken and others[m][0] is ones[name][0]]
            if fits:
                found[name] = fits[0]
                taken.add(fits[0])
    return found
