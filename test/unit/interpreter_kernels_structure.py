"""What the kernels of test/data/kernels compute, in numpy: those about shapes, control flow, memory and layouts."""

import ml_dtypes
import numpy as np
from interpreter_kernels import F32, SUM, Case, floats, kernel

# --- shapes -----------------------------------------------------------------------------------------------------------


@kernel("join_and_split")
def join_and_split(rng, name):
    a, b = floats(rng, 128), floats(rng, 128)
    wanted = np.concatenate([a, b])  # tl.cat is free to reorder; ours does not.
    wanted[0] = a[0] - b[0]
    return Case(1, [a, b, np.zeros(256, np.float32)], {2: wanted})


@kernel("permutations")
def permutations(rng, name):
    src = floats(rng, 4, 8, 16, dtype=np.float16)
    x = src.transpose(2, 0, 1).transpose(1, 2, 0)
    return Case(1, [src, np.zeros(512, np.float16)], {1: x.reshape(16, 32).T.reshape(-1)})


@kernel("views")
def views(rng, name):
    src = rng.integers(-99, 99, 64).astype(np.int32)
    wanted = np.tile(4 * (src + src[0]), 4)
    wanted[0] = src[0]
    return Case(1, [src, np.zeros(256, np.int32)], {1: wanted})


@kernel("gathers")
def gathers(rng, name):
    src, picks = floats(rng, 16, 32), rng.integers(0, 16, (16, 32)).astype(np.int32)
    wanted = np.take_along_axis(src, picks, 0) + np.take_along_axis(src, picks, 1)
    return Case(1, [src, picks, np.zeros_like(src)], {2: wanted})


@kernel("counts")
def counts(rng, name):
    src = rng.integers(0, 16, 512).astype(np.int32)
    wanted = np.bincount(src, minlength=16) + np.bincount(src[src > 3], minlength=16)
    return Case(1, [src, np.zeros(16, np.int32)], {1: wanted})


@kernel("orders")
def orders(rng, name):
    src = rng.integers(-99, 99, (4, 8)).astype(np.int32)
    return Case(1, [src, np.zeros_like(src)], {1: np.sort(src, 1)[::-1]})


@kernel("best_few")
def best_few(rng, name):
    src = floats(rng, 16)
    return Case(1, [src, np.zeros(4, np.float32)], {1: np.sort(src)[::-1][:4]})


