"""Kernels in Gluon with what Triton 3.7 to 3.9 added to its names."""

from cases import case
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia import ampere, blackwell, hopper
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


HALVES = "tensordesc<fp16[32,32],NVMMASharedLayout(64,16)>"
WORDS = "tensordesc<i32[32,32],NVMMASharedLayout(128,32)>"
EVERY = [80, 90, 100]
CASES = [
    case(shared_atomics, "*i32 *i32", archs=EVERY, N=256),
    case(shared_sums, "*fp32 *fp32", archs=EVERY, N=256),
    case(packed_pairs, "*fp32 *fp32", archs=[100], N=256),
    case(ordered, "*i32 *i32", archs=EVERY, N=256),
    case(assembly, "*fp32 *fp32 fp32", archs=EVERY, N=256),
    case(hand_over, "*i32", archs=[90, 100], options=dict(num_ctas=2), N=256),
    case(tiles, " ".join([HALVES] * 4), archs=[90, 100]),
    case(integer_tiles, " ".join([WORDS] * 2), archs=[90, 100]),
    case(steps_of_clusters, "*i32", archs=[90, 100], options=dict(num_ctas=2)),
    case(others_work, "*i32", archs=[100]),
    case(policies, "*fp32 *fp32", archs=EVERY, N=256),
    case(bounded, "*fp32 *fp32", archs=EVERY, N=256),
]
