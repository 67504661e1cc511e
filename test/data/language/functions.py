"""Calls of functions, constants, tuples."""

from typing import NamedTuple

import triton
import triton.language as tl
from cases import case

SCALE = tl.constexpr(2.5)
SIZES = tl.constexpr((16, 32))
DTYPE = tl.constexpr(tl.float16)


@triton.jit
def shift(x, by=1, scale: tl.constexpr = 2):
    return x * scale + by


@triton.jit
def pair(x, y):
    return x + y, x - y


@triton.jit
def nothing(out):
    tl.store(out, 0.0)


@triton.jit
def outer(x, f: tl.constexpr, y):
    return f(f(x), y)


@triton.jit
def calls_with_defaults(x, out, n):
    a = tl.load(x)
    tl.store(out, shift(a))
    tl.store(out, shift(a, n))
    tl.store(out, shift(a, scale=3))
    tl.store(out, shift(x=a, by=2.5, scale=4))
    tl.store(out, shift(n, 1.0))
    tl.store(out, shift(3))
    s, d = pair(a, n)
    nothing(out)
    tl.store(out, s * d)
    tl.store(out, outer(a, shift, n))


@triton.jit(noinline=True)
def kept(x, n):
    return x + n


@triton.jit
def kept_calls(x, out, n):
    tl.store(out, kept(tl.load(x), n))
    tl.store(out, kept(n, n))


@triton.constexpr_function
def log_of(n):
    return n.bit_length() - 1


@triton.constexpr_function
def table(kind):
    return {"a": 1, "b": (2, 3)}[kind]


@triton.jit
def constants(x, out, N: tl.constexpr, NAME: tl.constexpr, FLAG: tl.constexpr, TYPE: tl.constexpr):
    HALF: tl.constexpr = N // 2
    LOG: tl.constexpr = log_of(N)
    pair_of: tl.constexpr = table("b")
    i = tl.arange(0, HALF)
    value = tl.load(x + i)
    value *= SCALE
    value += LOG + HALF * 2 - N % 3 + 2**3 + (N << 1) + (N >> 1) + (N & 5) + (N | 1) + (N ^ 3) + -N + ~N
    value += SIZES[0] * SIZES[1] + pair_of[0] + table("a")
    if NAME == "double" and FLAG:
        value = value * 2
    if isinstance(N, tl.constexpr):
        value += 1
    if hasattr(value, "dtype"):
        value += 2
    value += len(SIZES) + int(3.7) + float(2)
    value = value.to(TYPE).to(tl.float32)
    value += N / 4 + N * 1.5
    value += (N > 3) + (N == 64) + (not FLAG)
    tl.static_assert(N > 8, "too small")
    tl.static_assert(log_of(N) == 6)
    tl.static_print(end="")
    value += tl.constexpr(7)
    value += triton.cdiv(N, 7) + triton.next_power_of_2(33)
    tl.store(out + i, value.to(DTYPE))


def specialized(factor, kind):
    exp = tl.exp

    @triton.jit
    def helper(x):
        """Captures a constant and a function."""
        return exp(x) * factor

    @triton.jit
    def captures(x, out):
        value: tl.tensor = tl.load(x)
        tl.store(out, helper(value).to(kind))

    return captures


captures = specialized(tl.constexpr(3), tl.float16)


class Both(NamedTuple):
    first: tl.tensor
    second: tl.tensor


@triton.jit
def swap(both):
    return Both(both.second, both.first)


@triton.jit
def sum_of(items):
    total = items[0]
    for i in tl.static_range(1, len(items)):
        total += items[i]
    return total


@triton.jit
def tuples(x, out, n):
    a = tl.load(x)
    t = (a, n, 3)
    u = t + (4,)
    v = u[1:3]
    tl.store(out, t[0] + u[3] + v[0] + v[1] + t[-1])
    tl.store(out, len(u))
    both = Both(a, a * 2)
    other = swap(both)
    tl.store(out, other.first - other[1] + other.second)
    tl.store(out, sum_of((a, a + 1, a + 2)))
    tl.store(out, sum_of([a, 1.0]))
    doubled = [item * 2 for item in (a, n)]
    tl.store(out, doubled[0] + doubled[1])
    (p, q), r = pair(a, n), n
    tl.store(out, p + q + r)
    for _ in range(n):
        both = swap(both)
    tl.store(out, both.first)
    if n > 2:
        both = Both(both.second, both.second)
    tl.store(out, both.first)


@triton.jit
def tuple_arguments(items, scale, out, N: tl.constexpr):
    i = tl.arange(0, N)
    total = tl.zeros((N,), tl.float32)
    for k in tl.static_range(len(items)):
        total += tl.load(items[k] + i)
    tl.store(out + i, total * scale[0] + scale[1])


@triton.jit
def named(x_ptr, out_ptr, n_elements, BLOCK_SIZE: tl.constexpr):
    pid = tl.program_id(0)
    block_start = pid * BLOCK_SIZE
    offsets = block_start + tl.arange(0, BLOCK_SIZE)
    mask = offsets < n_elements
    x = tl.load(x_ptr + offsets, mask=mask)
    if n_elements > 3:
        x = x * 2
        y = x + 1
    else:
        y = x
    tl.store(out_ptr + offsets, y + x, mask=mask)


@triton.jit(repr=lambda specialization: f"renamed_{specialization.constants['N']}")
def with_repr(out, N: tl.constexpr):
    tl.store(out + tl.arange(0, N), 1)


@triton.jit
def methods(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i[:, None] * N + i[None, :])
    tl.store(out, v.sum())
    tl.store(out + i, v.sum(axis=1))
    tl.store(out + i, v.max(0))
    tl.store(out + i, v.min(axis=1, keep_dims=False))
    tl.store(out + i, v.argmax(1))
    tl.store(out + i, v.argmin(axis=0))
    tl.store(out + i[:, None] * N + i, v.T)
    tl.store(out + i[:, None] * N + i, v.trans())
    tl.store(out + i[:, None] * N + i, v.exp().log().sqrt().abs())
    tl.store(out + i[:, None] * N + i, v.cumsum(1))
    tl.store(out + i[:, None] * N + i, v.softmax())
    tl.store(out + i[:, None] * N + i, v.sigmoid())
    tl.store(out + i[:, None] * N + i, v.flip(1))
    (out + i).store(v.reshape(N * N).reshape((N, N)).sum(0))
    (out + i).atomic_add(v.sum(0))
    tl.store(out + tl.arange(0, N * N), v.ravel())


CASES = [
    case(calls_with_defaults, "*fp32 *fp32 i32", archs=[90]),
    case(kept_calls, "*fp32 *fp32 i32", archs=[90]),
    case(constants, "*fp32 *fp16", archs=[90], N=64, NAME="double", FLAG=True, TYPE=tl.bfloat16),
    case(captures, "*fp32 *fp16", archs=[90]),
    case(tuples, "*fp32 *fp32 i32", archs=[90]),
    case(named, "*fp32 *fp32 i32:16", archs=[90], BLOCK_SIZE=128),
    case(with_repr, "*i32", archs=[90], N=32),
    case(methods, "*fp32 *fp32", archs=[90], N=16),
]
_TUPLES = case(tuple_arguments, "*fp32 *fp32 *fp32", archs=[90], N=64)
_TUPLES.signature.update(items=("*fp32", "*fp16"), scale=("fp32", "constexpr"), out="*fp32")
_TUPLES.constants[(1, 1)] = 3
_TUPLES.attributes.clear()
_TUPLES.attributes[(0, 1)] = [["tt.divisibility", 16]]
CASES.append(_TUPLES)
