"""Buffers in shared memory: what they hold is part of the state; views change the index."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.values import ValueType
from ttkit.validation.booleans import choose, truth
from ttkit.validation.happens_before import touched
from ttkit.validation.integers import exact_interval, number
from ttkit.validation.opaque import terms_of
from ttkit.validation.registry import means
from ttkit.validation.terms import Term, at_index, has_part, indices, make, rewritten
from ttkit.validation.values import (
    Buffer,
    NotModelled,
    View,
    indexed_view,
    reshaped_view,
    sliced_view,
    sort_of,
    transposed_view,
)

IN_USE = "that its mbarriers have ended, with no ttng.inval_barrier"
INSIDE = "an index inside of the buffer"
UNWAITED = "that work in the background ends in time, with no wait before a buffer that it reads ends"


def buffer_sort(kind: ValueType) -> str:
    """The sort of a buffer's elements."""
    return sort_of(ValueType((), kind.element, ""))


@means("ttg.local_alloc")
def local_alloc(walk: Any, op: Instruction, source: Term | None = None) -> View:
    """A buffer with a source in it, or with nothing."""
    kind = op.result_types[0]
    buffer = Buffer(kind.shape, buffer_sort(kind), walk.level, op.results[0] in walk.shared)
    if buffer.is_shared:
        if source is not None:
            walk.opaque_write(op, View(buffer, kind.shape), source)
        return View(buffer, kind.shape)
    walk.state.contents[buffer] = source if source is not None else make("undefined", (), "empty", buffer.sort)
    if source is not None:
        touched(walk, View(buffer, kind.shape), True)
    return View(buffer, kind.shape)


@means("ttg.local_dealloc")
def local_dealloc(walk: Any, op: Instruction, view: View) -> tuple:
    """The buffer is gone.

    Raises:
        NotModelled: a copy to it is in flight.
    """
    touched(walk, view, True)
    if any(read.buffer is view.buffer for read in (*walk.state.stores, *views_in_use(walk))):
        walk.promises.setdefault((op.name, UNWAITED, ()), op)
    if any(place[0] is view.buffer for place in walk.state.barriers):
        walk.promises.setdefault((op.name, IN_USE, ()), op)
    if view.buffer.is_shared:
        walk.effect(op, op.name, *terms_of(walk, op, view))
    elif has_part(walk.state.contents.pop(view.buffer, number(0, "i32")), "in flight"):
        raise NotModelled("a buffer ends while a copy to it is in flight", op)
    return ()


def check_inside(walk: Any, view: View) -> None:
    """Notes what an access takes to hold: that the view is inside of its buffer, also where a mask leaves all out.

    A masked copy writes zeros where the mask does not hold.
    """
    for place, size in zip(view.places(indices(view.shape)), view.buffer.shape):
        low, high = exact_interval(place)
        if low < 0 or high >= size:
            key = walk.current.name, INSIDE, () if walk.level else (place,)
            walk.promises.setdefault(key, walk.current)


def contents(walk: Any, view: View) -> Term:
    """The contents of a view, as a tensor.

    Raises:
        NotModelled: the buffer is of another branch or iteration.
    """
    check_inside(walk, view)
    if view.buffer.is_shared:
        place = number(walk.name(view.buffer), "i32")
        return make("call", (walk.state.memory, place, *view.places(indices(view.shape))), "held", view.buffer.sort)
    if view.buffer not in walk.state.contents:
        raise NotModelled("a buffer of another branch or iteration")
    return part_of(walk, view)


def part_of(walk: Any, view: View) -> Term:
    """The contents of a view inside of its buffer."""
    return at_index(walk.state.contents[view.buffer], dict(enumerate(view.places(indices(view.shape)))))


def current(walk: Any, value: Term) -> Term:
    """The contents that are read.  Where a copy may still change them, this is a read that right code does not have."""
    if has_part(value, "in flight"):
        walk.note_read(truth(True), make("early", (value,), None, "i64"))
    return value


def held(walk: Any, view: View) -> Term:
    """The contents of a view that is read."""
    touched(walk, view, False)
    return current(walk, contents(walk, view))


def put(walk: Any, view: View, value: Term, own: Callable[[Term], Term] = lambda before: before) -> None:
    """A view holds a value from now on.

    Args:
        own: takes what the view holds and gives that without work in flight that is in order with this write.

    Raises:
        NotModelled: work in the background reads it.
    """
    check_inside(walk, view)
    touched(walk, view, True)
    buffer = view.buffer
    if buffer.is_shared:
        walk.opaque_write(walk.current, view, value)
        return
    if has_part(walk.state.contents[buffer], "in flight"):  # which may arrive later than this
        current(walk, own(contents(walk, view)))
    read = [(one, part_of(walk, one)) for one in views_in_use(walk) if one.buffer is buffer]
    condition, index = view.covers(indices(buffer.shape))
    moved = at_index(value, dict(enumerate(index)))
    walk.state.contents[buffer] = choose(condition, moved, walk.state.contents[buffer])
    for one, before in read:
        now = part_of(walk, one)
        if now is not before and (has_part(now, "in flight") or settled(now) is not settled(before)):
            raise NotModelled("what work in the background reads is overwritten before its end")


def views_in_use(walk: Any) -> Iterator[View]:
    """Views that products and stores in the background read; groups of warps have their order for that."""
    if walk.order is None:
        yield from walk.state.stores
        for _, operands, _ in walk.state.products:
            yield from operands


def settled(term: Term) -> Term:
    """A term after all that is in flight has arrived."""

    def replace(part: Term, args: tuple[Term, ...]) -> Term | None:
        """The value that it brings."""
        return args[0] if part.head == "in flight" else None

    return rewritten(term, replace, lambda part: not part.waits, {})


@means("ttg.local_load")
def local_load(walk: Any, op: Instruction, view: View, token: object = None) -> Term:
    """The contents of the view."""
    return held(walk, view)


@means("ttg.local_store")
def local_store(walk: Any, op: Instruction, source: Term, view: View) -> tuple:
    """The view holds the source."""
    put(walk, view, source)
    return ()


@means("ttg.memdesc_index")
def memdesc_index(walk: Any, op: Instruction, view: View, at: Term) -> View:
    """view[at, ...]"""
    return indexed_view(view, at)


@means("ttg.memdesc_subslice")
def memdesc_subslice(walk: Any, op: Instruction, view: View) -> View:
    """view[offsets + ...]"""
    return sliced_view(view, op.attributes["offsets"], op.result_types[0].shape)


@means("ttg.memdesc_trans")
def memdesc_trans(walk: Any, op: Instruction, view: View) -> View:
    """Dimensions in another order."""
    return transposed_view(view, op.attributes["order"])


@means("ttg.memdesc_reshape")
def memdesc_reshape(walk: Any, op: Instruction, view: View) -> View:
    """The same elements in another shape."""
    return reshaped_view(view, op.result_types[0].shape)
