"""Kernels in Gluon with what Triton 3.7 to 3.9 added to its names."""

from cases import case
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia import ampere, blackwell, hopper
from triton.experimental.gluon.language.nvidia.ampere import async_copy
from triton.experimental.gluon.language.nvidia.blackwell import clc
from triton.experimental.gluon.language.nvidia.hopper import cluster, mbarrier, tma
from triton.language.core import _aggregate as aggregate

LINE = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0]))
PAIRS = gl.constexpr(gl.BlockedLayout([2], [32], [4], [0]))
FLAT = gl.constexpr(gl.SwizzledSharedLayout(1, 1, 1, [0]))
TWO_LINES = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0], [[1]]))
TWO_FLAT = gl.constexpr(gl.SwizzledSharedLayout(1, 1, 1, [0], [[1]]))
TWO_TILES = gl.constexpr(gl.NVMMASharedLayout(64, 16, 2, False, False, [[1, 0]]))


@gluon.jit
def shared_atomics(x, out, N: gl.constexpr):
    i = gl.arange(0, N, LINE)
    counts = gl.allocate_shared_memory(gl.int32, [N], FLAT, gl.zeros([N], gl.int32, LINE))
    gl.barrier()
    v = gl.load(x + i)
    old = counts.atomic_scatter_add(v, v & (N - 1), axis=0)
    old += counts.atomic_scatter_max(v, i, axis=0, mask=i < 8)
    old += counts.atomic_scatter_min(v, i, axis=0)
    old += counts.atomic_scatter_and(v, i, axis=0)
    old += counts.atomic_scatter_or(v, i, axis=0)
    old += counts.atomic_scatter_xor(v, i, axis=0)
    old += counts.atomic_scatter_xchg(v, i, axis=0)
    old += counts.gather(N - 1 - i, axis=0)
    counts.scatter(v, N - 1 - i, axis=0)
    gl.store(out + i, old + counts.load(LINE))


@gluon.jit
def shared_sums(x, out, N: gl.constexpr):
    i = gl.arange(0, N, LINE)
    sums = gl.allocate_shared_memory(gl.float32, [N], FLAT, gl.zeros([N], gl.float32, LINE))
    sums.atomic_scatter_add(gl.load(x + i), i // 2, axis=0)
    gl.store(out + i, sums.load(LINE))


@gluon.jit
def packed_pairs(x, out, N: gl.constexpr):
    i = gl.arange(0, N, PAIRS)
    v = gl.load(x + i)
    twice = blackwell.add2(v, v)
    d = blackwell.sub2(blackwell.mul2(blackwell.fma2(twice, v, 1.0), 2.0), v)
    h = d.to(gl.float16)
    h = blackwell.max2(h, blackwell.min2(h, blackwell.add2(h, h)))
    gl.store(out + i, d + h.to(gl.float32))


@gluon.jit
def ordered(x, out, N: gl.constexpr):
    i = gl.arange(0, N, LINE)
    v = gl.atomic_load(x + i, mask=i < 8, sem="acquire")
    gl.atomic_store(out + i, v, sem="release", scope="sys")
    gl.atomic_store(out, gl.atomic_load(x, sem="relaxed", scope="cta"))


@gluon.constexpr_function
def sum_text(outputs, inputs):
    (found,), (values, addend) = outputs, inputs
    return "\n".join(f"add.f32 {to}, {source}, {addend[0]};" for to, source in zip(found, values))


@gluon.jit
def assembly(x, out, y, N: gl.constexpr):
    i = gl.arange(0, N, PAIRS)
    v = gl.load(x + i)
    gl.store(out + i, gl.inline_asm(sum_text, ("=&f", "f", "f"), [v, y], v.type, is_pure=True))


@gluon.jit
def hand_over(out, N: gl.constexpr):
    i = gl.arange(0, N, TWO_LINES)
    buffer = gl.allocate_shared_memory(gl.int32, [N], TWO_FLAT)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    gl.barrier(cluster=True)
    mbarrier.expect(bar, N * 2)
    hopper.async_store(buffer, i, bar)
    mbarrier.wait(bar, 0)
    gl.store(out + i, buffer.load(TWO_LINES))


@gluon.jit
def tiles(source, target, sums, largest):
    tile = gl.allocate_shared_memory(source.dtype, source.block_shape, source.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, source.nbytes_per_cta)
    tma.async_load(source, [0, 0], bar, tile)
    mbarrier.wait(bar, 0, deps=[tile])
    mbarrier.invalidate(bar)
    tma.async_store(target, [0, 0], tile)
    tma.async_atomic_add(sums, [0, 0], tile)
    tma.async_atomic_max(largest, [0, 0], tile)
    tma.async_atomic_min(largest, [0, 0], tile)
    tma.store_wait(0)


@gluon.jit
def integer_tiles(source, target):
    tile = gl.allocate_shared_memory(source.dtype, source.block_shape, source.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, source.nbytes_per_cta)
    tma.async_load(source, [0, 0], bar, tile)
    mbarrier.wait(bar, 0)
    mbarrier.invalidate(bar)
    tma.async_atomic_and(target, [0, 0], tile)
    tma.async_atomic_or(target, [0, 0], tile)
    tma.async_atomic_xor(target, [0, 0], tile)
    tma.store_wait(0)


@gluon.jit
def steps_of_clusters(out):
    cluster.barrier()
    cluster.barrier(relaxed=True)
    gl.barrier(cluster=True)
    gl.store(out, gl.program_id(0))


@gluon.jit
def others_work(out):
    answer = gl.allocate_shared_memory(gl.int64, [2], FLAT)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, 16)
    clc.try_cancel(answer, bar)
    mbarrier.wait(bar, 0)
    found = clc.load_result(answer)
    gl.store(out, found.program_id(0), mask=found.is_canceled())


