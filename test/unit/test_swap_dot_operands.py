"""Products of f32 whose operands lie row by row are right with swapped operands, after each pass."""

import numpy as np
import pytest

import ttkit
import ttkit.language as tl
from ttkit import pipelines

SWAP = "ttkit-swap-dot-operands"


pytestmark = pytest.mark.usefixtures("for_hopper")


@ttkit.jit
def by_pointers(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, KIND: tl.constexpr):
    rows, columns, inner = tl.arange(0, BM), tl.program_id(0) * BN + tl.arange(0, BN), tl.arange(0, BK)
    out, inside = c + rows[:, None] * n + columns[None, :], (rows[:, None] < m) & (columns[None, :] < n)
    total = tl.load(out, mask=inside, other=0.0) if KIND == "onto a load" else tl.zeros([BM, BN], tl.float32)
    for step in range(tl.cdiv(k, BK)):
        along = step * BK + inner
        x = tl.load(a + rows[:, None] * k + along[None, :], mask=(rows[:, None] < m) & (along[None, :] < k), other=0.0)
        y = tl.load(
            b + along[:, None] * n + columns[None, :], mask=(along[:, None] < k) & (columns[None, :] < n), other=0.0
        )
        if KIND == "in a branch":
            if step % 2 == 0:
                total = tl.dot(x, y, total)
        elif KIND == "twice":
            total = tl.dot(x, y, tl.dot(x, y, total))
        elif KIND == "read":
            total = tl.dot(x, y, total)
            if step == 1:
                tl.store(out, total, mask=inside)
        elif KIND == "scaled":
            total += 2.0 * tl.dot(x, y)
        else:
            total = tl.dot(x, y, total)
    if KIND != "read":
        tl.store(out, total, mask=inside)


@ttkit.jit
def by_descriptors(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    x = tl.make_tensor_descriptor(a, [m, k], [k, 1], [BM, BK])
    y = tl.make_tensor_descriptor(b, [k, n], [n, 1], [BK, BN])
    out = tl.make_tensor_descriptor(c, [m, n], [n, 1], [BM, BN])
    for tile in tl.range(tl.program_id(0), tl.cdiv(n, BN), tl.num_programs(0)):
        total = tl.zeros([BM, BN], tl.float32)
        for step in range(tl.cdiv(k, BK)):
            total = tl.dot(x.load([0, step * BK]), y.load([step * BK, tile * BN]), total)
        out.store([0, tile * BN], total)


@ttkit.jit
def of_columns(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows, columns, inner = tl.arange(0, BM), tl.program_id(0) * BN + tl.arange(0, BN), tl.arange(0, BK)
    total = tl.zeros([BM, BN], tl.float32)
    for start in range(0, k, BK):
        x = tl.load(a + (start + inner)[:, None] * m + rows[None, :])
        y = tl.load(b + columns[:, None] * k + (start + inner)[None, :])
        total = tl.dot(tl.trans(x), tl.trans(y), total)
    tl.store(c + rows[:, None] * n + columns[None, :], total)


def passes_of(kernel, columns, *constants, warps=4, size=64):
    """The names of the passes that changed a kernel; all of them are checked with numbers."""
    rng = np.random.default_rng(3)
    m, n, k = 64, 2 * size, 96
    a, b = (rng.integers(-3, 4, shape).astype(np.float32) for shape in ((m, k), (k, n)))
    c = np.ones((m, n), np.float32)
    with pipelines.checked() as checking:
        kernel.warmup(a, b, c, m, n, k, 64, size, 32, *constants, grid=(columns,), num_warps=warps, num_stages=3)
    (found,) = checking.launches
    assert found.skipped == []
    return found.passes


@pytest.mark.parametrize("kind", ["plain", "onto a load", "twice", "in a branch", "read"])
def test_accumulators_stay_transposed(kind):
    assert SWAP in passes_of(by_pointers, 2, kind)


def test_eight_warps():
    assert SWAP in passes_of(by_pointers, 2, "plain", warps=8, size=128)


def test_descriptors_of_persistent_programs():
    assert SWAP in passes_of(by_descriptors, 1)


def test_results_that_are_scaled():
    assert SWAP in passes_of(by_pointers, 2, "scaled")


def test_columns_of_a_are_right_unswapped():
    assert SWAP not in passes_of(of_columns, 2)
