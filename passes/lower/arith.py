"""Lower arith and ub: an operation on tensors is one on vectors.

Ops: MLIR's arith and ub dialects    Test: test/lit/lower/arith.mlir
"""

from typing import Any

from mlir import ir

from ttkit.layout.hardware import REGISTER_BITS
from ttkit.passes.infra.constants import constant_splat
from ttkit.passes.lower.constant_table import float_bits, tensor_of
from ttkit.passes.lower.counter_comparison import with_constants
from ttkit.passes.lower.equal_elements import first_of_equal
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.type_conversion import half_of_integers
from ttkit.passes.lower.types import Fragment
from ttkit.passes.lower.unsupported import CannotLower

# arith name -> llvm name, where operands and result have one type.
SAME = {
    "addi": "add",
    "subi": "sub",
    "muli": "mul",
    "divsi": "sdiv",
    "divui": "udiv",
    "remsi": "srem",
    "remui": "urem",
    "andi": "and",
    "ori": "or",
    "xori": "xor",
    "shli": "shl",
    "shrsi": "ashr",
    "shrui": "lshr",
    "addf": "fadd",
    "subf": "fsub",
    "mulf": "fmul",
    "negf": "fneg",
    "remf": "frem",
    "maximumf": "intr.maximum",
    "minimumf": "intr.minimum",
    "maxnumf": "intr.maxnum",
    "minnumf": "intr.minnum",
    "maxsi": "intr.smax",
    "minsi": "intr.smin",
    "maxui": "intr.umax",
    "minui": "intr.umin",
}
# arith name -> llvm name, where the result has other elements.
CASTS = {
    "extsi": "sext",
    "extui": "zext",
    "trunci": "trunc",
    "sitofp": "sitofp",
    "uitofp": "uitofp",
    "fptosi": "fptosi",
    "fptoui": "fptoui",
    "bitcast": "bitcast",
}
DIVISIONS = frozenset({"divsi", "divui", "remsi", "remui", "remf"})
LEAST_FLOAT_BITS = 16
CONTRACTED = frozenset({"addf", "subf", "mulf"})


def refuse_small_floats(*types: ir.Type) -> None:
    """Raises CannotLower for floats of fewer bits than GPUs compute with; LLVM has them as integers."""
    for type in types:
        element = getattr(type, "element_type", type)
        if isinstance(element, ir.FloatType) and element.width < LEAST_FLOAT_BITS:
            raise CannotLower(f"found {element}, and GPUs have no arithmetic for it; extend it to f16 first")


@lowers(*(f"arith.{name}" for name in SAME))
def same(low: Lowering, op: ir.OpView, *operands: ir.Value) -> ir.Value:
    """f(a, b), element by element."""
    name = op.operation.name.removeprefix("arith.")
    attributes = {}
    if name in CONTRACTED:
        # A product and a sum may become one fused operation, as everywhere on GPUs, unless the target says otherwise.
        attributes["fastmathFlags"] = low.float_flags
    result = op.result
    refuse_small_floats(result.type)
    if name in ("shli", "shrui") and (shifted := shifted_in_words(low, name, op.rhs, operands[0])) is not None:
        return shifted
    if (
        name in DIVISIONS
        and isinstance(result.type, ir.RankedTensorType)
        and isinstance(operands[0].type, ir.VectorType)
    ):
        # Many instructions each: one for all elements that are equal.
        first = first_of_equal(low, result)
        if (distinct := sorted(set(first))) != list(range(len(first))):
            quotients = low.emit.same(f"llvm.{SAME[name]}", *(low.emit.pick(operand, distinct) for operand in operands))
            return low.emit.pick(quotients, [distinct.index(register) for register in first])
    return low.emit.same(f"llvm.{SAME[name]}", *operands, **attributes)


