"""Layers of models without products, in either language (it sets `jit` and `tl`): what bench/choices.py times.

Norms, softmax, gradients, rotary embeddings, quantization, routing, scans, convolutions along tokens, pooling.
"""

# ruff: noqa: F821


@jit
def softmax_tile(x, out, columns, BM: tl.constexpr, BN: tl.constexpr):
    """Softmax of BM rows, which have at most BN numbers."""
    row, c = tl.program_id(0) * BM + tl.arange(0, BM), tl.arange(0, BN)
    inside = (c < columns)[None, :]
    at = row[:, None] * columns + c[None, :]
    values = tl.load(x + at, mask=inside, other=-float("inf")).to(tl.float32)
    powers = tl.exp(values - tl.max(values, 1)[:, None])
    tl.store(out + at, (powers / tl.sum(powers, 1)[:, None]).to(out.dtype.element_ty), mask=inside)


@jit
def softmax_online(x, out, columns, BLOCK: tl.constexpr):
    """Softmax of a long row: the maximum and the sum in one pass, the results in another."""
    row = tl.program_id(0).to(tl.int64) * columns
    top = tl.full([BLOCK], float("-inf"), dtype=tl.float32)
    sums = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        c = start + tl.arange(0, BLOCK)
        values = tl.load(x + row + c, mask=c < columns, other=-1e30).to(tl.float32)
        highest = tl.maximum(top, values)
        sums = sums * tl.exp(top - highest) + tl.exp(values - highest)
        top = highest
    most = tl.max(top, 0)
    total = tl.sum(sums * tl.exp(top - most), 0)
    for start in range(0, columns, BLOCK):
        c = start + tl.arange(0, BLOCK)
        values = tl.load(x + row + c, mask=c < columns, other=0.0).to(tl.float32)
        tl.store(out + row + c, (tl.exp(values - most) / total).to(out.dtype.element_ty), mask=c < columns)


@jit
def rms_norm_residual(x, residual, weight, out, new_residual, columns, eps, BM: tl.constexpr, BN: tl.constexpr):
    """The norm of a sum, of BM rows at once, and the sum itself."""
    row, c = tl.program_id(0) * BM + tl.arange(0, BM), tl.arange(0, BN)
    inside = (c < columns)[None, :]
    at = row[:, None] * columns + c[None, :]
    total = tl.load(x + at, mask=inside, other=0.0).to(tl.float32)
    total += tl.load(residual + at, mask=inside, other=0.0).to(tl.float32)
    tl.store(new_residual + at, total.to(new_residual.dtype.element_ty), mask=inside)
    scale = tl.rsqrt(tl.sum(total * total, 1) / columns + eps)
    w = tl.load(weight + c, mask=c < columns, other=0.0).to(tl.float32)
    tl.store(out + at, (total * scale[:, None] * w[None, :]).to(out.dtype.element_ty), mask=inside)


@jit
def rms_norm_backward(x, dy, weight, dx, partial, columns, eps, PER: tl.constexpr, BN: tl.constexpr):
    """Gradients of PER rows, one after the other, and their part of the weight's gradient."""
    program, c = tl.program_id(0), tl.arange(0, BN)
    inside = c < columns
    w = tl.load(weight + c, mask=inside, other=0.0).to(tl.float32)
    of_weight = tl.zeros([BN], dtype=tl.float32)
    for row in range(program * PER, program * PER + PER):
        value = tl.load(x + row * columns + c, mask=inside, other=0.0).to(tl.float32)
        slope = tl.load(dy + row * columns + c, mask=inside, other=0.0).to(tl.float32)
        scale = tl.rsqrt(tl.sum(value * value, 0) / columns + eps)
        normal = value * scale
        of_weight += slope * normal
        slope *= w
        found = (slope - normal * (tl.sum(slope * normal, 0) / columns)) * scale
        tl.store(dx + row * columns + c, found.to(dx.dtype.element_ty), mask=inside)
    tl.store(partial + program * columns + c, of_weight, mask=inside)


