"""mbarriers: phases that end when all arrivals and all announced bytes have come."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.errors import InterpreterError
from ttkit.interpreter.machine import THREADS_PER_WARP, Machine
from ttkit.interpreter.memory.storages import MemDesc, Place, Storage, Transfer
from ttkit.interpreter.ops.registry import interprets

MAX_COUNT = (1 << 20) - 1
"""Arrivals of a phase at most (PTX ISA, "mbarrier.init")."""


class Barriers:
    """The mbarriers in an allocation: arrays [rows, 8-byte slots].

    count: arrivals of a phase, 0 if there is no barrier; pending: arrivals that the current phase still needs; bytes:
    announced and not arrived; phase: the number of phases that are over.
    """

    def __init__(self, storage: Storage) -> None:
        self.storage = storage
        shape = (storage.freed.size, storage.bytes.shape[1] // 8)
        self.count, self.pending, self.bytes, self.phase = (np.zeros(shape, np.int64) for _ in range(4))

    def settle(self, machine: Machine, at: tuple[np.ndarray, np.ndarray]) -> None:
        """Ends the phases that have all that they wait for."""
        over = (self.pending[at] == 0) & (self.bytes[at] == 0)
        self.phase[at] += over
        self.pending[at] = np.where(over, self.count[at], self.pending[at])
        if machine.shared.races is not None and over.any():
            machine.shared.races.phase_over(self.storage, int(at[1][0]))


def barrier_at(machine: Machine, op: Instruction, view: MemDesc, which: np.ndarray | None = None):
    """The barriers, their (rows, slots), and the place, in the current programs or those enabled."""
    place = machine.shared.place(machine, op, view, which)
    storage = view.storage
    if storage.barriers is None:
        storage.barriers = Barriers(storage)
    slots = np.broadcast_to(place.offsets // 8, place.rows.shape)
    return storage.barriers, (place.rows, slots), place


def _live_barrier_at(machine: Machine, op: Instruction, view: MemDesc, which: np.ndarray | None = None):
    barriers, at, place = barrier_at(machine, op, view, which)
    if (barriers.count[at] == 0).any():
        bad = int(np.argmax(barriers.count[at] == 0))
        machine.shared.fail(machine, op, place, bad, None, f"no mbarrier has been initialized in {view.storage}")
    return barriers, at, place


def arrive(
    machine: Machine,
    op: Instruction,
    view: MemDesc,
    count: int,
    announced: int,
    which: np.ndarray | None = None,
    transfers: Sequence[Transfer] = (),
) -> None:
    """`count` arrivals, after the end of `transfers`, and `announced` more bytes to wait for."""
    barriers, at, place = _live_barrier_at(machine, op, view, which)
    if machine.shared.races is not None and place.rows.size:
        machine.shared.races.arrive(machine, (view.storage, int(at[1][0])), transfers, op)
    barriers.bytes[at] += announced
    barriers.pending[at] -= count
    if (barriers.pending[at] < 0).any():
        bad = int(np.argmax(barriers.pending[at] < 0))
        expected = int(barriers.pending[at][bad]) + count
        text = f"{count} arrivals at a barrier whose phase waits for {expected} only"
        machine.shared.fail(machine, op, place, bad, None, text)
    barriers.settle(machine, at)


def count_bytes(machine: Machine, transfer: Transfer, view: MemDesc, size: int, which=None) -> None:
    """The transfer's bytes count for the phase that the barrier is in; a wait for that phase ends the transfer."""
    barriers, at, _ = _live_barrier_at(machine, transfer.op, view, which)
    announce(transfer, view.storage, barriers, at)
    barriers.bytes[at] -= size
    if machine.shared.races is not None:
        machine.shared.races.arrive(machine, (view.storage, int(at[1][0])), [transfer], None)
    barriers.settle(machine, at)


def announce(transfer: Transfer, storage: Storage, barriers: Barriers, at: tuple[np.ndarray, np.ndarray]) -> None:
    """The current phase of the barriers at (rows, slots) tells the end of the transfer, in these of its rows."""
    rows, slots = at
    slot_of = np.full(barriers.count.shape[0], -1, np.int64)
    slot_of[rows] = slots
    own = slot_of[transfer.rows]
    transfer.barriers.append((storage, own, barriers.phase[transfer.rows, own]))


def arrive_after(
    machine: Machine, op: Instruction, transfers: Sequence[Transfer], view: MemDesc, which=None, count: int = 1
) -> None:
    """`count` arrivals in the background, when the transfers have ended."""
    barriers, at, _ = _live_barrier_at(machine, op, view, which)
    for transfer in transfers:
        announce(transfer, view.storage, barriers, at)
    arrive(machine, op, view, count, 0, which, transfers)


def check_count(count: int) -> None:
    """Raises InterpreterError unless the phases of an mbarrier can wait for so many arrivals."""
    if not 1 <= count <= MAX_COUNT:
        raise InterpreterError(f"an mbarrier takes 1 to {MAX_COUNT} arrivals, found {count}")


