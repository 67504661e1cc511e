"""Products of warp groups, wgmma, with descriptors decoded (PTX ISA, "Asynchronous warpgroup level matrix ...").

A wgmma reads shared memory where it is issued, and claims that memory until a wait says that it is complete.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from ttkit.interpreter.errors import InterpreterError
from ttkit.interpreter.lowered.batch import Batch
from ttkit.interpreter.lowered.cta_shared_memory import SharedMemories
from ttkit.interpreter.lowered.number_types import NUMBERS, bytes_of, numbers_of
from ttkit.interpreter.lowered.ptx import Assembly, Operand, listed, ptx
from ttkit.interpreter.lowered.threads import WARP

Array = np.ndarray

GROUP = 128
SHAPE = re.compile(r"m64n(\d+)k(\d+)")
WIDTHS = {0: 0, 1: 128, 2: 64, 3: 32}
SWIZZLED = {0: 0, 32: 0x10, 64: 0x30, 128: 0x70}
FIRST_NUMBER, NUMBERED = 0x7F800001, 1 << 21
MOST_SUMS = 1 << 12
"""Registers of a warp group whose sums are kept."""


@dataclass
class ProductGroup:
    """Products of a warp group that end together: what they read of shared memory, and the numbers of their sums."""

    reads: list[tuple[int, Array]] = field(default_factory=list)
    sums: list[int] = field(default_factory=list)


class Registers:
    """The registers that products of warp groups access.

    Until a wait has ended a product, its sums are numbers that stand for them, signaling NaNs in f32: code that uses
    them before has other results.

    Attributes:
        fenced: warp groups that have a fence in front of their open group of products.
    """

    def __init__(self, batch: Batch) -> None:
        self.fenced: set[int] = set()
        self._latest: dict[int, Array] = {}
        self._started, self._ended = 0, set[int]()
        self._sums: dict[int, dict[int, Array]] = defaultdict(dict)

    def start(self, group: int, sums: Array) -> Array:
        """Numbers that stand for the sums [128, N] of a product."""
        self._latest[group] = sums
        known, numbers = self._sums[group], self._started % NUMBERED + np.arange(sums.shape[1]) + FIRST_NUMBER
        self._started += sums.shape[1]
        known.update(zip(numbers.tolist(), sums.T))
        self._ended.difference_update(numbers.tolist())
        while len(known) > MOST_SUMS:
            known.pop(next(iter(known)))
        return numbers.astype(np.uint32)

    def end(self, sums: list[int]) -> None:
        """Sums are there: whoever waits gets them."""
        self._ended.update(sums)

    def value(self, group: int, register: Array, by_wait: bool) -> Array:
        """The values that a register [128] stands for: any for a running wgmma, after a wait its results."""
        number = int(register[0])
        found = self._sums[group].get(number) if not by_wait or number in self._ended else None
        return register if found is None else found

    def check_fence(self, group: int, before: Array | None) -> None:
        """Checks that a product may access its registers.  Without a fence it may only go on with the latest sums.

        Args:
            before: [128, N], sums that it adds to, if it has no other operands in registers.

        Raises:
            InterpreterError: threads may have accessed others.
        """
        if group not in self.fenced and (before is None or not np.array_equal(before, self._latest.get(group))):
            raise InterpreterError("a product accesses registers that threads access, with no wgmma.fence between")


@ptx("wgmma.fence")
def fence(asm: Assembly, words: list[str]) -> None:
    """Orders later wgmmas after the threads' accesses to registers, until the wgmmas are committed."""
    asm.threads.whole(GROUP)
    asm.threads.batch.the(Registers).fenced.update(groups_of(asm))


@ptx("wgmma.commit_group")
def commit(asm: Assembly, words: list[str]) -> None:
    """The products that a warp group has issued since the last group are a group."""
    asm.threads.whole(GROUP)
    for group in groups_of(asm):
        groups_under_way(asm, group).append(ProductGroup())
        asm.threads.batch.the(Registers).fenced.discard(group)


