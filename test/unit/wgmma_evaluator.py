"""wgmma for `llvm_evaluator`: products of warp groups as PTX describes them, descriptors decoded.

Products read shared memory where they are issued, and claim it until the wait behind which none is unfinished.
"""

import re
from typing import Any

import ml_dtypes
import numpy as np

GROUP = 128
NUMBERS: dict[str, Any] = {
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "tf32": np.float32,
    "e4m3": ml_dtypes.float8_e4m3fn,
    "e5m2": ml_dtypes.float8_e5m2,
    "s8": np.int8,
    "f32": np.float32,
    "s32": np.int32,
}
PRODUCT = re.compile(
    r"wgmma\.mma_async\.sync\.aligned\.m64n(\d+)k(\d+)\.(\w+)\.(\w+)\.(\w+) \{([^}]*)\}, (\{[^}]*\}|\$\d+), \$(\d+), "
    r"(\$\d+|[01])(.*);"
)
TF32_BITS = np.uint32(0xFFFFE000)
WIDTHS = {0: 0, 1: 128, 2: 64, 3: 32}
SWIZZLED = {0: 0, 32: 0x10, 64: 0x30, 128: 0x70}


def run(evaluation: Any, op: Any, text: str, operands: list[Any]) -> Any:
    """The results of a piece of assembly that consists of wgmma instructions."""
    outputs, tied = re.match(r"((?:=\w,?)*)((?:\d+,?)*)", op.attributes["constraints"].value).groups()
    results = outputs.count("=")
    registers: dict[int, Any] = dict.fromkeys(range(results))
    named = {results + i: operand for i, operand in enumerate(operands)}
    for i in range(len(tied.split(",")) if tied else 0):
        registers[i] = operands[i]
    assert not tied or tied.strip(",").split(",") == [str(i) for i in range(results)]
    for line in text.split("\n"):
        if found := PRODUCT.fullmatch(line.strip()):
            product(evaluation, found, registers, named)
        elif found := re.fullmatch(r"wgmma\.wait_group\.sync\.aligned (\d+);", line.strip()):
            if found[1] == "0":
                evaluation.shared.in_flight[:] = False
        else:
            assert re.fullmatch(r"wgmma\.(fence|commit_group)\.sync\.aligned;", line.strip()), line
    values = [registers[i] for i in range(results)]
    assert all(value is not None for value in values)
    return values[0] if results == 1 else values


def product(evaluation: Any, found: re.Match[str], registers: dict[int, Any], named: dict[int, Any]) -> None:
    """One instruction, by each warp group."""
    columns, k = int(found[1]), int(found[2])
    total, *operands = (found[3], found[4], found[5])
    numbers = [int(name) for name in re.findall(r"\$(\d+)", found[6])]
    # f32 and s32: one register an element; f16: two elements.
    assert len(numbers) * 4 == columns * 64 * np.dtype(NUMBERS[total]).itemsize // 128
    flags = [int(flag) for flag in found[10].split(",")[1:]]
    floats = operands[0] in ("f16", "bf16")
    assert len(flags) == (0 if operands[0] == "s8" else 2 if not floats else 4 - found[7].startswith("{"))
    transposed = flags[2:] if floats else [0, 0]
    if found[7].startswith("{"):
        words = [named[int(name)] for name in re.findall(r"\$(\d+)", found[7])]
        transposed = [0, *transposed]
    keeps = found[9] == "1" if not found[9].startswith("$") else bool(named[int(found[9][1:])][0])
    lane, warp = np.arange(GROUP) % 32, np.arange(GROUP) // 32
    row = 16 * warp + lane // 4
    for first in range(0, evaluation.threads, GROUP):
        group = slice(first, first + GROUP)
        if found[7].startswith("{"):
            a = from_registers([word[group] for word in words], operands[0], k, row, lane)
        else:
            a = tile(evaluation.shared, one(named[int(found[7][1:])], group), 64, k, operands[0], transposed[0])
        b = tile(evaluation.shared, one(named[int(found[8])], group), columns, k, operands[1], transposed[1])
        found_sums = a.astype(np.float64) @ b.astype(np.float64).T
        element = NUMBERS[total]
        at = [(row + 8 * (i // 2 % 2), lane % 4 * 2 + i % 2 + i // 4 * 8) for i in range(columns // 2)]
        mine = np.stack([found_sums[place] for place in at], 1)
        if keeps:
            mine = mine + before(registers, numbers, group, element).astype(np.float64)
        mine = np.ascontiguousarray(mine.astype(element))
        after = mine.view(np.float32 if total == "f32" else np.uint32)
        for i, number in enumerate(numbers):
            if registers[number] is None:
                registers[number] = np.zeros(evaluation.threads, after.dtype)
            registers[number] = registers[number].copy()
            registers[number][group] = after[:, i]


def before(registers: dict[int, Any], numbers: list[int], group: slice, element: Any) -> np.ndarray:
    """What the accumulators of a warp group are: (threads, elements)."""
    return np.ascontiguousarray(np.stack([registers[number][group] for number in numbers], 1)).view(element)


def one(descriptor: np.ndarray, group: slice) -> int:
    assert (descriptor[group] == descriptor[group][0]).all(), "threads of a warp group give different descriptors"
    return int(descriptor[group][0])


def numbers_of(data: np.ndarray, name: str) -> np.ndarray:
    """Bytes as numbers; of tf32 the low bits are not looked at."""
    if name == "tf32":
        data = (np.ascontiguousarray(data).view(np.uint32) & TF32_BITS).view(np.uint8)
    return np.ascontiguousarray(data).view(NUMBERS[name])


def from_registers(words: list[np.ndarray], name: str, k: int, row: np.ndarray, lane: np.ndarray) -> np.ndarray:
    """The first operand, 64 x k, from four words of each thread."""
    result = np.zeros((64, k), NUMBERS[name])
    per_word = k // 8
    for i, word in enumerate(words):
        values = numbers_of(word[:, None].copy().view(np.uint8), name)
        for j in range(per_word):
            result[row + 8 * (i % 2), lane % 4 * per_word + j + i // 2 * 4 * per_word] = values[:, j]
    return result


def tile(shared: Any, descriptor: int, rows: int, k: int, name: str, transposed: int) -> np.ndarray:
    """An operand, rows x k, from shared memory."""
    size = np.dtype(NUMBERS[name]).itemsize
    start = (descriptor & 0x3FFF) << 4
    leading, stride = (descriptor >> 16 & 0x3FFF) << 4, (descriptor >> 32 & 0x3FFF) << 4
    swizzle = WIDTHS[descriptor >> 62]
    width = swizzle or 16
    assert not transposed or size == 2
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
    places = where[..., None] + np.arange(size)
    assert places.max() < len(shared.data), "an operand behind the end of shared memory"
    assert (shared.writer[places] == shared.NOBODY).all(), "a product of what threads store: no barrier"
    assert not shared.unfenced[places].any(), "a product of what threads store: no fence"
    shared.reader[places] = shared.SEVERAL
    shared.in_flight[places] = True
    return numbers_of(shared.data[places].reshape(rows, -1), name)
