"""Atomic updates: every operation, memory order and scope, on scalars and tensors."""

import triton
import triton.language as tl
from cases import case


@triton.jit
def integer_atomics(src, dst, n, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    value = tl.load(src + index)
    inside = index < n
    old = tl.atomic_add(dst + index, value)
    old += tl.atomic_max(dst + index, value, mask=inside)
    old += tl.atomic_min(dst + index, value, mask=inside, sem="relaxed")
    old += tl.atomic_and(dst + index, value, sem="acquire", scope="cta")
    old += tl.atomic_or(dst + index, value, sem="release", scope="gpu")
    old += tl.atomic_xor(dst + index, value, sem="acq_rel", scope="sys")
    old += tl.atomic_xchg(dst + index, value, mask=inside, sem="relaxed", scope="sys")
    old += tl.atomic_cas(dst + index, value, old)
    tl.store(src + index, old)


@triton.jit
def float_atomics(src, dst, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    value = tl.load(src + index)
    tl.atomic_add(dst + index, value, sem="relaxed")
    tl.atomic_max(dst + index, value)
    tl.atomic_min(dst + index, value)
    tl.atomic_xchg(dst, tl.load(src))
    tl.atomic_add(dst + 1, tl.sum(value), scope="cta")


@triton.jit
def half_atomics(src, dst, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    tl.atomic_add(dst + index, tl.load(src + index), mask=index < 5, sem="release")


@triton.jit
def spin_lock(lock, counter):
    while tl.atomic_cas(lock, 0, 1, sem="acquire", scope="sys") == 1:
        pass
    tl.store(counter, tl.load(counter) + 1)
    tl.atomic_xchg(lock, 0, sem="release")


CASES = [
    case(integer_atomics, "*i32 *i32 i32", archs=[80, 90], BLOCK=128),
    case(integer_atomics, "*u64 *u64 i32", name="unsigned_atomics", archs=[90], BLOCK=128),
    case(float_atomics, "*fp32 *fp32", archs=[90], BLOCK=128),
    case(half_atomics, "*fp16 *fp16", archs=[80], BLOCK=128),
    case(half_atomics, "*bf16 *bf16", name="bfloat_atomics", archs=[90], BLOCK=128),
    case(spin_lock, "*i32 *i32", archs=[90]),
]
