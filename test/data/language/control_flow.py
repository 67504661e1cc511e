"""Branches, loops, early returns, and which variables leave them."""

import triton
import triton.language as tl
from cases import case


@triton.jit
def branches(x, out, n, m):
    value = tl.load(x)
    if n > 0:
        value = value + 1
        only_here = value * 2
    if m > 0:
        made = value
    else:
        made = value - 1
    if n > m:
        if n > 5:
            value = made
        else:
            made = value
    elif n == m:
        value += 3
    elif n == 7:
        pass
    else:
        tl.store(out, value)
    tl.store(out, value + made)


@triton.jit
def constant_branches(x, out, A: tl.constexpr, B: tl.constexpr):
    value = tl.load(x)
    if A > 3:
        value += 1
    else:
        value = undefined_name  # noqa: F821
    if A:
        value += A
    if not B:
        value *= 2
    if B is None:
        value *= 3
    if A is not None and A == 4 or B:
        value -= 1
    value = value + 1 if A == 4 else value - 1
    tl.store(out, value)


@triton.jit
def choices(x, out, n):
    value = tl.load(x)
    a = value if n > 0 else value * 2
    b = 1 if n > 1 else 2
    c = (a if n > 2 else value) + b
    tl.store(out, c)
    tl.store(out + 1, 1.0 if n == 2 else tl.load(x + 1))


@triton.jit
def early(x, out, n):
    if n < 0:
        return
    if n > 100:
        tl.store(out, 1.0)
        return
    else:
        tl.store(out, 2.0)
    if n == 50:
        if n > 20:
            return
        tl.store(out, 3.0)
    tl.store(out, tl.load(x))


@triton.jit
def early_value_helper(x, n):
    if n > 3:
        return x
    if n > 2:
        x = x + 1
        return x * 2
    return x - 1


@triton.jit
def early_value(x, out, n):
    tl.store(out, early_value_helper(tl.load(x), n))
    tl.store(out, early_value_helper(tl.load(x + 1), n))


@triton.jit
def constant_return_helper(x, FLAG: tl.constexpr):
    if FLAG:
        return x
    return x + 1.0


@triton.jit
def constant_return(x, out):
    tl.store(out, constant_return_helper(tl.load(x), True))
    tl.store(out, constant_return_helper(tl.load(x), False))


@triton.jit
def loops(x, out, n, m, N: tl.constexpr):
    total = 0.0
    count = 0
    for i in range(n):
        total += tl.load(x + i)
    for i in range(0, n, 4):
        total += tl.load(x + i)
        count += 1
    for i in range(n, 0, -1):
        total -= tl.load(x + i)
    for i in range(n, m):
        for j in range(i, m):
            total += tl.load(x + j)
            count += j
        count += i
    for i in range(N):
        total *= 2.0
    for i in range(N, 0, -2):
        tl.store(out + i, total)
    for i in tl.static_range(3):
        total += i
    for i in tl.static_range(6, 0, -2):
        total += tl.load(x + i)
    for i in tl.static_range(N):
        if i % 2 == 0:
            total += i
    tl.store(out, total + count)


@triton.jit
def loop_types(x, out, n64, u32, i8):
    s = tl.load(x)
    for i in range(n64):
        s += i
    for i in range(0, n64, 2):
        s += i
    for i in range(u32):
        s += i
    for i in range(i8, 100):
        s += i
    for i in range(0, 5000000000, 1000000000):
        s += i
    tl.store(out, s)


@triton.jit
def loop_options(x, out, n, STAGES: tl.constexpr):
    s = tl.load(x)
    for i in tl.range(n):
        s += 1.0
    for i in tl.range(0, n, 2, num_stages=STAGES):
        s += 2.0
    for i in tl.range(n, loop_unroll_factor=4, disallow_acc_multi_buffer=True):
        s += 3.0
    for i in tl.range(0, n, flatten=True):
        for j in tl.range(0, i, warp_specialize=True):
            s += 4.0
    for i in tl.range(n, 0, -1, disable_licm=True):
        s += 5.0
    i = n
    while tl.condition(i > 0, disable_licm=True):
        i -= 1
    tl.store(out, s + i)


