"""Kernels of specialized.py, for Triton and for ttkit: `jit` and `tl` are given by both_languages."""

# ruff: noqa: F821


@jit
def matmul(
    a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, STAGES: tl.constexpr, SPLIT: tl.constexpr
):
    """c = a @ b.T, a tile a program."""
    a_tiles = tl.make_tensor_descriptor(a, [m, k], [k, 1], [M, K])
    b_tiles = tl.make_tensor_descriptor(b, [n, k], [k, 1], [N, K])
    c_tiles = tl.make_tensor_descriptor(c, [m, n], [n, 1], [M, N])
    row, column = tl.program_id(0) * M, tl.program_id(1) * N
    total = tl.zeros((M, N), tl.float32)
    for step in tl.range(0, tl.cdiv(k, K), warp_specialize=SPLIT, num_stages=STAGES):
        total = tl.dot(a_tiles.load([row, step * K]), b_tiles.load([column, step * K]).T, total)
    c_tiles.store([row, column], total.to(tl.float16))


@jit
def persistent(
    a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, STAGES: tl.constexpr, SPLIT: tl.constexpr
):
    """The same, each program makes many tiles."""
    a_tiles = tl.make_tensor_descriptor(a, [m, k], [k, 1], [M, K])
    b_tiles = tl.make_tensor_descriptor(b, [n, k], [k, 1], [N, K])
    c_tiles = tl.make_tensor_descriptor(c, [m, n], [n, 1], [M, N])
    down = tl.cdiv(m, M)
    for tile in tl.range(tl.program_id(0), down * tl.cdiv(n, N), tl.num_programs(0), warp_specialize=SPLIT):
        row, column = tile % down * M, tile // down * N
        total = tl.zeros((M, N), tl.float32)
        for step in tl.range(0, tl.cdiv(k, K), num_stages=STAGES):
            total = tl.dot(a_tiles.load([row, step * K]), b_tiles.load([column, step * K]).T, total)
        c_tiles.store([row, column], total.to(tl.float16))


@jit
def attention(
    q,
    k,
    v,
    out,
    length,
    M: tl.constexpr,
    N: tl.constexpr,
    D: tl.constexpr,
    STAGES: tl.constexpr,
    SPLIT: tl.constexpr,
    CAUSAL: tl.constexpr,
):
    """softmax(q @ k.T) @ v for one head a row of programs."""
    head = tl.program_id(1) * length
    rows = tl.num_programs(1) * length
    q_tiles = tl.make_tensor_descriptor(q, [rows, D], [D, 1], [M, D])
    k_tiles = tl.make_tensor_descriptor(k, [rows, D], [D, 1], [N, D])
    v_tiles = tl.make_tensor_descriptor(v, [rows, D], [D, 1], [N, D])
    out_tiles = tl.make_tensor_descriptor(out, [rows, D], [D, 1], [M, D])
    first = tl.program_id(0) * M
    query = q_tiles.load([head + first, 0])
    largest = tl.full((M,), float("-inf"), tl.float32)
    total = tl.zeros((M,), tl.float32)
    result = tl.zeros((M, D), tl.float32)
    end = first + M if CAUSAL else length
    for start in tl.range(0, end, N, warp_specialize=SPLIT, num_stages=STAGES):
        scores = tl.dot(query, k_tiles.load([head + start, 0]).T) * (1.4426950408889634 / D**0.5)
        if CAUSAL:
            columns = start + tl.arange(0, N)
            scores = tl.where((first + tl.arange(0, M))[:, None] >= columns[None, :], scores, float("-inf"))
        new = tl.maximum(largest, tl.max(scores, 1))
        weights = tl.exp2(scores - new[:, None])
        factor = tl.exp2(largest - new)
        total = total * factor + tl.sum(weights, 1)
        result = result * factor[:, None]
        result = tl.dot(weights.to(tl.float16), v_tiles.load([head + start, 0]), result)
        largest = new
    out_tiles.store([head + first, 0], (result / total[:, None]).to(tl.float16))
