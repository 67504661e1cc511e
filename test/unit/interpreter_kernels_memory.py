"""What the kernels of test/data/kernels that multiply matrices, copy blocks and update memory compute, in numpy."""

import ml_dtypes
import numpy as np
from interpreter_kernels import BF16_ONCE, F16, F32, SUM, Case, floats, kernel

from ttkit.interpreter import TensorDescriptor

BF16, E4M3, E5M2 = ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2


# --- Matrix products --------------------------------------------------------------------------------------------------

TF32 = 2e-2
"""Operands of ten bits, cut off."""

# Name -> (types of a, b, c), tile, tolerance.  Three products of bf16 leave 2^-16 of each term out; sums in f16 round
# at each tile.
PRODUCTS = {
    "matmul_f16": ((np.float16, np.float16, np.float16), (128, 128, 32), F16),
    "matmul_f16_warps8": ((np.float16, np.float16, np.float16), (128, 256, 64), F16),
    "matmul_bf16_transposed": ((BF16, BF16, np.float32), (128, 128, 32), SUM),
    "matmul_tf32": ((np.float32, np.float32, np.float32), (64, 64, 32), TF32),
    "matmul_tf32x3": ((np.float32, np.float32, np.float32), (64, 64, 16), 2 * SUM),
    "matmul_ieee": ((np.float32, np.float32, np.float32), (32, 32, 16), SUM),
    "matmul_bf16x3": ((np.float32, np.float32, np.float32), (64, 64, 16), 5e-4),
    "matmul_bf16x6": ((np.float32, np.float32, np.float32), (64, 64, 16), SUM),
    "matmul_f64": ((np.float64, np.float64, np.float64), (32, 32, 16), 1e-14),
    "matmul_i8": ((np.int8, np.int8, np.int32), (64, 64, 64), 0),
    "matmul_f8_e4m3": ((E4M3, E4M3, np.float16), (128, 64, 64), F16),
    "matmul_f8_e5m2": ((E5M2, E5M2, np.float16), (64, 64, 64), F16),
    "matmul_f16_out_f16": ((np.float16, np.float16, np.float16), (64, 64, 32), 1e-2),
    "matmul_small_rows": ((np.float16, np.float16, np.float16), (16, 64, 64), F16),
    "matmul_cluster": ((np.float16, np.float16, np.float16), (128, 128, 32), F16),
    "matmul_mfma": ((np.float16, np.float16, np.float16), (64, 64, 32), F16),
    "matmul_wmma": ((np.float16, np.float16, np.float16), (32, 32, 32), F16),
}


def operand(rng, dtype, *shape):
    if np.dtype(dtype).kind == "i":
        return rng.integers(-128, 128, shape).astype(dtype)
    return rng.standard_normal(shape).astype(np.float32).astype(dtype)


@kernel(*PRODUCTS)
def matmul(rng, name):
    """Two tiles each way, the second cut off, and a K that most tiles do not divide; 16 does, as the kernel says."""
    (type_a, type_b, type_c), (tile_m, tile_n, tile_k), tolerance = PRODUCTS[name]
    m, n, k = 2 * tile_m - 16, 2 * tile_n - 16, 3 * tile_k - 16
    rows, columns = 2 * tile_m, 2 * tile_n
    a, b = operand(rng, type_a, rows, k), operand(rng, type_b, k, columns)
    wanted = np.zeros((m, n), type_c)
    wanted[:] = (a[:m].astype(float) @ b[:, :n].astype(float)).astype(type_c)
    if name == "matmul_bf16_transposed":
        a = np.ascontiguousarray(a.T)
    if name in ("matmul_bf16_transposed", "matmul_f8_e5m2"):
        b = np.ascontiguousarray(b.T)
    stride_a, stride_b = a.shape[1], b.shape[1]
    args = [a.reshape(-1), b.reshape(-1), np.zeros((m, n), type_c), m, n, k, stride_a, stride_b, n]
    return Case((2, 2), args, {2: wanted}, tolerance)


@kernel("matmul_epilogue")
def matmul_epilogue(rng, name):
    a, b, bias = operand(rng, np.float16, 64, 64), operand(rng, np.float16, 128, 64), floats(rng, 128)
    z = a.astype(float) @ b.astype(float).T + bias
    z = np.where(z > 0, z, z * 0.01)
    after = bias.astype(float)
    after[:64] = z.max(1)
    return Case(1, [a, b, np.zeros((64, 128), np.float16), bias, 128], {2: z, 3: after}, F16)