@interprets("ttng.init_barrier")
def init_barrier(machine: Machine, op: Instruction, view: MemDesc) -> tuple:
    """Phase 0 ends after `count` arrivals.

    Raises:
        InterpreterError: an mbarrier can't have this count; or there is one already, which nothing has invalidated.
    """
    barriers, at, place = barrier_at(machine, op, view)
    count = op.attributes["count"]
    check_count(count)
    if (barriers.count[at] != 0).any():
        bad = int(np.argmax(barriers.count[at] != 0))
        text = f"there is an mbarrier already in {view.storage}: use ttng.inval_barrier before it is initialized again"
        machine.shared.fail(machine, op, place, bad, None, text)
    barriers.count[at] = barriers.pending[at] = count
    barriers.bytes[at] = barriers.phase[at] = 0
    return ()


@interprets("ttng.inval_barrier")
def inval_barrier(machine: Machine, op: Instruction, view: MemDesc) -> tuple:
    """There is no barrier any more."""
    barriers, at, _ = _live_barrier_at(machine, op, view)
    barriers.count[at] = 0
    return ()


@interprets("ttng.barrier_expect")
def barrier_expect(machine: Machine, op: Instruction, view: MemDesc, predicate: np.ndarray) -> tuple:
    """Arrives once where the predicate holds, and adds `size` bytes to those that the phase waits for."""
    arrive(machine, op, view, 1, op.attributes["size"], predicate)
    return ()


def arrivals_at_each(op: Instruction) -> int:
    """The arrivals that the barrier of each CTA gets: from several CTAs, if each arrives for several."""
    count: int = op.attributes["count"] << op.attributes.get("multicastCTA", 0).bit_count()
    return count


@interprets("ttng.arrive_barrier")
def arrive_barrier(machine: Machine, op: Instruction, view: MemDesc, predicate: np.ndarray | None = None) -> tuple:
    """Arrives `count` times where the predicate holds."""
    arrive(machine, op, view, arrivals_at_each(op), 0, predicate)
    return ()


@interprets("ttng.async_copy_mbarrier_arrive")
def async_copy_mbarrier_arrive(machine: Machine, op: Instruction, view: MemDesc) -> tuple:
    """Each thread arrives after the copies started so far; without noIncrement the phase waits for it besides."""
    threads = machine.warps * THREADS_PER_WARP
    if "noIncrement" not in op.attributes:
        barriers, at, _ = _live_barrier_at(machine, op, view)
        barriers.pending[at] += threads
    arrive_after(machine, op, machine.background.copies.unfinished(), view, count=threads)
    return ()


@interprets("ttng.wait_barrier")
def wait_barrier(machine: Machine, op: Instruction, view: MemDesc, phase: np.ndarray, *rest: object) -> tuple:
    """Waits where the predicate holds, until a phase of the parity of `phase` is over.  Other warps run meanwhile."""
    predicate = rest[0] if op.attributes["operandSegmentSizes"][2] else None
    barriers, at, place = _live_barrier_at(machine, op, view, predicate)
    if not place.rows.size:
        return ()
    parity = np.broadcast_to(phase.astype(np.int64), machine.lanes.shape)[np.isin(machine.lanes, place.rows)] & 1

    def ready() -> bool:
        """Whether the phase has ended in all programs."""
        return bool(((barriers.phase[at] & 1) != parity).all())

    if not ready():
        rotation = machine.shared.rotation
        if rotation is None or not rotation.wait_until(ready):
            machine.shared.refuse_unwritten()
            machine.shared.fail(machine, op, place, *_stuck(barriers, at, parity))
    if machine.shared.races is not None:
        machine.shared.races.wait(machine, view.storage, int(at[1][0]))
    for transfer in list(machine.shared.transfers.values()):
        deliver(transfer, view.storage, barriers, place)
    return ()


def _stuck(barriers: Barriers, at: tuple[np.ndarray, np.ndarray], parity: np.ndarray) -> tuple[int, None, str]:
    bad = int(np.argmax((barriers.phase[at] & 1) == parity))
    missing = f"{barriers.pending[at][bad]} arrivals and {barriers.bytes[at][bad]} bytes are missing"
    return bad, None, f"deadlock: phase {parity[bad]} of the barrier never ends; {missing}"


def deliver(transfer: Transfer, storage: Storage, barriers: Barriers, place: Place) -> None:
    """Ends a transfer whose phase of the barrier is over, in the rows of the place."""
    awaited = np.full(barriers.count.shape[0], -2, np.int64)
    awaited[place.rows] = place.offsets // 8
    for where, slots, phases in transfer.barriers:
        if where is storage:
            here = awaited[transfer.rows] == slots
            transfer.finish(here & (barriers.phase[transfer.rows, slots] > phases))
