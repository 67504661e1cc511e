"""Kernels without matrix products, in either language (it sets `jit` and `tl`): what bench/cubins.py compares.

Small kernels, broadcast products with sums on either axis, recurrences that carry a tile, scans, gathers.
"""

# ruff: noqa: F821


@jit
def add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < n
    tl.store(out_ptr + index, tl.load(x_ptr + index, mask=inside) + tl.load(y_ptr + index, mask=inside), mask=inside)


@jit
def scale(x_ptr, out_ptr, n, factor, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < n
    tl.store(out_ptr + index, tl.load(x_ptr + index, mask=inside) * factor, mask=inside)


@jit
def gelu(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < n
    x = tl.load(x_ptr + index, mask=inside)
    tl.store(out_ptr + index, 0.5 * x * (1 + tl.erf(x * 0.7071067811865476)), mask=inside)


@jit
def small_softmax(out_ptr, x_ptr, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    index = tl.arange(0, BLOCK)
    inside = index < columns
    x = tl.load(x_ptr + row * stride + index, mask=inside, other=-float("inf"))
    powers = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * stride + index, powers / tl.sum(powers, axis=0), mask=inside)


@jit
def vector_matrix(a_ptr, b_ptr, out_ptr, rows, columns, inner, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """out[m, n] = sum over k of a[m, k] * b[m, n, k]."""
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros([BM, BN], dtype=a_ptr.dtype.element_ty)
    for step in range(inner // BK):
        k = step * BK + tl.arange(0, BK)
        a = tl.load(a_ptr + m[:, None] * inner + k[None, :])
        b = tl.load(b_ptr + m[None, :, None] * columns * inner + n[:, None, None] * inner + k[None, None, :])
        wide, _ = tl.broadcast(a, b)
        total += tl.trans(tl.sum(wide * b, axis=2))
    tl.store(out_ptr + m[:, None] * columns + n[None, :], total)


@jit
def matrix_vector(a_ptr, x_ptr, out_ptr, rows, columns, BM: tl.constexpr, BN: tl.constexpr):
    """out = a @ x."""
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    total = tl.zeros([BM, BN], dtype=tl.float32)
    for first in range(0, columns, BN):
        n = first + tl.arange(0, BN)
        a = tl.load(
            a_ptr + m[:, None] * columns + n[None, :], mask=(m[:, None] < rows) & (n[None, :] < columns), other=0.0
        )
        x = tl.load(x_ptr + n, mask=n < columns, other=0.0)
        total += a * x[None, :]
    tl.store(out_ptr + m, tl.sum(total, 1), mask=m < rows)


@jit
def vector_times_matrix(a_ptr, x_ptr, out_ptr, rows, columns, BM: tl.constexpr, BN: tl.constexpr):
    """out = x @ a."""
    n = tl.program_id(0) * BN + tl.arange(0, BN)
    total = tl.zeros([BN], dtype=tl.float32)
    for first in range(0, rows, BM):
        m = first + tl.arange(0, BM)
        a = tl.load(a_ptr + m[:, None] * columns + n[None, :])
        x = tl.load(x_ptr + m)
        total += tl.sum(a * x[:, None], 0)
    tl.store(out_ptr + n, total)


@jit
def broadcast_product(a_ptr, b_ptr, out_ptr, n, inner, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """c = a @ b, as products of vectors."""
    rows, columns = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros([BM, BN], dtype=tl.float32)
    for first in range(0, inner, BK):
        k = first + tl.arange(0, BK)
        a = tl.load(a_ptr + rows[:, None] * inner + k[None, :])
        b = tl.load(b_ptr + k[:, None] * n + columns[None, :])
        total += tl.sum(a[:, :, None] * b[None, :, :], 1)
    tl.store(out_ptr + rows[:, None] * n + columns[None, :], total)


@jit
def recurrence(
    q_ptr,
    k_ptr,
    v_ptr,
    out_ptr,
    final_ptr,
    tokens,
    scale,
    D: tl.constexpr,
    DV: tl.constexpr,
    BK: tl.constexpr,
    BV: tl.constexpr,
):
    """Linear attention, token by token: the state is a tile."""
    i_v, i_k, head = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    q = q_ptr + head * tokens * D + i_k * BK + tl.arange(0, BK)
    k = k_ptr + head * tokens * D + i_k * BK + tl.arange(0, BK)
    v = v_ptr + head * tokens * DV + i_v * BV + tl.arange(0, BV)
    out = out_ptr + (head + i_k * tl.num_programs(2)) * tokens * DV + i_v * BV + tl.arange(0, BV)
    mask_k = (i_k * BK + tl.arange(0, BK)) < D
    mask_v = (i_v * BV + tl.arange(0, BV)) < DV
    state = tl.zeros([BV, BK], dtype=tl.float32)
    for _ in range(tokens):
        b_k = tl.load(k, mask=mask_k, other=0).to(tl.float32)
        b_v = tl.load(v, mask=mask_v, other=0).to(tl.float32)
        b_q = tl.load(q, mask=mask_k, other=0).to(tl.float32) * scale
        state += b_k[None, :] * b_v[:, None]
        o = tl.sum(state * b_q[None, :], axis=1)
        tl.store(out, o.to(out.dtype.element_ty), mask=mask_v)
        q += D
        k += D
        v += DV
        out += DV
    place = head * D * DV + (i_k * BK + tl.arange(0, BK))[None, :] * DV + (i_v * BV + tl.arange(0, BV))[:, None]
    tl.store(final_ptr + place, state, mask=mask_k[None, :] & mask_v[:, None])


@jit
def recurrence_first_axis(
    q_ptr,
    k_ptr,
    v_ptr,
    g_ptr,
    out_ptr,
    tokens,
    scale,
    D: tl.constexpr,
    DV: tl.constexpr,
    BK: tl.constexpr,
    BV: tl.constexpr,
):
    """Gated delta rule: the state is summed along its first axis."""
    i_v, head = tl.program_id(0), tl.program_id(1)
    o_k, o_v = tl.arange(0, BK), i_v * BV + tl.arange(0, BV)
    q, k = q_ptr + head * tokens * D + o_k, k_ptr + head * tokens * D + o_k
    v, out = v_ptr + head * tokens * DV + o_v, out_ptr + head * tokens * DV + o_v
    g = g_ptr + head * tokens
    mask_k, mask_v = o_k < D, o_v < DV
    state = tl.zeros([BK, BV], dtype=tl.float32)
    for _ in range(tokens):
        b_q = tl.load(q, mask=mask_k, other=0).to(tl.float32) * scale
        b_k = tl.load(k, mask=mask_k, other=0).to(tl.float32)
        b_v = tl.load(v, mask=mask_v, other=0).to(tl.float32)
        state *= tl.exp(tl.load(g).to(tl.float32))
        b_v -= tl.sum(state * b_k[:, None], 0)
        state += b_k[:, None] * b_v[None, :]
        tl.store(out, tl.sum(state * b_q[:, None], 0).to(out.dtype.element_ty), mask=mask_v)
        q += D
        k += D
        v += DV
        out += DV
        g += 1


@jit
def recurrence_backward(
    q_ptr,
    k_ptr,
    v_ptr,
    do_ptr,
    dq_ptr,
    dk_ptr,
    dv_ptr,
    tokens,
    scale,
    D: tl.constexpr,
    DV: tl.constexpr,
    BK: tl.constexpr,
    BV: tl.constexpr,
):
    i_v, i_k, head = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    o_k, o_v = i_k * BK + tl.arange(0, BK), i_v * BV + tl.arange(0, BV)
    mask_k, mask_v = o_k < D, o_v < DV
    p_k, p_v = k_ptr + head * tokens * D + o_k, v_ptr + head * tokens * DV + o_v
    p_do, p_dq = do_ptr + head * tokens * DV + o_v, dq_ptr + (head + i_v * tl.num_programs(2)) * tokens * D + o_k
    state = tl.zeros([BK, BV], dtype=tl.float32)
    for _ in range(tokens):
        b_k = tl.load(p_k, mask=mask_k, other=0).to(tl.float32)
        b_v = tl.load(p_v, mask=mask_v, other=0).to(tl.float32)
        b_do = tl.load(p_do, mask=mask_v, other=0).to(tl.float32)
        state += b_k[:, None] * b_v[None, :]
        b_dq = tl.sum(state * b_do[None, :], axis=1) * scale
        tl.store(p_dq, b_dq.to(p_dq.dtype.element_ty), mask=mask_k)
        p_k += D
        p_do += DV
        p_v += DV
        p_dq += D
    tl.debug_barrier()
    p_q = q_ptr + head * tokens * D + o_k + (tokens - 1) * D
    p_k = k_ptr + head * tokens * D + o_k + (tokens - 1) * D
    p_do = do_ptr + head * tokens * DV + o_v + (tokens - 1) * DV
    p_v = v_ptr + head * tokens * DV + o_v + (tokens - 1) * DV
    p_dk = dk_ptr + (head + i_v * tl.num_programs(2)) * tokens * D + o_k + (tokens - 1) * D
    p_dv = dv_ptr + (head + i_k * tl.num_programs(2)) * tokens * DV + o_v + (tokens - 1) * DV
    d_state = tl.zeros([BK, BV], dtype=tl.float32)
    for _ in range(tokens):
        b_do = tl.load(p_do, mask=mask_v, other=0).to(tl.float32)
        b_q = tl.load(p_q, mask=mask_k, other=0).to(tl.float32) * scale
        b_k = tl.load(p_k, mask=mask_k, other=0).to(tl.float32)
        b_v = tl.load(p_v, mask=mask_v, other=0).to(tl.float32)
        d_state += b_q[:, None] * b_do[None, :]
        d_k = tl.sum(d_state * b_v[None, :], axis=1)
        d_v = tl.sum(d_state * b_k[:, None], axis=0)
        tl.store(p_dk, d_k.to(p_dk.dtype.element_ty), mask=mask_k)
        tl.store(p_dv, d_v.to(p_dv.dtype.element_ty), mask=mask_v)
        p_do -= DV
        p_q -= D
        p_k -= D
        p_v -= DV
        p_dk -= D
        p_dv -= DV


@jit
def diagonal_recurrence(x_ptr, a_ptr, out_ptr, tokens, D, BD: tl.constexpr):
    """h = a * h + x, a column a program."""
    batch, o_d = tl.program_id(1), tl.program_id(0) * BD + tl.arange(0, BD)
    mask = o_d < D
    p_x, p_a, p_o = (
        x_ptr + batch * tokens * D + o_d,
        a_ptr + batch * tokens * D + o_d,
        out_ptr + batch * tokens * D + o_d,
    )
    h = tl.zeros([BD], dtype=tl.float32)
    for _ in range(tokens):
        x = tl.load(p_x, mask=mask, other=0).to(tl.float32)
        a = tl.load(p_a, mask=mask, other=0).to(tl.float32)
        h = tl.exp(a) * h + x
        tl.store(p_o, h.to(p_o.dtype.element_ty), mask=mask)
        p_x += D
        p_a += D
        p_o += D


@jit
def selective_scan(x_ptr, dt_ptr, A_ptr, B_ptr, C_ptr, out_ptr, tokens, D, N: tl.constexpr, BD: tl.constexpr):
    """Mamba's recurrence: a tile [channels, states]."""
    batch, o_d, o_n = tl.program_id(1), tl.program_id(0) * BD + tl.arange(0, BD), tl.arange(0, N)
    A = tl.load(A_ptr + o_d[:, None] * N + o_n[None, :])
    h = tl.zeros([BD, N], dtype=tl.float32)
    for t in range(tokens):
        row = (batch * tokens + t) * D + o_d
        x, dt = tl.load(x_ptr + row), tl.load(dt_ptr + row)
        B, C = tl.load(B_ptr + (batch * tokens + t) * N + o_n), tl.load(C_ptr + (batch * tokens + t) * N + o_n)
        h = h * tl.exp(dt[:, None] * A) + (dt * x)[:, None] * B[None, :]
        tl.store(out_ptr + row, tl.sum(h * C[None, :], 1))


@jit
def gather_rows(table_ptr, index_ptr, out_ptr, D, BD: tl.constexpr):
    row = tl.load(index_ptr + tl.program_id(0)).to(tl.int64)
    o_d = tl.arange(0, BD)
    tl.store(out_ptr + tl.program_id(0) * D + o_d, tl.load(table_ptr + row * D + o_d, mask=o_d < D), mask=o_d < D)


@jit
def gather_tile(table_ptr, index_ptr, out_ptr, n, D, BN: tl.constexpr, BD: tl.constexpr):
    i, o_d = tl.program_id(0) * BN + tl.arange(0, BN), tl.arange(0, BD)
    rows = tl.load(index_ptr + i, mask=i < n, other=0)
    inside = (i[:, None] < n) & (o_d[None, :] < D)
    x = tl.load(table_ptr + rows[:, None] * D + o_d[None, :], mask=inside)
    tl.store(out_ptr + i[:, None] * D + o_d[None, :], x, mask=inside)


@jit
def row_cumsum(x_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + tl.program_id(0) * columns + o, mask=o < columns, other=0.0)
    tl.store(out_ptr + tl.program_id(0) * columns + o, tl.cumsum(x, 0), mask=o < columns)


@jit
def chunk_cumsum(x_ptr, out_ptr, tokens, D, BT: tl.constexpr, BD: tl.constexpr):
    o_t, o_d = tl.program_id(1) * BT + tl.arange(0, BT), tl.program_id(0) * BD + tl.arange(0, BD)
    place = o_t[:, None] * D + o_d[None, :]
    inside = (o_t[:, None] < tokens) & (o_d[None, :] < D)
    x = tl.load(x_ptr + place, mask=inside, other=0.0).to(tl.float32)
    tl.store(out_ptr + place, tl.cumsum(x, 0), mask=inside)


@jit
def sum_3d(x_ptr, out_ptr, B: tl.constexpr, M: tl.constexpr, N: tl.constexpr, AXIS: tl.constexpr):
    b, m, n = tl.arange(0, B), tl.arange(0, M), tl.arange(0, N)
    x = tl.load(
        x_ptr + tl.program_id(0) * B * M * N + b[:, None, None] * M * N + m[None, :, None] * N + n[None, None, :]
    )
    s = tl.sum(x, AXIS)
    if AXIS == 0:
        tl.store(out_ptr + tl.program_id(0) * M * N + m[:, None] * N + n[None, :], s)
    elif AXIS == 1:
        tl.store(out_ptr + tl.program_id(0) * B * N + b[:, None] * N + n[None, :], s)
    else:
        tl.store(out_ptr + tl.program_id(0) * B * M + b[:, None] * M + m[None, :], s)


@jit
def column_sum(x_ptr, out_ptr, rows, columns, BM: tl.constexpr, BN: tl.constexpr):
    n = tl.program_id(0) * BN + tl.arange(0, BN)
    total = tl.zeros([BM, BN], dtype=tl.float32)
    for first in range(0, rows, BM):
        m = first + tl.arange(0, BM)
        total += tl.load(
            x_ptr + m[:, None] * columns + n[None, :], mask=(m[:, None] < rows) & (n[None, :] < columns), other=0.0
        )
    tl.store(out_ptr + n, tl.sum(total, 0), mask=n < columns)


@jit
def rms_norm(x_ptr, w_ptr, out_ptr, columns, eps, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + tl.program_id(0) * columns + o, mask=o < columns, other=0.0).to(tl.float32)
    r = 1 / tl.sqrt(tl.sum(x * x, 0) / columns + eps)
    w = tl.load(w_ptr + o, mask=o < columns)
    tl.store(out_ptr + tl.program_id(0) * columns + o, (x * r * w).to(out_ptr.dtype.element_ty), mask=o < columns)


@jit
def rotary(x_ptr, cos_ptr, sin_ptr, out_ptr, tokens, heads, HALF: tl.constexpr):
    t, h = tl.program_id(0), tl.program_id(1)
    o = tl.arange(0, HALF)
    base = (t * heads + h) * 2 * HALF
    a, b = tl.load(x_ptr + base + o), tl.load(x_ptr + base + HALF + o)
    c, s = tl.load(cos_ptr + t * HALF + o), tl.load(sin_ptr + t * HALF + o)
    tl.store(out_ptr + base + o, a * c - b * s)
    tl.store(out_ptr + base + HALF + o, b * c + a * s)


@jit
def cross_entropy(x_ptr, target_ptr, loss_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x_ptr += row * columns
    most, total = -float("inf"), 0.0
    for first in range(0, columns, BLOCK):
        o = first + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + o, mask=o < columns, other=-float("inf")).to(tl.float32)
        larger = tl.maximum(most, tl.max(x))
        total = total * tl.exp(most - larger) + tl.sum(tl.exp(x - larger))
        most = larger
    tl.store(loss_ptr + row, tl.log(total) + most - tl.load(x_ptr + tl.load(target_ptr + row)).to(tl.float32))


@jit
def transpose(x_ptr, out_ptr, rows, columns, B: tl.constexpr):
    m, n = tl.program_id(0) * B + tl.arange(0, B), tl.program_id(1) * B + tl.arange(0, B)
    x = tl.load(x_ptr + m[:, None] * columns + n[None, :], mask=(m[:, None] < rows) & (n[None, :] < columns))
    tl.store(out_ptr + n[:, None] * rows + m[None, :], tl.trans(x), mask=(n[:, None] < columns) & (m[None, :] < rows))
