"""Shared memory of the CTAs of a batch, with races between warps found by vector clocks.

Code at this level has all of its barriers.  Where two warps of a cluster access one byte and one of them writes, a
barrier of the CTA or the cluster, or an mbarrier, must order them.

    known[w][v]     warp w comes after what warp v did up to this step
    wrote, read     the step of each warp at its latest write or read of a byte, 0 for none

Warps that write the same value to one byte do not race.  Tensor cores and the tensor memory accelerator access memory
in the background: bytes that they will write or may still read are in flight until somebody has waited, and they don't
see what threads stored until a fence (PTX ISA, "Async proxy").
"""

from __future__ import annotations

import numpy as np

from ttkit.interpreter.errors import InterpreterError, Misaligned, OutOfBounds, Race
from ttkit.interpreter.lowered.batch import Batch
from ttkit.interpreter.lowered.lanes import Lanes
from ttkit.interpreter.lowered.threads import WARP, Threads

Array = np.ndarray

UNWRITTEN = 0xCD
"""Contents of memory that nobody has written."""
CTA_SHIFT = 32
"""A pointer to the memory of any CTA of a cluster has its number, plus one, from this bit on."""
END_OF_SHARED = 1 << 40
"""Pointers to shared memory are below."""
IN_ORDER = "cp.async"
"""Copies that end in the order in which they were started, as those of ttg do."""
IDLE, WILL_BE_WRITTEN, MAY_BE_READ, IS_MBARRIER = 0, 1, 2, 3
NO_WARP_BARRIER = "no bar.warp.sync stands between"
IN_THE_WAY = {
    WILL_BE_WRITTEN: "a copy under way will write: nobody has waited for it",
    MAY_BE_READ: "a product or a copy may still read: nobody has waited for it",
    IS_MBARRIER: "is an mbarrier",
}


