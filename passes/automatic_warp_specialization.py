"""Say that loops which ask for warp specialization on Blackwell run without it.

    scf.for ... {                                scf.for ... {
      ...                                 =>       ...
    } {tt.warp_specialize}                       } {tt.warp_specialize}      // with a remark at the loop

Triton's pass of this name divides such loops among a group that loads, one that starts products, and others.  Here all
warps do everything, and the loop is pipelined like others.  Results are the same.

Input:  ttg.      Output: ttg, unchanged.
Order:  after schedule-loops, where Triton has it.
Skips:  loops that do not ask.
Test:   test/lit/passes/automatic_warp_specialization.mlir
"""

from dataclasses import dataclass

from mlir import ir

from ttkit.passes.infra import Pass, collect, option, remark
from ttkit.passes.pipelining.attributes import WARP_SPECIALIZE


@dataclass(frozen=True)
class AutomaticWarpSpecialization(Pass):
    """Say that loops which ask for warp specialization on Blackwell run without it"""

    name = "tritongpu-automatic-warp-specialization"
    num_stages: int = option(3, "iterations in flight of loops that do not say")

    def run(self, op: ir.Operation) -> None:
        for loop in collect(op, ["scf.for"]):
            if WARP_SPECIALIZE in loop.attributes:
                remark(loop, "found tt.warp_specialize, which is not done on Blackwell: all warps run the whole loop")
