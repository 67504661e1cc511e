"""Tensor memory: 128 rows of 512 columns of 32 bits in each CTA, and what warps load and store (PTX ISA, "tcgen05").

Each warp reaches the 32 rows of its number modulo 4.  Accesses are ordered as those to shared memory are, by what warps
know of each other (cta_shared_memory.py), and as there warps may write the same values.  Products and copies write in
the background, until a thread waits for their commit.  There a column is divided into *strips* of sixteen rows each.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from ttkit.interpreter.errors import InterpreterError, OutOfBounds, Race
from ttkit.interpreter.lowered.batch import Batch
from ttkit.interpreter.lowered.cta_shared_memory import SharedMemories
from ttkit.interpreter.lowered.ptx import Assembly, Operand, listed, ptx
from ttkit.interpreter.lowered.threads import WARP

Array = np.ndarray

ROWS, COLUMNS = 128, 512
STRIP = 16
STRIPS = ROWS // STRIP
UNWRITTEN = 0xCDCDCDCD
LEAST_COLUMNS = 32
PATTERN = re.compile(
    r"tcgen05\.(?:ld|st)\.sync\.aligned\.(?P<shape>\w+)\.x(?P<repeat>\d+)(?P<spread>\.(?:un)?pack::16b)?\.b32"
)
WORDS = {"32x32b": 1, "16x64b": 1, "16x128b": 2, "16x256b": 4, "16x32bx2": 1}
"""Words of a lane in one repetition of a shape."""


class TensorMemories:
    """The tensor memory of each CTA of a batch.

    reserved: columns that a kernel has taken.  flight: products under way that write a strip of a column.
    wrote, read: as in SharedMemories, for each strip of each column.  stores: the warp, plus one, that stores there and
    is still to wait for it; 0 for none.
    """

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        warps = batch.the(SharedMemories).warps
        self.data = np.full((batch.ctas, ROWS, COLUMNS), UNWRITTEN, np.uint32)
        self.reserved = np.zeros(batch.ctas, np.int64)
        self.flight = np.zeros((batch.ctas, STRIPS, COLUMNS), np.int64)
        self.wrote = np.zeros((batch.ctas, STRIPS, COLUMNS, warps), np.int32)
        self.read = np.zeros((batch.ctas, STRIPS, COLUMNS, warps), np.int32)
        self.stores = np.zeros((batch.ctas, STRIPS, COLUMNS), np.int32)

    def check_finished(self) -> None:
        """Raises InterpreterError if a kernel ends with columns that it still has."""
        if self.reserved.any():
            raise InterpreterError("the kernel ends with columns of tensor memory: others of the multiprocessor hang")

    def check(self, cta: int, row: Array, column: Array, what: str) -> None:
        """Raises OutOfBounds if cells are not the kernel's."""
        if row.min() < 0 or row.max() >= ROWS or column.min() < 0 or column.max() >= self.reserved[cta]:
            taken = f"rows {row.min()} to {row.max()}, columns {column.min()} to {column.max()}"
            has = f"of which the kernel has {ROWS} and {self.reserved[cta]}"
            raise OutOfBounds(f"{what} {taken} of tensor memory, {has}")

    def touch(
        self,
        cta: int,
        row: Array,
        column: Array,
        warp: int,
        writes: bool,
        what: str,
        in_order: bool = False,
        changes: Array | None = None,
    ) -> tuple[Array, Array]:
        """Notes an access by a warp, or by what it has started; gives the strips, and their columns.

        in_order: whether it comes after all products that are under way.
        changes: whether each cell gets another value than it has; by default all do.

        Raises OutOfBounds, Race: cells are not the kernel's, or nothing orders it after other accesses.
        """
        self.check(cta, row, column, what)
        touched = np.broadcast_to(row // STRIP * COLUMNS + column, np.broadcast_shapes(row.shape, column.shape))
        cells = np.unique(touched)
        strips, columns = cells // COLUMNS, cells % COLUMNS
        matters = np.isin(cells, touched if changes is None else touched[changes])[:, None]
        known = self.batch.the(SharedMemories).known[warp]
        if ((self.stores[cta, strips, columns] > 0) & matters[:, 0]).any():
            raise Race(f"{what} tensor memory that is being stored: no tcgen05.wait::st stands between")
        if not in_order and self.flight[cta, strips, columns].any():
            raise Race(f"{what} tensor memory that a product or copy under way writes: nobody has waited for it")
        if ((self.wrote[cta, strips, columns] > known) & matters).any():
            raise Race(f"{what} tensor memory that another warp wrote: no barrier orders them")
        if writes and ((self.read[cta, strips, columns] > known) & matters).any():
            raise Race(f"{what} tensor memory that another warp read: no barrier orders them")
        own = warp % self.batch.the(SharedMemories).warps
        (self.wrote if writes else self.read)[cta, strips, columns, own] = known[own]
        return strips, columns


# --- Reserving --------------------------------------------------------------------------------------------------------
@ptx("tcgen05.alloc")
def alloc(asm: Assembly, words: list[str], target: Operand, columns: Operand) -> None:
    """A warp reserves columns and writes the address of the first to shared memory."""
    threads, memory = asm.threads, asm.threads.batch.the(TensorMemories)
    count = int(asm.uniform(columns))
    if count & count - 1 or not LEAST_COLUMNS <= count <= COLUMNS:
        raise InterpreterError(f"reserves {count} columns of tensor memory; a power of two from 32 to 512 is possible")
    for position in first_lanes(asm):
        cta = int(threads.cta[position])
        if memory.reserved[cta]:
            raise InterpreterError("reserves tensor memory a second time: the kernel hangs if there is no more")
        memory.reserved[cta] = count
        mask = np.arange(threads.count) == position
        base = np.zeros((threads.count, 4), np.uint8)
        threads.batch.the(SharedMemories).store(threads, asm.address(target), base, mask)


@ptx("tcgen05.dealloc")
def dealloc(asm: Assembly, words: list[str], base: Operand, columns: Operand) -> None:
    """A warp gives columns back."""
    threads, memory = asm.threads, asm.threads.batch.the(TensorMemories)
    for position in first_lanes(asm):
        cta = int(threads.cta[position])
        if memory.reserved[cta] != int(asm.uniform(columns)):
            raise InterpreterError("gives back columns of tensor memory that it did not reserve")
        row, column = np.meshgrid(np.arange(ROWS), np.arange(memory.reserved[cta]), indexing="ij")
        memory.touch(cta, row, column, int(threads.rows[position]) // WARP, True, "gives back")
        memory.reserved[cta] = 0


@ptx("tcgen05.relinquish_alloc_permit")
def relinquish(asm: Assembly, words: list[str]) -> None:
    """The CTA reserves no more: others of the multiprocessor may."""


def first_lanes(asm: Assembly) -> list[int]:
    """For each warp that executes, the position of its first thread."""
    chosen = np.flatnonzero(asm.mask)
    return chosen[asm.threads.rows[chosen] % WARP == 0].tolist()


# --- Loads and stores -------------------------------------------------------------------------------------------------
@ptx("tcgen05.ld")
def load(asm: Assembly, words: list[str], target: Operand, address: Operand, *second: Operand) -> None:
    """target = tensor memory; the registers may be read after the wait."""
    asm.unfinished = "tcgen05.wait::ld: registers are not loaded yet"
    cells = cells_of(asm, words, len(listed(target)), address, second)
    access_cells(asm, cells)
    memory = asm.threads.batch.the(TensorMemories).data
    half = np.uint32(0xFFFF)
    for one, (cta, row, column) in zip(listed(target), cells, strict=True):
        found = memory[cta, row, column[0]]
        if len(column) > 1:
            found = found & half | memory[cta, row, column[1]] << np.uint32(16)
        asm.assign(one, found)


@ptx("tcgen05.st")
def store(asm: Assembly, words: list[str], address: Operand, *operands: Operand) -> None:
    """Tensor memory = registers."""
    *second, source = operands
    cells = cells_of(asm, words, len(listed(source)), address, tuple(second))
    half, values = np.uint32(0xFFFF), []
    for one, (_, _, column) in zip(listed(source), cells, strict=True):
        value = asm.threads.full(asm.read(one, "b32"))
        values.append([value] if len(column) == 1 else [value & half, value >> np.uint32(16)])
    access_cells(asm, cells, values)


@ptx("tcgen05.wait::ld")
def wait_for_loads(asm: Assembly, words: list[str]) -> None:
    """Loads of the warp are over."""
    asm.threads.whole()
    asm.unfinished = ""


@ptx("tcgen05.wait::st")
def wait_for_stores(asm: Assembly, words: list[str]) -> None:
    """Stores of the warp are over."""
    asm.threads.whole()
    stores = asm.threads.batch.the(TensorMemories).stores
    stores[np.isin(stores, np.unique(asm.threads.rows // WARP) + 1)] = 0


Cells = list[tuple[Array, Array, list[Array]]]


def cells_of(asm: Assembly, words: list[str], count: int, address: Operand, second: tuple[Operand, ...]) -> Cells:
    """For each word of a lane the CTA, the row and the column, or two columns, of each thread.

    Raises:
        InterpreterError: threads of a warp give different places, or another warp's.
    """
    threads = asm.threads
    threads.whole()
    found = PATTERN.fullmatch(".".join(words))
    if found is None or (shape := found["shape"]) not in WORDS or count != WORDS[shape] * int(found["repeat"]):
        raise asm.unknown(words)
    base = threads.full(asm.address(address))
    if (base.reshape(-1, WARP) != base.reshape(-1, WARP)[:, :1]).any():
        raise InterpreterError("threads of a warp access different places of tensor memory with one instruction")
    lane, warp = threads.thread % WARP, threads.thread // WARP
    distance = int(asm.uniform(second[0])) if second else 0
    start = base + np.where(lane >= 16, distance, 0) if shape == "16x32bx2" else base
    spread, result = found["spread"] is not None, []
    for number in range(count):
        row, column = place(shape, lane, number)
        row, column = row + (start >> 16), column * (2 if spread else 1) + (start & 0xFFFF)
        if (row[asm.mask] // WARP != warp[asm.mask] % 4).any():
            raise InterpreterError("a warp accesses rows of tensor memory that are another's")
        result.append((threads.cta, row, [column, column + 1] if spread else [column]))
    return result


def access_cells(asm: Assembly, cells: Cells, values: Sequence[Sequence[Array]] = ()) -> None:
    """Notes the accesses of one warp after the other to its cells; writes there, if values are given."""
    threads, memory = asm.threads, asm.threads.batch.the(TensorMemories)
    for first in range(0, threads.count, WARP):
        lanes = slice(first, first + WARP)
        if not asm.mask[lanes].any():
            continue
        cta, warp = int(threads.cta[first]), int(threads.rows[first]) // WARP
        rows = np.concatenate([row[lanes] for _, row, pair in cells for _ in pair])
        columns = np.concatenate([one[lanes] for _, _, pair in cells for one in pair])
        if not values:
            memory.touch(cta, rows, columns, warp, False, "reads")
            continue
        memory.check(cta, rows, columns, "writes")
        written = np.concatenate([part[lanes] for parts in values for part in parts])
        changes = memory.data[cta, rows, columns] != written
        strips, stored = memory.touch(cta, rows, columns, warp, True, "writes", changes=changes)
        memory.data[cta, rows, columns] = written
        memory.stores[cta, strips, stored] = warp + 1


def place(shape: str, lane: Array, number: int) -> tuple[Array, Array]:
    """Row and column of a lane's word of this number."""
    if shape == "32x32b":
        return lane, np.full_like(lane, number)
    if shape == "16x32bx2":
        return lane % 16, np.full_like(lane, number)
    if shape == "16x64b":
        return lane // 4 + 8 * (lane % 2), lane // 2 % 2 + 2 * number
    if shape == "16x128b":
        return lane // 4 + 8 * (number % 2), lane % 4 + 4 * (number // 2)
    return lane // 4 + 8 * (number // 2 % 2), 2 * (lane % 4) + number % 2 + 8 * (number // 4)
