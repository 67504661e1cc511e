"""Shared memory of the programs of a batch, and what happens to it in the background.

An allocation is one array of bytes with a row for each program.  Beside it stands what is known of each unit (an
element of the allocation's type):

    state   0: nothing has written it; -1: written; n > 0: transfer n will write it
    held    n > 0: transfer n still reads it

A transfer is an asynchronous copy, store or product.  It does its work when it starts, but what it wrote may be read,
and what it reads be overwritten, only when a wait has ended it: what comes too early meets the marks and is an error
that names the transfer.  Tensor memory is kept in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ttkit.interpreter.errors import InterpreterError, NotInterpretable, OutOfBounds, Uninitialized
from ttkit.interpreter.values import put, take

if TYPE_CHECKING:
    from ttkit.interpreter.decode import Instruction
    from ttkit.interpreter.machine import Machine
    from ttkit.interpreter.memory.shared_races import SharedRaces

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


class SharedMemory:
    """The shared memory of all programs of a batch."""

    def __init__(self, rows: int) -> None:
        self.rows = rows
        self.storages: dict[Instruction, Storage] = {}
        self.transfers: dict[int, Transfer] = {}
        self.started = 0
        self.rotation: Any = None
        """The scheduler, while groups of warps run different code."""
        self.races: SharedRaces | None = None

    def allocate(self, machine: Machine, op: Instruction, strides: tuple[int, ...] | None = None) -> MemDesc:
        """The buffer of an allocation, row-major by default.  It is the same one each time: allocation is static."""
        kind = op.result_types[0]
        strides = strides or row_major(kind.shape, kind.element.itemsize)
        size = kind.shape[0] * strides[0]
        if op not in self.storages:
            self.storages[op] = Storage(op, self.rows, size, kind.element.itemsize)
        storage = self.storages[op]
        rows = machine.lanes
        view = MemDesc(storage, np.zeros(1, np.int64), kind.shape, strides, kind.element)
        storage.freed[rows] = False
        place = self.place(machine, op, view)
        self.check_free(machine, op, place, "takes the memory of")
        storage.state[rows] = 0
        storage.barriers = storage.barriers if rows.size < self.rows else None
        return view

    def free(self, machine: Machine, op: Instruction, view: MemDesc) -> None:
        """Ends the life of a buffer.  Doing it twice is harmless: Triton's pipeliner does."""
        if view.storage.freed[machine.lanes].all():
            return
        self.check_free(machine, op, self.place(machine, op, view), "frees")
        view.storage.freed[machine.lanes] = True

    def place(self, machine: Machine, op: Instruction, view: MemDesc, which: np.ndarray | None = None) -> Place:
        """A view in the current programs, or those of them that `which` (bool [P]) enables.

        Raises:
            OutOfBounds: it is not inside of its allocation.
            InterpreterError: the allocation has been freed.
        """
        storage = view.storage
        place = Place(view, machine.lanes, view.offsets)
        if which is not None and not which.all():
            place = place.select(np.flatnonzero(np.broadcast_to(which, machine.lanes.shape)))
        extent = sum((n - 1) * s for n, s in zip(view.shape, view.strides)) + view.element.itemsize
        if place.rows.size and (place.offsets.min() < 0 or place.offsets.max() + extent > storage.size):
            bad = int(np.argmax((place.offsets < 0) | (place.offsets + extent > storage.size)))
            text = f"bytes {place.offsets[bad]} to {place.offsets[bad] + extent} of {storage}, which has {storage.size}"
            self.fail(machine, op, place, bad, None, text, OutOfBounds)
        if storage.freed[place.rows].any():
            self.fail(machine, op, place, int(np.argmax(storage.freed[place.rows])), None, f"{storage} has been freed")
        return place

    # --- accesses

    def load(self, machine: Machine, op: Instruction, view: MemDesc, after: Sequence[Transfer] = ()) -> np.ndarray:
        """The elements, which must have been written, and arrived unless by transfers that this one comes after."""
        place = self.place(machine, op, view)
        state = view.storage.state[place.marks]
        bad = state != WRITTEN
        if bad.any() and after:
            bad &= ~np.isin(state, [t.number for t in after])
        if bad.any():
            row, unit = np.unravel_index(int(np.argmax(bad)), state.shape)
            if number := int(state[row, unit]):
                text = f"reads {view.storage} before {self.name(number)} has been waited for"
                self.fail(machine, op, place, int(row), int(unit), text)
            text = f"reads {view.storage} where nothing has written"
            self.fail(machine, op, place, int(row), int(unit), text, Uninitialized)
        if self.races is not None:
            self.races.read(machine, op, view.storage, place.units(), view.shape)
        return place.read()

    def store(self, machine: Machine, op: Instruction, view: MemDesc, values: np.ndarray) -> None:
        """Writes a tensor to a view, after looking for races and for copies under way."""
        place = self.place(machine, op, view)
        self.check_free(machine, op, place, "overwrites")
        if self.races is not None:
            self.races.write(machine, op, view.storage, place.units(), view.shape)
        place.write(values)
        view.storage.state[place.marks] = WRITTEN

    def check_free(
        self,
        machine: Machine,
        op: Instruction,
        place: Place,
        verb: str,
        after: Sequence[Transfer] = (),
    ) -> None:
        """No transfer reads or writes the place, except those that this comes after."""
        storage, marks = place.view.storage, place.marks
        for table, what in ((storage.held, "still reads it"), (storage.state, "still writes it")):
            busy = table[marks] > 0
            if busy.any() and after:
                busy &= ~np.isin(table[marks], [t.number for t in after])
            if busy.any():
                row, unit = np.unravel_index(int(np.argmax(busy)), busy.shape)
                text = f"{verb} {storage} while {self.name(int(table[marks][row, unit]))} {what}"
                self.fail(machine, op, place, int(row), int(unit), text)

    # --- transfers

    def start(self, machine: Machine, op: Instruction, which: np.ndarray | None = None) -> Transfer:
        """A new transfer in the current programs, or those enabled."""
        self.started += 1
        rows = machine.lanes
        if which is not None and not which.all():
            rows = rows[np.broadcast_to(which, rows.shape)]
        transfer = Transfer(self.started, op, rows, np.ones(rows.size, np.bool_))
        self.transfers = {n: t for n, t in self.transfers.items() if t.remaining.any()}
        self.transfers[self.started] = transfer
        return transfer

    def writes(
        self,
        machine: Machine,
        transfer: Transfer,
        view: MemDesc,
        values: np.ndarray,
        which: np.ndarray | None = None,
        after: Sequence[Transfer] = (),
    ) -> None:
        """The transfer writes values [rows of the transfer, *shape] (or [1, *shape])."""
        place = self.place(machine, transfer.op, view, which)
        self.check_free(machine, transfer.op, place, "overwrites", after=after)
        if self.races is not None:
            self.races.transfer(machine, transfer, place, writes=True)
        place.write(values)
        transfer.writes.append(place)
        view.storage.state[place.marks] = transfer.number

    def reads(self, machine: Machine, transfer: Transfer, view: MemDesc) -> None:
        """The transfer reads the view until it ends."""
        place = self.place(machine, transfer.op, view)
        if self.races is not None:
            self.races.transfer(machine, transfer, place, writes=False)
        transfer.reads.append(place)
        view.storage.held[place.marks] = transfer.number

    def wait(self, machine: Machine, queue: Queue, pending: int) -> None:
        """Ends all but the `pending` newest groups of a queue, in the current programs."""
        ended = queue.wait(machine.lanes, pending)
        if self.races is not None:
            self.races.waited(ended)

    def barrier(self, machine: Machine) -> None:
        """All warps of the current group wait for each other."""
        if self.races is not None:
            self.races.barrier(machine)

    def name(self, number: int) -> str:
        """A copy for messages: operation and location."""
        op = self.transfers[number].op
        return f"the {op.name} at {op.location}"

    def check_finished(self, machine: Machine) -> None:
        """At the end of the kernel nothing may still read shared memory that is about to go away."""
        for transfer in self.transfers.values():
            if transfer.remaining.any() and transfer.reads:
                place = transfer.reads[0].select(transfer.remaining)
                text = "the kernel ends before this has been waited for"
                self.fail(machine, transfer.op, place, 0, None, text)

    def fail(
        self,
        machine: Machine,
        op: Instruction,
        place: Place,
        row: int,
        unit: int | None,
        text: str,
        kind=InterpreterError,
    ) -> None:
        """Raises an error about a unit of a row of the place."""
        lane = int(np.flatnonzero(machine.lanes == place.rows[row])[0])
        coordinates = None
        if unit is not None:
            per_element = max(1, place.view.element.itemsize // place.view.storage.unit)
            coordinates = tuple(int(c) for c in np.unravel_index(unit // per_element, place.view.shape))
        raise kind(text, op, machine.coordinates(int(machine.programs[lane])), coordinates)
