"""Lower conversions between floating-point types.

Between f16, bf16, f32 and f64 LLVM has them.  For fp8 there are instructions from sm_89 on, two numbers at a time.

Ops: MLIR's arith dialect, dialects/tt/pointer_ops.td    Test: test/lit/lower/conversion.mlir
"""

from mlir import ir

from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.registry import lowers


@lowers("arith.extf")
def extf(low: Lowering, op: ir.OpView, value: ir.Value) -> ir.Value:
    """The same numbers in a wider type."""
    return convert(low, value, op.operation.operands[0].type, op.operation.results[0].type, "rtne")


@lowers("arith.truncf")
def truncf(low: Lowering, op: ir.OpView, value: ir.Value) -> ir.Value:
    """The nearest numbers in a narrower type, or as its rounding mode says."""
    mode = op.operation.attributes.get("roundingmode")
    toward_zero = mode is not None and "toward_zero" in str(mode)
    return convert(
        low, value, op.operation.operands[0].type, op.operation.results[0].type, "rtz" if toward_zero else "rtne"
    )


@lowers("tt.fp_to_fp")
def fp_to_fp(low: Lowering, op: ir.OpView, value: ir.Value) -> ir.Value:
    """The same numbers in another type, rounded as the operation says."""
    mode = op.operation.attributes.get("rounding")
    rounding = "rtz" if mode is not None and mode.value == 0 else "rtne"
    return convert(low, value, op.operation.operands[0].type, op.operation.results[0].type, rounding)


def convert(low: Lowering, value: ir.Value, source: ir.Type, target: ir.Type, rounding: str) -> ir.Value:
    """A scalar or vector of float type `source` as `target`; "rtne" rounds to the nearest, "rtz" toward zero."""
    source, target = element_of(source), element_of(target)
    if source == target:
        return value
    if source.width == 8 or target.width == 8:
        raise ValueError(f"no conversion from {source} to {target} yet")
    if source.width < target.width:
        return low.emit.cast("fpext", value, target)
    if source.width == target.width:
        return convert(low, low.emit.cast("fpext", value, low.emit.f32), low.emit.f32, target, rounding)
    if rounding == "rtne":
        return low.emit.cast("fptrunc", value, target)
    return toward_zero(low, value, source, target)


def toward_zero(low: Lowering, value: ir.Value, source: ir.Type, target: ir.Type) -> ir.Value:
    """f32 numbers cut off to f16 or bf16."""
    emit = low.emit
    if source != emit.f32:
        raise ValueError(f"no conversion from {source} to {target} that rounds toward zero")
    if target == emit.bf16:
        bits = emit.lshr(emit.bitcast(value, emit.like(value, emit.i32)), 16)
        return emit.bitcast(emit.cast("trunc", bits, emit.i16), emit.like(value, emit.bf16))
    text = "cvt.rz.f16.f32 $0, $1;"

    def one(number: ir.Value) -> ir.Value:
        found = emit.inline_asm(text, "=h,f", emit.i16, number, effects=False)
        assert found is not None
        return emit.bitcast(found, emit.f16)

    return low.each(one, value)


def element_of(type: ir.Type) -> ir.Type:
    return type.element_type if isinstance(type, ir.RankedTensorType) else type