def shifted_in_words(low: Lowering, name: str, amount: ir.Value, value: ir.Value) -> ir.Value | None:
    """i8 or i16 shifted by a constant, those of 32 bits in one shift; None of anything else.

    GPUs shift 32 bits only: LLVM would shift each element by itself, and ptxas keeps each in a register of its own.

    Args:
        name: "shli" or "shrui".
    """
    emit, type, bits = low.emit, value.type, constant_splat(amount)
    if not isinstance(type, ir.VectorType) or type.element_type not in (emit.i8, emit.i16):
        return None
    width = type.element_type.width
    if type.shape[0] * width % REGISTER_BITS or not isinstance(bits, int) or not 0 < bits < width:
        return None
    words = emit.bitcast(value, emit.vector(type.shape[0] * width // REGISTER_BITS, emit.i32))
    shifted = emit.shl(words, bits) if name == "shli" else emit.lshr(words, bits)
    all_bits = (1 << width) - 1
    kept = all_bits << bits & all_bits if name == "shli" else all_bits >> bits
    kept *= ((1 << REGISTER_BITS) - 1) // all_bits
    return emit.bitcast(emit.and_(shifted, emit.constant(words.type, kept - (kept >> 31 << 32))), type)


@lowers("arith.ceildivui")
def ceildivui(low: Lowering, op: ir.OpView, a: ir.Value, b: ir.Value) -> ir.Value:
    """a / b rounded up, of unsigned numbers: (a - 1) / b + 1, or 0."""
    emit = low.emit
    one, zero = emit.constant(a.type, 1), emit.constant(a.type, 0)
    quotient = emit.add(emit.same("llvm.udiv", emit.sub(a, one), b), one)
    return emit.select(emit.compare("eq", a, zero), zero, quotient)


@lowers("arith.ceildivsi", "arith.floordivsi")
def rounded_division(low: Lowering, op: ir.OpView, a: ir.Value, b: ir.Value) -> ir.Value:
    """a / b rounded up or down: one more, or less, than toward zero if there is a rest on that side."""
    emit = low.emit
    zero = emit.constant(a.type, 0)
    quotient = emit.same("llvm.sdiv", a, b)
    rest = emit.sub(a, emit.mul(quotient, b))
    is_up = op.operation.name == "arith.ceildivsi"
    # The rest has the sign of a: that of b too if the quotient is positive.
    alike = emit.compare("sge" if is_up else "slt", emit.xor(rest, b), zero)
    moved = emit.and_(emit.compare("ne", rest, zero), alike)
    step = emit.cast("zext", moved, low.element_type(op.result))
    return emit.add(quotient, step) if is_up else emit.sub(quotient, step)


@lowers("arith.addui_extended")
def addui_extended(low: Lowering, op: ir.OpView, a: ir.Value, b: ir.Value) -> list[ir.Value]:
    """The sum, and whether it overflows."""
    total = low.emit.add(a, b)
    return [total, low.emit.compare("ult", total, a)]


@lowers("arith.mulsi_extended", "arith.mului_extended")
def mul_extended(low: Lowering, op: ir.OpView, a: ir.Value, b: ir.Value) -> list[ir.Value]:
    """The lower and the upper half of a product."""
    emit, element = low.emit, low.element_type(op.result)
    wide = ir.IntegerType.get_signless(2 * element.width, emit.context)
    extend = "sext" if op.operation.name == "arith.mulsi_extended" else "zext"
    product = emit.mul(emit.cast(extend, a, wide), emit.cast(extend, b, wide))
    return [emit.cast("trunc", part, element) for part in (product, emit.lshr(product, element.width))]


@lowers("arith.divf")
def divf(low: Lowering, op: ir.OpView, a: ir.Value, b: ir.Value) -> ir.Value:
    """a / b: f32 to within 2 ulp, as div.full does."""
    emit = low.emit
    refuse_small_floats(op.result.type)
    if low.element_type(op.result) != emit.f32:
        return emit.same("llvm.fdiv", a, b)
    return low.elements.each(lambda x, y: emit.intrinsic("llvm.nvvm.div.full", emit.f32, x, y), a, b)


@lowers(*(f"arith.{name}" for name in CASTS))
def cast(low: Lowering, op: ir.OpView, value: ir.Value) -> ir.Value:
    """The same numbers (bitcast: the same bits) as another type."""
    name = CASTS[op.operation.name.removeprefix("arith.")]
    if name != "bitcast":
        refuse_small_floats(op.in_.type, op.result.type)
    emit, target = low.emit, low.element_type(op.result)
    if name in ("sitofp", "uitofp") and target == emit.f16:
        found = half_of_integers(low, value, name == "sitofp")
        if found is not None:
            return found
    return emit.cast(name, value, target)


@lowers("arith.index_cast", "arith.index_castui")
def index_cast(low: Lowering, op: ir.OpView, value: ir.Value) -> ir.Value:
    """An index is an i32 here."""
    target = low.element_type(op.result)
    source = low.element_type(op.in_)
    if source == target:
        return value
    if source.width > target.width:
        return low.emit.cast("trunc", value, target)
    return low.emit.cast("sext" if op.operation.name == "arith.index_cast" else "zext", value, target)


@lowers("arith.cmpi")
def cmpi(low: Lowering, op: ir.OpView, a: ir.Value, b: ir.Value) -> ir.Value:
    """a < b and the like: arith and llvm number the predicates alike."""
    emit, result = low.emit, op.result
    # In the region of a reduction, numbers are vectors too.
    is_tensor = isinstance(result.type, ir.RankedTensorType) and isinstance(a.type, ir.VectorType)
    first = first_of_equal(low, result) if is_tensor else []
    if first == list(range(len(first))) and is_tensor and (found := with_constants(low, op, a, b)) is not None:
        return found
    # Operands are picked, not results: LLVM takes comparisons of vectors apart late, and would compute all elements.
    distinct = sorted(set(first))
    if is_tensor:
        a, b = emit.pick(a, distinct), emit.pick(b, distinct)
    found = emit.op("llvm.icmp", emit.like(a, emit.i1), a, b, predicate=op.operation.attributes["predicate"])
    return emit.pick(found, [distinct.index(register) for register in first]) if is_tensor else found


@lowers("arith.cmpf")
def cmpf(low: Lowering, op: ir.OpView, a: ir.Value, b: ir.Value) -> ir.Value:
    """a < b and the like, ordered or not: arith and llvm number the predicates alike."""
    emit = low.emit
    refuse_small_floats(op.lhs.type)
    return emit.op("llvm.fcmp", emit.like(a, emit.i1), a, b, predicate=op.operation.attributes["predicate"])


@lowers("arith.select")
def select(low: Lowering, op: ir.OpView, condition: ir.Value, then: Any, otherwise: Any) -> Any:
    """condition ? then : otherwise; a scalar condition picks whole values, whatever they consist of."""
    if isinstance(then, ir.Value):
        return low.emit.select(condition, then, otherwise)
    source = op.true_value.type
    pairs = zip(low.types.flatten(source, then), low.types.flatten(source, otherwise))
    return low.types.join(source, [a if a == b else low.emit.select(condition, a, b) for a, b in pairs])


@lowers("arith.constant")
def constant(low: Lowering, op: ir.OpView) -> ir.Value | Fragment:
    """A number, the same in every register, or elements of a table."""
    value = op.operation.attributes["value"]
    type = op.result.type
    parts = low.types.parts(type)
    is_fragment = low.types.fragment_register(type) == low.types.element(type)
    target = low.types.vector(type) if isinstance(type, ir.RankedTensorType) and not is_fragment else parts[0]
    if isinstance(value, ir.DenseElementsAttr):
        if not value.is_splat:
            vector = tensor_of(low, op.result, value)
            return low.types.as_fragment(vector) if is_fragment else vector
        value = value.get_splat_value()
    found = low.emit.constant_of(target, splat_attribute(low, value, target))
    return Fragment((found,) * len(parts), low.types.element(type)) if is_fragment else found


def splat_attribute(low: Lowering, value: ir.Attribute, target: ir.Type) -> ir.Attribute:
    """The attribute of a constant of llvm type `target`."""
    element = target.element_type if isinstance(target, ir.VectorType) else target
    if isinstance(value, ir.FloatAttr) and isinstance(element, ir.IntegerType):
        value = ir.IntegerAttr.get(element, float_bits(value))
    elif isinstance(value, ir.IntegerAttr) and value.type != element:
        value = ir.IntegerAttr.get(element, value.value)
    return ir.DenseElementsAttr.get_splat(target, value) if isinstance(target, ir.VectorType) else value


@lowers("llvm.intr.assume")
def assume(low: Lowering, op: ir.OpView, condition: ir.Value, *rest: ir.Value) -> None:
    """A condition that holds, for LLVM to use."""
    emit = low.emit
    emit.effect(
        "llvm.intr.assume",
        condition,
        op_bundle_sizes=emit.attribute("array<i32>"),
        operandSegmentSizes=emit.attribute("array<i32: 1, 0>"),
    )
