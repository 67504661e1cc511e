"""Kernels in Gluon for sm_90 and later that combine what the others have alone: roles, rings, tensor memory."""

from cases import case
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia import blackwell
from triton.experimental.gluon.language.nvidia.blackwell import (
    TensorMemoryLayout,
    allocate_tensor_memory,
    float2,
    get_tmem_reg_layout,
    tcgen05_mma,
)
from triton.experimental.gluon.language.nvidia.hopper import (
    fence_async_shared,
    mbarrier,
    tma,
    warpgroup_mma,
    warpgroup_mma_wait,
)

ROWS = gl.constexpr(gl.BlockedLayout([1, 8], [8, 4], [4, 1], [1, 0]))


@gluon.jit
def load_role(
    a_desc, b_desc, a_s, b_s, full, free, steps, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, S: gl.constexpr
):
    for t in range(gl.program_id(0), 4, gl.num_programs(0)):
        for k in range(steps):
            n = (t - gl.program_id(0)) // gl.num_programs(0) * steps + k
            slot = n % S
            mbarrier.wait(free.index(slot), (n // S & 1) ^ 1)
            mbarrier.expect(full.index(slot), (BM + BN) * BK * 2)
            tma.async_copy_global_to_shared(a_desc, [t // 2 * BM, k * BK], full.index(slot), a_s.index(slot))
            tma.async_copy_global_to_shared(b_desc, [k * BK, t % 2 * BN], full.index(slot), b_s.index(slot))


@gluon.jit
def mma_role(a_s, b_s, full, free, c_s, c_full, c_free, steps, BM: gl.constexpr, BN: gl.constexpr, S: gl.constexpr):
    mma: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, BN, 16])
    i = 0
    for t in range(gl.program_id(0), 4, gl.num_programs(0)):
        acc = gl.zeros([BM, BN], gl.float32, mma)
        for k in range(steps):
            n = i * steps + k
            slot = n % S
            mbarrier.wait(full.index(slot), n // S & 1)
            acc = warpgroup_mma(a_s.index(slot), b_s.index(slot), acc, is_async=True)
            acc = warpgroup_mma_wait(num_outstanding=0, deps=(acc,))
            mbarrier.arrive(free.index(slot), count=1)
        mbarrier.wait(c_free, (i & 1) ^ 1)
        c_s.store(acc.to(gl.float16))
        fence_async_shared()
        mbarrier.arrive(c_full, count=1)
        i += 1


@gluon.jit
def store_role(c_desc, c_s, c_full, c_free, BM: gl.constexpr, BN: gl.constexpr):
    i = 0
    for t in range(gl.program_id(0), 4, gl.num_programs(0)):
        mbarrier.wait(c_full, i & 1)
        tma.async_copy_shared_to_global(c_desc, [t // 2 * BM, t % 2 * BN], c_s)
        tma.store_wait(0)
        mbarrier.arrive(c_free, count=1)
        i += 1


@gluon.jit
def three_roles(a_desc, b_desc, c_desc, steps, S: gl.constexpr):
    BM: gl.constexpr = a_desc.block_type.shape[0]
    BK: gl.constexpr = a_desc.block_type.shape[1]
    BN: gl.constexpr = b_desc.block_type.shape[1]
    a_s = gl.allocate_shared_memory(gl.float16, [S, BM, BK], a_desc.layout)
    b_s = gl.allocate_shared_memory(gl.float16, [S, BK, BN], b_desc.layout)
    c_s = gl.allocate_shared_memory(gl.float16, [BM, BN], c_desc.layout)
    bars = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    full = gl.allocate_shared_memory(gl.int64, [S, 1], mbarrier.MBarrierLayout())
    free = gl.allocate_shared_memory(gl.int64, [S, 1], mbarrier.MBarrierLayout())
    c_full = bars.index(0)
    c_free = bars.index(1)
    for s in gl.static_range(S):
        mbarrier.init(full.index(s), count=1)
        mbarrier.init(free.index(s), count=1)
    mbarrier.init(c_full, count=1)
    mbarrier.init(c_free, count=1)
    gl.warp_specialize(
        [
            (mma_role, (a_s, b_s, full, free, c_s, c_full, c_free, steps, BM, BN, S)),
            (load_role, (a_desc, b_desc, a_s, b_s, full, free, steps, BM, BN, BK, S)),
            (store_role, (c_desc, c_s, c_full, c_free, BM, BN)),
        ],
        [1, 4],
        [24, 40],
    )
    for s in gl.static_range(S):
        mbarrier.invalidate(full.index(s))


@gluon.jit
def wgmma_mixed(a_ptr, b_desc, c_ptr, q_desc, K: gl.constexpr):
    mma: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 64, 16])
    op: gl.constexpr = gl.DotOperandLayout(0, mma, 2)
    m = gl.arange(0, 64, gl.SliceLayout(1, op))
    k = gl.arange(0, K, gl.SliceLayout(0, op))
    bs = gl.allocate_shared_memory(b_desc.dtype, [64, K], b_desc.layout)
    qs = gl.allocate_shared_memory(q_desc.dtype, [K, 64], q_desc.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, 64 * K * 4)
    tma.async_copy_global_to_shared(b_desc, [0, 0], bar, bs)
    tma.async_copy_global_to_shared(q_desc, [0, 0], bar, qs)
    a = gl.load(a_ptr + m[:, None] * K + k[None, :])
    mbarrier.wait(bar, 0)
    s = warpgroup_mma(a, bs.permute([1, 0]), gl.zeros([64, 64], gl.float32, mma), use_acc=False)
    top = gl.max(s, 1)
    p = gl.exp2((s - gl.expand_dims(top, 1)) * 1.44269504)
    total = gl.sum(p, 1)
    p16 = gl.convert_layout(p.to(gl.bfloat16), op)
    out = gl.full([64, 64], 0.0, gl.float32, mma)
    first = warpgroup_mma(p16, qs, out, is_async=True)
    second = warpgroup_mma(p16, qs, first, is_async=True)
    out = warpgroup_mma_wait(0, deps=[second])
    out = out / total[:, None]
    n = gl.arange(0, 64, gl.SliceLayout(0, mma))
    m = gl.arange(0, 64, gl.SliceLayout(1, mma))
    gl.store(c_ptr + m[:, None] * 64 + n[None, :], out)


@gluon.jit
def worker_a(x_ptr, buf, bar, v, k: gl.constexpr):
    lay: gl.constexpr = gl.BlockedLayout([1], [32], [gl.num_warps()], [0])
    i = gl.arange(0, 128, lay)
    buf.store(gl.load(x_ptr + i) * k + v)
    mbarrier.arrive(bar, count=1)


@gluon.jit
def worker_b(buf, bar, out, back):
    lay: gl.constexpr = gl.BlockedLayout([1], [32], [gl.num_warps()], [0])
    mbarrier.wait(bar, 0)
    i = gl.arange(0, 128, lay)
    gl.store(out + i, gl.associative_scan(buf.load(lay), 0, _plus))
    mbarrier.arrive(back, count=1)


@gluon.jit
def _plus(a, b):
    return a + b


@gluon.jit
def main_part(x, extra, back, scale: gl.constexpr):
    y = x * scale
    mbarrier.wait(back, 0)
    return y, (extra + 1, y + 2)


@gluon.jit
def returns_values(x_ptr, out, rounds):
    lay: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    i = gl.arange(0, 128, lay)
    x = gl.load(x_ptr + i)
    buf = gl.allocate_shared_memory(gl.float32, [128], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    for r in range(rounds):
        bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
        back = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
        mbarrier.init(bar, count=1)
        mbarrier.init(back, count=1)
        y, (z, w) = gl.warp_specialize(
            [
                (main_part, (x, r, back, 3)),
                (worker_a, (x_ptr, buf, bar, 1.0, 2)),
                (worker_b, (buf, bar, out + 128 * r, back)),
            ],
            [2, 1],
            [24, 24],
        )
        gl.store(out + 1024 + 128 * r + i, y + z + w)
        mbarrier.invalidate(bar)
        mbarrier.invalidate(back)


@gluon.jit
def tmem_chain(a_desc, b_desc, c_ptr, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr):
    a_s = gl.allocate_shared_memory(a_desc.dtype, a_desc.block_type.shape, a_desc.layout)
    b_s = gl.allocate_shared_memory(b_desc.dtype, b_desc.block_type.shape, b_desc.layout)
    bar = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    mbarrier.init(bar.index(0), count=1)
    mbarrier.init(bar.index(1), count=1)
    kind: gl.constexpr = TensorMemoryLayout([BM, BN], col_stride=1)
    at: gl.constexpr = TensorMemoryLayout([BM, BK], col_stride=1)
    acc = allocate_tensor_memory(gl.float32, [2, BM, BN], kind)
    left = allocate_tensor_memory(a_desc.dtype, [BM, BK], at)
    mbarrier.expect(bar.index(0), BM * BK * 2 + BK * BN * 2)
    tma.async_copy_global_to_shared(a_desc, [0, 0], bar.index(0), a_s)
    tma.async_copy_global_to_shared(b_desc, [0, 0], bar.index(0), b_s)
    mbarrier.wait(bar.index(0), 0)
    ra: gl.constexpr = get_tmem_reg_layout(a_desc.dtype, [BM, BK], at, gl.num_warps())
    left.store(a_s.load(ra))
    tcgen05_mma(left, b_s, acc.index(0), use_acc=False)
    tcgen05_mma(a_s, b_s, acc.index(0), mbarriers=[bar.index(1)])
    mbarrier.wait(bar.index(1), 0)
    reg: gl.constexpr = get_tmem_reg_layout(
        gl.float32, [BM, BN // 2], TensorMemoryLayout([BM, BN // 2], 1), gl.num_warps()
    )
    for h in gl.static_range(2):
        part = acc.index(0).slice(h * (BN // 2), BN // 2)
        x = part.load(reg)
        acc.index(1).slice(h * (BN // 2), BN // 2).store(x * 2)
        m = gl.arange(0, BM, gl.SliceLayout(1, reg))
        n = gl.arange(0, BN // 2, gl.SliceLayout(0, reg))
        y = acc.index(1).slice(h * (BN // 2), BN // 2).load(reg)
        gl.store(c_ptr + m[:, None] * BN + h * (BN // 2) + n[None, :], y)


@gluon.jit
def doubled_rows(x_desc, y_desc, i_ptr, N: gl.constexpr):
    sl: gl.constexpr = gl.SliceLayout(0, gl.BlockedLayout([1, 4], [32, 1], [1, 4], [1, 0]))
    idx = gl.load(i_ptr + gl.arange(0, N, sl))
    buf = gl.allocate_shared_memory(x_desc.dtype, [N, x_desc.block_type.shape[1]], x_desc.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, N * x_desc.block_type.shape[1] * 4)
    blackwell.tma.async_gather(x_desc, idx, 32, bar, buf)
    mbarrier.wait(bar, 0)
    v = buf.load(ROWS)
    buf.store(v * 2)
    fence_async_shared()
    blackwell.tma.async_scatter(y_desc, idx, 0, buf)
    blackwell.tma.store_wait(0)


@gluon.jit
def sum_f2(x_ptr, y_ptr, M: gl.constexpr, N: gl.constexpr):
    lay: gl.constexpr = gl.BlockedLayout([1, 4], [8, 4], [4, 1], [1, 0])
    m = gl.arange(0, M, gl.SliceLayout(1, lay))
    n = gl.arange(0, N, gl.SliceLayout(0, lay))
    x = gl.load(x_ptr + m[:, None] * N + n[None, :])
    p = float2.pack(x, axis=1)
    q = float2.fma(p, p, float2.full_like(p, gl.to_tensor(1.0))) - p * p + p
    a, b = float2.unpack2(q.sum(1))
    gl.store(y_ptr + gl.arange(0, M, a.type.layout), a + b)
    z = float2.unpack(q, axis=1)
    gl.store(y_ptr + M + m[:, None] * N + n[None, :], gl.convert_layout(z, lay))


@gluon.jit
def persistent(a_desc, b_desc, c_desc, tiles, steps, S: gl.constexpr):
    BM: gl.constexpr = a_desc.block_type.shape[0]
    BN: gl.constexpr = b_desc.block_type.shape[0]
    BK: gl.constexpr = a_desc.block_type.shape[1]
    mma: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [8, 1], [16, BN, 32])
    a_s = gl.allocate_shared_memory(a_desc.dtype, [S, BM, BK], a_desc.layout)
    b_s = gl.allocate_shared_memory(b_desc.dtype, [S, BN, BK], b_desc.layout)
    c_s = gl.allocate_shared_memory(c_desc.dtype, [BM, BN], c_desc.layout)
    bars = gl.allocate_shared_memory(gl.int64, [S, 1], mbarrier.MBarrierLayout())
    for s in gl.static_range(S):
        mbarrier.init(bars.index(s), count=1)
    fence_async_shared()
    total = steps * gl.cdiv(tiles - gl.program_id(0), gl.num_programs(0))
    tile = gl.program_id(0)
    load_tile = tile
    load_k = 0
    for s in gl.static_range(S - 1):
        p = s < total
        mbarrier.expect(bars.index(s), a_desc.block_type.nbytes + b_desc.block_type.nbytes, pred=p)
        tma.async_copy_global_to_shared(a_desc, [load_tile * BM, load_k * BK], bars.index(s), a_s.index(s), pred=p)
        tma.async_copy_global_to_shared(b_desc, [0, load_k * BK], bars.index(s), b_s.index(s), pred=p)
        load_k += 1
        if load_k == steps:
            load_k = 0
            load_tile += gl.num_programs(0)
    acc = gl.zeros([BM, BN], gl.float32, mma)
    k = 0
    phase = 0
    slot = 0
    for n in range(total):
        mbarrier.wait(bars.index(slot), phase)
        acc = warpgroup_mma(
            a_s.index(slot),
            b_s.index(slot).permute((1, 0)),
            acc,
            use_acc=k > 0,
            is_async=True,
            max_num_imprecise_acc=32,
        )
        ahead = n + S - 1
        acc = warpgroup_mma_wait(0, deps=[acc])
        p = ahead < total
        to = ahead % S
        mbarrier.expect(bars.index(to), a_desc.block_type.nbytes + b_desc.block_type.nbytes, pred=p)
        tma.async_copy_global_to_shared(a_desc, [load_tile * BM, load_k * BK], bars.index(to), a_s.index(to), pred=p)
        tma.async_copy_global_to_shared(b_desc, [0, load_k * BK], bars.index(to), b_s.index(to), pred=p)
        load_k += 1
        if load_k == steps:
            load_k = 0
            load_tile += gl.num_programs(0)
        k += 1
        if k == steps:
            k = 0
            tma.store_wait(0)
            c_s.store(acc.to(c_desc.dtype))
            fence_async_shared()
            tma.async_copy_shared_to_global(c_desc, [tile * BM, 0], c_s)
            tile += gl.num_programs(0)
        slot += 1
        if slot == S:
            slot = 0
            phase ^= 1
    tma.store_wait(0)


def block(element, rows, columns, swizzle=128, bits=16):
    return f"tensordesc<{element}[{rows},{columns}],NVMMASharedLayout({swizzle},{bits},2)>"


HALVES = block("fp16", 64, 64)
BFLOATS = block("bf16", 64, 64)
ONE_ROW = block("fp32", 1, 32, bits=32)
EIGHTS = f"{block('fp8e5', 128, 64, 64, 8)} {block('fp8e5', 64, 64, 64, 8)} {block('fp16', 128, 64)}"
CASES = [
    case(three_roles, f"{HALVES} {HALVES} {HALVES} i32", archs=(90,), S=3),
    case(wgmma_mixed, f"*bf16 {BFLOATS} *fp32 {BFLOATS}", archs=(90,), K=64),
    case(returns_values, "*fp32 *fp32 i32", archs=(90, 100)),
    case(persistent, f"{EIGHTS} i32 i32", archs=(90,), S=3, options={"num_warps": 8}),
    case(tmem_chain, f"{block('fp16', 128, 64)} {block('fp16', 64, 128)} *fp32", archs=(100,), BM=128, BN=128, BK=64),
    case(doubled_rows, f"{ONE_ROW} {ONE_ROW} *i32", archs=(100,), N=32),
    case(sum_f2, "*fp32 *fp32", archs=(100,), M=32, N=64),
]
