"""Transpose and reshape dot operands as views of shared memory, where that costs nothing.

    %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<64x128xf16, #blocked> -> tensor<128x64xf16, #blocked1>
    %b = ttg.local_alloc %t : (tensor<128x64xf16, #blocked1>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
    %d = ttng.warp_group_dot %a, %b, %c
  =>
    %m = ttg.local_alloc %x : (tensor<64x128xf16, #blocked>) -> !ttg.memdesc<64x128xf16, #shared1, #smem>
    %b = ttg.memdesc_trans %m {order = array<i32: 1, 0>} : ... -> !ttg.memdesc<128x64xf16, #shared, #smem>
    %d = ttng.warp_group_dot %a, %b, %c

An operand that mma.sync reads from registers goes through a buffer that is swizzled for it.  Scales of tcgen05 in
shared memory that are in the order of tensor memory become operands of the mma unchanged.

Input:  ttg.      Output: ttg.
Order:  after the remove-layout-conversions that follows accelerate-matmul; again after pipelining.
Skips:  operands that are used elsewhere too.
Test:   test/lit/passes/optimize_dot_operands.mlir
"""

from typing import Any

from mlir import ir
from mlir.rewrite import PatternRewriter

from ttkit.dialects import ttg
from ttkit.dialects._layouts import layout_of
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import only_user
from ttkit.layout import UnsuitableShape, to_linear_layout
from ttkit.layout.clusters import cga_layout
from ttkit.layout.encodings import Bases, DotOperand, NvmmaShared
from ttkit.operation_sets import ASYNC_MMAS, CONVERT_LAYOUT
from ttkit.passes.infra import MATCHED, NO_MATCH, Match, Pass, apply_greedily, contains_any, defining_op, option
from ttkit.passes.infra.rewriting import Pattern
from ttkit.passes.infra.transforms import canonicalize
from ttkit.passes.layouts.assignment import tensor_layout
from ttkit.passes.layouts.orders import order_for_memory
from ttkit.passes.layouts.shared import nvmma_for, reshaped, swizzled_for_operand
from ttkit.passes.products.instruction import HALF
from ttkit.passes.products.operands import matrix_transposition
from ttkit.passes.products.packed_scales import read_scales_from_shared_memory
from ttkit.records import dataclass

ACTS_ON = ("tt.trans", "tt.reshape", "ttng.tc_gen5_mma_scaled")


@dataclass(frozen=True)
class OptimizeDotOperands(Pass):
    """Transpose and reshape dot operands as views of shared memory"""

    name = "tritongpu-optimize-dot-operands"

    hoist_layout_conversion: bool = option(
        True, "nothing: remove-layout-conversions hoists the conversions of operands"
    )

    def run(self, op: ir.Operation) -> None:
        """Canonicalizes, then applies the patterns until nothing changes."""
        canonicalize(op)
        if not contains_any(op, ACTS_ON):
            return
        patterns: dict[str, Pattern | list[Pattern]] = {
            CONVERT_LAYOUT: swizzle_for_transposed,
            "ttg.local_alloc": [transpose_buffer, reshape_buffer],
            "ttng.tc_gen5_mma_scaled": read_scales_from_shared_memory,
        }
        apply_greedily(op, patterns, canonicalize=[CONVERT_LAYOUT])


def turned(cga: Bases) -> Bases:
    """The layout of CTAs of a matrix's transpose."""
    return tuple(basis[::-1] for basis in cga)


def swizzle_for_transposed(op: Any, rewriter: PatternRewriter) -> Match:
    """dot(convert(trans(x))) -> dot(local_load(memdesc_trans(local_alloc(x))))"""
    user = only_user(op.result)
    trans, operand = matrix_transposition(op.src), layout_of(op.result)
    if user is None or user.name != "tt.dot" or trans is None or not isinstance(operand, DotOperand):
        return NO_MATCH
    stored = trans.src.type
    convert = defining_op(trans.src, CONVERT_LAYOUT)
    source = stored if convert is None else convert.src.type
    layout = tensor_layout(source)
    shared = swizzled_for_operand(
        operand,
        source.shape,
        order_for_memory(to_linear_layout(source.shape, layout)),
        source.element_type.width,
        turned(cga_layout(layout)),
        transposed=True,
    )
    with ir.InsertionPoint(trans), trans.location:
        buffer = ttg.local_alloc(MemDescType.get(source.shape, source.element_type, shared), src=trans.src)
        loaded = ttg.local_load(ttg.memdesc_trans(buffer, [1, 0]), op.result.type)
    rewriter.replace_op(op, [loaded])
    return MATCHED


def transpose_buffer(op: Any, rewriter: PatternRewriter) -> Match:
    """dot(local_alloc(trans(x))) -> dot(memdesc_trans(local_alloc(x)))"""
    user = only_user(op.result)
    if op.src is None or user is None or user.name not in ASYNC_MMAS:
        return NO_MATCH
    trans, layout = matrix_transposition(op.src), layout_of(op.result)
    if trans is None or not isinstance(layout, NvmmaShared):
        return NO_MATCH
    stored = trans.src.type
    convert = defining_op(trans.src, CONVERT_LAYOUT)
    source = stored if convert is None else convert.src.type
    order = tuple(order_for_memory(to_linear_layout(source.shape, tensor_layout(source))))
    if not isinstance(op.result.type.element_type, HALF):  # the instruction wants K to be the fastest dimension
        order = (0, 1) if user.opview.a == op.result else (1, 0) if user.opview.b == op.result else order
    bits = stored.element_type.width
    shared = nvmma_for(stored.shape, bits, turned(layout.cga_layout), order, layout.fp4_padded)
    with rewriter.ip, op.location:
        buffer = ttg.local_alloc(MemDescType.get(stored.shape, stored.element_type, shared), src=trans.src)
        view = ttg.memdesc_trans(buffer, [1, 0])
    rewriter.replace_op(op, [view])
    return MATCHED


def reshape_buffer(op: Any, rewriter: PatternRewriter) -> Match:
    """local_alloc(reshape(x)) -> memdesc_reshape(local_alloc(x)), where mmas can read the layout that x gets."""
    reshape = None if op.src is None else defining_op(op.src, "tt.reshape")
    layout = layout_of(op.result)
    if reshape is None or not isinstance(layout, NvmmaShared):
        return NO_MATCH
    type = op.result.type
    shape = reshape.src.type.shape
    try:
        inner = reshaped(layout, type.shape, shape)
    except UnsuitableShape:
        return NO_MATCH
    if not isinstance(inner, NvmmaShared):
        return NO_MATCH
    with rewriter.ip, op.location:
        buffer = MemDescType.get(shape, type.element_type, inner, type.memory_space, type.mutable)
        view = ttg.memdesc_reshape(type, ttg.local_alloc(buffer, src=reshape.src))
    rewriter.replace_op(op, [view])
    return MATCHED
