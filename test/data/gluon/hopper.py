"""Kernels for sm_90 and later: copies by TMA, barriers that count bytes, fences, wgmma, warps with roles."""

from cases import case
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia import hopper
from triton.experimental.gluon.language.nvidia.hopper import (
    async_copy,
    fence_async_shared,
    mbarrier,
    mma_v2,
    tma,
    warpgroup_mma,
    warpgroup_mma_init,
    warpgroup_mma_wait,
)

ROWS = gl.constexpr(gl.BlockedLayout([1, 8], [8, 4], [4, 1], [1, 0]))


@gluon.jit
def tma_ring(source, target, steps, M: gl.constexpr, N: gl.constexpr, STAGES: gl.constexpr):
    gl.static_assert(source.block_shape[1] == N and source.dtype == gl.float16)
    tiles = gl.allocate_shared_memory(source.dtype, [STAGES, M, N], source.layout)
    full = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    seen = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(seen, count=2)
    for stage in gl.static_range(STAGES):
        mbarrier.init(full.index(stage), count=1)
    fence_async_shared(cluster=True)
    phase = 0
    rows = source.shape[0] // M + source.strides[0].to(gl.int32) // N
    for step in range(min(steps, rows)):
        slot = step % STAGES
        bar = full.index(slot)
        mbarrier.expect(bar, M * N * 2, pred=step < 100)
        tma.async_copy_global_to_shared(source, [step * M, 0], bar, tiles.index(slot), pred=step < 100)
        mbarrier.wait(bar, phase, pred=step < 100, deps=[tiles])
        mbarrier.arrive(seen, count=2, pred=step < 100)
        mbarrier.wait(seen, step & 1, pred=step < 100)
        tma.async_copy_shared_to_global(target, [step * M, 0], tiles.index(slot))
        tma.store_wait(pendings=STAGES - 1)
        phase ^= slot == STAGES - 1
    tma.store_wait(pendings=0)
    for stage in gl.static_range(STAGES):
        mbarrier.invalidate(full.index(stage))


@gluon.jit
def descriptors_in_kernels(src, dst, rows, columns, M: gl.constexpr, N: gl.constexpr):
    layout: gl.constexpr = gl.NVMMASharedLayout.get_default_for([M, N], gl.float32)
    source = tma.make_tensor_descriptor(src, [rows, columns], [columns, 1], [M, N], layout, padding_option="nan")
    target = tma.make_tensor_descriptor(dst, [rows, columns], [columns, 1], [M, N], layout)
    tile = gl.allocate_shared_memory(gl.float32, [M, N], layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, M * N * 4)
    tma.async_copy_global_to_shared(source, [0, 0], bar, tile)
    mbarrier.wait(bar, 0)
    tile.store(tile.load(ROWS) * 2)
    fence_async_shared()
    tma.async_copy_shared_to_global(target, [0, 0], tile)
    tma.store_wait(0)


@gluon.jit
def move_block(descriptor: tma.tensor_descriptor, tile, bar, size: gl.constexpr):
    mbarrier.expect(bar, size)
    tma.async_copy_global_to_shared(descriptor, [0, 0, 0], bar, tile)
    mbarrier.wait(bar, 0)


