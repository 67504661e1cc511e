"""Values that are not one term: block pointers, descriptors, buffers; and what types make of terms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ttkit.interpreter.decode import Function
from ttkit.interpreter.ops.descriptor import is_descriptor
from ttkit.interpreter.values import DTYPES, ValueType
from ttkit.validation.booleans import both, choose, truth
from ttkit.validation.comparisons import equal, less
from ttkit.validation.integers import add, divide_unsigned, number, remainder_unsigned, scaled
from ttkit.validation.terms import Term, at_index, indices, make

POINTER = "i64"
_SORTS = {dtype: name for name, dtype in DTYPES.items() if name[0] not in "su"}


class NotModelled(Exception):
    """Something has no meaning here: the operation's name, its place in the source, and what is missing."""

    def __init__(self, reason: str, op: Any = None) -> None:
        super().__init__(reason)
        self.reason, self.op = reason, op

    def __str__(self) -> str:
        where = f" at {self.op.location}" if self.op is not None and self.op.location != "unknown" else ""
        return f"{self.op.name}: {self.reason}{where}" if self.op is not None else self.reason


def sort_of(kind: ValueType) -> str:
    """The sort of a type's elements.

    Raises:
        NotModelled: it has no elements.
    """
    if kind.text.startswith("!tt.ptr") and not (kind.pointee is not None and kind.pointee.rank):
        return POINTER
    if kind.pointee is not None and kind.element is not None:
        return POINTER
    if kind.element is None or kind.element not in DTYPES.values():
        raise NotModelled(f"values of type {kind.text} are not modelled")
    name = _SORTS[kind.element]
    return "i64" if name == "index" else name


@dataclass(frozen=True)
class BlockPointer:
    """A block of a tensor in memory; all parts are scalars, `block` is the type of what is accessed."""

    base: Term
    shape: tuple[Term, ...]
    strides: tuple[Term, ...]
    offsets: tuple[Term, ...]
    block: ValueType


@dataclass(frozen=True)
class Descriptor:
    """A tensor descriptor; nan: whether padding is NaN."""

    base: Term
    shape: tuple[Term, ...]
    strides: tuple[Term, ...]
    nan: Term
    block: ValueType


@dataclass(eq=False)
class Buffer:
    """Shared or tensor memory of a program.

    level: loops around its allocation.
    is_shared: with operations that run in the background and are effects: what it holds is part of the memory's term.
    """

    shape: tuple[int, ...]
    sort: str
    level: int = 0
    is_shared: bool = False


Index: TypeAlias = "list[Term]"


@dataclass(frozen=True)
class View:
    """A memory descriptor: part of a buffer.

    places: takes an index of the view to that of the buffer.
    covers: takes an index of the buffer to the condition that it is in the view, and its index there.
    """

    buffer: Buffer
    shape: tuple[int, ...]
    places: Callable[[Index], Index] = field(default=lambda index: index)
    covers: Callable[[Index], tuple[Term, Index]] = field(default=lambda index: (truth(True), index))


@dataclass(frozen=True)
class Token:
    """A token: it orders what the state orders already."""


Value: TypeAlias = "Term | BlockPointer | Descriptor | View | Token"


def parts_of(value: Value) -> tuple[Term, ...]:
    """The terms of a value that loops may carry."""
    if isinstance(value, Term):
        return (value,)
    if isinstance(value, BlockPointer):
        return (value.base, *value.shape, *value.strides, *value.offsets)
    if isinstance(value, Descriptor):
        return (value.base, *value.shape, *value.strides, value.nan)
    return ()


def with_parts(value: Value, parts: tuple[Term, ...]) -> Value:
    """The same kind of value of other terms."""
    if isinstance(value, Term):
        return parts[0]
    if isinstance(value, (BlockPointer, Descriptor)):
        rank = len(value.shape)
        shape, strides, rest = parts[1 : 1 + rank], parts[1 + rank : 1 + 2 * rank], parts[1 + 2 * rank :]
        if isinstance(value, BlockPointer):
            return BlockPointer(parts[0], shape, strides, rest, value.block)
        return Descriptor(parts[0], shape, strides, rest[0], value.block)
    return value


def symbolic_arguments(function: Function) -> list[Value]:
    """A symbol for each argument; several for a descriptor.

    Raises:
        NotModelled: an argument is a buffer or a block pointer.
    """
    found: list[Value] = []
    number = 0
    for kind in function.argument_types:
        if is_descriptor(kind):
            rank = kind.pointee.rank
            sorts = ["i64"] * (1 + 2 * rank) + ["i1"]
            parts = [make("argument", (), number + n, sort) for n, sort in enumerate(sorts)]
            number += len(sorts)
            sizes, strides = tuple(parts[1 : 1 + rank]), tuple(parts[1 + rank : 1 + 2 * rank])
            found.append(Descriptor(parts[0], sizes, strides, parts[-1], kind.pointee))
            continue
        if kind.text.startswith("!ttg.memdesc") or (kind.pointee is not None and kind.pointee.rank):
            raise NotModelled(f"arguments of type {kind.text} are not modelled")
        found.append(make("argument", indices(kind.shape), number, sort_of(kind)))
        number += 1
    return found


