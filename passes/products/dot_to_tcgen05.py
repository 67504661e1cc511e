"""tt.dot and tt.dot_scaled on tcgen05, which reads operands from shared memory and accumulates in tensor memory.

  %d = tt.dot %a, %b, %c : ... -> tensor<128x128xf32, #blocked>
=>
  %ma = ttg.local_alloc %a : ... -> !ttg.memdesc<128x64xf16, #ttg.nvmma_shared<...>, #smem>      // likewise %mb
  %0 = ttg.convert_layout %c : ... -> tensor<128x128xf32, #linear>
  %acc, %t0 = ttng.tmem_alloc %0 : ... -> (!ttg.memdesc<128x128xf32, #tmem, #tensor_memory, mutable>, !ttg.async.token)
  %t1 = ttng.tc_gen5_mma %ma, %mb, %acc[%t0], %true, %true
  %1, %t2 = ttng.tmem_load %acc[%t1] : ... -> tensor<128x128xf32, #linear>
  %d = ttg.convert_layout %1 : ... -> tensor<128x128xf32, #blocked>
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mlir import ir
from mlir.rewrite import PatternRewriter

from ttkit.dialects import arith, ttg, ttng
from ttkit.dialects._layouts import layout_of
from ttkit.dialects._ttg_types import AsyncTokenType, MemDescType
from ttkit.dialects.tt import InputPrecision
from ttkit.dialects.tt import ScaleDotElemType as Formats
from ttkit.inspection import defining, name_of
from ttkit.layout import to_linear_layout
from ttkit.layout.clusters import cga_layout, cta_splits, shape_per_cta
from ttkit.layout.distribution import order
from ttkit.layout.encodings import Bases, Blocked, NvidiaMma, NvmmaShared, TensorMemory, TensorMemoryScales
from ttkit.layout.hardware import GROUP_WARPS, REGISTER_BITS
from ttkit.operation_sets import BLOCK_LOADS, CONVERT_LAYOUT
from ttkit.passes.infra import MATCHED, NO_MATCH, Match, collect
from ttkit.passes.infra.nesting import point_after
from ttkit.passes.infra.transforms import update_operands
from ttkit.passes.layouts.assignment import tensor_layout, with_layout
from ttkit.passes.layouts.thread_counts import num_ctas, num_warps
from ttkit.passes.layouts.tmem_access_layouts import access_layout
from ttkit.passes.products.instruction import DotFacts, instruction_shape
from ttkit.passes.products.operands import in_shared_memory, loaded_bits, without_conversions
from ttkit.target import Target

# The smallest part of the result, rows and columns, that one of two CTAs computes.
PAIR_ROWS, PAIR_COLUMNS = 64, 32
SCALED_ROWS, SCALED_COLUMNS = 128, 16
TCGEN05 = 5  # the MMA version
SCALED_WARPS = (GROUP_WARPS, 2 * GROUP_WARPS)
MAX_COLUMNS = 256


def dot_to_tcgen05(op: Any, rewriter: PatternRewriter, facts: DotFacts, pairs: bool) -> Match:
    """dot -> convert_layout(tmem_load(tc_gen5_mma(local_alloc, local_alloc, tmem_alloc)))

    Args:
        pairs: whether two CTAs may compute the dot together.
    """
    if is_too_precise(op):
        return NO_MATCH
    a, b, result = op.a, op.b, op.result.type
    two_ctas = pairs and can_pair_ctas(op, facts)
    if two_ctas:
        b = split_columns(b)
    # For tf32, tcgen05 supports only K as the fastest dimension.
    may_transpose = not isinstance(facts.a, ir.F32Type)
    a, b = (in_shared_memory(value, i, may_transpose=may_transpose) for i, value in enumerate((a, b)))
    rows, columns, _ = instruction_shape(TCGEN05, facts.part, facts.a, facts.warps)
    with rewriter.ip, op.location:
        accumulator = Accumulator(op, result, rows, columns, two_ctas)
        true = arith.true()
        (token,) = ttng.tc_gen5_mma(
            AsyncTokenType.get(),
            *(a, b, accumulator.buffer, true, true, [], []),
            acc_dep=accumulator.token,
            two_ctas=two_ctas,
        )
        loaded = accumulator.load(token)
    rewriter.replace_op(op, [loaded])
    return MATCHED


class Accumulator:
    """The accumulator of a dot in tensor memory, created at the current insertion point.

    Args:
        op: the dot, whose operand c initializes the accumulator.
        result: the type of the result.
        rows, columns: of a block in tensor memory.
        two_ctas: whether two CTAs compute the dot together.
    """

    def __init__(self, op: Any, result: Any, rows: int, columns: int, two_ctas: bool = False) -> None:
        self.result = result
        cga = cga_layout(tensor_layout(result))
        above, beside = cta_splits(cga, 2)
        layout = TensorMemory(rows, columns, REGISTER_BITS // result.element_type.width, above, beside, two_ctas)
        type = MemDescType.get(result.shape, result.element_type, layout, mutable=True)
        self.registers = with_layout(result, access_layout(type, num_warps(op.operation), cga))
        filled = ttg.convert_layout(op.c, self.registers)
        self.buffer, self.token = ttng.tmem_alloc(type, AsyncTokenType.get(), src=filled)

    def load(self, token: ir.Value) -> ir.Value:
        """Loads the buffer after the access that defines `token`; returns the tensor in the layout of the result."""
        loaded, _ = ttng.tmem_load(self.registers, AsyncTokenType.get(), self.buffer, dep=token)
        return ttg.convert_layout(loaded, self.result)


def is_too_precise(op: Any) -> bool:
    """Whether a tt.dot needs products of f32 in full precision."""
    return min(loaded_bits(op.a), loaded_bits(op.b)) >= REGISTER_BITS and op.inputPrecision != InputPrecision.TF32


# --- Pairs of CTAs ----------------------------------------------------------------------------------------------------
def can_pair_ctas(op: Any, facts: DotFacts) -> bool:
    """Whether two CTAs, with different rows, can compute the dot together, each loading half of operand b."""
    splits = cta_splits(cga_layout(tensor_layout(op.result.type)), len(facts.part))
    if splits != (2, 1) or facts.part[0] < PAIR_ROWS or facts.part[1] < PAIR_COLUMNS:
        return False
    source = defining(without_conversions(op.b))
    return source is not None and name_of(source) in BLOCK_LOADS


def may_pair_ctas(module: ir.Operation, target: Target) -> bool:
    """Whether two CTAs compute each tt.dot of tcgen05 together, since all of a kernel's do or none.

    Differs from Triton: where some can and others can't, Triton pairs CTAs for those that can, and refuses the kernel.
    """
    if target.mma_versions[0] != TCGEN05 or num_ctas(module) == 1:
        return True
    for op in collect(module, ["tt.dot"]):
        dot = op.opview
        if not is_laid_out(dot) or is_too_precise(dot):
            continue
        facts = DotFacts.of(dot, target)
        if facts.is_supported(TCGEN05) and not can_pair_ctas(dot, facts):
            return False
    return True


def is_laid_out(op: Any) -> bool:
    """Whether the result of a dot has a layout, and not yet that of an instruction."""
    layout = layout_of(op.result.type)
    return layout is not None and not isinstance(layout, NvidiaMma)


def split_columns(b: ir.Value) -> ir.Value:
    """Has each of two CTAs load one half of the columns of operand b; other users get b in its original layout."""
    value = without_conversions(b)
    load, before = value.owner.operation, value.type
    layout = tensor_layout(before)
    assert isinstance(layout, Blocked)
    halved = replace(layout, cga_layout=((0, 1),))
    with ir.InsertionPoint(load):
        update_operands(load, (_halved(operand, halved) for operand in list(load.operands)))
    value.set_type(with_layout(before, halved))
    with ir.InsertionPoint.after(load), load.location:
        whole = ttg.convert_layout(value, before)
    value.replace_all_uses_except(whole, whole.owner.operation)
    return value


def _halved(operand: ir.Value, layout: Blocked) -> ir.Value:
    """An operand of the load in its new layout; scalars stay."""
    if not isinstance(operand.type, ir.RankedTensorType):
        return operand
    return ttg.convert_layout(operand, with_layout(operand.type, layout), loc=operand.location)


# --- Scales -----------------------------------------------------------------------------------------------------------
def multiplies_scaled(op: Any) -> bool:
    """Whether tcgen05 supports the formats and scales of a tt.dot_scaled, regardless of its shape."""
    if op.a_scale is None or op.b_scale is None or op.c.type.rank != 2:
        return False
    formats = {op.a_elem_type, op.b_elem_type}
    if not all(isinstance(scale.type.element_type, ir.IntegerType) for scale in (op.a_scale, op.b_scale)):
        return formats == {Formats.E2M1}
    return not formats & {Formats.BF16, Formats.FP16}


def is_large_enough(part: Sequence[int]) -> bool:
    """Whether the part of a scaled dot that one CTA computes has the rows and columns of an instruction."""
    return part[0] >= SCALED_ROWS and part[1] >= SCALED_COLUMNS


def dot_scaled_to_tcgen05(op: Any, rewriter: PatternRewriter) -> Match:
    """dot_scaled -> convert_layout(tmem_load(tc_gen5_mma_scaled(...))), with scales in tensor memory too"""
    result = op.c.type
    layout = layout_of(result)
    if layout is None or isinstance(layout, NvidiaMma) or not multiplies_scaled(op):
        return NO_MATCH
    part = shape_per_cta(result.shape, layout)
    warps = num_warps(op.operation)
    if warps not in SCALED_WARPS or not is_large_enough(part) or not isinstance(result.element_type, ir.F32Type):
        return NO_MATCH
    a, b = (_scaled_operand(op, op_idx) for op_idx in (0, 1))
    cga = cga_layout(layout)
    with rewriter.ip, op.location:
        accumulator = Accumulator(op, result, SCALED_ROWS, min(part[1], MAX_COLUMNS))
        staged = [through_shared_memory(scale) for scale in (op.a_scale, op.b_scale)]
        a_scale, b_scale = _in_tensor_memory(staged, warps, cga)
        true = arith.true()
        (token,) = ttng.tc_gen5_mma_scaled(
            AsyncTokenType.get(),
            *(a, b, accumulator.buffer, a_scale, b_scale),
            *(op.a_elem_type, op.b_elem_type, true, true, [], []),
            acc_dep=accumulator.token,
        )
        loaded = accumulator.load(token)
    rewriter.replace_op(op, [loaded])
    return MATCHED


def _scaled_operand(op: Any, op_idx: int) -> ir.Value:
    value, format = ((op.a, op.a_elem_type), (op.b, op.b_elem_type))[op_idx]
    other = (op.b_elem_type, op.a_elem_type)[op_idx]
    packs_along_k = (op.lhs_k_pack, op.rhs_k_pack)[op_idx]
    is_fp4 = format == Formats.E2M1
    padded = (is_fp4 and other != format) or not packs_along_k
    order = {"may_transpose": not is_fp4, "transposed": not packs_along_k}
    return in_shared_memory(value, op_idx, **order, fp4_padded=padded, dot=op)


def _in_tensor_memory(scales: list[ir.Value], warps: int, cga: Bases) -> list[ir.Value]:
    above, beside = cta_splits(cga, 2)
    layout = TensorMemoryScales(above, beside)
    types = [MemDescType.get(scale.type.shape, scale.type.element_type, layout) for scale in scales]
    registers = [
        ttg.convert_layout(scale, with_layout(scale.type, access_layout(type, warps, cga)))
        for scale, type in zip(scales, types)
    ]
    return [ttng.tmem_alloc(type, None, src=value)[0] for type, value in zip(types, registers)]


def through_shared_memory(scale: ir.Value) -> ir.Value:
    """The scales, copied to shared memory if they come from global memory, so that the pipeliner can copy them there.

    Then optimize-dot-operands may have the dot read them from shared memory too.
    """
    source, is_direct = defining(scale), True
    while source is not None and name_of(source) in ("tt.reshape", "tt.trans", CONVERT_LAYOUT):
        source, is_direct = defining(source.src), False
    if source is None or name_of(source) not in BLOCK_LOADS:
        return scale
    value = source.result
    type, layout = value.type, tensor_layout(value.type)
    is_column_major = type.rank > 1 and order(to_linear_layout(type.shape, layout))[0] == 0
    shared = NvmmaShared(0, is_column_major, max(type.element_type.width, 8), False, type.rank, cga_layout(layout))
    with point_after(value), source.location:
        buffer = ttg.local_alloc(MemDescType.get(type.shape, type.element_type, shared), src=value)
        loaded = ttg.local_load(buffer, type)
    value.replace_all_uses_except(loaded, buffer.owner.operation)
    return loaded if is_direct else scale
