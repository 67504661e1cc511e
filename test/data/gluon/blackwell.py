"""Kernels for sm_100: tensor memory, tcgen05, rows by TMA, pairs of fp32."""

from cases import case
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia import blackwell
from triton.experimental.gluon.language.nvidia.blackwell import (
    TensorMemoryLayout,
    TensorMemoryScalesLayout,
    allocate_tensor_memory,
    async_copy,
    fence_async_shared,
    float2,
    get_tmem_reg_layout,
    mbarrier,
    mma_v2,
    tcgen05_commit,
    tcgen05_copy,
    tcgen05_mma,
    tcgen05_mma_scaled,
    tensor_memory_descriptor,
    tma,
)

ROWS = gl.constexpr(gl.BlockedLayout([1, 8], [8, 4], [4, 1], [1, 0]))


@gluon.jit
def half_of(acc: tensor_memory_descriptor, N: gl.constexpr, NUM_WARPS: gl.constexpr):
    part = acc.slice(N // 2, N // 2)
    gl.static_assert(part.shape[1] == N // 2 and part.rank == 2 and part.dtype == acc.dtype)
    gl.static_assert(part.layout.block[1] == N // 2)
    return part.load(get_tmem_reg_layout(part.dtype, part.shape, part.layout, NUM_WARPS)), part


@gluon.jit
def products(a_rows, b_rows, dst, M: gl.constexpr, N: gl.constexpr, VARIANT: gl.constexpr):
    memory: gl.constexpr = TensorMemoryLayout([M, N], col_stride=1)
    a = gl.allocate_shared_memory(gl.float16, [M, 64], a_rows.layout)
    b = gl.allocate_shared_memory(gl.float16, [N, 64], b_rows.layout)
    acc = allocate_tensor_memory(gl.float32, [M, N], memory)
    bars = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    mbarrier.init(bars.index(0), count=1)
    mbarrier.init(bars.index(1), count=1)
    mbarrier.expect(bars.index(0), (M + N) * 64 * 2)
    tma.async_copy_global_to_shared(a_rows, [0, 0], bars.index(0), a)
    tma.async_copy_global_to_shared(b_rows, [0, 0], bars.index(0), b)
    mbarrier.wait(bars.index(0), 0)
    tcgen05_mma(a, b.permute([1, 0]), acc, use_acc=False, mbarriers=[bars.index(1)])
    mbarrier.wait(bars.index(1), 0)
    tcgen05_mma(a, b.permute([1, 0]), acc, pred=True, mbarriers=[bars.index(1)], mbarrier_preds=[False])
    tcgen05_mma(a, b.permute([1, 0]), acc)
    tcgen05_commit(bars.index(1))
    mbarrier.wait(bars.index(1), 1)
    layout: gl.constexpr = get_tmem_reg_layout(gl.float32, [M, N], memory, gl.num_warps(), VARIANT)
    value = acc.load(layout)
    acc.store(value, pred=M > 0)
    right, part = half_of(acc, N, gl.num_warps())
    part.store(right)
    row = gl.arange(0, M, layout=gl.SliceLayout(1, layout))
    column = gl.arange(0, N, layout=gl.SliceLayout(0, layout))
    gl.store(dst + row[:, None] * N + column[None, :], value)
    mbarrier.arrive(bars.index(1), count=1)
    mbarrier.invalidate(bars.index(0))


@gluon.jit
def left_in_tensor_memory(src, b_rows, dst, slot):
    operand: gl.constexpr = TensorMemoryLayout((128, 64), 1)
    memory: gl.constexpr = TensorMemoryLayout((128, 32), 1)
    layout: gl.constexpr = get_tmem_reg_layout(gl.float16, (128, 64), operand, 4)
    row = gl.arange(0, 128, layout=gl.SliceLayout(1, layout))
    column = gl.arange(0, 64, layout=gl.SliceLayout(0, layout))
    a = allocate_tensor_memory(gl.float16, [128, 64], operand, gl.load(src + row[:, None] * 64 + column[None, :]))
    b = gl.allocate_shared_memory(gl.float16, [64, 32], b_rows.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, 64 * 32 * 2)
    tma.async_copy_global_to_shared(b_rows, [0, 0], bar, b)
    mbarrier.wait(bar, 0)
    slots = allocate_tensor_memory(gl.float32, [2, 128, 32], memory)
    acc = slots.index(slot)
    tcgen05_mma(a, b, acc, use_acc=False)
    split: gl.constexpr = get_tmem_reg_layout(gl.float32, (128, 32), memory, 4, "32x32b_splitn")
    left, right = acc.load(split).reshape((128, 2, 16)).permute((0, 2, 1)).split()
    out: gl.constexpr = gl.BlockedLayout([1, 4], [8, 4], [4, 1], [1, 0])
    total = gl.convert_layout(left + right, out)
    gl.store(
        dst
        + gl.arange(0, 128, gl.SliceLayout(1, out))[:, None] * 16
        + gl.arange(0, 16, gl.SliceLayout(0, out))[None, :],
        total,
    )
    words = acc._reinterpret(gl.float16, [128, 64], operand)
    words.store(gl.zeros([128, 64], gl.float16, layout))


@gluon.jit
def scaled_products(a_rows, scales, dst, bar_pred, M: gl.constexpr):
    memory: gl.constexpr = TensorMemoryLayout([M, M], col_stride=1)
    a = gl.allocate_shared_memory(gl.float8e4nv, [M, 128], a_rows.layout)
    acc = allocate_tensor_memory(gl.float32, [M, M], memory)
    flat: gl.constexpr = gl.BlockedLayout([1, 4], [32, 1], [4, 1], [1, 0])
    row = gl.arange(0, M, layout=gl.SliceLayout(1, flat))
    column = gl.arange(0, 4, layout=gl.SliceLayout(0, flat))
    scale_memory: gl.constexpr = TensorMemoryScalesLayout()
    registers: gl.constexpr = get_tmem_reg_layout(gl.int8, [M, 4], scale_memory, 4)
    loaded = gl.convert_layout(gl.load(scales + row[:, None] * 4 + column[None, :]), registers)
    scale = allocate_tensor_memory(gl.int8, [M, 4], scale_memory, loaded)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, M * 128)
    tma.async_copy_global_to_shared(a_rows, [0, 0], bar, a)
    mbarrier.wait(bar, 0)
    tcgen05_mma_scaled(a, a.permute([1, 0]), acc, scale, scale, "e4m3", "e5m2", use_acc=False)
    tcgen05_mma_scaled(
        a, a.permute([1, 0]), acc, scale, scale, "e4m3", "e4m3", mbarriers=[bar], mbarrier_preds=[bar_pred > 0]
    )
    mbarrier.wait(bar, 1, pred=bar_pred > 0)
    layout: gl.constexpr = get_tmem_reg_layout(gl.float32, [M, M], memory, 4)
    row = gl.arange(0, M, layout=gl.SliceLayout(1, layout))
    column = gl.arange(0, M, layout=gl.SliceLayout(0, layout))
    gl.store(dst + row[:, None] * M + column[None, :], acc.load(layout))


@gluon.jit
def copies_to_tensor_memory(src, dst, LINEAR: gl.constexpr):
    index = (
        gl.arange(0, 128, layout=gl.SliceLayout(1, ROWS))[:, None] * 64
        + gl.arange(0, 64, layout=gl.SliceLayout(0, ROWS))[None, :]
    )
    tile = gl.allocate_shared_memory(gl.float32, [128, 64], gl.NVMMASharedLayout(128, 32, 2), gl.load(src + index))
    memory: gl.constexpr = TensorMemoryLayout([128, 64], col_stride=1)
    target = allocate_tensor_memory(gl.float32, [128, 64], memory)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    flat: gl.constexpr = gl.BlockedLayout([1, 4], [32, 1], [4, 1], [1, 0])
    scales = gl.allocate_shared_memory(gl.int8, [128, 4], LINEAR, gl.full([128, 4], 127, gl.int8, flat))
    fence_async_shared()
    tcgen05_copy(tile, target)
    blackwell.tcgen05_copy(scales, allocate_tensor_memory(gl.int8, [128, 4], TensorMemoryScalesLayout()))
    tcgen05_commit(bar)
    mbarrier.wait(bar, 0)
    tile._keep_alive()
    scales._keep_alive()
    value = target.load(get_tmem_reg_layout(gl.float32, [128, 64], memory, 4))
    gl.store(dst + index, gl.convert_layout(value, ROWS))


@gluon.jit
def rows_by_tma(source, target, picks, column):
    layout: gl.constexpr = gl.SliceLayout(0, gl.BlockedLayout([1, 4], [32, 1], [1, 4], [1, 0]))
    index = gl.load(picks + gl.arange(0, 32, layout=layout))
    tile = gl.allocate_shared_memory(gl.bfloat16, [32, 128], source.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, 32 * 128 * 2)
    tma.async_gather(source, index, column, bar, tile, pred=column >= 0)
    mbarrier.wait(bar, 0)
    tma.async_scatter(target, index, 0, tile)
    tma.store_wait(0)


@gluon.jit
def described(src, dst, rows):
    layout: gl.constexpr = gl.NVMMASharedLayout(128, 16, 2)
    source = tma.make_tensor_descriptor(src, [rows, 64], [64, 1], [1, 64], layout)
    gl.static_assert(source.block_type.element_ty == gl.float16 and source.layout == layout)
    tile = gl.allocate_shared_memory(gl.float16, [8, 64], layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, 8 * 64 * 2)
    offsets: gl.constexpr = gl.SliceLayout(0, gl.BlockedLayout([1, 4], [32, 1], [1, 4], [1, 0]))
    tma.async_gather(source, 2 * gl.arange(0, 8, offsets), 0, bar, tile)
    mbarrier.wait(bar, 0)
    target = tma.make_tensor_descriptor(dst, [rows // 2, 64], [64, 1], [8, 64], layout)
    copy_back(target, tile)


@gluon.jit
def copy_back(target: tma.tensor_descriptor, tile):
    tma.async_copy_shared_to_global(target, [0, 0], tile)
    tma.store_wait(0)


@gluon.jit
def pairs(src, dst, N: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [8, 4], [4, 1], [1, 0])
    row, column = gl.arange(0, 32, gl.SliceLayout(1, layout)), gl.arange(0, N, gl.SliceLayout(0, layout))
    index = row[:, None] * N + column[None, :]
    x = float2.pack(gl.load(src + index), axis=1)
    two = float2.full_like(x, gl.to_tensor(2.0))
    y = float2.fma(x, two, x * x + two - x)
    gl.store(dst + index, gl.convert_layout(float2.unpack(y, axis=1), layout))
    first, second = float2.unpack2(y.sum(axis=1))
    both = float2.unpack2(float2.pack2(first, second) * float2.Float2Tensor(float2.pack2(second, first).value))
    rows = gl.arange(0, 32, first.type.layout)
    gl.store(dst + rows, first + second + both[0] + both[1])


@gluon.jit
def before_sm_100(src, dst, N: gl.constexpr):
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
def two_ctas(dst, A: gl.constexpr, B: gl.constexpr, BARRIER: gl.constexpr):
    memory: gl.constexpr = TensorMemoryLayout((128, 64), 1, cta_split_num=(2, 1), two_ctas=True)
    a = gl.allocate_shared_memory(gl.float16, [256, 64], A)
    b = gl.allocate_shared_memory(gl.float16, [64, 64], B)
    acc = allocate_tensor_memory(gl.float32, [256, 64], memory)
    bar = gl.allocate_shared_memory(gl.int64, [1], BARRIER)
    mbarrier.init(bar, count=1)
    tcgen05_mma(a, b, acc, use_acc=False, mbarriers=[bar])
    mbarrier.wait(bar, 0)
    layout: gl.constexpr = get_tmem_reg_layout(gl.float32, (256, 64), memory, 4, cga_layout=[[1, 0]])
    row, column = gl.arange(0, 256, gl.SliceLayout(1, layout)), gl.arange(0, 64, gl.SliceLayout(0, layout))
    gl.store(dst + row[:, None] * 64 + column[None, :], acc.load(layout))


def tile(element, *shape, bits):
    """The type of a tensor descriptor, without blanks."""
    sizes = ",".join(map(str, shape))
    return f"tensordesc<{element}[{sizes}],NVMMASharedLayout({min(128, shape[-1] * bits // 8)},{bits},{len(shape)})>"


SCALES = gl.SharedLinearLayout([[0, 1], [0, 2], [32, 0], [64, 0], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]])
B16 = (tile("fp16", 128, 64, bits=16), tile("fp16", 64, 64, bits=16))
ONLY = (100,)

CASES = [
    case(products, f"{B16[0]} {B16[1]} *fp32", name="products_of_4_warps", archs=ONLY, M=128, N=64, VARIANT="32x32b"),
    case(products, f"{B16[1]} {B16[0]} *fp32", name="products_of_64_rows", archs=ONLY, M=64, N=128, VARIANT="16x256b"),
    case(products, f"{B16[0]} {B16[1]} *fp32", name="products_of_8_warps", archs=ONLY, options={"num_warps": 8}, M=128,
         N=64, VARIANT="16x64b"),
    case(left_in_tensor_memory, f"*fp16 {tile('fp16', 64, 32, bits=16)} *fp32 i32", archs=ONLY),
    case(scaled_products, f"{tile('fp8e4nv', 128, 128, bits=8)} *i8 *fp32 i32", archs=ONLY, M=128),
    case(copies_to_tensor_memory, "*fp32 *fp32", archs=ONLY, LINEAR=SCALES),
    case(rows_by_tma, f"{tile('bf16', 1, 128, bits=16)} {tile('bf16', 1, 128, bits=16)} *i32 i32", archs=ONLY),
    case(described, "*fp16 *fp16 i32", archs=ONLY),
    case(pairs, "*fp32 *fp32", archs=ONLY, N=64),
    case(before_sm_100, "*fp16 *fp32", archs=ONLY, N=64),
    case(
        two_ctas,
        "*fp32",
        archs=ONLY,
        options={"num_ctas": 2},
        A=gl.NVMMASharedLayout(128, 16, 2, cga_layout=[[1, 0]]),
        B=gl.NVMMASharedLayout(64, 16, 2, cga_layout=[[0, 1]]),
        BARRIER=mbarrier.MBarrierLayout([[0]]),
    ),
]  # fmt: skip
