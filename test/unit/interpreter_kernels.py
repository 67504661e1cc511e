"""What the kernels of test/data/kernels compute, in numpy: those that are about numbers.

Each function takes a random generator and gives a Case: arguments for the kernel, and what the arrays among them hold
afterwards.
"""

from dataclasses import dataclass, field
from typing import Any

import ml_dtypes
import numpy as np

CASES = {}

# Largest differences, relative, and absolute too; without one the numbers must be equal.
F32 = 1e-6
"""A few roundings to f32."""
SUM = 1e-5
"""Sums of many f32, in another order."""
F16, BF16_ONCE = 1e-3, 8e-3
"""One rounding to the type, of a number that is nearly in the middle of two."""


@dataclass
class Case:
    grid: Any
    args: list
    wanted: dict
    """Position of an argument to its contents."""
    tolerance: float = 0.0
    """Relative, and absolute too."""
    options: dict = field(default_factory=dict)


def kernel(*names):
    """Declares the case of kernels by name."""

    def declare(function):
        for name in names:
            assert name not in CASES, name
            CASES[name] = function
        return function

    return declare


def floats(rng, *shape, dtype=np.float32):
    return rng.standard_normal(shape).astype(dtype)


# --- elementwise ------------------------------------------------------------------------------------------------------


@kernel("scale_and_shift", "scale_and_shift_double")
def scale_and_shift(rng, name):
    double = name.endswith("double")
    dtype, n = (np.float64, 150) if double else (np.float32, 2512)
    src, dst = floats(rng, n, dtype=dtype), np.zeros(n + 50, dtype)
    wanted = dst.copy()
    wanted[:n] = src * dtype(1.5) + dtype(-0.25)
    return Case(3, [src, dst, n, 1.5, -0.25], {1: wanted})


@kernel("scale_and_shift_half")
def scale_and_shift_half(rng, name):
    src = floats(rng, 1024, dtype=ml_dtypes.bfloat16)
    dst = np.zeros(1024, np.float16)
    return Case(2, [src, dst, 1024, 1.5, -0.25], {1: src.astype(float) * 1.5 - 0.25}, F16)


@kernel("integer_operators", "unsigned_operators", "mixed_integer_operators")
def integer_operators(rng, name):
    left, right, out, count = {
        "integer_operators": (np.int32, np.int32, np.int32, 256),
        "unsigned_operators": (np.uint8, np.uint8, np.uint32, 256),
        "mixed_integer_operators": (np.int64, np.int16, np.int64, 32),
    }[name]
    a = rng.integers(np.iinfo(left).min, np.iinfo(left).max, count, left, endpoint=True)
    b = rng.integers(np.iinfo(right).min, np.iinfo(right).max, count, right, endpoint=True)
    b[b == 0] = 3
    a[:8] = 7
    with np.errstate(all="ignore"):
        quotient = a // b
        quotient = quotient + ((a - quotient * b != 0) & ((a < 0) != (b < 0)))
        total = (a + b) - (a * b)
        total = total ^ ((a & b) | ~a)
        total = total + ((a << 2) + (b >> 1))
        total = total + quotient.astype(left) + np.fmod(a, b)
        total = np.where((a < b) & (a != 0), total, -b)
        total = np.where((a >= b) | (a == 7), total, np.abs(a))
        total = total + np.minimum(a, b) * np.maximum(a, b)
    return Case(1, [a, b, np.zeros(count, out)], {2: total.astype(left).astype(out)})


