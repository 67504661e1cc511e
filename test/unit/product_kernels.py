"""Kernels with products as few have them: small tiles, empty loops, branches, numbers unpacked before a product."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import ml_dtypes
import numpy as np

import ttkit
import ttkit.language as tl
from ttkit.compiler.compilation import Compilation
from ttkit.options import CompileOptions


@ttkit.jit
def in_loop(
    a_ptr, b_ptr, c_ptr, k,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, SUMS: tl.constexpr, CAST: tl.constexpr,
    PRECISION: tl.constexpr,
):  # fmt: skip
    """c = a @ b; b's elements become CAST first, if that is no None."""
    row, column, inner = tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, BK)
    total = tl.zeros((BM, BN), dtype=SUMS)
    for first in range(0, k, BK):
        x = tl.load(a_ptr + row[:, None] * k + first + inner[None, :])
        y = tl.load(b_ptr + (first + inner)[:, None] * BN + column[None, :])
        if CAST is not None:
            y = y.to(CAST)
        total = tl.dot(x, y, total, input_precision=PRECISION, out_dtype=SUMS)
    tl.store(c_ptr + row[:, None] * BN + column[None, :], total)


@ttkit.jit
def masked(a_ptr, b_ptr, c_ptr, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """c = a @ b, of which rows, columns and the sum end within tiles."""
    row, column, inner = tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, BK)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for first in range(0, k, BK):
        at = first + inner
        x = tl.load(a_ptr + row[:, None] * k + at[None, :], mask=(row < m)[:, None] & (at < k)[None, :], other=0.0)
        y = tl.load(
            b_ptr + at[:, None] * n + column[None, :], mask=(at < k)[:, None] & (column < n)[None, :], other=0.0
        )
        total = tl.dot(x, y, total)
    inside = (row < m)[:, None] & (column < n)[None, :]
    tl.store(c_ptr + row[:, None] * n + column[None, :], total, mask=inside)


@ttkit.jit
def branches(a_ptr, b_ptr, c_ptr, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """c = a @ b, the first and every other tile along k from a branch of its own, in a while loop."""
    row, column, inner = tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, BK)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    first = 0
    while first < k:
        x = tl.load(a_ptr + row[:, None] * k + first + inner[None, :])
        y = tl.load(b_ptr + (first + inner)[:, None] * BN + column[None, :])
        if first % (2 * BK) == 0:
            total = tl.dot(x, y, total)
        else:
            total += tl.dot(x, y)
        first += BK
    tl.store(c_ptr + row[:, None] * BN + column[None, :], total)


@ttkit.jit
def e2m1(code):
    """The numbers of codes: a sign, two bits of exponent and one of mantissa."""
    exponent, mantissa = (code >> 1) & 3, code & 1
    quarters = tl.where(exponent == 0, 2 * mantissa, (2 + mantissa) << exponent)
    return tl.where(code & 8 != 0, -quarters, quarters).to(tl.float16) * 0.25


@ttkit.jit
def unpacked(a_ptr, b_ptr, c_ptr, BM: tl.constexpr, BN: tl.constexpr, K: tl.constexpr, FLOATS: tl.constexpr):
    """c = a @ b, where a byte of b has two numbers of 4 bits, neighbours along k: integers, or e2m1."""
    row, column, half = tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, K // 2)
    packed = tl.load(b_ptr + half[:, None] * BN + column[None, :])
    low, high = (packed << 4) >> 4, packed >> 4
    even = tl.load(a_ptr + row[:, None] * K + 2 * half[None, :])
    odd = tl.load(a_ptr + row[:, None] * K + 2 * half[None, :] + 1)
    total = tl.dot(even, e2m1(low) if FLOATS else low.to(tl.float16))
    total = tl.dot(odd, e2m1(high) if FLOATS else high.to(tl.float16), total)
    tl.store(c_ptr + row[:, None] * BN + column[None, :], total)


