"""Replace integer multiplication by a power of two with a shift.

    %1 = arith.muli %0, %c8 : i32   =>   %1 = arith.shli %0, %c3 : i32

A complete pass, to copy: `tt-opt --load-pass=strength_reduction.py --strength-reduction kernel.ttir`.
Its test is strength_reduction.mlir beside it.
"""

from dataclasses import dataclass

from mlir import ir
from mlir.rewrite import PatternRewriter

from ttkit.dialects import arith
from ttkit.passes.infra import MATCHED, NO_MATCH, Match, Pass, apply_greedily, constant_splat, option


@dataclass(frozen=True)
class StrengthReduction(Pass):
    """Replace integer multiplication by a power of two with a shift."""

    name = "strength-reduction"
    max_shift: int = option(31, "largest shift to introduce, in bits")
    statistics = {"shifts": "multiplications replaced"}

    def run(self, op: ir.Operation) -> None:
        apply_greedily(op, {arith.MulIOp: self.shift_left})

    def shift_left(self, op: arith.MulIOp, rewriter: PatternRewriter) -> Match:
        """x * 2^k -> x << k"""
        factor = constant_splat(op.rhs)
        if (
            not isinstance(factor, int)
            or factor <= 0
            or factor & (factor - 1)
            or factor.bit_length() - 1 > self.max_shift
        ):
            return NO_MATCH
        with rewriter.ip, op.location:
            shift = arith.constant(op.result.type, factor.bit_length() - 1)
            rewriter.replace_op(op, [arith.shli(op.lhs, shift)])
        self.count("shifts")
        return MATCHED
