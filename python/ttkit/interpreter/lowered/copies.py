"""Asynchronous copies: by threads, cp.async, and by the tensor memory accelerator, cp.async.bulk.

They end as late as they may: where somebody waits for them and nobody else can go on.  Until then the bytes that they
write may not be accessed, nor those that they read be written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.errors import InterpreterError
from ttkit.interpreter.lowered.barriers import Barriers, Mbarrier, knowledge_of, mbarriers_of
from ttkit.interpreter.lowered.batch import Batch
from ttkit.interpreter.lowered.cta_shared_memory import IN_ORDER, WILL_BE_WRITTEN, SharedMemories
from ttkit.interpreter.lowered.lanes import Lanes
from ttkit.interpreter.lowered.memory_spaces import load_bytes
from ttkit.interpreter.lowered.ptx import Assembly, Operand, ptx
from ttkit.interpreter.lowered.threads import WARP, Threads
from ttkit.interpreter.ops.registry import interprets

Array = np.ndarray


@dataclass(eq=False)
class ThreadCopy:
    """Copies that threads have started with one instruction.

    number: how many instructions had started copies before; rows, group: the threads, and the group of each to which
    its copy belongs; cta, byte: where it goes, [P, 1] and [P, bytes]; value: what it writes there.
    """

    number: int
    rows: Array
    group: Array
    cta: Array
    byte: Array
    value: Array

    def some(self, chosen: Array) -> ThreadCopy:
        """A part of the copied elements."""
        parts = (self.rows, self.group, self.cta, self.byte, self.value)
        return ThreadCopy(self.number, *(part[chosen] for part in parts))


class Copies:
    """Copies under way in a batch.

    started: of threads; starts: number of instructions that started them, those that have ended included; groups:
    number of groups that each thread has closed.  bulk: for each thread the groups of bulk copies that it has closed,
    and those that read shared memory which has not been read yet.
    """

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.started: list[ThreadCopy] = []
        self.starts = 0
        self.groups = np.zeros(batch.threads, np.int64)
        self.bulk_groups: dict[int, int] = {}
        self.bulk: list[tuple[int, int, Callable[[], None]]] = []

    def start(self, rows: Array, cta: Array, byte: Array, value: Array) -> None:
        """Starts the copies of one instruction, in the threads' current groups."""
        self.started.append(ThreadCopy(self.starts, rows, self.groups[rows], cta, byte, value))
        self.starts += 1

    def end(self, over: Callable[[ThreadCopy], Array], knowledge: Array | None = None) -> None:
        """Ends the copies of threads for which `over` is true; with `knowledge`, before the arrival that has it."""
        left = []
        for copy in self.started:
            done = over(copy)
            if not done.any():
                left.append(copy)
                continue
            self.write(copy.some(done), knowledge)
            if not done.all():
                left.append(copy.some(~done))
        self.started = left

    def write(self, copy: ThreadCopy, knowledge: Array | None) -> None:
        """Writes what copies have read: as their threads' stores, but for the fence, which Triton puts nowhere here.

        Copies that end before an arrival belong to the step of their warp of which that arrival tells.
        """
        shared = self.batch.the(SharedMemories)
        shared.written(copy.cta, copy.byte, copy.value)
        warp = copy.rows[:, None] // WARP
        own = warp % shared.warps
        shared.wrote[copy.cta, copy.byte, own] = shared.known[warp, own] if knowledge is None else knowledge[own]
        self.batch.the(Lanes).note(copy.rows, copy.cta, copy.byte, True)

    def check_finished(self) -> None:
        """Raises InterpreterError if a kernel ends and nobody has waited for copies from its shared memory."""
        if self.bulk:
            raise InterpreterError("the kernel ends while a copy to global memory may still read its shared memory")


@ptx("cp.async.ca", "cp.async.cg")
def copy_async(asm: Assembly, words: list[str], target: Operand, source: Operand, size: str, *read: Operand) -> None:
    """Starts a copy of `size` bytes to shared memory; of them `read` come from global memory, the others are zero."""
    threads, count = asm.threads, int(asm.uniform(size))
    if not asm.mask.any():
        return
    read = read[:-1] if "L2::cache_hint" in words else read
    given = threads.full(asm.value(read[0])).astype(np.int64) if read else np.full(threads.count, count)
    chosen = threads.part(asm.mask)
    pointer = threads.full(asm.address(source))
    value = np.zeros((threads.count, count), np.uint8)
    for amount in np.unique(given[asm.mask]).tolist():
        if amount:
            part = asm.mask & (given == amount)
            found = load_bytes(threads, asm.op, pointer, amount, part)
            value[part, :amount] = found[part]
    shared = threads.batch.the(SharedMemories)
    cta, byte = shared.places(chosen, threads.full(asm.address(target))[asm.mask], count, "writes")
    for warp in shared.warps_of(chosen.rows).tolist():
        mine = chosen.rows // WARP == warp
        shared.check_free(np.array([warp]), cta[mine], byte[mine], IN_ORDER)
    shared.flight[cta, byte] = WILL_BE_WRITTEN  # several threads may copy the same bytes
    copies = threads.batch.the(Copies)
    copies.start(chosen.rows, cta, byte, value[asm.mask])


