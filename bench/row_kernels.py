"""Kernels of rows and elements as programs of others have them, in either language (it sets `jit` and `tl`).

Norms, softmax and their gradients, losses, optimizers, and what torch.compile writes: one pass of a row, or several.
"""

# ruff: noqa: F821


@jit
def layer_norm_loop(x_ptr, y_ptr, w_ptr, b_ptr, mean_ptr, rstd_ptr, stride, N, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x_ptr += row * stride
    y_ptr += row * stride
    acc = tl.zeros([BLOCK], dtype=tl.float32)
    for off in range(0, N, BLOCK):
        c = off + tl.arange(0, BLOCK)
        acc += tl.load(x_ptr + c, mask=c < N, other=0.0).to(tl.float32)
    mean = tl.sum(acc, axis=0) / N
    acc = tl.zeros([BLOCK], dtype=tl.float32)
    for off in range(0, N, BLOCK):
        c = off + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + c, mask=c < N, other=0.0).to(tl.float32)
        x = tl.where(c < N, x - mean, 0.0)
        acc += x * x
    rstd = 1 / tl.sqrt(tl.sum(acc, axis=0) / N + eps)
    tl.store(mean_ptr + row, mean)
    tl.store(rstd_ptr + row, rstd)
    for off in range(0, N, BLOCK):
        c = off + tl.arange(0, BLOCK)
        m = c < N
        w = tl.load(w_ptr + c, mask=m)
        b = tl.load(b_ptr + c, mask=m)
        x = tl.load(x_ptr + c, mask=m, other=0.0).to(tl.float32)
        tl.store(y_ptr + c, ((x - mean) * rstd * w + b).to(y_ptr.dtype.element_ty), mask=m)


