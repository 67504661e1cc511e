"""Attention in Gluon of gluon.py, with roles for warps: `gluon` and `gl` are given by both_languages.

A program has GROUPS groups of four warps, each with 64 rows of the queries, and a warp that loads.  Blocks of keys go
from the last to the first, so the first block that is computed has the diagonal of a causal mask, or the end of the
tokens.  While a product of weights and values runs, threads compute the weights of the next block.
"""

# ruff: noqa: F821

mbarrier, tma = gl.nvidia.hopper.mbarrier, gl.nvidia.hopper.tma
fence_async_shared = gl.nvidia.hopper.fence_async_shared
warpgroup_mma = gl.nvidia.hopper.warpgroup_mma
warpgroup_mma_wait = gl.nvidia.hopper.warpgroup_mma_wait
ROWS = gl.constexpr(64)
MASKED = gl.constexpr(-float(1 << 24))
"""The score of a masked key: scaled, it differs by less than 1 from itself, where a row has no other yet."""


@gluon.jit
def place(tile, tokens, N: gl.constexpr, M: gl.constexpr, CAUSAL: gl.constexpr):
    """The first row of a tile, the row of its head's first token, and its number of blocks of keys: long ones first."""
    blocks = gl.cdiv(tokens, M)
    first = (blocks - 1 - tile % blocks) * M
    end = gl.cdiv(min(first + M, tokens) if CAUSAL else tokens, N)
    return first, tile // blocks * tokens, end


@gluon.jit
def load(tensor, row, full, tile):
    """Begins to load a tile."""
    size: gl.constexpr = tensor.block_shape[0] * tensor.block_shape[1] * 2
    mbarrier.expect(full, size)
    tma.async_copy_global_to_shared(tensor, [row, 0], full, tile)


@gluon.jit
def following(slot, phase, STAGES: gl.constexpr):
    """The next buffer slot, and the parity of its phase."""
    slot += 1
    if slot == STAGES:
        slot = 0
        phase = phase ^ 1
    return slot, phase


@gluon.jit
def loader(q, k, v, tiles, bars, tokens, heads, GROUPS: gl.constexpr, STAGES: gl.constexpr, CAUSAL: gl.constexpr):
    """The warp that loads."""
    q_tiles, k_tiles, v_tiles = tiles
    q_full, q_free, k_full, k_free, v_full, v_free = bars
    N: gl.constexpr = k.block_shape[0]
    M: gl.constexpr = ROWS * GROUPS
    slot, phase, turn = 0, 1, 1
    for tile in range(gl.program_id(0), heads * gl.cdiv(tokens, M), gl.num_programs(0)):
        first, base, end = place(tile, tokens, N, M, CAUSAL)
        for group in gl.static_range(GROUPS):
            mbarrier.wait(q_free.index(group), turn)
            load(q, base + first + group * ROWS, q_full.index(group), q_tiles.index(group))
        turn = turn ^ 1
        for step in range(end):
            row = base + (end - 1 - step) * N
            mbarrier.wait(k_free.index(slot), phase)
            load(k, row, k_full.index(slot), k_tiles.index(slot))
            mbarrier.wait(v_free.index(slot), phase)
            load(v, row, v_full.index(slot), v_tiles.index(slot))
            slot, phase = following(slot, phase, STAGES)


@gluon.jit
def masked(scores, row, column, tokens, CAUSAL: gl.constexpr):
    """Scores without keys after the tokens, or after the row's own."""
    layout: gl.constexpr = scores.type.layout
    columns = column + gl.arange(0, scores.shape[1], gl.SliceLayout(0, layout))
    if CAUSAL:
        rows = row + gl.arange(0, scores.shape[0], gl.SliceLayout(1, layout))
        kept = rows[:, None] >= columns[None, :]
    else:
        kept = columns[None, :] < tokens
    return gl.where(kept, scores, MASKED)


@gluon.jit
def take_turn(turns, GROUP: gl.constexpr, phase, TURNS: gl.constexpr):
    """Waits until the group before has started its products."""
    if TURNS:
        mbarrier.wait(turns.index(GROUP), phase ^ 1 if GROUP == 0 else phase)


@gluon.jit
def give_turn(turns, GROUP: gl.constexpr, GROUPS: gl.constexpr, TURNS: gl.constexpr):
    """Lets the next group start its products."""
    if TURNS:
        mbarrier.arrive(turns.index((GROUP + 1) % GROUPS), count=1)


