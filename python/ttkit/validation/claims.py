"""Conditions that operations take to hold: assumptions, divisors that are not zero, exact divisions without a rest.

A walk keeps them as it keeps reads, with the condition under which the operation happens.  After a pass each must be
one of before, or follow from the path and from what is assumed before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ttkit.interpreter.decode import Instruction
from ttkit.operation_sets import ASSERTIONS, DIVISIONS, SIGNED_DIVISIONS
from ttkit.validation.booleans import both, either, negation
from ttkit.validation.comparisons import equal, less
from ttkit.validation.integers import number, width
from ttkit.validation.terms import Term, make
from ttkit.validation.values import NotModelled

Claim = tuple[str, str]
"""The name of an operation, and the kind of what it takes to hold."""
HOLDS, DIVISOR, EXACT = "holds", "divisor", "exact"
"""Claims that are conditions: of an assume its operand, of a division that it has a result, and no rest."""
ASSUME = "llvm.intr.assume"
REASONS = {
    HOLDS: "assumes what is not known to hold",
    DIVISOR: "may divide by zero or overflow where it did not before",
    EXACT: "promises exact, which is not known to hold",
}


def claims_of(op: Instruction, args: tuple[Any, ...]) -> Iterator[tuple[str, Term]]:
    """Conditions that an operation takes to hold, each with its kind: a key of REASONS."""
    if op.name == ASSUME:
        yield HOLDS, args[0]
    if op.name in DIVISIONS and args[0].sort != "i1":
        a, b = args
        yield DIVISOR, negation(equal(b, number(0, b.sort)))
        if op.name in SIGNED_DIVISIONS:
            least = number(-1 << (width(a) - 1), a.sort)
            yield DIVISOR, negation(both(equal(b, number(-1, b.sort)), equal(a, least)))
    if op.attributes.get("isExact") is True and args[0].sort != "i1":
        yield EXACT, no_rest(op.name, *args)


def no_rest(name: str, a: Term, b: Term) -> Term:
    """Whether an exact division or shift leaves none."""
    from ttkit.validation.meanings.elementwise import call_again

    if name.startswith("arith.shr"):
        shifted = call_again((a, b), (name, ()), a.sort)
        return equal(call_again((shifted, b), ("arith.shli", ()), a.sort), a)
    rest = "arith.remui" if name == "arith.divui" else "arith.remsi"
    return equal(call_again((a, b), (rest, ()), a.sort), number(0, a.sort))


def note_claims(walk: Any, op: Instruction, args: tuple[Any, ...]) -> None:
    """Notes what an operation takes to hold.

    It does so only if the assertions before it have held: their conditions are part of that of the claim.

    Raises:
        NotModelled: an assumption about more than a condition.
    """
    if op.name == ASSUME and len(args) > 1:
        raise NotModelled("an assumption with operand bundles", op)
    path = both(walk.path, *walk.asserted)
    for claim in noted(path, op, args):
        walk.reads.setdefault(claim, op)
    if op.name in ASSERTIONS and not walk.level:
        walk.asserted = (*walk.asserted, asserted(walk.path, args[0]))


def asserted(path: Term, condition: Term) -> Term:
    """Whether an assertion lets the program go on; of a tensor's elements an unknown boolean."""
    if condition.indexed or path.indexed:
        condition = make("call", (make("closed", (condition,), "all", "i1"),), ("all", ()), "i1")
    return either(negation(path), condition)


def noted(path: Term, op: Instruction, args: tuple[Any, ...]) -> Iterator[Term]:
    """The claims of an operation that are not plain, as terms like those of reads."""
    for kind, condition in claims_of(op, args):
        if not (condition.is_const and condition.attr) and not (path.is_const and not path.attr):
            yield make("access", (path, make("claim", (condition,), (op.name, kind), "i1")), None, "i1")


def held_in(accesses: Iterable[Term]) -> Iterator[Term]:
    """The conditions that hold outside of loops, because without them behaviour is not defined."""
    for path, claim in (access.args for access in accesses):
        if claim.head == "claim" and not is_poison(claim):
            yield negation(both(path, negation(claim.args[0])))


def reason_of(claim: Term) -> str:
    """Why a claim leaves a proof open."""
    return REASONS[claim.attr[1]]


def is_poison(claim: Term) -> bool:
    """Whether it is a value without definition that breaks a claim, which matters where the value is used alone."""
    return claim.head == "claim" and claim.attr[1] == EXACT


def claim_in(access: Term) -> tuple[Term | None, tuple[Term, ...]]:
    """The claim of what is noted as reads are, None if it is a read, and when it is made; loops are looked into."""
    given: list[Term] = []
    while True:
        condition, of = access.args
        given.append(condition)
        if of.head != "system":
            return (of if of.head == "claim" else None), tuple(given)
        level, kind, roots = of.attr[:3]
        if kind != "while":
            given.append(less(make("count", (), (level,), of.args[0].sort), of.args[0]))
        access = of.args[roots - 1]
