"""Products as models have them: linear attention, quantised weights, experts, few rows.  It sets `jit` and `tl`."""

# ruff: noqa: F821


@jit
def chunk_state(k, v, g, h, tokens, D: tl.constexpr, DV: tl.constexpr, BT: tl.constexpr, BV: tl.constexpr):
    """States of linear attention with decay, before each chunk of BT tokens: h = h * exp(g_last) + (k exp(..))^T v."""
    columns, head = tl.program_id(0) * BV + tl.arange(0, BV), tl.program_id(1)
    chunks = tokens // BT
    inner, row = tl.arange(0, D), tl.arange(0, BT)
    state = tl.zeros((D, BV), dtype=tl.float32)
    for chunk in range(chunks):
        tl.store(
            h + (head * chunks + chunk) * D * DV + inner[:, None] * DV + columns[None, :], state.to(h.dtype.element_ty)
        )
        first = head * tokens + chunk * BT
        decay = tl.load(g + first + row)
        last = tl.load(g + first + BT - 1)
        x = tl.load(k + (first + row)[None, :] * D + inner[:, None])
        y = tl.load(v + (first + row)[:, None] * DV + columns[None, :])
        y = (y * tl.exp(last - decay)[:, None]).to(y.dtype)
        state = state * tl.exp(last) + tl.dot(x, y)


@jit
def chunk_output(
    q, k, v, g, h, o, tokens, scale,
    D: tl.constexpr, DV: tl.constexpr, BT: tl.constexpr, BK: tl.constexpr, BV: tl.constexpr,
):  # fmt: skip
    """o = (q h) exp(g) + (q k^T * exp(g_i - g_j), lower part) v, a chunk of BT tokens by BV columns."""
    columns, chunk, head = tl.program_id(0) * BV + tl.arange(0, BV), tl.program_id(1), tl.program_id(2)
    chunks = tokens // BT
    row, inner = tl.arange(0, BT), tl.arange(0, BK)
    first = head * tokens + chunk * BT
    total = tl.zeros((BT, BV), dtype=tl.float32)
    scores = tl.zeros((BT, BT), dtype=tl.float32)
    for start in range(0, D, BK):
        x = tl.load(q + (first + row)[:, None] * D + (start + inner)[None, :])
        y = tl.load(k + (first + row)[None, :] * D + (start + inner)[:, None])
        z = tl.load(h + (head * chunks + chunk) * D * DV + (start + inner)[:, None] * DV + columns[None, :])
        total += tl.dot(x, z)
        scores += tl.dot(x, y)
    decay = tl.load(g + first + row)
    total = total * tl.exp(decay)[:, None]
    scores = tl.where(row[:, None] >= row[None, :], scores * tl.exp(decay[:, None] - decay[None, :]), 0)
    y = tl.load(v + (first + row)[:, None] * DV + columns[None, :])
    total = (total + tl.dot(scores.to(y.dtype), y)) * scale
    tl.store(o + (first + row)[:, None] * DV + columns[None, :], total.to(o.dtype.element_ty))


@jit
def unit_lower_inverse(a, out, tokens, B: tl.constexpr):
    """Inverses of 16 x 16 unit lower triangular blocks and of pairs of them, in f32."""
    i, head = tl.program_id(0), tl.program_id(1)
    row = tl.arange(0, B)
    at = (head * tokens + i * 2 * B) * (2 * B)
    places = row[:, None] * (2 * B) + row[None, :]
    strict = row[:, None] > row[None, :]
    one = (row[:, None] == row[None, :]).to(tl.float32)
    upper = tl.where(strict, tl.load(a + at + places), 0)
    lower = tl.where(strict, tl.load(a + at + B * (2 * B) + B + places), 0)
    across = tl.load(a + at + B * (2 * B) + places)
    first, second = one - upper, one - lower
    for _ in range(3):
        upper = tl.dot(upper, upper, input_precision="ieee")
        lower = tl.dot(lower, lower, input_precision="ieee")
        first += tl.dot(first, upper, input_precision="ieee")
        second += tl.dot(second, lower, input_precision="ieee")
    across = -tl.dot(tl.dot(second, across, input_precision="ieee"), first, input_precision="ieee")
    tl.store(out + at + places, first)
    tl.store(out + at + B * (2 * B) + B + places, second)
    tl.store(out + at + B * (2 * B) + places, across)


