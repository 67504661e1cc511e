"""Barriers: of the threads of a CTA, of a cluster, and mbarriers, which count arrivals and bytes in shared memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.errors import InterpreterError, Race
from ttkit.interpreter.lowered.batch import Batch
from ttkit.interpreter.lowered.cta_shared_memory import CTA_SHIFT, IS_MBARRIER, SharedMemories
from ttkit.interpreter.lowered.lanes import Lanes
from ttkit.interpreter.lowered.nvvm_ops import intrinsic
from ttkit.interpreter.lowered.ptx import Assembly, ptx
from ttkit.interpreter.lowered.threads import WARP, Threads, Wait
from ttkit.interpreter.ops.mbarrier import check_count
from ttkit.interpreter.ops.registry import interprets

Array = np.ndarray
NOT_THERE = -1
BYTES = 8
"""Bytes of an mbarrier."""
BARRIERS = 16
"""Hardware barriers of each CTA (PTX ISA, `barrier`)."""


@dataclass
class Phase:
    """Threads that arrive at a barrier, by the number of its phase.

    arrived: rows of the threads that are there in this turn, waiting: of those that wait for its end; knowledge: of
    what the warps that arrived did before.
    """

    arrived: list[Array] = field(default_factory=list)
    waiting: list[Array] = field(default_factory=list)
    knowledge: list[Array] = field(default_factory=list)
    turn: int = 0

    def count(self) -> int:
        """Threads that have arrived."""
        return sum(rows.size for rows in self.arrived)

    def settle(self, batch: Batch) -> None:
        """Ends the turn: all that wait know what each that came knew."""
        memories = batch.the(SharedMemories)
        if self.waiting:
            memories.learn(memories.warps_of(np.concatenate(self.waiting)), np.max(self.knowledge, axis=0))
        self.arrived, self.waiting, self.knowledge, self.turn = [], [], [], self.turn + 1


@dataclass
class Mbarrier:
    """An mbarrier: arrivals that a phase waits for and that are missing; bytes that are; the parity of the phase.

    left, given: knowledge of those that arrived in this phase, and in those that are over.  made, used, waited: the
    steps of warps at which it was set up, at their latest uses, and at their latest waits.
    """

    expected: int
    pending: int
    left: Array
    given: Array
    made: Array
    used: Array
    waited: Array
    bytes: int = 0
    phase: int = 0

    def arrive(self, count: int, knowledge: Array) -> None:
        """Raises InterpreterError if the phase waits for fewer."""
        self.left = np.maximum(self.left, knowledge)
        self.pending -= count
        if self.pending < 0:
            raise InterpreterError(f"more arrivals at an mbarrier than the {self.expected} that its phase waits for")
        self.settle()

    def settle(self) -> None:
        """Ends the phase if all arrivals and bytes are there: whoever waits knows what the others knew.

        Raises:
            Race: a warp may still wait for the phase before, whose parity is that of the next.
        """
        if self.pending == 0 and self.bytes == 0:
            if (self.waited > self.left).any():
                raise Race(
                    "a phase of an mbarrier ends while a warp may still wait for the last one: no barrier orders them"
                )
            self.given = np.maximum(self.given, self.left)
            self.phase ^= 1
            self.pending = self.expected


class Barriers:
    """All barriers of a batch."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.phases: dict[tuple[str, int, int], Phase] = {}
        self.ticket = np.full((batch.threads, 2), NOT_THERE, np.int64)
        """For each thread the turn of the barrier at which it is, of the CTA (0) and of the cluster (1)."""
        self.mbarriers: dict[tuple[int, int], Mbarrier] = {}
        """By CTA and byte."""

    def arrive(self, threads: Threads, key: tuple[str, int, int], chosen: Array, size: int) -> None:
        """Threads, those `chosen` whose group has the barrier `key`, come to it and will wait there.

        Raises:
            InterpreterError: more threads come than it is for.
        """
        kind = key[0] == "cluster"
        new = threads.rows[chosen]
        new = new[self.ticket[new, int(kind)] == NOT_THERE]
        if not new.size:
            return
        phase = self.phases.setdefault(key, Phase())
        self.ticket[new, int(kind)] = phase.turn
        phase.waiting.append(new)
        self.come(key, new, size)

    def come(self, key: tuple[str, int, int], new: Array, size: int) -> None:
        """Threads, by their rows, come to the barrier `key`; `size` end a turn.

        Raises:
            InterpreterError: they were there already in this turn, or more come than it is for.
        """
        phase = self.phases.setdefault(key, Phase())
        if any(np.isin(new, rows).any() for rows in phase.arrived):
            raise InterpreterError(
                f"threads arrive at barrier {key[2]} again before all {size} threads of its phase have arrived"
            )
        phase.arrived.append(new)
        phase.knowledge.append(self.batch.the(SharedMemories).knowledge(self.batch.the(SharedMemories).warps_of(new)))
        self.batch.progress += 1
        if phase.count() > size:
            raise InterpreterError(f"{phase.count()} threads come to a barrier of {size}")
        if phase.count() == size:
            phase.settle(self.batch)

    def passed(self, threads: Threads, key: tuple[str, int, int], chosen: Array) -> Array:
        """Which of the chosen threads may go on; these are no longer at the barrier."""
        kind, rows = int(key[0] == "cluster"), threads.rows[chosen]
        on = self.ticket[rows, kind] < self.phases[key].turn
        self.ticket[rows[on], kind] = NOT_THERE
        return on

    def synchronize(self, threads: Threads, number: int | Array, size: int, mask: Array | None = None) -> None:
        """Threads wait at barriers of their CTA, those of the mask, each at the one of its number.

        Raises:
            Wait: others must come first.
        """
        mask = np.ones(threads.count, np.bool_) if mask is None else mask
        ready, waited = ~mask, list[int]()
        for key, chosen in self.of_cta(threads, number, mask):
            self.arrive(threads, key, chosen, size)
            ready[chosen] = self.passed(threads, key, chosen)
            waited += [] if ready[chosen].all() else [key[2]]
        if waited:
            raise Wait(ready, f"barrier {waited[0]} of {size} threads")

    def pass_by(self, threads: Threads, number: int | Array, size: int, mask: Array | None = None) -> None:
        """Threads come to barriers of their CTA, those of the mask, each to the one of its number, and go on."""
        mask = np.ones(threads.count, np.bool_) if mask is None else mask
        for key, chosen in self.of_cta(threads, number, mask):
            self.come(key, threads.rows[chosen], size)

    def of_cta(
        self, threads: Threads, number: int | Array, mask: Array
    ) -> Iterator[tuple[tuple[str, int, int], Array]]:
        """Each barrier to which threads of the mask come, with these threads."""
        threads.whole(WARP)
        numbers = np.broadcast_to(np.asarray(number).reshape(-1), threads.count)
        for cta in np.unique(threads.cta[mask]).tolist():
            here = mask & (threads.cta == cta)
            for each in np.unique(numbers[here]).tolist():
                yield ("cta", cta, each), here & (numbers == each)

    def mbarrier(self, cta: int, place: int) -> Mbarrier:
        """The mbarrier in the memory of a CTA.

        Raises:
            InterpreterError: nobody has set one up there.
        """
        if (cta, place) not in self.mbarriers:
            raise InterpreterError(f"there is no mbarrier at byte {place} of shared memory: it was not initialized")
        return self.mbarriers[cta, place]

    def use(self, row: int, cta: int, place: int) -> Mbarrier:
        """The mbarrier in the memory of a CTA, for a thread of the batch.

        Raises:
            InterpreterError: nobody has set one up there.
            Race: another warp has, maybe later.
        """
        found, shared, warp = self.mbarrier(cta, place), self.batch.the(SharedMemories), row // WARP
        if (found.made > shared.known[warp]).any():
            raise Race("a warp uses an mbarrier that another warp initialized: no barrier orders them")
        own = warp % shared.warps
        found.used[own] = shared.known[warp, own]
        return found

    def check_finished(self) -> None:
        """Raises InterpreterError if threads were left at a barrier that others did not come to."""
        for (kind, _, number), phase in self.phases.items():
            if phase.arrived and kind == "cta":
                raise InterpreterError(f"{phase.count()} threads still wait at barrier {number} when the kernel ends")


