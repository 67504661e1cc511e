"""Kernels of names, parameters, types and syntax that Triton has got since 3.6, or that later versions compile anew."""

import triton
import triton.language as tl
from cases import case

CASES = []


def kernel(types="*fp32 *fp32", **constants):
    """Declares a case of the function below, a kernel."""

    def declared(function):
        CASES.append(case(function, types, archs=(90,), **constants))
        return function

    return declared


@kernel(N=32)
@triton.jit
def squeeze1(x, o, N: tl.constexpr):
    v = tl.load(x + tl.arange(0, N))[:, None]
    tl.store(o + tl.arange(0, N), tl.squeeze(v, 1))


@kernel(N=32)
@triton.jit
def unsqueeze1(x, o, N: tl.constexpr):
    v = tl.unsqueeze(tl.load(x + tl.arange(0, N)), 0)
    tl.store(o + tl.arange(0, N)[None, :], v)


@kernel(N=32)
@triton.jit
def unsqueeze_negative(x, o, N: tl.constexpr):
    v = tl.load(x + tl.arange(0, N)).unsqueeze(-1)
    tl.store(o + tl.arange(0, N)[:, None], v)


@kernel(N=32)
@triton.jit
def to_tensor_of_number(x, o, N: tl.constexpr):
    tl.store(o + tl.arange(0, N), tl.load(x + tl.arange(0, N)) + tl.to_tensor(3))


@kernel(N=32)
@triton.jit
def to_tensor_float(x, o, N: tl.constexpr):
    tl.store(o, tl.to_tensor(2.5) * N)


@kernel(N=16)
@triton.jit
def cat_dim0(x, o, N: tl.constexpr):
    a = tl.load(x + tl.arange(0, N))
    b = a * 2
    tl.store(o + tl.arange(0, 2 * N), tl.cat(a, b, dim=0))


@kernel(N=16)
@triton.jit
def cat_dim1(x, o, N: tl.constexpr):
    i = tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :]
    a = tl.load(x + i)
    j = tl.arange(0, N)[:, None] * 2 * N + tl.arange(0, 2 * N)[None, :]
    tl.store(o + j, tl.cat(a, a + 1, dim=1))


@kernel("*i32 *i32", N=32)
@triton.jit
def atomic_load1(x, o, N: tl.constexpr):
    tl.store(o + tl.arange(0, N), tl.atomic_load(x + tl.arange(0, N), sem="acquire"))


@kernel("*i32 *i32", N=32)
@triton.jit
def atomic_load_scalar(x, o, N: tl.constexpr):
    tl.store(o, tl.atomic_load(x, sem="relaxed", scope="sys"))


@kernel("*i32 *i32", N=32)
@triton.jit
def atomic_store1(x, o, N: tl.constexpr):
    tl.atomic_store(o + tl.arange(0, N), tl.load(x + tl.arange(0, N)), sem="release")


@kernel("*i32 *i32", N=32)
@triton.jit
def atomic_store_masked(x, o, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.atomic_store(o + i, tl.load(x + i), mask=i < 7, sem="relaxed", scope="cta")


@kernel(N=32)
@triton.jit
def fdiv_approx(x, o, N: tl.constexpr):
    v = tl.load(x + tl.arange(0, N))
    tl.store(o + tl.arange(0, N), tl.fdiv(v, v + 1, approx=True))


@kernel(N=32)
@triton.jit
def fdiv_number(x, o, N: tl.constexpr):
    v = tl.load(x + tl.arange(0, N))
    tl.store(o + tl.arange(0, N), tl.fdiv(v, 3.0))


@kernel(N=32)
@triton.jit
def fdiv_ieee(x, o, N: tl.constexpr):
    v = tl.load(x + tl.arange(0, N))
    tl.store(o + tl.arange(0, N), tl.fdiv(1.0, v, ieee_rounding=True))


@kernel("*fp16 *fp16", N=32)
@triton.jit
def fdiv_half(x, o, N: tl.constexpr):
    v = tl.load(x + tl.arange(0, N))
    tl.store(o + tl.arange(0, N), tl.fdiv(v, v))


@kernel(N=16)
@triton.jit
def dot_default(x, o, N: tl.constexpr):
    i = tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :]
    a = tl.load(x + i).to(tl.float16)
    tl.store(o + i, tl.dot(a, a, out_dtype=None))


