"""Lower conversions between floating-point types.

Between f16, bf16, f32 and f64 LLVM has them.  For fp8 there are instructions from sm_89 on, two numbers at a time; what
these don't do, and older targets, take integer arithmetic.  Every conversion rounds once.  An fp8 result of tt.fp_to_fp
saturates: beyond the largest number, infinities included, it is the largest.  One of arith.truncf overflows as in IEEE.

Ops: MLIR's arith dialect, dialects/tt/pointer_ops.td    Test: test/lit/lower/type_conversion.mlir
"""

import math
from collections.abc import Callable
from typing import NamedTuple

from mlir import ir

from ttkit.dialects._result_types import element_type_of
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.unsupported import CannotLower
from ttkit.tuning.lowering import FIRST_TIMED, HALF_OF_INTEGERS

F32_MANTISSA, F32_BIAS = 23, 127
ROUNDINGS = {0: "rtne", 3: "rtz"}
"""Rounding modes of arith."""
GREATER, AT_LEAST = 2, 3
"""llvm.fcmp's numbers of `ogt` and `oge`."""
NOT_EQUAL = 13
"""That of `une`: different, or one of them NaN."""


class Format(NamedTuple):
    """An fp8 type.

    name: in PTX.
    mantissa: bits of it.
    bias: of the exponent.
    largest: the bits of the largest finite number.
    """

    name: str
    mantissa: int
    bias: int
    largest: int

    @property
    def smallest_normal(self) -> int:
        """The f32 bits of the smallest normal number."""
        return F32_BIAS + 1 - self.bias << F32_MANTISSA

    @property
    def overflow(self) -> float:
        """The number halfway between the largest one and the next that more bits of exponent would give."""
        exponent, bits = self.largest >> self.mantissa, self.largest & (1 << self.mantissa) - 1
        return float(math.ldexp((1 << self.mantissa) + bits + 0.5, exponent - self.bias - self.mantissa))

    @property
    def largest_f32(self) -> int:
        """The f32 bits of the largest number."""
        return (self.largest + (F32_BIAS - self.bias << self.mantissa)) << F32_MANTISSA - self.mantissa


FP8 = {"f8E4M3FN": Format("e4m3", 3, 7, 0x7E), "f8E5M2": Format("e5m2", 2, 15, 0x7B)}
NAN = 0x7F


@lowers("arith.extf")
def extf(low: Lowering, op: ir.OpView, value: ir.Value) -> ir.Value:
    """The same numbers in a wider type."""
    return convert(low, value, op.in_.type, op.result.type, "rtne")


@lowers("arith.truncf")
def truncf(low: Lowering, op: ir.OpView, value: ir.Value) -> ir.Value:
    """The nearest numbers in a narrower type, or as its rounding mode says.

    Raises CannotLower at a rounding mode that GPUs lack.
    """
    mode = op.operation.attributes.get("roundingmode")
    number = 0 if mode is None else ir.IntegerAttr(mode).value
    if number not in ROUNDINGS:
        raise CannotLower(f"found the rounding mode {mode}; GPUs truncate to_nearest_even or toward_zero")
    found = convert(low, value, op.in_.type, op.result.type, ROUNDINGS[number])
    target = element_type_of(op.result.type)
    return overflown(low, value, found, fp8_format(target), ROUNDINGS[number]) if target.width == 8 else found


def overflown(low: Lowering, value: ir.Value, found: ir.Value, format: Format, rounding: str) -> ir.Value:
    """The fp8 numbers `found`, which saturate, with infinity, or NaN in a type without it, where `value` overflows."""
    emit = low.emit
    beyond = {"rtz": math.inf, "rtne": format.overflow}[rounding]
    # Halfway between the largest number and the next one is even, and rounds up, where the largest is odd.
    is_odd = format.largest & 1 or rounding == "rtz"
    size, limit = emit.same("llvm.intr.fabs", value), emit.constant(value.type, beyond)
    predicate = emit.integer(AT_LEAST if is_odd else GREATER)
    is_beyond = emit.op("llvm.fcmp", emit.like(value, emit.i1), size, limit, predicate=predicate)
    sign = emit.and_(found, emit.constant(found.type, 0x80))
    return emit.select(is_beyond, emit.or_(sign, emit.constant(found.type, format.largest + 1)), found)


@lowers("tt.fp_to_fp")
def fp_to_fp(low: Lowering, op: ir.OpView, value: ir.Value) -> ir.Value:
    """The same numbers in another type, rounded as the operation says."""
    mode = op.operation.attributes.get("rounding")
    rounding = "rtz" if mode is not None and mode.value == 0 else "rtne"
    return convert(low, value, op.src.type, op.result.type, rounding)


