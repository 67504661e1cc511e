"""tt.dot on mma.sync, and on wgmma as ttng.warp_group_dot; see `dot_to_tcgen05` for tcgen05.

  %d = tt.dot %a, %b, %c : ... -> tensor<128x128xf32, #blocked>
=>
  %ma = ttg.local_alloc %a : ... -> !ttg.memdesc<128x64xf16, #ttg.nvmma_shared<...>, #smem>      // likewise %mb
  %0 = ttg.convert_layout %c : ... -> tensor<128x128xf32, #mma>
  %1 = ttng.warp_group_dot %ma, %mb, %0 : ... -> tensor<128x128xf32, #mma>
  %d = ttg.convert_layout %1 : ... -> tensor<128x128xf32, #blocked>
"""

from typing import Any

from mlir import ir
from mlir.rewrite import PatternRewriter

from ttkit.dialects import tt, ttg, ttng
from ttkit.layout.clusters import cga_layout
from ttkit.layout.encodings import NvidiaMma
from ttkit.passes.infra import MATCHED, NO_MATCH, Match, remark
from ttkit.passes.layouts.assignment import tensor_layout, with_layout
from ttkit.passes.products.dot_to_tcgen05 import TCGEN05, dot_to_tcgen05, is_laid_out
from ttkit.passes.products.instruction import HALF, DotFacts, choose_version, mma_layout
from ttkit.passes.products.operands import (
    in_registers,
    in_shared_memory,
    is_loaded,
    loaded_along,
    loaded_bits,
    through_buffer,
)
from ttkit.records import dataclass
from ttkit.target import Target


@dataclass(frozen=True)
class WgmmaOptions:
    """The options of the pass: what wgmmas may do that they do not do in Triton."""

    transposed_a_in_registers: bool = False
    columns_among_groups: bool = False


def dot_to_mma(op: Any, rewriter: PatternRewriter, target: Target, options: WgmmaOptions, pairs: bool) -> Match:
    """dot -> convert_layout(dot or warp_group_dot of operands in the instruction's layouts)

    Args:
        pairs: whether two CTAs may compute a dot together.
    """
    type = op.result.type
    if not is_laid_out(op):
        return NO_MATCH
    if not target.has_tf32_products:
        remark(
            op,
            f"Dot op using MMA for compute capability {target.capability} has been deprecated. "
            "It falls back to the FMA path.",
        )
        return NO_MATCH
    facts = DotFacts.of(op, target)
    version = choose_version(op, facts)
    if version == TCGEN05:
        return dot_to_tcgen05(op, rewriter, facts, pairs)
    if version == 0:
        return NO_MATCH
    mma = mma_layout(op, facts, version, cga_layout(tensor_layout(type)), options.columns_among_groups)
    result = with_layout(type, mma)
    with rewriter.ip, op.location:
        with op.c.location:
            accumulator = ttg.convert_layout(op.c, result)
        if version == 3:
            made = _warp_group_dot(op, facts, accumulator, mma, options)
        else:
            made = _mma_sync(op, facts, accumulator, mma)
        converted = ttg.convert_layout(made, type)
    rewriter.replace_op(op, [converted])
    return MATCHED


def _mma_sync(op: Any, facts: DotFacts, accumulator: ir.Value, mma: NvidiaMma) -> ir.Value:
    bits = min(loaded_bits(op.a), loaded_bits(op.b))
    a, b = (in_registers(value, op_idx, bits, mma) for op_idx, value in enumerate((op.a, op.b)))
    return tt.dot(a, b, accumulator, **_precision(op))


def _warp_group_dot(op: Any, facts: DotFacts, accumulator: ir.Value, mma: NvidiaMma, options: WgmmaOptions) -> ir.Value:
    # For other types, wgmma supports only K as the fastest dimension.
    may_transpose = isinstance(facts.a, HALF)
    is_whole = facts.part == tuple(op.result.type.shape)  # CTAs may load other parts than they multiply
    if options.transposed_a_in_registers and facts.is_f32 and is_whole and loaded_along(op.a) == 0:
        a = through_buffer(op.a, 0, facts.a.width, mma)
    elif is_loaded(op.a):
        a = in_shared_memory(op.a, 0, may_transpose=may_transpose, dot=op)
    else:
        a = in_registers(op.a, 0, facts.a.width, mma)
    b = in_shared_memory(op.b, 1, may_transpose=may_transpose, dot=op)
    return ttng.warp_group_dot(a, b, accumulator, is_async=False, **_precision(op))


def _precision(op: Any) -> dict[str, Any]:
    return {"input_precision": op.inputPrecision, "max_num_imprecise_acc": op.maxNumImpreciseAcc}
