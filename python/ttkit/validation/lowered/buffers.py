"""Buffers of the kernel in shared and tensor memory: where elements are, and whether lowered code has the same."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np
from mlir import ir

from ttkit.context import Context
from ttkit.dialects._layouts import layout_of, linear_layout_of
from ttkit.interpreter.decode import Instruction
from ttkit.layout.encodings import PaddedShared, TensorMemory, TensorMemoryScales
from ttkit.layout.tensor_memory_to_linear import extent
from ttkit.validation.booleans import choose
from ttkit.validation.integers import number
from ttkit.validation.lowered.bits import bits, bytes_of
from ttkit.validation.lowered.places import Index
from ttkit.validation.lowered.shared_memory import COLUMNS, TENSOR_MEMORY, WORD, SharedMemory, Threads
from ttkit.validation.meanings.buffers import buffer_sort
from ttkit.validation.terms import Term, at_place, session
from ttkit.validation.values import Buffer, NotModelled, View

Touched = dict[int, Threads]
Same = Callable[[Term, Term], bool]


@lru_cache(maxsize=256)
def offsets(type_text: str) -> tuple[tuple[int, ...], tuple[tuple[Index, int], ...]]:
    """The shape of the dimensions that count buffers, and for each element of one its index and its offset.

    Offsets are in elements.

    Raises:
        NotModelled: its layout has gaps, or it is of several CTAs.
    """
    with Context() as context:
        kind = ir.Type.parse(type_text, context)
        layout, encoding = linear_layout_of(kind), layout_of(kind)
        shape = tuple(kind.shape)
    if isinstance(encoding, PaddedShared) or layout.in_size("block") != 1:
        raise NotModelled("a buffer with gaps, or of several CTAs")
    found = []
    for offset in range(layout.in_size("offset")):
        at = layout.apply({"offset": offset})
        found.append((tuple(int(at[name]) for name in layout.out_dims), offset))
    return shape[: len(shape) - len(layout.out_dims)], tuple(found)


@lru_cache(maxsize=256)
def tensor_offsets(type_text: str) -> tuple[tuple[int, ...], tuple[tuple[Index, int], ...], int]:
    """The same of a buffer in tensor memory, in bytes, and the bytes from one buffer to the next beside it.

    Scales have several places each; of other elements it is the first one.

    Raises:
        NotModelled: several CTAs share the buffer.
    """
    with Context() as context:
        kind = ir.Type.parse(type_text, context)
        layout, encoding = linear_layout_of(kind), layout_of(kind)
        shape, size = tuple(kind.shape), kind.element_type.width // 8
    assert isinstance(encoding, TensorMemory | TensorMemoryScales)
    if layout.in_size("block") != 1:
        raise NotModelled("a buffer of several CTAs")
    found, seen = [], set()
    for row, column in itertools.product(range(layout.in_size("row")), range(layout.in_size("col"))):
        at = layout.apply({"row": row, "col": column})
        index = tuple(int(at[name]) for name in layout.out_dims)
        if index not in seen or isinstance(encoding, TensorMemoryScales):
            found.append((index, row * COLUMNS * WORD + column * size))
            seen.add(index)
    _, columns = extent(encoding, shape[-2:], 8 * size)
    return shape[:-2], tuple(found), columns * WORD


def places_of_elements(op: Instruction, size: int) -> tuple[tuple[int, ...], tuple[tuple[Index, int], ...], int, int]:
    """The shape that counts buffers, elements with their offsets in bytes, bytes from buffer to buffer, the address.

    Args:
        op: makes the buffers.
        size: bytes of an element.

    Raises:
        NotModelled: it is not known where they are.
    """
    kind, given = op.result_types[0].text, op.attributes
    if op.name == "ttng.tmem_alloc":
        if "tensor_memory_col_offset" not in given:
            raise NotModelled("a buffer of which it is not known where it is", op)
        row, column = int(given.get("tensor_memory_row_offset", 0)), int(given["tensor_memory_col_offset"])
        return *tensor_offsets(kind), TENSOR_MEMORY + (row * COLUMNS + column) * WORD
    if "allocation.offset" not in given:
        raise NotModelled("a buffer of which it is not known where it is", op)
    slots, places = offsets(kind)
    in_bytes = tuple((index, size * offset) for index, offset in places)
    return slots, in_bytes, size * len(places), int(given["allocation.offset"])


def elements_in(op: Instruction, buffer: Buffer, held: Term) -> Iterator[tuple[int, Term, Term]]:
    """For each element of a buffer its address, what its slot holds, and its bits.

    Raises:
        NotModelled: it is not known where it is.
    """
    kind = op.result_types[0].text
    slots, places, step, address = places_of_elements(op, bytes_of(buffer.sort))
    known = session().contents.setdefault(kind, {})
    for slot in itertools.product(*map(range, slots)):
        here = at_place(held, enumerate(slot))
        found = known.get(here)
        if found is None:
            found = known[here] = [
                (offset, bits(at_place(here, enumerate(index, len(slot))))) for index, offset in places
            ]
        for offset, element in found:
            yield address + offset, here, element
        address += step


def hold(
    shared: SharedMemory, op: Instruction, buffer: Buffer, held: Term, ages: dict[int, int], touched: Touched | None
) -> None:
    """Shared memory has what a buffer holds.

    Args:
        ages: by address, how many groups of copies have been closed since that which is in flight to it.
        touched: by address, threads that may have touched it since the last barrier; None where that is not known.
    """
    for address, _, element in elements_in(op, buffer, held):
        shared.hold(address, element, ages.get(address), of_address(touched, address))


def of_address(touched: Touched | None, address: int) -> Threads | None:
    """The threads that may have touched an address."""
    return None if touched is None else touched.get(address, frozenset())


def check(shared: SharedMemory, op: Instruction, buffer: Buffer, held: Term, same: Same, what: str) -> None:
    """Raises NotModelled unless shared memory has what a buffer holds, where that has a definition."""
    size = bytes_of(buffer.sort)
    for address, here, wanted in elements_in(op, buffer, held):
        if "undefined" in (here.head, wanted.head):
            continue
        mine = shared.peek(address, size)
        if mine is not wanted and (mine is None or not same(wanted, mine)):
            raise NotModelled(f"a buffer that a loop {what}, byte {address}: found {mine}, not {wanted}", op)


def bytes_in(op: Instruction) -> range | frozenset[int]:
    """The addresses of a buffer."""
    size = bytes_of(buffer_sort(op.result_types[0]))
    slots, places, step, address = places_of_elements(op, size)
    count = math.prod(slots)
    if op.name == "ttg.local_alloc":
        return range(address, address + count * step)
    return frozenset(
        address + slot * step + offset + n for slot in range(count) for _, offset in places for n in range(size)
    )


@lru_cache(maxsize=256)
def table(type_text: str) -> np.ndarray:
    """By the index of an element of a buffer its offset, in elements."""
    slots, places = offsets(type_text)
    inner = np.zeros([max(index[d] for index, _ in places) + 1 for d in range(len(places[0][0]))], np.int64)
    for index, offset in places:
        inner[index] = offset
    count = int(np.prod(slots, dtype=np.int64))
    starts = np.arange(count).reshape([*slots, *[1] * inner.ndim]) * len(places)
    return starts + inner


def address_of(walk: Any, op: Instruction, view: View) -> Term:
    """The address of a view's first element in shared memory; -1 if it is not known.

    Raises:
        NotModelled: it is not known where the buffer is.
    """
    made = walk.buffers.get(view.buffer)
    if made is None or "allocation.offset" not in made.attributes:
        raise NotModelled("a buffer of which it is not known where it is", op)
    size, start = bytes_of(view.buffer.sort), int(made.attributes["allocation.offset"])

    def at(index: list[Term]) -> Term:
        """The address of an element of the buffer."""
        for place, term in enumerate(index):
            if term.head == "ite":
                sides = ([*index[:place], side, *index[place + 1 :]] for side in term.args[1:])
                return choose(term.args[0], *map(at, sides))
        if not all(term.is_const for term in index):
            return number(-1, "i64")
        return number(int(table(made.result_types[0].text)[tuple(term.attr for term in index)]) * size + start, "i64")

    return at(view.places([number(0, "i32")] * len(view.shape)))


def leaves(term: Term) -> list[Term]:
    """The terms of which a choice is one."""
    return [one for side in term.args[1:] for one in leaves(side)] if term.head == "ite" else [term]