@kernel("batched_matmul")
def batched_matmul(rng, name):
    a, b = operand(rng, np.float16, 2, 32, 32), operand(rng, np.float16, 2, 32, 32)
    return Case(1, [a, b, np.zeros((2, 32, 32), np.float32)], {2: a.astype(float) @ b.astype(float)}, SUM)


@kernel("chained_matmul")
def chained_matmul(rng, name):
    a, b = operand(rng, np.float16, 64, 64), operand(rng, np.float16, 64, 64)
    c = operand(rng, np.float16, 16, 64, 64)
    total = np.zeros((64, 64))
    for step in range(16):
        part = (a.astype(float) @ c[step].astype(float)) * (2 if step % 4 == 3 else 1)
        total += part.astype(np.float16).astype(float) @ b.astype(float)
    # The first product, rounded to f16 in the kernel, may round differently in another order of its sum.
    return Case(1, [a, b, c, np.zeros((64, 64), np.float32)], {3: total}, 2e-2)


@kernel(
    "descriptor_matmul",
    "specialized_matmul",
    "descriptor_matmul_cluster",
    "persistent_matmul",
    "persistent_specialized_matmul",
)
def descriptor_matmul(rng, name):
    m, n, k = 240, 160, 208
    a, b = operand(rng, np.float16, m, k), operand(rng, np.float16, n, k)
    grid = {"persistent_matmul": 132, "persistent_specialized_matmul": 148}.get(name, (2, 2))
    wanted = a.astype(float) @ b.astype(float).T
    return Case(grid, [a, b, np.zeros((m, n), np.float16), m, n, k], {2: wanted}, F16)


@kernel("block_pointer_matmul")
def block_pointer_matmul(rng, name):
    m, n, k = 128, 128, 80
    a, b = operand(rng, BF16, m, k), operand(rng, BF16, n, k)
    wanted = a.astype(float) @ b.astype(float).T
    return Case((2, 2), [a, b, np.zeros((m, n), BF16), m, n, k], {2: wanted}, BF16_ONCE)


E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6])


def packed(rng, format, rows, columns, axis):
    """(the array to pass, its numbers): a matrix of a format, e2m1 in pairs along `axis`."""
    if format != "e2m1":
        x = operand(rng, {"e4m3": E4M3, "e5m2": E5M2, "bf16": BF16, "fp16": np.float16}[format], rows, columns)
        return x, x.astype(float)
    codes = rng.integers(0, 16, (rows, columns)).astype(np.uint8)
    low, high = (codes[::2], codes[1::2]) if axis == 0 else (codes[:, ::2], codes[:, 1::2])
    return low | high << 4, E2M1[codes]