@kernel("float_operators", "half_operators")
def float_operators(rng, name):
    half = name == "half_operators"
    left = floats(rng, 128, dtype=ml_dtypes.bfloat16 if half else np.float32)
    right = floats(rng, 128, dtype=np.float16 if half else np.float32)
    right[:9] = left[:9].astype(right.dtype)
    a, b = left.astype(np.float32), right.astype(np.float32)
    # bf16 is compared with f16 in f16.
    narrow = a.astype(right.dtype)
    with np.errstate(all="ignore"):
        c = a / b - np.fmod(a, b)
        c = np.where(narrow > right, c, -c)
        c = np.where((narrow <= right) & (narrow != right), c, np.abs(c))
        c = c + (np.minimum(a, b) + np.maximum(a, b))
        c = c + np.minimum(a, c)
        c = c + np.clip(a, np.float32(-1), np.float32(1))
        c = c + np.minimum(np.maximum(b, a), c)
    return Case(1, [left, right, np.zeros(128, np.float32)], {2: c})


@kernel("scalar_only")
def scalar_only(rng, name):
    src, dst = np.zeros(32, np.int32), np.zeros(1, np.int32)
    src[13] = 99
    return Case((4, 3, 2), [src, dst, 4], {1: np.array([99])})


@kernel("casts_from_float", "casts_from_signed", "casts_from_unsigned")
def casts(rng, name):
    if name == "casts_from_float":
        src = (floats(rng, 128) * 50).clip(0, 120).astype(np.float32)
        src[:3] = [0.0, 65.75, 1.0]
    else:
        dtype = np.int32 if name == "casts_from_signed" else np.uint8
        low, high = (-(2**31), 2**31) if dtype == np.int32 else (0, 256)
        src = rng.integers(low, high, 128).astype(dtype)
        src[:3] = [0, 1, 100]
    types = [np.int8, np.int64, np.float16, np.float32, np.bool_, np.uint16, np.float64]
    with np.errstate(all="ignore"):
        wanted = {n + 1: src.astype(t) if t != np.bool_ else src != 0 for n, t in enumerate(types)}
    return Case(1, [src, *(np.zeros(128, t) for t in types)], wanted)


@kernel("wide_multiply", "wide_multiply_64")
def wide_multiply(rng, name):
    bits = 64 if name.endswith("64") else 32
    a, b = (rng.integers(0, 2**bits - 1, 128, f"u{bits // 8}", endpoint=True) for _ in range(2))
    wanted = np.array([int(x) * int(y) >> bits for x, y in zip(a, b)], a.dtype)
    return Case(1, [a, b, np.zeros_like(a)], {2: wanted})


@kernel("pick_columns")
def pick_columns(rng, name):
    rows, columns = 30, 48
    src, dst = floats(rng, rows, 64, dtype=np.float16), np.zeros((64, 32), np.float16)
    i, j = np.arange(rows)[:, None], np.arange(columns)[None]
    wanted = dst.copy()
    value = src[:, :columns]
    wanted[:columns, :rows] = np.where(i == j, value, value + (i * 2).astype(np.float16)).T
    return Case(1, [src, dst, rows, columns, 64], {1: wanted})


# --- mathematics ------------------------------------------------------------------------------------------------------


@kernel("functions")
def functions(rng, name):
    from math import erf

    src = rng.uniform(0.1, 3, 128).astype(np.float32)
    x = src.astype(float)
    y = np.exp(x) + np.exp2(x) + np.log(x) + np.log2(x) + np.sin(x) + np.cos(x) + np.sqrt(x) + 1 / np.sqrt(x)
    y += np.abs(x) + np.floor(x) + np.ceil(x) + np.array([erf(v) for v in x])
    y += x * y + x + x / y + x / y + np.sqrt(x)
    return Case(1, [src, np.zeros(128, np.float32)], {1: y}, F32)


@kernel("library_functions")
def library_functions(rng, name):
    src = rng.uniform(0.1, 0.9, 128).astype(np.float32)
    bits = rng.integers(1, 2**31, 128).astype(np.int32)
    x = src.astype(float)
    y = np.tanh(x) + x**x + np.exp(x) + np.arctan2(x, x)
    y += x * y + x + np.floor(x + 0.5) + np.arccos(x[0])
    y += [int(b).bit_count() + 32 - int(b).bit_length() + (int(b) * int(b) >> 32) for b in bits]
    return Case(1, [src, bits, np.zeros(128, np.float32)], {1: np.zeros(128, np.int32), 2: y}, F32)