# --- Barriers of CTAs and clusters ------------------------------------------------------------------------------------
@intrinsic(r"llvm\.nvvm\.barrier\.cta\.sync\.all")
@interprets("nvvm.barrier0", "nvvm.barrier")
def barrier(threads: Threads, op: Instruction, *operands: Array) -> tuple:
    """Some threads of the CTA wait for each other: at which barrier, how many; all at barrier 0 if nothing is said."""
    counts = op.attributes.get("operandSegmentSizes", (min(1, len(operands)), max(0, len(operands) - 1)))
    number = int(operands[0].flat[0]) if counts[0] else 0
    size = int(operands[counts[0]].flat[0]) if counts[1] else threads.batch.threads_of_cta
    threads.batch.the(Barriers).synchronize(threads, number, size)
    return ()


@intrinsic(r"llvm\.nvvm\.barrier\.cta\.sync\.aligned\.count")
def barrier_of_some(threads: Threads, op: Instruction, number: Array, size: Array) -> tuple:
    """So many threads wait for each other at a barrier, by its number."""
    threads.batch.the(Barriers).synchronize(threads, number, int(size.flat[0]))
    return ()


@intrinsic(r"llvm\.nvvm\.barrier\.cta\.arrive\.aligned\.count")
def barrier_arrive(threads: Threads, op: Instruction, number: Array, size: Array) -> tuple:
    """Threads come to a barrier, by its number, of so many, and go on."""
    threads.batch.the(Barriers).pass_by(threads, number, int(size.flat[0]))
    return ()


