"""Expressions that versions of Triton understand differently; test/unit/test_versions.py has the results of each.

A kernel stores its numbers one after another, as fp32.
"""

import triton
import triton.language as tl
from cases import case


@triton.jit
def half(BLOCK: tl.constexpr):
    return BLOCK // 2


@triton.jit
def sign(x):
    if x < 0:
        return -1
    return x


@triton.jit
def returned_constants(x, out, N: tl.constexpr):
    first = tl.arange(0, half(N))  # from 3.7 on a constant
    tl.store(out + first, first)


@triton.jit
def returned_kinds(x, out, N: tl.constexpr):
    first = tl.load(x).to(tl.int32)
    tl.store(out, sign(first))
    tl.store(out + 1, sign(-first))


@triton.jit
def negation(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    value = -(tl.load(x + i) * 0.0)  # of 3.8 on -0.0
    tl.store(out + i, 1.0 / value)


@triton.jit
def precise_quotient(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.fdiv(tl.load(x + i), 3.0, ieee_rounding=True))


@triton.jit
def uniform(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.rand(7, i))


@triton.jit
def comparison_with_number(x, out, N: tl.constexpr):
    small = tl.load(x + tl.arange(0, N)).to(tl.int8) - 106
    tl.store(out + tl.arange(0, N), small < -150)  # in int32; from 3.9 on refused


@triton.jit
def number_first(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    value = tl.load(x + i)
    tl.store(out + i, tl.where(2.0 < value, 1.0, 0.0) + tl.where(3 >= value, 10.0, 0.0))  # noqa: SIM300


@triton.jit
def narrow_extremes(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    value = tl.load(x + i).to(tl.bfloat16)
    tl.store(out + i, tl.maximum(value, 1.001))  # in fp32; from 3.9 on in bf16
    tl.store(out + N, tl.max(value, 0) + 0.001)
    tl.store(out + N + 1, tl.min(value, 0) + 0.001)


@triton.jit
def narrow_scans(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    value = tl.load(x + i).to(tl.bfloat16)
    tl.store(out + i, tl.cumsum(value, 0))
    tl.store(out + N + i, tl.cumprod(value, 0))
    tl.store(out + 2 * N + i, tl.cumprod(tl.load(x + i).to(tl.int8) + 5, 0))  # of int8; from 3.9 on int32


@triton.jit
def narrow_quotients(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    value = tl.load(x + i).to(tl.float16)
    tl.store(out + i, value / 3)
    tl.store(out + N + i, 1.0 / (value + 1))
    tl.store(out + 2 * N + i, value % 3)


@triton.jit
def stored_bools(x, out, flags, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(flags + i, i)  # the low bit, as one byte, from 3.9 on 0 or 1


@triton.jit
def half_precisions(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    value = (tl.load(x + i) * 1.01).to(tl.float16)
    tl.store(out + i, value.to(tl.bfloat16))


@triton.jit
def negative_zero(x, out, N: tl.constexpr):
    zero = tl.full((N,), -0.0, tl.float32)
    tl.store(out + tl.arange(0, N), 1.0 / zero)


@triton.jit
def softmax_of_rows(x, out, N: tl.constexpr):
    i, j = tl.arange(0, N)[:, None], tl.arange(0, N)[None, :]
    value = tl.load(x + j) * (i + 1).to(tl.float32) / N
    tl.store(out + i * N + j, tl.softmax(value, 1, keep_dims=True))


@triton.jit
def sorted_numbers(x, out, N: tl.constexpr):
    value = tl.load(x + tl.arange(0, N))
    tl.store(out + tl.arange(0, N), tl.sort(value, descending=True))
    tl.store(out + N + tl.arange(0, 2), tl.topk(value, 2))


@triton.jit
def fused(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    value = tl.load(x + i).to(tl.float16)
    tl.store(out + i, tl.fma(value, 2.0, 0.5))


@triton.jit
def atomic_minimum(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.atomic_min(out + i, 2.0 - tl.load(x + i))


@triton.jit
def eight_bits(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, (tl.load(x + i) + tl.full((N,), 0.5, tl.float8e5).to(tl.float32)))


@triton.jit
def dependent_launch(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.extra.cuda.gdc_wait()  # assembly, and from 3.9 on an operation
    value = tl.load(x + i)
    tl.extra.cuda.gdc_launch_dependents()
    tl.store(out + i, value)


ALL = "*fp32 *fp32"
CASES = [
    case(kernel, ALL, N=8, archs=(90,))
    for kernel in (
        returned_constants,
        returned_kinds,
        negation,
        precise_quotient,
        uniform,
        comparison_with_number,
        number_first,
        narrow_extremes,
        narrow_scans,
        narrow_quotients,
        half_precisions,
        negative_zero,
        softmax_of_rows,
        sorted_numbers,
        fused,
        atomic_minimum,
        eight_bits,
        dependent_launch,
    )
] + [case(stored_bools, f"{ALL} *i1", N=8, archs=(90,))]
