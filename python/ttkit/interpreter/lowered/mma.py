"""Products of warps, mma.sync, from the words that all threads hold (PTX ISA, "Matrix Fragments for mma")."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.errors import NotInterpretable
from ttkit.interpreter.lowered.number_types import NUMBERS, bytes_of, numbers_of
from ttkit.interpreter.lowered.nvvm_ops import intrinsic
from ttkit.interpreter.lowered.threads import WARP, Struct, Threads
from ttkit.interpreter.numerics.elementary import unpack_fp4

NAME = re.compile(
    r"llvm\.nvvm\.mma\.m(\d+)n(\d+)k(\d+)\.row\.col\."
    r"(?:(?P<d>f16|f32)\.(?:(?P<a>e4m3|e5m2)\.(?P<b>e4m3|e5m2)\.)?(?P<c>f16|f32)|(?P<satfinite>satfinite\.)?(?P<both>\w+))"
)
SCALED = re.compile(
    r"llvm\.nvvm\.mma\.block\.scale\.m16n8k\d+\.row\.col\.\w+\.scale\.(\d)x\.f32\.(\w+)\.(\w+)\.f32\.(ue8m0|ue4m3)"
)


@intrinsic(r"llvm\.nvvm\.mma\..*")
def multiply_add(threads: Threads, op: Instruction, *operands: np.ndarray) -> Struct:
    """The registers of a product of tiles and a sum, which the lanes of a warp have together.

    Raises:
        NotInterpretable: no product of that name is known here.
    """
    threads.whole(WARP)
    name = op.attributes["intrin"]
    found = multiply(name, [threads.full(operand) for operand in operands])
    if found is None:
        raise NotInterpretable(f"the intrinsic {name} has no meaning here", op)
    return Struct(found)


def multiply_scaled(name: str, operands: Sequence[np.ndarray]) -> list[np.ndarray] | None:
    """The four registers of the result of a product with block scales: float32 arrays (threads,)."""
    found = SCALED.fullmatch(name)
    if found is None:
        return None
    count, kind = int(found[1]), found[4]
    tiles = []
    *words, scale_a, byte_a, lane_a, scale_b, byte_b, lane_b = operands
    if lane_a.any() or lane_b.any():
        return None  # scales of other lanes than the first
    for given, format, rows, scale, byte in (
        (words[:4], found[2], 16, scale_a, byte_a),
        (words[4:6], found[3], 8, scale_b, byte_b),
    ):
        if format == "e2m1":
            tile = unpack_fp4(operand(given, "u8", rows, 32).astype(np.uint8))
        else:
            tile = operand(given, format, rows, 32)
        # Lanes 0 and 1 of each group of four have the scales of a row and of the row eight further down.
        held = np.ascontiguousarray(scale).view(np.uint8).reshape(-1, WARP // 4, 4, 4)
        first = int(byte[0])
        chosen = np.concatenate([held[:, :, half, first : first + count] for half in range(rows // 8)], 1)
        factors = 2.0 ** (chosen.astype(float) - 127) if kind == "ue8m0" else chosen.view(NUMBERS["e4m3"]).astype(float)
        tiles.append(tile * np.repeat(factors, tile.shape[2] // count, 2))
    row, column = places_of_result(4)
    product = (tiles[0] @ tiles[1].swapaxes(1, 2))[:, row, column].reshape(-1, 4)
    return [(words[6 + i] + product[:, i]).astype(np.float32) for i in range(4)]


def multiply(name: str, operands: Sequence[np.ndarray]) -> list[np.ndarray] | None:
    """The registers of the result: arrays (threads,), for results in f16 (threads, 2)."""
    if name.startswith("llvm.nvvm.mma.block.scale."):
        return multiply_scaled(name, operands)
    found = NAME.fullmatch(name)
    if found is None:
        return None
    m, n, k = map(int, found.groups()[:3])
    both = found["both"] or "f16"
    left, right = found["a"] or both, found["b"] or both
    size = NUMBERS[left].itemsize
    count_a, count_b = (max(1, rows * k * size // (WARP * max(4, size))) for rows in (m, n))
    a = operand(operands[:count_a], left, m, k)
    b = operand(operands[count_a : count_a + count_b], right, n, k)
    c = np.stack([one.reshape(len(one), -1) for one in operands[count_a + count_b :]], 1)
    numbers = c.reshape(len(c), -1)
    if both == "s8":
        numbers = numbers.view(np.int32)
    row, column = places_of_result(numbers.shape[1])
    lanes = np.arange(WARP)
    total = np.zeros((len(c) // WARP, m, n))
    total[:, row[lanes], column[lanes]] = numbers.reshape(-1, WARP, numbers.shape[1])
    total = total + a @ b.swapaxes(1, 2)
    if both == "s8":
        total = np.clip(total, -(2**31), 2**31 - 1)
    result = total[:, row, column].reshape(numbers.shape).astype(numbers.dtype)
    result = result.view(c.dtype).reshape(c.shape)
    return [result[:, i, 0] if operands[-1].ndim == 1 else result[:, i] for i in range(result.shape[1])]


def operand(words: Sequence[np.ndarray], name: str, rows: int, k: int) -> np.ndarray:
    """The tile that warps hold: float64 of shape (warps, rows, k)."""
    numbers = numbers_of(np.stack([bytes_of(word) for word in words], 1), name)  # threads, words, elements of a word
    numbers = numbers.astype(np.float64).reshape(-1, WARP, *numbers.shape[1:])
    lane, word, element = np.ogrid[:WARP, : numbers.shape[2], : numbers.shape[3]]
    halves = rows // 8
    row = lane // 4 + 8 * (word % halves) + 0 * element
    step = (word // halves * 4 + lane % 4) * numbers.shape[3] + element
    tile = np.zeros((len(numbers), rows, k))
    tile[:, row, step] = numbers
    return tile


def places_of_result(registers: int) -> tuple[np.ndarray, np.ndarray]:
    """Row and column of each register: arrays (lanes, registers)."""
    lane, register = np.ogrid[:WARP, :registers]
    return lane // 4 + 8 * (register // 2), lane % 4 * 2 + register % 2
