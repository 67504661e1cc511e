"""Lower matrix products by mma.sync: a warp multiplies tiles that its threads hold in registers.

    for each tile along k, then m, then n:
        d = llvm.nvvm.mma.m16n8k16.row.col.f32.f32(words of a, words of b, d)

`ttkit.layout.mma_fragments` says which registers every instruction takes.

Ops: dialects/tt/dot_ops.td    Test: test/lit/lower/mma.mlir
"""

from collections.abc import Sequence

from mlir import ir

from ttkit.inspection import element_bits
from ttkit.layout.mma_fragments import MmaPlan, MmaShape, plan_mma
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.unsupported import CannotLower
from ttkit.passes.lower.words import from_words, to_words
from ttkit.target import Target

FP8 = {"f8E4M3FN": "e4m3", "f8E5M2": "e5m2"}
# The first version of PTX in which products of fp8 numbers have 16 steps of k, or a result in f16.
MORE_FP8_PTX = 87


def multiply(low: Lowering, op: ir.OpView, a: ir.Value, b: ir.Value, c: ir.Value) -> ir.Value:
    """c + a * b, by the instruction for the types.

    Raises:
        CannotLower: the target has none for these types.
        UnsuitableLayout: the operands are not where it takes them from.
    """
    types = [value.type for value in (op.a, op.b, op.result)]
    ending, shapes = instructions(low.target, *(str(type.element_type) for type in types))
    left, right, result = (low.types.layout(type) for type in types)
    plan = plan_mma(result, left, right, shapes, types[0].element_type.width)
    words = operand_words(low, a, plan), operand_words(low, b, plan)
    return accumulate(low, plan, ending, words, c)


def instructions(target: Target, a: str, b: str, result: str) -> tuple[str, tuple[MmaShape, ...]]:
    """Type suffix of the mma.sync instructions for these element types, and their shapes, the largest first.

    Raises:
        CannotLower: the target has none.
    """
    ampere = target.has_tf32_products
    ending, shapes = "", tuple[tuple[int, int, int], ...]()
    if a in FP8 and b in FP8 and result in ("f32", "f16") and target.has_fp8_products:
        more = target.ptx_version >= MORE_FP8_PTX
        if more or result == "f32":
            ending = f"{result}.{FP8[a]}.{FP8[b]}.{result}"
            shapes = ((16, 8, 32), (16, 8, 16)) if more else ((16, 8, 32),)
    elif a != b:
        pass
    elif a == "f16" and result in ("f32", "f16"):
        ending, shapes = f"{result}.{result}", ((16, 8, 16), (16, 8, 8)) if ampere else ((16, 8, 8),)
    elif (a, result) == ("i8", "i32"):
        ending, shapes = "satfinite.s8", ((16, 8, 32), (16, 8, 16)) if ampere else ((8, 8, 16),)
    elif (a, result) == ("bf16", "f32") and ampere:
        ending, shapes = "bf16", ((16, 8, 16), (16, 8, 8))
    elif (a, result) == ("f32", "f32") and ampere:
        ending, shapes = "tf32", ((16, 8, 8), (16, 8, 4))
    elif (a, result) == ("f64", "f64") and ampere:
        wide = ((16, 8, 16), (16, 8, 8), (16, 8, 4)) if target.has_wide_f64_products else ()
        ending, shapes = "f64", (*wide, (8, 8, 4))
    if not shapes:
        raise CannotLower(
            f"mma.sync of {target.arch} has no product of {a} and {b} with a result in {result}; "
            "convert the operands, or use a blocked layout for the result"
        )
    return ending, tuple(MmaShape(*shape) for shape in shapes)


def operand_words(low: Lowering, operand: ir.Value, plan: MmaPlan) -> list[ir.Value]:
    """The registers of an operand as instructions take them: 32-bit words, of f16 pairs, or numbers of 64 bits."""
    emit, element = low.emit, operand.type.element_type
    count = operand.type.shape[0]
    if plan.zero_elements:
        kept = [register % plan.elements not in plan.zero_elements for register in range(count)]
        operand = emit.select(emit.constant(emit.vector(count, emit.i1), kept), operand, emit.zero(operand.type))
    if plan.zero_lanes:
        copies = emit.and_(low.index.lane(), emit.i32_constant(plan.zero_lanes))
        is_first = emit.compare("eq", copies, emit.i32_constant(0))
        operand = emit.select(is_first, operand, emit.zero(operand.type))
    if element_bits(element) == 64:
        return emit.unpack(operand)
    words = to_words(low, operand)
    return [emit.bitcast(word, emit.vector(2, element)) for word in words] if element == emit.f16 else words


def accumulate(
    low: Lowering, plan: MmaPlan, ending: str, words: tuple[Sequence[ir.Value], Sequence[ir.Value]], c: ir.Value
) -> ir.Value:
    """The sum of `c` and all products of a plan.

    Args:
        ending: of the instruction's name.
        words: of both operands, in the order of their registers.
    """
    emit, element = low.emit, c.type.element_type
    pair = emit.vector(2, emit.f16)
    # Results in f16 are pairs.
    in_part = 2 if element == emit.f16 else 1
    parts = [emit.bitcast(word, pair) for word in to_words(low, c)] if in_part == 2 else emit.unpack(c)
    type = parts[0].type
    left, right = words
    m, n, k = plan.shape
    name = f"llvm.nvvm.mma.m{m}n{n}k{k}.row.col.{ending}"
    for step in plan.steps:
        own = [register // in_part for register in step.result[::in_part]]
        operands = [
            *(left[register // plan.elements] for register in step.a),
            *(right[register // plan.elements] for register in step.b),
            *(parts[place] for place in own),
        ]
        found = emit.intrinsic(name, emit.struct([type] * len(own)), *operands)
        for index, place in enumerate(own):
            parts[place] = emit.field(found, index, type)
    return (
        from_words(low, [emit.bitcast(part, emit.i32) for part in parts], c.type) if in_part == 2 else emit.pack(parts)
    )
