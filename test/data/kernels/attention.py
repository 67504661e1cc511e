"""Softmax attention over blocks of keys, with a causal mask, and its descriptor form."""

import triton
import triton.language as tl
from cases import case


@triton.jit
def attend(q, k, v, largest, total, acc, row, start, SCALE: tl.constexpr, CAUSAL: tl.constexpr, N: tl.constexpr):
    score = tl.dot(q, k) * SCALE
    if CAUSAL:
        column = start + tl.arange(0, N)
        score = tl.where(row[:, None] >= column[None, :], score, float("-inf"))
    highest = tl.maximum(largest, tl.max(score, 1))
    weight = tl.math.exp2(score - highest[:, None])
    shrink = tl.math.exp2(largest - highest)
    total = total * shrink + tl.sum(weight, 1)
    acc = tl.dot(weight.to(v.dtype), v, acc * shrink[:, None])
    return highest, total, acc


@triton.jit
def attention(queries, keys, values, out, length, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr,
              CAUSAL: tl.constexpr):
    head = tl.program_id(1) * length * D
    row = tl.program_id(0) * M + tl.arange(0, M)
    feature = tl.arange(0, D)
    q = tl.load(queries + head + row[:, None] * D + feature[None, :], mask=row[:, None] < length, other=0.0)
    largest = tl.full((M, ), float("-inf"), tl.float32)
    total = tl.zeros((M, ), tl.float32)
    acc = tl.zeros((M, D), tl.float32)
    stop = tl.minimum(length, (tl.program_id(0) + 1) * M) if CAUSAL else length
    for start in range(0, stop, N):
        start = tl.multiple_of(start, N)
        column = start + tl.arange(0, N)
        k = tl.load(keys + head + column[None, :] * D + feature[:, None])
        v = tl.load(values + head + column[:, None] * D + feature[None, :])
        largest, total, acc = attend(q, k, v, largest, total, acc, row, start, 0.125, CAUSAL, N)
    acc = acc / total[:, None]
    tl.store(out + head + row[:, None] * D + feature[None, :], acc.to(out.dtype.element_ty),
             mask=row[:, None] < length)


@triton.jit
def descriptor_attention(queries, keys, values, out, length, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr,
                         SPECIALIZE: tl.constexpr):
    q_rows = tl.make_tensor_descriptor(queries, [length, D], [D, 1], [M, D])
    k_rows = tl.make_tensor_descriptor(keys, [length, D], [D, 1], [N, D])
    v_rows = tl.make_tensor_descriptor(values, [length, D], [D, 1], [N, D])
    out_rows = tl.make_tensor_descriptor(out, [length, D], [D, 1], [M, D])
    first = tl.program_id(0) * M
    row = first + tl.arange(0, M)
    q = q_rows.load([first, 0])
    largest = tl.full((M, ), float("-inf"), tl.float32)
    total = tl.zeros((M, ), tl.float32)
    acc = tl.zeros((M, D), tl.float32)
    for start in tl.range(0, length, N, warp_specialize=SPECIALIZE):
        k = k_rows.load([start, 0]).T
        v = v_rows.load([start, 0])
        largest, total, acc = attend(q, k, v, largest, total, acc, row, start, 0.125, False, N)
    out_rows.store([first, 0], (acc / total[:, None]).to(tl.float16))


CASES = [
    case(attention, "*fp16 *fp16 *fp16 *fp16 i32:16", archs=[80, 90, 100], M=64, N=64, D=64, CAUSAL=False),
    case(attention, "*bf16 *bf16 *bf16 *fp32 i32:16", name="causal_attention", archs=[90], M=64, N=32, D=64,
         CAUSAL=True),
    case(descriptor_attention, "*fp16 *fp16 *fp16 *fp16 i32:16", archs=[90], M=128, N=64, D=64, SPECIALIZE=False),
    case(descriptor_attention, "*fp16 *fp16 *fp16 *fp16 i32:16", name="specialized_attention", archs=[100], M=128,
         N=64, D=64, SPECIALIZE=True),
]