@jit
def swiglu_backward(a, b, dy, da, db, n, BLOCK: tl.constexpr):
    """Gradients of silu(a) * b."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    x = tl.load(a + i, mask=inside, other=0.0).to(tl.float32)
    y = tl.load(b + i, mask=inside, other=0.0).to(tl.float32)
    slope = tl.load(dy + i, mask=inside, other=0.0).to(tl.float32)
    share = tl.sigmoid(x)
    tl.store(da + i, (slope * y * share * (1 + x * (1 - share))).to(da.dtype.element_ty), mask=inside)
    tl.store(db + i, (slope * x * share).to(db.dtype.element_ty), mask=inside)


@jit
def rotary_tokens(x, cosines, sines, out, tokens, heads, BT: tl.constexpr, HALF: tl.constexpr):
    """Rotates pairs (i, i + HALF) of a head, of BT tokens."""
    token, c, head = tl.program_id(0) * BT + tl.arange(0, BT), tl.arange(0, HALF), tl.program_id(1)
    angle = token[:, None] * HALF + c[None, :]
    at = (token[:, None] * heads + head) * (2 * HALF) + c[None, :]
    inside = (token < tokens)[:, None]
    cosine, sine = tl.load(cosines + angle, mask=inside), tl.load(sines + angle, mask=inside)
    first, second = tl.load(x + at, mask=inside), tl.load(x + at + HALF, mask=inside)
    tl.store(out + at, first * cosine - second * sine, mask=inside)
    tl.store(out + at + HALF, second * cosine + first * sine, mask=inside)


@jit
def quantize_groups(x, out, scales, groups, BM: tl.constexpr, GROUP: tl.constexpr):
    """BM groups of GROUP numbers as i8, with a scale for each group."""
    group, c = tl.program_id(0) * BM + tl.arange(0, BM), tl.arange(0, GROUP)
    at, inside = group[:, None] * GROUP + c[None, :], (group < groups)[:, None]
    values = tl.load(x + at, mask=inside, other=0.0).to(tl.float32)
    scale = tl.maximum(tl.max(tl.abs(values), 1), 1e-8) / 127.0
    tl.store(out + at, (values / scale[:, None]).to(tl.int8), mask=inside)
    tl.store(scales + group, scale, mask=group < groups)


@jit
def dequantize_int4(words, scales, out, n, BLOCK: tl.constexpr, PER_SCALE: tl.constexpr):
    """Eight numbers of 4 bits from each word, times the scale of their group."""
    i, part = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK), tl.arange(0, 8)
    inside = i < n
    word = tl.load(words + i, mask=inside, other=0)
    scale = tl.load(scales + i // (PER_SCALE // 8), mask=inside, other=0.0)
    values = ((word[:, None] >> (4 * part)[None, :]) & 15) - 8
    tl.store(out + i[:, None] * 8 + part[None, :], values.to(tl.float16) * scale[:, None], mask=inside[:, None])


@jit
def embedding_backward(slopes, index, table, rows, columns, BN: tl.constexpr, BD: tl.constexpr):
    """Adds the gradients of BN tokens to the rows of a table."""
    row, c = tl.program_id(0) * BN + tl.arange(0, BN), tl.program_id(1) * BD + tl.arange(0, BD)
    inside = (row < rows)[:, None] & (c < columns)[None, :]
    place = tl.load(index + row, mask=row < rows, other=0)
    values = tl.load(slopes + row[:, None] * columns + c[None, :], mask=inside, other=0.0)
    tl.atomic_add(table + place[:, None] * columns + c[None, :], values, mask=inside, sem="relaxed")


@jit
def sort_rows(x, out, BM: tl.constexpr, N: tl.constexpr):
    """Sorts BM rows of N numbers."""
    at = (tl.program_id(0) * BM + tl.arange(0, BM))[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(out + at, tl.sort(tl.load(x + at)))


@jit
def route_tokens(logits, weights, experts, BM: tl.constexpr, EXPERTS: tl.constexpr, TOP: tl.constexpr):
    """The TOP most likely experts of BM tokens, and their shares."""
    token, c = tl.program_id(0) * BM + tl.arange(0, BM), tl.arange(0, EXPERTS)
    values = tl.load(logits + token[:, None] * EXPERTS + c[None, :]).to(tl.float32)
    powers = tl.exp(values - tl.max(values, 1)[:, None])
    shares = powers / tl.sum(powers, 1)[:, None]
    for rank in tl.static_range(TOP):
        best = tl.argmax(shares, 1)
        tl.store(weights + token * TOP + rank, tl.max(shares, 1))
        tl.store(experts + token * TOP + rank, best)
        shares = tl.where(c[None, :] == best[:, None], -1.0, shares)


@jit
def combine_experts(y, index, weights, out, columns, BM: tl.constexpr, BD: tl.constexpr, TOP: tl.constexpr):
    """out[t] = sum over TOP experts of weights[t, i] * y[index[t, i]]."""
    token, c = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BD + tl.arange(0, BD)
    total = tl.zeros([BM, BD], dtype=tl.float32)
    for rank in range(TOP):
        row = tl.load(index + token * TOP + rank)
        share = tl.load(weights + token * TOP + rank)
        total += share[:, None] * tl.load(y + row[:, None] * columns + c[None, :]).to(tl.float32)
    tl.store(out + token[:, None] * columns + c[None, :], total.to(out.dtype.element_ty))


@jit
def cumsum_blocks(x, out, columns, BLOCK: tl.constexpr):
    """Sums up to each place of a row, block after block."""
    row, carried = tl.program_id(0) * columns, 0.0
    for start in range(0, columns, BLOCK):
        c = start + tl.arange(0, BLOCK)
        values = tl.load(x + row + c, mask=c < columns, other=0.0)
        tl.store(out + row + c, tl.cumsum(values, 0) + carried, mask=c < columns)
        carried += tl.sum(values, 0)


@jit
def _after(first_decay, first, second_decay, second):
    return first_decay * second_decay, second_decay * first + second


@jit
def gated_scan(x, decay, out, tokens, columns, BT: tl.constexpr, BD: tl.constexpr):
    """h = decay * h + x along tokens, BT of them in one scan."""
    t, c = tl.arange(0, BT), tl.program_id(0) * BD + tl.arange(0, BD)
    base = tl.program_id(1) * tokens * columns
    state = tl.zeros([BD], dtype=tl.float32)
    for start in range(0, tokens, BT):
        at = base + (start + t)[:, None] * columns + c[None, :]
        share, value = tl.load(decay + at), tl.load(x + at)
        shares, found = tl.associative_scan((share, value), 0, _after)
        found += shares * state[None, :]
        tl.store(out + at, found)
        state = tl.sum(tl.where((t == BT - 1)[:, None], found, 0.0), 0)


@jit
def short_convolution(x, weight, out, tokens, columns, BT: tl.constexpr, BD: tl.constexpr, TAPS: tl.constexpr):
    """A causal convolution with TAPS numbers for each column, then silu."""
    t, c = tl.program_id(0) * BT + tl.arange(0, BT), tl.program_id(1) * BD + tl.arange(0, BD)
    base = tl.program_id(2) * tokens * columns
    total = tl.zeros([BT, BD], dtype=tl.float32)
    for tap in tl.static_range(TAPS):
        token = t - (TAPS - 1) + tap
        inside = ((token >= 0) & (token < tokens))[:, None]
        values = tl.load(x + base + token[:, None] * columns + c[None, :], mask=inside, other=0.0)
        total += values.to(tl.float32) * tl.load(weight + tap * columns + c).to(tl.float32)[None, :]
    found = total * tl.sigmoid(total)
    tl.store(out + base + t[:, None] * columns + c[None, :], found.to(out.dtype.element_ty))


@jit
def max_pool(x, out, height, width, channels, BP: tl.constexpr, BC: tl.constexpr):
    """The largest of 3 x 3 pixels, each second one in either direction; channels are neighbours in memory."""
    place, c = tl.program_id(0) * BP + tl.arange(0, BP), tl.program_id(1) * BC + tl.arange(0, BC)
    columns = width // 2
    row, column, image = place // columns % (height // 2), place % columns, place // (columns * (height // 2))
    most = tl.full([BP, BC], float("-inf"), dtype=tl.float16)
    for tap in tl.static_range(9):
        y, z = 2 * row + tap // 3 - 1, 2 * column + tap % 3 - 1
        inside = (y >= 0) & (y < height) & (z >= 0) & (z < width)
        at = ((image * height + y) * width + z)[:, None] * channels + c[None, :]
        most = tl.maximum(most, tl.load(x + at, mask=inside[:, None], other=-float("inf")))
    tl.store(out + place[:, None] * channels + c[None, :], most)


@jit
def cross_entropy_gradient(x, target, sums, out, columns, BLOCK: tl.constexpr):
    """(softmax - one at the target) of a row, whose logarithm of the sum of powers is known."""
    row = tl.program_id(0).to(tl.int64)
    wanted, total = tl.load(target + row), tl.load(sums + row)
    for start in range(0, columns, BLOCK):
        c = start + tl.arange(0, BLOCK)
        values = tl.load(x + row * columns + c, mask=c < columns, other=0.0).to(tl.float32)
        slope = tl.exp(values - total) - tl.where(c == wanted, 1.0, 0.0)
        tl.store(out + row * columns + c, slope.to(out.dtype.element_ty), mask=c < columns)


@jit
def kl_divergence(p, q, out, columns, BLOCK: tl.constexpr):
    """sum of exp(p) * (p - q) of a row of logarithms."""
    row = tl.program_id(0) * columns
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        c = start + tl.arange(0, BLOCK)
        a = tl.load(p + row + c, mask=c < columns, other=0.0)
        b = tl.load(q + row + c, mask=c < columns, other=0.0)
        total += tl.exp(a) * (a - b)
    tl.store(out + tl.program_id(0), tl.sum(total, 0))


@jit
def column_moments(x, sums, squares, rows, columns, BM: tl.constexpr, BN: tl.constexpr, PARTS: tl.constexpr):
    """Sums and sums of squares of columns, of one of PARTS parts of the rows: what a norm of a batch needs."""
    c, part = tl.program_id(0) * BN + tl.arange(0, BN), tl.program_id(1)
    total = tl.zeros([BM, BN], dtype=tl.float32)
    square = tl.zeros([BM, BN], dtype=tl.float32)
    for start in range(part * BM, rows, PARTS * BM):
        row = start + tl.arange(0, BM)
        values = tl.load(x + row[:, None] * columns + c[None, :], mask=(row < rows)[:, None], other=0.0)
        total += values
        square += values * values
    tl.store(sums + part * columns + c, tl.sum(total, 0))
    tl.store(squares + part * columns + c, tl.sum(square, 0))


@jit
def pair_distances(x, y, out, columns, inner, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Sums of absolute differences of all pairs of rows."""
    row, column = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros([BM, BN], dtype=tl.float32)
    for start in range(0, inner, BK):
        k = start + tl.arange(0, BK)
        a = tl.load(x + row[:, None] * inner + k[None, :])
        b = tl.load(y + column[:, None] * inner + k[None, :])
        total += tl.sum(tl.abs(a[:, None, :] - b[None, :, :]), 2)
    tl.store(out + row[:, None] * columns + column[None, :], total)


