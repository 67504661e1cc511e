"""Allocations of shared memory, views of them, and what goes on with them in the background (shared_memory.py)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ttkit.interpreter.errors import NotInterpretable
from ttkit.interpreter.values import put, take

if TYPE_CHECKING:
    from ttkit.interpreter.decode import Instruction

WRITTEN = -1


class Storage:
    """One allocation, for `rows` programs: `size` bytes each, in units of `unit` bytes."""

    def __init__(self, op: Instruction, rows: int, size: int, unit: int) -> None:
        self.op, self.size, self.unit = op, size, unit
        # Whole 8-byte words, to be read as any type.
        padded = -(-size // 8) * 8
        self.bytes = np.zeros((rows, padded), np.uint8)
        self.state = np.zeros((rows, padded // unit), np.int32)
        self.held = np.zeros((rows, padded // unit), np.int32)
        self.freed = np.zeros(rows, np.bool_)
        self.barriers: Any = None

    def __str__(self) -> str:
        return f"the buffer allocated at {self.op.location}"


@lru_cache(maxsize=4096)
def pattern(shape: tuple[int, ...], strides: tuple[int, ...], size: int, unit: int) -> tuple[np.ndarray, bool]:
    """The units that elements of `size` bytes at `strides` touch, in order; and if they are consecutive."""
    offsets = np.zeros((), np.int64)
    for length, stride in zip(shape, strides):
        offsets = offsets[..., None] + np.arange(length, dtype=np.int64) * stride
    if size > unit:
        offsets = offsets[..., None] + np.arange(0, size, unit)
    units = offsets.reshape(-1) // unit
    return units, bool((np.diff(units) == 1).all())


@dataclass(frozen=True)
class MemDesc:
    """A view of an allocation: the value of a !ttg.memdesc.

    offsets: int64 [P] or [1], the first byte in each program; strides: in bytes; element: the numpy type.
    """

    storage: Storage
    offsets: np.ndarray
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    element: np.dtype

    def take(self, lanes: np.ndarray) -> MemDesc:
        """The view of some programs alone."""
        return replace(self, offsets=take(self.offsets, lanes))

    def put(self, target: Any, lanes: np.ndarray, count: int) -> MemDesc:
        """The view, with that of some programs replaced in `target`.

        Raises:
            NotInterpretable: the two are of different allocations.
        """
        same = isinstance(target, MemDesc)
        if same and target.storage is not self.storage:
            raise NotInterpretable("one value holds buffers of different allocations, as programs took different ways")
        return replace(self, offsets=put(target.offsets if same else None, self.offsets, lanes, count))


def row_major(shape: Sequence[int], size: int) -> tuple[int, ...]:
    """Strides in bytes of an array whose elements have `size` bytes."""
    return tuple(int(np.prod(shape[d + 1 :], dtype=np.int64)) * size for d in range(len(shape)))


@dataclass(frozen=True)
class Place:
    """A view in some programs: `rows` of its storage, with the first byte in each of them (or one for all)."""

    view: MemDesc
    rows: np.ndarray
    offsets: np.ndarray

    def select(self, which: np.ndarray) -> Place:
        """The part of the programs that `which` chooses."""
        return Place(self.view, self.rows[which], self.offsets if self.offsets.size == 1 else self.offsets[which])

    def index(self, unit: int, size: int) -> tuple[Any, Any]:
        """Index of the view's elements in an array [rows, units]."""
        units, consecutive = pattern(self.view.shape, self.view.strides, size, unit)
        starts = self.offsets // unit
        whole = self.rows.size == self.view.storage.freed.size
        if starts.size == 1 or (starts == starts[0]).all():
            start = int(starts[0])
            if consecutive:
                columns: Any = slice(start + int(units[0]), start + int(units[-1]) + 1)
                return (slice(None) if whole else self.rows), columns
            return (slice(None) if whole else self.rows[:, None]), start + units
        return self.rows[:, None], starts[:, None] + units

    def units(self) -> np.ndarray:
        """Its units in the first of its rows, those of each element in order."""
        units, _ = pattern(self.view.shape, self.view.strides, self.view.element.itemsize, self.view.storage.unit)
        return units + int(self.offsets[0]) // self.view.storage.unit

    @property
    def marks(self) -> tuple[Any, Any]:
        """The index of the marks that say what state each unit of memory is in."""
        return self.index(self.view.storage.unit, self.view.element.itemsize)

    def read(self) -> np.ndarray:
        """The bytes as they are, [rows, *shape]."""
        data = self.view.storage.bytes.view(self.view.element)
        found = data[self.index(self.view.element.itemsize, self.view.element.itemsize)]
        # Slices would change with the memory.
        return (found if found.base is None else found.copy()).reshape(-1, *self.view.shape)

    def write(self, values: np.ndarray) -> None:
        """Writes an element of `values` to each place."""
        data = self.view.storage.bytes.view(self.view.element)
        flat = np.broadcast_to(values, (self.rows.size, *self.view.shape)).reshape(self.rows.size, -1)
        data[self.index(self.view.element.itemsize, self.view.element.itemsize)] = flat


