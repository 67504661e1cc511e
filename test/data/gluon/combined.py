"""Kernels in Gluon that combine what the others have alone: rings of copies, views, open layouts, buffers by name."""

from cases import case
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy, mma_v2

BLK = gl.constexpr(gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0]))
LINE = gl.constexpr(gl.BlockedLayout([2], [32], [4], [0]))


@gluon.jit
def fetch(a_ptr, b_ptr, a_s, b_s, k, K, N, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, S: gl.constexpr):
    am = gl.arange(0, BM, gl.SliceLayout(1, BLK))
    ak = gl.arange(0, BK, gl.SliceLayout(0, BLK)) + k * BK
    bk = gl.arange(0, BK, gl.SliceLayout(1, BLK)) + k * BK
    bn = gl.arange(0, BN, gl.SliceLayout(0, BLK))
    async_copy.async_copy_global_to_shared(
        a_s.index(k % S), a_ptr + am[:, None] * K + ak[None, :], mask=(ak < K)[None, :]
    )
    async_copy.async_copy_global_to_shared(
        b_s.index(k % S),
        b_ptr + bk[:, None] * N + bn[None, :],
        mask=(bk < K)[:, None],
        cache_modifier=".cg",
        eviction_policy="evict_last",
    )
    async_copy.commit_group()


@gluon.jit
def async_mma(a_ptr, b_ptr, c_ptr, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, S: gl.constexpr):
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [2, 2], [16, 8])
    sw: gl.constexpr = gl.SwizzledSharedLayout(8, 1, 8, [1, 0])
    a_s = gl.allocate_shared_memory(gl.float16, [S, BM, BK], sw)
    b_s = gl.allocate_shared_memory(gl.float16, [S, BK, BN], sw)
    steps = gl.cdiv(K, BK)
    for i in gl.static_range(S - 1):
        fetch(a_ptr, b_ptr, a_s, b_s, i, K, BN, BM, BN, BK, S)
    acc = gl.zeros([BM, BN], gl.float32, mma)
    for k in range(steps):
        if k + S - 1 < steps:
            fetch(a_ptr, b_ptr, a_s, b_s, k + S - 1, K, BN, BM, BN, BK, S)
        else:
            async_copy.commit_group()
        async_copy.wait_group(S - 1)
        gl.thread_barrier()
        a = a_s.index(k % S).load(gl.DotOperandLayout(0, mma, 2))
        b = b_s.index(k % S).load(gl.DotOperandLayout(1, mma, 2))
        acc = mma_v2(a, b, acc)
        gl.thread_barrier()
    out = gl.convert_layout(acc.to(gl.float16), BLK)
    m = gl.arange(0, BM, gl.SliceLayout(1, BLK))
    n = gl.arange(0, BN, gl.SliceLayout(0, BLK))
    gl.store(c_ptr + m[:, None] * BN + n[None, :], out)


