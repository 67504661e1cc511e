"""Row-wise normalizations: softmax, layer norm forward and backward, RMS norm, dropout."""

import triton
import triton.language as tl
from cases import case


@triton.jit
def row_softmax(src, dst, columns, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    index = tl.arange(0, BLOCK)
    value = tl.load(src + row * stride + index, mask=index < columns, other=float("-inf"))
    tl.store(dst + row * stride + index, tl.softmax(value), mask=index < columns)


@triton.jit
def layer_norm(src, dst, gain, offset, columns, epsilon, BLOCK: tl.constexpr):
    start = tl.program_id(0).to(tl.int64) * columns
    index = tl.arange(0, BLOCK)
    inside = index < columns
    value = tl.load(src + start + index, mask=inside, other=0.0).to(tl.float32)
    mean = tl.sum(value) / columns
    centred = tl.where(inside, value - mean, 0.0)
    inverse = tl.rsqrt(tl.sum(centred * centred) / columns + epsilon)
    scale = tl.load(gain + index, mask=inside, other=1.0)
    shift = tl.load(offset + index, mask=inside, other=0.0)
    tl.store(dst + start + index, centred * inverse * scale + shift, mask=inside)


@triton.jit
def layer_norm_gradient(src, upstream, gain, gradient, partial, locks, columns, BLOCK: tl.constexpr,
                        GROUPS: tl.constexpr):
    row = tl.program_id(0)
    index = tl.arange(0, BLOCK)
    inside = index < columns
    value = tl.load(src + row * columns + index, mask=inside, other=0.0)
    grad = tl.load(upstream + row * columns + index, mask=inside, other=0.0)
    weighted = grad * tl.load(gain + index, mask=inside, other=0.0)
    mean = tl.sum(weighted * value) / columns
    tl.store(gradient + row * columns + index, weighted - mean * value, mask=inside)
    lock = locks + row % GROUPS
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    share = partial + (row % GROUPS) * columns + index
    tl.store(share, tl.load(share, mask=inside) + grad * value, mask=inside)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@triton.jit
def rms_norm_rows(src, dst, rows, R: tl.constexpr, C: tl.constexpr):
    column = tl.arange(0, C)[None, :]
    for first in tl.range(tl.program_id(0) * R, rows, tl.num_programs(0) * R, num_stages=4):
        row = (first + tl.arange(0, R))[:, None]
        value = tl.load(src + row * C + column, mask=row < rows, other=0.0)
        scale = tl.sqrt(tl.sum(value * value, axis=1, keep_dims=True) / C)
        tl.store(dst + row * C + column, tl.sigmoid(value / scale), mask=row < rows)


@triton.jit
def dropout(src, dst, n, probability, seed, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(src + index, mask=index < n)
    kept = tl.where(tl.rand(seed, index) > probability, value / (1 - probability), 0.0)
    tl.store(dst + index, kept + 0.1 * tl.randn(seed, index), mask=index < n)


@triton.jit
def random_integers(dst, seed, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    a, b, c, d = tl.randint4x(seed, index)
    tl.store(dst + index, a ^ b ^ c ^ d ^ tl.randint(seed, index))


CASES = [
    case(row_softmax, "*fp32 *fp32 i32:16 i32:16", BLOCK=1024),
    case(layer_norm, "*fp16 *fp16 *fp32 *fp32 i32:16 fp32", archs=[80, 90], options=dict(num_warps=8), BLOCK=2048),
    case(layer_norm_gradient, "*fp32 *fp32 *fp32 *fp32 *fp32 *i32 i32:16", archs=[90], BLOCK=512, GROUPS=8),
    case(rms_norm_rows, "*fp32 *fp32 i32", archs=[80, 90], R=16, C=128),
    case(dropout, "*fp32 *fp32 i32:16 fp32 i32", archs=[80], BLOCK=256),
    case(random_integers, "*u32 u64", archs=[90], BLOCK=128),
]
