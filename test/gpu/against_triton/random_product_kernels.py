"""The kernels of random_products.py, in either language: it sets `jit` and `tl`."""

# ruff: noqa: F821


@jit
def product(
    a_ptr, b_ptr, c_ptr, m, n, k, stride_am, stride_ak, stride_bk, stride_bn, stride_cm,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PRECISION: tl.constexpr, SUMS: tl.constexpr,
    CAST: tl.constexpr, IMPRECISE: tl.constexpr, BRANCH: tl.constexpr,
):  # fmt: skip
    """c = a @ b by tiles, under masks; b's elements become CAST first, if that is no None."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    a = a_ptr + rows[:, None] * stride_am + inner[None, :] * stride_ak
    b = b_ptr + inner[:, None] * stride_bk + columns[None, :] * stride_bn
    total = tl.zeros((BM, BN), dtype=SUMS)
    for first in range(0, k, BK):
        x = tl.load(a, mask=(rows[:, None] < m) & (inner[None, :] < k - first), other=0.0)
        y = tl.load(b, mask=(columns[None, :] < n) & (inner[:, None] < k - first), other=0.0)
        if CAST is not None:
            y = y.to(CAST)
        if BRANCH:
            if first % (2 * BK) == 0:
                total = tl.dot(x, y, total, input_precision=PRECISION, max_num_imprecise_acc=IMPRECISE, out_dtype=SUMS)
            else:
                total += tl.dot(x, y, input_precision=PRECISION, max_num_imprecise_acc=IMPRECISE, out_dtype=SUMS)
        else:
            total = tl.dot(x, y, total, input_precision=PRECISION, max_num_imprecise_acc=IMPRECISE, out_dtype=SUMS)
        a += BK * stride_ak
        b += BK * stride_bk
    inside = (rows[:, None] < m) & (columns[None, :] < n)
    tl.store(c_ptr + rows[:, None] * stride_cm + columns[None, :], total.to(c_ptr.dtype.element_ty), mask=inside)


@jit
def chained(
    a_ptr, b_ptr, d_ptr, c_ptr, tokens,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, D: tl.constexpr,
    PRECISION: tl.constexpr, CAST: tl.constexpr, SOFTMAX: tl.constexpr,
):  # fmt: skip
    """c = f(a @ b^T) @ d over `tokens` rows of b (BK columns) and d (D columns), BN at a time."""
    rows, columns = tl.program_id(0) * BM + tl.arange(0, BM), tl.arange(0, BN)
    inner, out = tl.arange(0, BK), tl.arange(0, D)
    x = tl.load(a_ptr + rows[:, None] * BK + inner[None, :])
    total = tl.zeros((BM, D), dtype=tl.float32)
    most = tl.full([BM], -float("inf"), dtype=tl.float32)
    for first in range(0, tokens, BN):
        y = tl.load(b_ptr + (first + columns)[None, :] * BK + inner[:, None])
        z = tl.load(d_ptr + (first + columns)[:, None] * D + out[None, :])
        p = tl.dot(x, y, input_precision=PRECISION)
        if SOFTMAX:
            larger = tl.maximum(most, tl.max(p, 1))
            p = tl.exp(p - larger[:, None])
            total = total * tl.exp(most - larger)[:, None]
            most = larger
        total = tl.dot(p.to(CAST), z, total, input_precision=PRECISION)
    tl.store(c_ptr + rows[:, None] * D + out[None, :], total)


@jit
def batched(
    a_ptr, b_ptr, c_ptr, G: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PRECISION: tl.constexpr
):
    """c[g] = a[g] @ b[g], as one product of rank 3."""
    group = tl.arange(0, G)[:, None, None]
    row, column = tl.arange(0, BM)[None, :, None], tl.arange(0, BN)[None, None, :]
    x = tl.load(a_ptr + (group * BM + row) * BK + tl.arange(0, BK)[None, None, :])
    y = tl.load(b_ptr + (group * BK + tl.arange(0, BK)[None, :, None]) * BN + column)
    total = tl.dot(x, y, input_precision=PRECISION)
    tl.store(c_ptr + (group * BM + row) * BN + column, total.to(c_ptr.dtype.element_ty))
