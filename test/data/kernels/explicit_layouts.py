"""Kernels in Gluon, Triton's language with explicit layouts: shared and tensor memory, barriers, copies, warp roles."""

from cases import case
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia import blackwell, hopper
from triton.experimental.gluon.language.nvidia.ampere import async_copy, mma_v2
from triton.experimental.gluon.language.nvidia.blackwell import TensorMemoryLayout, TensorMemoryScalesLayout
from triton.experimental.gluon.language.nvidia.hopper import mbarrier, tma

ROWS = gl.constexpr(gl.BlockedLayout([1, 8], [8, 4], [4, 1], [1, 0]))


@gluon.jit
def shared_views(src, dst, N: gl.constexpr, PADDED: gl.constexpr, LINEAR: gl.constexpr):
    layout: gl.constexpr = ROWS
    row = gl.arange(0, N, layout=gl.SliceLayout(1, layout))
    column = gl.arange(0, N, layout=gl.SliceLayout(0, layout))
    index = row[:, None] * N + column[None, :]
    value = gl.load(src + index)
    swizzled: gl.constexpr = gl.SwizzledSharedLayout(8, 1, 8, [1, 0])
    buffers = gl.allocate_shared_memory(gl.float16, [2, N, N], swizzled)
    first = buffers.index(0)
    first.store(value)
    second = buffers.index(1)
    second.slice(0, N // 2, dim=1).store(first.slice(N // 2, N // 2, dim=1).load(layout))
    gl.thread_barrier()
    turned = first.permute([1, 0]).load(layout)
    flat = first.reshape([N * N]).load(gl.BlockedLayout([8], [32], [4], [0]))
    words = first._reinterpret(gl.int32, [N, N // 2], gl.SwizzledSharedLayout(1, 1, 1, [1, 0])).load(layout)
    padded = gl.allocate_shared_memory(gl.float16, [N, N], PADDED, turned)
    linear = gl.allocate_shared_memory(gl.float16, [N, N], LINEAR, value)
    total = padded.load(layout) + linear.load(layout)
    gl.store(dst + index, total)
    gl.store(dst + gl.arange(0, N * N, layout=gl.BlockedLayout([8], [32], [4], [0])), flat)
    gl.store(dst + gl.arange(0, N, layout=gl.SliceLayout(1, layout)), gl.sum(words, axis=1).to(gl.float16))
    padded._keep_alive()


@gluon.jit
def layout_conversions(src, dst, LINEAR: gl.constexpr):
    spread: gl.constexpr = gl.BlockedLayout([1, 2], [16, 2], [2, 2], [0, 1])
    row = gl.arange(0, 64, layout=gl.SliceLayout(1, spread))
    column = gl.arange(0, 32, layout=gl.SliceLayout(0, spread))
    index = row[:, None] * 32 + column[None, :]
    value = gl.load(src + index, cache_modifier=".cg")
    value = gl.convert_layout(value, LINEAR)
    value = gl.exp(value) * gl.full([64, 32], 2.0, gl.float32, LINEAR)
    value = gl.convert_layout(value, spread)
    gl.store(dst + index, value)
    bins = gl.histogram(row, 16, layout=gl.BlockedLayout([1], [32], [4], [0]))
    gl.store(dst + gl.arange(0, 16, layout=gl.BlockedLayout([1], [32], [4], [0])), bins.to(gl.float32))


@gluon.jit
def asynchronous_copies(src, dst, n, N: gl.constexpr, BARRIER: gl.constexpr):
    layout: gl.constexpr = ROWS
    row = gl.arange(0, N, layout=gl.SliceLayout(1, layout))
    column = gl.arange(0, N, layout=gl.SliceLayout(0, layout))
    index = row[:, None] * N + column[None, :]
    buffer = gl.allocate_shared_memory(gl.float16, [N, N], gl.SwizzledSharedLayout(8, 1, 8, [1, 0]))
    async_copy.async_copy_global_to_shared(buffer, src + index)
    async_copy.async_copy_global_to_shared(buffer, src + index, mask=row[:, None] < n, cache_modifier=".cg",
                                           eviction_policy="evict_last", volatile=True)
    if BARRIER:
        ready = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
        mbarrier.init(ready, count=128)
        async_copy.mbarrier_arrive(ready)
        async_copy.mbarrier_arrive(ready, increment_count=False)
        mbarrier.wait(ready, 0)
        mbarrier.invalidate(ready)
    else:
        async_copy.commit_group()
        async_copy.wait_group(0)
    gl.store(dst + index, buffer.load(layout))


@gluon.jit
def tensor_core_v2(src, dst, N: gl.constexpr):
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [4, 1], [16, 8])
    layout: gl.constexpr = ROWS
    row = gl.arange(0, N, layout=gl.SliceLayout(1, layout))
    column = gl.arange(0, N, layout=gl.SliceLayout(0, layout))
    value = gl.load(src + row[:, None] * N + column[None, :])
    a = gl.convert_layout(value, gl.DotOperandLayout(0, mma, 2))
    b = gl.convert_layout(value, gl.DotOperandLayout(1, mma, 2))
    acc = mma_v2(a, b, gl.zeros([N, N], gl.float32, mma))
    acc = gl.convert_layout(acc, layout)
    gl.store(dst + row[:, None] * N + column[None, :], acc)


@gluon.jit
def mbarrier_ring(source, target, steps, M: gl.constexpr, N: gl.constexpr, STAGES: gl.constexpr):
    tiles = gl.allocate_shared_memory(source.dtype, [STAGES, M, N], source.layout)
    full = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    for stage in gl.static_range(STAGES):
        mbarrier.init(full.index(stage), count=1)
    hopper.fence_async_shared(cluster=True)
    phase = 0
    for step in range(steps):
        slot = step % STAGES
        bar = full.index(slot)
        mbarrier.expect(bar, M * N * 2, pred=step < 100)
        tma.async_copy_global_to_shared(source, [step * M, 0], bar, tiles.index(slot), pred=step < 100)
        mbarrier.wait(bar, phase, pred=step < 100, deps=[tiles])
        mbarrier.arrive(bar, count=2)
        tma.async_copy_shared_to_global(target, [step * M, 0], tiles.index(slot))
        tma.store_wait(pendings=STAGES - 1)
        phase ^= slot == STAGES - 1
    tma.store_wait(pendings=0)
    for stage in gl.static_range(STAGES):
        mbarrier.invalidate(full.index(stage))


@gluon.jit
def warpgroup_product(a_rows, b_rows, dst, K: gl.constexpr):
    mma: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 64, 16])
    a = gl.allocate_shared_memory(gl.float16, [64, 64], a_rows.layout)
    b = gl.allocate_shared_memory(gl.float16, [64, 64], b_rows.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    acc = gl.zeros([64, 64], gl.float32, mma)
    for step in range(K):
        mbarrier.expect(bar, 2 * 64 * 64 * 2)
        tma.async_copy_global_to_shared(a_rows, [0, step * 64], bar, a)
        tma.async_copy_global_to_shared(b_rows, [0, step * 64], bar, b)
        mbarrier.wait(bar, step & 1)
        token = hopper.warpgroup_mma(a, b.permute([1, 0]), acc, use_acc=step > 0, is_async=True)
        acc = hopper.warpgroup_mma_wait(1, deps=[token])
    again = hopper.warpgroup_mma(a, b, hopper.warpgroup_mma_wait(0, deps=[acc]))
    row = gl.arange(0, 64, layout=gl.SliceLayout(1, mma))
    column = gl.arange(0, 64, layout=gl.SliceLayout(0, mma))
    gl.store(dst + row[:, None] * 64 + column[None, :], again)


@gluon.jit
def producer(source, tile, ready, done, steps):
    for step in range(steps):
        mbarrier.wait(done, (step + 1) & 1)
        mbarrier.expect(ready, 64 * 64 * 2)
        tma.async_copy_global_to_shared(source, [step * 64, 0], ready, tile)


@gluon.jit
def idle(steps):
    pass


@gluon.jit
def consumer(tile, ready, done, steps, layout: gl.constexpr):
    total = gl.zeros([64, 64], gl.float16, layout)
    for step in range(steps):
        mbarrier.wait(ready, step & 1)
        total += tile.load(layout)
        mbarrier.arrive(done, count=1)
    return total, steps


@gluon.jit
def warp_roles(source, dst, steps):
    layout: gl.constexpr = ROWS
    tile = gl.allocate_shared_memory(gl.float16, [64, 64], source.layout)
    ready = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    done = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(ready, count=1)
    mbarrier.init(done, count=1)
    total, _ = gl.warp_specialize([(consumer, (tile, ready, done, steps, layout)),
                                (producer, (source, tile, ready, done, steps)), (idle, (steps, ))], [1, 2], [24, 40])
    row = gl.arange(0, 64, layout=gl.SliceLayout(1, layout))
    column = gl.arange(0, 64, layout=gl.SliceLayout(0, layout))
    gl.store(dst + row[:, None] * 64 + column[None, :], total)


@gluon.jit
def tensor_memory_matmul(a_rows, b_rows, dst, M: gl.constexpr, N: gl.constexpr, VARIANT: gl.constexpr):
    memory: gl.constexpr = TensorMemoryLayout([M, N], col_stride=1)
    a = gl.allocate_shared_memory(gl.float16, [M, 64], a_rows.layout)
    b = gl.allocate_shared_memory(gl.float16, [N, 64], b_rows.layout)
    acc = blackwell.allocate_tensor_memory(gl.float32, [M, N], memory)
    bars = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    mbarrier.init(bars.index(0), count=1)
    mbarrier.init(bars.index(1), count=1)
    mbarrier.expect(bars.index(0), (M + N) * 64 * 2)
    tma.async_copy_global_to_shared(a_rows, [0, 0], bars.index(0), a)
    tma.async_copy_global_to_shared(b_rows, [0, 0], bars.index(0), b)
    mbarrier.wait(bars.index(0), 0)
    blackwell.tcgen05_mma(a, b.permute([1, 0]), acc, use_acc=False, mbarriers=[bars.index(1)])
    blackwell.tcgen05_mma(a, b.permute([1, 0]), acc, pred=True, mbarriers=[bars.index(1)], mbarrier_preds=[False])
    blackwell.tcgen05_mma(a, b.permute([1, 0]), acc)
    blackwell.tcgen05_commit(bars.index(1))
    mbarrier.wait(bars.index(1), 0)
    layout: gl.constexpr = blackwell.get_tmem_reg_layout(gl.float32, [M, N], memory, 4, VARIANT)
    value = acc.load(layout)
    acc.store(value, pred=M > 0)
    half: gl.constexpr = TensorMemoryLayout([M, N // 2], col_stride=1)
    right = acc.slice(N // 2, N // 2)
    narrow: gl.constexpr = blackwell.get_tmem_reg_layout(gl.float32, [M, N // 2], half, 4)
    right.store(right.load(narrow))
    stacked = blackwell.allocate_tensor_memory(gl.float16, [2, M, N], memory)
    stacked.index(1)._reinterpret(gl.bfloat16, [M, N], memory)
    row = gl.arange(0, M, layout=gl.SliceLayout(1, layout))
    column = gl.arange(0, N, layout=gl.SliceLayout(0, layout))
    gl.store(dst + row[:, None] * N + column[None, :], value)


@gluon.jit
def tensor_memory_scaled(a_rows, scales, dst, M: gl.constexpr):
    memory: gl.constexpr = TensorMemoryLayout([M, M], col_stride=1)
    a = gl.allocate_shared_memory(gl.float8e4nv, [M, 128], a_rows.layout)
    acc = blackwell.allocate_tensor_memory(gl.float32, [M, M], memory)
    flat: gl.constexpr = gl.BlockedLayout([1, 4], [32, 1], [4, 1], [1, 0])
    row = gl.arange(0, M, layout=gl.SliceLayout(1, flat))
    column = gl.arange(0, 4, layout=gl.SliceLayout(0, flat))
    scale_memory: gl.constexpr = TensorMemoryScalesLayout()
    registers: gl.constexpr = blackwell.get_tmem_reg_layout(gl.int8, [M, 4], scale_memory, 4)
    loaded = gl.convert_layout(gl.load(scales + row[:, None] * 4 + column[None, :]), registers)
    scale = blackwell.allocate_tensor_memory(gl.int8, [M, 4], scale_memory, loaded)
    staged = gl.allocate_shared_memory(gl.int8, [M, 4], gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))
    blackwell.tcgen05_mma_scaled(a, a.permute([1, 0]), acc, scale, scale, "e4m3", "e5m2", use_acc=False)
    staged._keep_alive()


@gluon.jit
def copy_to_tensor_memory(dst, LINEAR: gl.constexpr):
    shared: gl.constexpr = gl.NVMMASharedLayout(128, 32, 2)
    tile = gl.allocate_shared_memory(gl.float32, [128, 64], shared)
    memory: gl.constexpr = TensorMemoryLayout([128, 64], col_stride=1)
    target = blackwell.allocate_tensor_memory(gl.float32, [128, 64], memory)
    blackwell.tcgen05_copy(tile, target)
    scales = gl.allocate_shared_memory(gl.int8, [128, 4], LINEAR)
    blackwell.tcgen05_copy(scales, blackwell.allocate_tensor_memory(gl.int8, [128, 4], TensorMemoryScalesLayout()))


@gluon.jit
def gathers_through_barriers(source, picks, column):
    layout: gl.constexpr = gl.SliceLayout(0, gl.BlockedLayout([1, 4], [32, 1], [1, 4], [1, 0]))
    index = gl.load(picks + gl.arange(0, 32, layout=layout))
    tile = gl.allocate_shared_memory(gl.bfloat16, [32, 128], source.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, 32 * 128 * 2)
    blackwell.tma.async_gather(source, index, column, bar, tile)
    mbarrier.wait(bar, 0)
    blackwell.tma.async_scatter(source, index, column, tile)
    tma.store_wait(0)


@gluon.jit
def inferred_layouts(src, dst, N: gl.constexpr):
    index = gl.arange(0, N, layout=gl.CoalescedLayout())
    value = gl.load(src + index)
    auto = gl.arange(0, N)
    total = gl.set_auto_layout(auto.to(gl.float32), gl.BlockedLayout([1], [32], [4], [0]))
    gl.store(dst + gl.arange(0, N, layout=gl.BlockedLayout([1], [32], [4], [0])), total)
    gl.store(dst + index, value)


@gluon.jit
def fp4_unpacking(src, dst):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [8, 4], [4, 1], [1, 0])
    row = gl.arange(0, 64, layout=gl.SliceLayout(1, layout))
    column = gl.arange(0, 32, layout=gl.SliceLayout(0, layout))
    wide = gl.fp4_to_fp(gl.load(src + row[:, None] * 32 + column[None, :]), gl.bfloat16, 1)
    wide = gl.convert_layout(wide, layout)
    column = gl.arange(0, 64, layout=gl.SliceLayout(0, layout))
    gl.store(dst + row[:, None] * 64 + column[None, :], wide)


@gluon.jit
def cluster_tiles(source, dst, CLUSTER: gl.constexpr, BARRIER: gl.constexpr):
    tile = gl.allocate_shared_memory(gl.float16, [128, 64], source.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], BARRIER)
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, 128 * 64 * 2)
    tma.async_copy_global_to_shared(source, [0, 0], bar, tile)
    mbarrier.wait(bar, 0)
    row = gl.arange(0, 128, layout=gl.SliceLayout(1, CLUSTER))
    column = gl.arange(0, 64, layout=gl.SliceLayout(0, CLUSTER))
    gl.store(dst + row[:, None] * 64 + column[None, :], tile.load(CLUSTER))


def bases(count, dim, start=1):
    return [[start << i if d == dim else 0 for d in range(2)] for i in range(count)]


PADDED = gl.PaddedSharedLayout.with_identity_for([[64, 8], [512, 16]], [64, 64], [1, 0])
SHARED_LINEAR = gl.SharedLinearLayout(bases(6, 1) + bases(6, 0), alignment=32)
LINEAR = gl.DistributedLinearLayout(bases(2, 1) + [[0, 8], [0, 16]], bases(5, 0), [[32, 0], [0, 4]], [], [64, 32])
SCALES = gl.SharedLinearLayout(bases(2, 1) + bases(7, 0))
TILE = "tensordesc<{}[{},{}],NVMMASharedLayout(swizzle_byte_width={}, element_bitwidth={}, rank=2)>"
HALF_64 = TILE.format("fp16", 64, 64, 128, 16).replace(" ", "")
CLUSTER_TILE = ("tensordesc<fp16[128,64],NVMMASharedLayout(swizzle_byte_width=128,element_bitwidth=16,rank=2,"
                "cga_layout=[[1,0]])>")

CASES = [
    case(shared_views, "*fp16 *fp16", archs=[90], N=64, PADDED=PADDED, LINEAR=SHARED_LINEAR),
    case(layout_conversions, "*fp32 *fp32", archs=[80], LINEAR=LINEAR),
    case(asynchronous_copies, "*fp16 *fp16 i32", archs=[80], N=64, BARRIER=False),
    case(asynchronous_copies, "*fp16 *fp16 i32", name="copies_to_barrier", archs=[90], N=64, BARRIER=True),
    case(tensor_core_v2, "*fp16 *fp32", archs=[80], N=64),
    case(mbarrier_ring, f"{HALF_64} {HALF_64} i32", archs=[90], M=64, N=64, STAGES=3),
    case(warpgroup_product, f"{HALF_64} {HALF_64} *fp32", archs=[90], K=8),
    case(warp_roles, f"{HALF_64} *fp16 i32", archs=[90]),
    case(tensor_memory_matmul, f"{TILE.format('fp16', 128, 64, 128, 16).replace(' ', '')} {HALF_64} *fp32",
         archs=[100], M=128, N=64, VARIANT="32x32b"),
    case(tensor_memory_scaled, f"{TILE.format('fp8e4nv', 128, 128, 128, 8).replace(' ', '')} *i8 *fp32",
         archs=[100], M=128),
    case(copy_to_tensor_memory, "*fp32", archs=[100], LINEAR=SCALES),
    case(gathers_through_barriers, f"{TILE.format('bf16', 1, 128, 128, 16).replace(' ', '')} *i32 i32",
         archs=[100]),
    case(inferred_layouts, "*fp32 *fp32", archs=[90], N=256),
    case(fp4_unpacking, "*u8 *bf16", archs=[90]),
    case(cluster_tiles, f"{CLUSTER_TILE} *fp16", archs=[90], options=dict(num_ctas=2),
         CLUSTER=gl.BlockedLayout([1, 8], [8, 4], [4, 1], [1, 0], [[1, 0]]),
         BARRIER=mbarrier.MBarrierLayout([[0]])),
]
