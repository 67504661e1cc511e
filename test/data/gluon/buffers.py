"""Buffers in shared memory, questions about layouts, warps with roles."""

from cases import case
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

ROWS = gl.BlockedLayout([1, 8], [8, 4], [4, 1], [1, 0])  # a global layout needs no constexpr
SWIZZLED = gl.constexpr(gl.SwizzledSharedLayout(8, 1, 8, [1, 0]))
LINEAR = gl.constexpr(
    gl.DistributedLinearLayout(
        [[0, 1], [0, 2], [0, 4], [32, 0]], [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], [[8, 0], [16, 0]], [], [64, 32]
    )
)
SHARED_LINEAR = gl.SharedLinearLayout([[0, 1 << bit] for bit in range(5)] + [[1 << bit, 0] for bit in range(6)])


@gluon.jit
def shared_views(src, dst, slot, N: gl.constexpr, PADDED: gl.constexpr):
    row = gl.arange(0, N, layout=gl.SliceLayout(1, ROWS))
    column = gl.arange(0, N, layout=gl.SliceLayout(0, ROWS))
    index = row[:, None] * N + column[None, :]
    value = gl.load(src + index)
    buffers = gl.allocate_shared_memory(gl.float16, [2, N, N], SWIZZLED)
    first = buffers.index(slot)
    first.store(value)
    second = buffers.index(1)
    second.slice(0, N // 2, dim=1).store(first.slice(N // 2, N // 2, dim=1).load(ROWS))
    gl.thread_barrier()
    turned = first.permute([1, 0]).load(ROWS)
    line: gl.constexpr = gl.BlockedLayout([8], [32], [4], [0])
    flat = first.reshape([N * N]).load(line)
    words = first._reinterpret(gl.int32, [N, N // 2], gl.SwizzledSharedLayout(1, 1, 1, [1, 0])).load(ROWS)
    padded = gl.allocate_shared_memory(gl.float16, [N, N], PADDED, turned)
    gl.static_assert(padded.shape[0] == N and padded.rank == 2 and padded.numel == N * N)
    gl.static_assert(first.dtype == gl.float16 and first.layout == SWIZZLED)
    gl.store(dst + index, padded.load(ROWS))
    gl.store(dst + gl.arange(0, N * N, layout=line), flat)
    gl.store(dst + row, gl.sum(words, axis=1).to(gl.float16))
    padded._keep_alive()


@gluon.jit
def load_and_square(buffer: gl.shared_memory_descriptor, layout: gl.constexpr):
    value = buffer.load(layout)
    return value * value


@gluon.jit
def ring(src, dst, steps, N: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([2], [32], [gl.num_warps()], [0])
    index = gl.arange(0, N, layout)
    slots = gl.allocate_shared_memory(gl.float32, [4, N], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    for slot in gl.static_range(4):
        slots.index(slot).store(gl.load(src + slot * N + index))
    total = gl.zeros([N], gl.float32, layout)
    current = slots.index(0)
    for step in range(steps):
        total += load_and_square(current, layout)
        current = slots.index((step + 1) % 4)
    gl.store(dst + index, total)


@gluon.jit
def conversions(src, dst):
    row = gl.arange(0, 64, layout=gl.SliceLayout(1, ROWS))
    column = gl.arange(0, 32, layout=gl.SliceLayout(0, ROWS))
    index = row[:, None] * 32 + column[None, :]
    value = gl.convert_layout(gl.load(src + index), LINEAR)
    same: gl.constexpr = gl.to_linear_layout(ROWS, [64, 32])
    buffer = gl.allocate_shared_memory(gl.float16, [64, 32], SHARED_LINEAR, value)
    value = gl.convert_layout(buffer.load(same), ROWS, assert_trivial=True)
    conflicts: gl.constexpr = gl.bank_conflicts(value.type, buffer.type)
    gl.store(dst + index, value + conflicts * gl.num_ctas())


@gluon.jit
def tensor_core_layouts(src, dst, N: gl.constexpr):
    mma: gl.constexpr = gl.NVMMADistributedLayout(version=[2, 0], warps_per_cta=[4, 1], instr_shape=[16, 8])
    row = gl.arange(0, N, layout=gl.SliceLayout(1, mma))
    column = gl.arange(0, N, layout=gl.SliceLayout(0, mma))
    index = row[:, None] * N + column[None, :]
    layout: gl.constexpr = gl.NVMMASharedLayout.get_default_for([N, N], gl.float16)
    buffer = gl.allocate_shared_memory(gl.float16, [N, N], layout, gl.load(src + index))
    a = buffer.load(gl.DotOperandLayout(0, mma, k_width=2))
    gl.store(dst + index, gl.convert_layout(a, mma))


@gluon.jit
def default_role(values, n):
    return values + n, n * 2


@gluon.jit
def writing_role(out, buffer, n, N: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [gl.num_warps()], [0])
    index = gl.arange(0, N, layout)
    gl.store(out + index, buffer.load(layout) + n)


@gluon.jit
def counting_role(out, n):
    for step in range(n):
        gl.atomic_add(out, step)


@gluon.jit
def roles(src, dst, counted, n, N: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [gl.num_warps()], [0])
    index = gl.arange(0, N, layout)
    values = gl.load(src + index)
    buffer = gl.allocate_shared_memory(gl.float32, [N], gl.SwizzledSharedLayout(1, 1, 1, [0]), values)
    values, twice = gl.warp_specialize(
        [(default_role, (values, n)), (writing_role, (dst, buffer, n, N)), (counting_role, (counted, n))],
        [4, 1],
        [24, 40],
    )
    gl.store(dst + N + index, values + twice)


CASES = [
    case(
        shared_views,
        "*fp16 *fp16 i32",
        N=64,
        PADDED=gl.PaddedSharedLayout.with_identity_for([[64, 8]], [64, 64], [1, 0]),
    ),
    case(ring, "*fp32 *fp32 i32", N=256),
    case(ring, "*fp32 *fp32 i32", name="ring_of_two_warps", options={"num_warps": 2}, N=256),
    case(conversions, "*fp16 *fp16"),
    case(tensor_core_layouts, "*fp16 *fp16", N=64),
    case(roles, "*fp32 *fp32 *i32 i32", archs=(90, 100), N=128),
]
