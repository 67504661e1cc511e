"""Lanes of one warp that touch one byte of shared memory, one of them writing, with nothing between that orders them.

Lanes run together here, and mostly on a GPU too; but only a `bar.warp.sync`, or a barrier that the whole warp comes to,
lets one see what another has stored (PTX ISA, "bar.warp.sync").  Between two of these a warp has a *turn*.

    wrote, read     the turn in which a byte was touched last, 0 for none
    writers, readers    the lanes that did, as bits
"""

from __future__ import annotations

import numpy as np

from ttkit.interpreter.lowered.batch import Batch
from ttkit.interpreter.lowered.threads import WARP

Array = np.ndarray


class Lanes:
    """Accesses by the lanes of each warp of a batch to the shared memory of each CTA."""

    def __init__(self, batch: Batch) -> None:
        warps, bytes = batch.threads // WARP, (batch.ctas, batch.shared_bytes)
        self.turn = np.arange(1, warps + 1)
        self._turns = warps
        self.wrote, self.read = (np.zeros(bytes, np.int64) for _ in range(2))
        self.writers, self.readers = (np.zeros(bytes, np.uint32) for _ in range(2))

    def sync(self, warps: Array) -> None:
        """The lanes of each of these warps have come together."""
        self.turn[warps] = self._turns + 1 + np.arange(warps.size)
        self._turns += warps.size

    def strangers(self, rows: Array, cta: Array, byte: Array, wrote: bool) -> Array:
        """Bytes that another lane of a warp wrote in this turn, or read; not those that the lane itself wrote too.

        Args:
            rows: threads, by their numbers in the batch.  cta, byte: what each accesses, [P, 1] and [P, size].
        """
        turns, lanes = (self.wrote, self.writers) if wrote else (self.read, self.readers)
        own = bit_of(rows)
        known = lanes[cta, byte]
        others = known & own == 0 if wrote else known & ~own != 0
        found: Array = (turns[cta, byte] == self.turn[rows // WARP][:, None]) & others
        return found

    def note(self, rows: Array, cta: Array, byte: Array, writes: bool) -> None:
        """Notes accesses."""
        turns, lanes = (self.wrote, self.writers) if writes else (self.read, self.readers)
        turn = self.turn[rows // WARP][:, None]
        lanes[cta, byte] = np.where(turns[cta, byte] == turn, lanes[cta, byte], 0)
        turns[cta, byte] = turn
        np.bitwise_or.at(lanes, (np.broadcast_to(cta, byte.shape), byte), bit_of(rows))


def bit_of(rows: Array) -> Array:
    """The bit of each lane, [P, 1], of threads by their numbers in the batch."""
    return (np.uint32(1) << (rows % WARP).astype(np.uint32))[:, None]
