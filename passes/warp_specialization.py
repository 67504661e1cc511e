"""Say that loops which ask for warp specialization run without it.

    scf.for ... {                                scf.for ... {
      ...                                 =>       ...
    } {tt.warp_specialize}                       } {tt.warp_specialize}      // with a remark at the loop

Triton's pass of this name divides the operations of such loops among groups of warps: one loads, others compute.  Here
all warps do everything, and the loop is pipelined like others.  Results are the same.

Input:  ttg.      Output: ttg, unchanged.
Order:  before assign-latencies, where Triton has it.
Skips:  loops that do not ask.
Test:   test/lit/passes/warp_specialization.mlir
"""

from dataclasses import dataclass

from mlir import ir

from ttkit.passes.infra import Pass, collect, option, remark
from ttkit.passes.pipelining.attributes import WARP_SPECIALIZE


@dataclass(frozen=True)
class WarpSpecialization(Pass):
    """Say that loops which ask for warp specialization run without it"""

    name = "nvgpu-warp-specialization"
    num_stages: int = option(3, "iterations in flight of loops that do not say")
    dump_intermediate_steps: bool = option(False, "as Triton's pass; there are no steps here")

    def run(self, op: ir.Operation) -> None:
        for loop in collect(op, ["scf.for"]):
            if WARP_SPECIALIZE in loop.attributes:
                remark(loop, "found tt.warp_specialize, which is not done yet: all warps run the whole loop")