@kernel("mapped")
def mapped(rng, name):
    a, b = floats(rng, 256), floats(rng, 256)
    low, high = np.minimum(a, b), np.maximum(a, b)
    wanted = np.where(low > 0, low, low * np.float32(0.1)) + high
    return Case(1, [a, b, np.zeros(256, np.float32), 0.1], {2: wanted})


@kernel("narrow_floats")
def narrow_floats(rng, name):
    src = (floats(rng, 128) * 4).astype(np.float32)
    nearest = {n: src.astype(t) for n, t in ((1, ml_dtypes.float8_e4m3fn), (4, ml_dtypes.bfloat16))}
    cut = {n: toward_zero(src, t) for n, t in ((2, ml_dtypes.float8_e5m2), (3, np.float16))}
    return Case(
        1,
        [src, *(np.zeros(128, (nearest | cut)[n].dtype) for n in (1, 2, 3, 4))],
        {0: sum(v.astype(float) for v in (nearest | cut).values())} | nearest | cut,
    )


def toward_zero(x, dtype):
    """Rounded toward zero: f32 patterns cut to the bits of a type, where it has the exponent for it."""
    digits = ml_dtypes.finfo(dtype).nmant
    least = float(ml_dtypes.finfo(dtype).smallest_normal)
    quantum = 2.0 ** (np.floor(np.log2(np.maximum(np.abs(x), least))) - digits)
    return (np.trunc(x / quantum) * quantum).astype(dtype)


@kernel("constants")
def constants(rng, name):
    return Case(1, [np.zeros(64, np.float32)], {0: np.full(64, 1.1, np.float32)})


# --- reductions and scans ---------------------------------------------------------------------------------------------


@kernel("reduce_kinds", "reduce_kinds_half")
def reduce_kinds(rng, name):
    count, dtype = (64, np.float16) if name.endswith("half") else (512, np.float32)
    src = rng.permutation(np.arange(count) - count // 2).astype(dtype)
    wanted = [src.astype(float).sum(), src.max(), src.min(), src.max()]
    picks = [src.argmax(), src.argmin(), src.argmax()]
    return Case(1, [src, np.zeros(4, np.float32), np.zeros(3, np.int32)], {1: np.array(wanted), 2: np.array(picks)})


@kernel("integer_reductions", "unsigned_reductions")
def integer_reductions(rng, name):
    unsigned = name.startswith("unsigned")
    src = rng.integers(0, 256, 128).astype(np.uint8) if unsigned else rng.integers(-9999, 9999, 128).astype(np.int32)
    wanted = [np.bitwise_xor.reduce(src), np.bitwise_or.reduce(src), src.sum(), src.max()]
    dst = np.zeros(4, np.uint32 if unsigned else np.int32)
    return Case(1, [src, dst], {1: np.array([int(w) for w in wanted])})


@kernel("axis_reductions")
def axis_reductions(rng, name):
    src = floats(rng, 4, 8, 32)
    outputs = [np.zeros(shape, np.float32) for shape in ((4, 32), (4, 8), (8, 32))]
    return Case(1, [src, *outputs], {1: src.max(1), 2: src.sum(2), 3: src.sum(0)}, SUM)


@kernel("mean_and_variance")
def mean_and_variance(rng, name):
    src = floats(rng, 4, 256) + 3
    x = src.astype(float)
    return Case(1, [src, np.zeros((4, 2), np.float32), 256], {1: np.stack([x.mean(1), x.var(1)], 1)}, F32)


@kernel("scans")
def scans(rng, name):
    src = rng.uniform(0.5, 1.0, (16, 32)).astype(np.float32) / 20
    x = np.cumsum(src.astype(float), 1)
    x = np.cumprod(x[::-1], 0)[::-1]
    # All are nonzero, so each element is the last of its prefix.
    wanted = np.empty_like(x)
    state = None
    for row in reversed(range(16)):
        state = x[row] if state is None else state * (x[row] * 0.5) + x[row]
        wanted[row] = state
    return Case(1, [src, np.zeros((16, 32), np.float32)], {1: wanted}, SUM)


# --- normalizations ---------------------------------------------------------------------------------------------------


@kernel("row_softmax")
def row_softmax(rng, name):
    src = floats(rng, 6, 800)
    x = np.exp(src.astype(float) - src.max(1, keepdims=True))
    return Case(6, [src, np.zeros_like(src), 800, 800], {1: x / x.sum(1, keepdims=True)}, F32)


@kernel("layer_norm")
def layer_norm(rng, name):
    src, gain, offset = floats(rng, 5, 1600, dtype=np.float16), floats(rng, 1600), floats(rng, 1600)
    x = src.astype(float)
    wanted = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5) * gain + offset
    return Case(5, [src, np.zeros_like(src), gain, offset, 1600, 1e-5], {1: wanted}, F16)


