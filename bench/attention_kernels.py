"""Attention as tutorials and packages write it, for Triton and for ttkit: `jit` and `tl` are given by both_languages.

A causal mask has two loops, for the blocks below the diagonal and for those on it; the second one goes on with the
pointers of the first.
"""

# ruff: noqa: F821


@jit
def forward(
    q_ptr, k_ptr, v_ptr, out_ptr, lse_ptr, scale, stride_head, stride_token, tokens,
    BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr, BY: tl.constexpr,
):  # fmt: skip
    """softmax(q @ k.T) @ v of a head, tile by tile; BY: 0 pointers, 1 block pointers, 2 descriptors of the host."""
    start, head = tl.program_id(0), tl.program_id(1)
    base = head.to(tl.int64) * stride_head
    rows, columns, inner = start * BM + tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, D)
    if BY == 0:
        q = tl.load(q_ptr + base + rows[:, None] * stride_token + inner[None, :])
        k_tile = k_ptr + base + columns[None, :] * stride_token + inner[:, None]
        v_tile = v_ptr + base + columns[:, None] * stride_token + inner[None, :]
    elif BY == 1:
        q = tl.load(tl.make_block_ptr(q_ptr + base, (tokens, D), (stride_token, 1), (start * BM, 0), (BM, D), (1, 0)))
        k_tile = tl.make_block_ptr(k_ptr + base, (D, tokens), (1, stride_token), (0, 0), (D, BN), (0, 1))
        v_tile = tl.make_block_ptr(v_ptr + base, (tokens, D), (stride_token, 1), (0, 0), (BN, D), (1, 0))
    else:
        q = q_ptr.load([head * tokens + start * BM, 0])
    most = tl.full([BM], -float("inf"), dtype=tl.float32)
    sums = tl.zeros([BM], dtype=tl.float32)
    total = tl.zeros([BM, D], dtype=tl.float32)
    base2 = scale * 1.44269504
    for part in tl.static_range(2 if CAUSAL else 1):
        first, end = 0, tokens
        if CAUSAL:
            first, end = (0, start * BM) if part == 0 else (tl.multiple_of(start * BM, BM), (start + 1) * BM)
        for column in tl.range(first, end, BN):
            scores = tl.dot(q, k_ptr.load([head * tokens + column, 0]).T) if BY == 2 else tl.dot(q, tl.load(k_tile))
            if part == 1:
                scores = scores * base2 + tl.where(rows[:, None] >= column + columns[None, :], 0, -1.0e6)
                larger = tl.maximum(most, tl.max(scores, 1))
                scores -= larger[:, None]
            else:
                larger = tl.maximum(most, tl.max(scores, 1) * base2)
                scores = scores * base2 - larger[:, None]
            p = tl.math.exp2(scores)
            shrink = tl.math.exp2(most - larger)
            sums = sums * shrink + tl.sum(p, 1)
            total = total * shrink[:, None]
            v = v_ptr.load([head * tokens + column, 0]) if BY == 2 else tl.load(v_tile)
            total = tl.dot(p.to(tl.float16), v, total)
            most = larger
            if BY == 0:
                k_tile += BN * stride_token
                v_tile += BN * stride_token
            elif BY == 1:
                k_tile = tl.advance(k_tile, (0, BN))
                v_tile = tl.advance(v_tile, (BN, 0))
    tl.store(lse_ptr + head * tokens + rows, most + tl.math.log2(sums))
    tl.store(out_ptr + base + rows[:, None] * stride_token + inner[None, :], (total / sums[:, None]).to(tl.float16))