@gluon.jit
def step_of(
    state, q_tile, tiles, bars, turns, place_of, tokens, base2,
    GROUP: gl.constexpr, GROUPS: gl.constexpr, STAGES: gl.constexpr,
    CAUSAL: gl.constexpr, MASK: gl.constexpr, TURNS: gl.constexpr, OVERLAP: gl.constexpr,
):  # fmt: skip
    """A block of keys: its scores, the product of the block before, its weights."""
    left, result, most, total, slot, phase, turn = state
    row, column = place_of
    _, k_tiles, v_tiles = tiles
    _q_full, _q_free, k_full, k_free, v_full, v_free = bars
    N: gl.constexpr = k_tiles.shape[1]
    of_scores: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, N, 16])
    of_result: gl.constexpr = result.type.layout
    ahead, ahead_phase = following(slot, phase, STAGES)
    mbarrier.wait(k_full.index(ahead), ahead_phase)
    take_turn(turns, GROUP, turn, TURNS)
    zeros = gl.zeros([ROWS, N], gl.float32, of_scores)
    running = warpgroup_mma(q_tile, k_tiles.index(ahead).permute([1, 0]), zeros, use_acc=False, is_async=True)
    mbarrier.wait(v_full.index(slot), phase)
    adding = warpgroup_mma(left, v_tiles.index(slot), result, is_async=True)
    give_turn(turns, GROUP, GROUPS, TURNS)
    if OVERLAP:
        scores = warpgroup_mma_wait(1, deps=[running])
    else:
        scores, result = warpgroup_mma_wait(0, deps=[running, adding])
        mbarrier.arrive(v_free.index(slot), count=1)
    mbarrier.arrive(k_free.index(ahead), count=1)
    if MASK:
        scores = masked(scores, row, column, tokens, CAUSAL)
    larger = gl.maximum(most, gl.max(scores, axis=1))
    shrink = gl.exp2((most - larger) * base2)
    weights = gl.exp2(scores * base2 - (larger * base2)[:, None])
    total = total * shrink + gl.sum(weights, axis=1)
    if OVERLAP:
        result, left = warpgroup_mma_wait(0, deps=[adding, left])
        mbarrier.arrive(v_free.index(slot), count=1)
    result = result * gl.convert_layout(shrink, gl.SliceLayout(1, of_result))[:, None]
    left = gl.convert_layout(weights.to(gl.float16), gl.DotOperandLayout(0, of_result, 2))
    return left, result, larger, total, ahead, ahead_phase, turn ^ 1


