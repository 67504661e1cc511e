"""Let CTAs without a program leave before they set up anything.

    %buffer = ttg.local_alloc                     %has_any = arith.cmpi ult, %number, %multiprocessors
    ttng.init_barrier ...                         scf.if %has_any {
    ttg.warp_specialize(...)              =>        %buffer = ttg.local_alloc
                                                    ttng.init_barrier ...
                                                    ttg.warp_specialize(...)
                                                  }

In a kernel that ttkit-run-persistently has changed, all CTAs but one for each multiprocessor have nothing to do.  They
would initialize mbarriers and hand registers over first, one after the other.

Input:  ttg with loops that groups of warps run.      Output: ttg.
Order:  after nvgpu-warp-specialization, which divides what a function's block has.
Skips:  kernels without a loop over programs, or without groups of warps.
Test:   test/lit/passes/leave_early.mlir
"""

from mlir import ir

from ttkit.dialects import scf
from ttkit.inspection import collect, is_public, terminator
from ttkit.operation_sets import WARP_SPECIALIZE
from ttkit.passes.infra import Pass
from ttkit.passes.run_persistently import MULTIPROCESSORS, Numbers, rounds_of_cta


class LeaveEarly(Pass):
    """Let CTAs without a program leave before they set up anything"""

    name = "ttkit-leave-early"
    dependent_dialects = ("arith", "nvvm", "scf", "tt")

    def run(self, op: ir.Operation) -> None:
        """Puts all that a persistent kernel does into a branch."""
        for kernel in filter(is_public, collect(op, ["tt.func"])):
            block = kernel.regions[0].blocks[0]
            groups = [each for each in collect(kernel, [WARP_SPECIALIZE]) if each.block == block]
            if groups and collect(kernel, [MULTIPROCESSORS]):
                leave_early(block)


def leave_early(block: ir.Block) -> None:
    """Puts the operations of a kernel's block into a branch for CTAs with a program."""
    body = [op.operation for op in block.operations][:-1]
    end = terminator(block)
    with end.location, ir.InsertionPoint(body[0]):
        branch = scf.if_(rounds_of_cta(None, Numbers()).has_any, [], has_else=False)
        with ir.InsertionPoint(branch.then_block):
            last = scf.yield_([])
    for op in body:
        op.move_before(last.operation)
