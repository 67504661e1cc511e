"""Names of Triton 3.7 to 3.9 in combination: element types, ranks, masks, orders, and numbers beside tensors."""

import triton
import triton.language as tl
from cases import case
from triton.language.core import _aggregate as aggregate


@triton.jit
def polls_of_a_tile(p, o, limit, N: tl.constexpr):
    i = tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :]
    seen = tl.atomic_poll(p + i, tl.arange(0, N)[None, :], sem="relaxed", scope="sys", timeout_ns=limit)
    tl.store(o + i, seen)


@triton.jit
def polls_of_one(p, o, N: tl.constexpr):
    tl.atomic_poll(p, N, timeout_ns=100)
    tl.store(o, p.atomic_poll(-1))


@triton.jit
def ordered_bytes(p, o, N: tl.constexpr):
    i = tl.arange(0, N)
    found = tl.atomic_load(p + i, mask=i < 7, sem="relaxed", scope="cta")
    tl.atomic_store(o + i, found, mask=i > 2, scope="sys")
    tl.atomic_store(o, 300)


@triton.jit
def ordered_bools(p, o, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.atomic_store(o + i, tl.atomic_load(p + i))


@triton.jit
def ordered_tile(p, o, N: tl.constexpr):
    i = tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :]
    tl.atomic_store(o + i, tl.atomic_load(p + i, mask=i % 3 == 0).to(tl.float64), mask=(tl.arange(0, N) < 3)[:, None])


@triton.jit
def small_product(a, o, N: tl.constexpr):
    row, column = tl.arange(0, 16), tl.arange(0, N)
    tile = tl.load(a + row[:, None] * N + column[None, :])
    tl.store(o + row[:, None] * 16 + row[None, :], tl.dot(tile, tl.trans(tile), input_precision="ieee"))


@triton.jit
def half_accumulator(a, o, N: tl.constexpr):
    i = tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :]
    tile = tl.load(a + i)
    tl.store(o + i, tl.dot(tile, tile, acc=tile))


@triton.jit
def integer_accumulator(a, o, N: tl.constexpr):
    i = tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :]
    tile = tl.load(a + i)
    tl.store(o + i, tl.dot(tile, tile, acc=tl.full((N, N), 7, tl.int32)))


@triton.jit
def joined_dimensions(x, o, N: tl.constexpr):
    i = tl.arange(0, 4)[:, None] * N + tl.arange(0, N)[None, :]
    tile = tl.load(x + i)
    stacked = tl.cat(tl.unsqueeze(tile, 0), tl.unsqueeze(tile + 1, 0), dim=0)
    wide = tl.cat(tile, -tile, dim=-1)
    flat = tl.squeeze(tl.reshape(stacked, (1, 8 * N)), 0)
    tl.store(o + tl.arange(0, 8 * N), flat + tl.ravel(wide))


@triton.jit
def quotients(x, y, o, n, N: tl.constexpr):
    i = tl.arange(0, N)
    a, b = tl.load(x + i), tl.load(y + i)
    tl.store(o + i, tl.fdiv(a, b, approx=True) + tl.fdiv(3, a, approx=True) + tl.fdiv(a, n, ieee_rounding=True))
    tl.store(o + N + i, tl.fdiv(n, a) / N + a / 2 - 1.0 / a)


@triton.jit
def numbers_beside(x, o, n, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i)
    tl.store(o + i, tl.maximum(v, 1) + tl.minimum(2, v) * tl.clamp(v, 0, N))
    tl.store(o + i, tl.where(v > 1, v, n) + (v == 2) + (v >= 0))
    tl.store(o + i, tl.fma(v.to(tl.float32), 2, n))


@triton.jit
def high_products(x, o, n, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i)
    tl.store(o + i, tl.umulhi(v, 3) ^ tl.umulhi(n.to(v.dtype), v))


@triton.jit
def scans_and_sums(x, o, N: tl.constexpr):
    i = tl.arange(0, 4)[:, None] * N + tl.arange(0, N)[None, :]
    v = tl.load(x + i)
    tl.store(o + i, tl.cumprod(v, 1, dtype=tl.float32) + tl.cumsum(v, -1, reverse=True, dtype=tl.float32))
    tl.store(o + i, tl.cumprod(v, axis=0, reverse=True))
    tl.store(o + i, v + tl.sum(v, 1, keep_dims=True, dtype=tl.int64) + tl.max(v, 0, keep_dims=True))


@triton.jit
def ordered_rows(x, o, N: tl.constexpr):
    i = tl.arange(0, 4)[:, None] * N + tl.arange(0, N)[None, :]
    v = tl.load(x + i)
    tl.store(o + tl.arange(0, 4)[:, None] * 8 + tl.arange(0, 8)[None, :], tl.topk(v, 8, descending=False))
    tl.store(o + i, tl.sort(v, descending=True) + tl.softmax(v.to(tl.float32), 1, keep_dims=True, ieee_rounding=True))


