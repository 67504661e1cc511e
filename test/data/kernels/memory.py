"""Loads and stores: cache and eviction hints, masks, volatile, block pointers with boundary checks."""

import triton
import triton.language as tl
from cases import case


@triton.jit
def cache_hints(src, dst, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < n
    a = tl.load(src + index, cache_modifier=".ca")
    a += tl.load(src + index, mask=inside, cache_modifier=".cg", eviction_policy="evict_first")
    a += tl.load(src + index, mask=inside, other=1.0, cache_modifier=".cv", volatile=True)
    a += tl.load(src + index, eviction_policy="evict_last")
    tl.store(dst + index, a, cache_modifier=".wb")
    tl.store(dst + index + n, a, mask=inside, cache_modifier=".cg", eviction_policy="evict_first")
    tl.store(dst + index + 2 * n, a, cache_modifier=".cs", eviction_policy="evict_last")
    tl.store(dst + index + 3 * n, a, mask=inside, cache_modifier=".wt")


@triton.jit
def block_pointer_copy(src, dst, rows, columns, stride, R: tl.constexpr, C: tl.constexpr):
    start = tl.program_id(0) * R
    source = tl.make_block_ptr(src, shape=(rows, columns), strides=(stride, 1), offsets=(start, 0),
                               block_shape=(R, C), order=(1, 0))
    target = tl.make_block_ptr(dst, shape=(rows, columns), strides=(stride, 1), offsets=(start, 0),
                               block_shape=(R, C), order=(1, 0))
    for _ in range(0, tl.cdiv(columns, C)):
        both = tl.load(source, boundary_check=(0, 1), padding_option="zero")
        one = tl.load(source, boundary_check=(1, ), padding_option="nan", cache_modifier=".cg",
                      eviction_policy="evict_first")
        tl.store(target, both + one, boundary_check=(0, 1))
        source = tl.advance(source, (0, C))
        target = tl.advance(target, (0, C))


@triton.jit
def block_pointer_unchecked(src, dst, n, stride, B: tl.constexpr):
    row = tl.make_block_ptr(src, (n, ), (1, ), (0, ), (B, ), (0, ))
    cube = tl.make_block_ptr(dst, (n, n, n), (stride, n, 1), (0, 1, 2), (1, 2, B // 2), (2, 1, 0))
    value = tl.load(row)
    tl.store(cube, tl.reshape(value, (1, 2, B // 2)))


@triton.jit
def pointer_hints(src, dst, n, BLOCK: tl.constexpr):
    start = tl.multiple_of(tl.program_id(0) * n, 16)
    index = start + tl.arange(0, BLOCK)
    index = tl.max_contiguous(tl.multiple_of(index, BLOCK), BLOCK)
    inside = tl.max_constancy(index < n, 16)
    tl.assume(n > 0)
    tl.store(dst + index, tl.load(src + index, mask=inside), mask=inside)


@triton.jit
def pointers_of_pointers(table, dst, n, BLOCK: tl.constexpr):
    base = tl.load(table + tl.program_id(0)).to(tl.pointer_type(tl.float16))
    index = tl.arange(0, BLOCK)
    tl.store(dst + index, tl.load(base + index, mask=index < n))


@triton.jit
def barrier_between(buffer, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    tl.store(buffer + index, index)
    tl.debug_barrier()
    tl.store(buffer + index, tl.load(buffer + BLOCK - 1 - index))


@triton.jit
def predicated_cell(src, dst, flag):
    value = tl.load(src, mask=flag != 0, other=3)
    tl.store(dst, value, mask=flag > 1)


CASES = [
    case(cache_hints, "*fp32 *fp32 i32:16", archs=[80, 90], BLOCK=256),
    case(block_pointer_copy, "*fp16 *fp16 i32:16 i32:16 i64:16", archs=[80, 90, 100], R=32, C=64),
    case(block_pointer_unchecked, "*i32 *i32 i64 i64", archs=[90], B=64),
    case(pointer_hints, "*fp32 *fp32 i32:16", archs=[90], BLOCK=128),
    case(pointers_of_pointers, "*i64 *fp16 i32", archs=[90], BLOCK=128),
    case(barrier_between, "*i32", archs=[90], BLOCK=128),
    case(predicated_cell, "*i64 *i64 i32", archs=[80]),
]
