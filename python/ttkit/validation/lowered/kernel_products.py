"""Products of the tensor core in the kernel, as if they were done at once; a commit is an event (`signals.py`)."""

from __future__ import annotations

from typing import Any

from ttkit.interpreter.decode import Instruction
from ttkit.validation.booleans import both, choose
from ttkit.validation.lowered.kernel_groups import note_write, receive
from ttkit.validation.lowered.signals import at_barrier
from ttkit.validation.lowered.synchronous import at_once
from ttkit.validation.meanings.asynchronous import zero
from ttkit.validation.meanings.buffers import contents, put
from ttkit.validation.meanings.tensors import product, scaled_product
from ttkit.validation.terms import Term
from ttkit.validation.values import NotModelled, Token, View


@at_once("ttng.tc_gen5_mma")
def tc_gen5_mma(walk: Any, op: Instruction, *operands: Any) -> tuple:
    """d = a * b + (use_d ? d : 0) where the predicate holds; then each barrier tells of the end.

    Raises:
        NotModelled: bytes without a sign.
    """
    if "is_unsigned" in op.attributes:
        raise NotModelled("its bytes have no sign", op)
    (a,), (b,), (d,), _, (use_d,), (predicate,), barriers, enabled = op.segments(operands)
    before = contents(walk, d)
    c = choose(use_d, before, zero(before.sort))
    result = product(op, contents(walk, a), contents(walk, b), c, a.shape)
    return accumulated(walk, op, d, result, predicate, tuple(zip(barriers, enabled)))


@at_once("ttng.tc_gen5_mma_scaled")
def tc_gen5_mma_scaled(walk: Any, op: Instruction, *operands: Any) -> tuple:
    """The same of operands with a scale for each block."""
    (a,), (b,), (d,), _, (a_scale,), (b_scale,), (use_d,), (predicate,), barriers, enabled = op.segments(operands)
    before = contents(walk, d)
    c = choose(use_d, before, zero(before.sort))
    left, right, *scales = (contents(walk, one) for one in (a, b, a_scale, b_scale))
    kinds = op.attributes["a_type"], op.attributes["b_type"]
    result = scaled_product((left, right), (a.shape, b.shape), tuple(scales), kinds, c, d.shape)
    return accumulated(walk, op, d, result, predicate, tuple(zip(barriers, enabled)))


def accumulated(walk: Any, op: Instruction, d: View, result: Term, predicate: Term, commits: tuple) -> tuple:
    """d is a result where the predicate holds; then commits at barriers, each under its condition.

    Raises:
        NotModelled: nobody can wait for it.
    """
    if "is_async" not in op.attributes:
        raise NotModelled("a product that ends at once", op)
    put(walk, d, choose(predicate, result, contents(walk, d)))
    note_write(walk, d.buffer)
    for barrier, where in commits:
        at_barrier(walk, op, "commit", barrier, condition=both(predicate, where))
        receive(walk)
    return (Token(),)[: len(op.results)]


@at_once("ttng.tc_gen5_commit")
def tc_gen5_commit(walk: Any, op: Instruction, barrier: View, *rest: Any) -> tuple:
    """A barrier tells of the end of all work so far.  Raises NotModelled for several CTAs."""
    predicate, *descs = rest if rest and isinstance(rest[0], Term) else (None, *rest)
    if descs:
        raise NotModelled("an arrival at the barriers of several CTAs", op)
    at_barrier(walk, op, "commit", barrier, condition=predicate)
    receive(walk)
    return ()
