"""Peel the last iteration off the loops that ask for it.

    scf.for %i = %lb to %ub step %s {            %shorter = arith.subi %ub, %s : i32
      use(%i)                                    scf.for %i = %lb to %shorter step %s {
    } {__test_peel_epilogue}                       use(%i)
                                           =>    } {__test_peel_epilogue}
                                                 %last = ...                     // (ub - lb - 1) / s * s + lb
                                                 %any = arith.cmpi slt, %lb, %ub : i32
                                                 scf.if %any {
                                                   use(%last)
                                                 }

The pipeliner peels so; this pass is here to try it alone.

Input:  tt or ttg.      Output: the same level.
Order:  any.
Skips:  loops without the attribute __test_peel_epilogue.
Test:   test/lit/passes/loop_peeling.mlir
"""

from mlir import ir

from ttkit.passes.infra import Pass, collect
from ttkit.passes.infra.peeling import peel_last_iteration


class LoopPeeling(Pass):
    """Peel the last iteration off loops with the attribute __test_peel_epilogue"""

    name = "triton-test-loop-peeling"

    def run(self, op: ir.Operation) -> None:
        """Peels each loop that is marked."""
        # Inner loops first: the peeled iteration of an outer one then has copies of the changed loops.
        for loop in reversed(collect(op, ["scf.for"])):
            if "__test_peel_epilogue" in loop.attributes:
                peel_last_iteration(loop.opview)