@triton.jit
def whiles(x, out, n):
    i = 0
    s = 0.0
    while i < n:
        value = tl.load(x + i)
        if value > 0:
            s += value
        i += 1
    while s > 10 and i > 0:
        j = i
        while j > 0:
            j = j // 2
            s -= 1.0
        i -= 1
    tl.store(out, s)


@triton.jit
def loops_of_tensors(x, out, n, N: tl.constexpr):
    index = tl.arange(0, N)
    pointer = x + index
    acc = tl.zeros((N,), dtype=tl.float32)
    best = tl.full((N,), float("-inf"), tl.float32)
    where = tl.zeros((N,), dtype=tl.int32)
    for i in range(0, n):
        value = tl.load(pointer)
        acc += value
        better = value > best
        best = tl.where(better, value, best)
        where = tl.where(better, i, where)
        pointer += N
        if i > 3:
            acc = acc * 0.5
        unused = value
    tl.store(out + index, acc + best + where)


@triton.jit
def swapped(x, out, n):
    a = tl.load(x)
    b = tl.load(x + 1)
    for _ in range(n):
        a, b = b, a + b
    c, (d, e) = a, (b, a * b)
    tl.store(out, c + d + e)


@triton.jit
def hinted_index(x, out, n, N: tl.constexpr):
    s = tl.zeros((N,), tl.float32)
    for start in range(0, n, N):
        start = tl.multiple_of(start, N)
        s += tl.load(x + start + tl.arange(0, N))
    k = 0
    while k < n:
        k = tl.multiple_of(k, 16)
        s += tl.load(x + k + tl.arange(0, N))
        k += N
    tl.store(out + tl.arange(0, N), s)


@triton.jit
def computed_bounds(x, out, n, N: tl.constexpr):
    s = 0.0
    for i in range(tl.cdiv(n, N)):
        s += tl.load(x + i)
    for i in range(tl.program_id(0), tl.cdiv(n, N), tl.num_programs(0)):
        s += tl.load(x + i)
    for i in range(tl.load(x + 1).to(tl.int32) + 1):
        s *= 2.0
    tl.store(out, s)


@triton.jit
def same_loop_variable(x, n, flag):
    if flag > 0:
        for i in range(0, n, 2):
            tl.store(x + i, 0)
    else:
        for i in range(0, n, 4):
            tl.store(x + i, 1)
    for j in range(n):
        for i in range(0, n, 2):
            tl.store(x + i, j)


CASES = [
    case(branches, "*fp32 *fp32 i32 i32", archs=[90]),
    case(constant_branches, "*fp32 *fp32", archs=[90], A=4, B=None),
    case(choices, "*fp32 *fp32 i32", archs=[90]),
    case(early, "*fp32 *fp32 i32", archs=[90]),
    case(early_value, "*fp32 *fp32 i32", archs=[90]),
    case(constant_return, "*fp32 *fp32", archs=[90]),
    case(loops, "*fp32 *fp32 i32 i32", archs=[90], N=5),
    case(loop_types, "*i64 *i64 i64 u32 i8", archs=[90]),
    case(loop_options, "*fp32 *fp32 i32", archs=[90], STAGES=3),
    case(loop_options, "*fp32 *fp32 i64", name="loop_options_none", archs=[90], STAGES=None),
    case(whiles, "*fp32 *fp32 i32", archs=[90]),
    case(loops_of_tensors, "*fp32 *fp32 i32", archs=[90], N=64),
    case(swapped, "*fp32 *fp32 i32", archs=[90]),
    case(hinted_index, "*fp32 *fp32 i32", archs=[90], N=64),
    case(computed_bounds, "*fp32 *fp32 i32", archs=[90], N=64),
    case(same_loop_variable, "*fp32 i32 i32", archs=[90]),
]
