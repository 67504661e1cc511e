"""tt.dot_scaled as a tt.dot of scaled operands.

  %d = tt.dot_scaled %a scale %s, %b, %c lhs = e4m3 rhs = bf16
=>
  %x = tt.fp_to_fp %a : ... -> tensor<128x64xbf16, #blocked>           // packed e2m1: ttg.fp4_to_fp
  %p = ... : tensor<128x2xbf16, #blocked1>                             // 2**(s - 127)
  %q = ... : tensor<128x64xbf16, #blocked>                             // each for its 32 elements along K
  %y = arith.mulf %x, %q : tensor<128x64xbf16, #blocked>               // and NaN where s = 255, unless fastMath
  %d = tt.dot %y, %b, %c

Both operands become f16 if one of them is f16, else bf16.
"""

from typing import Any, NamedTuple

from mlir import ir
from mlir.rewrite import PatternRewriter

from ttkit.dialects import arith, tt, ttg
from ttkit.dialects._layouts import attribute, layout_of
from ttkit.dialects.tt import ScaleDotElemType as Formats
from ttkit.inspection import collect
from ttkit.layout import inference
from ttkit.layout.blocked import default_blocked
from ttkit.layout.encodings import DotOperand, Layout, NvidiaMma, Slice
from ttkit.passes.infra import MATCHED, NO_MATCH, Match, replace_by
from ttkit.passes.layouts.assignment import tensor_layout, with_layout
from ttkit.passes.layouts.thread_counts import machine_of, num_ctas
from ttkit.passes.products.instruction import DECOMPOSED, is_byte

# Elements along K that share a scale.
SCALE_BLOCK = 32
NAN_SCALE = -1  # 255 as a signed byte
# Bits of an element -> bits of its mantissa, for bf16 and f32.
MANTISSA_BITS = {16: 7, 32: 23}


def put_scales_first(module: ir.Operation) -> None:
    """dot_scaled(a, b with scales, c) -> trans(dot_scaled(trans(b) with scales, trans(a), trans(c)))

    Scales are applied in registers, and wgmma can read only operand a from registers.
    """
    for dot in collect(module, ["tt.dot_scaled"]):
        op: Any = dot.opview
        if op.a_scale is None and op.b_scale is not None and is_regular(op):
            with ir.InsertionPoint(op), op.location:
                a, b, c = (transposed(value) for value in (op.a, op.b, op.c))
                formats = (op.b_elem_type, op.a_elem_type)
                dot_of_transposed = tt.dot_scaled(b, a, c, *formats, a_scale=op.b_scale, fast_math=op.fastMath)
                result = transposed(dot_of_transposed)
            replace_by(dot, [result])


def is_regular(op: Any) -> bool:
    """Whether Triton supports the operands: e2m1 packed along K, other formats with their own type, scales in bytes."""
    rank, bf16_or_less = op.c.type.rank, (Formats.E4M3, Formats.E5M2, Formats.BF16, Formats.FP16)
    operands = ((op.a, op.a_scale, op.a_elem_type, rank - 1), (op.b, op.b_scale, op.b_elem_type, rank - 2))
    for value, scale, format, inner in operands:
        is_packed = format == Formats.E2M1
        element = value.type.element_type
        if not (isinstance(element, ir.IntegerType) if is_packed else format in bf16_or_less and not is_byte(element)):
            return False
        depth = value.type.shape[inner] * (2 if is_packed else 1)
        if scale is not None and (not is_byte(scale.type.element_type) or scale.type.shape[-1] * SCALE_BLOCK != depth):
            return False
    return bool(op.lhs_k_pack and op.rhs_k_pack)


def transposed(value: ir.Value, order: list[int] | None = None) -> ir.Value:
    """The tensor with its dimensions in another order; by default the last two are exchanged."""
    rank = value.type.rank
    order = order or [*range(rank - 2), rank - 1, rank - 2]
    return value if order == list(range(rank)) else tt.trans(value, order, loc=value.location)


def decompose(op: Any, rewriter: PatternRewriter) -> Match:
    """dot_scaled(a, b, c) -> dot(a * scales of a, b * scales of b, c)"""
    result = op.c.type
    layout = layout_of(result)
    if layout is None or isinstance(layout, NvidiaMma) or not is_regular(op):
        return NO_MATCH
    formats = (op.a_elem_type, op.b_elem_type)
    with rewriter.ip, op.location:
        scaling = Scaling(op, ir.F16Type.get() if Formats.FP16 in formats else ir.BF16Type.get())
        a, b = (scaling.operand(op_idx, formats[op_idx], layout) for op_idx in (0, 1))
        dot = tt.dot(a, b, op.c)
        dot.owner.attributes[DECOMPOSED] = ir.UnitAttr.get()
        converted = ttg.convert_layout(dot, result)
    rewriter.replace_op(op, [converted])
    return MATCHED


