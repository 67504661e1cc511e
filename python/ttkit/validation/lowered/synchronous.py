"""Operations that the kernel does in the background, as if they were done at once.

Lowered code is compared with this, and is followed with copies and products in flight until it waits for them.  Where
it reads, or writes over, what is in flight, nothing is proved.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ttkit.declarations import declares
from ttkit.interpreter.decode import Instruction
from ttkit.validation.booleans import choose, truth
from ttkit.validation.meanings.asynchronous import zero
from ttkit.validation.meanings.buffers import contents, put
from ttkit.validation.meanings.memory import read
from ttkit.validation.meanings.tensors import product
from ttkit.validation.terms import Term
from ttkit.validation.values import Token, View

SYNCHRONOUS: dict[str, Callable[..., Any]] = {}
"""By operation; takes (walk, op, *operands) as meanings do."""


def at_once(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declares what operations are, done at once."""
    return declares(SYNCHRONOUS, names)


@at_once("ttg.async_copy_global_to_local")
def async_copy(walk: Any, op: Instruction, pointer: Term, view: View, *rest: Term) -> Token:
    """The view holds what is read."""
    counts = op.attributes["operandSegmentSizes"]
    mask, other = (rest[0] if counts[2] else truth(True)), (rest[-1] if counts[3] else None)
    sort = view.buffer.sort
    walk.reading = op.operand_types[0].shape, sort
    put(walk, view, read(walk, pointer, mask, other if other is not None else zero(sort), sort))
    walk.reading = None
    return Token()


@at_once("ttg.async_commit_group", "ttg.async_wait")
def nothing(walk: Any, op: Instruction, *tokens: object) -> Token:
    """There is nothing to wait for."""
    return Token()


@at_once("ttng.warp_group_dot")
def warp_group_dot(walk: Any, op: Instruction, a: Any, b: View, c: Term, use_c: Term | None = None) -> Term:
    """a * b + c"""
    a_term, b_term = (contents(walk, one) if isinstance(one, View) else one for one in (a, b))
    if use_c is not None:
        c = choose(use_c, c, zero(c.sort))
    return product(op, a_term, b_term, c, op.operand_types[0].shape)


@at_once("ttng.warp_group_dot_wait")
def warp_group_dot_wait(walk: Any, op: Instruction, *inputs: Any) -> tuple:
    """The inputs."""
    return inputs
