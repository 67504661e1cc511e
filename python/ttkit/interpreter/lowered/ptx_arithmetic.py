"""The meaning of inline assembly that computes: integers, floats, bits, comparisons, conversions."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from ttkit.interpreter.lowered.number_types import NUMBERS
from ttkit.interpreter.lowered.ptx import TYPES, Array, Assembly, ptx
from ttkit.interpreter.lowered.ptx_text import Operand
from ttkit.interpreter.numerics.library_functions import select_bytes
from ttkit.interpreter.numerics.rounding import (
    TOWARD_ZERO,
    fused_multiply_add,
    round_to_tf32,
    rounded,
    saturated,
    widened,
)

PAIRS = {f"{name}x2": NUMBERS[name] for name in ("f16", "bf16", "e4m3", "e5m2")}
"""Types of which a register holds two, the first in its upper half."""

BINARY: dict[str, Callable[[Array, Array], Array]] = {
    "add": np.add,
    "sub": np.subtract,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "min": np.fmin,
    "max": np.fmax,
}


def numbers(asm: Assembly, operands: Iterable[Operand], kind: str) -> list[Array]:
    """Registers read as a type: of f32x2 both numbers of each, [P, 2]."""
    if kind != "f32x2":
        return [asm.read(one, kind) for one in operands]
    return [np.ascontiguousarray(asm.read(one, "b64"))[:, None].view(np.float32) for one in operands]


def in_register(value: Array) -> Array:
    """A result for one register: of pairs, [P, 2], both in one."""
    return value if value.ndim == 1 else np.ascontiguousarray(value).view(np.uint64)[:, 0]


@ptx(*BINARY)
def binary(asm: Assembly, words: list[str], target: Operand, a: Operand, b: Operand) -> None:
    """target = f(a, b); f32x2: of two numbers in a register."""
    kind = words[-1]
    if kind == "pred":
        asm.assign(target, BINARY[words[0]](asm.value(a) != 0, asm.value(b) != 0))
        return
    if set(words[1:-1]) - {"rn", "ftz"}:
        raise asm.unknown(words)
    asm.assign(target, in_register(BINARY[words[0]](*numbers(asm, (a, b), kind))))


@ptx("mul")
def multiply(asm: Assembly, words: list[str], target: Operand, a: Operand, b: Operand) -> None:
    """target = a * b; of integers the low half, the high half or, wide, both."""
    kind = words[-1]
    x, y = numbers(asm, (a, b), kind)
    if words[1:-1] in ([], ["rn"], ["ftz"], ["rn", "ftz"], ["lo"]):
        asm.assign(target, in_register(x * y))
        return
    if words[1:-1] not in (["wide"], ["hi"]) or x.dtype.itemsize > 4:
        raise asm.unknown(words)
    wide = np.dtype(f"{x.dtype.kind}{2 * x.dtype.itemsize}")
    product = x.astype(wide) * y.astype(wide)
    asm.assign(target, product if words[1] == "wide" else (product >> 8 * x.dtype.itemsize).astype(x.dtype))


@ptx("mad", "fma")
def multiply_add(asm: Assembly, words: list[str], target: Operand, *operands: Operand) -> None:
    """target = a * b + c, rounded once; f32x2: two numbers in a register."""
    kind = words[-1]
    a, b, c = numbers(asm, operands, kind)
    if kind.startswith("f") and set(words[1:-1]) <= {"rn", "ftz"}:
        asm.assign(target, in_register(fused_multiply_add(a, b, c)))
    elif words[1:-1] == ["lo"]:
        asm.assign(target, a * b + c)
    else:
        raise asm.unknown(words)


@ptx("not", "neg", "abs")
def unary(asm: Assembly, words: list[str], target: Operand, a: Operand) -> None:
    """target = f(a)"""
    if words[-1] == "pred":
        asm.assign(target, asm.value(a) == 0)
        return
    function = {"not": np.invert, "neg": np.negative, "abs": np.abs}[words[0]]
    asm.assign(target, function(asm.read(a, words[-1])))


@ptx("shl", "shr")
def shift(asm: Assembly, words: list[str], target: Operand, a: Operand, b: Operand) -> None:
    """target = a shifted by b bits: by its width or more gives 0, or the sign."""
    value, amount = asm.read(a, words[-1]), asm.read(b, "u32")
    function = np.left_shift if words[0] == "shl" else np.right_shift
    asm.assign(target, function(value, np.minimum(amount, 8 * value.dtype.itemsize).astype(value.dtype)))


@ptx("selp")
def select(asm: Assembly, words: list[str], target: Operand, a: Operand, b: Operand, flag: Operand) -> None:
    """target = flag ? a : b"""
    asm.assign(target, np.where(asm.value(flag) != 0, asm.read(a, words[-1]), asm.read(b, words[-1])))


COMPARE = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}


@ptx("setp")
def compare(asm: Assembly, words: list[str], target: Operand, a: Operand, b: Operand) -> None:
    """target = whether a and b compare so."""
    if len(words) != 3 or words[1] not in COMPARE:
        raise asm.unknown(words)
    asm.assign(target, COMPARE[words[1]](asm.read(a, words[2]), asm.read(b, words[2])))


@ptx("lop3")
def logic(asm: Assembly, words: list[str], target: Operand, a: Operand, b: Operand, c: Operand, table: Operand) -> None:
    """target = any function of three bits, bit by bit: the table's bit 4 a + 2 b + c."""
    x, y, z = (asm.read(one, "b32") for one in (a, b, c))
    number = asm.uniform(table)
    result = np.zeros(np.broadcast_shapes(x.shape, y.shape, z.shape), np.uint32)
    for case in range(8):
        if number >> case & 1:
            result |= (x if case & 4 else ~x) & (y if case & 2 else ~y) & (z if case & 1 else ~z)
    asm.assign(target, result)


