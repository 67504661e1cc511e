"""Kernels in Gluon with a bug each; the line that a sanitizer or the compiler must name ends in `# BUG`."""

import numpy as np

from ttkit.language import gluon
from ttkit.language import gluon as gl
from ttkit.language.gluon.nvidia.blackwell import TensorMemoryLayout, allocate_tensor_memory, tcgen05_mma
from ttkit.language.gluon.nvidia.hopper import (
    TensorDescriptor,
    fence_async_shared,
    mbarrier,
    tma,
    warpgroup_mma,
    warpgroup_mma_wait,
)

LINE = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0]))
ROWS = gl.constexpr(gl.BlockedLayout([1, 8], [8, 4], [4, 1], [1, 0]))
MMA = gl.constexpr(gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 64, 16]))


@gluon.jit
def stored(dst, value):
    """Stores a block of 64 x 64."""
    layout: gl.constexpr = value.type.layout
    row = gl.arange(0, 64, gl.SliceLayout(1, layout))
    column = gl.arange(0, 64, gl.SliceLayout(0, layout))
    gl.store(dst + row[:, None] * 64 + column[None, :], value)


@gluon.jit
def begin(source, bar, tile, row):
    """Begins to load a block."""
    mbarrier.expect(bar, 64 * 64 * 2)
    tma.async_copy_global_to_shared(source, [row, 0], bar, tile)


