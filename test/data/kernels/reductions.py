"""Reductions and scans: built in and user-defined combiners, one or several operands, any axis."""

import triton
import triton.language as tl
from cases import case


@triton.jit
def reduce_kinds(src, dst, picks, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    value = tl.load(src + index)
    tl.store(dst + 0, tl.sum(value))
    tl.store(dst + 1, tl.max(value, axis=0))
    tl.store(dst + 2, tl.min(value, axis=0))
    tl.store(picks + 0, tl.argmax(value, axis=0))
    tl.store(picks + 1, tl.argmin(value, axis=0, tie_break_left=False))
    largest, where = tl.max(value, axis=0, return_indices=True)
    tl.store(dst + 3, largest)
    tl.store(picks + 2, where)


@triton.jit
def integer_reductions(src, dst, BLOCK: tl.constexpr):
    value = tl.load(src + tl.arange(0, BLOCK))
    tl.store(dst + 0, tl.xor_sum(value, axis=0))
    tl.store(dst + 1, tl.reduce_or(value, axis=0))
    tl.store(dst + 2, tl.sum(value, axis=0))
    tl.store(dst + 3, tl.max(value, axis=0))


@triton.jit
def axis_reductions(src, rows_out, columns_out, planes_out, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    plane = tl.arange(0, A)[:, None, None]
    row = tl.arange(0, B)[None, :, None]
    column = tl.arange(0, C)[None, None, :]
    value = tl.load(src + (plane * B + row) * C + column)
    over_planes = tl.sum(value, axis=0)
    over_rows = tl.max(value, axis=1)
    over_columns = tl.sum(value, axis=2, keep_dims=True)
    tl.store(planes_out + tl.arange(0, B)[:, None] * C + tl.arange(0, C)[None, :], over_planes)
    tl.store(rows_out + tl.arange(0, A)[:, None] * C + tl.arange(0, C)[None, :], over_rows)
    tl.store(columns_out + plane * B + row, over_columns)


@triton.jit
def welford(mean_a, spread_a, weight_a, mean_b, spread_b, weight_b):
    weight = weight_a + weight_b
    delta = mean_b - mean_a
    share = weight_b / weight
    return mean_a + delta * share, spread_a + spread_b + delta * delta * weight_a * share, weight


@triton.jit
def mean_and_variance(src, dst, stride, R: tl.constexpr, C: tl.constexpr):
    row = tl.arange(0, R)
    value = tl.load(src + row[:, None] * stride + tl.arange(0, C)[None, :])
    mean, spread, weight = tl.reduce((value, tl.zeros_like(value), tl.full((R, C), 1.0, tl.float32)), 1, welford)
    tl.store(dst + row * 2, mean)
    tl.store(dst + row * 2 + 1, spread / weight)


@triton.jit
def last_nonzero(a, b):
    return tl.where(b != 0, b, a)


@triton.jit
def linear_recurrence(gain_a, value_a, gain_b, value_b):
    return gain_a * gain_b, value_a * gain_b + value_b


@triton.jit
def scans(src, dst, R: tl.constexpr, C: tl.constexpr):
    index = tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :]
    value = tl.load(src + index)
    value = tl.cumsum(value, axis=1)
    value = tl.cumprod(value, axis=0, reverse=True)
    value = tl.associative_scan(value, 1, last_nonzero)
    _, value = tl.associative_scan((value * 0.5, value), 0, linear_recurrence, reverse=True)
    tl.store(dst + index, value)


CASES = [
    case(reduce_kinds, "*fp32 *fp32 *i32", archs=[80, 90], BLOCK=512),
    case(reduce_kinds, "*fp16 *fp32 *i32", name="reduce_kinds_half", archs=[90], BLOCK=64),
    case(integer_reductions, "*i32 *i32", archs=[90], BLOCK=128),
    case(integer_reductions, "*u8 *u32", name="unsigned_reductions", archs=[80], BLOCK=128),
    case(axis_reductions, "*fp32 *fp32 *fp32 *fp32", archs=[90], A=4, B=8, C=32),
    case(mean_and_variance, "*fp32 *fp32 i32:16", archs=[80, 90], R=4, C=256),
    case(scans, "*fp32 *fp32", archs=[80, 90], R=16, C=32),
]
