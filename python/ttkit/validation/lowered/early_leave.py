"""Kernels with groups of warps that some programs leave at once: each way is looked at by itself.

    cf.cond_br %stays, ^main, ^end          ^end: tt.return

Groups begin in ^main, where all warps must be under no condition.  So the proof follows two pairs of functions: in one,
the kernel and lowered code go to ^main whatever the condition is, in the other to ^end.  They must have the same
condition.  That is more than to prove each way under its condition.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ttkit.interpreter.decode import Block, Function, Instruction, Region
from ttkit.validation.lowered.meanings import means
from ttkit.validation.lowered.registers import Register
from ttkit.validation.lowered.synchronous import at_once
from ttkit.validation.opaque import PARALLEL
from ttkit.validation.terms import Term
from ttkit.validation.values import NotModelled

KERNEL, LOWERED = "the condition of the kernel's early leave", "the condition of an early leave"
"""What stands before the branch of a way, in place of the condition: it takes the condition and has no result."""
BRANCHES = {"cf.cond_br": (KERNEL, "cf.br"), "llvm.cond_br": (LOWERED, "llvm.br")}

Ways = tuple[tuple[Function, Function], tuple[Function, Function]]


def ways_of(kernel: Function, lowered: Function) -> Ways | None:
    """The kernel and its lowered code, each going on whatever the condition is; then each leaving.

    None if the kernel has no groups of warps, or begins otherwise.
    """
    if kernel.body is None or lowered.body is None or all(op.name != PARALLEL for op in kernel.operations()):
        return None
    theirs, ours = _branch(kernel.body, 0), _branch(lowered.body, _of_first_group(lowered.body))
    if theirs is None or ours is None or (stays := _longer(kernel.body, theirs)) is None:
        return None
    return (
        (_always(kernel, theirs, stays), _always(lowered, ours, stays)),
        (_always(kernel, theirs, 1 - stays), _always(lowered, ours, 1 - stays)),
    )


def _of_first_group(body: Region) -> int:
    """The block of lowered code that the first group goes to at its beginning: the others are told what to do."""
    ways = body.blocks[0].instructions[-1].successors
    return next((one for one in ways if body.blocks[one].instructions[-1].name != "llvm.switch"), 0)


def _branch(body: Region, number: int) -> int | None:
    """The first block from `number` on that ends in two ways; None if there is none, or something else before."""
    seen: set[int] = set()
    while len(following := body.blocks[number].instructions[-1].successors) == 1 and number not in seen:
        seen.add(number)
        (number,) = following
    return number if body.blocks[number].instructions[-1].name in BRANCHES else None


def _longer(body: Region, number: int) -> int | None:
    """The place of the way that leads to the other one; None if both do, or none."""
    following = body.blocks[number].instructions[-1].successors
    longer = [place for place in (0, 1) if _leads(body, following[place], following[1 - place])]
    return longer[0] if len(longer) == 1 else None


def _leads(body: Region, start: int, end: int) -> bool:
    """Whether a way leads from a block to another one."""
    seen: set[int] = set()
    pending = [start]
    while pending:
        number = pending.pop()
        if number not in seen:
            seen.add(number)
            pending += body.blocks[number].instructions[-1].successors
    return end in seen


def _always(function: Function, number: int, place: int) -> Function:
    """A function in which a block always goes to one of its two successors."""
    assert function.body is not None
    blocks = list(function.body.blocks)
    block = blocks[number]
    *others, last = block.instructions
    name, branch = BRANCHES[last.name]
    count = last.attributes["operandSegmentSizes"][1]
    passed = slice(1 + count, None) if place else slice(1, 1 + count)
    noted = Instruction(name, last.operands[:1], (), last.operand_types[:1], (), {}, last.location)
    way = replace(
        last,
        name=branch,
        operands=last.operands[passed],
        operand_types=last.operand_types[passed],
        successors=(last.successors[place],),
        attributes={},
    )
    blocks[number] = Block(block.arguments, [*others, noted, way], block.uses, block.makes)
    return replace(function, body=Region(blocks))


@at_once(KERNEL)
def note(walk: Any, op: Instruction, condition: Term) -> tuple:
    """Keeps the condition, with which that of lowered code is compared."""
    walk.conditions.append(condition)
    walk.leaves_by = condition
    return ()


@means(LOWERED)
def compare(machine: Any, op: Instruction, condition: Register) -> tuple:
    """Raises NotModelled unless all threads have the condition of the kernel."""
    machine.all_here("an early leave")
    if len(condition) != 1 or machine.relation.condition(condition[0]) is not machine.source.leaves_by:
        raise NotModelled("programs leave under another condition than those of the kernel", op)
    return ()
