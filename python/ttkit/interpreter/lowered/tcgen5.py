"""Products that accumulate in tensor memory, copies to it, and commits (PTX ISA, "tcgen05").

Products and copies of a thread run one after the other.  Until a commit has arrived at its mbarrier, the shared memory
that they read is claimed, and the tensor memory that they write is under way.  Commits arrive in their order, as late
as they may.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import Any

import ml_dtypes
import numpy as np

from ttkit.interpreter.errors import InterpreterError
from ttkit.interpreter.lowered.barriers import Barriers, mbarriers_of
from ttkit.interpreter.lowered.cta_shared_memory import SharedMemories
from ttkit.interpreter.lowered.cta_tensor_memory import TensorMemories
from ttkit.interpreter.lowered.number_types import numbers_of
from ttkit.interpreter.lowered.ptx import Address, Assembly, Operand, ptx
from ttkit.interpreter.lowered.threads import WARP
from ttkit.interpreter.lowered.wgmma import matrix_places
from ttkit.interpreter.numerics.elementary import FP4, fp4_codes, unpack_fp4

Array = np.ndarray

K_BYTES = 32
# Codes of operands' types in instruction descriptors, by kind.
TYPES: dict[str, dict[int, str]] = {
    "f16": {0: "f16", 1: "bf16"},
    "tf32": {2: "tf32"},
    "f8f6f4": {0: "e4m3", 1: "e5m2", 5: "e2m1"},
    "i8": {0: "u8", 1: "s8"},
    "mxf8f6f4": {0: "e4m3", 1: "e5m2", 5: "e2m1"},
    "mxf4": {1: "e2m1"},
    "mxf4nvf4": {1: "e2m1"},
}
SIZES = {"f16": 2, "bf16": 2, "tf32": 4}


@dataclass
class UnderWay:
    """Work that a thread has started.

    reads: CTAs and bytes of shared memory.  writes: CTAs, strips and columns of tensor memory.
    """

    reads: list[tuple[int, Array]] = field(default_factory=list)
    writes: list[tuple[int, Array, Array]] = field(default_factory=list)


@dataclass(frozen=True)
class Instruction:
    """An instruction descriptor, decoded.

    signs: 1, or -1 for an operand that is negated.
    scales: the first byte of the scales of each operand, in their words.
    """

    result: Any
    types: tuple[str, str]
    turned: tuple[bool, bool]
    m: int
    n: int
    scales: tuple[int, int]
    scales_are_fp8: bool
    signs: tuple[int, int] = (1, 1)

    @classmethod
    def of(cls, bits: int, kind: str) -> Instruction | None:
        """None if it means nothing."""
        types = TYPES[kind].get(bits >> 7 & 7), TYPES[kind].get(bits >> 10 & 7)
        scaled = kind.startswith("mx")
        if types[0] is None or types[1] is None:
            return None
        m = (bits >> 27 & 3) * 128 if scaled else (bits >> 24 & 31) * 16
        result = np.float32 if scaled else {0: np.float16, 1: np.float32, 2: np.int32}[bits >> 4 & 3]
        turned = bool(bits >> 15 & 1), bool(bits >> 16 & 1)
        scales = bits >> 29 & 3, bits >> 4 & 3
        signs = (1 - 2 * (bits >> 13 & 1), 1 - 2 * (bits >> 14 & 1))
        return cls(result, (types[0], types[1]), turned, m, (bits >> 17 & 63) * 8, scales, not bits >> 23 & 1, signs)


@ptx("tcgen05.mma")
def product(asm: Assembly, words: list[str], target: Operand, a: Operand, b: Operand, kind: Operand, *rest: Operand):
    """target = a * b, plus target if the last operand holds."""
    *scales, keeps = rest
    name = next(word.removeprefix("kind::") for word in words if word.startswith("kind::"))
    ctas = int(words[2][-1])
    for position in asm.executing():
        instruction = Instruction.of(asm.of(kind, position), name) if name in TYPES else None
        if instruction is None:
            raise asm.unknown(words)
        Product(asm, position, name, instruction, ctas).run(target, a, b, tuple(scales), bool(asm.of(keeps, position)))


class Product:
    """One tcgen05.mma of one thread."""

    def __init__(self, asm: Assembly, position: int, kind: str, what: Instruction, ctas: int) -> None:
        self.asm, self.position, self.kind, self.what = asm, position, kind, what
        threads = asm.threads
        self.warp = int(threads.rows[position]) // WARP
        own = int(threads.cta[position])
        self.ctas = [own] if ctas == 1 else [own - own % 2, own - own % 2 + 1]
        if own != self.ctas[0]:
            raise InterpreterError("a product of two CTAs is issued by the second one")
        self.memory = asm.threads.batch.the(TensorMemories)
        self.record = threads.batch.under_way.setdefault(int(threads.rows[position]), [])
        self.started = UnderWay()
        self.record.append(self.started)

    def run(self, target: Operand, a: Operand, b: Operand, scales: tuple[Operand, ...], keeps: bool) -> None:
        """Multiplies, and writes the result to tensor memory, added to the accumulator there if `keeps`."""
        what, pair = self.what, len(self.ctas)
        rows, columns = what.m // pair, what.n // pair
        address = self.asm.of(target, self.position)
        left = [self.first(a, cta, rows) for cta in self.ctas]
        right = np.concatenate([self.shared(b, cta, columns, 1) for cta in self.ctas])
        if scales:
            left = [x * self.scale(scales[0], 0, rows, cta) for x, cta in zip(left, self.ctas)]
            right = right * self.scale(scales[1], 1, what.n, self.ctas[0])
        for cta, x in zip(self.ctas, left, strict=True):
            total = x @ right.T * (what.signs[0] * what.signs[1])
            row, column = result_cells(rows, what.n, pair)
            row, column = row + (address >> 16), column + (address & 0xFFFF)
            cells = self.touch(cta, row, column, True, "a product writes")
            if keeps:
                old = np.ascontiguousarray(self.memory.data[cta, row, column])
                sums = old.astype(np.uint16).view(np.float16) if what.result == np.float16 else old.view(what.result)
                total = total + sums.astype(np.float64)
            if what.result == np.int32:
                total = total.astype(np.int64)  # which wraps around where that of a float may be anything
            bits = np.ascontiguousarray(total.astype(what.result)).view(f"u{np.dtype(what.result).itemsize}")
            self.memory.data[cta, row, column] = bits
            self.memory.flight[(cta, *cells)] += 1
            self.started.writes.append((cta, *cells))

    def touch(self, cta: int, row: Array, column: Array, writes: bool, what: str) -> tuple[Array, Array]:
        """Looks for accesses of tensor memory that are not ordered with this one; gives where it is."""
        return self.memory.touch(cta, row, column, self.warp, writes, what, in_order=True)

    def first(self, operand: Operand, cta: int, rows: int) -> Array:
        """The first operand, rows x k, from either memory.

        Raises:
            InterpreterError: bytes of fp4 in tensor memory have bits that no fp4 has.
        """
        if not isinstance(operand, Address):
            return self.shared(operand, cta, rows, 0)
        address, type = self.asm.of(operand, self.position), self.what.types[0]
        row = rows_of(rows)[:, None] + (address >> 16)
        column = np.arange(K_BYTES // 4)[None, :] + (address & 0xFFFF)
        self.touch(cta, row, column, False, "a product reads")
        data = np.ascontiguousarray(self.memory.data[cta, row, column]).view(np.uint8)
        if type == "e2m1" and self.kind in ("f8f6f4", "mxf8f6f4"):
            try:
                return FP4[fp4_codes(data)]
            except ValueError as error:
                raise InterpreterError(f"{error}: a product reads it in tensor memory") from None
        if type == "e2m1":
            return unpack_fp4(data)
        return numbers_of(data, type).astype(np.float64)

    def shared(self, operand: Operand, cta: int, rows: int, side: int) -> Array:
        """An operand, rows x k, from shared memory."""
        type, turned = self.what.types[side], self.what.turned[side]
        size = SIZES.get(type, 1)
        number = self.asm.of(operand, self.position)
        places = matrix_places(number, rows, K_BYTES // size, size, int(turned))
        shared = self.asm.threads.batch.the(SharedMemories)
        padded = type == "e2m1" and self.kind != "mxf4" and self.kind != "mxf4nvf4"
        if padded:
            # Sixteen bytes are sixteen numbers in their first eight.
            unit, index = places & ~15, places & 15
            nibble, places = index & 1, unit + index // 2
        shared.check_visible(np.array([self.warp]), cta, places, "a product")
        shared.begin_read(cta, places)
        self.started.reads.append((cta, places))
        data = shared.data[cta, places]
        if padded:
            return FP4[(data >> (4 * nibble).astype(np.uint8) & 15)[..., 0]]
        data = np.ascontiguousarray(data.reshape(rows, -1))
        return unpack_fp4(data) if type == "e2m1" else numbers_of(data, type).astype(np.float64)

    def scale(self, operand: Operand, side: int, rows: int, cta: int) -> Array:
        """The factors of an operand, rows x k.

        Raises:
            InterpreterError: they are not the same for all four warps.
        """
        address, byte = self.asm.of(operand, self.position), self.what.scales[side]
        count = {"mxf8f6f4": 1, "mxf4": 2, "mxf4nvf4": 4}[self.kind]
        number = np.arange(rows)
        column = number // WARP + (address & 0xFFFF)
        self.touch(cta, number % WARP, column, False, "a product reads scales in")
        copies = np.stack([self.memory.data[cta, number % WARP + 32 * quarter, column] for quarter in range(4)])
        if (copies != copies[0]).any():
            raise InterpreterError("scales in tensor memory are not the same for all four warps")
        bits = np.ascontiguousarray(copies[0])[:, None].view(np.uint8)[:, byte : byte + count]
        fp8 = self.what.scales_are_fp8
        factors = np.ascontiguousarray(bits).view(ml_dtypes.float8_e4m3fn if fp8 else ml_dtypes.float8_e8m0fnu)
        elements = 64 if self.kind.startswith("mxf4") else 32
        return np.repeat(factors.astype(np.float64), elements // count, axis=1)


def rows_of(rows: int) -> Array:
    """Rows of tensor memory of a matrix with 128 or 64 rows: of 64 each warp has sixteen."""
    number = np.arange(rows)
    return number if rows == 128 else number // 16 * WARP + number % 16


def result_cells(rows: int, columns: int, ctas: int) -> tuple[Array, Array]:
    """Rows and columns of tensor memory, both [rows, columns], of a CTA's part of a result."""
    row, column = np.meshgrid(np.arange(rows), np.arange(columns), indexing="ij")
    if rows == 64 and ctas == 2:
        # All of its 64 rows, for each half of the columns.
        return row + 64 * (column // (columns // 2)), column % (columns // 2)
    return rows_of(rows)[row], column


# --- Copies -----------------------------------------------------------------------------------------------------------
@ptx("tcgen05.cp")
def copy(asm: Assembly, words: list[str], target: Operand, source: Operand) -> None:
    """Tensor memory = a matrix in shared memory: 128 rows of 32 bytes, or 32 rows of 16 for each of the four warps."""
    shape = ".".join(words[3:])
    if shape not in ("128x256b", "warpx4.32x128b", "32x128b.warpx4", "128x128b"):
        raise asm.unknown(words)
    threads, memory = asm.threads, asm.threads.batch.the(TensorMemories)
    rows, size = (32, 16) if "warpx4" in shape else (128, 32 if shape == "128x256b" else 16)
    for position in asm.executing():
        cta, warp = int(threads.cta[position]), int(threads.rows[position]) // WARP
        places = matrix_places(asm.of(source, position), rows, size, 1, 0)[..., 0]
        shared = threads.batch.the(SharedMemories)
        shared.check_visible(np.array([warp]), cta, places, "a copy")
        shared.begin_read(cta, places)
        data = np.ascontiguousarray(shared.data[cta, places]).view(np.uint32)
        address = asm.of(target, position)
        row = np.arange(128)[:, None] + (address >> 16)
        column = np.arange(size // 4)[None, :] + (address & 0xFFFF)
        cells = memory.touch(cta, row, column, warp, True, "a copy writes", in_order=True)
        memory.data[cta, row, column] = np.tile(data, (128 // rows, 1))
        memory.flight[(cta, *cells)] += 1
        record = threads.batch.under_way.setdefault(int(threads.rows[position]), [])
        record.append(UnderWay([(cta, places)], [(cta, *cells)]))


# --- Commits ----------------------------------------------------------------------------------------------------------
@ptx("tcgen05.commit")
def commit(asm: Assembly, words: list[str], address: Operand, *mask: Operand) -> None:
    """An arrival at an mbarrier, of each CTA in the mask, when all that the thread has started is over."""
    threads = asm.threads
    batch = threads.batch
    for position, cta, place in mbarriers_of(asm, address):
        row = int(threads.rows[position])
        batch.the(Barriers).use(row, cta, place)
        first = cta - cta % batch.ctas_of_program
        chosen = asm.of(mask[0], position) if mask else 0
        targets = [first + bit for bit in range(16) if chosen >> bit & 1] if mask else [cta]
        started = batch.under_way.pop(row, [])
        knowledge = batch.the(SharedMemories).knowledge(threads.rows[position : position + 1] // WARP)
        queue = batch.commits.setdefault(row, [])
        queue.append((started, targets, place, knowledge))
        batch.later.append(functools.partial(arrive, batch, row))


def arrive(batch: Any, row: int) -> None:
    """The oldest commit of a thread arrives."""
    started, targets, place, knowledge = batch.commits[row].pop(0)
    shared = batch.the(SharedMemories)
    warp = row // WARP % shared.warps
    for work in started:
        for cta, places in work.reads:
            shared.end(cta, places)
            shared.read[cta, places, warp] = knowledge[warp]
        for cells in work.writes:
            batch.the(TensorMemories).flight[cells] -= 1
    # Those that are still under way may read the same bytes.
    for others in [*batch.under_way.values(), *(entry[0] for queue in batch.commits.values() for entry in queue)]:
        for work in others:
            for cta, places in work.reads:
                shared.begin_read(cta, places)
    for cta in targets:
        batch.the(Barriers).mbarrier(cta, place).arrive(1, knowledge)