@gluon.jit
def group(
    GROUP: gl.constexpr, data, GROUPS: gl.constexpr, STAGES: gl.constexpr, CAUSAL: gl.constexpr,
    TURNS: gl.constexpr, OVERLAP: gl.constexpr, EVEN: gl.constexpr,
):  # fmt: skip
    """Four warps: the rows of a group, tile after tile."""
    out, tiles, out_tiles, bars, turns, tokens, heads, base2 = data
    q_tiles, k_tiles, v_tiles = tiles
    q_full, q_free, k_full, k_free, v_full, v_free = bars
    N: gl.constexpr = k_tiles.shape[1]
    D: gl.constexpr = k_tiles.shape[2]
    M: gl.constexpr = ROWS * GROUPS
    of_scores: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, N, 16])
    of_result: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, D, 16])
    by_row: gl.constexpr = gl.SliceLayout(1, of_result)
    q_tile = q_tiles.index(GROUP)
    slot, phase, turn, loaded = 0, 0, 0, 0
    for tile in range(gl.program_id(0), heads * gl.cdiv(tokens, M), gl.num_programs(0)):
        first, base, end = place(tile, tokens, N, M, CAUSAL)
        row = first + GROUP * ROWS
        mbarrier.wait(q_full.index(GROUP), loaded)
        loaded = loaded ^ 1
        mbarrier.wait(k_full.index(slot), phase)
        take_turn(turns, GROUP, turn, TURNS)
        zeros = gl.zeros([ROWS, N], gl.float32, of_scores)
        running = warpgroup_mma(q_tile, k_tiles.index(slot).permute([1, 0]), zeros, use_acc=False, is_async=True)
        give_turn(turns, GROUP, GROUPS, TURNS)
        scores = warpgroup_mma_wait(0, deps=[running])
        turn = turn ^ 1
        mbarrier.arrive(k_free.index(slot), count=1)
        if CAUSAL or not EVEN:
            scores = masked(scores, row, (end - 1) * N, tokens, CAUSAL)
        most = gl.max(scores, axis=1)
        weights = gl.exp2(scores * base2 - (most * base2)[:, None])
        total = gl.sum(weights, axis=1)
        left = gl.convert_layout(weights.to(gl.float16), gl.DotOperandLayout(0, of_result, 2))
        state = (left, gl.zeros([ROWS, D], gl.float32, of_result), most, total, slot, phase, turn)
        whole = end - 1
        if CAUSAL and N % M != 0:
            whole = min(first // N, end - 1)
            for step in range(end - 1 - whole):
                state = step_of(
                    state, q_tile, tiles, bars, turns, (row, (end - 2 - step) * N), tokens, base2,
                    GROUP, GROUPS, STAGES, CAUSAL, True, TURNS, OVERLAP,
                )  # fmt: skip
        for _ in range(whole):
            state = step_of(
                state, q_tile, tiles, bars, turns, (row, 0), tokens, base2,
                GROUP, GROUPS, STAGES, CAUSAL, False, TURNS, OVERLAP,
            )  # fmt: skip
        left, result, most, total, slot, phase, turn = state
        mbarrier.arrive(q_free.index(GROUP), count=1)
        mbarrier.wait(v_full.index(slot), phase)
        adding = warpgroup_mma(left, v_tiles.index(slot), result, is_async=True)
        result, left = warpgroup_mma_wait(0, deps=[adding, left])
        mbarrier.arrive(v_free.index(slot), count=1)
        slot, phase = following(slot, phase, STAGES)
        result = (result / gl.convert_layout(total, by_row)[:, None]).to(gl.float16)
        if EVEN:
            tma.store_wait(0)
            out_tiles.index(GROUP).store(result)
            fence_async_shared()
            tma.async_copy_shared_to_global(out, [base + row, 0], out_tiles.index(GROUP))
        else:
            rows = row + gl.arange(0, ROWS, by_row)
            columns = gl.arange(0, D, gl.SliceLayout(0, of_result))
            gl.store(out + (base + rows)[:, None] * D + columns[None, :], result, mask=(rows < tokens)[:, None])
    if EVEN:
        tma.store_wait(0)


@gluon.jit
def attention(
    q, k, v, out, tokens, heads, base2,
    GROUPS: gl.constexpr, STAGES: gl.constexpr, CAUSAL: gl.constexpr,
    TURNS: gl.constexpr, OVERLAP: gl.constexpr, EVEN: gl.constexpr, REGISTERS: gl.constexpr,
):  # fmt: skip
    """softmax(q @ k.T * scale) @ v of all heads; `base2` is scale * log2(e), EVEN that tiles and blocks are whole."""
    N: gl.constexpr = k.block_shape[0]
    D: gl.constexpr = k.block_shape[1]
    q_tiles = gl.allocate_shared_memory(gl.float16, [GROUPS, ROWS, D], q.layout)
    k_tiles = gl.allocate_shared_memory(gl.float16, [STAGES, N, D], k.layout)
    v_tiles = gl.allocate_shared_memory(gl.float16, [STAGES, N, D], v.layout)
    out_tiles = gl.allocate_shared_memory(gl.float16, [GROUPS if EVEN else 1, ROWS, D], q.layout)
    q_full = gl.allocate_shared_memory(gl.int64, [GROUPS, 1], mbarrier.MBarrierLayout())
    q_free = gl.allocate_shared_memory(gl.int64, [GROUPS, 1], mbarrier.MBarrierLayout())
    turns = gl.allocate_shared_memory(gl.int64, [GROUPS, 1], mbarrier.MBarrierLayout())
    k_full = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    k_free = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    v_full = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    v_free = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    for each in gl.static_range(GROUPS):
        mbarrier.init(q_full.index(each), count=1)
        mbarrier.init(q_free.index(each), count=1)
        mbarrier.init(turns.index(each), count=1)
    for each in gl.static_range(STAGES):
        mbarrier.init(k_full.index(each), count=1)
        mbarrier.init(v_full.index(each), count=1)
        mbarrier.init(k_free.index(each), count=GROUPS)
        mbarrier.init(v_free.index(each), count=GROUPS)
    tiles = (q_tiles, k_tiles, v_tiles)
    bars = (q_full, q_free, k_full, k_free, v_full, v_free)
    data = (out, tiles, out_tiles, bars, turns, tokens, heads, base2)
    if GROUPS == 2:
        gl.warp_specialize(
            [
                (group, (0, data, GROUPS, STAGES, CAUSAL, TURNS, OVERLAP, EVEN)),
                (group, (1, data, GROUPS, STAGES, CAUSAL, TURNS, OVERLAP, EVEN)),
                (loader, (q, k, v, tiles, bars, tokens, heads, GROUPS, STAGES, CAUSAL)),
            ],
            [4, 1],
            [REGISTERS, 24],
        )
    else:
        gl.static_assert(GROUPS == 3)
        gl.warp_specialize(
            [
                (group, (0, data, GROUPS, STAGES, CAUSAL, TURNS, OVERLAP, EVEN)),
                (group, (1, data, GROUPS, STAGES, CAUSAL, TURNS, OVERLAP, EVEN)),
                (group, (2, data, GROUPS, STAGES, CAUSAL, TURNS, OVERLAP, EVEN)),
                (loader, (q, k, v, tiles, bars, tokens, heads, GROUPS, STAGES, CAUSAL)),
            ],
            [4, 4, 1],
            [REGISTERS, REGISTERS, 24],
        )
