"""Products in Gluon of gluon.py, `c = a @ b.T`: `gluon` and `gl` are given by both_languages."""

# ruff: noqa: F821

mbarrier, tma = gl.nvidia.hopper.mbarrier, gl.nvidia.hopper.tma
fence_async_shared = gl.nvidia.hopper.fence_async_shared
warpgroup_mma = gl.nvidia.hopper.warpgroup_mma
warpgroup_mma_wait = gl.nvidia.hopper.warpgroup_mma_wait


@gluon.jit
def place(tile, down, across, GROUP: gl.constexpr):
    """The row and column of a tile: GROUP rows of tiles are made column by column, so that L2 has what they share."""
    first = tile // (GROUP * across) * GROUP
    rows = min(down - first, GROUP)
    inside = tile % (GROUP * across)
    return first + inside % rows, inside // rows


@gluon.jit
def load_step(a, b, row, column, step, a_tiles, b_tiles, full, slot, pred):
    """Begins to load the tiles of a step along K into a slot."""
    K: gl.constexpr = a.block_shape[1]
    size: gl.constexpr = (a.block_shape[0] + b.block_shape[0]) * K * 2
    mbarrier.expect(full.index(slot), size, pred=pred)
    tma.async_copy_global_to_shared(a, [row, step * K], full.index(slot), a_tiles.index(slot), pred=pred)
    tma.async_copy_global_to_shared(b, [column, step * K], full.index(slot), b_tiles.index(slot), pred=pred)


