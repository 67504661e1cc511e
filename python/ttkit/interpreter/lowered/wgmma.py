"""Products of warp groups, wgmma, with descriptors decoded (PTX ISA, "Asynchronous warpgroup level matrix ...").

Products read shared memory where they are issued, and claim it until the wait behind which they are not under way.
"""

from __future__ import annotations

import re
from typing import Any

import ml_dtypes
import numpy as np

from ttkit.interpreter.errors import InterpreterError
from ttkit.interpreter.lowered.ptx import Assembly, Operand, listed, ptx
from ttkit.interpreter.lowered.shared import SharedMemories
from ttkit.interpreter.lowered.threads import WARP

Array = np.ndarray

GROUP = 128
NUMBERS: dict[str, Any] = {
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "tf32": np.float32,
    "e4m3": ml_dtypes.float8_e4m3fn,
    "e5m2": ml_dtypes.float8_e5m2,
    "s8": np.int8,
    "u8": np.uint8,
    "f32": np.float32,
    "s32": np.int32,
}
SHAPE = re.compile(r"m64n(\d+)k(\d+)")
TF32_BITS = np.uint32(0xFFFFE000)
WIDTHS = {0: 0, 1: 128, 2: 64, 3: 32}
SWIZZLED = {0: 0, 32: 0x10, 64: 0x30, 128: 0x70}


@ptx("wgmma.fence")
def fence(asm: Assembly, words: list[str]) -> None:
    """Orders accesses to registers: they are in order here."""
    asm.threads.whole(GROUP)


@ptx("wgmma.commit_group")
def commit(asm: Assembly, words: list[str]) -> None:
    """The products that a warp group has issued since the last group are a group."""
    asm.threads.whole(GROUP)
    for group in groups_of(asm):
        asm.threads.batch.products.setdefault(group, [[]]).append([])


@ptx("wgmma.wait_group")
def wait(asm: Assembly, words: list[str], pending: str) -> None:
    """All groups of products but the last few are over: what they read may be overwritten."""
    asm.threads.whole(GROUP)
    batch, left = asm.threads.batch, int(asm.uniform(pending))
    for group in groups_of(asm):
        under_way = batch.products.setdefault(group, [[]])
        for reads in under_way[: len(under_way) - 1 - left]:
            for cta, byte in reads:
                batch.the(SharedMemories).end(cta, byte)
        batch.products[group] = under_way[max(0, len(under_way) - 1 - left) :]
        # Those that are still under way may read the same bytes.
        for reads in batch.products[group]:
            for cta, byte in reads:
                batch.the(SharedMemories).begin_read(cta, byte)


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
    if any(asm.uniform(flag) != 1 for flag in flags[:2]):
        raise asm.unknown([*words, "with a sign"])
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
        sums = x.astype(np.float64) @ y.astype(np.float64).T
        mine = np.stack([sums[place] for place in at], 1)
        if keeps:
            before = np.ascontiguousarray(np.stack([one[group] for one in old], 1)).view(element)
            mine = mine + before.astype(np.float64)
        after = np.ascontiguousarray(mine.astype(element)).view(np.uint32)
        for i, result in enumerate(results):
            result[group] = after[:, i]
    for one, result in zip(registers, results, strict=True):
        asm.assign(one, result)


def descriptor(asm: Assembly, operand: Operand, group: slice) -> int:
    """The descriptor that all threads of a warp group give."""
    values = asm.threads.full(asm.value(operand))[group]
    if (values != values[0]).any():
        raise InterpreterError("threads of a warp group give different descriptors")
    return int(values[0])


def numbers_of(data: Array, name: str) -> Array:
    """Bytes as numbers; of tf32 the low bits are not looked at."""
    if name == "tf32":
        data = (np.ascontiguousarray(data).view(np.uint32) & TF32_BITS).view(np.uint8)
    return np.ascontiguousarray(data).view(NUMBERS[name])


def from_registers(words: list[Array], name: str, k: int, row: Array, lane: Array) -> Array:
    """The first operand, 64 x k, from four words of each thread."""
    result = np.zeros((64, k), NUMBERS[name])
    per_word = k // 8
    for i, word in enumerate(words):
        values = numbers_of(np.ascontiguousarray(word)[:, None].view(np.uint8), name)
        for j in range(per_word):
            result[row + 8 * (i % 2), lane % 4 * per_word + j + i // 2 * 4 * per_word] = values[:, j]
    return result


def tile(asm: Assembly, number: int, group: slice, shape: tuple[int, int], name: str, transposed: int) -> Array:
    """An operand, rows x k, from the shared memory of the CTA, which the product claims."""
    rows, k = shape
    places = matrix_places(number, rows, k, np.dtype(NUMBERS[name]).itemsize, transposed)
    threads = asm.threads
    shared, cta = threads.batch.the(SharedMemories), int(threads.cta[group][0])
    shared.check_visible(shared.warps_of(threads.rows[group]), cta, places, "a product")
    shared.begin_read(cta, places)
    warp_group = int(threads.rows[group][0]) // GROUP
    threads.batch.products.setdefault(warp_group, [[]])[-1].append((cta, places))
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
