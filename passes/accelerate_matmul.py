"""Compute dots on tensor cores.

    %d = tt.dot %a, %b, %c : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> * ... -> ...
  =>
    %0 = ttg.convert_layout %c : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #mma>
    %1 = ttg.convert_layout %a : ... -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %2 = tt.dot %1, %b1, %0 : ... -> tensor<64x64xf32, #mma>     // %b1 likewise
    %d = ttg.convert_layout %2 : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #blocked>
    // #mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>

The GPU determines the instruction: mma.sync, which reads operands from registers, or wgmma (sm_90) or tcgen05 (sm_100),
which read them from shared memory.  The dot determines the shape of the instruction and the part of each warp
(passes/products/instruction.py).

With 8 warps and 64 rows, Triton gives both groups of 4 warps all of a result that a later dot uses: each warp has
whole rows, and both groups compute the same.  With `columns-among-groups` each group has half of the columns.  Rows are
then reduced across groups, and the later dot reads them through shared memory.

Input:  ttg.      Output: ttg.
Order:  after optimize-thread-locality; remove-layout-conversions then joins the conversions that it makes.
Skips:  dots without an instruction on the GPU, such as f32 in full precision: they use fused multiply-add.
Test:   test/lit/passes/accelerate_matmul.mlir
"""

from mlir import ir

from ttkit.operation_sets import DOTS
from ttkit.passes.infra import Pass, apply_greedily, collect, contains_any, option
from ttkit.passes.infra.rewriting import Pattern
from ttkit.passes.infra.target import modules_with_target, target_of
from ttkit.passes.products.dot_to_tcgen05 import dot_scaled_to_tcgen05, may_pair_ctas
from ttkit.passes.products.instruction import DECOMPOSED
from ttkit.passes.products.mixed_types import promote_operands
from ttkit.passes.products.scaled import decompose, put_scales_first
from ttkit.passes.products.scaled_mma_sync import dot_scaled_to_mma_sync
from ttkit.passes.products.tensor_cores import WgmmaOptions, dot_to_mma
from ttkit.records import dataclass


@dataclass(frozen=True)
class AccelerateMatmul(Pass):
    """Compute dots on tensor cores"""

    name = "tritongpu-accelerate-matmul"
    may_change = "the rounding and order of sums in matrix products"
    dependent_dialects = ("ttng",)

    transposed_a_in_registers: bool = option(
        False, "wgmmas read f32 operands a with contiguous columns from registers, not transposed from shared memory"
    )
    columns_among_groups: bool = option(
        False, "groups of 4 warps divide the columns of a result that another dot uses, if it has no rows for each"
    )

    def run(self, op: ir.Operation) -> None:
        """Works on the module, or on each in it that has a target of its own."""
        for module in modules_with_target(op):
            accelerate(module, WgmmaOptions(self.transposed_a_in_registers, self.columns_among_groups))


def accelerate(module: ir.Operation, options: WgmmaOptions) -> None:
    """Puts scales first, gives each dot an instruction of the target, and widens operands of other types."""
    if not contains_any(module, DOTS):
        apply_greedily(module, {})
        return
    target = target_of(module)
    put_scales_first(module)
    scaled: list[Pattern] = [decompose]
    if target.has_scaled_mma_sync:
        scaled.insert(0, dot_scaled_to_mma_sync)
    elif target.mma_versions[0] == 5:
        scaled.insert(0, dot_scaled_to_tcgen05)
    pairs = may_pair_ctas(module, target)
    patterns: dict[str, Pattern | list[Pattern]] = {
        "tt.dot": lambda op, rewriter: dot_to_mma(op, rewriter, target, options, pairs),
        "tt.dot_scaled": scaled,
    }
    apply_greedily(module, patterns)
    for dot in collect(module, ["tt.dot"]):
        if DECOMPOSED in dot.attributes:
            del dot.attributes[DECOMPOSED]
    promote_operands(module, target)