@interprets("nvvm.cp.async.commit.group")
def commit_group(threads: Threads, op: Instruction) -> tuple:
    """The copies that a thread has started since the last group are a group."""
    threads.batch.the(Copies).groups[threads.rows] += 1
    return ()


@interprets("nvvm.cp.async.wait.group")
def wait_group(threads: Threads, op: Instruction) -> tuple:
    """All groups but the last `n` of each thread end."""
    _end_groups(threads, int(op.attributes["n"]))
    return ()


@ptx("cp.async.commit_group")
def commit_group_by_text(asm: Assembly, words: list[str]) -> None:
    """As nvvm.cp.async.commit.group."""
    asm.threads.batch.the(Copies).groups[asm.threads.rows[asm.mask]] += 1


@ptx("cp.async.wait_group")
def wait_group_by_text(asm: Assembly, words: list[str], number: str) -> None:
    """As nvvm.cp.async.wait.group."""
    _end_groups(asm.threads, int(asm.uniform(number)))


@ptx("cp.async.wait_all")
def wait_all(asm: Assembly, words: list[str]) -> None:
    """All copies of each thread end."""
    asm.threads.batch.the(Copies).end(lambda copy: np.isin(copy.rows, asm.threads.rows))


def _end_groups(threads: Threads, pending: int) -> None:
    copies = threads.batch.the(Copies)
    last = np.full(threads.batch.threads, -1)
    last[threads.rows] = copies.groups[threads.rows] - pending - 1
    copies.end(lambda copy: copy.group <= last[copy.rows])


@ptx("cp.async.mbarrier.arrive")
def arrive_after_copies(asm: Assembly, words: list[str], address: Operand) -> None:
    """Each thread arrives at an mbarrier when its copies have ended; without noinc the phase waits for one more."""
    threads = asm.threads
    for position, cta, place in mbarriers_of(asm, address):
        barrier = threads.batch.the(Barriers).use(int(threads.rows[position]), cta, place)
        if "noinc" not in words:
            barrier.pending += 1
        threads.batch.later.append(arrival(threads, position, barrier))


def arrival(threads: Threads, position: int, barrier: Mbarrier) -> Callable[[], None]:
    """The arrival at a barrier that happens when the thread's copies have ended."""
    row, knowledge = int(threads.rows[position]), knowledge_of(threads, position)
    copies = threads.batch.the(Copies)
    before = copies.starts

    def arrive() -> None:
        """Ends the thread's copies that had started, and arrives."""
        copies.end(lambda copy: (copy.rows == row) & (copy.number < before), knowledge)
        barrier.arrive(1, knowledge)

    return arrive


# --- Bulk copies ------------------------------------------------------------------------------------------------------
def start_store(threads: Threads, position: int, work: Callable[[], None]) -> None:
    """A bulk copy that reads shared memory, by a thread: it belongs to the group that the thread closes next."""
    row = int(threads.rows[position])
    copies = threads.batch.the(Copies)
    copies.bulk.append((row, copies.bulk_groups.get(row, 0), work))

    def end() -> None:
        """Does the copy, unless a wait for its group has."""
        for number, entry in enumerate(copies.bulk):
            if entry[2] is work:
                copies.bulk.pop(number)
                work()
                return

    threads.batch.later.append(end)


@interprets("nvvm.cp.async.bulk.commit.group")
def commit_bulk(threads: Threads, op: Instruction) -> tuple:
    """The bulk copies that a thread has started since the last group are a group."""
    groups = threads.batch.the(Copies).bulk_groups
    for row in threads.rows.tolist():
        groups[row] = groups.get(row, 0) + 1
    return ()


@ptx("cp.async.bulk.commit_group")
def commit_bulk_by_text(asm: Assembly, words: list[str]) -> None:
    """As nvvm.cp.async.bulk.commit.group."""
    commit_bulk(asm.threads.part(asm.mask), asm.op)


@interprets("nvvm.cp.async.bulk.wait_group")
def wait_bulk(threads: Threads, op: Instruction) -> tuple:
    """All groups but the last of each thread have read their shared memory."""
    end_bulk(threads, int(op.attributes["group"]))
    return ()


@ptx("cp.async.bulk.wait_group")
def wait_bulk_by_text(asm: Assembly, words: list[str], number: str) -> None:
    """As nvvm.cp.async.bulk.wait_group."""
    end_bulk(asm.threads, int(asm.uniform(number)))


def end_bulk(threads: Threads, pending: int) -> None:
    """Ends the bulk copies of threads but those of their last groups."""
    copies = threads.batch.the(Copies)
    first_left = {row: copies.bulk_groups.get(row, 0) - pending for row in threads.rows.tolist()}
    for entry in [entry for entry in copies.bulk if entry[1] < first_left.get(entry[0], 0)]:
        copies.bulk.remove(entry)
        entry[2]()
