"""Lower branches between blocks.

Ops: MLIR's cf and ub dialects    Test: test/lit/lower/control_flow.mlir
"""

from mlir import ir

from ttkit.passes.lower.lowering import DONE, Lowering
from ttkit.passes.lower.registry import lowers


@lowers("cf.br")
def branch(low: Lowering, op: ir.OpView, *operands: object) -> object:
    """llvm.br with what the operands became."""
    low.emit.branch(low.values.block(op.operation.successors[0]), *low.values.parts(op.operation.operands))
    return DONE


@lowers("cf.cond_br")
def conditional_branch(low: Lowering, op: ir.OpView, condition: ir.Value, *operands: object) -> object:
    """llvm.cond_br with what the operands became."""
    operation = op.operation
    then_count = len(op.trueDestOperands)
    values = list(operation.operands)[1:]
    then, otherwise = (low.values.block(successor) for successor in operation.successors)
    taken, passed = low.values.parts(values[:then_count]), low.values.parts(values[then_count:])
    low.emit.branch_if(condition, (then, taken), (otherwise, passed))
    return DONE


@lowers("cf.switch")
def switch(low: Lowering, op: ir.OpView, flag: ir.Value, *operands: object) -> object:
    """llvm.switch with what the operands became."""
    operation = op.operation
    counts = list(operation.attributes["case_operand_segments"])
    default_count = len(op.defaultOperands)
    values = list(operation.operands)[1:]
    default, rest = low.values.parts(values[:default_count]), values[default_count:]
    cases = []
    for count in counts:
        cases.append(low.values.parts(rest[:count]))
        rest = rest[count:]
    attributes = {
        "case_operand_segments": low.emit.attribute(f"array<i32: {', '.join(str(len(case)) for case in cases)}>"),
        "operandSegmentSizes": low.emit.attribute(f"array<i32: 1, {len(default)}, {sum(map(len, cases))}>"),
    }
    if counts:
        attributes["case_values"] = operation.attributes["case_values"]
    else:
        attributes["case_operand_segments"] = low.emit.attribute("array<i32>")
    low.emit.effect_with_successors(
        "llvm.switch",
        [flag, *default, *(value for case in cases for value in case)],
        [low.values.block(successor) for successor in operation.successors],
        **attributes,
    )
    return DONE


@lowers("ub.unreachable")
def unreachable(low: Lowering, op: ir.OpView) -> object:
    """llvm.unreachable."""
    low.emit.effect("llvm.unreachable")
    return DONE