@jit
def matmul_int4(
    a, b, scales, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PER_SCALE: tl.constexpr
):
    """a (m, k) by weights of 4 bits, 8 of them along k in an i32, with a scale for PER_SCALE of them."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, k, BK):
        x = tl.load(a + rows[:, None] * k + (start + inner)[None, :])
        words = tl.load(b + ((start + inner) // 8)[:, None] * n + columns[None, :])
        scale = tl.load(scales + (start // PER_SCALE) * n + columns)
        weights = ((words >> ((inner % 8) * 4)[:, None]) & 15) - 8
        total = tl.dot(x, (weights.to(tl.float16) * scale[None, :]).to(tl.float16), total)
    tl.store(c + rows[:, None] * n + columns[None, :], total.to(tl.float16))


@jit
def matmul_int8_weights(a, b, scales, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """a (m, k) by weights of 8 bits, a scale for a column."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, k, BK):
        x = tl.load(a + rows[:, None] * k + (start + inner)[None, :])
        y = tl.load(b + (start + inner)[:, None] * n + columns[None, :])
        total = tl.dot(x, y.to(tl.float16), total)
    total = total * tl.load(scales + columns)[None, :]
    tl.store(c + rows[:, None] * n + columns[None, :], total.to(tl.float16))


@jit
def matmul_block_scaled(a, b, scale_a, scale_b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """fp8 by fp8, K fastest in both, with scales for 1 x BK of a and BN x BK of b."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(k // BK):
        x = tl.load(a + rows[:, None] * k + (step * BK + inner)[None, :])
        y = tl.load(b + columns[None, :] * k + (step * BK + inner)[:, None])
        of_a = tl.load(scale_a + rows * (k // BK) + step)
        of_b = tl.load(scale_b + tl.program_id(1) * (k // BK) + step)
        total += tl.dot(x, y) * (of_a * of_b)[:, None]
    tl.store(c + rows[:, None] * n + columns[None, :], total.to(tl.float16))


@jit
def matmul_of_experts(a, b, order, experts, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Rows of a in the order of their experts, each block by its expert's weights (n, k)."""
    block = tl.program_id(0)
    rows = tl.load(order + block * BM + tl.arange(0, BM))
    expert = tl.load(experts + block)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    x_at = a + rows[:, None] * k + inner[None, :]
    y_at = b + expert * n * k + columns[None, :] * k + inner[:, None]
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, k, BK):
        x = tl.load(x_at, mask=(rows < m)[:, None] & (start + inner < k)[None, :], other=0.0)
        y = tl.load(y_at, mask=(start + inner < k)[:, None], other=0.0)
        total += tl.dot(x, y)
        x_at += BK
        y_at += BK
    tl.store(c + rows[:, None] * n + columns[None, :], total.to(tl.float16), mask=(rows < m)[:, None])


@jit
def matmul_few_rows(a, b, c, m, n, k, parts, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """A product with few rows, K in parts that are added up by atomics."""
    columns, part = tl.program_id(0) * BN + tl.arange(0, BN), tl.program_id(1)
    rows, inner = tl.arange(0, BM), part * BK + tl.arange(0, BK)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, k, BK * parts):
        x = tl.load(a + rows[:, None] * k + (start + inner)[None, :], mask=(rows < m)[:, None], other=0.0)
        y = tl.load(b + columns[None, :] * k + (start + inner)[:, None])
        total = tl.dot(x, y, total)
    tl.atomic_add(c + rows[:, None] * n + columns[None, :], total, mask=(rows < m)[:, None], sem="relaxed")


@jit
def attention_with_bias(q, k, v, bias, o, tokens, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    """Attention with a number added to each score."""
    rows, head = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1)
    inner, part = tl.arange(0, D), tl.arange(0, BN)
    first = head * tokens
    x = tl.load(q + (first + rows)[:, None] * D + inner[None, :])
    top = tl.full((BM,), float("-inf"), dtype=tl.float32)
    sums = tl.zeros((BM,), dtype=tl.float32)
    total = tl.zeros((BM, D), dtype=tl.float32)
    for start in range(0, tokens, BN):
        columns = start + part
        y = tl.load(k + (first + columns)[None, :] * D + inner[:, None])
        scores = tl.dot(x, y) * scale
        scores += tl.load(bias + rows[:, None] * tokens + columns[None, :]).to(tl.float32)
        highest = tl.maximum(top, tl.max(scores, 1))
        weights = tl.exp(scores - highest[:, None])
        old = tl.exp(top - highest)
        z = tl.load(v + (first + columns)[:, None] * D + inner[None, :])
        total = total * old[:, None] + tl.dot(weights.to(z.dtype), z)
        sums = sums * old + tl.sum(weights, 1)
        top = highest
    tl.store(o + (first + rows)[:, None] * D + inner[None, :], (total / sums[:, None]).to(o.dtype.element_ty))
