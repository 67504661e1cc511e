"""One value in, one value out: arithmetic, comparisons, selects, shifts, every scalar type."""

import triton
import triton.language as tl
from cases import case


@triton.jit
def scale_and_shift(src, dst, n, scale, shift, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < n
    value = tl.load(src + index, mask=inside, other=0.0)
    tl.store(dst + index, value * scale + shift, mask=inside)


@triton.jit
def integer_operators(left, right, dst, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    a = tl.load(left + index)
    b = tl.load(right + index)
    total = (a + b) - (a * b)
    total ^= (a & b) | ~a
    total += (a << 2) + (b >> 1)
    total += a // b + a % b
    total = tl.where((a < b) & (a != 0), total, -b)
    total = tl.where((a >= b) | (a == 7), total, tl.abs(a))
    total += tl.minimum(a, b) * tl.maximum(a, b)
    tl.store(dst + index, total)


@triton.jit
def float_operators(left, right, dst, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    a = tl.load(left + index)
    b = tl.load(right + index)
    c = a / b - a % b
    c = tl.where(a > b, c, -c)
    c = tl.where((a <= b) and (a != b), c, tl.abs(c))
    c += tl.minimum(a, b) + tl.maximum(a, b, propagate_nan=tl.PropagateNan.ALL)
    c += tl.minimum(a, c, propagate_nan=tl.PropagateNan.ALL)
    c += tl.clamp(a, -1.0, 1.0)
    c += tl.clamp(b, a, c, propagate_nan=tl.PropagateNan.ALL)
    tl.store(dst + index, c)


@triton.jit
def scalar_only(src, dst, n):
    row = tl.program_id(0)
    column = tl.program_id(1)
    plane = tl.program_id(2)
    size = tl.num_programs(0) * tl.num_programs(1) * tl.num_programs(2)
    value = tl.load(src + (plane * n + row) * n + column)
    if value > size:
        tl.store(dst, value)


@triton.jit
def casts(src, as_i8, as_i64, as_f16, as_f32, as_bool, as_u16, as_f64, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    value = tl.load(src + index)
    tl.store(as_i8 + index, value.to(tl.int8))
    tl.store(as_i64 + index, value.to(tl.int64))
    tl.store(as_f16 + index, value.to(tl.float16))
    tl.store(as_f32 + index, value.to(tl.float32))
    tl.store(as_bool + index, value.to(tl.int1))
    tl.store(as_u16 + index, value.to(tl.uint16))
    tl.store(as_f64 + index, value.to(tl.float64))


@triton.jit
def bit_patterns(src, dst, address, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    bits = tl.load(src + index).to(tl.int32, bitcast=True)
    where = src.to(tl.int64) + index
    tl.store(address + index, where)
    pointer = where.to(tl.pointer_type(tl.float32))
    tl.store(dst + index, bits ^ tl.load(pointer).to(tl.int32, bitcast=True))
    other = dst.to(tl.pointer_type(tl.float32), bitcast=True)
    tl.store(other + index, 1.5)


@triton.jit
def wide_multiply(left, right, dst, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    a = tl.load(left + index)
    b = tl.load(right + index)
    tl.store(dst + index, tl.umulhi(a, b))
    tl.store(dst, tl.umulhi(tl.load(left), tl.load(right)))


@triton.jit
def pick_columns(src, dst, rows, columns, stride, R: tl.constexpr, C: tl.constexpr):
    row = tl.arange(0, R)[:, None]
    column = tl.arange(0, C)[None, :]
    inside = (row < rows) & (column < columns)
    value = tl.load(src + row * stride + column, mask=inside)
    value = tl.where(row == column, value, value + row * 2)
    tl.store(dst + column * R + row, value, mask=inside)


CASES = [
    case(scale_and_shift, "*fp32 *fp32 i32:16 fp32 fp32", BLOCK=1024),
    case(scale_and_shift, "*bf16 *fp16 i32 fp32 fp32", name="scale_and_shift_half", archs=[90], BLOCK=512),
    case(scale_and_shift, "*fp64 *fp64 i64 fp64 fp64", name="scale_and_shift_double", archs=[80], BLOCK=64),
    case(integer_operators, "*i32 *i32 *i32", archs=[90], BLOCK=256),
    case(integer_operators, "*u8 *u8 *u32", name="unsigned_operators", archs=[80], BLOCK=256),
    case(integer_operators, "*i64 *i16 *i64", name="mixed_integer_operators", archs=[80], BLOCK=32),
    case(float_operators, "*fp32 *fp32 *fp32", archs=[90], BLOCK=128),
    case(float_operators, "*bf16 *fp16 *fp32", name="half_operators", archs=[80], BLOCK=128),
    case(scalar_only, "*i32 *i32 i32", archs=[80, 90]),
    case(casts, "*fp32 *i8 *i64 *fp16 *fp32 *i1 *u16 *fp64", name="casts_from_float", archs=[80], BLOCK=128),
    case(casts, "*i32 *i8 *i64 *fp16 *fp32 *i1 *u16 *fp64", name="casts_from_signed", archs=[90], BLOCK=128),
    case(casts, "*u8 *i8 *i64 *fp16 *fp32 *i1 *u16 *fp64", name="casts_from_unsigned", archs=[90], BLOCK=128),
    case(bit_patterns, "*fp32 *i32 *i64", archs=[90], BLOCK=128),
    case(wide_multiply, "*u32 *u32 *u32", archs=[90], BLOCK=128),
    case(wide_multiply, "*u64 *u64 *u64", name="wide_multiply_64", archs=[80], BLOCK=128),
    case(pick_columns, "*fp16 *fp16 i32 i32 i32:16", archs=[80, 90], R=32, C=64),
]
