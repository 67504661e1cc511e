"""Kernels of gluon.py by subject, for Triton and for ttkit: `gluon` and `gl` are given by both_languages."""

# ruff: noqa: F821

async_copy, mbarrier, tma = gl.nvidia.ampere.async_copy, gl.nvidia.hopper.mbarrier, gl.nvidia.hopper.tma
fence_async_shared = gl.nvidia.hopper.fence_async_shared
warpgroup_mma = gl.nvidia.hopper.warpgroup_mma
warpgroup_mma_wait = gl.nvidia.hopper.warpgroup_mma_wait


@gluon.jit
def copied(source, target, n, BLOCK: gl.constexpr, layout: gl.constexpr):
    """Introduction: a copy of n numbers, BLOCK a program."""
    index = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    mask = index < n
    gl.store(target + index, gl.load(source + index, mask=mask), mask=mask)


@gluon.jit
def transposed(
    source, target, rows, columns, M: gl.constexpr, N: gl.constexpr, read: gl.constexpr, write: gl.constexpr
):  # fmt: skip
    """Layouts: a block is read in one layout and written turned in another, each along its rows."""
    row = gl.program_id(0) * M + gl.arange(0, M, gl.SliceLayout(1, read))
    column = gl.program_id(1) * N + gl.arange(0, N, gl.SliceLayout(0, read))
    inside = (row[:, None] < rows) & (column[None, :] < columns)
    block = gl.load(source + row[:, None] * columns + column[None, :], mask=inside)
    turned = gl.convert_layout(block.trans(), write)
    row = gl.program_id(1) * N + gl.arange(0, N, gl.SliceLayout(1, write))
    column = gl.program_id(0) * M + gl.arange(0, M, gl.SliceLayout(0, write))
    inside = (row[:, None] < columns) & (column[None, :] < rows)
    gl.store(target + row[:, None] * rows + column[None, :], turned, mask=inside)


@gluon.jit
def copy_piece(a, b, a_buffers, b_buffers, first, step, end, STAGES: gl.constexpr, layout: gl.constexpr):
    """Begins to copy a piece of both vectors; the group is committed even if it is empty."""
    BLOCK: gl.constexpr = a_buffers.shape[1]
    index = first + step * BLOCK + gl.arange(0, BLOCK, layout)
    async_copy.async_copy_global_to_shared(a_buffers.index(step % STAGES), a + index, mask=index < end)
    async_copy.async_copy_global_to_shared(b_buffers.index(step % STAGES), b + index, mask=index < end)
    async_copy.commit_group()


@gluon.jit
def added_by_async_copies(
    a, b, c, n, steps, BLOCK: gl.constexpr, STAGES: gl.constexpr, layout: gl.constexpr, shared: gl.constexpr
):  # fmt: skip
    """Async copy: a sum of vectors; a program makes `steps` pieces of BLOCK, STAGES - 1 of which are on their way."""
    first = gl.program_id(0) * steps * BLOCK
    a_buffers = gl.allocate_shared_memory(gl.float32, [STAGES, BLOCK], shared)
    b_buffers = gl.allocate_shared_memory(gl.float32, [STAGES, BLOCK], shared)
    for each in gl.static_range(STAGES - 1):
        copy_piece(a, b, a_buffers, b_buffers, first, each, n, STAGES, layout)
    for step in range(steps):
        copy_piece(a, b, a_buffers, b_buffers, first, step + STAGES - 1, n, STAGES, layout)
        async_copy.wait_group(STAGES - 1)
        total = a_buffers.index(step % STAGES).load(layout) + b_buffers.index(step % STAGES).load(layout)
        index = first + step * BLOCK + gl.arange(0, BLOCK, layout)
        gl.store(c + index, total, mask=index < n)


@gluon.jit
def load_tiles(a, b, row, column, a_tiles, b_tiles, full, slot, pred):
    """Begins to load a tile of both matrices into their slots."""
    size: gl.constexpr = (a.block_shape[0] * a.block_shape[1] + b.block_shape[0] * b.block_shape[1]) * (
        a.dtype.primitive_bitwidth // 8
    )
    mbarrier.expect(full.index(slot), size, pred=pred)
    tma.async_copy_global_to_shared(a, [row, column], full.index(slot), a_tiles.index(slot), pred=pred)
    tma.async_copy_global_to_shared(b, [row, column], full.index(slot), b_tiles.index(slot), pred=pred)