@ptx("prmt")
def permute(asm: Assembly, words: list[str], target: Operand, a: Operand, b: Operand, chosen: Operand) -> None:
    """target = four of the eight bytes of a and b; a selector's upper bit repeats the sign of its byte."""
    if words[1:] != ["b32"]:
        raise asm.unknown(words)
    x, y, selector = (asm.read(one, "b32") for one in (a, b, chosen))
    asm.assign(target, select_bytes(x, y, selector, repeats_signs=True))


def joined(halves: list[Array], dtype: np.dtype, modes: list[str]) -> Array:
    """Two floats of f32 as narrower ones in a register of twice their bits, the first in the upper half."""
    wide = [widened(half) for half in halves]
    if "satfinite" in modes:
        wide = [saturated(half, dtype) for half in wide]
    narrow = [rounded(half, dtype, TOWARD_ZERO if "rz" in modes else "rn") for half in wide]
    bits = 8 * dtype.itemsize
    high, lower = (np.ascontiguousarray(half).view(f"u{dtype.itemsize}").astype(f"u{bits // 4}") for half in narrow)
    register: Array = high << bits | lower
    return register


@ptx("cvt")
def convert(asm: Assembly, words: list[str], target: Operand, source: Operand, *low: Operand) -> None:
    """target = source in another type: floats to tf32, to narrower floats, wider ones; integers; pairs."""
    *modes, to, kind = words[1:]
    if to in PAIRS and kind == "f32" and len(low) == 1 and not set(modes) - {"rn", "rz", "satfinite"}:
        asm.assign(target, joined([asm.read(one, kind) for one in (source, *low)], PAIRS[to], modes))
        return
    if low:
        raise asm.unknown(words)
    value = asm.read(source, kind) if kind in TYPES else None
    if (modes, to, kind) == (["rna"], "tf32", "f32"):
        asm.assign(target, round_to_tf32(value))
        return
    if value is None or to not in TYPES or set(modes) - {"rn", "rz", "ftz"}:
        raise asm.unknown(words)
    dtype = TYPES[to]
    if value.dtype.kind in "iu" and dtype.kind in "iu":
        asm.assign(target, value.astype(dtype))
    elif value.dtype.kind not in "iu" and dtype.kind not in "iu":
        asm.assign(target, rounded(widened(value), dtype, TOWARD_ZERO if "rz" in modes else "rn"))
    else:
        raise asm.unknown(words)
