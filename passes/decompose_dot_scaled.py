"""Compute dot operations of scaled operands as dot operations of the scaled values.

    %d = tt.dot_scaled %a scale %s, %b, %c lhs = e5m2 rhs = bf16
       : tensor<128x64xf8E5M2>, tensor<128x2xi8> * tensor<64x32xbf16> -> tensor<128x32xf32>
  =>
    %x = tt.fp_to_fp %a : tensor<128x64xf8E5M2> -> tensor<128x64xbf16>
    %p = ... : tensor<128x2xbf16>                      // 2**(s - 127); NaN where s = 255
    %0 = tt.expand_dims %p {axis = 2 : i32} : tensor<128x2xbf16> -> tensor<128x2x1xbf16>
    %1 = tt.broadcast %0 : tensor<128x2x1xbf16> -> tensor<128x2x32xbf16>
    %2 = tt.reshape %1 : tensor<128x2x32xbf16> -> tensor<128x64xbf16>
    %y = arith.mulf %x, %2 : tensor<128x64xbf16>
    %d = tt.dot %y, %b, %c : tensor<128x64xbf16> * tensor<64x32xbf16> -> tensor<128x32xf32>

Numbers of up to 8 bits are exact in bf16, and stay so times a power of two.  Where an operand would not be exact (f16
with a scale, 16 bits with scales in fp8), or one is bf16 and the other f16, both become f32; multiplied as tf32, which
represents all f16 and bf16 numbers times a power of two, except with scales in fp8.

Input:  tt.      Output: tt.
Order:  before convert-triton-to-tritongpu: what it makes needs layouts.
Skips:  with `leave-regular` what tritongpu-accelerate-matmul takes (is_regular in products/scaled.py); with
        `tcgen05-warps` also what it computes by tcgen05.
Test:   test/lit/passes/decompose_dot_scaled.mlir
"""

from typing import Any

from mlir import ir

from ttkit.dialects import arith, tt
from ttkit.dialects.tt import InputPrecision
from ttkit.dialects.tt import ScaleDotElemType as Formats
from ttkit.passes.infra import Pass, PassError, collect, option, replace_by
from ttkit.passes.products.dot_to_tcgen05 import SCALED_WARPS, is_large_enough, multiplies_scaled
from ttkit.passes.products.scaled import is_regular
from ttkit.records import dataclass


@dataclass(frozen=True)
class SmallFormat:
    """A format of less than 8 bits: sign, exponent, mantissa, without infinities and NaN.

    bits: in all.  mantissa: bits of it.  bias: of the exponent.
    """

    bits: int
    mantissa: int
    bias: int


SMALL = {Formats.E2M1: SmallFormat(4, 1, 1), Formats.E2M3: SmallFormat(6, 3, 1), Formats.E3M2: SmallFormat(6, 2, 3)}
SIXTEEN_BITS = (Formats.BF16, Formats.FP16)
BF16_MANTISSA, BF16_BIAS, BF16_NAN = 7, 127, 0x7FC0
# 2**-127, the smallest scale, is below the normal numbers: no exponent, but the first bit of the mantissa.
SMALLEST_SCALE = 1 << BF16_MANTISSA - 1
NAN_SCALE = 255


@dataclass(frozen=True)
class DecomposeDotScaled(Pass):
    """Compute dot operations of scaled operands as dot operations of the scaled values"""

    name = "ttkit-decompose-dot-scaled"
    may_change = "the rounding and order of sums in products with scales"

    leave_regular: bool = option(False, "leave what tritongpu-accelerate-matmul takes, as Triton does")

    tcgen05_warps: int = option(0, "leave what one CTA with so many warps computes in tensor memory")

    def run(self, op: ir.Operation) -> None:
        """Decomposes each product that the option does not leave to the GPU.

        Raises:
            PassError: a product's tensors have layouts.
        """
        for product in collect(op, ["tt.dot_scaled"]):
            if self.leaves(product.opview):
                continue
            if product.opview.c.type.encoding is not None:
                raise PassError(product, "found tensors with layouts; run this before convert-triton-to-tritongpu")
            decompose(product.opview)

    def leaves(self, op: Any) -> bool:
        """Whether tritongpu-accelerate-matmul is to see to a product."""
        if self.tcgen05_warps in SCALED_WARPS and multiplies_scaled(op) and is_large_enough(op.c.type.shape):
            return True
        return self.leave_regular and is_regular(op)


@dataclass(frozen=True)
class Operand:
    """An operand of tt.dot_scaled.

    inner: the dimension that is summed over.  packed: the dimension along which pairs of e2m1 share a byte.
    """

    value: ir.Value
    scale: ir.Value | None
    format: Formats
    inner: int
    packed: int

    @property
    def needs_f32(self) -> bool:
        """Whether the scaled numbers are not exact in bf16."""
        if self.scale is None or self.format not in SIXTEEN_BITS:
            return False
        return self.format == Formats.FP16 or self.needs_all_of_f32

    @property
    def needs_all_of_f32(self) -> bool:
        """Whether the scaled numbers are not exact in tf32 either."""
        has_factors = self.scale is not None and isinstance(self.scale.type.element_type, ir.FloatType)
        return has_factors and self.format in SIXTEEN_BITS

    @property
    def is_f16(self) -> bool:
        """Whether its elements are f16."""
        return self.format == Formats.FP16