@gluon.jit
def buffer_views(x_ptr, y_ptr):
    lay: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    flat: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    sm = gl.allocate_shared_memory(gl.float32, [4, 32, 64], gl.SwizzledSharedLayout(4, 2, 4, [1, 0]))
    m = gl.arange(0, 32, gl.SliceLayout(1, lay))
    n = gl.arange(0, 64, gl.SliceLayout(0, lay))
    off = m[:, None] * 64 + n[None, :]
    for i in gl.static_range(4):
        sm.index(i).store(gl.load(x_ptr + i * 2048 + off))
    piece = sm.index(2).slice(16, 16, dim=0).slice(32, 32, dim=1)
    p = piece.permute([1, 0]).load(lay)
    a = gl.arange(0, 32, gl.SliceLayout(1, lay))
    b = gl.arange(0, 16, gl.SliceLayout(0, lay))
    gl.store(y_ptr + a[:, None] * 16 + b[None, :], p)
    plain = gl.allocate_shared_memory(gl.float32, [32, 64], gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))
    plain.store(sm.index(3).load(lay))
    r = plain.reshape([64, 32]).load(lay)
    c = gl.arange(0, 64, gl.SliceLayout(1, lay))
    d = gl.arange(0, 32, gl.SliceLayout(0, lay))
    gl.store(y_ptr + 512 + c[:, None] * 32 + d[None, :], r)
    as_int = plain._reinterpret(gl.int32, [2048], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    f = as_int.load(flat)
    e = gl.arange(0, 2048, flat)
    gl.store(y_ptr + 2560 + e, (f + 1).to(gl.float32, bitcast=True))
    plain._keep_alive()


@gluon.jit
def auto_loop(x_ptr, y_ptr, steps, N: gl.constexpr):
    o = gl.arange(0, N)
    acc = gl.zeros([N], gl.float32, LINE)
    largest = gl.full([N], float("-inf"), gl.float32, LINE)
    for s in range(steps):
        v = gl.load(x_ptr + s * N + gl.set_auto_layout(o, LINE))
        acc = gl.where(s % 2 == 0, acc + v * 2, acc - v)
        largest = gl.maximum(largest, v)
    gl.store(y_ptr + gl.set_auto_layout(o, LINE), acc)
    wide = gl.arange(0, 16)[:, None] * N + gl.arange(0, N)[None, :]
    both = gl.expand_dims(gl.convert_layout(largest, gl.SliceLayout(0, BLK)), 0) + gl.zeros([16, N], gl.float32, BLK)
    w = gl.set_auto_layout(wide, BLK)
    gl.store(y_ptr + N + w, both)


@gluon.jit
def join_split(x_ptr, y_ptr, M: gl.constexpr, N: gl.constexpr):
    m = gl.arange(0, M, gl.SliceLayout(1, BLK))
    n = gl.arange(0, N, gl.SliceLayout(0, BLK))
    x = gl.load(x_ptr + m[:, None] * N + n[None, :])
    y = x * 2
    j = gl.join(x, y)
    t = j.permute(2, 0, 1).reshape([2 * M, N])
    u, v = gl.split(x.reshape([M, N // 2, 2]))
    w = gl.convert_layout(u + v, BLK)
    big = gl.convert_layout(t, BLK)
    m2 = gl.arange(0, 2 * M, gl.SliceLayout(1, BLK))
    h = gl.arange(0, N // 2, gl.SliceLayout(0, BLK))
    gl.store(y_ptr + m2[:, None] * N + n[None, :], big)
    gl.store(y_ptr + 2 * M * N + m[:, None] * (N // 2) + h[None, :], w)
    f = gl.ravel(x)
    g = gl.set_auto_layout(gl.arange(0, M * N), f.type.layout)
    gl.store(y_ptr + 3 * M * N + g, f)


@gluon.jit
def padded(x_ptr, y_ptr, M: gl.constexpr, N: gl.constexpr):
    lay: gl.constexpr = gl.BlockedLayout([1, 4], [2, 16], [4, 1], [1, 0])
    turned: gl.constexpr = gl.BlockedLayout([4, 1], [16, 2], [1, 4], [0, 1])
    pad: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[64, 4], [128, 8]], [M, N], [1, 0])
    lin: gl.constexpr = gl.SharedLinearLayout(
        [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0]]
    )
    m = gl.arange(0, M, gl.SliceLayout(1, lay))
    n = gl.arange(0, N, gl.SliceLayout(0, lay))
    off = m[:, None] * N + n[None, :]
    x = gl.load(x_ptr + off)
    a = gl.allocate_shared_memory(gl.float32, [M, N], pad, value=x)
    b = gl.allocate_shared_memory(gl.float32, [M, N], lin)
    b.store(x + 1)
    y = a.load(turned) + b.load(turned)
    gl.store(y_ptr + off, gl.convert_layout(y, lay))
    gl.static_assert(gl.bank_conflicts(x.type, b.type) >= 0)


@gluon.jit
def linear(x_ptr, y_ptr):
    base: gl.constexpr = gl.to_linear_layout(gl.BlockedLayout([2, 2], [8, 4], [2, 2], [1, 0]), [32, 32])
    other: gl.constexpr = gl.DistributedLinearLayout(
        reg_bases=[[0, 16], [8, 0], [16, 0]],
        lane_bases=[[0, 1], [0, 2], [0, 4], [0, 8], [1, 0]],
        warp_bases=[[2, 0], [4, 0]],
        block_bases=[],
        shape=[32, 32],
    )
    m = gl.arange(0, 32, gl.SliceLayout(1, base))
    n = gl.arange(0, 32, gl.SliceLayout(0, base))
    x = gl.load(x_ptr + m[:, None] * 32 + n[None, :])
    y = gl.convert_layout(x, other)
    s = gl.sum(y, 1)
    r = gl.convert_layout(s, gl.SliceLayout(1, other), assert_trivial=True)
    z = y - r[:, None]
    m2 = gl.arange(0, 32, gl.SliceLayout(1, other))
    n2 = gl.arange(0, 32, gl.SliceLayout(0, other))
    gl.store(y_ptr + m2[:, None] * 32 + n2[None, :], z)


@gluon.jit
def chosen(x_ptr, y_ptr, which, n):
    lay: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    sh: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [0])
    i = gl.arange(0, 128, lay)
    a = gl.allocate_shared_memory(gl.float32, [128], sh, gl.load(x_ptr + i))
    b = gl.allocate_shared_memory(gl.float32, [128], sh, gl.load(x_ptr + 128 + i))
    if which > 0:
        c = a
    else:
        c = b
    k = n
    total = gl.zeros([128], gl.float32, lay)
    while k > 0:
        total += c.load(lay) * k
        k -= 1
        c, b = b, c
    if n > 100:
        return
    gl.store(y_ptr + i, total)


CASES = [
    case(async_mma, "*fp16 *fp16 *fp16 i32:16", archs=(80, 90), BM=64, BN=64, BK=32, S=3),
    case(buffer_views, "*fp32 *fp32"),
    case(auto_loop, "*fp32 *fp32 i32", N=256),
    case(join_split, "*fp32 *fp32", M=16, N=64),
    case(padded, "*fp32 *fp32", M=32, N=64),
    case(linear, "*fp32 *fp32"),
    case(chosen, "*fp32 *fp32 i32 i32"),
]
