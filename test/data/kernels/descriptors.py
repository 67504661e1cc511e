"""Tensor descriptors: made on the device or passed in; load, store, gather, scatter, reduce."""

import triton
import triton.language as tl
from cases import case


@triton.jit
def descriptor_copy(src, dst, rows, columns, R: tl.constexpr, C: tl.constexpr):
    source = tl.make_tensor_descriptor(src, shape=[rows, columns], strides=[columns, 1], block_shape=[R, C])
    target = tl.make_tensor_descriptor(dst, shape=[rows, columns], strides=[columns, 1], block_shape=[R, C],
                                       padding_option="nan")
    row = tl.program_id(0) * R
    for column in range(0, columns, C):
        target.store([row, column], source.load([row, column]))
        target.store([row, column], target.load([row, column]) * 2)


@triton.jit
def descriptor_arguments(source, target, n):
    tile = source.load([0, n])
    target.store([n, 0], tile.to(target.dtype))


@triton.jit
def descriptor_ranks(line, cube, n, m, B: tl.constexpr):
    first = tl.make_tensor_descriptor(line, [n], [1], [B])
    third = tl.make_tensor_descriptor(cube, [n, n, m], [m * n, m, 1], [2, 4, B // 8])
    third.store([0, 0, 0], first.load([n // 2]).reshape(2, 4, B // 8))


@triton.jit
def descriptor_gather_scatter(src, dst, picks, columns, ROWS: tl.constexpr, C: tl.constexpr):
    index = tl.load(picks + tl.arange(0, ROWS))
    source = tl.make_tensor_descriptor(src, [4096, columns], [columns, 1], [1, C])
    target = tl.make_tensor_descriptor(dst, [4096, columns], [columns, 1], [1, C])
    column = tl.program_id(0) * C
    rows = source.gather(index, column)
    target.scatter(rows, index, column)


@triton.jit
def descriptor_reductions(acc, n, R: tl.constexpr, C: tl.constexpr, BITWISE: tl.constexpr):
    total = tl.make_tensor_descriptor(acc, [n, C], [C, 1], [R, C])
    value = total.load([0, 0])
    if BITWISE:
        total.atomic_and([0, 0], value)
        total.atomic_or([0, 0], value)
        total.atomic_xor([0, 0], value)
    else:
        total.atomic_add([0, 0], value)
        total.atomic_min([0, 0], value)
        total.atomic_max([0, 0], value)


CASES = [
    case(descriptor_copy, "*fp16 *fp16 i32:16 i32:16", archs=[80, 90, 100], R=64, C=64),
    case(descriptor_arguments, "tensordesc<fp16[64,32]> tensordesc<fp32[64,32]> i32", archs=[90, 100]),
    case(descriptor_arguments, "tensordesc<i8[16,128]> tensordesc<i8[16,128]> i32", name="descriptor_arguments_i8",
         archs=[80]),
    case(descriptor_ranks, "*fp32 *fp32 i32 i32:16", archs=[90], B=256),
    case(descriptor_gather_scatter, "*bf16 *bf16 *i32 i32:16", archs=[90, 100], ROWS=32, C=128),
    case(descriptor_reductions, "*fp16 i32", archs=[90, 100], R=16, C=32, BITWISE=False),
    case(descriptor_reductions, "*i32 i32", name="descriptor_reductions_bitwise", archs=[90], R=16, C=32,
         BITWISE=True),
]