@ptx("wgmma.wait_group")
def wait(asm: Assembly, words: list[str], pending: str) -> None:
    """All groups of products but the last few are over: what they read may be overwritten, their sums are there."""
    asm.threads.whole(GROUP)
    batch, left = asm.threads.batch, int(asm.uniform(pending))
    registers = batch.the(Registers)
    for group in groups_of(asm):
        under_way = groups_under_way(asm, group)
        count = max(0, len(under_way) - 1 - left)
        for over in under_way[:count]:
            registers.end(over.sums)
            for cta, byte in over.reads:
                batch.the(SharedMemories).end(cta, byte)
                # Each warp has waited for what it reads itself: others may still read the same.
                batch.the(SharedMemories).note_read(group * (GROUP // WARP) + np.arange(GROUP // WARP), cta, byte)
        del under_way[:count]
        # Those that are still under way may read the same bytes.
        for started in under_way:
            for cta, byte in started.reads:
                batch.the(SharedMemories).begin_read(cta, byte)
    for name, value in asm.registers.items():
        if value.dtype == np.uint32 and value.size == asm.threads.count:
            parts = [registers.value(group, part, True) for group, part in by_group(asm, value)]
            asm.registers[name] = np.concatenate(parts)


def groups_under_way(asm: Assembly, group: int) -> list[ProductGroup]:
    """The groups of wgmmas that a warp group is still to wait for; the last one is open."""
    found: list[ProductGroup] = asm.threads.batch.products.setdefault(group, [ProductGroup()])
    return found


def by_group(asm: Assembly, value: Array) -> Iterator[tuple[int, Array]]:
    """The warp groups that execute, each with its threads' part of a register."""
    for first in range(0, asm.threads.count, GROUP):
        yield int(asm.threads.rows[first]) // GROUP, value[first : first + GROUP]


def groups_of(asm: Assembly) -> list[int]:
    """The warp groups that execute, counted through the batch."""
    return np.unique(asm.threads.rows // GROUP).tolist()


@ptx("wgmma.mma_async.sync.aligned")
def product(
    asm: Assembly, words: list[str], target: Operand, a: Operand, b: Operand, keep: Operand, *flags: Operand
) -> None:
    """target = a * b, plus target if `keep`; an operand is in registers or is a descriptor of shared memory."""
    threads = asm.threads
    threads.whole(GROUP)
    shape, total, left, right = words[4:8]
    if (found := SHAPE.fullmatch(shape)) is None or not {total, left, right} <= NUMBERS.keys():
        raise asm.unknown(words)
    columns, k = int(found[1]), int(found[2])
    in_registers = isinstance(a, tuple)
    transposed = [asm.uniform(flag) for flag in flags[2:]] if left in ("f16", "bf16") else [0, 0]
    transposed = [0, *transposed] if in_registers and len(transposed) == 1 else transposed
    signs = np.array([asm.uniform(flag) for flag in flags[:2]], np.uint64).astype(np.int32).tolist()
    if not {*signs} <= {1, -1}:
        raise asm.unknown([*words, "with a sign that is neither 1 nor -1"])
    keeps = bool(asm.uniform(keep))
    registers, element = listed(target), NUMBERS[total]
    lane, warp = np.arange(GROUP) % WARP, np.arange(GROUP) // WARP
    row = 16 * warp + lane // 4
    at = [(row + 8 * (i // 2 % 2), lane % 4 * 2 + i % 2 + i // 4 * 8) for i in range(columns // 2)]
    old = [np.array(threads.full(asm.value(one))) for one in registers] if keeps else []
    results = [np.zeros(threads.count, np.uint32) for _ in registers]
    for first in range(0, threads.count, GROUP):
        group = slice(first, first + GROUP)
        if in_registers:
            x = from_registers([threads.full(asm.read(one, "b32"))[group] for one in listed(a)], left, k, row, lane)
        else:
            x = tile(asm, descriptor(asm, a, group), group, (64, k), left, transposed[0])
        y = tile(asm, descriptor(asm, b, group), group, (columns, k), right, transposed[1])
        all_sums = x.astype(np.float64) @ y.astype(np.float64).T * math.prod(signs)
        mine = np.stack([all_sums[place] for place in at], 1)
        number, known = int(threads.rows[first]) // GROUP, threads.batch.the(Registers)
        before = np.stack([known.value(number, one[group], False) for one in old], 1) if keeps else None
        known.check_fence(number, None if in_registers else before)
        if before is not None:
            mine = mine + np.ascontiguousarray(before).view(element).astype(np.float64)
        sums = known.start(number, np.ascontiguousarray(mine.astype(element)).view(np.uint32))
        groups_under_way(asm, number)[-1].sums += sums.tolist()
        for result, under_way in zip(results, sums, strict=True):
            result[group] = under_way
    for one, result in zip(registers, results, strict=True):
        asm.assign(one, result)


def descriptor(asm: Assembly, operand: Operand, group: slice) -> int:
    """The descriptor that all threads of a warp group give.

    Raises:
        InterpreterError: they give different ones.
    """
    values = asm.threads.full(asm.value(operand))[group]
    if (values != values[0]).any():
        raise InterpreterError("threads of a warp group give different descriptors")
    return int(values[0])


def from_registers(words: list[Array], name: str, k: int, row: Array, lane: Array) -> Array:
    """The first operand, 64 x k, from four words of each thread."""
    result = np.zeros((64, k), NUMBERS[name])
    per_word = k // 8
    for i, word in enumerate(words):
        values = numbers_of(bytes_of(word), name)
        for j in range(per_word):
            result[row + 8 * (i % 2), lane % 4 * per_word + j + i // 2 * 4 * per_word] = values[:, j]
    return result


def tile(asm: Assembly, number: int, group: slice, shape: tuple[int, int], name: str, transposed: int) -> Array:
    """An operand, rows x k, from the shared memory of the CTA, which the product claims."""
    rows, k = shape
    places = matrix_places(number, rows, k, NUMBERS[name].itemsize, transposed)
    threads = asm.threads
    shared, cta = threads.batch.the(SharedMemories), int(threads.cta[group][0])
    shared.check_visible(shared.warps_of(threads.rows[group]), cta, places, "a product")
    shared.begin_read(cta, places)
    warp_group = int(threads.rows[group][0]) // GROUP
    groups_under_way(asm, warp_group)[-1].reads.append((cta, places))
    return numbers_of(shared.data[cta, places].reshape(rows, -1), name)


def matrix_places(number: int, rows: int, k: int, size: int, transposed: int) -> Array:
    """Bytes of shared memory of a matrix by its descriptor: [rows, k, size].

    size: bytes of an element.  transposed: whether rows are contiguous, not elements along K.
    """
    start = (number & 0x3FFF) << 4
    leading, stride = (number >> 16 & 0x3FFF) << 4, (number >> 32 & 0x3FFF) << 4
    swizzle = WIDTHS[number >> 62]
    width = swizzle or 16
    row, column = np.meshgrid(np.arange(rows), np.arange(k), indexing="ij")
    if transposed:
        byte = row * size
        further, eights = (leading, stride) if swizzle else (stride, leading)
        where = byte % width + byte // width * further + column % 8 * width + column // 8 * eights
    else:
        byte = column * size
        second = 16 if swizzle else leading
        where = byte % 16 + byte // 16 * second + row % 8 * width + row // 8 * stride
    where = where + start
    where ^= where >> 3 & SWIZZLED[swizzle]
    return where[..., None] + np.arange(size)
