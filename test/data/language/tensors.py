"""Shapes, reductions, scans, sorting, mathematics, random numbers, other languages."""

import triton
import triton.language as tl
from cases import case
from triton.language.extra import libdevice


@triton.jit
def views(x, out, N: tl.constexpr, M: tl.constexpr):
    i = tl.arange(0, N)
    j = tl.arange(0, M)
    v = tl.load(x + i)
    tile = tl.load(x + i[:, None] * M + j[None, :])
    tl.store(out + i, tl.reshape(tl.expand_dims(v, 0), (N,)))
    tl.store(out + i, tl.expand_dims(v, [0, 2]).reshape(N))
    tl.store(out + i, tl.expand_dims(v, -1).reshape([N]))
    tl.store(out + i[:, None] * M + j, tl.broadcast_to(v[:, None], (N, M)))
    tl.store(out + i[:, None] * M + j, tl.broadcast_to(v[:, None], N, M))
    tl.store(out + i[:, None] * M + j, v[:, None].broadcast_to([N, M]))
    a, b = tl.broadcast(v[:, None], j[None, :])
    tl.store(out + i[:, None] * M + j, a + b)
    tl.store(out + j[:, None] * N + i, tl.trans(tile))
    tl.store(out + j[:, None] * N + i, tl.trans(tile, 1, 0))
    tl.store(out + j[:, None] * N + i, tl.trans(tile, (1, 0)))
    tl.store(out + j[:, None] * N + i, tl.permute(tile, (1, 0)))
    tl.store(out + j[:, None] * N + i, tile.permute(1, 0))
    cube = tl.reshape(tile, (2, N // 2, M))
    turned = tl.permute(cube, 2, 0, 1)
    tl.store(out + tl.arange(0, N * M), turned.reshape(N * M))
    tl.store(out + tl.arange(0, N * M), tl.reshape(tile, (N * M,), can_reorder=True))
    tl.store(out + tl.arange(0, N * M), tile.view(N * M))
    tl.store(out + tl.arange(0, N * M), tl.ravel(tile))
    tl.store(out + tl.arange(0, 2 * N), tl.cat(v, v, can_reorder=True))
    tl.store(out + tl.arange(0, 2 * N), tl.interleave(v, v + 1))
    tl.store(out + i[:, None] * 2 + tl.arange(0, 2), tl.join(v, v + 1))
    left, right = tl.split(tl.join(v, v * 2))
    tl.store(out + i, left + right)
    one, two = tl.join(tl.load(x), tl.load(x + 1)).split()
    tl.store(out, one - two)
    tl.store(out + tl.arange(0, 2), tl.interleave(tl.load(x), tl.load(x + 1)))
    single = tl.load(x + tl.arange(0, 1))
    tl.store(out, single.item())
    tl.store(out, tl.reshape(single, []))
    if single > 0:
        tl.store(out, 1)
    tl.store(out + i[None, :, None] + tl.zeros((1, 1, 1), tl.int32), v[None, :, None])
    tl.store(out, v.shape[0] + tile.shape[1] + tile.numel)


@triton.jit
def reductions(x, out, N: tl.constexpr, M: tl.constexpr):
    i = tl.arange(0, N)
    j = tl.arange(0, M)
    tile = tl.load(x + i[:, None] * M + j[None, :])
    tl.store(out, tl.sum(tile))
    tl.store(out + j, tl.sum(tile, 0))
    tl.store(out + i, tl.sum(tile, axis=-1))
    tl.store(out + i[:, None], tl.sum(tile, axis=1, keep_dims=True))
    tl.store(out + tl.zeros((1, 1), tl.int32), tl.sum(tile, keep_dims=True))
    tl.store(out + j, tl.max(tile, 0))
    tl.store(out + i, tl.min(tile, 1))
    tl.store(out, tl.max(tile))
    value, index = tl.max(tile, axis=1, return_indices=True)
    tl.store(out + i, value)
    tl.store(out + i, index)
    value, index = tl.min(tile, 0, return_indices=True, return_indices_tie_break_left=False, keep_dims=True)
    tl.store(out + j[None, :], value)
    tl.store(out + i, tl.argmax(tile, 1))
    tl.store(out + j, tl.argmin(tile, 0, tie_break_left=False))
    line, _ = tl.max(tl.load(x + i), 0, return_indices=True)
    tl.store(out, line)


@triton.jit
def integer_reductions(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i)
    tl.store(out, tl.sum(v))
    tl.store(out, tl.sum(v, 0, dtype=tl.int64))
    tl.store(out, tl.max(v, 0))
    tl.store(out, tl.xor_sum(v, 0))
    tl.store(out, tl.reduce_or(v, axis=0))
    tl.store(out + i, tl.cumsum(v, 0))
    tl.store(out + i, tl.cumprod(v, 0, reverse=True))
    tl.store(out + tl.arange(0, 16), tl.histogram(v, 16))
    tl.store(out + tl.arange(0, 8), tl.histogram(v, 8, mask=v < 8))


@triton.jit
def weighted(mean_a, count_a, mean_b, count_b):
    count = count_a + count_b
    return (mean_a * count_a + mean_b * count_b) / count, count


@triton.jit
def multiply(a, b):
    return a * b


@triton.jit
def custom_reductions(x, out, N: tl.constexpr, M: tl.constexpr):
    i = tl.arange(0, N)
    j = tl.arange(0, M)
    tile = tl.load(x + i[:, None] * M + j[None, :])
    mean, count = tl.reduce((tile, tl.full((N, M), 1.0, tl.float32)), 1, weighted)
    tl.store(out + i, mean / count)
    tl.store(out + j, tl.reduce(tile, axis=0, combine_fn=multiply))
    tl.store(out, tl.reduce(tile, None, multiply))
    tl.store(out + i[:, None], tl.reduce(tile, 1, multiply, keep_dims=True))
    a, b = tl.associative_scan((tile, tile + 1), 0, weighted)
    tl.store(out + i[:, None] * M + j, a + b)
    tl.store(out + i[:, None] * M + j, tl.associative_scan(tile, axis=-1, combine_fn=multiply, reverse=True))
    tl.store(out + i[:, None] * M + j, tl.cumsum(tile, axis=1, reverse=True))
    tl.store(out + i[:, None] * M + j, tl.cumprod(tile, 0))
    tl.store(out + i[:, None] * M + j, tl.cumsum(tile, 0, dtype=tl.float64))


@triton.jit
def sorting(x, out, N: tl.constexpr, M: tl.constexpr):
    i = tl.arange(0, N)
    j = tl.arange(0, M)
    tile = tl.load(x + i[:, None] * M + j[None, :])
    tl.store(out + i[:, None] * M + j, tl.sort(tile))
    tl.store(out + i[:, None] * M + j, tl.sort(tile, 1, descending=True))
    tl.store(out + i[:, None] * 4 + tl.arange(0, 4), tl.topk(tile, 4))
    tl.store(out + i[:, None] * M + j, tl.flip(tile, 1))
    tl.store(out + i[:, None] * M + j, tl.flip(tile, dim=0))
    tl.store(out + j, tl.bitonic_merge(tl.load(x + j)))
    tl.store(out + i[:, None] * M + j, tl.gather(tile, (tile * 0).to(tl.int32), 1))
    tl.store(out + i[:, None] * M + j, tile.gather((tile * 0).to(tl.int32), axis=0))


@triton.jit
def softmaxes(x, out, N: tl.constexpr, M: tl.constexpr):
    i = tl.arange(0, N)
    j = tl.arange(0, M)
    tile = tl.load(x + i[:, None] * M + j[None, :])
    tl.store(out + i[:, None] * M + j, tl.softmax(tile.T, 0, keep_dims=True).T)
    tl.store(out + i[:, None] * M + j, tl.softmax(tile, keep_dims=True))
    tl.store(out + i[:, None] * M + j, tl.softmax(tile, dim=1, keep_dims=True))


@triton.jit
def mathematics(x, y, out, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
    b = tl.load(y + i)
    tl.store(out + i, tl.exp(a) + tl.exp2(a) + tl.log(a) + tl.log2(a) + tl.sin(a) + tl.cos(a))
    tl.store(out + i, tl.sqrt(a) + tl.rsqrt(a) + tl.erf(a) + tl.floor(a) + tl.ceil(a) + tl.abs(a))
    tl.store(out + i, tl.math.exp(a) + tl.math.abs(b) + tl.math.rsqrt(a))
    tl.store(out + i, tl.fdiv(a, b) + tl.math.fdiv(a, b, ieee_rounding=True))
    tl.store(out + i, tl.fma(a, b, 1.0) + tl.math.fma(a, 2.0, b))
    tl.store(out + i, tl.sigmoid(a))
    tl.store(out, tl.exp(tl.load(x)) + tl.sqrt(2.0))


@triton.jit
def precise(x, y, out, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
    b = tl.load(y + i)
    tl.store(out + i, tl.sqrt_rn(a) + tl.div_rn(a, b) + tl.math.div_rn(a, 3.0) + a.sqrt_rn())


@triton.jit
def integer_mathematics(x, y, out, n, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
    b = tl.load(y + i)
    tl.store(out + i, tl.abs(a))
    tl.store(out + i, tl.umulhi(a, b))
    p, q = tl.swizzle2d(tl.program_id(0), tl.program_id(1), n, n, 4)
    tl.store(out, p + q)


@triton.jit
def library(x, y, k, out, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
    b = tl.load(y + i)
    n = tl.load(k + i)
    tl.store(out + i, libdevice.tanh(a) + libdevice.pow(a, b) + libdevice.fast_expf(a) + libdevice.rsqrt_rn(a))
    tl.store(out + i, libdevice.fma(a, b, 2.0) + libdevice.norm3d(a, b, a) + libdevice.atan2(a, b))
    tl.store(out + i, libdevice.isnan(a) & libdevice.isinf(b) & libdevice.finitef(a))
    tl.store(out + i, libdevice.float2int_rn(a) + libdevice.llrint(a) + libdevice.popc(n) + libdevice.clz(n))
    tl.store(out + i, libdevice.ldexp(a, n) + libdevice.int_as_float(n) + libdevice.scalbn(a, n))
    tl.store(out + i, libdevice.mulhi(n, n) + libdevice.abs(n) + libdevice.byte_perm(n, n, n))
    tl.store(out + i, tl.extra.libdevice.erf(a) + tl.extra.cuda.libdevice.ceil(a))
    tl.store(out, libdevice.sinh(tl.load(x)) + libdevice.pow(tl.load(x), 2.0) + libdevice.signbit(tl.load(x)))
    tl.store(out + i, libdevice.erfcx(a) + libdevice.tgamma(a) + libdevice.ilogb(a) + libdevice.fdim(a, 1.0))


@triton.jit
def random_numbers(out, seed, offset, N: tl.constexpr):
    i = offset + tl.arange(0, N)
    tl.store(out + i, tl.rand(seed, i))
    tl.store(out + i, tl.randn(seed, i))
    tl.store(out + i, tl.randint(seed, i))
    a, b, c, d = tl.rand4x(seed, i)
    tl.store(out + i, a + b + c + d)
    a, b, c, d = tl.randn4x(seed, i, n_rounds=6)
    tl.store(out + i, a + b + c + d)
    a, b, c, d = tl.randint4x(seed, i, 7)
    tl.store(out + i, a ^ b ^ c ^ d)
    tl.store(out + i, tl.rand(42, i))
    a, b, c, d = tl.philox(seed, i.to(tl.uint32), i.to(tl.uint32), 0, 1)
    tl.store(out + i, tl.uint_to_uniform_float(a))
    a, b, c, d = tl.philox_impl(a, b, c, d, a, b, n_rounds=2)
    tl.store(out + i, a + b + c + d)
    u, v = tl.pair_uniform_to_normal(tl.rand(seed, i), tl.rand(seed, i + 1))
    tl.store(out + i, u + v)


@triton.jit
def dots(x, y, out, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, OUT: tl.constexpr):
    m = tl.arange(0, M)
    n = tl.arange(0, N)
    k = tl.arange(0, K)
    a = tl.load(x + m[:, None] * K + k[None, :])
    b = tl.load(y + k[:, None] * N + n[None, :])
    where = out + m[:, None] * N + n[None, :]
    tl.store(where, tl.dot(a, b, out_dtype=OUT))
    acc = tl.dot(a, b, out_dtype=OUT)
    acc = tl.dot(a, b, acc, out_dtype=OUT)
    acc += tl.dot(a, b, input_precision="ieee", out_dtype=OUT)
    acc = tl.dot(a, b, acc=acc, input_precision="tf32x3", out_dtype=OUT)
    acc = tl.dot(a, b, acc, allow_tf32=False, out_dtype=OUT)
    acc = tl.dot(a, b, acc, allow_tf32=True, out_dtype=OUT)
    acc = tl.dot(a, b, acc, max_num_imprecise_acc=16, out_dtype=OUT)
    acc = tl.dot(a, b, acc, input_precision="bf16x3", out_dtype=OUT)
    tl.store(where, acc)


@triton.jit
def batched_dots(x, y, out, B: tl.constexpr, M: tl.constexpr):
    i = tl.arange(0, B * M * M)
    a = tl.load(x + i).reshape(B, M, M)
    b = tl.load(y + i).reshape((B, M, M))
    tl.store(out + i, tl.dot(a, b).reshape(B * M * M))
    c = tl.dot(a.reshape(2, B // 2, M, M), b.reshape(2, B // 2, M, M), tl.zeros((2, B // 2, M, M), tl.float32))
    tl.store(out + i, c.reshape(B * M * M))


@triton.jit
def scaled_dots(x, sx, y, sy, out, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, A: tl.constexpr, B: tl.constexpr):
    PA: tl.constexpr = 2 if A == "e2m1" else 1
    PB: tl.constexpr = 2 if B == "e2m1" else 1
    m = tl.arange(0, M)
    n = tl.arange(0, N)
    a = tl.load(x + m[:, None] * (K // PA) + tl.arange(0, K // PA)[None, :])
    b = tl.load(y + tl.arange(0, K // PB)[:, None] * N + n[None, :])
    a_scale = tl.load(sx + m[:, None] * (K // 32) + tl.arange(0, K // 32)[None, :])
    b_scale = tl.load(sy + n[:, None] * (K // 32) + tl.arange(0, K // 32)[None, :])
    where = out + m[:, None] * N + n[None, :]
    acc = tl.dot_scaled(a, a_scale, A, b, b_scale, B)
    acc = tl.dot_scaled(a, a_scale, A, b, None, B, acc)
    acc += tl.dot_scaled(a, None, A, b, b_scale, B, acc=acc, fast_math=True)
    tl.store(where, acc)


@triton.jit
def assembly(x, y, out, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
    b = tl.load(y + i)
    tl.store(
        out + i,
        tl.inline_asm_elementwise("add.s32 $0, $1, $2;", "=r,r,r", [a, b], dtype=tl.int32, is_pure=True, pack=1),
    )
    c, d = tl.inline_asm_elementwise(
        asm="""
        mov.b32 $0, $2;
        mov.b32 $1, $3;
        """,
        constraints="=r,=r,r,r",
        args=[a, 3],
        dtype=(tl.int32, tl.float32),
        is_pure=False,
        pack=1,
    )
    tl.store(out + i, c + d)
    e = tl.inline_asm_elementwise("mov.u32 $0, %tid.x;", "=r", [], dtype=tl.int32, is_pure=True, pack=1)
    tl.store(out, e + tl.extra.cuda.smid())
    tl.store(out, tl.extra.cuda.globaltimer())
    tl.store(out, tl.extra.cuda.num_warps() * tl.extra.cuda.num_threads())
    f = tl.inline_asm_elementwise(
        "mov.b32 $0, $1;", "=r,r", [a[:, None].to(tl.int8)], dtype=tl.int8, is_pure=True, pack=4
    )
    tl.store(out + i[:, None], f)
    tl.extra.cuda.gdc_wait()
    tl.extra.cuda.gdc_launch_dependents()


@triton.jit
def pick(a, b):
    if a > b:
        return a * 2
    else:
        return b


@triton.jit
def both(a, b):
    return a + b, a * b


@triton.jit
def two_each(a0, a1, b0, b1):
    return a0 + b0, a1 + b1


@triton.jit
def mapped(x, y, out, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
    b = tl.load(y + i)
    tl.store(out + i, tl.map_elementwise(pick, a, b))
    s, p = tl.map_elementwise(both, a, b)
    tl.store(out + i, s + p)
    (r,) = tl.map_elementwise(two_each, a, b, pack=2)
    tl.store(out + i, r)
    tl.store(out + i[:, None], tl.map_elementwise(pick, a[:, None], tl.load(x)))


@triton.jit
def sizes_that_are_true(x, out, N: tl.constexpr, ONE: tl.constexpr):
    i = tl.arange(0, N)
    tile = tl.load(x + i[:, None] * ONE + tl.arange(0, ONE)[None, :])
    tl.store(out + i, tl.sum(tile, axis=ONE))
    tl.store(out + i[None, :] + tl.zeros((ONE, N), tl.int32), tl.trans(tile, (ONE, 0)))
    tl.store(out + tl.arange(0, ONE), tl.full([ONE], ONE, tl.float32))
    tl.store(out + i[:, None], tl.broadcast_to(tl.expand_dims(tl.load(x + i), ONE), (N, ONE)))
    tl.store(out + i, tl.reshape(tile, (N,)) + tl.ravel(tl.cumsum(tile, ONE)) + tile.shape[ONE])
    block = tl.make_block_ptr(x, (N, 1), (1, 1), (0, 0), (N, ONE), (ONE, 0))
    tl.store(block, tl.load(block, boundary_check=(ONE,)))
    for k in tl.range(0, N, ONE, num_stages=ONE):
        tl.store(out + k, k)
    for k in tl.static_range(ONE):
        tl.store(out + k, ONE)


CASES = [
    case(views, "*fp32 *fp32", archs=[90], N=16, M=32),
    case(sizes_that_are_true, "*fp32 *fp32", archs=[90], N=16, ONE=True),
    case(views, "*i32 *i32", name="views_i32", archs=[90], N=32, M=16),
    *[
        case(reductions, f"*{t} *fp32", name=f"reductions_{t}", archs=[90], N=16, M=32)
        for t in "fp32 fp16 bf16 i8 i64 u16".split()
    ],
    *[
        case(integer_reductions, f"*{t} *i64", name=f"integer_reductions_{t}", archs=[90], N=64)
        for t in "i32 i8 u8 u32 i64".split()
    ],
    case(custom_reductions, "*fp32 *fp32", archs=[90], N=16, M=32),
    *[case(sorting, f"*{t} *fp32", name=f"sorting_{t}", archs=[90], N=4, M=8) for t in "fp32 i16 u32".split()],
    *[case(softmaxes, f"*{t} *fp32", name=f"softmaxes_{t}", archs=[90], N=16, M=8) for t in "fp32 bf16".split()],
    *[case(mathematics, f"*{t} *{t} *fp32", name=f"mathematics_{t}", archs=[90], N=64) for t in "fp32 fp64".split()],
    case(precise, "*fp32 *fp32 *fp32", archs=[90], N=64),
    *[
        case(integer_mathematics, f"*{t} *{t} *fp32 i32", name=f"integer_mathematics_{t}", archs=[90], N=64)
        for t in "i32 u32 u64 i64".split()
    ],
    case(library, "*fp32 *fp32 *i32 *fp32", archs=[90], N=64),
    case(random_numbers, "*fp32 i32 i32", archs=[90], N=64),
    case(random_numbers, "*fp32 i64 i64", name="random_numbers_wide", archs=[90], N=64),
    *[
        case(dots, f"*{t} *{t} *fp32", name=f"dots_{t}", archs=[arch], M=16, N=32, K=32, OUT=tl.float32)
        for t, arch in (("fp16", 90), ("bf16", 80), ("fp32", 80), ("fp8e5", 90), ("fp8e4nv", 100))
    ],
    case(dots, "*fp16 *fp16 *fp16", name="dots_half_out", archs=[80], M=16, N=16, K=16, OUT=tl.float16),
    case(dots, "*i8 *i8 *i32", name="dots_i8", archs=[80], M=16, N=16, K=32, OUT=tl.int32),
    case(dots, "*fp64 *fp64 *fp64", name="dots_fp64", archs=[80], M=16, N=16, K=16, OUT=tl.float64),
    case(batched_dots, "*fp16 *fp16 *fp32", archs=[90], B=4, M=16),
    *[
        case(
            scaled_dots,
            f"*{ta} *u8 *{tb} *u8 *fp32",
            name=f"scaled_dots_{a}_{b}",
            archs=[100],
            M=32,
            N=32,
            K=64,
            A=a,
            B=b,
        )
        for a, ta, b, tb in (
            ("e2m1", "u8", "e2m1", "u8"),
            ("e4m3", "fp8e4nv", "e5m2", "u8"),
            ("bf16", "bf16", "e2m1", "u8"),
            ("e5m2", "u8", "fp16", "fp16"),
        )
    ],
    case(assembly, "*i32 *i32 *i32", archs=[90], N=64),
    case(mapped, "*fp32 *fp32 *fp32", archs=[90], N=64),
]
