"""Passes that let programs without work leave early.

    body          =>     if condition { body }

Where the condition holds, the body must be what it was.  Elsewhere it must have done nothing before the pass: its loops
have no iterations then, and barriers are left that order nothing.
"""

from __future__ import annotations

from ttkit.interpreter.decode import Function, Instruction, Module
from ttkit.validation.booleans import negation
from ttkit.validation.comparison import Comparison
from ttkit.validation.comparisons import less
from ttkit.validation.iterations import order
from ttkit.validation.renumbered import Inside, anchors_of
from ttkit.validation.terms import Session, Term
from ttkit.validation.trip_counts import assume, loops_of
from ttkit.validation.walk import Limits, Outcome, Walk

BARRIER = ("gpu.barrier",)


def leaving(old: Function, new: Function) -> Instruction | None:
    """The branch that has all that a function does after a pass, and did not have it before; None without one."""
    sides = [one.body.blocks if one.body is not None else [] for one in (old, new)]
    if any(len(blocks) != 1 for blocks in sides):
        return None
    before, after = (anchors_of(blocks[0]) for blocks in sides)
    (branch,) = after if len(after) == 1 else (None,)
    if branch is None or branch.name != "scf.if" or branch.results or any(op.name == "scf.if" for op in before):
        return None
    return branch if not any(region.blocks for region in branch.regions[1:]) else None


def outcomes(before: Module, after: Module, name: str, branch: Instruction) -> tuple[Outcome, Outcome]:
    """The terms of both sides where the condition of the branch holds.

    Raises:
        NotModelled: something has no meaning here.
    """
    walk = Walk(before)
    walk.notes_claims = True
    return walk.function(before.functions[name]), under_condition(after, name, branch)[0]


def under_condition(after: Module, name: str, branch: Instruction) -> tuple[Outcome, Term]:
    """The terms of a function after the pass where the condition of the branch holds, and the condition.

    Raises:
        NotModelled: something has no meaning here.
    """
    walk = Inside(after, branch, branch.operands)
    return walk.function(after.functions[name]), walk.terms[branch.operands[0]]


def does_nothing(before: Module, after: Module, name: str, branch: Instruction) -> bool:
    """Whether a function does nothing before a pass where the condition of a branch after it does not hold.

    Raises:
        NotModelled: something has no meaning here.
    """
    function = before.functions[name]
    with Session():
        _, condition = under_condition(after, name, branch)
        for one in loops_of(before, function):
            if Comparison().never((negation(condition), less(*one[:2]))):
                assume(one, 0)
        order()
        found = Walk(before, Limits(unrolls=1)).function(function)
        return orders_nothing(found.memory) and all(access.args[1].head == "claim" for access in found.reads)


def orders_nothing(memory: Term) -> bool:
    """Whether nothing has been done but barriers."""
    while memory.head == "effect" and memory.attr[0] == BARRIER:
        memory = memory.args[0]
    return memory.head == "memory"
