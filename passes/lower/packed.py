"""Lower arithmetic of pairs of floats.

Two f32 numbers go in one instruction since sm_100, and before each by itself.  LLVM puts two of 16 bits into one
instruction on every GPU that has them.

Ops: dialects/ttng/packed_ops.td    Test: test/lit/lower/packed.mlir
"""

from mlir import ir

from ttkit.dialects.tt import PackedArith
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.registry import lowers

# The operation of llvm, and the instruction of two f32 numbers.
OPERATIONS = {
    PackedArith.ADD: ("llvm.fadd", "add.rn.f32x2"),
    PackedArith.SUB: ("llvm.fsub", "sub.rn.f32x2"),
    PackedArith.MUL: ("llvm.fmul", "mul.rn.f32x2"),
    PackedArith.FMA: ("llvm.intr.fma", "fma.rn.f32x2"),
    PackedArith.MIN: ("llvm.intr.minnum", None),
    PackedArith.MAX: ("llvm.intr.maxnum", None),
}


@lowers("ttng.packed_arith")
def packed_arith(low: Lowering, op: ir.OpView, *values: ir.Value) -> ir.Value:
    """f(a, b, ...), element by element"""
    name, instruction = OPERATIONS[op.packed_arith_op]
    return of_pairs(low, instruction, name, *values)


def of_pairs(low: Lowering, instruction: str | None, name: str, *values: ir.Value) -> ir.Value:
    """An instruction of two f32 numbers, if the GPU has it, for each two of a vector's elements; else `name` of all."""
    emit, type = low.emit, values[0].type
    count = type.shape[0]
    has_instruction = instruction is not None and low.target.has_paired_f32
    if not has_instruction or type.element_type != emit.f32 or count % 2:
        return emit.same(name, *values)
    pairs = [emit.unpack(emit.bitcast(vector, emit.vector(count // 2, emit.i64))) for vector in values]
    text = f"{instruction} {', '.join(f'${number}' for number in range(len(values) + 1))};"
    constraints = ",".join(["=l", *["l"] * len(values)])
    found = [emit.inline_asm(text, constraints, emit.i64, *operands, effects=False) for operands in zip(*pairs)]
    return emit.bitcast(emit.pack(found), type)