@ttkit.jit
def chained(a_ptr, b_ptr, d_ptr, c_ptr, BM: tl.constexpr, BN: tl.constexpr, K: tl.constexpr, D: tl.constexpr):
    """c = (a @ b) @ d + (a @ b), where d is square: both products of a share it."""
    row, column, inner = tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, K)
    x = tl.load(a_ptr + row[:, None] * K + inner[None, :])
    y = tl.load(b_ptr + inner[:, None] * BN + column[None, :])
    z = tl.load(d_ptr + column[:, None] * BN + tl.arange(0, D)[None, :])
    p = tl.dot(x, y)
    total = tl.dot(p.to(tl.bfloat16), z) + tl.dot(x, y)
    tl.store(c_ptr + row[:, None] * BN + column[None, :], total)


@ttkit.jit
def batched(a_ptr, b_ptr, c_ptr, G: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, K: tl.constexpr):
    """c[g] = a[g] @ b[g], as one product of rank 3."""
    group, inner = tl.arange(0, G)[:, None, None], tl.arange(0, K)
    row, column = tl.arange(0, BM)[None, :, None], tl.arange(0, BN)[None, None, :]
    x = tl.load(a_ptr + (group * BM + row) * K + inner[None, None, :])
    y = tl.load(b_ptr + (group * K + inner[None, :, None]) * BN + column)
    tl.store(c_ptr + (group * BM + row) * BN + column, tl.dot(x, y))


@dataclass(frozen=True)
class Case:
    """A kernel with what it is called with: arrays, numbers, constants; and c.

    inputs: arrays; wanted: c, an array; types: of the arrays and of c, as signatures have them.
    capabilities: GPUs that it is for.
    """

    name: str
    kernel: Any
    inputs: tuple[np.ndarray, ...]
    wanted: np.ndarray
    types: tuple[str, ...]
    numbers: dict[str, int] = field(default_factory=dict)
    constants: dict[str, Any] = field(default_factory=dict)
    capabilities: tuple[int, ...] = (80, 86, 89, 120)
    warps: int = 4

    def source(self) -> Any:
        """What ttkit.compile takes."""
        arrays = [name for name in self.kernel.arg_names if name.endswith("_ptr")]
        signature = dict(zip(arrays, self.types, strict=True)) | dict.fromkeys(self.numbers, "i32")
        signature |= dict.fromkeys(self.constants, "constexpr")
        attributes = {(index,): [["tt.divisibility", 16]] for index in range(len(arrays))}
        return ttkit.ASTSource(self.kernel, signature, self.constants, attributes)

    def compile(self, capability: int, **options: Any) -> Compilation:
        chosen = CompileOptions.for_capability(capability, num_warps=self.warps, **options)
        return Compilation(self.source(), ttkit.GPUTarget("cuda", capability, 32), chosen).run()


DTYPES = {
    "fp16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "fp32": np.float32,
    "fp64": np.float64,
    "i8": np.int8,
    "i32": np.int32,
    "fp8e5": ml_dtypes.float8_e5m2,
    "fp8e4nv": ml_dtypes.float8_e4m3fn,
}


def whole(shape: tuple[int, ...], type: str, most: int = 3) -> np.ndarray:
    """Small whole numbers, whose products and sums are exact."""
    rng = np.random.default_rng(sum(shape))
    return rng.integers(-most, most + 1, shape).astype(DTYPES[type])


def product_of(a: np.ndarray, b: np.ndarray, type: str) -> np.ndarray:
    return (a.astype(np.float64) @ b.astype(np.float64)).astype(DTYPES[type])


def loop_case(
    name: str, types: tuple[str, str, str], shape: tuple[int, int, int], step: int, cast: Any = None,
    precision: str = "tf32", **others: Any,
) -> Case:  # fmt: skip
    """c = a @ b, m x k times k x n, `step` elements of k at a time."""
    m, n, k = shape
    a, b = whole((m, k), types[0]), whole((k, n), types[1])
    sums: Callable[..., Any] = {"fp32": tl.float32, "fp16": tl.float16, "i32": tl.int32, "fp64": tl.float64}[types[2]]
    constants = {"BM": m, "BN": n, "BK": step, "SUMS": sums, "CAST": cast, "PRECISION": precision}
    pointers = tuple(f"*{type}" for type in types)
    return Case(name, in_loop, (a, b), product_of(a, b, types[2]), pointers, {"k": k}, constants, **others)