@jit
def layer_norm_backward(dx_ptr, dy_ptr, x_ptr, w_ptr, mean_ptr, rstd_ptr, stride, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < N
    x = tl.load(x_ptr + row * stride + c, mask=m, other=0).to(tl.float32)
    dy = tl.load(dy_ptr + row * stride + c, mask=m, other=0).to(tl.float32)
    w = tl.load(w_ptr + c, mask=m).to(tl.float32)
    mean = tl.load(mean_ptr + row)
    rstd = tl.load(rstd_ptr + row)
    xhat = tl.where(m, (x - mean) * rstd, 0.0)
    wdy = tl.where(m, w * dy, 0.0)
    c1 = tl.sum(xhat * wdy, axis=0) / N
    c2 = tl.sum(wdy, axis=0) / N
    tl.store(dx_ptr + row * stride + c, ((wdy - (xhat * c1 + c2)) * rstd).to(dx_ptr.dtype.element_ty), mask=m)


@jit
def softmax_backward(dx_ptr, y_ptr, dy_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < N
    y = tl.load(y_ptr + row * N + c, mask=m, other=0).to(tl.float32)
    dy = tl.load(dy_ptr + row * N + c, mask=m, other=0).to(tl.float32)
    tl.store(dx_ptr + row * N + c, (y * (dy - tl.sum(y * dy, 0))).to(dx_ptr.dtype.element_ty), mask=m)


@jit
def add_rms_norm(x_ptr, r_ptr, w_ptr, out_ptr, res_ptr, N, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < N
    x = tl.load(x_ptr + row * N + c, mask=m, other=0).to(tl.float32) + tl.load(r_ptr + row * N + c, mask=m, other=0).to(
        tl.float32
    )
    tl.store(res_ptr + row * N + c, x.to(res_ptr.dtype.element_ty), mask=m)
    r = tl.rsqrt(tl.sum(x * x, 0) / N + eps)
    w = tl.load(w_ptr + c, mask=m).to(tl.float32)
    tl.store(out_ptr + row * N + c, (x * r * w).to(out_ptr.dtype.element_ty), mask=m)


@jit
def swiglu(a_ptr, b_ptr, out_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    c = tl.arange(0, BLOCK)
    m = c < N
    a = tl.load(a_ptr + row * N + c, mask=m, other=0).to(tl.float32)
    b = tl.load(b_ptr + row * N + c, mask=m, other=0)
    tl.store(out_ptr + row * N + c, (a * tl.sigmoid(a)).to(b.dtype) * b, mask=m)


@jit
def adamw(p_ptr, g_ptr, m_ptr, v_ptr, n, lr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    k = i < n
    p = tl.load(p_ptr + i, mask=k)
    g = tl.load(g_ptr + i, mask=k)
    m = tl.load(m_ptr + i, mask=k)
    v = tl.load(v_ptr + i, mask=k)
    m = 0.9 * m + 0.1 * g
    v = 0.999 * v + 0.001 * g * g
    p = p * 0.999 - lr * m / (tl.sqrt(tl.abs(v)) + 1e-8)
    tl.store(p_ptr + i, p, mask=k)
    tl.store(m_ptr + i, m, mask=k)
    tl.store(v_ptr + i, v, mask=k)


@jit
def pointwise(x_ptr, y_ptr, z_ptr, out_ptr, n, XBLOCK: tl.constexpr):
    i = tl.program_id(0) * XBLOCK + tl.arange(0, XBLOCK)[:]
    m = i < n
    x = tl.load(x_ptr + i, m).to(tl.float32)
    y = tl.load(y_ptr + i, m).to(tl.float32)
    z = tl.load(z_ptr + i % 1024, m, eviction_policy="evict_last").to(tl.float32)
    tl.store(out_ptr + i, tl.exp(x) * y + z, m)


@jit
def inductor_persistent(x_ptr, w_ptr, out_ptr, xnumel, rnumel, XBLOCK: tl.constexpr, RBLOCK: tl.constexpr):
    xi = tl.program_id(0) * XBLOCK + tl.arange(0, XBLOCK)[:, None]
    xm = xi < xnumel
    ri = tl.arange(0, RBLOCK)[None, :]
    rm = ri < rnumel
    x = tl.load(x_ptr + ri + rnumel * xi, rm & xm, other=0.0).to(tl.float32)
    w = tl.load(w_ptr + ri, rm, eviction_policy="evict_last", other=0.0).to(tl.float32)
    s = tl.sum(x, 1)[:, None] / rnumel
    d = tl.where(rm & xm, x - s, 0.0)
    v = tl.sum(d * d, 1)[:, None] / rnumel
    tl.store(out_ptr + ri + rnumel * xi, d * tl.rsqrt(v + 1e-5) * w, rm & xm)


@jit
def inductor_looped(x_ptr, y_ptr, out_ptr, xnumel, rnumel, XBLOCK: tl.constexpr, RBLOCK: tl.constexpr):
    xi = tl.program_id(0) * XBLOCK + tl.arange(0, XBLOCK)[:, None]
    xm = xi < xnumel
    rb = tl.arange(0, RBLOCK)[None, :]
    acc = tl.full([XBLOCK, RBLOCK], 0, tl.float32)
    most = tl.full([XBLOCK, RBLOCK], float("-inf"), tl.float32)
    for ro in range(0, rnumel, RBLOCK):
        ri = ro + rb
        m = (ri < rnumel) & xm
        x = tl.load(x_ptr + ri + rnumel * xi, m, eviction_policy="evict_first", other=0.0).to(tl.float32)
        y = tl.load(y_ptr + ri + rnumel * xi, m, eviction_policy="evict_first", other=0.0).to(tl.float32)
        acc = tl.where(m, acc + x * y, acc)
        most = tl.where(m, tl.maximum(most, x), most)
    tl.store(out_ptr + xi, tl.sum(acc, 1)[:, None] + tl.max(most, 1)[:, None], xm)


@jit
def quantize_rows(x_ptr, out_ptr, scale_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    m = c < N
    x = tl.load(x_ptr + row * N + c, mask=m, other=0).to(tl.float32)
    s = tl.max(tl.abs(x), 0) / 127.0
    tl.store(out_ptr + row * N + c, (x / s).to(tl.int8), mask=m)
    tl.store(scale_ptr + row, s)


@jit
def dropout(x_ptr, out_ptr, n, p, seed, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)
    tl.store(out_ptr + i, tl.where(tl.rand(seed, i) > p, x / (1 - p), 0.0), mask=m)


@jit
def group_norm(x_ptr, out_ptr, size, eps, BLOCK: tl.constexpr):
    g = tl.program_id(0)
    total = tl.zeros([BLOCK], tl.float32)
    squares = tl.zeros([BLOCK], tl.float32)
    for o in range(0, size, BLOCK):
        c = o + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + g * size + c, mask=c < size, other=0.0).to(tl.float32)
        total += x
        squares += x * x
    mean = tl.sum(total) / size
    r = tl.rsqrt(tl.sum(squares) / size - mean * mean + eps)
    for o in range(0, size, BLOCK):
        c = o + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + g * size + c, mask=c < size, other=0.0).to(tl.float32)
        tl.store(out_ptr + g * size + c, (x - mean) * r, mask=c < size)


@jit
def tile_scale(x_ptr, s_ptr, out_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = (m[:, None] < M) & (n[None, :] < N)
    x = tl.load(x_ptr + m[:, None] * N + n[None, :], mask=k)
    s = tl.load(s_ptr + m, mask=m < M)
    tl.store(out_ptr + m[:, None] * N + n[None, :], x * s[:, None], mask=k)


@jit
def small_state(q_ptr, k_ptr, v_ptr, g_ptr, out_ptr, h_ptr, T, D, BK: tl.constexpr, BV: tl.constexpr):
    """A gated linear recurrence whose state is a small tile."""
    i_v, i_h = tl.program_id(0), tl.program_id(1)
    ok, ov = tl.arange(0, BK), i_v * BV + tl.arange(0, BV)
    h = tl.load(h_ptr + i_h * BK * D + ok[:, None] * D + ov[None, :]).to(tl.float32)
    for t in range(T):
        q = tl.load(q_ptr + (i_h * T + t) * BK + ok).to(tl.float32)
        k = tl.load(k_ptr + (i_h * T + t) * BK + ok).to(tl.float32)
        v = tl.load(v_ptr + (i_h * T + t) * D + ov).to(tl.float32)
        g = tl.load(g_ptr + i_h * T + t)
        h = h * tl.exp(g) + k[:, None] * v[None, :]
        tl.store(out_ptr + (i_h * T + t) * D + ov, tl.sum(h * q[:, None], 0).to(out_ptr.dtype.element_ty))


@jit
def single_row(x_ptr, a_ptr, out_ptr, T, BD: tl.constexpr):
    """h = a h + x of a [1, 1, BD] tile."""
    i = tl.program_id(0)
    o = tl.arange(0, BD)[None, None, :]
    h = tl.zeros([1, 1, BD], tl.float32)
    for t in range(T):
        x = tl.load(x_ptr + (i * T + t) * BD + o)
        a = tl.load(a_ptr + (i * T + t) * BD + o)
        h = a * h + x
        tl.store(out_ptr + (i * T + t) * BD + o, h)