class Scaling(NamedTuple):
    """The scaled operands of one tt.dot_scaled.

    Attributes:
        op: the tt.dot_scaled.
        element: the type of the scaled operands, f16 or bf16.
    """

    op: Any
    element: ir.Type

    def operand(self, op_idx: int, format: Formats, result: Layout) -> ir.Value:
        """A scaled operand, in the layout for a tt.dot whose result has the layout `result`."""
        value = (self.op.a, self.op.b)[op_idx]
        with value.location:
            scaled = self._scaled(value, (self.op.a_scale, self.op.b_scale)[op_idx], op_idx, format)
        return ttg.convert_layout(scaled, with_layout(scaled.type, DotOperand(op_idx, result)))

    def _scaled(self, value: ir.Value, scale: ir.Value | None, op_idx: int, format: Formats) -> ir.Value:
        """The elements of an operand times their scales."""
        rank = value.type.rank
        inner = rank - 1 if op_idx == 0 else rank - 2
        numbers = self._numbers(value, inner, format)
        if scale is None:
            return numbers
        if op_idx == 1:
            scale = transposed(scale)
        with scale.location:
            product = arith.mulf(numbers, self._spread(self._factors(scale), numbers.type, inner))
            if self.op.fastMath:
                return product
            is_nan = arith.cmpi("eq", scale, arith.constant(scale.type, NAN_SCALE))
            where = self._spread(is_nan, product.type, inner)
            return arith.select(where, arith.constant(product.type, float("nan")), product)

    def _numbers(self, value: ir.Value, inner: int, format: Formats) -> ir.Value:
        if format != Formats.E2M1:
            # Even if the type stays, as in Triton: once it is folded, wgmma's buffer is allocated at its place.
            return tt.fp_to_fp(value, self.element)
        shape = list(value.type.shape)
        shape[inner] *= 2
        # With one CTA the layout is inferred for the shape of the result, as in Triton; with several CTAs that would be
        # the layout of another source.
        inferred_for = shape if num_ctas(self.op.operation) == 1 else value.type.shape
        layout = inference.fp4_to_fp(tensor_layout(value.type), tuple(inferred_for), inner)
        return ttg.fp4_to_fp(ir.RankedTensorType.get(shape, self.element, attribute(layout)), value, inner)

    def _factors(self, scale: ir.Value) -> ir.Value:
        """The powers of two whose exponents are the scales; f16 has too few exponents, so they are rounded from f32."""
        wide: Any = ir.F32Type.get() if isinstance(self.element, ir.F16Type) else self.element
        integer = _of_elements(scale.type, ir.IntegerType.get_signless(wide.width))
        shift = arith.constant(integer, MANTISSA_BITS[wide.width])
        powers = tt.bitcast(arith.shli(arith.extui(integer, scale), shift), wide)
        return powers if wide == self.element else arith.truncf(_of_elements(powers.type, self.element), powers)

    def _spread(self, factors: ir.Value, like: ir.Type, inner: int) -> ir.Value:
        """Repeats each factor, or condition, for the elements along K that share it."""
        type = factors.type
        shape, rank = list(type.shape), type.rank
        operation = self.op.operation
        machine = machine_of(operation)
        layout = Slice(rank, default_blocked([*shape, 1], *machine))
        each = tt.expand_dims(ttg.convert_layout(factors, with_layout(type, layout)), rank)
        wide = ir.RankedTensorType.get([*shape, SCALE_BLOCK], type.element_type, each.type.encoding)
        each = transposed(tt.broadcast(each, wide), [*range(inner + 1), rank, *range(inner + 1, rank)])
        shape[inner] *= SCALE_BLOCK
        reshaped = inference.reshape(tensor_layout(each.type), tuple(each.type.shape), tuple(shape))
        whole = tt.reshape(each, ir.RankedTensorType.get(shape, type.element_type, attribute(reshaped)))
        return ttg.convert_layout(whole, with_layout(whole.type, tensor_layout(like)))


def _of_elements(type: ir.RankedTensorType, element: ir.Type) -> ir.RankedTensorType:
    return ir.RankedTensorType.get(type.shape, element, type.encoding)
