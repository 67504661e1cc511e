"""Kernels in Gluon that combine what Triton 3.7 to 3.9 added: clusters, atomics in roles, buffers by index, order."""

from cases import case
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia import ampere
from triton.experimental.gluon.language.nvidia.hopper import (
    cluster,
    mbarrier,
    tma,
    warpgroup_mma,
    warpgroup_mma_wait,
)

LINE = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0]))


@gluon.jit
def cluster_product(a_desc, b_desc, c_ptr, steps):
    mma: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 64, 16], [[1, 0]])
    a = gl.allocate_shared_memory(gl.float16, [2, 128, 64], a_desc.layout)
    b = gl.allocate_shared_memory(gl.float16, [2, 64, 64], b_desc.layout)
    bars = mbarrier.allocate_mbarrier(batch=2)
    for i in gl.static_range(2):
        mbarrier.init(bars.index(i), count=1)
    cluster.barrier()
    acc = gl.zeros([128, 64], gl.float32, mma)
    for k in range(steps):
        s = k % 2
        mbarrier.expect(bars.index(s), a_desc.nbytes_per_cta + b_desc.nbytes_per_cta)
        tma.async_load(a_desc, [0, k * 64], bars.index(s), a.index(s))
        tma.async_load(b_desc, [k * 64, 0], bars.index(s), b.index(s), multicast=True)
        mbarrier.wait(bars.index(s), k // 2 & 1)
        acc = warpgroup_mma(a.index(s), b.index(s), acc, is_async=True)
        acc = warpgroup_mma_wait(num_outstanding=0, deps=[acc])
        cluster.barrier()
    m = gl.arange(0, 128, gl.SliceLayout(1, mma))
    n = gl.arange(0, 64, gl.SliceLayout(0, mma))
    gl.store(c_ptr + m[:, None] * 64 + n[None, :], acc)


@gluon.jit
def producer(x, buf, bar, n: gl.constexpr):
    lay: gl.constexpr = gl.BlockedLayout([1], [32], [gl.num_warps()], [0])
    i = gl.arange(0, n, lay)
    v = gl.load(x + i)
    buf.atomic_scatter_add(gl.full_like(v, 1), v, axis=0)
    mbarrier.arrive(bar)


@gluon.jit
def _add(a, b):
    return a + b


@gluon.jit
def consumer(out, buf, bar, n: gl.constexpr):
    mbarrier.wait(bar, 0)
    i = gl.arange(0, n, LINE)
    c = buf.load(LINE)
    g = buf.gather((i * 7) % n, axis=0)
    gl.store(out + i, gl.associative_scan(c, 0, _add) + g)


@gluon.jit
def counts_by_roles(x, out, n: gl.constexpr):
    buf = gl.allocate_shared_memory(gl.int32, [n], gl.SwizzledSharedLayout(1, 1, 1, [0]), gl.zeros([n], gl.int32, LINE))
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=2)
    gl.barrier()
    gl.warp_specialize(
        [(consumer, (out, buf, bar, n)), (producer, (x, buf, bar, n)), (producer, (x + n, buf, bar, n))],
        [2, 4],
        [24, 40],
    )


@gluon.jit
def transposed_tiles(src, dst, N: gl.constexpr):
    lay: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])
    m = gl.arange(0, N, gl.SliceLayout(1, lay))
    n = gl.arange(0, N, gl.SliceLayout(0, lay))
    off = m[:, None] * N + n[None, :]
    sm = gl.allocate_shared_memory(gl.float16, [N, N], gl.SwizzledSharedLayout(8, 1, 8, [1, 0]))
    ampere.async_copy.async_load(sm, src + off)
    ampere.async_copy.commit_group()
    ampere.async_copy.wait_group(0)
    gl.barrier()
    rev = gl.zeros([N, N], gl.int32, lay) + (N - 1 - m)[:, None]
    x = sm.gather(rev, axis=0)
    y = sm.permute([1, 0]).load(lay)
    gl.barrier()
    sm.scatter(x + y, rev, axis=0)
    gl.barrier()
    z = sm.load(lay).to(gl.float32)
    lo = gl.clamp(z, -1.0, 1.0)
    gl.store(dst + off, lo)


@gluon.jit
def one_after_the_other(x, flag, out):
    p = gl.program_id(0)
    i = gl.arange(0, 128, LINE)
    if p > 0:
        seen = gl.atomic_poll(flag + p - 1, 1)
        gl.device_assert(seen & gl.atomic_poll(flag, 1, sem="relaxed", scope="sys", timeout_ns=1000))
        before = gl.load(out + (p - 1) * 128 + i)
    else:
        before = gl.zeros([128], gl.int32, LINE)
    gl.store(out + p * 128 + i, before + gl.load(x + p * 128 + i))
    gl.barrier()
    gl.atomic_store(flag + p, 1, sem="release", scope="gpu")


ROWS = "tensordesc<fp16[128,64],NVMMASharedLayout(128,16,2,cga_layout=[[1,0]])>"
SHARED = "tensordesc<fp16[64,64],NVMMASharedLayout(128,16,2,cga_layout=[[0,0]])>"
CASES = [
    case(cluster_product, f"{ROWS} {SHARED} *fp32 i32", archs=[90], options={"num_ctas": 2}),
    case(counts_by_roles, "*i32 *i32", archs=[90, 100], n=128),
    case(transposed_tiles, "*fp16 *fp32", archs=[80, 90, 100], N=64),
    case(one_after_the_other, "*i32 *i32 *i32", archs=[80, 90]),
]
