"""Copies and products in the background.

Where loops are followed one iteration after the other, each has its exact meaning: a copy is `in flight` until its
group has been waited for, and what reads it before gets another term than the copy's.  Elsewhere such an operation
is an effect in the order of the program (`walk.opaque`): equal programs of them are equal, and no more is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import ttkit.validation.floats as floats
from ttkit.interpreter.decode import Instruction
from ttkit.validation.background_registers import read_in_background
from ttkit.validation.booleans import choose, truth
from ttkit.validation.integers import number
from ttkit.validation.meanings.buffers import held, put
from ttkit.validation.meanings.memory import read
from ttkit.validation.meanings.tensors import product
from ttkit.validation.registry import means
from ttkit.validation.terms import Term, make, rewritten
from ttkit.validation.values import Token, View


def zero(sort: str) -> Term:
    """0 of a sort."""
    return number(0, sort) if sort[0] == "i" else floats.constant(0.0, sort)


# --- copies


@means("ttg.async_copy_global_to_local")
def async_copy(walk: Any, op: Instruction, pointer: Term, view: View, *rest: Term) -> Token:
    """The view holds what is read, once the open group has been waited for."""
    counts = op.attributes["operandSegmentSizes"]
    mask, other = (rest[0] if counts[2] else truth(True)), (rest[-1] if counts[3] else None)
    if op.attributes.get("isVolatile"):
        walk.effect(op, "volatile", pointer, mask)
    with in_background(walk, "copy", walk.state.group):
        value = read(walk, pointer, mask, other if other is not None else zero(view.buffer.sort), view.buffer.sort)
        put(walk, view, make("in flight", (value,), walk.state.group, value.sort))
    return Token()


@means("ttg.async_commit_group")
def async_commit(walk: Any, op: Instruction, *tokens: object) -> Token:
    """The open group is closed."""
    walk.state.group += 1
    return Token()


@means("ttg.async_wait")
def async_wait(walk: Any, op: Instruction, *tokens: object) -> Token:
    """All groups but the newest ones have arrived."""
    last = walk.state.group - op.attributes["num"]
    landed(walk, lambda group: isinstance(group, int) and group < last)
    if walk.order is not None:
        walk.order.finish(walk, "copy", before=last)
    return Token()


@contextmanager
def in_background(walk: Any, kind: str, number: int = 0) -> Iterator[None]:
    """Accesses inside are those of work that begins now, and ends with a wait for its kind."""
    if walk.order is None:
        yield
        return
    event = walk.order.copy(walk)
    walk.order.begin(walk, kind, event, number)
    with walk.order.during(event):
        yield


def landed(walk: Any, arrives: Any) -> None:
    """Copies of some groups have arrived."""

    def replace(term: Term, args: tuple[Term, ...]) -> Term | None:
        """The copied value."""
        return args[0] if term.head == "in flight" and arrives(term.attr) else None

    memo: dict[Term, Term] = {}
    for buffer, now in walk.state.contents.items():
        walk.state.contents[buffer] = rewritten(now, replace, lambda term: not term.waits, memo)


# --- products of warp groups


@means("ttng.warp_group_dot")
def warp_group_dot(walk: Any, op: Instruction, a: Any, b: View, c: Term, use_c: Term | None = None) -> Term:
    """a * b + c; in flight until it has been waited for, if it is asynchronous."""
    if c.head == "running":
        c = c.args[0]
    with in_background(walk, "product"):
        a_term, b_term = (held(walk, one) if isinstance(one, View) else one for one in (a, b))
    if use_c is not None:
        c = choose(use_c, c, zero(c.sort))
    result = product(op, a_term, b_term, c, op.operand_types[0].shape)
    if not op.attributes.get("isAsync", False):
        finish_products(walk, 0)
        return result
    serial = walk.serial()
    operands = tuple(one for one in (a, b) if isinstance(one, View))
    registers = frozenset() if isinstance(a, View) else read_in_background(walk.sources, op.operands[0])
    walk.state.products = (*walk.state.products, (serial, operands, registers))
    return make("running", (result,), serial, result.sort)


@means("ttng.warp_group_dot_wait")
def warp_group_dot_wait(walk: Any, op: Instruction, *inputs: Any) -> tuple:
    """The inputs; results of all products but the newest ones may be used."""
    finish_products(walk, op.attributes["pendings"])
    pending = {serial for serial, *_ in walk.state.products}
    return tuple(
        one.args[0] if isinstance(one, Term) and one.head == "running" and one.attr not in pending else one
        for one in inputs
    )


def finish_products(walk: Any, pending: int) -> None:
    """All products but the newest ones have ended."""
    products = walk.state.products
    over = {serial for serial, *_ in (products[: len(products) - pending] if pending else products)}
    if walk.order is not None:
        walk.order.finish(walk, "product", pending)
    ended(walk, lambda serial: serial in over)


def ended(walk: Any, is_over: Any) -> None:
    """Some products have ended, by their numbers."""
    walk.state.products = tuple(one for one in walk.state.products if not is_over(one[0]))
