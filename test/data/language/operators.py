"""Every operator on every kind of operand, and how types and shapes of two operands become one."""

import triton
import triton.language as tl
from cases import case


@triton.jit
def vector_add(x, y, out, n, BLOCK: tl.constexpr):
    index = tl.program_id(axis=0) * BLOCK + tl.arange(0, BLOCK)
    mask = index < n
    tl.store(out + index, tl.load(x + index, mask=mask) + tl.load(y + index, mask=mask), mask=mask)


@triton.jit
def two_types(x, y, out, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
    b = tl.load(y + i)
    tl.store(out + i, a + b)
    tl.store(out + i, a - b)
    tl.store(out + i, a * b)
    tl.store(out + i, a < b)
    tl.store(out + i, a <= b)
    tl.store(out + i, a > b)
    tl.store(out + i, a >= b)
    tl.store(out + i, a == b)
    tl.store(out + i, a != b)
    tl.store(out + i, tl.minimum(a, b))
    tl.store(out + i, tl.maximum(a, b))
    tl.store(out + i, tl.where(a > b, a, b))


@triton.jit
def quotients(x, y, out, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
    b = tl.load(y + i)
    tl.store(out + i, a / b)
    tl.store(out + i, a % b)
    tl.store(out + i, a / 3)
    tl.store(out + i, 3 / a)
    tl.store(out + i, a % 7)
    tl.store(out + i, a / 2.5)


@triton.jit
def integer_quotients(x, y, out, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
    b = tl.load(y + i)
    tl.store(out + i, a // b)
    tl.store(out + i, a // 3)
    tl.store(out + i, 100 // a)
    tl.store(out + i, 100 % a)
    tl.store(out + i, tl.cdiv(a, 4))
    tl.store(out + i, a.cdiv(b))


@triton.jit
def bits(x, y, out, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
    b = tl.load(y + i)
    tl.store(out + i, a & b)
    tl.store(out + i, a | b)
    tl.store(out + i, a ^ b)
    tl.store(out + i, a << 3)
    tl.store(out + i, a >> 3)
    tl.store(out + i, a << b)
    tl.store(out + i, a >> b)
    tl.store(out + i, 1 << b)
    tl.store(out + i, 64 >> b)
    tl.store(out + i, ~a)
    tl.store(out + i, 5 & a)
    tl.store(out + i, 5 | a)
    tl.store(out + i, 5 ^ a)


@triton.jit
def with_numbers(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
    tl.store(out + i, a + 1)
    tl.store(out + i, 1 + a)
    tl.store(out + i, a - True)
    tl.store(out + i, 2 - a)
    tl.store(out + i, a * 3)
    tl.store(out + i, a + 1.5)
    tl.store(out + i, 0.5 * a)
    tl.store(out + i, a > 2)
    tl.store(out + i, 2 > a)
    tl.store(out + i, a == 1.0)
    tl.store(out + i, 0 != a)
    tl.store(out + i, -a)
    tl.store(out + i, tl.maximum(a, 0))
    tl.store(out + i, tl.minimum(1, a))
    tl.store(out + i, tl.where(a > 0, a, 0))
    tl.store(out + i, tl.where(a > 0, 1, -1))
    tl.store(out + i, tl.where(a > 0, 1.0, 0))


@triton.jit
def scalars(x, i8, i64, u32, f16, f64, b):
    tl.store(x, i8 + i64)
    tl.store(x, u32 + i8)
    tl.store(x, u32 * i64)
    tl.store(x, f16 + i64)
    tl.store(x, f64 - f16)
    tl.store(x, b + 1)
    tl.store(x, b & True)
    tl.store(x, b + f16)
    tl.store(x, u32 + 4000000000)
    tl.store(x, i64 + 5000000000)
    tl.store(x, 1e300 * f64)
    tl.store(x, 1e-40 + f64)
    tl.store(x, float("inf") + f16)
    tl.store(x, -float("inf") * f64)
    tl.store(x, float("nan"))
    tl.store(x, -0.0)


@triton.jit
def wide_numbers(x, y):
    tl.store(x, 2147483647)
    tl.store(x, 2147483648)
    tl.store(x, 4294967296)
    tl.store(x, -2147483649)
    tl.store(x, 18446744073709551615)
    tl.store(y, 0.1)
    tl.store(y, 3.5e38)
    tl.store(y, 1e-39)


@triton.jit
def shapes(x, out, M: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, M)
    j = tl.arange(0, N)
    tile = tl.load(x + i[:, None] * N + j[None, :])
    tl.store(out + i[:, None] * N + j, tile + j)
    tl.store(out + i[:, None] * N + j, i[:, None] + j[None, :] + tile * 2)
    tl.store(out + i[:, None] * N + j, tl.where(i[:, None] > j[None, :], tile, 0.0))
    tl.store(out + i[:, None] * N + j, 7)
    tl.store(out + i[:, None] * N + j, (i[:, None] == 3) & (j[None, :] > 2))


@triton.jit
def pointers(x, y, out, n, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(1 + out + i, tl.load(i + x))
    tl.store(out + i - 1, tl.load(x - n + i))
    tl.store(out, tl.load(x) + tl.load(y + n))
    tl.store(out + i.to(tl.int64), tl.load(x + i.to(tl.uint32)))
    tl.store(out + i.to(tl.uint8), tl.load(x + i.to(tl.uint64)))


@triton.jit
def logic(x, out, n, m):
    a = n > 3
    b = m < 7
    tl.store(out, a and b)
    tl.store(out + 1, a or b)
    tl.store(out + 2, not a)
    tl.store(out + 3, (n > m) and b)
    tl.store(out + 4, a and b and n != m)
    tl.store(out + 5, a or b or n == m or True)
    tl.store(out + 6, True and a)
    tl.store(out + 7, not (a and not b))
    tl.store(out + 8, a.logical_and(b))
    tl.store(out + 9, a & b | (n == 1))


@triton.jit
def unsanitized(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
    tl.store(out + i, tl.add(a, 1, sanitize_overflow=False))
    tl.store(out + i, tl.sub(a, 1, sanitize_overflow=False))
    tl.store(out + i, tl.mul(a, 3, sanitize_overflow=False))
    tl.store(out + i, tl.add(a, a))
    tl.store(out + i, tl.sub(2, a))
    tl.store(out + i, tl.mul(a, a))


@triton.jit
def extremes(x, y, out, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
    b = tl.load(y + i)
    tl.store(out + i, tl.minimum(a, b, propagate_nan=tl.PropagateNan.ALL))
    tl.store(out + i, tl.maximum(a, b, propagate_nan=tl.PropagateNan.ALL))
    tl.store(out + i, tl.maximum(a, b, propagate_nan=tl.PropagateNan.NONE))
    tl.store(out + i, tl.clamp(a, 0.0, 1.0))
    tl.store(out + i, tl.clamp(a, b, 2.0, propagate_nan=tl.PropagateNan.ALL))
    tl.store(out, max(tl.load(x), tl.load(y), 3.0))
    tl.store(out, min(tl.load(x), 2.0))
    tl.store(out, max(N, 3) + min(N, 5, 7))


@triton.jit
def augmented(x, out, n, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
    a += 1
    a -= n
    a *= a
    a //= 3
    a %= 5
    a <<= 1
    a >>= 2
    a &= 7
    a |= 1
    a ^= n
    pointer = out
    pointer += N
    tl.store(pointer + i, a)


_PAIRS = (
    "i8,i16 i8,u8 i32,i64 u32,i64 i32,u32 u8,i32 i1,i32 i1,i1 i8,fp16 i64,fp32 fp16,fp32 bf16,bf16 bf16,fp16 "
    "bf16,fp32 fp32,fp64 u64,i64 fp16,fp16 u16,fp64"
)

CASES = [
    case(vector_add, "*fp32 *fp32 *fp32 i32:16", archs=[90], BLOCK=1024),
    *[
        case(two_types, f"*{a} *{b} *fp32", name=f"two_types_{a}_{b}", archs=[90], N=64)
        for a, b in (p.split(",") for p in _PAIRS.split())
    ],
    *[
        case(quotients, f"*{a} *{b} *fp32", name=f"quotients_{a}_{b}", archs=[90], N=64)
        for a, b in (
            p.split(",")
            for p in "i32,i32 i8,i64 u16,u32 i32,fp16 fp16,fp16 bf16,bf16 bf16,fp16 fp32,fp64 fp16,fp32".split()
        )
    ],
    *[
        case(integer_quotients, f"*{a} *{b} *i32", name=f"integer_quotients_{a}_{b}", archs=[90], N=64)
        for a, b in (p.split(",") for p in "i32,i32 i8,i64 u16,u32 u64,u64".split())
    ],
    *[
        case(bits, f"*{a} *{b} *i32", name=f"bits_{a}_{b}", archs=[90], N=64)
        for a, b in (p.split(",") for p in "i32,i32 u32,u32 i8,i64 u16,i16 i64,u64".split())
    ],
    *[
        case(with_numbers, f"*{a} *fp32", name=f"with_numbers_{a}", archs=[90], N=64)
        for a in "i1 i8 i32 i64 fp16 bf16 fp32 fp64".split()
    ],
    case(scalars, "*fp64 i8 i64 u32 fp16 fp64 i1", archs=[90]),
    case(wide_numbers, "*i64 *fp64", archs=[90]),
    case(shapes, "*fp32 *fp32", archs=[90], M=16, N=32),
    case(pointers, "*fp32 *fp32 *fp32 i64", archs=[90], N=64),
    case(pointers, "*i8 *i8 *i1 i32", name="pointers_to_bools", archs=[90], N=64),
    case(logic, "*i32 *i32 i32 i32", archs=[90]),
    case(logic, "*i1 *i1 i1 i1", name="logic_of_bools", archs=[90]),
    case(unsanitized, "*i32 *i32", archs=[90], N=64),
    case(unsanitized, "*i32 *i32", name="sanitized_debug", archs=[90], options=dict(debug=True), N=64),
    case(
        unsanitized,
        "*i16 *i16",
        name="sanitized_off",
        archs=[90],
        options=dict(debug=True, sanitize_overflow=False),
        N=64,
    ),
    case(extremes, "*fp32 *fp32 *fp32", archs=[90], N=64),
    case(extremes, "*bf16 *fp16 *fp32", name="extremes_half", archs=[90], N=64),
    case(augmented, "*i32 *i32 i32", archs=[90], N=64),
    case(augmented, "*u8 *i32 u8", name="augmented_unsigned", archs=[90], N=64),
]
