"""Kernels with a mistake each: ten of bounds, of order, of definedness, and of what is said or computed of addresses.

The line that a sanitizer must name ends in `# !`.
"""

from __future__ import annotations

import inspect

import numpy as np

import ttkit
import ttkit.language as tl

PLANTED = []


def planted(kind, grid, make, **constants):
    """Notes a kernel: the kind of finding, the grid, and what makes its arguments."""

    def note(kernel):
        PLANTED.append((kind, kernel, grid, make, constants))
        return kernel

    return note


def line_of(kernel):
    """The line that ends in `# !`, of a kernel or of what it calls."""
    for function in (kernel, *kernel.__globals__.values()):
        if not hasattr(function, "fn") or function.fn.__name__ not in (
            kernel.fn.__name__,
            *kernel.fn.__code__.co_names,
        ):
            continue
        lines, first = inspect.getsourcelines(function.fn)
        for number, line in enumerate(lines, first):
            if line.rstrip().endswith("# !"):
                return number
    raise AssertionError(f"{kernel.fn.__name__} has no line that is marked")


def f32(*shape):
    return np.ones(shape, np.float32)


def counting(n, dtype=np.int32):
    return np.arange(n, dtype=dtype)


# --- out of bounds ----------------------------------------------------------------------------------------------------


@planted("out-of-bounds", (4,), lambda: (f32(1000), f32(1024)), B=256)
@ttkit.jit
def no_mask(x, out, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out + i, tl.load(x + i))  # !


