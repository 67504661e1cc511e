"""The products that bench/products.py measures, in either language: it sets `jit` and `tl`."""

# ruff: noqa: F821


@jit
def tile_of_program(program, m, n, BM: tl.constexpr, BN: tl.constexpr, GROUP: tl.constexpr):
    """Row and column of a program's tile: programs that run at the same time share rows and columns of tiles."""
    rows, columns = tl.cdiv(m, BM), tl.cdiv(n, BN)
    in_group = GROUP * columns
    first = (program // in_group) * GROUP
    size = min(rows - first, GROUP)
    return first + (program % in_group) % size, (program % in_group) // size


@jit
def matmul_ptr(
    a_ptr, b_ptr, c_ptr, m, n, k, stride_am, stride_ak, stride_bk, stride_bn, stride_cm,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, ACC: tl.constexpr,
):  # fmt: skip
    row, column = tile_of_program(tl.program_id(0), m, n, BM, BN, GROUP)
    rows = (row * BM + tl.arange(0, BM)) % m
    columns = (column * BN + tl.arange(0, BN)) % n
    inner = tl.arange(0, BK)
    a = a_ptr + rows[:, None] * stride_am + inner[None, :] * stride_ak
    b = b_ptr + inner[:, None] * stride_bk + columns[None, :] * stride_bn
    total = tl.zeros((BM, BN), dtype=ACC)
    for step in range(tl.cdiv(k, BK)):
        x = tl.load(a, mask=inner[None, :] < k - step * BK, other=0.0)
        y = tl.load(b, mask=inner[:, None] < k - step * BK, other=0.0)
        total = tl.dot(x, y, total, out_dtype=ACC)
        a += BK * stride_ak
        b += BK * stride_bk
    rows = row * BM + tl.arange(0, BM)
    columns = column * BN + tl.arange(0, BN)
    inside = (rows[:, None] < m) & (columns[None, :] < n)
    tl.store(c_ptr + rows[:, None] * stride_cm + columns[None, :], total.to(c_ptr.dtype.element_ty), mask=inside)


@jit
def matmul_tma(
    a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, ACC: tl.constexpr
):
    row, column = tile_of_program(tl.program_id(0), m, n, BM, BN, GROUP)
    total = tl.zeros((BM, BN), dtype=ACC)
    for step in range(tl.cdiv(k, BK)):
        x = a.load([row * BM, step * BK])
        y = b.load([column * BN, step * BK])
        total = tl.dot(x, y.T, total, out_dtype=ACC)
    c.store([row * BM, column * BN], total.to(c.dtype))


@jit
def matmul_tma_persistent(
    a, b, c, m, n, k, programs,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, ACC: tl.constexpr,
):  # fmt: skip
    tiles = tl.cdiv(m, BM) * tl.cdiv(n, BN)
    for tile in tl.range(tl.program_id(0), tiles, programs, flatten=True):
        row, column = tile_of_program(tile, m, n, BM, BN, GROUP)
        total = tl.zeros((BM, BN), dtype=ACC)
        for step in range(tl.cdiv(k, BK)):
            x = a.load([row * BM, step * BK])
            y = b.load([column * BN, step * BK])
            total = tl.dot(x, y.T, total, out_dtype=ACC)
        c.store([row * BM, column * BN], total.to(c.dtype))


@jit
def grouped_matmul(
    a_ptrs, b_ptrs, c_ptrs, sizes_ptr, groups, programs, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr
):
    """c[g] = a[g] @ b[g], all of sizes (m, n, k) of their own, row-major f16."""
    tile = tl.program_id(0)
    before = 0
    for group in range(groups):
        m = tl.load(sizes_ptr + 3 * group)
        n = tl.load(sizes_ptr + 3 * group + 1)
        k = tl.load(sizes_ptr + 3 * group + 2)
        columns_of_tiles = tl.cdiv(n, BN)
        tiles = tl.cdiv(m, BM) * columns_of_tiles
        while tile >= before and tile < before + tiles:
            a_ptr = tl.load(a_ptrs + group).to(tl.pointer_type(tl.float16))
            b_ptr = tl.load(b_ptrs + group).to(tl.pointer_type(tl.float16))
            c_ptr = tl.load(c_ptrs + group).to(tl.pointer_type(tl.float16))
            here = tile - before
            rows = (here // columns_of_tiles) * BM + tl.arange(0, BM)
            columns = (here % columns_of_tiles) * BN + tl.arange(0, BN)
            inner = tl.arange(0, BK)
            a = a_ptr + rows[:, None] * k + inner[None, :]
            b = b_ptr + inner[:, None] * n + columns[None, :]
            total = tl.zeros((BM, BN), dtype=tl.float32)
            for _ in range(tl.cdiv(k, BK)):
                tl.multiple_of(a, [16, 16])
                tl.multiple_of(b, [16, 16])
                total = tl.dot(tl.load(a), tl.load(b), total)
                a += BK
                b += BK * n
            tl.store(c_ptr + rows[:, None] * n + columns[None, :], total.to(tl.float16))
            tile += programs
        before = before + tiles


@jit
def attention(
    q_ptr, k_ptr, v_ptr, out_ptr, lse_ptr, stride_batch, stride_head, stride_token, heads, tokens, scale,
    BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr,
):  # fmt: skip
    start, batch_head = tl.program_id(0), tl.program_id(1)
    base = (batch_head // heads).to(tl.int64) * stride_batch + (batch_head % heads).to(tl.int64) * stride_head
    rows, columns, inner = start * BM + tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, D)
    q = tl.load(q_ptr + base + rows[:, None] * stride_token + inner[None, :])
    k_tile = k_ptr + base + columns[None, :] * stride_token + inner[:, None]
    v_tile = v_ptr + base + columns[:, None] * stride_token + inner[None, :]
    most = tl.full([BM], -float("inf"), dtype=tl.float32)
    sums = tl.zeros([BM], dtype=tl.float32)
    total = tl.zeros([BM, D], dtype=tl.float32)
    base2 = scale * 1.44269504
    end = tokens
    if CAUSAL:
        end = (start + 1) * BM
    for first in range(0, end, BN):
        scores = tl.dot(q, tl.load(k_tile)) * base2
        if CAUSAL:
            scores = tl.where(rows[:, None] >= (first + columns[None, :]), scores, -1.0e6)
        larger = tl.maximum(most, tl.max(scores, 1))
        p = tl.math.exp2(scores - larger[:, None])
        shrink = tl.math.exp2(most - larger)
        sums = sums * shrink + tl.sum(p, 1)
        total = total * shrink[:, None]
        total = tl.dot(p.to(tl.float16), tl.load(v_tile), total)
        most = larger
        k_tile += BN * stride_token
        v_tile += BN * stride_token
    tl.store(lse_ptr + batch_head * tokens + rows, most + tl.math.log2(sums))
    tl.store(out_ptr + base + rows[:, None] * stride_token + inner[None, :], (total / sums[:, None]).to(tl.float16))


@jit
def attention_backward(
    q_ptr, k_ptr, v_ptr, dout_ptr, dq_ptr, dk_ptr, dv_ptr, lse_ptr, delta_ptr,
    stride_batch, stride_head, stride_token, heads, tokens, scale,
    BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr,
):  # fmt: skip
    """Gradients of full attention: this program's BN keys and values, then its BN queries."""
    start, batch_head = tl.program_id(0), tl.program_id(1)
    base = (batch_head // heads).to(tl.int64) * stride_batch + (batch_head % heads).to(tl.int64) * stride_head
    lse_ptr += batch_head * tokens
    delta_ptr += batch_head * tokens
    mine, some, inner = start * BN + tl.arange(0, BN), tl.arange(0, BM), tl.arange(0, D)
    here = base + mine[:, None] * stride_token + inner[None, :]
    base2 = scale * 1.44269504
    k, v = tl.load(k_ptr + here), tl.load(v_ptr + here)
    dk, dv = tl.zeros([BN, D], dtype=tl.float32), tl.zeros([BN, D], dtype=tl.float32)
    for first in range(0, tokens, BM):
        rows = first + some
        there = base + rows[:, None] * stride_token + inner[None, :]
        queries, gradients = tl.load(q_ptr + there), tl.load(dout_ptr + there)
        pt = tl.math.exp2(tl.dot(k, tl.trans(queries)) * base2 - tl.load(lse_ptr + rows)[None, :])
        dv = tl.dot(pt.to(tl.float16), gradients, dv)
        dpt = tl.dot(v, tl.trans(gradients))
        dst = pt * (dpt - tl.load(delta_ptr + rows)[None, :])
        dk = tl.dot(dst.to(tl.float16), queries, dk)
    tl.store(dk_ptr + here, (dk * scale).to(tl.float16))
    tl.store(dv_ptr + here, dv.to(tl.float16))
    q, dout = tl.load(q_ptr + here), tl.load(dout_ptr + here)
    lse, delta = tl.load(lse_ptr + mine), tl.load(delta_ptr + mine)
    dq = tl.zeros([BN, D], dtype=tl.float32)
    for first in range(0, tokens, BM):
        there = base + (first + some)[:, None] * stride_token + inner[None, :]
        keys, values = tl.load(k_ptr + there), tl.load(v_ptr + there)
        p = tl.math.exp2(tl.dot(q, tl.trans(keys)) * base2 - lse[:, None])
        ds = p * (tl.dot(dout, tl.trans(values)) - delta[:, None])
        dq = tl.dot(ds.to(tl.float16), keys, dq)
    tl.store(dq_ptr + here, (dq * scale).to(tl.float16))


@jit
def flash_decoding(
    q_ptr, k_ptr, v_ptr, partial_ptr, lse_ptr, stride_batch, stride_token, heads, tokens, scale,
    QUERIES: tl.constexpr, BN: tl.constexpr, D: tl.constexpr, SPLITS: tl.constexpr,
):  # fmt: skip
    """Queries of one token, QUERIES heads to a head of keys; each program has one split of the tokens."""
    split, batch_head = tl.program_id(0), tl.program_id(1)
    length = tl.cdiv(tokens, SPLITS)
    rows, columns, inner = tl.arange(0, QUERIES), tl.arange(0, BN), tl.arange(0, D)
    q = tl.load(q_ptr + (batch_head * QUERIES + rows[:, None]) * D + inner[None, :])
    base = (batch_head // heads).to(tl.int64) * stride_batch + (batch_head % heads) * D
    most = tl.full([QUERIES], -float("inf"), dtype=tl.float32)
    sums = tl.zeros([QUERIES], dtype=tl.float32)
    total = tl.zeros([QUERIES, D], dtype=tl.float32)
    base2 = scale * 1.44269504
    for first in range(split * length, min((split + 1) * length, tokens), BN):
        token = first + columns
        inside = token < tokens
        k = tl.load(k_ptr + base + token[None, :] * stride_token + inner[:, None], mask=inside[None, :], other=0.0)
        v = tl.load(v_ptr + base + token[:, None] * stride_token + inner[None, :], mask=inside[:, None], other=0.0)
        scores = tl.where(inside[None, :], tl.dot(q, k) * base2, -float("inf"))
        larger = tl.maximum(most, tl.max(scores, 1))
        p = tl.math.exp2(scores - larger[:, None])
        shrink = tl.math.exp2(most - larger)
        sums = sums * shrink + tl.sum(p, 1)
        total = tl.dot(p.to(tl.float16), v, total * shrink[:, None])
        most = larger
    place = (batch_head * SPLITS + split) * QUERIES + rows
    tl.store(partial_ptr + place[:, None] * D + inner[None, :], total / sums[:, None])
    tl.store(lse_ptr + place, most + tl.math.log2(sums))
