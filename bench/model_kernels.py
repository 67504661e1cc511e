"""Products as models have them: linear attention, quantised weights, experts, few rows, convolutions, pages.

It sets `jit` and `tl`.
"""

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


@jit
def matmul_fp8(a, b, scale_a, scale_b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """fp8 by fp8, K fastest in both, with a scale for each row and each column."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, k, BK):
        x = tl.load(a + rows[:, None] * k + (start + inner)[None, :])
        y = tl.load(b + columns[None, :] * k + (start + inner)[:, None])
        total = tl.dot(x, y, total)
    total = total * tl.load(scale_a + rows)[:, None] * tl.load(scale_b + columns)[None, :]
    tl.store(c + rows[:, None] * n + columns[None, :], total.to(tl.float16))


@jit
def matmul_int8(a, b, scale_a, scale_b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """i8 by i8, K fastest in both, with a scale for each row and each column."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    total = tl.zeros((BM, BN), dtype=tl.int32)
    for start in range(0, k, BK):
        x = tl.load(a + rows[:, None] * k + (start + inner)[None, :])
        y = tl.load(b + columns[None, :] * k + (start + inner)[:, None])
        total = tl.dot(x, y, total)
    found = total.to(tl.float32) * tl.load(scale_a + rows)[:, None] * tl.load(scale_b + columns)[None, :]
    tl.store(c + rows[:, None] * n + columns[None, :], found.to(tl.float16))


@jit
def matmul_gated(a, gates, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """silu(a @ gates) * (a @ b)."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    gate = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, k, BK):
        x = tl.load(a + rows[:, None] * k + (start + inner)[None, :])
        at = (start + inner)[:, None] * n + columns[None, :]
        gate = tl.dot(x, tl.load(gates + at), gate)
        total = tl.dot(x, tl.load(b + at), total)
    found = gate * tl.sigmoid(gate) * total
    tl.store(c + rows[:, None] * n + columns[None, :], found.to(tl.float16))


@jit
def matmul_gelu(a, b, bias, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    """gelu(a @ b + bias), GROUP rows of tiles after each other."""
    across = tl.num_programs(0) // tl.cdiv(m, BM)
    first = tl.program_id(0) // (GROUP * across) * GROUP
    high = min(tl.cdiv(m, BM) - first, GROUP)
    place = tl.program_id(0) % (GROUP * across)
    rows = (first + place % high) * BM + tl.arange(0, BM)
    columns = (place // high) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, k, BK):
        x = tl.load(a + rows[:, None] * k + (start + inner)[None, :])
        total = tl.dot(x, tl.load(b + (start + inner)[:, None] * n + columns[None, :]), total)
    total += tl.load(bias + columns).to(tl.float32)[None, :]
    found = 0.5 * total * (1 + tl.erf(total * 0.7071067811865476))
    tl.store(c + rows[:, None] * n + columns[None, :], found.to(tl.float16))


@jit
def matmul_of_gradients(
    x, dy, dw, tokens, n, k, BM: tl.constexpr, BN: tl.constexpr, BT: tl.constexpr, PARTS: tl.constexpr
):
    """dw = x^T dy, a part of the tokens each, added up by atomics."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    part, token = tl.program_id(2), tl.arange(0, BT)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(part * BT, tokens, BT * PARTS):
        a = tl.load(x + (start + token)[None, :] * k + rows[:, None])
        b = tl.load(dy + (start + token)[:, None] * n + columns[None, :])
        total = tl.dot(a, b, total)
    tl.atomic_add(dw + rows[:, None] * n + columns[None, :], total, sem="relaxed")


@jit
def matmul_batched(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Many small products."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner, one = tl.arange(0, BK), tl.program_id(2)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, k, BK):
        x = tl.load(a + one * m * k + rows[:, None] * k + (start + inner)[None, :])
        y = tl.load(b + one * k * n + (start + inner)[:, None] * n + columns[None, :])
        total = tl.dot(x, y, total)
    tl.store(c + one * m * n + rows[:, None] * n + columns[None, :], total.to(tl.float16))


@jit
def matmul_low_rank(x, down, up, out, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, RANK: tl.constexpr):
    """out = (x @ down) @ up, of BM rows: RANK columns between."""
    rows, rank = tl.program_id(0) * BM + tl.arange(0, BM), tl.arange(0, RANK)
    between = tl.zeros((BM, RANK), dtype=tl.float32)
    for start in range(0, k, BK):
        inner = start + tl.arange(0, BK)
        y = tl.load(down + inner[:, None] * RANK + rank[None, :])
        between = tl.dot(tl.load(x + rows[:, None] * k + inner[None, :]), y, between)
    short = between.to(tl.float16)
    for start in range(0, n, BN):
        columns = start + tl.arange(0, BN)
        found = tl.dot(short, tl.load(up + rank[:, None] * n + columns[None, :]))
        tl.store(out + rows[:, None] * n + columns[None, :], found.to(tl.float16))


@jit
def matmul_of_blocks(a, index, b, c, n, blocks, BN: tl.constexpr, BM: tl.constexpr, BK: tl.constexpr):
    """A sparse matrix of blocks BM x BK, as many in each row of blocks, by a dense one."""
    row, columns = tl.program_id(0), tl.program_id(1) * BN + tl.arange(0, BN)
    rows, inner = tl.arange(0, BM), tl.arange(0, BK)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for block in range(blocks):
        number = row * blocks + block
        place = tl.load(index + number) * BK
        x = tl.load(a + number * BM * BK + rows[:, None] * BK + inner[None, :])
        total = tl.dot(x, tl.load(b + (place + inner)[:, None] * n + columns[None, :]), total)
    tl.store(c + (row * BM + rows)[:, None] * n + columns[None, :], total.to(tl.float16))


@jit
def convolution(x, weight, out, height, width, channels, n, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """A convolution of 3 x 3 pixels as a product: channels are neighbours in memory, BM pixels by BN channels."""
    place, columns = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    row, column, image = place // width % height, place % width, place // (width * height)
    inner, parts = tl.arange(0, BK), channels // BK
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(9 * parts):
        tap, start = step // parts, step % parts * BK
        y, z = row + tap // 3 - 1, column + tap % 3 - 1
        inside = (y >= 0) & (y < height) & (z >= 0) & (z < width)
        at = ((image * height + y) * width + z)[:, None] * channels + (start + inner)[None, :]
        a = tl.load(x + at, mask=inside[:, None], other=0.0)
        b = tl.load(weight + (tap * channels + start + inner)[:, None] * n + columns[None, :])
        total = tl.dot(a, b, total)
    tl.store(out + place[:, None] * n + columns[None, :], total.to(tl.float16))


@jit
def linear_attention(q, k, v, o, tokens, scale, D: tl.constexpr, DV: tl.constexpr, BT: tl.constexpr, BV: tl.constexpr):
    """Causal attention without softmax: a state is carried over chunks of BT tokens, BV columns at once."""
    columns, head = tl.program_id(0) * BV + tl.arange(0, BV), tl.program_id(1) * tokens
    inner, row = tl.arange(0, D), tl.arange(0, BT)
    state = tl.zeros((D, BV), dtype=tl.float32)
    for start in range(0, tokens, BT):
        token = head + start + row
        x = tl.load(q + token[:, None] * D + inner[None, :])
        y = tl.load(k + token[None, :] * D + inner[:, None])
        z = tl.load(v + token[:, None] * DV + columns[None, :])
        scores = tl.where(row[:, None] >= row[None, :], tl.dot(x, y), 0.0)
        found = tl.dot(x, state.to(x.dtype))
        found = tl.dot(scores.to(z.dtype), z, found) * scale
        state = tl.dot(y, z, state)
        tl.store(o + token[:, None] * DV + columns[None, :], found.to(o.dtype.element_ty))