def decompose(op: ir.OpView) -> None:
    """dot_scaled(a, b, c) -> dot(a * scale of a, b * scale of b, c)"""
    rank = op.a.type.rank
    last, before = rank - 1, rank - 2
    operands = (
        Operand(op.a, op.a_scale, op.a_elem_type, last, last if op.lhs_k_pack else before),
        Operand(op.b, op.b_scale, op.b_elem_type, before, before if op.rhs_k_pack else last),
    )
    with ir.InsertionPoint(op), op.location:
        wide = any(operand.needs_f32 for operand in operands) or operands[0].is_f16 != operands[1].is_f16
        a, b = (scaled(operand, wide, op.fastMath) for operand in operands)
        exact = not wide or any(operand.needs_all_of_f32 for operand in operands)
        precision = InputPrecision.IEEE if exact else InputPrecision.TF32
        result = tt.dot(a, b, op.c, input_precision=precision, max_num_imprecise_acc=0)
    replace_by(op, [result])


def scaled(operand: Operand, wide: bool, fast: bool) -> ir.Value:
    """The numbers of an operand times their scales.  wide: as f32.  fast: no scale is NaN."""
    numbers = unpacked(operand)
    if wide:
        numbers = extended(numbers, ir.F32Type.get())
    if operand.scale is None:
        return numbers
    element = numbers.type.element_type
    factors = extended(powers(operand.scale, fast), element)
    return arith.mulf(numbers, spread(factors, numbers.type, operand.inner))


def extended(value: ir.Value, element: ir.Type) -> ir.Value:
    """Numbers in a type that represents them all."""
    type = value.type
    if type.element_type == element:
        return value
    if type.element_type.width == 8:
        return tt.fp_to_fp(value, element)
    return arith.extf(tt.with_element_type(type, element), value)


def integers(value: ir.Value, number: int) -> ir.Value:
    """A constant of the type of `value`."""
    type = value.type
    number -= (1 << type.element_type.width) * (number >> type.element_type.width - 1)
    return arith.constant(type, number)


def unpacked(operand: Operand) -> ir.Value:
    """The numbers of an operand without scales: bf16, or f16 if the operand is f16."""
    value, bf16 = operand.value, ir.BF16Type.get()
    small = SMALL.get(operand.format)
    if small is None:
        given = {Formats.E4M3: ir.Float8E4M3FNType, Formats.E5M2: ir.Float8E5M2Type, Formats.FP16: ir.F16Type}
        element = given.get(operand.format, ir.BF16Type).get()
        if value.type.element_type != element:
            value = tt.bitcast(value, element)
        return value if operand.format in SIXTEEN_BITS else extended(value, bf16)
    if isinstance(value.type.element_type, ir.FloatType):
        value = tt.bitcast(value, ir.IntegerType.get_signless(8))
    wide = arith.extui(tt.with_element_type(value.type, ir.IntegerType.get_signless(16)), value)
    if operand.format != Formats.E2M1:
        return decoded(wide, small)
    halves = decoded(wide, small), decoded(arith.shrui(wide, integers(wide, 4)), small)
    return interleaved(*halves, operand.packed)


def decoded(bits: ir.Value, format: SmallFormat) -> ir.Value:
    """bf16 numbers of the small format that the lowest bits of 16-bit integers are."""
    bf16 = ir.BF16Type.get()
    # Exponent and mantissa in their places; the product counts the exponent from the other bias.
    magnitude = arith.andi(bits, integers(bits, (1 << format.bits - 1) - 1))
    magnitude = arith.shli(magnitude, integers(bits, BF16_MANTISSA - format.mantissa))
    sign = arith.andi(bits, integers(bits, 1 << format.bits - 1))
    sign = arith.shli(sign, integers(bits, 16 - format.bits))
    numbers = tt.bitcast(arith.ori(magnitude, sign), bf16)
    return arith.mulf(numbers, arith.constant(numbers.type, 2.0 ** (BF16_BIAS - format.bias)))


def interleaved(first: ir.Value, second: ir.Value, axis: int) -> ir.Value:
    """first[0], second[0], first[1], second[1]... along an axis."""
    type = first.type
    shape, rank = list(type.shape), type.rank
    joined = tt.join(first, second)
    order = [*range(axis + 1), rank, *range(axis + 1, rank)]
    if order != list(range(rank + 1)):
        joined = tt.trans(joined, order)
    shape[axis] *= 2
    return tt.reshape(joined, shape)


def powers(scale: ir.Value, fast: bool) -> ir.Value:
    """Convert scales to bf16: an integer exponent becomes its power of two, a float is extended exactly."""
    bf16 = ir.BF16Type.get()
    if isinstance(scale.type.element_type, ir.FloatType):
        return extended(scale, bf16)
    exponent = arith.extui(tt.with_element_type(scale.type, ir.IntegerType.get_signless(16)), scale)
    bits = arith.shli(exponent, integers(exponent, BF16_MANTISSA))
    is_smallest = arith.cmpi("eq", exponent, integers(exponent, 0))
    bits = arith.select(is_smallest, integers(bits, SMALLEST_SCALE), bits)
    if not fast:
        is_nan = arith.cmpi("eq", exponent, integers(exponent, NAN_SCALE))
        bits = arith.select(is_nan, integers(bits, BF16_NAN), bits)
    return tt.bitcast(bits, bf16)


def spread(factors: ir.Value, type: ir.RankedTensorType, inner: int) -> ir.Value:
    """Each factor for its run of elements of an operand of this type; factors have the inner dimension last."""
    shape, rank = list(factors.type.shape), type.rank
    count = type.shape[inner] // shape[-1]
    each = tt.expand_dims(factors, rank)
    each = tt.broadcast(each, [*shape, count])
    shape[-1] *= count
    whole = tt.reshape(each, shape)
    if inner == rank - 1:
        return whole
    return tt.trans(whole, [*range(rank - 2), rank - 1, rank - 2])