# --- Missing waits ---------------------------------------------------------------------------------------------------
@gluon.jit
def block_not_waited_for(source, dst):
    tile = gl.allocate_shared_memory(gl.float16, [64, 64], source.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    begin(source, bar, tile, 0)
    stored(dst, tile.load(ROWS))  # BUG


@gluon.jit
def store_not_waited_for(source, dst):
    tile = gl.allocate_shared_memory(gl.float16, [64, 64], source.layout, gl.full([64, 64], 1.0, gl.float16, ROWS))
    fence_async_shared()
    tma.async_copy_shared_to_global(source, [0, 0], tile)
    tile.store(gl.full([64, 64], 2.0, gl.float16, ROWS))  # BUG
    tma.store_wait(0)


@gluon.jit
def product_not_waited_for(source, dst):
    a = gl.allocate_shared_memory(gl.float16, [64, 64], source.layout, gl.full([64, 64], 1.0, gl.float16, ROWS))
    fence_async_shared()
    running = warpgroup_mma(a, a, gl.zeros([64, 64], gl.float32, MMA), is_async=True)
    a.store(gl.full([64, 64], 2.0, gl.float16, ROWS))  # BUG
    stored(dst, warpgroup_mma_wait(0, deps=[running]).to(gl.float16))


@gluon.jit
def accumulator_not_waited_for(source, dst):
    a = gl.allocate_shared_memory(gl.float16, [128, 64], source.layout, gl.full([128, 64], 1.0, gl.float16, ROWS))
    b = gl.allocate_shared_memory(gl.float16, [64, 64], source.layout, gl.full([64, 64], 1.0, gl.float16, ROWS))
    acc = allocate_tensor_memory(gl.float32, [128, 64], TensorMemoryLayout((128, 64), 1))
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    fence_async_shared()
    tcgen05_mma(a, b, acc, use_acc=False, mbarriers=[bar])
    total = acc.load()  # BUG
    mbarrier.wait(bar, 0)
    gl.store(dst + gl.arange(0, 128, gl.SliceLayout(1, total.type.layout)), gl.sum(total, 1).to(gl.float16))


# --- Wrong phases ----------------------------------------------------------------------------------------------------
@gluon.jit
def always_the_first_phase(source, dst):
    tile = gl.allocate_shared_memory(gl.float16, [64, 64], source.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    for step in range(2):
        begin(source, bar, tile, step * 64)
        mbarrier.wait(bar, 0)  # BUG
        stored(dst, tile.load(ROWS))


@gluon.jit
def the_phase_before(source, dst):
    tile = gl.allocate_shared_memory(gl.float16, [64, 64], source.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    begin(source, bar, tile, 0)
    mbarrier.wait(bar, 1)  # BUG
    stored(dst, tile.load(ROWS))


@gluon.jit
def a_phase_that_never_ends(source, dst):
    tile = gl.allocate_shared_memory(gl.float16, [64, 64], source.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, 64 * 64 * 4)
    tma.async_copy_global_to_shared(source, [0, 0], bar, tile)
    mbarrier.wait(bar, 0)  # BUG
    stored(dst, tile.load(ROWS))


# --- Missing fences --------------------------------------------------------------------------------------------------
@gluon.jit
def no_fence_before_a_store(source, dst):
    tile = gl.allocate_shared_memory(gl.float16, [64, 64], source.layout)
    tile.store(gl.full([64, 64], 1.0, gl.float16, ROWS))
    tma.async_copy_shared_to_global(source, [0, 0], tile)  # BUG
    tma.store_wait(0)


@gluon.jit
def no_fence_before_a_sum(source, dst):
    tile = gl.allocate_shared_memory(gl.float16, [64, 64], source.layout)
    tile.store(gl.full([64, 64], 1.0, gl.float16, ROWS))
    tma.async_atomic_add(source, [0, 0], tile)  # BUG
    tma.store_wait(0)


@gluon.jit
def no_fence_before_a_product(source, dst):
    a = gl.allocate_shared_memory(gl.float16, [64, 64], source.layout)
    a.store(gl.full([64, 64], 1.0, gl.float16, ROWS))
    total = warpgroup_mma(a, a, gl.zeros([64, 64], gl.float32, MMA))  # BUG
    stored(dst, total.to(gl.float16))


# --- Wrong layouts ---------------------------------------------------------------------------------------------------
@gluon.jit
def a_row_that_is_no_slice(source, dst):
    row = gl.arange(0, 64, LINE)
    gl.store(dst + row[:, None], 1.0)  # BUG


@gluon.jit
def a_buffer_swizzled_otherwise(source, dst):
    tile = gl.allocate_shared_memory(gl.float16, [64, 64], gl.NVMMASharedLayout(32, 16, 2))
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, 64 * 64 * 2)
    tma.async_copy_global_to_shared(source, [0, 0], bar, tile)  # BUG


# --- Slots that are used again too early -----------------------------------------------------------------------------
@gluon.jit
def loaded_while_it_multiplies(source, dst):
    tiles = gl.allocate_shared_memory(gl.float16, [2, 64, 64], source.layout)
    full = mbarrier.allocate_mbarrier(batch=2)
    for slot in gl.static_range(2):
        mbarrier.init(full.index(slot), count=1)
    total = gl.zeros([64, 64], gl.float32, MMA)
    begin(source, full.index(0), tiles.index(0), 0)
    for step in range(2):
        tile = tiles.index(step & 1)
        mbarrier.wait(full.index(step & 1), 0)
        running = warpgroup_mma(tile, tile, total, is_async=True)
        tma.async_copy_global_to_shared(source, [0, 0], full.index(step & 1), tile)  # BUG
        total = warpgroup_mma_wait(0, deps=[running])
        begin(source, full.index(1), tiles.index(1), 0)
    stored(dst, total.to(gl.float16))


@gluon.jit
def eager_loader(source, tile, full, free):
    for step in range(2):
        mbarrier.expect(full, 64 * 64 * 2)
        tma.async_copy_global_to_shared(source, [step * 64, 0], full, tile)  # BUG


@gluon.jit
def reader(dst, tile, full, free):
    for step in range(2):
        mbarrier.wait(full, step & 1)
        stored(dst, tile.load(ROWS))
        mbarrier.arrive(free)


@gluon.jit
def a_loader_that_does_not_wait(source, dst):
    tile = gl.allocate_shared_memory(gl.float16, [64, 64], source.layout)
    full, free = mbarrier.allocate_mbarrier(), mbarrier.allocate_mbarrier()
    mbarrier.init(full, count=1)
    mbarrier.init(free, count=1)
    gl.warp_specialize([(reader, (dst, tile, full, free)), (eager_loader, (source, tile, full, free))], [1], [24])


# --- Barriers that not all reach -------------------------------------------------------------------------------------
@gluon.jit
def loader_of_one_step(source, tile, full, free):
    mbarrier.expect(full, 64 * 64 * 2)
    tma.async_copy_global_to_shared(source, [0, 0], full, tile)


@gluon.jit
def reader_of_two_steps(dst, tile, full, free):
    for step in range(2):
        mbarrier.wait(full, step & 1)  # BUG
        stored(dst, tile.load(ROWS))


@gluon.jit
def fewer_steps_than_waits(source, dst):
    tile = gl.allocate_shared_memory(gl.float16, [64, 64], source.layout)
    full, free = mbarrier.allocate_mbarrier(), mbarrier.allocate_mbarrier()
    mbarrier.init(full, count=1)
    gl.warp_specialize(
        [(reader_of_two_steps, (dst, tile, full, free)), (loader_of_one_step, (source, tile, full, free))], [1], [24]
    )


@gluon.jit
def arriving_sometimes(dst, bar, n):
    if n > 100:
        mbarrier.arrive(bar)


@gluon.jit
def waiting_always(dst, bar, n):
    mbarrier.wait(bar, 0)  # BUG
    gl.store(dst, 1.0)


@gluon.jit
def an_arrival_in_a_branch(source, dst):
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    n = source.shape[1]
    gl.warp_specialize([(waiting_always, (dst, bar, n)), (arriving_sometimes, (dst, bar, n))], [1], [24])


def arguments():
    layout = gl.NVMMASharedLayout.get_default_for([64, 64], gl.float16)
    source = TensorDescriptor.from_tensor(np.ones((128, 64), np.float16), [64, 64], layout)
    return source, np.zeros(64 * 64, np.float16)


BUGS = {
    "undefined": (
        block_not_waited_for,
        store_not_waited_for,
        product_not_waited_for,
        accumulator_not_waited_for,
        always_the_first_phase,
        the_phase_before,
        a_phase_that_never_ends,
        loaded_while_it_multiplies,
        a_loader_that_does_not_wait,
        fewer_steps_than_waits,
        an_arrival_in_a_branch,
    ),
    "race": (no_fence_before_a_store, no_fence_before_a_sum, no_fence_before_a_product),
    "error": (a_row_that_is_no_slice, a_buffer_swizzled_otherwise),
}
CAPABILITIES = {accumulator_not_waited_for: 100}