@kernel("scaled_matmul", "scaled_matmul_fp4", "scaled_matmul_bf16", "scaled_matmul_mixed")
def scaled_matmul(rng, name):
    """The kernel moves on by M * K and K * N bytes or elements, twice as far as packed tiles are big."""
    formats, size, steps = {
        "scaled_matmul": (("e5m2", "e4m3"), 128, 4),
        "scaled_matmul_fp4": (("e2m1", "e2m1"), 128, 4),
        "scaled_matmul_bf16": (("bf16", "e2m1"), 64, 2),
        "scaled_matmul_mixed": (("e4m3", "e2m1"), 128, 2),
    }[name]
    scales = [rng.integers(125, 130, (size, size // 32)).astype(np.uint8) for _ in range(2)]
    wide = [np.repeat(2.0 ** (s.astype(float) - 127), 32, axis=1) for s in scales]
    total, tiles = np.zeros((size, size)), ([], [])
    for _ in range(steps):
        a, wide_a = packed(rng, formats[0], size, size, 1)
        b, wide_b = packed(rng, formats[1], size, size, 0)
        for array, kept in zip((a, b), tiles):
            kept.append(np.concatenate([array.reshape(-1), np.zeros(size * size - array.size, array.dtype)]))
        total += (wide_a * (1 if formats[0] == "bf16" else wide[0])) @ (wide_b * wide[1].T)
    a, b = (np.concatenate(kept) for kept in tiles)
    return Case(1, [a, scales[0], b, scales[1], np.zeros((size, size), np.float32)], {4: total}, SUM)


@kernel("scaled_matmul_packed_rows")
def scaled_matmul_packed_rows(rng, name):
    a, wide_a = packed(rng, "fp16", 64, 64, 0)
    b, wide_b = packed(rng, "e2m1", 64, 64, 1)
    scale = rng.integers(125, 130, (64, 2)).astype(np.uint8)
    wanted = wide_a @ (wide_b * np.repeat(2.0 ** (scale.astype(float) - 127), 32, axis=1).T)
    return Case(1, [a, b, scale, np.zeros((64, 64), np.float32)], {3: wanted}, SUM)


def softmax_rows(score):
    weight = np.exp2(score - score.max(1, keepdims=True))
    return weight / weight.sum(1, keepdims=True)


@kernel("attention", "causal_attention")
def attention(rng, name):
    """A base of 2 in the softmax: the kernel leaves the factor to its scale."""
    length, heads = 128, 2
    kind, out = (BF16, np.float32) if name == "causal_attention" else (np.float16, np.float16)
    q, k, v = (operand(rng, kind, heads, length, 64) for _ in range(3))
    wanted = np.zeros((heads, length, 64))
    for head in range(heads):
        score = q[head].astype(float) @ k[head].astype(float).T * 0.125
        if name == "causal_attention":
            score = np.where(np.tri(length, dtype=bool), score, -np.inf)
        wanted[head] = softmax_rows(score) @ v[head].astype(float)
    # Weights are rounded to the type of v: for bf16 to 2^-9 of each.
    return Case((length // 64, heads), [q, k, v, np.zeros((heads, length, 64), out), length], {3: wanted}, 4e-3)


@kernel("descriptor_attention", "specialized_attention")
def descriptor_attention(rng, name):
    length = 256
    q, k, v = (operand(rng, np.float16, length, 64) for _ in range(3))
    wanted = softmax_rows(q.astype(float) @ k.astype(float).T * 0.125) @ v.astype(float)
    return Case(2, [q, k, v, np.zeros((length, 64), np.float16), length], {3: wanted}, F16)


# --- Blocks of memory -------------------------------------------------------------------------------------------------


@kernel("block_pointer_copy")
def block_pointer_copy(rng, name):
    rows, columns = 64, 80
    src = operand(rng, np.float16, rows, 128)
    wanted = np.zeros((rows, 128), np.float16)
    wanted[:, :columns] = 2 * src[:, :columns]
    return Case(2, [src, np.zeros((rows, 128), np.float16), rows, columns, 128], {1: wanted})


@kernel("block_pointer_unchecked")
def block_pointer_unchecked(rng, name):
    n, stride = 64, 8192
    src = rng.integers(-99, 99, 64).astype(np.int32)
    wanted = np.zeros(4 * stride, np.int32)
    for row in range(2):
        wanted[(1 + row) * n + 2 :][:32] = src[32 * row :][:32]
    return Case(1, [src, np.zeros(4 * stride, np.int32), n, stride], {1: wanted})


@kernel("cache_hints")
def cache_hints(rng, name):
    n = 512
    src = floats(rng, n)
    wanted = np.tile(4 * src, 4)
    return Case(2, [src, np.zeros(4 * n, np.float32), n], {1: wanted})


@kernel("predicated_cell")
def predicated_cell(rng, name):
    return Case(1, [np.array([77]), np.zeros(1, np.int64), 2], {1: np.array([77])})


@kernel("descriptor_copy")
def descriptor_copy(rng, name):
    src = operand(rng, np.float16, 112, 80)
    return Case(2, [src, np.zeros((112, 80), np.float16), 112, 80], {1: 2 * src})


@kernel("descriptor_arguments", "descriptor_arguments_i8")
def descriptor_arguments(rng, name):
    kind, out, n = (np.int8, np.int8, 16) if name.endswith("i8") else (np.float16, np.float32, 32)
    src = operand(rng, kind, 64, 256)
    wanted, target = np.zeros((96, 128), out), np.zeros((96, 128), out)
    height, width = (16, 128) if name.endswith("i8") else (64, 32)
    wanted[n : n + height, :width] = src[:height, n : n + width]
    if name.endswith("i8"):
        return Case(1, [TensorDescriptor(src), TensorDescriptor(target), n], {1: wanted})
    return Case(1, [src, target, n], {1: wanted})


@kernel("descriptor_ranks")
def descriptor_ranks(rng, name):
    n, m = 8, 32
    line = floats(rng, n)
    wanted = np.zeros((n, n, m), np.float32)
    wanted[:2, :4] = np.pad(line[n // 2 :], (0, 256 - n // 2)).reshape(2, 4, 32)
    return Case(1, [line, np.zeros((n, n, m), np.float32), n, m], {1: wanted})


@kernel("descriptor_gather_scatter")
def descriptor_gather_scatter(rng, name):
    src, picks = operand(rng, BF16, 4096, 128), rng.permutation(4096)[:32].astype(np.int32)
    wanted = np.zeros((4096, 128))
    wanted[picks] = src[picks].astype(float)
    return Case(1, [src, np.zeros((4096, 128), BF16), picks, 128], {1: wanted})


@kernel("descriptor_reductions", "descriptor_reductions_bitwise")
def descriptor_reductions(rng, name):
    if name.endswith("bitwise"):
        acc = rng.integers(-99, 99, (12, 32)).astype(np.int32)
        return Case(1, [acc, 12], {0: acc ^ acc})
    acc = operand(rng, np.float16, 12, 32)
    return Case(1, [acc, 12], {0: np.maximum(np.minimum(acc + acc, acc), acc)})


# --- Atomics ----------------------------------------------------------------------------------------------------------


@kernel("integer_atomics", "unsigned_atomics")
def integer_atomics(rng, name):
    kind, n = (np.int32, 100) if name == "integer_atomics" else (np.uint64, 100)
    value, memory = (rng.integers(0, 2**31 - 1, 128).astype(kind) for _ in range(2))
    source, target = value.copy(), memory.copy()
    inside = np.arange(128) < n
    old = np.zeros(128, kind)
    with np.errstate(all="ignore"):
        for step, masked in (
            (np.add, False), (np.maximum, True), (np.minimum, True), (np.bitwise_and, False), (np.bitwise_or, False),
            (np.bitwise_xor, False), (lambda _, v: v, True),
        ):  # fmt: skip
            where = inside | (not masked)
            old = old + np.where(where, memory, 0).astype(kind)
            memory = np.where(where, step(memory, value), memory)
        new = old + memory
        memory = np.where(memory == value, old, memory)
    # What a masked-off element gives is undefined: here it is zero.
    return Case(1, [source, target, n], {0: new, 1: memory})


@kernel("half_atomics", "bfloat_atomics")
def half_atomics(rng, name):
    kind = BF16 if name == "bfloat_atomics" else np.float16
    src, dst = operand(rng, kind, 128), operand(rng, kind, 128)
    return Case(1, [src, dst], {1: np.where(np.arange(128) < 5, src + dst, dst)})


@kernel("float_atomics")
def float_atomics(rng, name):
    src, dst = floats(rng, 128), floats(rng, 128)
    wanted = np.minimum(np.maximum(dst + src, src), src)
    wanted[0] = src[0]
    wanted[1] += src.astype(float).sum()
    return Case(1, [src, dst], {1: wanted}, F32)


@kernel("spin_lock")
def spin_lock(rng, name):
    return Case(9, [np.zeros(1, np.int32), np.zeros(1, np.int32)], {1: np.array([9])})


# --- Kernels that are written in ttg ----------------------------------------------------------------------------------


@kernel("asynchronous_copies", "copies_to_barrier")
def asynchronous_copies(rng, name):
    # Both copies fill the same buffer in any order, so all rows are inside.
    src = operand(rng, np.float16, 64, 64)
    return Case(1, [src, np.zeros((64, 64), np.float16), 64], {1: src})


@kernel("tensor_core_v2")
def tensor_core_v2(rng, name):
    src = operand(rng, np.float16, 64, 64)
    return Case(1, [src, np.zeros((64, 64), np.float32)], {1: src.astype(float) @ src.astype(float)}, SUM)


@kernel("warp_roles")
def warp_roles(rng, name):
    src = operand(rng, np.float16, 5 * 64, 64)
    total = np.zeros((64, 64), np.float16)
    for step in range(5):
        total = total + src[64 * step :][:64]
    return Case(2, [src, np.zeros((64, 64), np.float16), 5], {1: total})


@kernel("gathers_through_barriers")
def gathers_through_barriers(rng, name):
    src = operand(rng, BF16, 64, 128)
    return Case(1, [src, rng.permutation(64)[:32].astype(np.int32), 0], {0: src.astype(float)})
