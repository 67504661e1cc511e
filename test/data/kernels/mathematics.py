"""The math library, external functions, inline assembly, mapped scalar functions, float conversions."""

import triton
import triton.language as tl
from triton.language.extra import libdevice
from cases import case


@triton.jit
def functions(src, dst, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    x = tl.load(src + index)
    y = tl.exp(x) + tl.exp2(x) + tl.log(x) + tl.log2(x)
    y += tl.sin(x) + tl.cos(x) + tl.sqrt(x) + tl.rsqrt(x)
    y += tl.abs(x) + tl.floor(x) + tl.ceil(x) + tl.erf(x)
    y += tl.fma(x, y, x) + tl.fdiv(x, y) + tl.div_rn(x, y) + tl.sqrt_rn(x)
    tl.store(dst + index, y)


@triton.jit
def library_functions(src, integers, dst, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    x = tl.load(src + index)
    y = libdevice.tanh(x) + libdevice.pow(x, x) + libdevice.fast_expf(x) + libdevice.atan2(x, x)
    y += libdevice.fma_rz(x, y, x) + libdevice.round(x) + libdevice.acos(tl.load(src))
    bits = tl.load(integers + index)
    tl.store(dst + index, y + libdevice.popc(bits) + libdevice.clz(bits) + libdevice.mulhi(bits, bits))
    tl.store(integers + index, libdevice.isnan(x).to(tl.int32))


@triton.jit
def assembly(src, dst, other, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    x = tl.load(src + index)
    doubled = tl.inline_asm_elementwise("shl.b32 $0, $1, 1;", "=r,r", [x], dtype=tl.int32, is_pure=True, pack=1)
    low, high = tl.inline_asm_elementwise(
        asm="{ add.u32 $0, $2, $3; sub.u32 $1, $2, $3; } // \"quoted\" and\ttabbed", constraints="=r,=r,r,r",
        args=[x, doubled], dtype=(tl.int32, tl.int32), is_pure=False, pack=1)
    bytes_ = low.to(tl.int8)
    packed = tl.inline_asm_elementwise("and.b32 $0, $1, 0x0F0F0F0F;", "=r,r", [bytes_], dtype=tl.int8, is_pure=True,
                                       pack=4)
    clock = tl.inline_asm_elementwise("mov.u32 $0, %clock;", "=r", [], dtype=tl.int32, is_pure=False, pack=1)
    tl.store(dst + index, high + packed + clock)


@triton.jit
def leaky(x, slope):
    if x > 0:
        return x
    else:
        return x * slope


@triton.jit
def order_pair(a0, a1, b0, b1):
    return tl.minimum(a0, b0), tl.minimum(a1, b1), tl.maximum(a0, b0), tl.maximum(a1, b1)


@triton.jit
def mapped(left, right, dst, slope, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    a = tl.load(left + index)
    b = tl.load(right + index)
    low, high = tl.map_elementwise(order_pair, a, b, pack=2)
    tl.store(dst + index, tl.map_elementwise(leaky, low, slope) + high)


@triton.jit
def narrow_floats(src, e4, e5, half, brain, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    x = tl.load(src + index)
    tl.store(e4 + index, x.to(tl.float8e4nv))
    tl.store(e5 + index, x.to(tl.float8e5, fp_downcast_rounding="rtz"))
    tl.store(half + index, x.to(tl.float16, fp_downcast_rounding="rtz"))
    tl.store(brain + index, x.to(tl.bfloat16, fp_downcast_rounding="rtne"))
    wide = tl.load(e4 + index).to(tl.float32) + tl.load(e5 + index).to(tl.float16)
    tl.store(src + index, wide + tl.load(half + index) + tl.load(brain + index))


@triton.jit
def old_eight_bits(src, dst, wide, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    x = tl.load(src + index)
    tl.store(wide + index, x.to(tl.float16))
    tl.store(dst + index, tl.load(wide + index).to(tl.float8e5))


@triton.jit
def constants(dst, N: tl.constexpr):
    index = tl.arange(0, N)
    tl.store(dst + index, tl.full((N, ), float("inf"), tl.float32))
    tl.store(dst + index, tl.full((N, ), float("nan"), tl.float32))
    tl.store(dst + index, tl.full((N, ), -0.0, tl.float32) + 3.0e-38)
    tl.store(dst + index, tl.zeros((N, ), tl.float32) + 16777216.0)
    tl.store(dst + index, (tl.full((N, ), 1 << 40, tl.int64) + -1).to(tl.float32))
    tl.store(dst + index, tl.full((N, ), True, tl.int1).to(tl.float32) * tl.full((N, ), 1.1, tl.float64))


CASES = [
    case(functions, "*fp32 *fp32", archs=[80, 90], BLOCK=128),
    case(library_functions, "*fp32 *i32 *fp32", archs=[80, 90], BLOCK=128),
    case(assembly, "*i32 *i32 *i32", archs=[80, 90], BLOCK=256),
    case(mapped, "*fp32 *fp32 *fp32 fp32", archs=[80, 90], BLOCK=256),
    case(narrow_floats, "*fp32 *fp8e4nv *fp8e5 *fp16 *bf16", archs=[90, 100], BLOCK=128),
    case(old_eight_bits, "*fp8e4b15 *fp8e5 *fp16", archs=[80], BLOCK=128),
    case(constants, "*fp32", archs=[90], N=64),
]
