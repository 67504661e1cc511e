"""tt.dot_scaled as a tt.dot of what its operands stand for.

  %d = tt.dot_scaled %a scale %s, %b, %c lhs = e4m3 rhs = bf16
=>
  %x = tt.fp_to_fp %a : ... -> tensor<128x64xbf16, #blocked>           // packed e2m1: ttg.fp4_to_fp
  %p = ... : tensor<128x2xbf16, #blocked1>                             // 2**(s - 127)
  %q = ... : tensor<128x64xbf16, #blocked>                             // each for its 32 elements along K
  %y = arith.mulf %x, %q : tensor<128x64xbf16, #blocked>               // and NaN where s = 255, unless fastMath
  %d = tt.dot %y, %b, %c

Both operands become f16 if one is, else bf16.
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
from ttkit.passes.layouts.machine import machine_of, num_ctas
from ttkit.passes.products.instruction import DECOMPOSED, is_byte

# Elements along K that share a scale.
SCALED_TOGETHER = 32
NAN_SCALE = -1  # 255, as a signed byte
# Bits after the exponent of bf16 and f32.
MANTISSA_BITS = {16: 7, 32: 23}


def put_scales_first(module: ir.Operation) -> None:
    """dot_scaled(a, b with scales, c) -> trans(dot_scaled(trans(b) with scales, trans(a), trans(c)))

    Scales are applied in registers, and operand a is the one that wgmma takes from there.
    """
    for dot in collect(module, ["tt.dot_scaled"]):
        op: Any = dot.opview
        if op.a_scale is None and op.b_scale is not None and is_regular(op):
            with ir.InsertionPoint(op), op.location:
                a, b, c = (transposed(value) for value in (op.a, op.b, op.c))
                formats = (op.b_elem_type, op.a_elem_type)
                product = tt.dot_scaled(b, a, c, *formats, a_scale=op.b_scale, fast_math=op.fastMath)
                result = transposed(product)
            replace_by(dot, [result])


def is_regular(op: Any) -> bool:
    """Whether Triton knows the kind: e2m1 is packed along K, other formats have their own type, scales are bytes."""
    rank, bf16_or_less = op.c.type.rank, (Formats.E4M3, Formats.E5M2, Formats.BF16, Formats.FP16)
    operands = ((op.a, op.a_scale, op.a_elem_type, rank - 1), (op.b, op.b_scale, op.b_elem_type, rank - 2))
    for value, scale, format, inner in operands:
        is_packed = format == Formats.E2M1
        element = value.type.element_type
        if not (isinstance(element, ir.IntegerType) if is_packed else format in bf16_or_less and not is_byte(element)):
            return False
        depth = value.type.shape[inner] * (2 if is_packed else 1)
        if scale is not None and (
            not is_byte(scale.type.element_type) or scale.type.shape[-1] * SCALED_TOGETHER != depth
        ):
            return False
    return bool(op.lhs_k_pack and op.rhs_k_pack)


def transposed(value: ir.Value, order: list[int] | None = None) -> ir.Value:
    """The tensor with its dimensions in another order: by default with the last two exchanged."""
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
        product = tt.dot(a, b, op.c)
        product.owner.attributes[DECOMPOSED] = ir.UnitAttr.get()
        converted = ttg.convert_layout(product, result)
    rewriter.replace_op(op, [converted])
    return MATCHED


class Scaling(NamedTuple):
    """The operands of one tt.dot_scaled as numbers.

    element: f16 or bf16, what they become.
    """

    op: Any
    element: ir.Type

    def operand(self, op_idx: int, format: Formats, result: Layout) -> ir.Value:
        """An operand as that of a tt.dot whose result has a layout."""
        value = (self.op.a, self.op.b)[op_idx]
        with value.location:
            scaled = self._scaled(value, (self.op.a_scale, self.op.b_scale)[op_idx], op_idx, format)
        return ttg.convert_layout(scaled, with_layout(scaled.type, DotOperand(op_idx, result)))

    def _scaled(self, value: ir.Value, scale: ir.Value | None, op_idx: int, format: Formats) -> ir.Value:
        """The numbers of an operand times their scales."""
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
            # Even where nothing changes, as Triton does it: folded later, it is where wgmma's buffer goes.
            return tt.fp_to_fp(value, self.element)
        shape = list(value.type.shape)
        shape[inner] *= 2
        # In one CTA the layout, too, is inferred for the shape of the result, as Triton does it; with more of them,
        # that is the layout of another source.
        inferred_for = shape if num_ctas(self.op.operation) == 1 else value.type.shape
        layout = inference.fp4_to_fp(tensor_layout(value.type), tuple(inferred_for), inner)
        return ttg.fp4_to_fp(ir.RankedTensorType.get(shape, self.element, attribute(layout)), value, inner)

    def _factors(self, scale: ir.Value) -> ir.Value:
        """The powers of two: the scale is their exponent.  f16 has too few exponents, so they are rounded from f32."""
        wide: Any = ir.F32Type.get() if isinstance(self.element, ir.F16Type) else self.element
        integer = _of_elements(scale.type, ir.IntegerType.get_signless(wide.width))
        shift = arith.constant(integer, MANTISSA_BITS[wide.width])
        powers = tt.bitcast(arith.shli(arith.extui(integer, scale), shift), wide)
        return powers if wide == self.element else arith.truncf(_of_elements(powers.type, self.element), powers)

    def _spread(self, factors: ir.Value, like: ir.Type, inner: int) -> ir.Value:
        """Each of the factors, or conditions, for its elements along K."""
        type = factors.type
        shape, rank = list(type.shape), type.rank
        operation = self.op.operation
        machine = machine_of(operation)
        layout = Slice(rank, default_blocked([*shape, 1], *machine))
        each = tt.expand_dims(ttg.convert_layout(factors, with_layout(type, layout)), rank)
        wide = ir.RankedTensorType.get([*shape, SCALED_TOGETHER], type.element_type, each.type.encoding)
        each = transposed(tt.broadcast(each, wide), [*range(inner + 1), rank, *range(inner + 1, rank)])
        shape[inner] *= SCALED_TOGETHER
        reshaped = inference.reshape(tensor_layout(each.type), tuple(each.type.shape), tuple(shape))
        whole = tt.reshape(each, ir.RankedTensorType.get(shape, type.element_type, attribute(reshaped)))
        return ttg.convert_layout(whole, with_layout(whole.type, tensor_layout(like)))


def _of_elements(type: ir.RankedTensorType, element: ir.Type) -> ir.RankedTensorType:
    return ir.RankedTensorType.get(type.shape, element, type.encoding)