@triton.jit
def cached(x, o, n, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i, mask=i < n, other=-1, cache_modifier="cs", eviction_policy="evict_normal")
    w = tl.load(x + N + i, cache_modifier=".cv", volatile=True) + tl.load(x, mask=n > 2, cache_modifier="none")
    tl.store(o + i, v + w, mask=i < n, cache_modifier="wb", eviction_policy="evict_last")
    tl.store(o + N + i, v, cache_modifier=".wt")


@triton.jit
def expectations(x, o, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i)
    tl.store(o + i, tl.expect_zero(v, i < 3) + tl.expect_zero(v * 2, v > 0))


@aggregate
class Pair:
    first: tl.tensor
    second: tl.tensor
    scale: tl.constexpr

    @triton.constexpr_function
    def __init__(self, first, second, scale):
        self.first = first
        self.second = second
        self.scale = tl.constexpr(scale)

    @triton.jit
    def total(self, other):
        return self.first * self.scale + self.second + other


@triton.jit
def replaced(x, o, n, N: tl.constexpr):
    i = tl.arange(0, N)
    pair = Pair(tl.load(x + i), i, 3)
    for step in range(n):
        pair = tl.aggregate_replace(pair, first=pair.first + step)
    if n > 4:
        pair = tl.aggregate_replace(pair, second=i * 2)
    tl.store(o + i, tl.aggregate_replace(pair, first=pair.second).total(pair.first))


@triton.jit
def named_and_chained(x, o, n, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i)
    for step in tl.range(0, n, disable_licm=True):
        if 1 < step <= n:
            v += 1
    parts = [part * 2 for part in (1, 2, N) if part > 1]
    tl.store(o + i, v * (half := N // 2) + half + parts[0] - -0.0)


@triton.jit
def described(x, o, n, N: tl.constexpr):
    source = tl.make_tensor_descriptor(x, [n, n], [N, 1], [N, N], padding_option="zero")
    target = tl.make_tensor_descriptor(o, [n, n], [N, 1], [N, N])
    tile = source.load([0, n])
    target.atomic_max([N, 0], tile)
    tl.store_tensor_descriptor(target, [n, n], tl.load_tensor_descriptor(source, [N, N]) + tile)


@triton.jit
def eight_bits(x, o, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i)
    tl.store(o + i, (v / v).to(tl.float16) + v + tl.where(v < 2, v, 1.0).to(tl.float32))


IN, OUT = "*fp32 *fp32", "*i32 *i32"
CASES = [
    case(kernel, types, name=f"{kernel.__name__}_{number}", archs=(90,), N=size)
    for kernel, size, *signatures in (
        (polls_of_a_tile, 8, "*i32 *i32 i64", "*i16 *i8 i32", "*u64 *fp32 u32"),
        (polls_of_one, 8, "*i32 *i32", "*i64 *i1", "*u16 *fp16"),
        (ordered_bytes, 16, "*i8 *i8", "*u8 *i8", "*i16 *u16", "*bf16 *bf16"),
        (ordered_bools, 16, "*i1 *i1", "*i8 *i1", "*fp32 *i1"),
        (ordered_tile, 8, "*fp32 *fp64", "*i64 *fp16", "*fp16 *i32", "*u32 *u32"),
        (small_product, 8, "*fp32 *fp32", "*fp64 *fp64"),
        (small_product, 4, "*fp64 *fp64"),
        (half_accumulator, 16, "*fp16 *fp16", "*fp16 *fp32"),
        (integer_accumulator, 32, "*i8 *i32", "*i8 *fp32"),
        (joined_dimensions, 8, IN, OUT, "*bf16 *i8"),
        (quotients, 32, "*fp32 *fp32 *fp32 fp32", "*fp16 *fp32 *fp64 fp32"),
        (numbers_beside, 32, "*fp32 *fp32 fp32", "*bf16 *bf16 fp32", "*i8 *i32 i32", "*u8 *u8 i32", "*i64 *i64 i32"),
        (high_products, 32, "*u32 *u32 i32", "*u64 *u64 i64", "*i32 *i32 i32"),
        (scans_and_sums, 16, IN, OUT, "*i8 *i8", "*bf16 *fp32", "*u16 *i64", "*fp16 *fp16"),
        (ordered_rows, 16, IN, OUT, "*fp16 *fp32", "*i16 *fp32"),
        (cached, 32, "*fp32 *fp32 i32", "*i8 *i32 i64", "*bf16 *bf16 i32"),
        (expectations, 16, IN, OUT, "*i8 *fp32"),
        (replaced, 16, "*fp32 *fp32 i32", "*i64 *i64 i32", "*fp16 *fp32 i64"),
        (named_and_chained, 16, "*fp32 *fp32 i32", "*i32 *i32 i64"),
        (described, 16, "*fp16 *fp16 i32", "*i32 *i32 i32"),
        (eight_bits, 16, "*fp8e5 *fp32", "*fp8e4nv *fp16"),
    )
    for number, types in enumerate(signatures, size)
]
