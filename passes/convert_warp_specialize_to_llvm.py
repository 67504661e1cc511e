"""Check that no warp specialization is left among operations of llvm.

    ttg.warp_specialize(%x) default {...}  =>  error: convert-triton-gpu-to-llvm lowers it, together with its kernel

Triton lowers warp specialization in a pass of this name, after all else.  Here convert-triton-gpu-to-llvm does it
together with the rest, so that pipelines which name the pass run as they stand.

Input:  llvm, nvvm.      Output: the same.
Order:  after convert-triton-gpu-to-llvm.
Skips:  everything else.
Test:   test/lit/passes/convert_warp_specialize_to_llvm.mlir
"""

from mlir import ir

from ttkit.passes.infra import Pass, PassError, collect


class ConvertWarpSpecializeToLLVM(Pass):
    """Check that no warp specialization is left among operations of llvm"""

    name = "convert-warp-specialize-to-llvm"

    def run(self, op: ir.Operation) -> None:
        """Looks for what is left.

        Raises:
            PassError: a ttg.warp_specialize is left.
        """
        for left in collect(op, ["ttg.warp_specialize"]):
            raise PassError(
                left,
                "convert-triton-gpu-to-llvm lowers ttg.warp_specialize, together with its kernel; "
                "run it on the kernel as a tt.func",
            )