@kernel("*i8 *i32", N=32)
@triton.jit
def cumprod_dtype(x, o, N: tl.constexpr):
    tl.store(o + tl.arange(0, N), tl.cumprod(tl.load(x + tl.arange(0, N)), 0, dtype=tl.int32))


@kernel("*i8 *i32", N=32)
@triton.jit
def cumprod_narrow(x, o, N: tl.constexpr):
    tl.store(o + tl.arange(0, N), tl.cumprod(tl.load(x + tl.arange(0, N)), 0))


@kernel("*bf16 *bf16", N=32)
@triton.jit
def cumsum_bf16(x, o, N: tl.constexpr):
    tl.store(o + tl.arange(0, N), tl.cumsum(tl.load(x + tl.arange(0, N)), 0, reverse=True))


@kernel(N=32)
@triton.jit
def load_streaming(x, o, N: tl.constexpr):
    tl.store(
        o + tl.arange(0, N),
        tl.load(x + tl.arange(0, N), cache_modifier=".cs"),
        cache_modifier=".cs",
        eviction_policy="evict_first",
    )


@kernel(N=32)
@triton.jit
def topk_ascending(x, o, N: tl.constexpr):
    tl.store(o + tl.arange(0, 4), tl.topk(tl.load(x + tl.arange(0, N)), 4, descending=False))


@kernel(N=32)
@triton.jit
def negate(x, o, N: tl.constexpr):
    tl.store(o + tl.arange(0, N), -tl.load(x + tl.arange(0, N)))


@kernel("*bf16 *bf16", N=32)
@triton.jit
def bf16_extremes(x, o, N: tl.constexpr):
    v = tl.load(x + tl.arange(0, N))
    tl.store(o + tl.arange(0, N), tl.maximum(v, 0.0) + tl.minimum(v, v))


@kernel("*bf16 *bf16", N=32)
@triton.jit
def bf16_clamp(x, o, N: tl.constexpr):
    v = tl.load(x + tl.arange(0, N))
    tl.store(o + tl.arange(0, N), tl.clamp(v, -1.0, 1.0))


@kernel("*i32 *i32", N=32)
@triton.jit
def int_clamp(x, o, N: tl.constexpr):
    v = tl.load(x + tl.arange(0, N))
    tl.store(o + tl.arange(0, N), tl.clamp(v, 0, 7))


@kernel("*i32 *i32", N=32)
@triton.jit
def umulhi_number(x, o, N: tl.constexpr):
    v = tl.load(x + tl.arange(0, N))
    tl.store(o + tl.arange(0, N), tl.umulhi(v.to(tl.uint32), 12345))


@kernel("*i64 *i32", N=32)
@triton.jit
def compare_wide(x, o, N: tl.constexpr):
    v = tl.load(x + tl.arange(0, N))
    tl.store(o + tl.arange(0, N), v < 5)


@kernel("*fp16 *i32", N=32)
@triton.jit
def compare_half(x, o, N: tl.constexpr):
    v = tl.load(x + tl.arange(0, N))
    tl.store(o + tl.arange(0, N), (v > 0.5) | (v == 1))


@kernel("*fp16 *fp16", N=32)
@triton.jit
def fma_mixed(x, o, N: tl.constexpr):
    v = tl.load(x + tl.arange(0, N))
    tl.store(o + tl.arange(0, N), tl.fma(v, v, v))


@kernel("*fp16 *fp32", N=32)
@triton.jit
def fma_promoted(x, o, N: tl.constexpr):
    v = tl.load(x + tl.arange(0, N))
    w = tl.load(o + tl.arange(0, N))
    tl.store(o + tl.arange(0, N), tl.fma(v, 2.0, w))


@kernel("*fp32 *i1", N=32)
@triton.jit
def store_bool(x, o, N: tl.constexpr):
    v = tl.load(x + tl.arange(0, N)).to(tl.int32)
    tl.store(o + tl.arange(0, N), v)


@kernel(N=32)
@triton.jit
def minus_zero(x, o, N: tl.constexpr):
    tl.store(
        o + tl.arange(0, N), tl.full((N,), -0.0, tl.float32) + tl.where(tl.load(x + tl.arange(0, N)) > 0, -0.0, 1.0)
    )


