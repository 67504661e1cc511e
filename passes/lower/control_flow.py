"""Lower branches between blocks.

Ops: MLIR's cf dialect    Test: test/lit/lower/control_flow.mlir
"""

from mlir import ir

from ttkit.passes.lower.lowering import DONE, Lowering
from ttkit.passes.lower.registry import lowers


@lowers("cf.br")
def branch(low: Lowering, op: ir.OpView, *operands: object) -> object:
    successor = low.block(op.operation.successors[0])
    low.emit.effect_with_successors("llvm.br", low.branch_operands(op.operation.operands), [successor])
    return DONE


@lowers("cf.cond_br")
def conditional_branch(low: Lowering, op: ir.OpView, condition: ir.Value, *operands: object) -> object:
    operation = op.operation
    then_count = len(op.trueDestOperands)
    values = list(operation.operands)[1:]
    then, otherwise = low.branch_operands(values[:then_count]), low.branch_operands(values[then_count:])
    low.emit.effect_with_successors(
        "llvm.cond_br",
        [condition, *then, *otherwise],
        [low.block(successor) for successor in operation.successors],
        operandSegmentSizes=low.emit.attribute(f"array<i32: 1, {len(then)}, {len(otherwise)}>"),
    )
    return DONE