@gluon.jit
def blocks_of_rank_3(source, dst):
    tile = gl.allocate_shared_memory(source.dtype, source.block_shape, source.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    move_block(source, tile, bar, 4 * 8 * 32 * 4)
    flat: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    gl.store(dst + gl.arange(0, 1024, flat), tile.reshape([1024]).load(flat))


@gluon.jit
def multiply(a_rows, b_rows, dst, K: gl.constexpr, N: gl.constexpr, PRECISION: gl.constexpr, IMPRECISE: gl.constexpr):
    bits: gl.constexpr = a_rows.dtype.primitive_bitwidth
    block: gl.constexpr = a_rows.block_shape[1]
    mma: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, N, 256 // bits])
    a = gl.allocate_shared_memory(a_rows.dtype, [64, block], a_rows.layout)
    b = gl.allocate_shared_memory(b_rows.dtype, [N, block], b_rows.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    acc = gl.zeros([64, N], gl.float32, mma)
    for step in range(K):
        mbarrier.expect(bar, (64 + N) * block * bits // 8)
        tma.async_copy_global_to_shared(a_rows, [0, step * block], bar, a)
        tma.async_copy_global_to_shared(b_rows, [0, step * block], bar, b)
        mbarrier.wait(bar, step & 1)
        token = warpgroup_mma(a, b.permute([1, 0]), acc, use_acc=step > 0, is_async=True, precision=PRECISION.value)
        acc = warpgroup_mma_wait(0, deps=[token])
    acc, tile = warpgroup_mma_wait(0, deps=[acc, a])
    again = warpgroup_mma(
        tile, b.permute([1, 0]), acc, precision=PRECISION.value, max_num_imprecise_acc=IMPRECISE.value
    )
    row = gl.arange(0, 64, layout=gl.SliceLayout(1, mma))
    column = gl.arange(0, N, layout=gl.SliceLayout(0, mma))
    gl.store(dst + row[:, None] * N + column[None, :], again)


@gluon.jit
def multiply_from_registers(a_ptr, b_rows, dst, steps):
    mma: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 64, 16])
    operand: gl.constexpr = gl.DotOperandLayout(0, mma, 2)
    row = gl.arange(0, 64, layout=gl.SliceLayout(1, operand))
    column = gl.arange(0, 64, layout=gl.SliceLayout(0, operand))
    b = gl.allocate_shared_memory(gl.float16, [2, 64, 64], b_rows.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    acc = warpgroup_mma_init(gl.zeros([64, 64], gl.float32, mma))
    for step in range(steps):
        mbarrier.expect(bar, 64 * 64 * 2)
        tma.async_copy_global_to_shared(b_rows, [step * 64, 0], bar, b.index(step % 2))
        a = gl.load(a_ptr + row[:, None] * 64 + column[None, :])
        mbarrier.wait(bar, step & 1)
        acc = warpgroup_mma(a, b.index(step % 2), acc, is_async=True)
        acc = warpgroup_mma_init(warpgroup_mma_wait(1, deps=[acc]))
    done = warpgroup_mma_wait(deps=(acc,))
    place = gl.arange(0, 64, layout=gl.SliceLayout(1, mma))[:, None] * 64
    gl.store(dst + place + gl.arange(0, 64, layout=gl.SliceLayout(0, mma))[None, :], done)


@gluon.jit
def before_sm_90(src, dst, N: gl.constexpr):
    row = gl.arange(0, N, layout=gl.SliceLayout(1, ROWS))
    column = gl.arange(0, N, layout=gl.SliceLayout(0, ROWS))
    index = row[:, None] * N + column[None, :]
    buffer = gl.allocate_shared_memory(gl.float16, [N, N], gl.SwizzledSharedLayout(8, 1, 8, [1, 0]))
    async_copy.async_copy_global_to_shared(buffer, src + index)
    async_copy.commit_group()
    async_copy.wait_group(0)
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [4, 1], [16, 8])
    a, b = buffer.load(gl.DotOperandLayout(0, mma, 2)), buffer.load(gl.DotOperandLayout(1, mma, 2))
    acc = mma_v2(a, b, gl.zeros([N, N], gl.float32, mma))
    gl.store(dst + index, gl.convert_layout(acc, ROWS))


@gluon.jit
def loading(source, tiles, ready, free, steps, STAGES: gl.constexpr):
    for step in range(steps):
        slot = step % STAGES
        mbarrier.wait(free.index(slot), (step // STAGES & 1) ^ 1)
        mbarrier.expect(ready.index(slot), 64 * 64 * 2)
        tma.async_copy_global_to_shared(source, [step * 64, 0], ready.index(slot), tiles.index(slot))


@gluon.jit
def idle(steps):
    pass


@gluon.jit
def adding(tiles, ready, free, steps, STAGES: gl.constexpr):
    total = gl.zeros([64, 64], gl.float16, ROWS)
    for step in range(steps):
        slot = step % STAGES
        mbarrier.wait(ready.index(slot), step // STAGES & 1)
        total += tiles.index(slot).load(ROWS)
        mbarrier.arrive(free.index(slot), count=1)
    return total, steps


@gluon.jit
def roles(source, dst, steps, STAGES: gl.constexpr):
    tiles = gl.allocate_shared_memory(gl.float16, [STAGES, 64, 64], source.layout)
    ready = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    free = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    for slot in gl.static_range(STAGES):
        mbarrier.init(ready.index(slot), count=1)
        mbarrier.init(free.index(slot), count=1)
    total, _ = gl.warp_specialize(
        [
            (adding, (tiles, ready, free, steps, STAGES)),
            (loading, (source, tiles, ready, free, steps, STAGES)),
            (idle, (steps,)),
        ],
        [1, 2],
        [24, 40],
    )
    row = gl.arange(0, 64, layout=gl.SliceLayout(1, ROWS))
    column = gl.arange(0, 64, layout=gl.SliceLayout(0, ROWS))
    gl.store(dst + row[:, None] * 64 + column[None, :], total)


@gluon.jit
def cluster_tiles(source, dst, CLUSTER: gl.constexpr, BARRIER: gl.constexpr):
    tile = gl.allocate_shared_memory(gl.float16, [128, 64], source.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], BARRIER)
    mbarrier.init(bar, count=1)
    hopper.fence_async_shared(True)
    mbarrier.expect(bar, 128 * 64 * 2)
    tma.async_copy_global_to_shared(source, [0, 0], bar, tile)
    mbarrier.wait(bar, 0)
    row = gl.arange(0, 128, layout=gl.SliceLayout(1, CLUSTER))
    column = gl.arange(0, 64, layout=gl.SliceLayout(0, CLUSTER))
    gl.store(dst + row[:, None] * 64 + column[None, :], tile.load(CLUSTER))


def tile(element, *shape, bits, more=""):
    """The type of a tensor descriptor, without blanks."""
    sizes = ",".join(map(str, shape))
    width = min(128, shape[-1] * bits // 8)
    return f"tensordesc<{element}[{sizes}],NVMMASharedLayout({width},{bits},{len(shape)}{more})>"


HALF = tile("fp16", 64, 64, bits=16)
BOTH = (90, 100)

CASES = [
    case(tma_ring, f"{HALF} {HALF} i32", archs=BOTH, M=64, N=64, STAGES=3),
    case(descriptors_in_kernels, "*fp32 *fp32 i32 i32:16", archs=BOTH, M=32, N=32),
    case(blocks_of_rank_3, f"{tile('fp32', 4, 8, 32, bits=32)} *fp32", archs=BOTH),
    case(multiply, f"{HALF} {tile('fp16', 128, 64, bits=16)} *fp32", name="multiply_by_wgmma", archs=(90,), K=8, N=128,
         PRECISION=None, IMPRECISE=None),
    case(multiply, f"{tile('fp8e4nv', 64, 128, bits=8)} {tile('fp8e5', 64, 128, bits=8)} *fp32", name="multiply_fp8",
         archs=(90,), K=2, N=64, PRECISION=None, IMPRECISE=64),
    case(multiply, f"{tile('fp32', 64, 32, bits=32)} {tile('fp32', 32, 32, bits=32)} *fp32", name="wgmma_of_tf32",
         archs=(90,), K=2, N=32, PRECISION="tf32", IMPRECISE=0),
    case(multiply_from_registers, f"*fp16 {HALF} *fp32 i32", archs=(90,)),
    case(before_sm_90, "*fp16 *fp32", archs=BOTH, N=64),
    case(roles, f"{HALF} *fp16 i32", name="roles_with_tma", archs=BOTH, STAGES=2),
    case(
        cluster_tiles,
        f"{tile('fp16', 128, 64, bits=16, more=',cga_layout=[[1,0]]')} *fp16",
        archs=(90,),
        options={"num_ctas": 2},
        CLUSTER=gl.BlockedLayout([1, 8], [8, 4], [4, 1], [1, 0], [[1, 0]]),
        BARRIER=mbarrier.MBarrierLayout([[0]]),
    ),
]  # fmt: skip