@kernel("grouped_order")
def grouped_order(rng, name):
    rows, columns, group = 10, 6, 4
    wanted = np.zeros((rows, columns), np.int32)
    for number in range(rows * columns):
        first = number // (group * columns) * group
        size, rest = min(rows - first, group), number % (group * columns)
        wanted[first + rest % size, rest // size] = number
    return Case(rows * columns, [np.zeros_like(wanted), rows, columns], {0: wanted})


# --- control flow -----------------------------------------------------------------------------------------------------


@kernel("nested")
def nested(rng, name):
    n, m = 7, 9
    src = floats(rng, n * m + 1) + np.float32(0.5)
    total, steps = np.float32(0), 0
    for i in range(n):
        for j in range(m, 0, -2):
            value = src[i * m + j]
            if value > 1:
                total, steps = total + value, steps + 1
            else:
                total = total - value
    while total > 10:
        total = total * np.float32(0.5)
        steps -= steps > 3
    return Case(1, [src, np.zeros(1, np.float32), n, m, True], {1: np.array([total + np.float32(steps)])})


@kernel("early_return_debug")
def early_return_debug(rng, name):
    src = rng.integers(1, 3, 4 * 32).astype(np.int8)
    src[32:64] = 0
    wanted = src.copy()
    wanted[32] = 7
    wanted[96:] = 0
    return Case(4, [src, np.zeros(4 * 32, np.int8), 90], {1: wanted})


@kernel("early_return")
def early_return(rng, name):
    src = rng.integers(1, 99, 512).astype(np.int32)
    src[128:256] = 0
    wanted = src.copy()
    wanted[128] = 7
    wanted[384:] = 0
    return Case(4, [src, np.zeros(512, np.int32), 304], {1: wanted})


@kernel("calls")
def calls(rng, name):
    src = floats(rng, 128)
    slope = (src[1] - src[0]) * np.float32(0.5)
    offset = src[0] - slope
    far = np.sqrt(slope * slope + offset * offset)
    x = src * slope + offset
    return Case(1, [src, np.zeros(128, np.float32), 8], {1: x * x + 1 + far})


@kernel("branch_on_tile")
def branch_on_tile(rng, name):
    src = rng.integers(-99, 99, 128).astype(np.int32)
    return Case(1, [src, np.zeros(128, np.int32), 5], {1: src + 1 + 10 + src})


@kernel("loop_with_exit_value")
def loop_with_exit_value(rng, name):
    src = np.arange(20).astype(np.float32)
    src[12] = 150
    return Case(1, [src, np.zeros(2, np.float32), 15], {1: np.array([150.0, 11.0])})


@kernel("loop_hints")
def loop_hints(rng, name):
    n = 5
    src, dst = floats(rng, n, 128), floats(rng, 128)
    x, flat = src.astype(float), src.astype(float).reshape(-1)
    wanted = x.sum(0) * x.prod(0)
    wanted -= sum(flat[i] * dst[0].astype(float) for i in range(n))
    wanted += sum(flat[i * j] for i in range(n) for j in range(i)) + 3
    return Case(1, [src, dst, n], {1: wanted}, SUM)


@kernel("diagnostics")
def diagnostics(rng, name):
    src = rng.integers(0, 99, 128).astype(np.int32)
    return Case(1, [src, 3], {0: src})


# --- memory and layouts -----------------------------------------------------------------------------------------------


@kernel("pointer_hints")
def pointer_hints(rng, name):
    src, dst = floats(rng, 300), np.zeros(300, np.float32)
    wanted = np.where(np.arange(300) < 64, src, 0)
    return Case(3, [src, dst, 64], {1: wanted}, options={"seed": 5})


@kernel("barrier_between")
def barrier_between(rng, name):
    return Case(1, [np.zeros(128, np.int32)], {0: np.arange(127, -1, -1)})


@kernel("layout_conversions")
def layout_conversions(rng, name):
    src = floats(rng, 64, 32)
    wanted = (np.exp(src.astype(float)) * 2).reshape(-1)
    # Rows 0 to 63 each once, in 16 bins.
    wanted[:16] = 1
    return Case(1, [src, np.zeros(64 * 32, np.float32)], {1: wanted}, F32)


@kernel("shared_views")
def shared_views(rng, name):
    """Three stores, the later ones over the first: the whole, then all again as a line, then sums of its words."""
    n = 64
    src = operand_bits(rng, n * n).reshape(n, n)
    wanted = src.reshape(-1).copy()
    words = src.view(np.int32).sum(1, dtype=np.int32)
    with np.errstate(over="ignore"):
        wanted[:n] = words.astype(np.float16)
    return Case(1, [src, np.zeros(n * n, np.float16)], {1: wanted})


def operand_bits(rng, count):
    """f16 numbers whose pairs are small integers, as i32: a zero above."""
    return rng.integers(0, 8, count // 2).astype(np.int32).view(np.float16)


@kernel("inferred_layouts")
def inferred_layouts(rng, name):
    src = floats(rng, 256)
    return Case(1, [src, np.zeros(256, np.float32)], {1: src})


@kernel("fp4_unpacking")
def fp4_unpacking(rng, name):
    src = rng.integers(0, 256, (64, 32)).astype(np.uint8)
    wanted = np.zeros((64, 64))
    for i, j in np.ndindex(64, 64):
        code = int(src[i, j // 2]) >> 4 * (j % 2) & 15
        exponent, mantissa = code >> 1 & 3, code & 1
        magnitude = 2.0 ** (exponent - 1) * (1 + mantissa / 2) if exponent else mantissa / 2
        wanted[i, j] = -magnitude if code & 8 else magnitude
    return Case(1, [src, np.zeros((64, 64), ml_dtypes.bfloat16)], {1: wanted})
