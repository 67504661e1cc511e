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
from typing import TYPE_CHECKING, Any

import numpy as np

from ttkit.interpreter.errors import InterpreterError, OutOfBounds, Uninitialized
from ttkit.interpreter.memory.lifetimes import may_share
from ttkit.interpreter.memory.running import RunningInBatch
from ttkit.interpreter.memory.shared_races import SharedRaces
from ttkit.interpreter.memory.storages import WRITTEN, MemDesc, Place, Queue, Storage, Transfer, row_major
from ttkit.interpreter.unwritten import Unwritten

if TYPE_CHECKING:
    from ttkit.interpreter.decode import Instruction


class SharedMemory:
    """The shared memory of all programs of a batch."""

    def __init__(self, rows: int) -> None:
        self.rows = rows
        self.storages: dict[Instruction, Storage] = {}
        self.transfers: dict[int, Transfer] = {}
        self.started = 0
        self.rotation: Any = None
        """The scheduler, while groups of warps run different code."""
        self.named: dict[int, Any] = {}
        """Barriers of the hardware, by number (ops/named_barrier.py)."""
        self.races: SharedRaces | None = None
        self.unwritten: Uninitialized | None = None
        """The error of the first value of the kind `Unwritten`."""
        self.sharing: dict[Instruction, tuple[Instruction, ...]] | None = None

    def allocate(self, machine: RunningInBatch, op: Instruction, strides: tuple[int, ...] | None = None) -> MemDesc:
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
        for other in self.may_share(machine, op):
            if (before := self.storages.get(other)) is not None:
                whole = MemDesc(
                    before, np.zeros(1, np.int64), (before.state.shape[1],), (before.unit,), np.dtype(f"V{before.unit}")
                )
                self.check_free(machine, op, Place(whole, rows, whole.offsets), "may take the memory of")
        storage.state[rows] = 0
        if storage.barriers is not None:
            storage.barriers.count[rows] = 0
        return view

    def may_share(self, machine: RunningInBatch, op: Instruction) -> tuple[Instruction, ...]:
        """The allocations that may have had the memory of this one before."""
        if self.sharing is None:
            self.sharing = may_share(machine.module)
        return self.sharing.get(op, ())

    def free(self, machine: RunningInBatch, op: Instruction, view: MemDesc) -> None:
        """Ends the life of a buffer.  Doing it twice is harmless: Triton's pipeliner does."""
        if view.storage.freed[machine.lanes].all():
            return
        self.check_free(machine, op, self.place(machine, op, view), "frees")
        view.storage.freed[machine.lanes] = True

    def place(self, machine: RunningInBatch, op: Instruction, view: MemDesc, which: np.ndarray | None = None) -> Place:
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

    def load(
        self, machine: RunningInBatch, op: Instruction, view: MemDesc, after: Sequence[Transfer] = ()
    ) -> np.ndarray:
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

    def load_to_registers(self, machine: RunningInBatch, op: Instruction, view: MemDesc) -> np.ndarray | Unwritten:
        """The same; if nothing has written to any of them, only a use of the result is an error (unwritten.py)."""
        try:
            return self.load(machine, op, view)
        except Uninitialized as error:
            if view.storage.state[self.place(machine, op, view).marks].any():
                raise
            self.unwritten = self.unwritten or error
            return Unwritten(error)

    def refuse_unwritten(self) -> None:
        """Raises Uninitialized if a load came before anything was written: it may be why groups of warps hang."""
        if self.unwritten is not None:
            raise self.unwritten

    def store(self, machine: RunningInBatch, op: Instruction, view: MemDesc, values: np.ndarray | Unwritten) -> None:
        """Writes a tensor to a view, after looking for races and for copies under way."""
        place = self.place(machine, op, view)
        self.check_free(machine, op, place, "overwrites")
        if isinstance(values, Unwritten):
            view.storage.state[place.marks] = 0
            return
        if self.races is not None:
            self.races.write(machine, op, view.storage, place.units(), view.shape)
        place.write(values)
        view.storage.state[place.marks] = WRITTEN

    def check_free(
        self, machine: RunningInBatch, op: Instruction, place: Place, verb: str, after: Sequence[Transfer] = ()
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

    def start(self, machine: RunningInBatch, op: Instruction, which: np.ndarray | None = None) -> Transfer:
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
        machine: RunningInBatch,
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

    def reads(self, machine: RunningInBatch, transfer: Transfer, view: MemDesc) -> None:
        """The transfer reads the view until it ends."""
        place = self.place(machine, transfer.op, view)
        if self.races is not None:
            self.races.transfer(machine, transfer, place, writes=False)
        transfer.reads.append(place)
        view.storage.held[place.marks] = transfer.number

    def wait(self, machine: RunningInBatch, queue: Queue, pending: int) -> None:
        """Ends all but the `pending` newest groups of a queue, in the current programs."""
        ended = queue.wait(machine.lanes, pending)
        if self.races is not None:
            self.races.waited(ended)

    def barrier(self, machine: RunningInBatch) -> None:
        """All warps of the current group wait for each other."""
        if self.races is not None:
            self.races.barrier(machine)

    def name(self, number: int) -> str:
        """A copy for messages: operation and location."""
        op = self.transfers[number].op
        return f"the {op.name} at {op.location}"

    def check_finished(self, machine: RunningInBatch) -> None:
        """At the end of the kernel nothing may still read shared memory, which goes away, or be at a barrier.

        Raises:
            InterpreterError: something does.
        """
        for transfer in self.transfers.values():
            if transfer.remaining.any() and transfer.reads:
                place = transfer.reads[0].select(transfer.remaining)
                text = "the kernel ends before this has been waited for"
                self.fail(machine, transfer.op, place, 0, None, text)
        for number, barrier in self.named.items():
            if barrier.threads.any():
                count = int(barrier.threads.max())
                raise InterpreterError(f"{count} threads still wait at barrier {number} when the kernel ends")

    def fail(
        self,
        machine: RunningInBatch,
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