@dataclass(eq=False)
class Transfer:
    """Something that goes on in the background.

    op: what started it.  rows: its programs, and in which of them it is not over yet.  writes, reads: what it still
    writes and reads.  group: its number in its queue, for each row.  barriers: the mbarriers that tell its end: their
    storage, the slot of each row (-1: none), and the phases that end with it.
    """

    number: int
    op: Instruction
    rows: np.ndarray
    remaining: np.ndarray
    writes: list[Place] = field(default_factory=list)
    reads: list[Place] = field(default_factory=list)
    group: np.ndarray | None = None
    barriers: list[tuple[Storage, np.ndarray, np.ndarray]] = field(default_factory=list)

    def finish(self, which: np.ndarray) -> None:
        """It ends in some of its rows (bool [rows])."""
        which = which & self.remaining
        if not which.any():
            return
        self.remaining = self.remaining & ~which
        for place in self.writes:
            state, marks = place.view.storage.state, place.select(which).marks
            state[marks] = np.where(state[marks] == self.number, WRITTEN, state[marks])
        for place in self.reads:
            held, marks = place.view.storage.held, place.select(which).marks
            held[marks] = np.where(held[marks] == self.number, 0, held[marks])


class Queue:
    """Transfers that one group of warps waits for by count.  `closed` is the number of groups of each row."""

    def __init__(self, rows: int) -> None:
        self.closed = np.zeros(rows, np.int64)
        self.transfers: list[Transfer] = []

    def add(self, transfer: Transfer) -> None:
        """Adds a copy to the group that each program has open."""
        transfer.group = self.closed[transfer.rows]
        self.transfers.append(transfer)

    def close_group(self, rows: np.ndarray) -> None:
        """Closes the open group of some programs."""
        self.closed[rows] += 1

    def wait(self, rows: np.ndarray, pending: int) -> list[Transfer]:
        """Ends all but the `pending` newest groups, in these rows; gives the transfers that it ended."""
        before = self.unfinished()
        for transfer in before:
            here = np.isin(transfer.rows, rows)
            transfer.finish(here & (transfer.group < self.closed[transfer.rows] - pending))
        return [transfer for transfer in before if not transfer.remaining.any()]

    def unfinished(self) -> list[Transfer]:
        """The transfers that are not over in all of their rows; a barrier may have ended some."""
        self.transfers = [transfer for transfer in self.transfers if transfer.remaining.any()]
        return self.transfers


class Background:
    """Asynchronous work of one group of warps: copies (cp.async), stores (TMA), products of warp groups (wgmma), and
    work of the tensor core on tensor memory (tcgen05)."""

    def __init__(self, rows: int) -> None:
        self.copies, self.stores, self.products, self.tensor_core = (Queue(rows) for _ in range(4))
