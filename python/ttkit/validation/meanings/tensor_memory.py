"""Tensor memory, and products that accumulate in it (tcgen05): buffers like those in shared memory."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from ttkit.interpreter.decode import Instruction
from ttkit.validation.booleans import choose
from ttkit.validation.happens_before import touched
from ttkit.validation.meanings.asynchronous import ended, landed, zero
from ttkit.validation.meanings.barriers import MULTICAST, arrive, barrier_at, known
from ttkit.validation.meanings.buffers import contents, current, held, local_alloc, put
from ttkit.validation.meanings.tensors import product, scaled_product
from ttkit.validation.registry import means
from ttkit.validation.terms import Term, make, rewritten
from ttkit.validation.values import NotModelled, Token, View, sliced_view


@means("ttng.tmem_alloc")
def tmem_alloc(walk: Any, op: Instruction, source: Term | None = None) -> tuple:
    """A buffer with a source in it, or with nothing, and a token."""
    return (local_alloc(walk, op, source), Token())[: len(op.results)]


@means("ttng.tmem_subslice")
def tmem_subslice(walk: Any, op: Instruction, view: View) -> View:
    """result[i, j] = view[i, j + N], or view[i + N, j]"""
    start = tuple(op.attributes["N"] if dim == op.attributes.get("dim", 1) else 0 for dim in range(len(view.shape)))
    return sliced_view(view, start, op.result_types[0].shape)


@means("ttng.tmem_load")
def tmem_load(walk: Any, op: Instruction, view: View, token: object = None) -> tuple:
    """The contents of the view, and a token.  Raises NotModelled for a load that also reduces."""
    if "redOp" in op.attributes:
        raise NotModelled("a load that also reduces each row", op)
    return (held(walk, view), Token())[: len(op.results)]


@means("ttng.tmem_store")
def tmem_store(walk: Any, op: Instruction, view: View, *rest: Any) -> tuple:
    """The view holds the source where the predicate holds."""
    *_, source, predicate = rest
    put(
        walk, view, source if predicate.is_const and predicate.attr else choose(predicate, source, contents(walk, view))
    )
    return (Token(),)[: len(op.results)]


@means("ttng.tmem_wait")
def tmem_wait(walk: Any, op: Instruction) -> tuple:
    """Accesses are in order here."""
    return ()


def written(term: Term) -> Term:
    """A term as the tensor core reads it: its own work is in order."""

    def replace(part: Term, args: tuple[Term, ...]) -> Term | None:
        """The value that its own work has in flight."""
        own = part.head == "in flight" and isinstance(part.attr, tuple) and part.attr[0] == "tensor core"
        return args[0] if own else None

    return rewritten(term, replace, lambda part: not part.waits, {})


@means("ttng.tc_gen5_mma")
def tc_gen5_mma(walk: Any, op: Instruction, *operands: Any) -> tuple:
    """d = a * b + (use_d ? d : 0) where the predicate holds; then arrivals at barriers.

    Raises:
        NotModelled: bytes without a sign.
    """
    if "is_unsigned" in op.attributes:
        raise NotModelled("its bytes have no sign", op)
    if op.attributes.get("multicast"):
        walk.promises.setdefault((op.name, MULTICAST, ()), op)
    (a,), (b,), (d,), _, (use_d,), (predicate,), barriers, enabled = op.segments(operands)

    def multiplied(before: Term) -> Term:
        """The product of what the operands hold."""
        left, right = (current(walk, written(contents(walk, one))) for one in (a, b))
        return product(op, left, right, choose(use_d, before, zero(before.sort)), a.shape)

    return accumulated(walk, op, (a, b), d, multiplied, predicate, tuple(zip(barriers, enabled)))


@means("ttng.tc_gen5_mma_scaled")
def tc_gen5_mma_scaled(walk: Any, op: Instruction, *operands: Any) -> tuple:
    """The same of operands with a scale for each block."""
    (a,), (b,), (d,), _, (a_scale,), (b_scale,), (use_d,), (predicate,), barriers, enabled = op.segments(operands)
    given = (a, b, a_scale, b_scale)

    def multiplied(before: Term) -> Term:
        """The product of what the operands hold."""
        left, right, *scales = (current(walk, written(contents(walk, one))) for one in given)
        kinds = op.attributes["a_type"], op.attributes["b_type"]
        c = choose(use_d, before, zero(before.sort))
        return scaled_product((left, right), (a.shape, b.shape), tuple(scales), kinds, c, d.shape)

    return accumulated(walk, op, given, d, multiplied, predicate, tuple(zip(barriers, enabled)))


def accumulated(
    walk: Any,
    op: Instruction,
    operands: tuple[View, ...],
    d: View,
    multiplied: Callable[[Term], Term],
    predicate: Term,
    arrivals: tuple[tuple[View, Term], ...],
) -> tuple:
    """d becomes a product where the predicate holds; then arrivals at barriers, each where its condition holds.

    Args:
        operands: what the product reads until it ends.
        multiplied: takes what d holds and gives the product.

    Raises:
        NotModelled: it is asynchronous, and its predicate is not known.
    """
    if predicate.is_const and not predicate.attr:
        return (Token(),)[: len(op.results)]
    is_async = "is_async" in op.attributes
    if not predicate.is_const and (is_async or arrivals):
        raise NotModelled("its predicate is not known", op)
    if walk.order is not None:
        with walk.order.during(walk.order.tensor_core(walk, True)):
            for view in (*operands, d):
                touched(walk, view, view is d)
    before = written(contents(walk, d))
    result = choose(predicate, multiplied(before), before)
    if is_async:
        serial = walk.serial()
        if walk.order is None:  # which orders accesses of what the product reads
            walk.state.products = (*walk.state.products, (serial, operands, frozenset()))
        result = make("in flight", (result,), ("tensor core", serial), result.sort)
    with tensor_core(walk):
        put(walk, d, result, own=written)
    for barrier, where in arrivals:
        if known(op, where):
            arrive_after_work(walk, op, barrier)
    if not is_async:
        landed(walk, lambda tag: isinstance(tag, tuple) and tag[0] == "tensor core")
        ended(walk, lambda number: True)
        if walk.order is not None:
            walk.order.join(walk, walk.order.tensor_core(walk, False).clock)
    return (Token(),)[: len(op.results)]


@means("ttng.tc_gen5_commit")
def tc_gen5_commit(walk: Any, op: Instruction, barrier: View, *rest: Any) -> tuple:
    """Arrives once when all work of the tensor core so far is done.  Raises NotModelled for several CTAs."""
    predicate, *descs = rest if rest and isinstance(rest[0], Term) else (None, *rest)
    if descs:
        raise NotModelled("an arrival at the barriers of several CTAs", op)
    if predicate is None or known(op, predicate):
        arrive_after_work(walk, op, barrier)
    return ()


def arrive_after_work(walk: Any, op: Instruction, barrier: View) -> None:
    """One arrival, whose phase tells that the work so far has ended."""
    with tensor_core(walk):
        place, (*_, phase) = barrier_at(walk, op, barrier)
    walk.state.arrivals = (*walk.state.arrivals, (place, phase, walk.last_serial))
    with tensor_core(walk):
        arrive(walk, op, barrier, 1, 0)


def tensor_core(walk: Any) -> AbstractContextManager[None]:
    """Events inside come after all work of the tensor core so far."""
    return walk.order.during(walk.order.tensor_core(walk, False)) if walk.order is not None else nullcontext()