class SharedMemories:
    """The shared memory of each CTA of a batch."""

    def __init__(self, batch: Batch) -> None:
        self.batch, self.size = batch, batch.shared_bytes
        size = self.size
        ctas, warps = batch.ctas, batch.ctas_of_program * (batch.threads_of_cta // WARP)
        self.data = np.full((ctas, size), UNWRITTEN, np.uint8)
        self.flight = np.zeros((ctas, size), np.uint8)
        self.unfenced = np.zeros((ctas, size), np.bool_)
        self.wrote = np.zeros((ctas, size, warps), np.int32)
        self.read = np.zeros((ctas, size, warps), np.int32)
        self.updated: Array | None = None
        programs = ctas // batch.ctas_of_program
        self.known = np.zeros((programs * warps, warps), np.int32)
        self.known[np.arange(programs * warps), np.arange(programs * warps) % warps] = 1
        self.warps = warps

    # --- what comes after what
    # --------------------------------------------------------------------------------------------------

    def warps_of(self, rows: Array) -> Array:
        """The warps of threads, counted through the batch: each once."""
        return np.unique(rows // WARP)

    def knowledge(self, warps: Array) -> Array:
        """The knowledge of all these warps as one; they begin new steps, of which nobody knows yet."""
        together = self.known[warps].max(0)
        self.known[warps, warps % self.warps] += 1
        return together

    def learn(self, warps: Array, knowledge: Array) -> None:
        """Warps come after all of that, each lane of them."""
        self.known[warps] = np.maximum(self.known[warps], knowledge)
        self.batch.the(Lanes).sync(warps)

    def note_read(self, warps: Array, cta: int, byte: Array) -> None:
        """Notes that reading bytes in the background has ended for these warps, each of which knows of itself alone."""
        own = warps % self.warps
        self.read[cta, byte.reshape(-1, 1), own] = self.known[warps, own]

    # --- accesses by threads
    # --------------------------------------------------------------------------------------------------

    def places(self, threads: Threads, pointer: Array, size: int, verb: str) -> tuple[Array, Array]:
        """CTA [P, 1] and bytes [P, size] of accesses by pointers [P], one for each thread.

        Raises:
            Misaligned, OutOfBounds
        """
        pointer = threads.full(pointer)
        cta, offset = threads.cta, pointer & ((1 << CTA_SHIFT) - 1)
        if (elsewhere := pointer >> CTA_SHIFT).any():
            first = cta - cta % self.batch.ctas_of_program
            cta = np.where(elsewhere != 0, first + elsewhere - 1, cta)
        if (bad := (offset < 0) | (offset + size > self.size)).any():
            text = f"{verb} {size} bytes at {offset[bad][0]} of shared memory, which has {self.size} bytes"
            raise OutOfBounds(text, None, self.program(threads, bad))
        unit = min(size, 16)
        if unit & (unit - 1) == 0 and (bad := (offset & (unit - 1)) != 0).any():
            text = f"{verb} {size} bytes at {offset[bad][0]} of shared memory, which is not a multiple of {unit}"
            raise Misaligned(text, None, self.program(threads, bad))
        return cta[:, None], offset[:, None] + np.arange(size)

    def load(self, threads: Threads, pointer: Array, size: int, mask: Array | None = None) -> Array:
        """uint8 [P, size]; zeros where `mask` is false."""
        if mask is not None and not mask.all():
            found = np.zeros((threads.count, size), np.uint8)
            if mask.any():
                found[mask] = self.load(threads.part(mask), threads.full(pointer)[mask], size)
            return found
        cta, byte = self.places(threads, pointer, size, "reads")
        warp = (threads.rows // WARP)[:, None]
        if (bad := self.flight[cta, byte] == WILL_BE_WRITTEN).any():
            self.race(threads, bad, byte, "reads", IN_THE_WAY[WILL_BE_WRITTEN])
        self.after_updates(threads, cta, byte, "reads")
        wrote = self.wrote[cta, byte]
        known = self.known[warp[:, 0]][:, None, :]
        late = wrote > known
        if late.any():
            # A reader needs to be ordered after one only of the warps that wrote the same value.
            bad = late.any(2) & ~((wrote > 0) & ~late).any(2)
            if bad.any():
                self.race(threads, bad, byte, "reads", "another warp wrote: no barrier orders them")
        lanes = self.batch.the(Lanes)
        if (bad := lanes.strangers(threads.rows, cta, byte, True)).any():
            self.race(threads, bad, byte, "reads", f"another lane wrote: {NO_WARP_BARRIER}")
        lanes.note(threads.rows, cta, byte, False)
        own = warp % self.warps
        self.read[cta, byte, own] = self.known[warp, own]
        return self.data[cta, byte]

    def update(self, threads: Threads, cta: Array, byte: Array) -> None:
        """Notes atomic updates of bytes, which are in no order among each other.

        Raises:
            Race: nothing orders them after another access.
        """
        warp = (threads.rows // WARP)[:, None]
        known = self.known[warp[:, 0]][:, None, :]
        late = self.wrote[cta, byte] > known
        if (bad := late.any(2) & ~((self.wrote[cta, byte] > 0) & ~late).any(2)).any():
            self.race(threads, bad, byte, "updates", "another warp wrote: no barrier orders them")
        if (bad := (self.read[cta, byte] > known).any(2)).any():
            self.race(threads, bad, byte, "updates", "another warp read: no barrier orders them")
        if self.updated is None:
            self.updated = np.zeros_like(self.wrote)
        own = warp % self.warps
        self.updated[cta, byte, own] = self.known[warp, own]

    def after_updates(self, threads: Threads, cta: Array, byte: Array, verb: str) -> None:
        """Raises Race if nothing orders an access after atomic updates by other warps."""
        if self.updated is None:
            return
        known = self.known[threads.rows // WARP][:, None, :]
        if (bad := (self.updated[cta, byte] > known).any(2)).any():
            self.race(threads, bad, byte, verb, "another warp updated: no barrier orders them")

    def store(self, threads: Threads, pointer: Array, value: Array, mask: Array | None = None) -> None:
        """Stores uint8 [P, size] where `mask` is true."""
        value = threads.full(value)
        if mask is not None and not mask.all():
            if mask.any():
                self.store(threads.part(mask), threads.full(pointer)[mask], value[mask])
            return
        cta, byte = self.places(threads, pointer, value.shape[1], "writes")
        warp = (threads.rows // WARP)[:, None]
        flight = self.flight[cta, byte]
        for state, what in IN_THE_WAY.items():
            if (bad := flight == state).any():
                self.race(threads, bad, byte, "writes", what)
        known = self.known[warp[:, 0]][:, None, :]
        self.after_updates(threads, cta, byte, "writes")
        same = self.data[cta, byte] == value
        ordered = (self.wrote[cta, byte] <= known).all(2)
        if (bad := ~ordered & ~same).any():
            self.race(threads, bad, byte, "writes", "another warp wrote: no barrier orders them")
        if (bad := (self.read[cta, byte] > known).any(2)).any():
            self.race(threads, bad, byte, "writes", "another warp read: no barrier orders them")
        lanes = self.batch.the(Lanes)
        for wrote, verb in ((True, "wrote"), (False, "read")):
            if (bad := lanes.strangers(threads.rows, cta, byte, wrote) & ~same).any():
                self.race(threads, bad, byte, "writes", f"another lane {verb}: {NO_WARP_BARRIER}")
        lanes.note(threads.rows, cta, byte, True)
        self.data[cta, byte] = value
        if (bad := self.data[cta, byte] != value).any():
            self.race(threads, bad, byte, "writes", "another thread writes at once, a different value")
        over = ordered[..., None]
        self.wrote[cta, byte] = np.where(over, 0, self.wrote[cta, byte])
        self.read[cta, byte] = np.where(over & ~same[..., None], 0, self.read[cta, byte])
        own = warp % self.warps
        self.wrote[cta, byte, own] = self.known[warp, own]
        self.unfenced[cta, byte] = True

    def race(self, threads: Threads, bad: Array, byte: Array, verb: str, what: str) -> None:
        """Raises the error about the first bad access."""
        row, column = np.argwhere(bad)[0]
        text = f"warp {threads.thread[row] // WARP} {verb} byte {byte[row, column]} of shared memory, which {what}"
        chosen = np.arange(threads.count) == row
        raise Race(text, None, self.program(threads, chosen))

    def program(self, threads: Threads, bad: Array) -> tuple[int, int, int]:
        """The program of the first bad thread."""
        return threads.coordinates(int(threads.programs[bad][0]))

    # --- the asynchronous units
    # --------------------------------------------------------------------------------------------------

    def fence(self, threads: Threads) -> None:
        """The asynchronous units see what these threads have stored, and what they know that others have."""
        for cta in np.unique(threads.cta):
            known = self.known[self.warps_of(threads.rows[threads.cta == cta])].max(0)
            (bytes,) = np.nonzero(self.unfenced[cta])
            self.unfenced[cta, bytes] = (self.wrote[cta, bytes] > known).any(-1)

    def check_visible(self, warps: Array, cta: int, byte: Array, what: str) -> None:
        """Checks that an asynchronous unit sees what was stored in these bytes, which warps give it to read: each of
        them must know of it, also where they start one operation together.

        Raises:
            InterpreterError, Race
        """
        self.check_inside(byte, f"{what} reads")
        if (self.flight[cta, byte] == WILL_BE_WRITTEN).any():
            raise Race(f"{what} reads what a copy under way will write: nobody has waited for it")
        known = self.known[warps].min(0)
        late = self.wrote[cta, byte] > known
        if late.any() and (late.any(-1) & ~((self.wrote[cta, byte] > 0) & ~late).any(-1)).any():
            raise Race(f"{what} reads what another warp stored: no barrier orders them")
        if self.unfenced[cta, byte].any():
            raise InterpreterError(f"{what} reads what threads stored, with no fence.proxy.async between")

    def check_inside(self, byte: Array, what: str) -> None:
        """Raises OutOfBounds if bytes are not in the CTA's shared memory."""
        if byte.size and (byte.min() < 0 or byte.max() >= self.size):
            raise OutOfBounds(f"{what} past the end of shared memory, which has {self.size} bytes")

    def begin_read(self, cta: int, byte: Array) -> None:
        """Bytes may be read in the background until `end` is called."""
        self.flight[cta, byte] = MAY_BE_READ

    def begin_write(self, warps: Array, cta: Array | int, byte: Array, what: str) -> None:
        """Bytes will be written in the background until `written` is called.

        Raises:
            Race: somebody may still access them.
            InterpreterError: what they stored there themselves may arrive later.
            OutOfBounds: there are no such bytes.
        """
        self.check_inside(byte, f"{what} writes")
        self.check_free(warps, cta, byte, what)
        if self.unfenced[cta, byte].any():
            raise InterpreterError(f"{what} overwrites what threads stored, with no fence.proxy.async between")
        self.flight[cta, byte] = WILL_BE_WRITTEN

    def check_free(self, warps: Array, cta: Array | int, byte: Array, what: str) -> None:
        """Checks that nobody may still access bytes, for warps that will have them written.

        Raises:
            Race: somebody may.
        """
        known = self.known[warps].max(0)
        if (self.wrote[cta, byte] > known).any() or (self.read[cta, byte] > known).any():
            raise Race(f"{what} overwrites what another warp accesses: no barrier orders them")
        flight = self.flight[cta, byte]
        if what == IN_ORDER:
            flight = np.where(flight == WILL_BE_WRITTEN, IDLE, flight)
        if (flight == IS_MBARRIER).any():
            raise Race(f"{what} overwrites an mbarrier")
        if (flight != IDLE).any():
            raise Race(f"{what} overwrites what is still under way")

    def end(self, cta: Array | int, byte: Array) -> None:
        """Notes that copies to these bytes have ended."""
        self.flight[cta, byte] = IDLE

    def written(self, cta: Array | int, byte: Array, value: Array) -> None:
        """The background writes bytes, which it had begun; what was there before is over for all."""
        self.data[cta, byte] = value
        self.wrote[cta, byte] = self.read[cta, byte] = 0
        if self.updated is not None:
            self.updated[cta, byte] = 0
        self.unfenced[cta, byte] = False
        self.flight[cta, byte] = IDLE
