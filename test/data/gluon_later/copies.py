"""Kernels in Gluon with later arguments of copies and barriers: policies of caches, other CTAs, layouts of clusters."""

from cases import case
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia import ampere, hopper
from triton.experimental.gluon.language.nvidia.hopper import mbarrier, tma

LAST = gl.constexpr(ampere.CachePolicy(l2=ampere.FractionalEvictionPolicy("evict_last", 0.5)))
FIRST = gl.constexpr(hopper.CachePolicy(l2=ampere.FractionalEvictionPolicy("evict_first", 1.0)))
EITHER = gl.constexpr(gl.CachePolicy(eviction_policy="evict_first"))
QUARTER = gl.constexpr(ampere.FractionalEvictionPolicy("evict_last", 0.25))
ALL_OF_IT = gl.constexpr(ampere.CachePolicy(cache_modifier="cg", l2=QUARTER, l2_prefetch_size=128))
ROWS = gl.constexpr(gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0]))
HALVES = gl.constexpr(gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0], [[1, 0]]))
QUARTERS = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0], [[1], [2]]))


@gluon.jit
def cached_blocks(src, dst):
    tile = gl.allocate_shared_memory(src.dtype, src.block_shape, src.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, bytes_per_cta=src.nbytes_per_cta)
    tma.async_load(src, [0, 0], bar, tile, cache_policy=LAST)
    mbarrier.wait(bar, 0)
    tma.async_store(dst, [0, 0], tile, cache_policy=FIRST)
    tma.store_wait(0)
    mbarrier.expect(bar, src.nbytes_per_cta)
    tma.async_load(src, [8, 0], bar, tile, cache_policy=EITHER)
    mbarrier.wait(bar, 1)
    tma.async_store(dst, [8, 0], tile, cache_policy=EITHER)
    tma.store_wait(0)


@gluon.jit
def cached_copies(src, dst, n):
    row = gl.arange(0, 32, gl.SliceLayout(1, ROWS))
    column = gl.arange(0, 32, gl.SliceLayout(0, ROWS))
    at = row[:, None] * 32 + column[None, :]
    tile = gl.allocate_shared_memory(gl.float32, [32, 32], gl.SwizzledSharedLayout(4, 1, 8, [1, 0]))
    ampere.async_copy.async_load(tile, src + at, mask=at < n, cache_policy=ALL_OF_IT)
    ampere.async_copy.commit_group()
    ampere.async_copy.wait_group(0)
    gl.store(dst + at, tile.load(ROWS))


@gluon.jit
def arrivals_for_others(src, dst):
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=3)
    hopper.cluster.barrier()
    mbarrier.arrive(bar, count=2, from_cta=1)
    mbarrier.arrive(bar, from_cta=2, pred=gl.program_id(0) >= 0)
    mbarrier.wait(bar, 0)
    mbarrier.expect(bar, 0, from_cta=0)
    mbarrier.arrive(bar, from_cta=3, count=2)
    mbarrier.wait(bar, 1)
    i = gl.arange(0, 256, QUARTERS)
    gl.store(dst + i, gl.load(src + i))


@gluon.jit
def padded_halves(src, dst, M: gl.constexpr, N: gl.constexpr):
    padded: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[64, 4]], [M, N], [1, 0], [[1, 0]])
    row = gl.arange(0, M, gl.SliceLayout(1, HALVES))
    column = gl.arange(0, N, gl.SliceLayout(0, HALVES))
    at = row[:, None] * N + column[None, :]
    buffer = gl.allocate_shared_memory(gl.float32, [M, N], padded, gl.load(src + at))
    gl.store(dst + at, buffer.load(HALVES))


@gluon.jit
def one(dst):
    gl.store(dst, 1)


@gluon.jit
def two(dst):
    gl.store(dst + 1, 2)


@gluon.jit
def own_registers(dst):
    gl.warp_specialize([(one, (dst,)), (two, (dst,))], [1])


BLOCKS = "tensordesc<fp32[8,32],NVMMASharedLayout(128,32)>"
CASES = [
    case(cached_blocks, f"{BLOCKS} {BLOCKS}", archs=[90, 100]),
    case(cached_copies, "*fp32 *fp32 i32", archs=[80, 90]),
    case(arrivals_for_others, "*fp32 *fp32", archs=[90, 100], options={"num_ctas": 4}),
    case(padded_halves, "*fp32 *fp32", archs=[90], options={"num_ctas": 2}, M=32, N=64),
    case(own_registers, "*i32", archs=[90, 100]),
]