@gluon.jit
def halves(total):
    """The left and right half of the columns; each thread has a part of both."""
    return total.reshape([total.shape[0], 2, total.shape[1] // 2]).permute([0, 2, 1]).split()


@gluon.jit
def store_part(c, row, column, part, parts, slot: gl.constexpr):
    """Begins to store a part of a tile, once the store before the last one has read its buffer."""
    tma.store_wait(1)
    parts.index(slot).store(part.to(gl.float16))
    fence_async_shared()
    tma.async_copy_shared_to_global(c, [row, column], parts.index(slot))


@gluon.jit
def store_tile(c, row, column, total, parts):
    """Begins to store a tile in parts as wide as `c`'s blocks: all of it, halves or quarters."""
    N: gl.constexpr = total.shape[1]
    W: gl.constexpr = c.block_shape[1]
    if W == N:
        tma.store_wait(0)  # there is one buffer
        store_part(c, row, column, total, parts, 0)
    elif W * 2 == N:
        left, right = halves(total)
        store_part(c, row, column, left, parts, 0)
        store_part(c, row, column + W, right, parts, 1)
    else:
        gl.static_assert(W * 4 == N)
        left, right = halves(total)
        first, second = halves(left)
        third, fourth = halves(right)
        store_part(c, row, column, first, parts, 0)
        store_part(c, row, column + W, second, parts, 1)
        store_part(c, row, column + 2 * W, third, parts, 0)
        store_part(c, row, column + 3 * W, fourth, parts, 1)


@gluon.jit
def ring(a, b, c, m, n, k, STAGES: gl.constexpr, GROUP: gl.constexpr):
    """wgmma: a tile a program; a product runs while the next one starts, and TMA fills the slots of the ended ones."""
    M: gl.constexpr = a.block_shape[0]
    N: gl.constexpr = b.block_shape[0]
    K: gl.constexpr = a.block_shape[1]
    at, right = place(gl.program_id(0), gl.cdiv(m, M), gl.cdiv(n, N), GROUP)
    row, column, steps = at * M, right * N, gl.cdiv(k, K)
    a_tiles = gl.allocate_shared_memory(gl.float16, [STAGES, M, K], a.layout)
    b_tiles = gl.allocate_shared_memory(gl.float16, [STAGES, N, K], b.layout)
    full = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    for each in gl.static_range(STAGES):
        mbarrier.init(full.index(each), count=1)
    for each in gl.static_range(STAGES - 1):
        load_step(a, b, row, column, each, a_tiles, b_tiles, full, each, each < steps)
    mma: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [gl.num_warps(), 1], [16, N, 16])
    total = gl.zeros([M, N], gl.float32, mma)
    for step in range(steps):
        slot = step % STAGES
        mbarrier.wait(full.index(slot), step // STAGES & 1)
        running = warpgroup_mma(a_tiles.index(slot), b_tiles.index(slot).permute([1, 0]), total, is_async=True)
        total = warpgroup_mma_wait(1, deps=[running])
        ahead = step + STAGES - 1
        load_step(a, b, row, column, ahead, a_tiles, b_tiles, full, ahead % STAGES, ahead < steps)
    total = warpgroup_mma_wait(0, deps=[total])
    parts = gl.allocate_shared_memory(gl.float16, [1 if c.block_shape[1] == N else 2, M, c.block_shape[1]], c.layout)
    store_tile(c, row, column, total, parts)
    tma.store_wait(0)


@gluon.jit
def persistent(a, b, c, m, n, k, STAGES: gl.constexpr, GROUP: gl.constexpr):
    """Persistence: each program makes many tiles; the loads of the next one begin before this one is stored."""
    M: gl.constexpr = a.block_shape[0]
    N: gl.constexpr = b.block_shape[0]
    K: gl.constexpr = a.block_shape[1]
    down, across, steps = gl.cdiv(m, M), gl.cdiv(n, N), gl.cdiv(k, K)
    tiles = down * across
    mine = gl.cdiv(tiles - gl.program_id(0), gl.num_programs(0))
    a_tiles = gl.allocate_shared_memory(gl.float16, [STAGES, M, K], a.layout)
    b_tiles = gl.allocate_shared_memory(gl.float16, [STAGES, N, K], b.layout)
    parts = gl.allocate_shared_memory(gl.float16, [1 if c.block_shape[1] == N else 2, M, c.block_shape[1]], c.layout)
    full = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    for each in gl.static_range(STAGES):
        mbarrier.init(full.index(each), count=1)
    mma: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [gl.num_warps(), 1], [16, N, 16])
    at, right = place(gl.program_id(0), down, across, GROUP)
    row, column = at * M, right * N
    load_row, load_column, load_at = row, column, 0
    load_tile = gl.program_id(0)
    for each in gl.static_range(STAGES - 1):
        load_step(a, b, row, column, each, a_tiles, b_tiles, full, each, each < mine * steps)
        load_at += 1
    done = 0
    for tile in range(gl.program_id(0), tiles, gl.num_programs(0)):
        at, right = place(tile, down, across, GROUP)
        row, column = at * M, right * N
        total = gl.zeros([M, N], gl.float32, mma)
        for _ in range(steps):
            slot = done % STAGES
            mbarrier.wait(full.index(slot), done // STAGES & 1)
            running = warpgroup_mma(a_tiles.index(slot), b_tiles.index(slot).permute([1, 0]), total, is_async=True)
            total = warpgroup_mma_wait(1, deps=[running])
            if load_at == steps:
                load_at = 0
                load_tile += gl.num_programs(0)
                at, right = place(load_tile, down, across, GROUP)
                load_row, load_column = at * M, right * N
            ahead = done + STAGES - 1
            load_step(
                a, b, load_row, load_column, load_at, a_tiles, b_tiles, full, ahead % STAGES, ahead < mine * steps
            )  # fmt: skip
            load_at += 1
            done += 1
        total = warpgroup_mma_wait(0, deps=[total])
        store_tile(c, row, column, total, parts)
    tma.store_wait(0)


@gluon.jit
def loader(a, b, m, n, k, a_tiles, b_tiles, full, free, STAGES: gl.constexpr, GROUP: gl.constexpr):
    """The warp that loads, tile after tile."""
    M: gl.constexpr = a.block_shape[0]
    N: gl.constexpr = b.block_shape[0]
    K: gl.constexpr = a.block_shape[1]
    down, across, steps = gl.cdiv(m, M), gl.cdiv(n, N), gl.cdiv(k, K)
    slot, phase = 0, 1
    for tile in range(gl.program_id(0), down * across, gl.num_programs(0)):
        at, right = place(tile, down, across, GROUP)
        for step in range(steps):
            mbarrier.wait(free.index(slot), phase)
            load_step(a, b, at * M, right * N, step, a_tiles, b_tiles, full, slot, True)
            slot += 1
            if slot == STAGES:
                slot = 0
                phase = phase ^ 1


@gluon.jit
def multiplier(
    c, m, n, k, a_tiles, b_tiles, parts, full, free, WARPS: gl.constexpr, STAGES: gl.constexpr, GROUP: gl.constexpr
):  # fmt: skip
    """The warps that multiply, and store the tiles."""
    M: gl.constexpr = a_tiles.shape[1]
    N: gl.constexpr = b_tiles.shape[1]
    K: gl.constexpr = a_tiles.shape[2]
    down, across, steps = gl.cdiv(m, M), gl.cdiv(n, N), gl.cdiv(k, K)
    mma: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [WARPS, 1], [16, N, 16])
    slot, phase, before = 0, 0, STAGES - 1
    for tile in range(gl.program_id(0), down * across, gl.num_programs(0)):
        at, right = place(tile, down, across, GROUP)
        total = gl.zeros([M, N], gl.float32, mma)
        for step in range(steps):
            mbarrier.wait(full.index(slot), phase)
            running = warpgroup_mma(a_tiles.index(slot), b_tiles.index(slot).permute([1, 0]), total, is_async=True)
            total = warpgroup_mma_wait(1, deps=[running])
            mbarrier.arrive(free.index(before), count=1, pred=step > 0)
            before = slot
            slot += 1
            if slot == STAGES:
                slot = 0
                phase = phase ^ 1
        total = warpgroup_mma_wait(0, deps=[total])
        mbarrier.arrive(free.index(before), count=1)
        store_tile(c, at * M, right * N, total, parts)
    tma.store_wait(0)


@gluon.jit
def roles(a, b, c, m, n, k, WARPS: gl.constexpr, STAGES: gl.constexpr, GROUP: gl.constexpr):
    """Warp specialization: `persistent`, where one warp loads; the stores overlap the next tile's loads."""
    M: gl.constexpr = a.block_shape[0]
    N: gl.constexpr = b.block_shape[0]
    K: gl.constexpr = a.block_shape[1]
    a_tiles = gl.allocate_shared_memory(gl.float16, [STAGES, M, K], a.layout)
    b_tiles = gl.allocate_shared_memory(gl.float16, [STAGES, N, K], b.layout)
    parts = gl.allocate_shared_memory(gl.float16, [1 if c.block_shape[1] == N else 2, M, c.block_shape[1]], c.layout)
    full = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    free = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    for each in gl.static_range(STAGES):
        mbarrier.init(full.index(each), count=1)
        mbarrier.init(free.index(each), count=1)
    gl.warp_specialize(
        [
            (multiplier, (c, m, n, k, a_tiles, b_tiles, parts, full, free, WARPS, STAGES, GROUP)),
            (loader, (a, b, m, n, k, a_tiles, b_tiles, full, free, STAGES, GROUP)),
        ],
        [1],
        [24],
    )
