"""Lower mathematical functions.

f32 functions that the hardware has use its instruction, with the accuracy that Triton accepts too; what has none calls
libdevice.  Numbers of 16 bits are computed with as f32.

Ops: MLIR's math dialect, dialects/tt/math_ops.td    Test: test/lit/lower/math.mlir
"""

from collections.abc import Callable

from mlir import ir

from ttkit.passes.lower.arith import refuse_small_floats
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.registry import lowers

# Predicates of llvm.fcmp.
FCMP_OEQ, FCMP_OLT, FCMP_UNO = 1, 4, 14
LOG2_E = 1.4426950408889634

# What works on whole vectors: an operation of the llvm dialect.
VECTORS = {
    f"math.{name}": f"llvm.intr.{name}" for name in "fma ceil floor trunc round roundeven copysign ctpop".split()
}
# Instructions for one number: (f32, f64); None calls libdevice.
INSTRUCTIONS = {
    "math.sqrt": ("llvm.nvvm.sqrt.approx.f", "llvm.nvvm.sqrt.rn.d"),
    "math.rsqrt": ("llvm.nvvm.rsqrt.approx.f", "llvm.nvvm.rsqrt.approx.d"),
    "math.exp2": ("llvm.nvvm.ex2.approx", None),
    "tt.precise_sqrt": ("llvm.nvvm.sqrt.rn.f", "llvm.nvvm.sqrt.rn.d"),
    "tt.precise_divf": ("llvm.nvvm.div.rn.f", "llvm.nvvm.div.rn.d"),
    "tt.approx_divf": ("llvm.nvvm.div.approx.f", "llvm.nvvm.div.rn.d"),
}
# Those that flush denormal f32 numbers to zero where libdevice does, as Triton's are functions of libdevice.
FLUSHING = {
    "math.sqrt": "llvm.nvvm.sqrt.approx.ftz.f",
    "math.rsqrt": "llvm.nvvm.rsqrt.approx.ftz.f",
    "math.exp2": "llvm.nvvm.ex2.approx.ftz",
}
# The name in libdevice, without __nv_ and the f of f32.
LIBDEVICE = {
    **{
        f"math.{name}": name
        for name in """acos acosh asin asinh atan atan2 atanh cbrt cos cosh erf erfc exp exp2 expm1 log log10 log1p log2
            sin sinh tan tanh""".split()
    },
    "math.powf": "pow",
}


@lowers(*VECTORS)
def vector_function(low: Lowering, op: ir.OpView, *values: ir.Value) -> ir.Value:
    """f(a, b, ...), element by element."""
    refuse_small_floats(op.result.type)
    return low.emit.same(VECTORS[op.operation.name], *values)


@lowers("math.absf")
def absolute(low: Lowering, op: ir.OpView, value: ir.Value) -> ir.Value:
    """|a|, element by element; of floats of 8 bits, which LLVM has as integers, all bits but the sign."""
    element = value.type.element_type if isinstance(value.type, ir.VectorType) else value.type
    if isinstance(element, ir.IntegerType):
        return low.emit.and_(value, low.emit.constant(value.type, 0x7F))
    return low.emit.same("llvm.intr.fabs", value)


@lowers("math.absi")
def absi(low: Lowering, op: ir.OpView, value: ir.Value) -> ir.Value:
    """|x|; the smallest number stays what it is."""
    emit = low.emit
    return emit.op("llvm.intr.abs", value.type, value, is_int_min_poison=emit.integer(0, 1))


@lowers("math.ctlz", "math.cttz")
def count_zeros(low: Lowering, op: ir.OpView, value: ir.Value) -> ir.Value:
    """The zeros before the first set bit, or after the last one; for 0 the number of bits."""
    emit = low.emit
    name = f"llvm.intr.{op.operation.name.removeprefix('math.')}"
    return emit.op(name, value.type, value, is_zero_poison=emit.integer(0, 1))


