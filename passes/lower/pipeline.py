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
    operation = op.operation
    types = [part for result in operation.results for part in low.types.parts(result.type)]
    after = low.emit.begin_if(predicate, [low.emit.poison(type) for type in types])
    low.values.set(operation.results, low.emit.end_if(after, low.inline_blocks(operation.regions[0], [], types)))
    return DONE


@lowers("ttg.mask.return")
def mask_return(low: Lowering, op: ir.OpView, *operands: object) -> object:
    """The results of the region of a ttg.mask."""
    low.leave_region(low.values.parts(op.operation.operands))
    return DONE