@planted("out-of-bounds", (4,), lambda: (f32(1000), f32(1000), 1000), B=256)
@ttkit.jit
def one_too_many(x, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    value = tl.load(x + i, mask=i <= n, other=0.0)  # !
    tl.store(out + i, value, mask=i < n)


@planted("out-of-bounds", (3,), lambda: (f32(3, 64)[:, :60], f32(3, 60), 64, 60), B=64)
@ttkit.jit
def into_the_next_row(x, out, stride, n, B: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, B)
    value = tl.load(x + row * stride + i)  # !
    tl.store(out + row * n + i, value, mask=i < n)


@planted("out-of-bounds", (1,), lambda: (f32(128), f32(128)), B=128)
@ttkit.jit
def one_before(x, out, B: tl.constexpr):
    i = tl.arange(0, B)
    left = tl.load(x + i - 1)  # !
    tl.store(out + i, left)


@planted("out-of-bounds", (2, 2), lambda: (f32(30, 50), f32(30, 50), 30, 50), B=32)
@ttkit.jit
def only_one_dimension(x, out, m, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    j = tl.program_id(1) * B + tl.arange(0, B)
    inside = (i[:, None] < m) & (j[None, :] < n)
    value = tl.load(x + i[:, None] * n + j[None, :], mask=inside, other=0.0)
    tl.store(out + i[:, None] * n + j[None, :], value, mask=j[None, :] < n)  # !


@planted("out-of-bounds", (1,), lambda: (f32(64), np.full(64, 70, np.int64), f32(64)), B=64)
@ttkit.jit
def index_from_memory(x, index, out, B: tl.constexpr):
    i = tl.arange(0, B)
    where = tl.load(index + i)
    tl.store(out + i, tl.load(x + where))  # !


@planted("out-of-bounds", (1,), lambda: (f32(60, 64), f32(64, 64)), B=64)
@ttkit.jit
def unchecked_block(x, out, B: tl.constexpr):
    block = tl.make_block_ptr(x, (60, B), (B, 1), (0, 0), (B, B), (1, 0))
    value = tl.load(block)  # !
    i = tl.arange(0, B)
    tl.store(out + i[:, None] * B + i[None, :], value)


@planted("out-of-bounds", (4,), lambda: (f32(100), np.zeros(3, np.int32)), B=32)
@ttkit.jit
def too_few_counters(x, counters, B: tl.constexpr):
    tl.atomic_add(counters + tl.program_id(0), 1)  # !


@planted("out-of-bounds", (1,), lambda: (f32(10, 64), f32(64), 64), ROWS=11, B=64)
@ttkit.jit
def loop_too_long(x, out, stride, ROWS: tl.constexpr, B: tl.constexpr):
    i = tl.arange(0, B)
    total = tl.zeros([B], tl.float32)
    for row in range(ROWS):
        total += tl.load(x + row * stride + i)  # !
    tl.store(out + i, total)


@ttkit.jit
def load_row(x, row, n, B: tl.constexpr):
    i = tl.arange(0, B)
    return tl.load(x + row * n + i, mask=i < B, other=0.0)  # !


@planted("out-of-bounds", (5,), lambda: (f32(5, 50), f32(5), 50), B=64)
@ttkit.jit
def in_a_function(x, out, n, B: tl.constexpr):
    row = tl.program_id(0)
    tl.store(out + row, tl.sum(load_row(x, row, n, B), 0))


# --- races ------------------------------------------------------------------------------------------------------------


@planted("race", (4,), lambda: (np.zeros(1, np.int32),))
@ttkit.jit
def all_write_one(out):
    tl.store(out, tl.program_id(0))  # !


@planted("race", (8,), lambda: (f32(1024), np.zeros(1, np.float32)), B=128)
@ttkit.jit
def sum_without_atomics(x, total, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    part = tl.sum(tl.load(x + i), 0)
    tl.store(total, tl.load(total) + part)  # !


@planted("race", (4,), lambda: (counting(128),), B=32)
@ttkit.jit
def shifts_in_place(x, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    value = tl.load(x + i + 1, mask=i + 1 < 128, other=0)
    tl.store(x + i, value, mask=i + 1 < 128)  # !


@planted("race", (4,), lambda: (counting(100), np.zeros(100, np.int32)), B=32, STEP=24)
@ttkit.jit
def overlapping_blocks(x, out, B: tl.constexpr, STEP: tl.constexpr):
    start = tl.program_id(0) * STEP
    i = start + tl.arange(0, B)
    tl.store(out + i, tl.load(x + i, mask=i < 100, other=0) - start, mask=i < 100)  # !


@planted("race", (2, 2), lambda: (counting(64), np.zeros(64, np.int32)), B=32)
@ttkit.jit
def forgets_an_axis(x, out, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out + i, tl.load(x + i) * (tl.program_id(1) + 1))  # !


@planted("race", (4,), lambda: (np.zeros(1, np.int32), np.zeros(4, np.int32)))
@ttkit.jit
def reads_a_counter(counter, out):
    tl.atomic_add(counter, 1, sem="relaxed")
    tl.store(out + tl.program_id(0), tl.load(counter))  # !


@planted("race", (6,), lambda: (counting(96), np.zeros(16, np.int32)), B=16)
@ttkit.jit
def histogram_by_stores(x, bins, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    bin = tl.load(x + i) % 16
    tl.store(bins + bin, tl.load(bins + bin) + 1 + tl.program_id(0))  # !


@planted("race", (1,), lambda: (np.zeros(8, np.int32),), B=64)
@ttkit.jit
def elements_collide(out, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(out + i % 8, i)  # !


@planted("race", (4,), lambda: (np.zeros(4, np.int32), np.zeros(1, np.int32), np.zeros(1, np.int32)))
@ttkit.jit
def last_without_release(parts, counter, out):
    pid = tl.program_id(0)
    tl.store(parts + pid, pid + 1)
    if tl.atomic_add(counter, 1, sem="relaxed") == 3:
        i = tl.arange(0, 4)
        tl.store(out, tl.sum(tl.load(parts + i), 0))  # !


@planted("race", (4,), lambda: (np.zeros(2, np.int32), np.zeros(1, np.int32)))
@ttkit.jit
def lock_of_another(lock, total):
    pid = tl.program_id(0)
    while tl.atomic_cas(lock + pid % 2, 0, 1) == 1:
        pass
    tl.store(total, tl.load(total) + pid + 1)  # !
    tl.atomic_xchg(lock + pid % 2, 0)


# --- undefined values -------------------------------------------------------------------------------------------------


@planted("uninitialized", (1,), lambda: (f32(50), f32(1), 50), B=64)
@ttkit.jit
def sum_of_masked(x, out, n, B: tl.constexpr):
    i = tl.arange(0, B)
    value = tl.load(x + i, mask=i < n)  # !
    tl.store(out, tl.sum(value, 0))


@planted("uninitialized", (2,), lambda: (np.empty(128, np.float32), f32(128)), B=64)
@ttkit.jit
def reads_empty(x, out, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out + i, tl.load(x + i) + 1)  # !


@planted("uninitialized", (2,), lambda: (f32(128), np.empty(128, np.float32)), B=64)
@ttkit.jit
def adds_to_empty(x, out, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    before = tl.load(out + i)  # !
    tl.store(out + i, before + tl.load(x + i))


@planted("uninitialized", (4,), lambda: (np.empty(4, np.int32),))
@ttkit.jit
def counts_in_empty(counters):
    tl.atomic_add(counters + tl.program_id(0), 1)  # !


@planted("uninitialized", (1,), lambda: (f32(64, 40), f32(40, 64), f32(64, 64)), K=40, BK=64, B=64)
@ttkit.jit
def product_of_masked(a, b, out, K: tl.constexpr, BK: tl.constexpr, B: tl.constexpr):
    i, k = tl.arange(0, B), tl.arange(0, BK)
    left = tl.load(a + i[:, None] * K + k[None, :], mask=k[None, :] < K)  # !
    right = tl.load(b + k[:, None] * B + i[None, :], mask=k[:, None] < K, other=0.0)
    tl.store(out + i[:, None] * B + i[None, :], tl.dot(left, right))


@planted("uninitialized", (1,), lambda: (f32(50), f32(64), 50), B=64)
@ttkit.jit
def stored_unmasked(x, out, n, B: tl.constexpr):
    i = tl.arange(0, B)
    value = tl.load(x + i, mask=i < n) * 2  # !
    tl.store(out + i, value)


@planted("uninitialized", (1,), lambda: (f32(30), np.zeros(1, np.int32), 30), B=32)
@ttkit.jit
def branches_on_masked(x, out, n, B: tl.constexpr):
    i = tl.arange(0, B)
    largest = tl.max(tl.load(x + i, mask=i < n), 0)  # !
    if largest > 0:
        tl.store(out, 1)


@planted("uninitialized", (1,), lambda: (counting(20, np.int64), f32(64), f32(32), 20), B=32)
@ttkit.jit
def address_of_masked(index, x, out, n, B: tl.constexpr):
    i = tl.arange(0, B)
    where = tl.load(index + i, mask=i < n)  # !
    tl.store(out + i, tl.load(x + where))


@planted("uninitialized", (1,), lambda: (f32(100), f32(128), 100), B=32)
@ttkit.jit
def carried_by_a_loop(x, out, n, B: tl.constexpr):
    i = tl.arange(0, B)
    total = tl.zeros([B], tl.float32)
    for start in range(0, n, B):
        total += tl.load(x + start + i, mask=start + i < n)  # !
    tl.store(out + i, total)


@planted("uninitialized", (1,), lambda: (np.empty((4, 32), np.float16), f32(32)), B=32)
@ttkit.jit
def first_row_alone(scratch, out, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(scratch + i, i.to(tl.float16))
    tl.debug_barrier()
    value = tl.load(scratch + i)
    value += tl.load(scratch + B + i)  # !
    tl.store(out + i, value)


# --- addresses: alignment, hints, wrapping ----------------------------------------------------------------------------


@planted("misaligned", (1,), lambda: (np.zeros(256, np.uint8), f32(16)), B=16)
@ttkit.jit
def bytes_as_floats(x, out, B: tl.constexpr):
    i = tl.arange(0, B)
    floats = (x + 2 + i * 4).to(tl.pointer_type(tl.float32), bitcast=True)
    tl.store(out + i, tl.load(floats))  # !


@planted("misaligned", (4,), lambda: (np.zeros(64, np.int16),))
@ttkit.jit
def halves_as_words(x):
    pid = tl.program_id(0)
    tl.store((x + pid).to(tl.pointer_type(tl.int32), bitcast=True), 0)  # !


@planted("hint", (3,), lambda: (f32(3 * 50), f32(3 * 50)), B=50, W=64)
@ttkit.jit
def not_a_multiple(x, out, B: tl.constexpr, W: tl.constexpr):
    start = tl.multiple_of(tl.program_id(0) * B, 16)  # !
    i = tl.arange(0, W)
    tl.store(out + start + i, tl.load(x + start + i, mask=i < B, other=0.0), mask=i < B)


@planted("hint", (1,), lambda: (f32(128), f32(64)), B=64)
@ttkit.jit
def not_contiguous(x, out, B: tl.constexpr):
    i = tl.arange(0, B)
    every_other = tl.max_contiguous(i * 2, 4)  # !
    tl.store(out + i, tl.load(x + every_other))


@planted("hint", (1,), lambda: (f32(64), f32(64)), B=64)
@ttkit.jit
def not_constant(x, out, B: tl.constexpr):
    i = tl.arange(0, B)
    group = tl.max_constancy(i // 3, 4)  # !
    tl.store(out + i, tl.load(x + group))


@planted("hint", (1,), lambda: (f32(64), 33), B=64)
@ttkit.jit
def false_assumption(x, n, B: tl.constexpr):
    tl.assume(n % 2 == 0)  # !
    i = tl.arange(0, B)
    tl.store(x + i, 0.0, mask=i < n)


@planted("hint", (2,), lambda: (f32(100), f32(128), 100), B=64)
@ttkit.jit
def wrapped_around(x, out, n, B: tl.constexpr):
    i = (tl.program_id(0) * B + tl.arange(0, B)) % n
    i = tl.max_contiguous(tl.multiple_of(i, B), B)  # !
    tl.store(out + tl.program_id(0) * B + tl.arange(0, B), tl.load(x + i))


@planted("overflow", (3,), lambda: (np.zeros(16, np.int8), 1 << 30), B=16)
@ttkit.jit
def large_stride(x, stride, B: tl.constexpr):
    row = tl.program_id(0) * stride  # !
    tl.store(x + row + tl.arange(0, B), 0, mask=tl.program_id(0) != 1)


@planted("overflow", (1,), lambda: (np.zeros(16, np.int8), 2147483640), B=16)
@ttkit.jit
def sum_wraps(x, start, B: tl.constexpr):
    i = start + tl.arange(0, B)  # !
    tl.store(x + i, 1, mask=i < 0)


@planted("overflow", (1,), lambda: (np.zeros(64, np.int8), 70000, 40000), B=16)
@ttkit.jit
def product_wraps(x, rows, columns, B: tl.constexpr):
    last = rows * columns  # !
    for step in range(2):
        tl.store(x + last + step * B + tl.arange(0, B), step)
