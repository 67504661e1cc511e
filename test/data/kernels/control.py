"""Control flow: nested loops and branches, early returns, calls that stay calls, tuples, assertions, printing."""

import triton
import triton.language as tl
from cases import case


@triton.jit
def nested(src, dst, n, m, flag):
    total = 0.0
    steps = 0
    for i in range(n):
        for j in range(m, 0, -2):
            value = tl.load(src + i * m + j)
            if value > 1.0:
                total += value
                steps += 1
            elif flag:
                total -= value
            else:
                total *= 0.5
    while total > 10.0:
        total *= 0.5
        if steps > 3:
            steps -= 1
    tl.store(dst, total + steps)


@triton.jit
def early_return(src, dst, n, BLOCK: tl.constexpr):
    start = tl.program_id(0) * BLOCK
    if start >= n:
        return
    value = tl.load(src + start + tl.arange(0, BLOCK))
    if tl.sum(value) == 0:
        tl.store(dst + start, 7)
        return
    tl.store(dst + start + tl.arange(0, BLOCK), value)


@triton.jit(noinline=True)
def distance(x, y, n):
    if n > 4:
        return tl.sqrt(x * x + y * y)
    return tl.abs(x - y)


@triton.jit(noinline=True)
def line_through(x, y):
    slope = (y - x) * 0.5
    return slope, x - slope


@triton.jit(noinline=True)
def remember(dst, value):
    tl.store(dst, value)


@triton.jit
def inlined(x):
    return x * x + 1


@triton.jit
def calls(src, dst, n, N: tl.constexpr):
    index = tl.arange(0, N)
    tile = tl.load(src + index)
    slope, offset = line_through(tl.load(src), tl.load(src + 1))
    far = distance(slope, offset, n)
    remember(dst, far)
    tl.store(dst + index, inlined(tile * slope + offset) + far)


@triton.jit
def tuples(sources, scale, dst, N: tl.constexpr):
    index = tl.arange(0, N)
    first, second = sources
    pair = (tl.load(first + index), tl.load(second + index))
    for _ in range(4):
        pair = (pair[1], pair[0] * scale[0] + scale[1])
    tl.store(dst + index, pair[0] - pair[1])


@triton.jit
def loop_hints(src, dst, n, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK, ), tl.float32)
    for i in tl.range(0, n, loop_unroll_factor=2):
        acc += tl.load(src + i * BLOCK + index)
    for i in tl.range(0, n, num_stages=3):
        acc *= tl.load(src + i * BLOCK + index)
    for i in tl.range(0, n, disable_licm=True):
        acc -= tl.load(src + i) * tl.load(dst)
    for i in tl.range(0, n, flatten=True):
        for j in range(i):
            acc += tl.load(src + i * j)
    for i in tl.static_range(3):
        acc += i
    tl.store(dst + index, acc)


@triton.jit
def diagnostics(src, n, N: tl.constexpr):
    value = tl.load(src + tl.arange(0, N))
    tl.device_assert(value >= 0, "negative value")
    tl.device_assert(n > 0)
    tl.device_print("value", value)
    tl.device_print("hex: ", value, n, hex=True)
    tl.device_print("reached")


@triton.jit
def branch_on_tile(src, dst, n, N: tl.constexpr):
    index = tl.arange(0, N)
    value = tl.load(src + index)
    if n > 0 and tl.max(value, axis=0) > 0:
        result = value + 1
        carry = n * 2
    else:
        result = value - 1
        carry = n
    other = value if carry > 3 else -value
    tl.store(dst + index, result + carry + other)


@triton.jit
def loop_with_exit_value(src, dst, n):
    i = n
    best = tl.load(src)
    while i > 0 and best < 100.0:
        candidate = tl.load(src + i)
        best = candidate if candidate > best else best
        i -= 1
    tl.store(dst, best)
    tl.store(dst + 1, i)


CASES = [
    case(nested, "*fp32 *fp32 i32 i32 i1", archs=[80, 90]),
    case(early_return, "*i32 *i32 i32:16", archs=[80, 90], BLOCK=128),
    case(calls, "*fp32 *fp32 i32", archs=[80, 90], N=128),
    case(loop_hints, "*fp32 *fp32 i32", archs=[80, 90, 100], BLOCK=128),
    case(diagnostics, "*i32 i32", name="diagnostics", archs=[90], options=dict(debug=True), N=128),
    case(branch_on_tile, "*i32 *i32 i32", archs=[90], N=128),
    case(loop_with_exit_value, "*fp32 *fp32 i32", archs=[90]),
    case(early_return, "*i8 *i8 u32", name="early_return_debug", archs=[90], options=dict(debug=True), BLOCK=32),
]
