"""Conversions between all types."""

import triton
import triton.language as tl
from cases import case


@triton.jit
def to_all(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
    tl.store(out + i, a.to(tl.int1))
    tl.store(out + i, a.to(tl.int8))
    tl.store(out + i, a.to(tl.uint8))
    tl.store(out + i, a.to(tl.int16))
    tl.store(out + i, a.to(tl.int32))
    tl.store(out + i, a.to(tl.uint32))
    tl.store(out + i, a.to(tl.int64))
    tl.store(out + i, a.to(tl.uint64))
    tl.store(out + i, a.to(tl.float16))
    tl.store(out + i, a.to(tl.bfloat16))
    tl.store(out + i, a.to(tl.float32))
    tl.store(out + i, tl.cast(a, tl.float64))


@triton.jit
def eight_bits(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
    tl.store(out + i, a.to(tl.float8e5).to(tl.float32))
    tl.store(out + i, a.to(tl.float8e4nv).to(tl.float16))
    tl.store(out + i, a.to(tl.float8e5, fp_downcast_rounding="rtz").to(tl.bfloat16))
    tl.store(out + i, a.to(tl.float8e4nv, fp_downcast_rounding="rtne").to(tl.float64))
    tl.store(out + i, a.to(tl.float8e5).to(tl.float8e4nv).to(tl.float32))


@triton.jit
def roundings(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
    tl.store(out + i, a.to(tl.float16, fp_downcast_rounding="rtz").to(tl.float32))
    tl.store(out + i, a.to(tl.bfloat16, "rtz").to(tl.float32))
    tl.store(out + i, a.to(tl.float16, fp_downcast_rounding="rtne").to(tl.float32))


@triton.jit
def same_bits(x, y, out, N: tl.constexpr):
    i = tl.arange(0, N)
    a = tl.load(x + i)
    tl.store(out + i, a.to(tl.int32, bitcast=True))
    tl.store(out + i, tl.cast(a, tl.uint32, bitcast=True))
    tl.store(out + i, a.to(tl.float32, bitcast=True).to(tl.int32))
    b = tl.load(y + i)
    tl.store(out + i, b.to(tl.bfloat16, bitcast=True).to(tl.int32))
    tl.store(out + i, b.to(tl.uint16, bitcast=True))


@triton.jit
def addresses(x, y, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out, x.to(tl.int64))
    tl.store(out + i, (x + i).to(tl.uint64))
    tl.store(out + 1, tl.load(out).to(tl.pointer_type(tl.int64)).to(tl.int64))
    other = x.to(tl.pointer_type(tl.int32), bitcast=True)
    tl.store(out + i, tl.load(other + i))
    tl.store(out + i, tl.load((x + i).to(tl.pointer_type(tl.int8))))
    tl.store(out + 2, x.to(tl.int1))


@triton.jit
def element_types(x, y, out, N: tl.constexpr):
    i = tl.arange(0, N)
    value = tl.load(x + i).to(y.dtype.element_ty)
    wide = tl.full((N,), 3, dtype=x.dtype.element_ty)
    tl.store(out + i, (value + 1).to(out.dtype.element_ty) + wide.to(out.type.element_ty))
    if x.dtype.element_ty == tl.float16:
        tl.store(out, 1)
    if value.dtype.is_floating():
        tl.store(out, value.dtype.primitive_bitwidth)


@triton.jit
def made(out, n, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.zeros([N], tl.float32))
    tl.store(out + i, tl.zeros((N,), dtype=tl.int8))
    tl.store(out + i, tl.full([N], 1.5, tl.bfloat16))
    tl.store(out + i, tl.full([N], n, tl.int64))
    tl.store(out + i, tl.full([N], -1, tl.int16))
    tl.store(out + i, tl.full([N], True, tl.int1))
    tl.store(out + i, tl.full([N], 255, tl.uint8))
    tl.store(out + i, tl.full([N], float("inf"), tl.float16))
    tl.store(out + i, tl.zeros_like(i))
    tl.store(out + i, tl.full([N], 0.1, tl.float64))
    tl.store(out + i, tl.zeros([N], tl.float8e5))
    tl.store(out, tl.full([], 3, tl.int32))
    tl.store(out + i, tl.core.to_tensor(3))


_TYPES = "i1 i8 u8 i16 u16 i32 u32 i64 u64 fp16 bf16 fp32 fp64".split()
CASES = [
    *[case(to_all, f"*{t} *i32", name=f"to_all_{t}", archs=[90], N=64) for t in _TYPES],
    *[case(eight_bits, f"*{t} *fp32", name=f"eight_bits_{t}", archs=[90], N=64) for t in "fp16 bf16 fp32 fp64".split()],
    *[case(roundings, f"*{t} *fp32", name=f"roundings_{t}", archs=[90], N=64) for t in "fp32 fp64".split()],
    case(same_bits, "*fp32 *fp16 *i32", archs=[90], N=64),
    case(addresses, "*fp32 *fp32 *i64", archs=[90], N=64),
    case(element_types, "*fp16 *fp32 *fp64", archs=[90], N=64),
    case(element_types, "*i8 *i32 *fp32", name="element_types_integer", archs=[90], N=64),
    case(made, "*fp32 i64", archs=[90], N=64),
]