E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])


def corners(rows: int, about: str) -> list[Case]:
    """Products in tiles of so many rows that wgmma and tcgen05 compute from 64 on."""
    types = ("*fp16", "*fp16", "*fp32")
    a, b, d = (whole((rows, rows), "bf16", 1) for _ in range(3))
    p = product_of(a, b, "fp32")
    x, integers = whole((rows, 64), "fp16"), whole((64, 16), "i8", 7)
    codes = np.random.default_rng(rows).integers(0, 16, (64, 16), np.uint8)
    floats = np.where(codes & 8, -1, 1) * E2M1[codes & 7]
    u, v = whole((rows, 128), "fp16"), whole((128, 64), "fp16")
    f, o = whole((rows - 13, 37), "fp16"), whole((37, 43), "fp16")
    tile, short = {"BM": rows, "BN": 64, "BK": 32}, {"BM": rows, "BN": 16, "K": 64}

    def packed(numbers: np.ndarray) -> np.ndarray:
        """Two numbers along the first dimension in a byte."""
        return ((numbers[::2] & 15) | (numbers[1::2] << 4)).astype(np.int8)

    return [
        loop_case(f"no_steps{about}", ("fp16", "fp16", "fp32"), (rows, 32, 0), 32),
        Case(f"branches{about}", branches, (u, v), product_of(u, v, "fp32"), types, {"k": 128}, tile),
        Case(f"four_bits{about}", unpacked, (x, packed(integers)), product_of(x, integers, "fp32"),
             ("*fp16", "*i8", "*fp32"), {}, short | {"FLOATS": False}),
        Case(f"e2m1{about}", unpacked, (x, packed(codes)), product_of(x, floats, "fp32"),
             ("*fp16", "*i8", "*fp32"), {}, short | {"FLOATS": True}),
        Case(f"chained{about}", chained, (a, b, d), product_of(p, d, "fp32") + p, ("*bf16",) * 3 + ("*fp32",), {},
             {"BM": rows, "BN": rows, "K": rows, "D": rows}),
        Case(f"masked{about}", masked, (f, o), product_of(f, o, "fp32"), types,
             {"m": rows - 13, "n": 43, "k": 37}, tile),
    ]  # fmt: skip


def cases() -> list[Case]:
    half = ("fp16", "fp16", "fp32")
    g, h = whole((4, 16, 32), "fp16"), whole((4, 32, 16), "fp16")
    return [
        loop_case("one_tile", half, (16, 8, 16), 16, warps=1),
        loop_case("small_rows", half, (16, 64, 128), 32),
        loop_case("more_warps_than_tiles", half, (16, 16, 32), 16, warps=8),
        loop_case("bytes", ("i8", "i8", "i32"), (64, 32, 128), 64),
        loop_case("sums_in_f16", ("fp16", "fp16", "fp16"), (64, 64, 64), 32),
        loop_case("tf32", ("fp32", "fp32", "fp32"), (64, 32, 64), 32),
        loop_case("three_tf32", ("fp32", "fp32", "fp32"), (64, 32, 64), 32, precision="tf32x3"),
        loop_case("three_bf16", ("fp32", "fp32", "fp32"), (64, 32, 64), 32, precision="bf16x3"),
        loop_case("doubles", ("fp64", "fp64", "fp64"), (32, 32, 32), 16, capabilities=(80, 89)),
        loop_case("fp8_with_f16", ("fp16", "fp8e5", "fp32"), (64, 32, 64), 32, tl.float16),
        loop_case("fp8_below_sm_89", ("fp8e5", "fp8e5", "fp32"), (64, 32, 64), 32),
        loop_case("fp8_of_both_kinds", ("fp8e5", "fp8e4nv", "fp32"), (64, 32, 64), 32, capabilities=(89, 120)),
        Case("batched", batched, (g, h), product_of(g, h, "fp32"), ("*fp16", "*fp16", "*fp32"), {},
             {"G": 4, "BM": 16, "BN": 16, "K": 32}),
        *corners(32, ""),
        *corners(64, "_of_64_rows"),
    ]  # fmt: skip