def convert(low: Lowering, value: ir.Value, source: ir.Type, target: ir.Type, rounding: str) -> ir.Value:
    """A scalar or vector of float type `source` as `target`; "rtne" rounds to the nearest, "rtz" toward zero."""
    emit = low.emit
    source, target = element_type_of(source), element_type_of(target)
    if source == target:
        return value
    if source.width == 8:
        half = from_fp8(low, value, fp8_format(source))
        # bf16 has the exponents of f16, but the way there is f32.
        return half if target == emit.f16 else convert(low, half, emit.f16, target, rounding)
    if target.width == 8:
        return to_fp8(low, value, source, fp8_format(target), rounding)
    if source.width < target.width:
        return emit.cast("fpext", value, target)
    if source.width == target.width:
        return convert(low, emit.cast("fpext", value, emit.f32), emit.f32, target, rounding)
    if rounding == "rtne":
        return emit.cast("fptrunc", value, target)
    return toward_zero(low, value, source, target)


def fp8_format(type: ir.Type) -> Format:
    """Raises CannotLower if NVIDIA GPUs know no such numbers."""
    if str(type) not in FP8:
        raise CannotLower(f"found {type}; of fp8 types only {' and '.join(FP8)} can be converted on this target")
    return FP8[str(type)]


def by_pairs(low: Lowering, value: ir.Value, one: Callable[[ir.Value], ir.Value]) -> ir.Value:
    """one(pair), a vector of two, for each two elements of a vector; of a scalar the first of what a pair gives."""
    emit = low.emit
    vector = value if isinstance(value.type, ir.VectorType) else emit.splat(value, 1)
    count = vector.type.shape[0]
    if count == 1:
        vector = emit.pick(vector, [0, 0])
    pairs = [one(emit.slice(vector, first, 2)) for first in range(0, max(count, 2), 2)]
    if isinstance(value.type, ir.VectorType):
        return emit.slice(emit.concat(pairs), 0, count)
    return emit.extract(pairs[0], 0)


# --- Integers ---------------------------------------------------------------------------------------------------------
def half_of_integers(low: Lowering, value: ir.Value, signed: bool) -> ir.Value | None:
    """The numbers of a vector of integers in f16, where there is a quicker way than the instruction for one of them.

    That runs at a quarter of the rate of others, those to f32 and for two f32 at once at their full one.
    """
    emit, type = low.emit, value.type
    if not isinstance(type, ir.VectorType) or low.target.capability < FIRST_TIMED or not HALF_OF_INTEGERS.on:
        return None
    if type.element_type == emit.i8 and type.shape[0] % 4 == 0:
        return half_of_bytes(low, value, signed)
    if type.element_type != emit.i32 or type.shape[0] % 2:
        return None
    # Rounded once: what f32 has no bits for is infinite in f16.  LLVM would convert at once what it knows to be small.
    type = emit.vector(2, emit.f16)
    return by_pairs(
        low,
        emit.cast("sitofp" if signed else "uitofp", value, emit.f32),
        lambda pair: emit.intrinsic("llvm.nvvm.ff2f16x2.rn", type, *reversed(emit.unpack(pair))),
    )


def half_of_bytes(low: Lowering, value: ir.Value, signed: bool) -> ir.Value:
    """The numbers of a vector of bytes in f16, four at a time.

    A byte u with 0x64 as the byte above it is 1024 + u in f16; one instruction takes 1024 from two of these.  For
    signed numbers u is the number plus 128.
    """
    emit, count = low.emit, value.type.shape[0] // 4
    words = emit.bitcast(value, emit.vector(count, emit.i32))
    if signed:
        words = emit.xor(words, emit.constant(words.type, -0x7F7F7F80))
    halves = [
        emit.inline_asm(f"prmt.b32 $0, $1, 0x64646464, {picks};", "=r,r", emit.i32, word, effects=False)
        for word in emit.unpack(words)
        for picks in ("0x4140", "0x4342")
    ]
    numbers = emit.bitcast(emit.pack(halves), emit.like(value, emit.f16))
    offset = emit.constant(numbers.type, 1152.0 if signed else 1024.0)
    return emit.same("llvm.fsub", numbers, offset, fastmathFlags=low.float_flags)