@lowers("math.isnan", "math.isinf", "math.isfinite")
def classify(low: Lowering, op: ir.OpView, value: ir.Value) -> ir.Value:
    """i1: |x| unordered with, equal to, or below infinity."""
    emit = low.emit
    predicate = {"math.isnan": FCMP_UNO, "math.isinf": FCMP_OEQ, "math.isfinite": FCMP_OLT}[op.operation.name]
    infinity = emit.constant(value.type, float("inf"))
    size = emit.same("llvm.intr.fabs", value)
    return emit.op("llvm.fcmp", emit.like(value, emit.i1), size, infinity, predicate=emit.integer(predicate))


@lowers(*(LIBDEVICE.keys() | INSTRUCTIONS.keys()))
def function(low: Lowering, op: ir.OpView, *values: ir.Value) -> ir.Value:
    """f(a, b, ...), number by number."""
    name, element = op.operation.name, low.element_type(op.result)
    if name == "math.exp" and element != low.emit.f64:
        return in_f32(low, lambda x: exp_f32(low, x), *values)
    is_double = element == low.emit.f64
    instruction = INSTRUCTIONS.get(name, (None, None))[is_double]
    if low.flushes_denormals and not is_double:
        instruction = FLUSHING.get(name, instruction)
    type = low.emit.f64 if is_double else low.emit.f32

    def one(*numbers: ir.Value) -> ir.Value:
        """Scalars -> scalar, by an instruction or a function of libdevice."""
        if instruction is not None:
            return low.emit.intrinsic(instruction, type, *numbers)
        return low.symbols.call(f"__nv_{LIBDEVICE[name]}{'' if is_double else 'f'}", type, *numbers)

    return (
        low.elements.each(one, *values)
        if is_double
        else in_f32(low, lambda *vectors: low.elements.each(one, *vectors), *values)
    )


def exp_f32(low: Lowering, value: ir.Value) -> ir.Value:
    """2 ** (x * log2 e)"""
    emit = low.emit
    scaled = emit.same("llvm.fmul", value, emit.constant(value.type, LOG2_E), fastmathFlags=low.float_flags)
    return low.elements.each(lambda x: emit.intrinsic("llvm.nvvm.ex2.approx", emit.f32, x), scaled)


def in_f32(low: Lowering, compute: Callable[..., ir.Value], *values: ir.Value) -> ir.Value:
    """`compute` of f32 numbers, for numbers of 16 bits too."""
    emit = low.emit
    type = values[0].type
    element = type.element_type if isinstance(type, ir.VectorType) else type
    if element == emit.f32:
        return compute(*values)
    return emit.cast("fptrunc", compute(*(emit.cast("fpext", value, emit.f32) for value in values)), element)


@lowers("math.clampf")
def clampf_of_math(low: Lowering, op: ir.OpView, value: ir.Value, lowest: ir.Value, highest: ir.Value) -> ir.Value:
    """min(max(x, min), max), where a NaN stays one."""
    return low.emit.same("llvm.intr.minimum", low.emit.same("llvm.intr.maximum", value, lowest), highest)


@lowers("tt.clampf")
def clampf(low: Lowering, op: ir.OpView, value: ir.Value, lowest: ir.Value, highest: ir.Value) -> ir.Value:
    """min(max(x, min), max); a NaN either stays one or is ignored."""
    keeps_nan = op.propagateNan != 0
    larger, smaller = ("maximum", "minimum") if keeps_nan else ("maxnum", "minnum")
    return low.emit.same(f"llvm.intr.{smaller}", low.emit.same(f"llvm.intr.{larger}", value, lowest), highest)


@lowers("tt.mulhiui")
def mulhiui(low: Lowering, op: ir.OpView, a: ir.Value, b: ir.Value) -> ir.Value:
    """The upper half of a product of unsigned numbers."""
    element = low.element_type(op.result)
    name = "llvm.nvvm.mulhi.ui" if element.width == 32 else "llvm.nvvm.mulhi.ull"
    return low.elements.each(lambda x, y: low.emit.intrinsic(name, element, x, y), a, b)
