"""Lower what a pipelined loop may be made of: stages that run under a predicate.

Ops: dialects/ttg/pipeline_ops.td    Test: test/lit/lower/pipeline.mlir
"""

from mlir import ir

from ttkit.passes.lower.lowering import DONE, Lowering
from ttkit.passes.lower.registry import lowers


@lowers("ttg.predicate_stage")
def predicate_stage(low: Lowering, op: ir.OpView, iv: ir.Value, ub: ir.Value, step: ir.Value) -> ir.Value:
    """result = iv < ub - (maxStage - stage) * step"""
    emit = low.emit
    ahead = op.maxStage - op.stage
    return emit.compare("slt", iv, emit.sub(ub, emit.mul(step, emit.constant(step.type, ahead))))


@lowers("ttg.mask")
def mask(low: Lowering, op: ir.OpView, predicate: ir.Value) -> object:
    """result = predicate ? the region's : anything.  All threads have the same predicate."""
    emit, operation = low.emit, op.operation
    types = [part for result in operation.results for part in low.types.parts(result.type)]
    assert emit.place is not None
    then = emit.place.block.create_after()
    after = then.create_after(*types, arg_locs=[emit.location] * len(types))
    emit.effect_with_successors(
        "llvm.cond_br",
        [predicate, *(emit.poison(type) for type in types)],
        [then, after],
        operandSegmentSizes=emit.attribute(f"array<i32: 1, 0, {len(types)}>"),
    )
    emit.place = ir.InsertionPoint(then)
    found = low.inline_blocks(operation.regions[0], [], types)
    emit.effect_with_successors("llvm.br", found, [after])
    emit.place = ir.InsertionPoint(after)
    for result, lowered in zip(operation.results, low.join([r.type for r in operation.results], after.arguments)):
        low.set_value(result, lowered)
    return DONE


@lowers("ttg.mask.return")
def mask_return(low: Lowering, op: ir.OpView, *operands: object) -> object:
    """The results of the region of a ttg.mask."""
    low.leave_region(low.branch_operands(op.operation.operands))
    return DONE
