"""Move loop-invariant operations out of loops: those without effects, and loads if the loop only reads.

    scf.for %i = %lb to %ub ... {              %any = arith.cmpi slt, %lb, %ub : i32
      %x = tt.load %p, %m : f32                %mask = arith.andi %any, %m : i1
      %e = math.exp %x : f32              =>   %x = tt.load %p, %mask : f32
      ...                                      %e = math.exp %x : f32
    }                                          scf.for %i = %lb to %ub ... { ... }

A load must not happen if the loop has no iteration, so it gets a mask that says whether there is one.

Input:  tt or ttg.      Output: the same level.
Order:  before canonicalize, which removes the masks of loops whose bounds are constants.
Skips:  loads in a loop that writes memory or has other effects, volatile loads, those from block pointers, loads in
        scf.while or in a branch of an scf.if; operations that may not be executed speculatively, such as a division
        by a value that may be zero.
Test:   test/lit/passes/licm.mlir
"""

from mlir import ir

from ttkit.passes.infra import Pass, hoist_loop_invariants, only_reads
from ttkit.passes.infra.loops import has_iteration
from ttkit.passes.infra.masks import add_mask


class LoopInvariantCodeMotion(Pass):
    """Move loop-invariant operations out of loops, masked loads included"""

    name = "triton-licm"

    def run(self, op: ir.Operation) -> None:
        """Hoists the operations that MLIR hoists, and loads, with a mask on whether the loop runs at all."""
        only_reading: dict[ir.Operation, bool] = {}

        def guard_load(loop: ir.Operation, load: ir.Operation) -> bool:
            """load(p, m) -> load(p, lb < ub and m), if the loop allows it."""
            if loop not in only_reading:
                only_reading[loop] = loop.name == "scf.for" and only_reads(loop)
            if not only_reading[loop] or not only_reads(load) or is_of_block_pointer(load):
                return False
            with ir.InsertionPoint(loop), loop.location:
                add_mask(load, has_iteration(loop))
            return True

        hoist_loop_invariants(op, {"tt.load": guard_load})


def is_of_block_pointer(load: ir.Operation) -> bool:
    """Whether a load is from a pointer to a tensor: it has boundary checks, and can't have a mask."""
    tensor = ir.RankedTensorType
    return isinstance(load.result.type, tensor) and not isinstance(load.opview.ptr.type, tensor)