@ptx("bar.sync", "barrier.sync")
def bar_sync(asm: Assembly, words: list[str], number: str, *size: str) -> None:
    """As nvvm.barrier."""
    threads = asm.threads
    count = int(asm.uniform(size[0])) if size else threads.batch.threads_of_cta
    threads.batch.the(Barriers).synchronize(threads, int(asm.uniform(number)), count, asm.mask)


@ptx("bar.arrive", "barrier.arrive")
def bar_arrive(asm: Assembly, words: list[str], number: str, size: str) -> None:
    """Threads come to a barrier, by its number, of so many, and go on."""
    count = int(asm.uniform(size))
    asm.threads.batch.the(Barriers).pass_by(asm.threads, int(asm.uniform(number)), count, asm.mask)


@interprets("nvvm.bar.warp.sync")
def warp_sync(threads: Threads, op: Instruction, mask: Array) -> tuple:
    """The threads of a warp wait for each other."""
    threads.whole(WARP)
    threads.check_mask(mask)
    threads.batch.the(Lanes).sync(np.unique(threads.rows // WARP))
    return ()


@interprets("nvvm.cluster.arrive", "nvvm.cluster.arrive.relaxed")
def cluster_arrive(threads: Threads, op: Instruction) -> tuple:
    """Comes to the barrier of the cluster, and goes on."""
    threads.whole(WARP)
    batch = threads.batch
    cluster = threads.cta // batch.ctas_of_program
    for number in np.unique(cluster).tolist():
        size = batch.threads_of_cta * batch.ctas_of_program
        batch.the(Barriers).arrive(threads, ("cluster", number, 0), cluster == number, size)
    return ()


@interprets("nvvm.cluster.wait")
def cluster_wait(threads: Threads, op: Instruction) -> tuple:
    """Waits until all threads of the cluster have come to its barrier."""
    batch = threads.batch
    cluster = threads.cta // batch.ctas_of_program
    ready = np.zeros(threads.count, np.bool_)
    for number in np.unique(cluster).tolist():
        chosen = cluster == number
        if (batch.the(Barriers).ticket[threads.rows[chosen], 1] == NOT_THERE).any():
            raise InterpreterError("a thread waits at the cluster's barrier without having arrived there")
        ready[chosen] = batch.the(Barriers).passed(threads, ("cluster", number, 0), chosen)
    if not ready.all():
        raise Wait(ready, "the cluster")
    return ()


# --- mbarriers --------------------------------------------------------------------------------------------------------
def mbarriers_of(asm: Assembly, address: object) -> list[tuple[int, int, int]]:
    """For each thread for which the instruction is: its position, the CTA and the byte of the mbarrier."""
    threads, pointer = asm.threads, asm.address(address)
    chosen = asm.executing()
    if chosen:
        threads.batch.the(SharedMemories).places(
            threads.part(asm.mask), threads.full(pointer)[chosen], 8, "uses an mbarrier of"
        )
    own, full = threads.cta, threads.full(pointer)
    first = own - own % threads.batch.ctas_of_program
    found = []
    for position in chosen:
        place, window = int(full[position]) & ((1 << CTA_SHIFT) - 1), int(full[position]) >> CTA_SHIFT
        found.append((position, int(own[position]) if not window else int(first[position]) + window - 1, place))
    return found


def knowledge_of(threads: Threads, position: int) -> Array:
    """The knowledge of the warp that has one of the threads, for races."""
    return threads.batch.the(SharedMemories).knowledge(threads.rows[position : position + 1] // WARP)


@ptx("mbarrier.init")
def mbarrier_init(asm: Assembly, words: list[str], address: object, count: str) -> None:
    """Sets up an mbarrier; phase 0 ends after `count` arrivals.  It takes bytes that nobody may access meanwhile.

    Raises:
        InterpreterError: an mbarrier can't have this count.
    """
    threads = asm.threads
    expected, shared = int(asm.uniform(count)), threads.batch.the(SharedMemories)
    check_count(expected)
    empty = np.zeros(shared.warps, np.int32)
    for position, cta, place in mbarriers_of(asm, address):
        warp = int(threads.rows[position]) // WARP
        own = np.arange(shared.warps) == warp % shared.warps
        bytes = place + np.arange(BYTES)
        shared.check_free(np.array([warp]), cta, bytes, "an mbarrier")
        shared.flight[cta, bytes] = IS_MBARRIER
        steps = np.where(own, shared.known[warp], 0)
        made = Mbarrier(expected, expected, empty, empty, steps, empty.copy(), empty.copy())
        threads.batch.the(Barriers).mbarriers[cta, place] = made


@ptx("mbarrier.inval")
def mbarrier_inval(asm: Assembly, words: list[str], address: object) -> None:
    """The bytes of an mbarrier may be used for something else.

    Raises:
        Race: another warp may still use it.
    """
    batch = asm.threads.batch
    for position, cta, place in mbarriers_of(asm, address):
        row = int(asm.threads.rows[position])
        if (batch.the(Barriers).use(row, cta, place).used > batch.the(SharedMemories).known[row // WARP]).any():
            raise Race("a warp invalidates an mbarrier that another warp uses: no barrier orders them")
        shared, bytes, warp = batch.the(SharedMemories), place + np.arange(BYTES), row // WARP
        shared.end(cta, bytes)
        shared.wrote[cta, bytes, warp % shared.warps] = shared.known[warp, warp % shared.warps]
        del batch.the(Barriers).mbarriers[cta, place]


@ptx("mbarrier.arrive")
def mbarrier_arrive(asm: Assembly, words: list[str], state: object, address: object, *number: str) -> None:
    """Arrives, `number` times; with expect_tx once, and the phase waits for `number` more bytes."""
    value = int(asm.uniform(number[0])) if number else 1
    for position, cta, place in mbarriers_of(asm, address):
        barrier = asm.threads.batch.the(Barriers).use(int(asm.threads.rows[position]), cta, place)
        if "expect_tx" in words:
            barrier.bytes += value
        barrier.arrive(1 if "expect_tx" in words else value, knowledge_of(asm.threads, position))


@ptx("mbarrier.expect_tx")
def mbarrier_expect(asm: Assembly, words: list[str], address: object, number: str) -> None:
    """The phase waits for more bytes."""
    threads = asm.threads
    for position, cta, place in mbarriers_of(asm, address):
        threads.batch.the(Barriers).use(int(threads.rows[position]), cta, place).bytes += int(asm.uniform(number))


@ptx("wait.mbarrier")
def mbarrier_wait(asm: Assembly, words: list[str], address: object, parity: str) -> None:
    """Waits until the phase of this parity is over: the loop around mbarrier.try_wait, as one instruction.

    Raises:
        Wait: it is not.
    """
    threads = asm.threads
    shared = threads.batch.the(SharedMemories)
    wanted = threads.full(asm.value(parity)).astype(np.int64) & 1
    ready = ~asm.mask.copy()
    what = ""
    warps: dict[tuple[int, int], list[int]] = {}
    for position, cta, place in mbarriers_of(asm, address):
        barrier = threads.batch.the(Barriers).use(int(threads.rows[position]), cta, place)
        if barrier.phase != wanted[position]:
            ready[position] = True
            warps.setdefault((cta, place), []).append(int(threads.rows[position]) // WARP)
        else:
            what = f"the end of phase {wanted[position]} of the mbarrier at byte {place} of CTA {cta}"
    for key, which in warps.items():
        barrier, waiting = threads.batch.the(Barriers).mbarriers[key], np.unique(which)
        barrier.waited[waiting % shared.warps] = shared.known[waiting, waiting % shared.warps]
        shared.learn(waiting, barrier.given)
    if not ready.all():
        raise Wait(ready, what)