@kernel("layer_norm_gradient")
def layer_norm_gradient(rng, name):
    rows, columns, groups = 12, 400, 8
    src, upstream, gain = floats(rng, rows, columns), floats(rng, rows, columns), floats(rng, columns)
    weighted = upstream.astype(float) * gain
    mean = (weighted * src).sum(1, keepdims=True) / columns
    partial = np.zeros((groups, columns))
    for row in range(rows):
        partial[row % groups] += upstream[row].astype(float) * src[row]
    outputs = np.zeros_like(src), np.zeros((groups, columns), np.float32), np.zeros(groups, np.int32)
    args = [src, upstream, gain, *outputs, columns]
    return Case(rows, args, {3: weighted - mean * src, 4: partial, 5: outputs[2]}, F32)


@kernel("rms_norm_rows")
def rms_norm_rows(rng, name):
    src = floats(rng, 100, 128)
    x = src.astype(float)
    x /= np.sqrt((x * x).mean(1, keepdims=True))
    return Case(2, [src, np.zeros_like(src), 100], {1: 1 / (1 + np.exp(-x))}, F32)


def philox(seed, offset):
    """Philox 4x32 with ten rounds: four uint32 arrays."""
    mask = 0xFFFFFFFF
    c0, c1, c2, c3 = offset.astype(np.uint64), *(np.zeros(offset.shape, np.uint64) for _ in range(3))
    k0, k1 = seed & mask, seed >> 32 & mask
    for _ in range(10):
        p0, p1 = c0 * np.uint64(0xD2511F53), c2 * np.uint64(0xCD9E8D57)
        c0, c2 = (p1 >> 32) ^ c1 ^ np.uint64(k0), (p0 >> 32) ^ c3 ^ np.uint64(k1)
        c1, c3 = p1 & mask, p0 & mask
        k0, k1 = (k0 + 0x9E3779B9) & mask, (k1 + 0xBB67AE85) & mask
    return tuple(c.astype(np.uint32) for c in (c0, c1, c2, c3))


def uniform(bits):
    x = bits.view(np.int32).astype(float)
    return np.where(x < 0, -x - 1, x) * 4.6566127342e-10


@kernel("dropout")
def dropout(rng, name):
    n, seed = 1008, 1234
    src = floats(rng, n)
    bits = philox(seed, np.arange(n))
    first, second = uniform(bits[0]), uniform(bits[1])
    normal = np.sqrt(-2 * np.log(np.maximum(first, 1e-7))) * np.cos(2 * np.pi * second)
    wanted = np.where(first > 0.3, src / 0.7, 0.0) + 0.1 * normal
    return Case(4, [src, np.zeros(n, np.float32), n, 0.3, seed], {1: wanted}, F32)


@kernel("random_integers")
def random_integers(rng, name):
    seed = 0x123456789ABCDEF
    a, b, c, d = philox(seed, np.arange(128))
    return Case(1, [np.zeros(128, np.uint32), seed], {0: a ^ b ^ c ^ d ^ a})