# --- f16 and bf16 toward zero -----------------------------------------------------------------------------------------
def toward_zero(low: Lowering, value: ir.Value, source: ir.Type, target: ir.Type) -> ir.Value:
    """f32 or f64 numbers cut off to f32, f16 or bf16."""
    emit = low.emit
    if source == emit.f64:  # What is cut off twice is cut off once.
        value = low.elements.each(lambda number: emit.intrinsic("llvm.nvvm.d2f.rz", emit.f32, number), value)
        if target == emit.f32:
            return value
    if low.target.has_rounding_to_bf16:
        name = "f16x2" if target == emit.f16 else "bf16x2"

        def pair(numbers: ir.Value) -> ir.Value:
            """Two f32 -> two narrow floats, by one instruction, which takes the second number first."""
            first, second = emit.unpack(numbers)
            return emit.intrinsic(f"llvm.nvvm.ff2{name}.rz", emit.vector(2, target), second, first)

        return by_pairs(low, value, pair)
    if target == emit.bf16:
        bits = emit.bitcast(value, emit.like(value, emit.i32))
        upper = emit.cast("trunc", emit.lshr(bits, 16), emit.i16)
        is_nan = emit.compare("ugt", absolute(low, bits), emit.constant(bits.type, 0x7F800000))
        return emit.bitcast(emit.select(is_nan, emit.constant(upper.type, 0x7FFF), upper), emit.like(value, emit.bf16))

    def one(number: ir.Value) -> ir.Value:
        """f32 -> f16"""
        found = emit.inline_asm("cvt.rz.f16.f32 $0, $1;", "=h,f", emit.i16, number, effects=False)
        assert found is not None
        return emit.bitcast(found, emit.f16)

    return low.elements.each(one, value)


def to_odd(low: Lowering, value: ir.Value, source: ir.Type, target: ir.Type) -> ir.Value:
    """f64 numbers cut off to f32, the last bit set where something was cut off: what is rounded further is rounded as
    if the f64 number had been (Boldo and Melquiond, 2008)."""
    emit = low.emit
    cut = toward_zero(low, value, source, target)
    changed = emit.op(
        "llvm.fcmp",
        emit.like(value, emit.i1),
        emit.cast("fpext", cut, source),
        value,
        predicate=emit.integer(NOT_EQUAL),
    )
    bits = emit.bitcast(cut, emit.like(cut, emit.i32))
    return emit.bitcast(emit.or_(bits, emit.cast("zext", changed, emit.i32)), cut.type)


# --- From fp8 ---------------------------------------------------------------------------------------------------------
def from_fp8(low: Lowering, value: ir.Value, format: Format) -> ir.Value:
    """fp8 numbers, as i8, in f16, which has them all."""
    emit = low.emit
    if low.target.has_fp8_conversions:

        def pair(numbers: ir.Value) -> ir.Value:
            """Two fp8 -> two f16, by one instruction."""
            packed = emit.bitcast(numbers, emit.i16)
            return emit.intrinsic(f"llvm.nvvm.{format.name}x2.to.f16x2.rn", emit.vector(2, emit.f16), packed)

        return by_pairs(low, value, pair)
    half = emit.like(value, emit.f16)
    # The byte as the upper half of an f16: already the number, if that has as many bits of exponent.
    if format.bias == 15 and isinstance(value.type, ir.VectorType):
        count = value.type.shape[0]
        zeros = emit.constant(value.type, 0)
        picks = [place for byte in range(count) for place in (count, byte)]
        return emit.bitcast(emit.shuffle(value, zeros, picks), half)
    upper = emit.shl(emit.cast("zext", value, emit.i16), 8)
    if format.bias == 15:
        return emit.bitcast(upper, half)
    # Else the exponent is moved to the lower bits of its place, and counted from the other bias by a product.
    moved = emit.and_(emit.same("llvm.ashr", upper, emit.constant(upper.type, 1)), emit.constant(upper.type, 0xBF80))
    scale = emit.constant(half, 2.0 ** (15 - format.bias))
    number = emit.bitcast(
        emit.same("llvm.fmul", emit.bitcast(moved, half), scale, fastmathFlags=low.float_flags), upper.type
    )
    magnitude = emit.and_(upper, emit.constant(upper.type, 0x7F00))
    is_nan = emit.compare("eq", magnitude, emit.constant(upper.type, NAN << 8))
    return emit.bitcast(emit.select(is_nan, emit.constant(upper.type, 0x7FFF), number), half)


# --- To fp8 -----------------------------------------------------------------------------------------------------------
def to_fp8(low: Lowering, value: ir.Value, source: ir.Type, format: Format, rounding: str) -> ir.Value:
    """f16, bf16 or f32 numbers as bytes."""
    emit = low.emit
    if source == emit.f64:
        value, source = (toward_zero if rounding == "rtz" else to_odd)(low, value, source, emit.f32), emit.f32
    if low.target.has_fp8_conversions and rounding == "rtne":
        return by_pairs(
            low, value if source == emit.f16 else as_f32(low, value), lambda two: packed_pair(low, two, format)
        )
    if source == emit.f16 and format.bias == 15:
        return half_to_e5m2(low, value, format, rounding)
    return f32_to_fp8(low, as_f32(low, value), format, rounding)