LAST = gl.constexpr(ampere.CachePolicy(l1="evict_last", l2_prefetch_size=128))
SHARE = gl.constexpr(ampere.CachePolicy(l2=ampere.FractionalEvictionPolicy("evict_first", 0.5)))


@gluon.jit
def policies(x, out, N: gl.constexpr):
    i = gl.arange(0, N, PAIRS)
    v = gl.load(x + i, cache_policy=LAST) + gl.load(x + N + i, cache_policy=SHARE)
    gl.store(out + i, v, cache_policy=ampere.CachePolicy(l1="no_allocate"))


@aggregate
class Bounds:
    low: gl.constexpr
    high: gl.constexpr

    @gluon.constexpr_function
    def __init__(self, low, high):
        self.low = gl.constexpr(low)
        self.high = gl.constexpr(high)


@gluon.jit
def bounded(x, out, N: gl.constexpr):
    i = gl.arange(0, N, LINE)
    bounds = gl.aggregate_replace(Bounds(1.0, 100.0), high=3.0)
    v = gl.clamp(gl.load(x + i), bounds.low, bounds.high)
    gl.store(out + i, gl.expect_zero(v, i < 8))


@gluon.jit
def views(x, out, N: gl.constexpr):
    i = gl.arange(0, N, LINE)
    tile = gl.allocate_shared_memory(gl.int32, [16, N // 16], gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))
    line = tile.reshape([N])
    line.store(gl.load(x + i))
    turned: gl.constexpr = gl.BlockedLayout([1, 1], [8, 4], [4, 1], [1, 0])
    part = tile.permute([1, 0]).slice(8, 4, dim=1)
    gl.store(
        out + gl.arange(0, 16, gl.SliceLayout(1, turned))[:, None] + gl.zeros([16, 4], gl.int32, turned),
        part.load(turned).to(gl.float32),
    )
    gl.store(out + i, line.reinterpret(gl.float32).load(LINE))


@gluon.jit
def copies(x, out, N: gl.constexpr):
    i = gl.arange(0, N, PAIRS)
    ring = gl.allocate_shared_memory(gl.float32, [2, N], FLAT)
    async_copy.async_load(ring.index(0), x + i)
    async_copy.commit_group()
    async_copy.async_load(ring.index(1), x + N + i, mask=i < 100)
    async_copy.commit_group()
    async_copy.wait_group(1)
    gl.store(out + i, ring.index(0).load(PAIRS))
    async_copy.wait_group(0)
    gl.store(out + N + i, ring.index(1).load(PAIRS))


@gluon.jit
def arriving_copies(x, out, N: gl.constexpr):
    i = gl.arange(0, N, PAIRS)
    tile = gl.allocate_shared_memory(gl.float32, [N], FLAT)
    bars = mbarrier.allocate_mbarrier(batch=2)
    mbarrier.init(bars.index(0), count=1)
    async_copy.async_load(tile, x + i)
    async_copy.mbarrier_arrive(bars.index(0), increment_count=True)
    mbarrier.arrive(bars.index(0))
    mbarrier.wait(bars.index(0), 0)
    gl.store(out + i, tile.load(PAIRS))
    mbarrier.invalidate(bars.index(0))


@gluon.jit
def accumulators(a_rows, b_rows, out, M: gl.constexpr, N: gl.constexpr):
    memory: gl.constexpr = blackwell.TensorMemoryLayout([M, N], col_stride=1)
    a = gl.allocate_shared_memory(gl.float16, [M, 64], a_rows.layout)
    b = gl.allocate_shared_memory(gl.float16, [N, 64], b_rows.layout)
    acc = blackwell.allocate_tensor_memory(gl.float32, [M, N], memory)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, a_rows.nbytes_per_cta + b_rows.nbytes_per_cta)
    tma.async_load(a_rows, [0, 0], bar, a)
    tma.async_load(b_rows, [0, 0], bar, b)
    mbarrier.wait(bar, 0)
    blackwell.tcgen05_mma(a, b.permute([1, 0]), acc, use_acc=False, mbarriers=[bar])
    mbarrier.wait(bar, 1)
    registers: gl.constexpr = acc.get_reg_layout()
    row = gl.arange(0, M, gl.SliceLayout(1, registers))
    column = gl.arange(0, N, gl.SliceLayout(0, registers))
    gl.store(out + row[:, None] * N + column[None, :], acc.load(registers))


@gluon.jit
def products(a_rows, b_rows, out, M: gl.constexpr, N: gl.constexpr, K: gl.constexpr):
    a = gl.allocate_shared_memory(gl.float16, [M, K], a_rows.layout)
    b = gl.allocate_shared_memory(gl.float16, [K, N], b_rows.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, a_rows.nbytes_per_cta + b_rows.nbytes_per_cta)
    tma.async_load(a_rows, [0, 0], bar, a)
    tma.async_load(b_rows, [0, 0], bar, b)
    mbarrier.wait(bar, 0)
    layout: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, N, 16])
    acc = hopper.warpgroup_mma(a, b, gl.zeros([M, N], gl.float32, layout), is_async=True)
    acc = hopper.warpgroup_mma_wait(num_outstanding=0, deps=[acc])
    row = gl.arange(0, M, gl.SliceLayout(1, layout))
    column = gl.arange(0, N, gl.SliceLayout(0, layout))
    gl.store(out + row[:, None] * N + column[None, :], acc)


