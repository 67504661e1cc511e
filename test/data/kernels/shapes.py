"""Ops that move elements and compute nothing: join, split, cat, gather, transpose, sort, flip, histogram."""

import triton
import triton.language as tl
from cases import case


@triton.jit
def join_and_split(left, right, dst, N: tl.constexpr):
    index = tl.arange(0, N)
    a = tl.load(left + index)
    b = tl.load(right + index)
    pairs = tl.join(a, b)
    first, second = tl.split(pairs)
    woven = tl.interleave(first, second)
    tl.store(dst + tl.arange(0, 2 * N), woven)
    tl.store(dst + tl.arange(0, 2 * N), tl.cat(a, b, can_reorder=True))
    x, y = tl.split(tl.join(tl.load(left), tl.load(right)))
    tl.store(dst, x - y)


@triton.jit
def permutations(src, dst, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    index = (tl.arange(0, A)[:, None, None] * B + tl.arange(0, B)[None, :, None]) * C + tl.arange(0, C)[None, None, :]
    value = tl.load(src + index)
    value = tl.permute(value, (2, 0, 1))
    value = tl.trans(value, (1, 2, 0))
    flat = tl.reshape(value, (A * B * C, ), can_reorder=True)
    flat = tl.reshape(flat, (C, A * B))
    flat = tl.trans(flat)
    flat = tl.ravel(flat)
    tl.store(dst + tl.arange(0, A * B * C), flat)


@triton.jit
def views(src, dst, N: tl.constexpr):
    value = tl.load(src + tl.arange(0, N))
    square = tl.expand_dims(tl.expand_dims(value, 0), 2)
    wide = tl.broadcast_to(square, (4, N, 2))
    scalar = tl.broadcast_to(tl.load(src), (4, N, 2))
    left, right = tl.broadcast(wide + scalar, tl.full((1, N, 1), 2, tl.int32))
    tl.store(dst + tl.arange(0, 4 * N), tl.sum(left * right, axis=2).view(4 * N))
    one = tl.reshape(tl.load(src + tl.arange(0, 1)), ())
    tl.store(dst, one.item() if False else one)


@triton.jit
def gathers(src, picks, dst, R: tl.constexpr, C: tl.constexpr):
    index = tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :]
    value = tl.load(src + index)
    where = tl.load(picks + index)
    tl.store(dst + index, tl.gather(value, where, axis=0) + tl.gather(value, where, axis=1))


@triton.jit
def counts(src, dst, N: tl.constexpr, BINS: tl.constexpr):
    value = tl.load(src + tl.arange(0, N))
    total = tl.histogram(value, BINS)
    total += tl.histogram(value, BINS, mask=value > 3)
    tl.store(dst + tl.arange(0, BINS), total)


@triton.jit
def orders(src, dst, R: tl.constexpr, C: tl.constexpr):
    index = tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :]
    value = tl.load(src + index)
    tl.store(dst + index, tl.flip(tl.sort(value, dim=1), 0))


@triton.jit
def best_few(src, dst, C: tl.constexpr, K: tl.constexpr):
    value = tl.load(src + tl.arange(0, C))
    tl.store(dst + tl.arange(0, K), tl.topk(value, K))


@triton.jit
def grouped_order(dst, rows, columns, GROUP: tl.constexpr):
    i = tl.program_id(0) // columns
    j = tl.program_id(0) % columns
    x, y = tl.swizzle2d(i, j, rows, columns, GROUP)
    tl.store(dst + x * columns + y, tl.program_id(0))


CASES = [
    case(join_and_split, "*fp32 *fp32 *fp32", archs=[80, 90], N=128),
    case(permutations, "*fp16 *fp16", archs=[80, 90], A=4, B=8, C=16),
    case(views, "*i32 *i32", archs=[90], N=64),
    case(gathers, "*fp32 *i32 *fp32", archs=[90], R=16, C=32),
    case(counts, "*i32 *i32", archs=[90], N=512, BINS=16),
    case(orders, "*i32 *i32", archs=[90], R=4, C=8),
    case(best_few, "*fp32 *fp32", archs=[80], C=16, K=4),
    case(grouped_order, "*i32 i32 i32", archs=[90], GROUP=4),
]