# --- views of tensors


def reordered(source: Term, source_shape: tuple[int, ...], shape: tuple[int, ...]) -> Term:
    """tt.reshape: element n of the result, counted row by row, is element n of the source."""
    if source_shape == shape or not source.indexed:
        return source
    return at_index(source, dict(enumerate(row_major(indices(shape), shape, source_shape))))


def row_major(index: Index, shape: tuple[int, ...], other: tuple[int, ...]) -> Index:
    """The index, in a tensor of another shape, of the element that has the same number."""
    kept: Index = []
    index, sizes, others = list(index), list(shape), list(other)
    while sizes and others and sizes[0] == others[0]:  # leading dimensions that stay
        kept.append(index.pop(0))
        del sizes[0], others[0]
    place = number(0, "i32")
    for part, size in zip(index, sizes):
        place = add(scaled(place, size), part)
    result: Index = []
    for size in reversed(others):
        result.append(remainder_unsigned(place, number(size, "i32")))
        place = divide_unsigned(place, number(size, "i32"))
    return kept + result[::-1]


def transposed(source: Term, order: tuple[int, ...], shape: tuple[int, ...]) -> Term:
    """Dimension d of the result is dimension order[d] of the source."""
    index = indices(shape)
    return at_index(source, {order[d]: index[d] for d in range(len(shape))})


def without_dimension(source: Term, axis: int, at: Term, shape: tuple[int, ...]) -> Term:
    """The source at an index along an axis; `shape` is that of the result."""
    index = indices(shape)
    return at_index(source, {axis: at} | {d + (d >= axis): index[d] for d in range(len(shape))})


def with_dimension(source: Term, axis: int, shape: tuple[int, ...]) -> Term:
    """The source with one more dimension of size 1; `shape` is that of the result."""
    index = indices(shape)
    return at_index(source, {d - (d > axis): index[d] for d in range(len(shape)) if d != axis})


# --- views of buffers


def chosen_view(condition: Term, a: View, b: View) -> View:
    """condition ? a : b, of views of one buffer"""

    def places(index: Index) -> Index:
        """The places at which either has an element."""
        return [choose(condition, *pair) for pair in zip(a.places(index), b.places(index))]

    def covers(index: Index) -> tuple[Term, Index]:
        """The answer of either."""
        (one, first), (other, second) = a.covers(index), b.covers(index)
        return choose(condition, one, other), [choose(condition, *pair) for pair in zip(first, second)]

    return View(a.buffer, a.shape, places, covers)


def indexed_view(view: View, at: Term) -> View:
    """view[at, ...]"""
    at = at if at.sort == "i32" else make("trunc", (at,), None, "i32")

    def covers(index: Index) -> tuple[Term, Index]:
        """Those at this place of the first dimension."""
        condition, inner = view.covers(index)
        return both(condition, equal(inner[0], at)), inner[1:]

    return View(view.buffer, view.shape[1:], lambda index: view.places([at, *index]), covers)


def sliced_view(view: View, offsets: tuple[int, ...], shape: tuple[int, ...]) -> View:
    """view[offsets + ...]"""
    starts = [number(offset, "i32") for offset in offsets]

    def covers(index: Index) -> tuple[Term, Index]:
        """Those between the offsets and the ends."""
        condition, inner = view.covers(index)
        moved = [add(i, start, -1) for i, start in zip(inner, starts)]
        for i, start, size, whole in zip(inner, starts, shape, view.shape):
            if size != whole:
                end = add(start, number(size, "i32"))
                condition = both(condition, less(i, end), less(add(start, number(1, "i32"), -1), i))
        return condition, moved

    return View(view.buffer, shape, lambda index: view.places([add(i, s) for i, s in zip(index, starts)]), covers)


def transposed_view(view: View, order: tuple[int, ...]) -> View:
    """Dimension d of the result is dimension order[d] of the view."""
    back = [order.index(d) for d in range(len(order))]

    def covers(index: Index) -> tuple[Term, Index]:
        """The same ones, in the other order."""
        condition, inner = view.covers(index)
        return condition, [inner[d] for d in order]

    shape = tuple(view.shape[d] for d in order)
    return View(view.buffer, shape, lambda index: view.places([index[d] for d in back]), covers)


def reshaped_view(view: View, shape: tuple[int, ...]) -> View:
    """Element n of the result, counted row by row, is element n of the view."""

    def covers(index: Index) -> tuple[Term, Index]:
        """The same ones, counted in the other shape."""
        condition, inner = view.covers(index)
        return condition, row_major(inner, view.shape, shape)

    return View(view.buffer, shape, lambda index: view.places(row_major(index, shape, view.shape)), covers)