@jit
def keys_and_values(
    q_ptr, k_ptr, v_ptr, dout_ptr, dk_ptr, dv_ptr, lse_ptr, delta_ptr, scale, stride_head, stride_token, tokens,
    BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr,
):  # fmt: skip
    """Gradients of BN keys and values, with bounds; the pointers are made anew for each tile of queries."""
    start, head = tl.program_id(0), tl.program_id(1)
    base, mine, inner = head * stride_head, start * BN + tl.arange(0, BN), tl.arange(0, D)
    here = base + mine[:, None] * stride_token + inner[None, :]
    k = tl.load(k_ptr + here, mask=mine[:, None] < tokens, other=0.0)
    v = tl.load(v_ptr + here, mask=mine[:, None] < tokens, other=0.0)
    dk, dv = tl.zeros([BN, D], dtype=tl.float32), tl.zeros([BN, D], dtype=tl.float32)
    first = 0
    if CAUSAL:
        first = start * BN // BM * BM
    for row in range(first, tokens, BM):
        rows = row + tl.arange(0, BM)
        there = base + rows[:, None] * stride_token + inner[None, :]
        q = tl.load(q_ptr + there, mask=rows[:, None] < tokens, other=0.0)
        dout = tl.load(dout_ptr + there, mask=rows[:, None] < tokens, other=0.0)
        lse = tl.load(lse_ptr + head * tokens + rows, mask=rows < tokens, other=0.0)
        delta = tl.load(delta_ptr + head * tokens + rows, mask=rows < tokens, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * (scale * 1.44269504)
        if CAUSAL:
            scores = tl.where(rows[:, None] >= mine[None, :], scores, float("-inf"))
        p = tl.math.exp2(scores - lse[:, None])
        dv += tl.dot(tl.trans(p.to(tl.float16)), dout)
        ds = (p * (tl.dot(dout, tl.trans(v)) - delta[:, None]) * scale).to(tl.float16)
        dk += tl.dot(tl.trans(ds), q)
    tl.store(dk_ptr + here, dk.to(tl.float16), mask=mine[:, None] < tokens)
    tl.store(dv_ptr + here, dv.to(tl.float16), mask=mine[:, None] < tokens)


@jit
def queries(
    q_ptr, k_ptr, v_ptr, dout_ptr, dq_ptr, lse_ptr, delta_ptr, scale, stride_head, stride_token, tokens,
    BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr,
):  # fmt: skip
    """Gradients of BM queries, with bounds and pointers that advance."""
    start, head = tl.program_id(0), tl.program_id(1)
    base, rows, inner = head * stride_head, start * BM + tl.arange(0, BM), tl.arange(0, D)
    here = base + rows[:, None] * stride_token + inner[None, :]
    q = tl.load(q_ptr + here, mask=rows[:, None] < tokens, other=0.0)
    dout = tl.load(dout_ptr + here, mask=rows[:, None] < tokens, other=0.0)
    lse = tl.load(lse_ptr + head * tokens + rows, mask=rows < tokens, other=0.0)
    delta = tl.load(delta_ptr + head * tokens + rows, mask=rows < tokens, other=0.0)
    dq = tl.zeros([BM, D], dtype=tl.float32)
    end = tokens
    if CAUSAL:
        end = tl.minimum(tokens, (start + 1) * BM)
    k_tile = k_ptr + base + tl.arange(0, BN)[:, None] * stride_token + inner[None, :]
    v_tile = v_ptr + base + tl.arange(0, BN)[:, None] * stride_token + inner[None, :]
    for column in range(0, end, BN):
        columns = column + tl.arange(0, BN)
        k = tl.load(k_tile, mask=columns[:, None] < tokens, other=0.0)
        v = tl.load(v_tile, mask=columns[:, None] < tokens, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * (scale * 1.44269504)
        if CAUSAL:
            scores = tl.where(rows[:, None] >= columns[None, :], scores, float("-inf"))
        p = tl.math.exp2(scores - lse[:, None])
        ds = (p * (tl.dot(dout, tl.trans(v)) - delta[:, None]) * scale).to(tl.float16)
        dq += tl.dot(ds, k)
        k_tile += BN * stride_token
        v_tile += BN * stride_token
    tl.store(dq_ptr + here, dq.to(tl.float16), mask=rows[:, None] < tokens)


@jit
def all_gradients(
    q_ptr, k_ptr, v_ptr, dout_ptr, dq_ptr, dk_ptr, dv_ptr, lse_ptr, delta_ptr, scale, stride_head, stride_token, tokens,
    BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr, BY: tl.constexpr,
):  # fmt: skip
    """Gradients of BN keys and values in one loop of five products, which adds to those of queries, f32, by atomics.

    BY: 0 pointers, 2 descriptors of the host.
    """
    start, head = tl.program_id(0), tl.program_id(1)
    base, mine, inner = head.to(tl.int64) * stride_head, start * BN + tl.arange(0, BN), tl.arange(0, D)
    here = base + mine[:, None] * stride_token + inner[None, :]
    some = tl.arange(0, BM)
    if BY == 0:
        k, v = tl.load(k_ptr + here), tl.load(v_ptr + here)
    else:
        k, v = k_ptr.load([head * tokens + start * BN, 0]), v_ptr.load([head * tokens + start * BN, 0])
    dk, dv = tl.zeros([BN, D], dtype=tl.float32), tl.zeros([BN, D], dtype=tl.float32)
    base2 = scale * 1.44269504
    first = start * BN if CAUSAL else 0
    for row in tl.range(first, tokens, BM):
        rows = row + some
        there = base + rows[:, None] * stride_token + inner[None, :]
        if BY == 0:
            q, dout = tl.load(q_ptr + there), tl.load(dout_ptr + there)
        else:
            q, dout = q_ptr.load([head * tokens + row, 0]), dout_ptr.load([head * tokens + row, 0])
        scores = tl.dot(k, q.T) * base2 - tl.load(lse_ptr + head * tokens + rows)[None, :]
        if CAUSAL:
            scores = tl.where(rows[None, :] >= mine[:, None], scores, float("-inf"))
        p = tl.math.exp2(scores)
        dv = tl.dot(p.to(tl.float16), dout, dv)
        ds = p * (tl.dot(v, dout.T) - tl.load(delta_ptr + head * tokens + rows)[None, :])
        ds = ds.to(tl.float16)
        dk = tl.dot(ds, q, dk)
        dq = tl.dot(ds.T, k) * scale
        if BY == 0:
            tl.atomic_add(dq_ptr + there, dq, sem="relaxed")
        else:
            dq_ptr.atomic_add([head * tokens + row, 0], dq)
    tl.store(dk_ptr + here, (dk * scale).to(tl.float16))
    tl.store(dv_ptr + here, dv.to(tl.float16))


@jit
def window_attention(q, k, v, o, tokens, scale, window, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    """Attention to the `window` tokens before each."""
    first, head = tl.program_id(0) * BM, tl.program_id(1) * tokens
    rows, part, inner = first + tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, D)
    x = tl.load(q + (head + rows)[:, None] * D + inner[None, :])
    top = tl.full((BM,), -1e30, dtype=tl.float32)
    sums = tl.zeros((BM,), dtype=tl.float32)
    total = tl.zeros((BM, D), dtype=tl.float32)
    for start in range(max(0, (first - window) // BN * BN), first + BM, BN):
        columns = start + part
        y = tl.load(k + (head + columns)[None, :] * D + inner[:, None])
        seen = (columns[None, :] <= rows[:, None]) & (columns[None, :] + window > rows[:, None])
        scores = tl.where(seen, tl.dot(x, y) * (scale * 1.44269504), -1e30)
        highest = tl.maximum(top, tl.max(scores, 1))
        weights = tl.where(seen, tl.math.exp2(scores - highest[:, None]), 0.0)
        old = tl.math.exp2(top - highest)
        z = tl.load(v + (head + columns)[:, None] * D + inner[None, :])
        total = tl.dot(weights.to(z.dtype), z, total * old[:, None])
        sums = sums * old + tl.sum(weights, 1)
        top = highest
    tl.store(o + (head + rows)[:, None] * D + inner[None, :], (total / sums[:, None]).to(o.dtype.element_ty))


@jit
def paged_decoding(
    q, k, v, pages, partial, sums_of, tokens, heads, scale,
    QUERIES: tl.constexpr, BN: tl.constexpr, D: tl.constexpr, PAGE: tl.constexpr, SPLITS: tl.constexpr,
):  # fmt: skip
    """Attention of one token to keys and values in pages of PAGE tokens, of one of SPLITS parts of the tokens."""
    split, head, batch = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    rows, part, inner = tl.arange(0, QUERIES), tl.arange(0, BN), tl.arange(0, D)
    place = (batch * heads + head) * QUERIES + rows
    x = tl.load(q + place[:, None] * D + inner[None, :])
    top = tl.full((QUERIES,), -1e30, dtype=tl.float32)
    sums = tl.zeros((QUERIES,), dtype=tl.float32)
    total = tl.zeros((QUERIES, D), dtype=tl.float32)
    length = tl.cdiv(tokens, SPLITS)
    for start in range(split * length, min(split * length + length, tokens), BN):
        token = start + part
        page = tl.load(pages + batch * (tokens // PAGE) + token // PAGE, mask=token < tokens, other=0)
        at = ((page * PAGE + token % PAGE) * heads + head) * D
        y = tl.load(k + at[None, :] + inner[:, None])
        scores = tl.where((token < tokens)[None, :], tl.dot(x, y) * (scale * 1.44269504), -1e30)
        highest = tl.maximum(top, tl.max(scores, 1))
        weights = tl.math.exp2(scores - highest[:, None])
        old = tl.math.exp2(top - highest)
        total = tl.dot(weights.to(tl.float16), tl.load(v + at[:, None] + inner[None, :]), total * old[:, None])
        sums = sums * old + tl.sum(weights, 1)
        top = highest
    where = (place * SPLITS + split)[:, None] * D + inner[None, :]
    tl.store(partial + where, total / sums[:, None])
    tl.store(sums_of + place * SPLITS + split, top + tl.math.log2(sums))