@gluon.jit
def one_arrives(out, N: gl.constexpr):
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=3)
    hopper.cluster.barrier()
    mbarrier.expect(bar, bytes_per_cta=0, from_cta=0)
    mbarrier.arrive(bar, count=1, from_cta=0)
    mbarrier.arrive(bar, count=1, from_cta=1)
    mbarrier.wait(bar, 0)
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0], [[1]])
    gl.store(out + gl.arange(0, N, layout=layout), 1)
    hopper.cluster.barrier()


@gluon.jit
def tiles_with_policies(source, target):
    tile = gl.allocate_shared_memory(source.dtype, source.block_shape, source.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, source.nbytes_per_cta)
    first: gl.constexpr = hopper.CachePolicy(l2=hopper.FractionalEvictionPolicy("evict_first", 0.5))
    last: gl.constexpr = hopper.CachePolicy(l2=hopper.FractionalEvictionPolicy("evict_last", 1.0))
    tma.async_load(source, [0, 0], bar, tile, cache_policy=first)
    mbarrier.wait(bar, 0)
    tma.async_store(target, [0, 0], tile, cache_policy=last)
    tma.store_wait(0)


HALVES = "tensordesc<fp16[32,32],NVMMASharedLayout(64,16)>"
WORDS = "tensordesc<i32[32,32],NVMMASharedLayout(128,32)>"
TILE = "tensordesc<fp16[{},{}],NVMMASharedLayout(128,16)>"
EVERY = [80, 90, 100]
CASES = [
    case(shared_atomics, "*i32 *i32", archs=EVERY, N=256),
    case(shared_sums, "*fp32 *fp32", archs=EVERY, N=256),
    case(packed_pairs, "*fp32 *fp32", archs=[100], N=256),
    case(ordered, "*i32 *i32", archs=EVERY, N=256),
    case(assembly, "*fp32 *fp32 fp32", archs=EVERY, N=256),
    case(hand_over, "*i32", archs=[90, 100], options={"num_ctas": 2}, N=256),
    case(tiles, " ".join([HALVES] * 4), archs=[90, 100]),
    case(integer_tiles, " ".join([WORDS] * 2), archs=[90, 100]),
    case(steps_of_clusters, "*i32", archs=[90, 100], options={"num_ctas": 2}),
    case(others_work, "*i32", archs=[100]),
    case(views, "*i32 *fp32", archs=EVERY, N=256),
    case(copies, "*fp32 *fp32", archs=EVERY, N=256),
    case(arriving_copies, "*fp32 *fp32", archs=[90, 100], N=256),
    case(accumulators, f"{TILE.format(128, 64)} {TILE.format(64, 64)} *fp32", archs=[100], M=128, N=64),
    case(products, f"{TILE.format(64, 64)} {TILE.format(64, 64)} *fp32", archs=[90], M=64, N=64, K=64),
    case(policies, "*fp32 *fp32", archs=EVERY, N=256),
    case(bounded, "*fp32 *fp32", archs=EVERY, N=256),
    case(one_arrives, "*i32", archs=[90, 100], options={"num_ctas": 2}, N=256),
    case(tiles_with_policies, f"{HALVES} {HALVES}", archs=[90, 100]),
]
