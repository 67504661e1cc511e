"""Attention by descriptors of the host, whose blocks the hook of each configuration sets: it is tuned, and saves the
logarithms of its sums, of which a second kernel makes the attention probabilities again."""

import arrays
import numpy as np
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


def set_blocks(arguments):
    """Descriptors are made before a configuration is chosen: their blocks are not known until it is."""
    if not isinstance(arguments["q"], TensorDescriptor):
        return
    rows, columns, depth = arguments["BM"], arguments["BN"], arguments["D"]
    arguments["q"].block_shape = arguments["out"].block_shape = [rows, depth]
    arguments["k"].block_shape = arguments["v"].block_shape = [columns, depth]


def suited(configs, arguments, **more):
    return [config for config in configs if config.kwargs["BM"] <= arguments["n"] and config.kwargs["BM"] >= 64]


CONFIGS = [
    triton.Config({"BM": rows, "BN": columns}, num_stages=stages, num_warps=warps, pre_hook=set_blocks)
    for rows in (64, 128)
    for columns in (32,)
    for stages, warps in ((2, 4), (100, 8))
    if (rows, stages) != (128, 100)
]


@triton.jit
def as_descriptor(given, shape, strides, block: tl.constexpr):
    if isinstance(given, tl.tensor_descriptor):
        return given
    else:  # noqa: RET505  (without it, both are compiled)
        return tl.make_tensor_descriptor(given, shape, strides, block)


@triton.jit
def attend(acc, total, largest, q, k, v, base, first, last, row, scale, BM: tl.constexpr, BN: tl.constexpr, MASKED):
    rows, columns = row + tl.arange(0, BM), tl.arange(0, BN)
    for n in tl.range(first, last, BN):
        n = tl.multiple_of(n, BN)
        scores = tl.dot(q, k.load([base + n, 0]).T) * scale
        if MASKED:
            scores += tl.where(rows[:, None] >= n + columns[None, :], 0, -1.0e6)
        new = tl.maximum(largest, tl.max(scores, 1))
        p = tl.math.exp2(scores - new[:, None])
        alpha = tl.math.exp2(largest - new)
        acc = tl.dot(p.to(q.dtype), v.load([base + n, 0]), acc * alpha[:, None])
        total = total * alpha + tl.sum(p, 1)
        largest = new
    return acc, total, largest


@triton.autotune(CONFIGS, key=["n", "D", "CAUSAL"], prune_configs_by={"early_config_prune": suited})
@triton.jit
def attention(
    q, k, v, out, sums, heads, n, scale, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, CAUSAL: tl.constexpr
):
    tl.static_assert(BM % BN == 0)
    row, head = tl.program_id(0) * BM, tl.program_id(1)
    rows, base = heads * n, head * n
    q = as_descriptor(q, [rows, D], [D, 1], [BM, D])
    k = as_descriptor(k, [rows, D], [D, 1], [BN, D])
    v = as_descriptor(v, [rows, D], [D, 1], [BN, D])
    out = as_descriptor(out, [rows, D], [D, 1], [BM, D])
    acc = tl.zeros([BM, D], tl.float32)
    total, largest = tl.full([BM], 1.0, tl.float32), tl.full([BM], -float("inf"), tl.float32)
    total -= 1
    scale *= 1.44269504
    tile = q.load([base + row, 0])
    middle = row if CAUSAL else n
    acc, total, largest = attend(acc, total, largest, tile, k, v, base, 0, middle, row, scale, BM, BN, False)
    if CAUSAL:
        acc, total, largest = attend(acc, total, largest, tile, k, v, base, row, row + BM, row, scale, BM, BN, True)
    tl.store(sums + base + row + tl.arange(0, BM), largest + tl.math.log2(total))
    out.store([base + row, 0], (acc / total[:, None]).to(out.dtype))


def main():
    heads, n, d = 2, 128, 32
    given = [arrays.normal(heads * n, d, dtype=np.float16) for _ in range(3)]
    q, k, v = (each.reshape(heads, n, d).astype(np.float32) for each in given)
    if arrays.ON_GPU:
        import torch

        triton.set_allocator(lambda size, align, stream: torch.empty(size, dtype=torch.int8, device="cuda"))
    for causal in (False, True):
        for by_host in (True, False):
            out, sums = arrays.zeros(heads * n, d, dtype=np.float16), arrays.zeros(heads * n)
            tensors = [*map(arrays.on_device, given), out]
            if by_host:
                tensors = [TensorDescriptor(each, [heads * n, d], [d, 1], [1, 1]) for each in tensors]
            grid = lambda meta: (n // meta["BM"], heads)
            attention[grid](*tensors, sums, heads, n, 0.3, D=d, CAUSAL=causal)
            scores = np.einsum("hmd,hnd->hmn", q, k) * 0.3
            scores = np.where(np.tri(n, dtype=bool), scores, -np.inf) if causal else scores
            p = np.exp(scores - scores.max(-1, keepdims=True))
            expected = np.einsum("hmn,hnd->hmd", p / p.sum(-1, keepdims=True), v)
            arrays.close(out, expected.reshape(heads * n, d), 1e-2, 1e-2)
            arrays.close(sums, np.log2(np.exp(scores).sum(-1)).ravel(), 1e-2, 1e-2)


if __name__ == "__main__":
    main()
