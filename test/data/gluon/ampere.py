"""Kernels for sm_80 and later: copies in the background, barriers in shared memory, mma.sync."""

from cases import case
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy, mbarrier, mma_v2

ROWS = gl.constexpr(gl.BlockedLayout([1, 8], [8, 4], [4, 1], [1, 0]))
SWIZZLED = gl.constexpr(gl.SwizzledSharedLayout(8, 1, 8, [1, 0]))


@gluon.jit
def copies(src, dst, n, N: gl.constexpr):
    row = gl.arange(0, N, layout=gl.SliceLayout(1, ROWS))
    column = gl.arange(0, N, layout=gl.SliceLayout(0, ROWS))
    index = row[:, None] * N + column[None, :]
    buffer = gl.allocate_shared_memory(gl.float16, [2, N, N], SWIZZLED)
    async_copy.async_copy_global_to_shared(buffer.index(0), src + index)
    async_copy.commit_group()
    async_copy.async_copy_global_to_shared(
        buffer.index(1), src + index, mask=row[:, None] < n, cache_modifier=".cg", eviction_policy="evict_last",
        volatile=True,
    )  # fmt: skip
    async_copy.commit_group()
    async_copy.wait_group(1)
    first = buffer.index(0).load(ROWS)
    async_copy.wait_group()
    gl.store(dst + index, first + buffer.index(1).load(ROWS))


@gluon.jit
def copies_at_barriers(src, dst, pred, N: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    index = gl.arange(0, N, layout)
    buffer = gl.allocate_shared_memory(gl.float32, [N], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    ready = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    for slot in gl.static_range(2):
        mbarrier.init(ready.index(slot), count=1)
    async_copy.async_copy_global_to_shared(buffer, src + index)
    async_copy.mbarrier_arrive(ready.index(0))
    mbarrier.arrive(ready.index(0))
    mbarrier.wait(ready.index(0), 0)
    async_copy.mbarrier_arrive(ready.index(1), increment_count=False)
    mbarrier.arrive(ready.index(1), pred=pred > 0)
    mbarrier.wait(ready.index(1), pred & 1, pred=pred > 0, deps=[buffer])
    gl.store(dst + index, buffer.load(layout))
    mbarrier.invalidate(ready.index(0))


@gluon.jit
def multiply(a_ptr, b_ptr, out, K, PRECISION: gl.constexpr, N: gl.constexpr):
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [4, 1], [16, 8])
    width: gl.constexpr = 32 // a_ptr.dtype.element_ty.primitive_bitwidth
    row = gl.arange(0, N, layout=gl.SliceLayout(1, ROWS))
    column = gl.arange(0, N, layout=gl.SliceLayout(0, ROWS))
    acc = gl.zeros([N, N], gl.float32, mma)
    for k in range(0, K, N):
        a = gl.load(a_ptr + row[:, None] * K + column[None, :] + k)
        b = gl.load(b_ptr + (row[:, None] + k) * N + column[None, :])
        a = gl.convert_layout(a, gl.DotOperandLayout(0, mma, width))
        b = gl.convert_layout(b, gl.DotOperandLayout(1, mma, width))
        acc = mma_v2(a, b, acc, input_precision=PRECISION)
    gl.store(out + row[:, None] * N + column[None, :], gl.convert_layout(acc, ROWS))


CASES = [
    case(copies, "*fp16 *fp16 i32", N=64),
    case(copies_at_barriers, "*fp32 *fp32 i32", N=512),
    case(multiply, "*fp16 *fp16 *fp32 i32", N=64, PRECISION=None),
    case(multiply, "*bf16 *bf16 *fp32 i32", name="multiply_bf16", N=32, PRECISION=None),
    case(multiply, "*fp32 *fp32 *fp32 i32", name="multiply_tf32", N=32, PRECISION="tf32"),
]