@jit
def resize_image(x, out, height, width, BLOCK: tl.constexpr):
    """Twice as many pixels in both directions, each between its four neighbours."""
    i, image = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK), tl.program_id(1) * height * width
    y, z = (i // (2 * width) + 0.5) / 2 - 0.5, (i % (2 * width) + 0.5) / 2 - 0.5
    y, z = tl.minimum(tl.maximum(y, 0.0), height - 1.0), tl.minimum(tl.maximum(z, 0.0), width - 1.0)
    top, left = y.to(tl.int32), z.to(tl.int32)
    down, right = tl.minimum(top + 1, height - 1), tl.minimum(left + 1, width - 1)
    below, beside = y - top, z - left
    first, second = image + top * width, image + down * width
    upper = tl.load(x + first + left) * (1 - beside) + tl.load(x + first + right) * beside
    lower = tl.load(x + second + left) * (1 - beside) + tl.load(x + second + right) * beside
    tl.store(out + 4 * image + i, upper * (1 - below) + lower * below)


@jit
def swap_axes(x, out, tokens, heads, BT: tl.constexpr, BH: tl.constexpr, D: tl.constexpr):
    """(token, head, D) as (head, token, D), BT tokens of BH heads."""
    token, head = tl.program_id(0) * BT + tl.arange(0, BT), tl.program_id(1) * BH + tl.arange(0, BH)
    c = tl.arange(0, D)[None, None, :]
    values = tl.load(x + (token[:, None, None] * heads + head[None, :, None]) * D + c)
    tl.store(out + (head[None, :, None] * tokens + token[:, None, None]) * D + c, values)


@jit
def count_values(x, counts, PER: tl.constexpr, BLOCK: tl.constexpr, BINS: tl.constexpr):
    """How often each number below BINS occurs, in PER blocks."""
    total = tl.zeros([BINS], dtype=tl.int32)
    for block in range(PER):
        i = (tl.program_id(0) * PER + block) * BLOCK + tl.arange(0, BLOCK)
        total += tl.histogram(tl.load(x + i).to(tl.int32), BINS)
    tl.atomic_add(counts + tl.arange(0, BINS), total, sem="relaxed")