def as_f32(low: Lowering, value: ir.Value) -> ir.Value:
    """A scalar or vector of narrower floats as f32."""
    emit = low.emit
    type = emit.like(value, emit.f32)
    return value if value.type == type else emit.cast("fpext", value, emit.f32)


def packed_pair(low: Lowering, numbers: ir.Value, format: Format) -> ir.Value:
    """Two f16 or f32 numbers as two bytes, by an instruction."""
    emit = low.emit
    if numbers.type.element_type == emit.f16:
        found = emit.intrinsic(f"llvm.nvvm.f16x2.to.{format.name}x2.rn", emit.i16, numbers)
    else:
        first, second = emit.unpack(numbers)
        found = emit.intrinsic(f"llvm.nvvm.ff.to.{format.name}x2.rn", emit.i16, second, first)
    return emit.bitcast(found, emit.vector(2, emit.i8))


def absolute(low: Lowering, bits: ir.Value) -> ir.Value:
    """Bits of floats without those of the sign."""
    width = low.types.element(bits.type.element_type if isinstance(bits.type, ir.VectorType) else bits.type).width
    return low.emit.and_(bits, low.emit.constant(bits.type, (1 << width - 1) - 1))


def signed(low: Lowering, magnitude: ir.Value, bits: ir.Value, is_nan: ir.Value) -> ir.Value:
    """Bytes of this magnitude, or NaN, with the sign of the numbers with these bits."""
    emit = low.emit
    width = (bits.type.element_type if isinstance(bits.type, ir.VectorType) else bits.type).width
    chosen = emit.select(is_nan, emit.constant(magnitude.type, NAN), magnitude)
    sign = emit.and_(emit.lshr(bits, width - 8), emit.constant(bits.type, 0x80))
    return emit.cast("trunc", emit.or_(chosen, sign), emit.i8)


def smaller(low: Lowering, a: ir.Value, limit: int) -> ir.Value:
    """The smaller of unsigned integers and a limit."""
    return low.emit.same("llvm.intr.umin", a, low.emit.constant(a.type, limit))


def half_to_e5m2(low: Lowering, value: ir.Value, format: Format, rounding: str) -> ir.Value:
    """The upper byte of each f16 number, after rounding."""
    emit = low.emit
    bits = emit.bitcast(value, emit.like(value, emit.i16))
    size = absolute(low, bits)
    is_nan = emit.compare("ugt", size, emit.constant(size.type, 0x7C00))
    rounded = size if rounding == "rtz" else nearest_even(low, size, 8)
    return signed(low, emit.lshr(smaller(low, rounded, format.largest << 8), 8), bits, is_nan)


def nearest_even(low: Lowering, size: ir.Value, dropped: int) -> ir.Value:
    """Bias `size`, the bits of a magnitude, so that cutting off its lower `dropped` bits rounds to nearest even."""
    emit = low.emit
    last = emit.and_(emit.lshr(size, dropped), emit.constant(size.type, 1))
    return emit.add(emit.add(size, emit.constant(size.type, (1 << dropped - 1) - 1)), last)


def f32_to_fp8(low: Lowering, value: ir.Value, format: Format, rounding: str) -> ir.Value:
    """f32 numbers as bytes, by integer arithmetic."""
    emit = low.emit
    integers = emit.like(value, emit.i32)
    bits = emit.bitcast(value, integers)
    size = absolute(low, bits)
    is_nan = emit.compare("ugt", size, emit.constant(integers, 0x7F800000))
    size = smaller(low, size, format.largest_f32)
    # Normal numbers: cut the mantissa, count the exponent from the other bias.
    dropped = F32_MANTISSA - format.mantissa
    cut = emit.lshr(size if rounding == "rtz" else nearest_even(low, size, dropped), dropped)
    normal = emit.sub(cut, emit.constant(integers, F32_BIAS - format.bias << format.mantissa))
    # Smaller ones are multiples of the smallest number, 2 ** (1 - bias - mantissa): 0 to 2 ** mantissa of them.
    tiny = emit.bitcast(smaller(low, size, format.smallest_normal), value.type)
    scale = emit.constant(value.type, 2.0 ** (format.bias - 1 + format.mantissa))
    multiple = emit.same("llvm.fmul", tiny, scale, fastmathFlags=low.float_flags)
    if rounding != "rtz":
        multiple = emit.same("llvm.intr.rint", multiple)
    is_normal = emit.compare("uge", size, emit.constant(integers, format.smallest_normal))
    return signed(low, emit.select(is_normal, normal, emit.cast("fptoui", multiple, emit.i32)), bits, is_nan)