@gluon.jit
def added_by_tma(a, b, c, steps, STAGES: gl.constexpr, layout: gl.constexpr):
    """TMA: a sum of matrices; a program makes `steps` tiles of some rows, and TMA stores them while it goes on."""
    M: gl.constexpr = a.block_shape[0]
    N: gl.constexpr = a.block_shape[1]
    row = gl.program_id(0) * M
    first = gl.program_id(1) * steps * N
    a_tiles = gl.allocate_shared_memory(gl.float32, [STAGES, M, N], a.layout)
    b_tiles = gl.allocate_shared_memory(gl.float32, [STAGES, M, N], b.layout)
    c_tiles = gl.allocate_shared_memory(gl.float32, [2, M, N], c.layout)
    full = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    for each in gl.static_range(STAGES):
        mbarrier.init(full.index(each), count=1)
    for each in gl.static_range(STAGES - 1):
        load_tiles(a, b, row, first + each * N, a_tiles, b_tiles, full, each, each < steps)
    for step in range(steps):
        ahead = step + STAGES - 1
        load_tiles(a, b, row, first + ahead * N, a_tiles, b_tiles, full, ahead % STAGES, ahead < steps)
        mbarrier.wait(full.index(step % STAGES), step // STAGES & 1)
        total = a_tiles.index(step % STAGES).load(layout) + b_tiles.index(step % STAGES).load(layout)
        tma.store_wait(1)
        c_tiles.index(step % 2).store(total)
        fence_async_shared()
        tma.async_copy_shared_to_global(c, [row, first + step * N], c_tiles.index(step % 2))
    tma.store_wait(0)


@gluon.jit
def adding_loader(a, b, row, first, steps, a_tiles, b_tiles, full, free, STAGES: gl.constexpr):
    """The warp that loads."""
    for step in range(steps):
        slot = step % STAGES
        mbarrier.wait(free.index(slot), step // STAGES & 1 ^ 1)
        load_tiles(a, b, row, first + step * a.block_shape[1], a_tiles, b_tiles, full, slot, True)


@gluon.jit
def adder(
    c, row, first, steps, a_tiles, b_tiles, c_tiles, full, free, STAGES: gl.constexpr, layout: gl.constexpr
):  # fmt: skip
    """The warps that add and store."""
    for step in range(steps):
        slot = step % STAGES
        mbarrier.wait(full.index(slot), step // STAGES & 1)
        total = a_tiles.index(slot).load(layout) + b_tiles.index(slot).load(layout)
        mbarrier.arrive(free.index(slot), count=1)
        tma.store_wait(1)
        c_tiles.index(step % 2).store(total)
        fence_async_shared()
        tma.async_copy_shared_to_global(c, [row, first + step * c.block_shape[1]], c_tiles.index(step % 2))
    tma.store_wait(0)


@gluon.jit
def added_by_roles(a, b, c, steps, STAGES: gl.constexpr, layout: gl.constexpr):
    """Warp specialization: the sum of `added_by_tma`, where one warp loads."""
    M: gl.constexpr = a.block_shape[0]
    N: gl.constexpr = a.block_shape[1]
    row = gl.program_id(0) * M
    first = gl.program_id(1) * steps * N
    a_tiles = gl.allocate_shared_memory(gl.float32, [STAGES, M, N], a.layout)
    b_tiles = gl.allocate_shared_memory(gl.float32, [STAGES, M, N], b.layout)
    c_tiles = gl.allocate_shared_memory(gl.float32, [2, M, N], c.layout)
    full = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    free = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    for each in gl.static_range(STAGES):
        mbarrier.init(full.index(each), count=1)
        mbarrier.init(free.index(each), count=1)
    gl.warp_specialize(
        [
            (adder, (c, row, first, steps, a_tiles, b_tiles, c_tiles, full, free, STAGES, layout)),
            (adding_loader, (a, b, row, first, steps, a_tiles, b_tiles, full, free, STAGES)),
        ],
        [1],
        [24],
    )
