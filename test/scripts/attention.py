"""Attention without the matrix of scores: they are made block by block, with the softmax kept up to date."""

import arrays
import numpy as np
import triton
import triton.language as tl


@triton.jit
def attend(
    q,
    k_ptrs,
    v_ptrs,
    start,
    first,
    last,
    step_k,
    step_v,
    scale,
    BM: tl.constexpr,
    BN: tl.constexpr,
    D: tl.constexpr,
    MASKED: tl.constexpr,
    acc,
    total,
    largest,
):
    rows, columns = start * BM + tl.arange(0, BM), tl.arange(0, BN)
    for n in tl.range(first, last, BN):
        n = tl.multiple_of(n, BN)
        scores = tl.dot(q, tl.load(k_ptrs + n * step_k)) * scale
        if MASKED:
            scores = tl.where(rows[:, None] >= n + columns[None, :], scores, -1.0e6)
        new = tl.maximum(largest, tl.max(scores, 1))
        p = tl.math.exp2(scores - new[:, None])
        alpha = tl.math.exp2(largest - new)
        total = total * alpha + tl.sum(p, 1)
        acc = tl.dot(p.to(tl.float16), tl.load(v_ptrs + n * step_v), acc * alpha[:, None])
        largest = new
    return acc, total, largest


@triton.jit
def attention(
    Q, K, V, Out, stride, n_ctx, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr
):
    start, base = tl.program_id(0), tl.program_id(1).to(tl.int64) * stride
    rows, columns, inner = start * BM + tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, D)
    q = tl.load(Q + base + rows[:, None] * D + inner[None, :])
    k_ptrs = K + base + columns[None, :] * D + inner[:, None]
    v_ptrs = V + base + columns[:, None] * D + inner[None, :]
    acc = tl.zeros([BM, D], dtype=tl.float32)
    total = tl.zeros([BM], dtype=tl.float32)
    largest = tl.full([BM], -float("inf"), dtype=tl.float32)
    scale *= 1.44269504
    middle = start * BM if CAUSAL else n_ctx
    acc, total, largest = attend(
        q, k_ptrs, v_ptrs, start, 0, middle, D, D, scale, BM, BN, D, False, acc, total, largest
    )
    if CAUSAL:
        acc, total, largest = attend(
            q, k_ptrs, v_ptrs, start, middle, (start + 1) * BM, D, D, scale, BM, BN, D, True, acc, total, largest
        )
    tl.store(Out + base + rows[:, None] * D + inner[None, :], (acc / total[:, None]).to(tl.float16))


def main():
    heads, n, d = 2, 64, 32
    q, k, v = (arrays.normal(heads, n, d, dtype=np.float16) for _ in range(3))
    for causal in (False, True):
        out = arrays.zeros(heads, n, d, dtype=np.float16)
        device = [arrays.on_device(each) for each in (q, k, v)]
        attention[(n // 32, heads)](*device, out, n * d, n, 0.3, BM=32, BN=16, D=d, CAUSAL=causal)
        scores = np.einsum("hmd,hnd->hmn", q.astype(np.float32), k.astype(np.float32)) * 0.3
        if causal:
            scores = np.where(np.tri(n, dtype=bool), scores, -np.inf)
        p = np.exp(scores - scores.max(-1, keepdims=True))
        p /= p.sum(-1, keepdims=True)
        arrays.close(out, np.einsum("hmn,hnd->hmd", p, v.astype(np.float32)), 1e-2, 1e-2)


if __name__ == "__main__":
    main()