@kernel(N=32)
@triton.jit
def walrus(x, o, N: tl.constexpr):
    if (n := N // 2) > 8:
        tl.store(o + tl.arange(0, N), n)


@kernel("*fp32 *fp32 i32", N=32)
@triton.jit
def chained(x, o, n, N: tl.constexpr):
    if 0 < n < 7:
        tl.store(o + tl.arange(0, N), 1.0)


@kernel(N=32)
@triton.jit
def tuple_comprehension(x, o, N: tl.constexpr):
    s = [3, 4]
    tl.store(o + tl.arange(0, N), s[0] + s[1])


@triton.jit
def second(a):
    return a // 2


@kernel(N=32)
@triton.jit
def returned_number(x, o, N: tl.constexpr):
    tl.store(o + tl.arange(0, second(N)), 1.0)


@triton.jit
def either(a, N: tl.constexpr):
    if N > 8:
        return 1
    return 2


@kernel(N=32)
@triton.jit
def returned_branch(x, o, N: tl.constexpr):
    M: tl.constexpr = either(3, N)
    tl.store(o + tl.arange(0, N), M)


@kernel(M=4, N=32)
@triton.jit
def softmax_rows(x, o, M: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(o + i, tl.softmax(tl.load(x + i), dim=1, keep_dims=True))


@kernel(N=32)
@triton.jit
def softmax_vector(x, o, N: tl.constexpr):
    tl.store(o + tl.arange(0, N), tl.softmax(tl.load(x + tl.arange(0, N)), ieee_rounding=True))


@kernel(N=32)
@triton.jit
def gdc(x, o, N: tl.constexpr):
    tl.extra.cuda.gdc_wait()
    v = tl.load(x + tl.arange(0, N))
    tl.extra.cuda.gdc_launch_dependents()
    tl.store(o + tl.arange(0, N), v)


@kernel(M=16, N=32)
@triton.jit
def descriptor(x, o, M: tl.constexpr, N: tl.constexpr):
    a = tl.make_tensor_descriptor(x, [64, 64], [64, 1], [M, N])
    b = tl.make_tensor_descriptor(o, [64, 64], [64, 1], [M, N])
    b.store([0, 0], a.load([16, 0]) * 2)


@kernel(M=16, N=32)
@triton.jit
def descriptor_reduce(x, o, M: tl.constexpr, N: tl.constexpr):
    a = tl.make_tensor_descriptor(x, [64, 64], [64, 1], [M, N], padding_option="nan")
    b = tl.make_tensor_descriptor(o, [64, 64], [64, 1], [M, N])
    b.atomic_add([0, 0], a.load([16, 0]))


@kernel(N=32)
@triton.jit
def quotient_number(x, o, N: tl.constexpr):
    v = tl.load(x + tl.arange(0, N))
    tl.store(o + tl.arange(0, N), v / 7)


@kernel("*fp8e5 *fp32", N=32)
@triton.jit
def quotient_fp8(x, o, N: tl.constexpr):
    v = tl.load(x + tl.arange(0, N))
    tl.store(o + tl.arange(0, N), (v / v).to(tl.float32))


@kernel("*fp16 *fp16", N=32)
@triton.jit
def atomic_add_half(x, o, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.atomic_add(o + i, tl.load(x + i), mask=i < 5, sem="relaxed")


@triton.jit
def larger(a, b):
    return tl.maximum(a, b)


@kernel(N=32)
@triton.jit
def scanned(x, o, N: tl.constexpr):
    tl.store(o + tl.arange(0, N), tl.associative_scan(tl.load(x + tl.arange(0, N)), 0, larger))


@kernel("*fp32 *fp32 i32", N=32)
@triton.jit
def loop_hints(x, o, n, N: tl.constexpr):
    acc = tl.zeros((N,), tl.float32)
    for i in tl.range(0, n, num_stages=3, disable_licm=True, loop_unroll_factor=2):
        acc += tl.load(x + i * N + tl.arange(0, N))
    tl.store(o + tl.arange(0, N), acc)


@kernel("*fp32 *fp8e5", N=32)
@triton.jit
def downcast_rounding(x, o, N: tl.constexpr):
    tl.store(
        o + tl.arange(0, N),
        tl.cast(tl.load(x + tl.arange(0, N)), tl.float16, fp_downcast_rounding="rtz").to(tl.float8e5),
    )
