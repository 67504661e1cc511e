"""Merge rotations of one axis.

  %0 = roll.rotate %x {axis = 0 : i32, shift = 1 : i32} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = roll.rotate %0 {axis = 0 : i32, shift = 2 : i32} : (tensor<8xf32>) -> tensor<8xf32>
=>
  %1 = roll.rotate %x {axis = 0 : i32, shift = 3 : i32} : (tensor<8xf32>) -> tensor<8xf32>
"""

from mlir import ir
from mlir.rewrite import PatternRewriter

from roll.dialect import RotateOp
from ttkit.inspection import defining
from ttkit.passes.infra import MATCHED, NO_MATCH, Match, Pass, apply_greedily


class MergeRotate(Pass):
    """Merge rotations of one axis."""

    name = "merge-rotate"

    def run(self, op: ir.Operation) -> None:
        apply_greedily(op, {RotateOp: merge})


def merge(op: RotateOp, rewriter: PatternRewriter) -> Match:
    """rotate(rotate(x, a), b) -> rotate(x, a + b); rotate(x, 0) -> x"""
    if op.shift == 0:
        rewriter.replace_op(op, [op.src])
        return MATCHED
    inner = defining(op.src)
    if not isinstance(inner, RotateOp) or inner.axis != op.axis:
        return NO_MATCH
    with rewriter.ip, op.location:
        shift = (inner.shift + op.shift) % op.src.type.shape[op.axis]
        rewriter.replace_op(op, RotateOp(inner.src, op.axis, shift))
    return MATCHED
