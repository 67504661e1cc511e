"""Merge operations: dot and add, chains of addptr, selects of masked loads, mul and sum, rank changes.

    %0 = tt.dot %a, %b, %zero                       // accumulator is zero
    %1 = arith.addf %0, %d                     =>   %1 = tt.dot %a, %b, %d

    %0 = tt.addptr %p, %i : !tt.ptr<f32>, i64       %0 = arith.addi %i, %j : i64
    %1 = tt.addptr %0, %j : !tt.ptr<f32>, i64  =>   %1 = tt.addptr %p, %0 : !tt.ptr<f32>, i64

Input:  tt.      Output: tt, same result types.
Order:  after canonicalize, which makes the operands that this pass tests for zero constant.
Skips:  dots with another use or an accumulator that is not zero; addptr offsets narrower than 64 bits whose sum could
        overflow; loads with a possible store before the select; mul and sum that are not f32; reshapes
        whose users depend on the order of elements.
Test:   test/lit/passes/combine.mlir
"""

from typing import Any

from mlir import ir
from mlir.rewrite import PatternRewriter

from ttkit.analysis.axis_analysis import HINTS
from ttkit.dialects import arith, tt
from ttkit.inspection import name_of, next_operation, only_user
from ttkit.passes.infra import (
    MATCHED,
    NO_MATCH,
    Match,
    Pass,
    apply_greedily,
    constant_splat,
    contains_any,
    defining_op,
    only_reads,
)
from ttkit.passes.infra.transforms import recreate

# Attributes of tt.addptr that describe its result; other discardable attributes describe the operation itself.

# A dot below this size in M or N is slower than mul and sum.
MIN_DOT_SIZE = 16


class CombineOps(Pass):
    """Merge dot+add, addptr chains, selects of masked loads, mul+sum, and reshapes of descriptor loads"""

    name = "triton-combine"
    may_change = (
        "the order of floating-point sums: a dot adds to its accumulator; and the precision of mul and sum, "
        "which become a dot in tf32"
    )

    def run(self, op: ir.Operation) -> None:
        """Applies the patterns whose operations the module has, until nothing changes."""
        patterns: dict[str, Any] = {
            "arith.select": combine_select_of_masked_load,
            "tt.addptr": combine_addptr_chain,
            "tt.reduce": combine_sum_of_products,
            "tt.reshape": [drop_unit_dims_of_descriptor_load, allow_reorder_before_reduction],
        }
        # Most kernels have many additions and no dot, nor anything that could become one.
        if contains_any(op, ["tt.dot", "tt.reduce"]):
            patterns |= {"arith.addf": combine_dot_addf, "arith.addi": combine_dot_add}
        apply_greedily(op, patterns)


def combine_dot_addf(op: ir.OpView, rewriter: PatternRewriter) -> Match:
    """dot(a, b, 0) + d -> dot(a, b, d), unless the dot asks for partial sums of its own precision."""
    return combine_dot_add(op, rewriter, max_imprecise_acc=0)


def combine_dot_add(op: ir.OpView, rewriter: PatternRewriter, max_imprecise_acc: int | None = None) -> Match:
    """dot(a, b, 0) + d -> dot(a, b, d), and d + dot(a, b, 0) likewise."""
    for value, addend in ((op.rhs, op.lhs), (op.lhs, op.rhs)):
        dot = defining_op(value, "tt.dot")
        if dot is None:
            continue
        # As in Triton, only the right operand counts if both are dots.
        if constant_splat(dot.c) != 0 or only_user(value) is None:
            return NO_MATCH
        if max_imprecise_acc is not None and dot.maxNumImpreciseAcc != max_imprecise_acc:
            return NO_MATCH
        # The addend may be defined after the dot, so the dot moves to the addition.
        merged = dot.operation.clone(ip=rewriter.ip)
        merged.c = addend
        rewriter.replace_op(op, merged)
        return MATCHED
    return NO_MATCH


def combine_addptr_chain(op: ir.OpView, rewriter: PatternRewriter) -> Match:
    """addptr(addptr(addptr(p, i), j), k) -> addptr(p, i + (j + k)), as far as no sum can overflow."""
    pointer, offset = op.ptr, op.offset
    while (inner := defining_op(pointer, "tt.addptr")) is not None and sum_is_exact(inner.offset, offset):
        with rewriter.ip, op.location:
            offset = arith.addi(inner.offset, offset)
        pointer = inner.ptr
    if pointer == op.ptr:
        return NO_MATCH
    with rewriter.ip, op.location:
        merged = tt.addptr(pointer, offset).owner.operation
    for name in HINTS:
        if name in op.attributes:
            merged.attributes[name] = op.attributes[name]
    rewriter.replace_op(op, merged)
    return MATCHED


def sum_is_exact(first: ir.Value, second: ir.Value) -> bool:
    """Whether the sum of two offsets is exact: 64-bit ones wrap like addresses; others must be constants that fit."""
    if first.type != second.type:
        return False
    width = (first.type.element_type if isinstance(first.type, ir.ShapedType) else first.type).width
    if width == 64:
        return True
    a, b = constant_splat(first), constant_splat(second)
    if a is None or b is None:
        return False
    limit = 1 << (width - 1)
    return -limit <= a + b < limit


def combine_select_of_masked_load(op: ir.OpView, rewriter: PatternRewriter) -> Match:
    """select(c, load(p, splat(c), _), other) -> load(p, splat(c), other)."""
    load = defining_op(op.true_value, "tt.load")
    if load is None or load.mask is None:
        return NO_MATCH
    splat = defining_op(load.mask, "tt.splat")
    if splat is None or splat.src != op.condition:
        return NO_MATCH
    if may_write_between(load.operation, op.operation):
        return NO_MATCH
    with rewriter.ip, op.location:
        options = {"cache": load.cache, "evict": load.evict, "is_volatile": load.isVolatile, "padding": load.padding}
        merged = tt.load(load.ptr, mask=load.mask, other=op.false_value, **options)
    rewriter.replace_op(op, [merged])
    return MATCHED


def may_write_between(first: ir.Operation, last: ir.Operation) -> bool:
    """Whether memory may be written between `first` and `last`; true if they are in different blocks."""
    between = next_operation(first)
    while between is not None and between != last:
        if not only_reads(between):
            return True
        between = next_operation(between)
    return between is None


def combine_sum_of_products(op: ir.OpView, rewriter: PatternRewriter) -> Match:
    """sum(x[:, :, None] * y[None, :, :], axis=1) -> dot(x, y, 0), for f32."""
    if len(op.srcs) != 1 or op.axis != 1 or not is_addf_reduction(op):
        return NO_MATCH
    product = defining_op(op.srcs[0], "arith.mulf")
    if product is None:
        return NO_MATCH
    lhs, rhs = expanded_and_broadcast(product.lhs, axis=2), expanded_and_broadcast(product.rhs, axis=0)
    if lhs is None or rhs is None:
        return NO_MATCH
    m, _, n = product.result.type.shape
    if m < MIN_DOT_SIZE or n < MIN_DOT_SIZE:
        return NO_MATCH
    result = op.result[0].type
    if not isinstance(result.element_type, ir.F32Type):
        return NO_MATCH
    with rewriter.ip, op.location:
        merged = tt.dot(lhs, rhs, arith.constant(result, 0.0), input_precision=tt.InputPrecision.TF32)
    rewriter.replace_op(op, [merged])
    return MATCHED


def is_addf_reduction(op: ir.OpView) -> bool:
    """Whether the region returns one arith.addf of its arguments."""
    blocks = list(op.combineOp.blocks)
    if len(blocks) != 1:
        return False
    body = list(blocks[0].operations)
    return (
        len(body) == 2
        and name_of(body[0]) == "arith.addf"
        and set(body[0].operands) == set(blocks[0].arguments)
        and list(body[1].operands) == list(body[0].operation.results)
    )


def expanded_and_broadcast(value: ir.Value, axis: int) -> ir.Value | None:
    """x, if `value` is broadcast(expand_dims(x, axis)) of a matrix."""
    broadcast = defining_op(value, "tt.broadcast")
    expand = broadcast and defining_op(broadcast.src, "tt.expand_dims")
    if not expand or expand.axis != axis or expand.src.type.rank != 2:
        return None
    # Broadcasting anything but the new dimension would repeat elements of x.
    source, result = expand.result.type.shape, value.type.shape
    return expand.src if all(s == r for d, (s, r) in enumerate(zip(source, result)) if d != axis) else None


def drop_unit_dims_of_descriptor_load(op: ir.OpView, rewriter: PatternRewriter) -> Match:
    """reshape(descriptor_load : 1x..xS) : S -> descriptor_load : S."""
    load = defining_op(op.src, "tt.descriptor_load")
    if load is None or only_user(op.src) is None:
        return NO_MATCH
    source, result = op.src.type.shape, op.result.type.shape
    dropped = len(source) - len(result)
    if dropped <= 0 or any(size != 1 for size in source[:dropped]) or source[dropped:] != result:
        return NO_MATCH
    rewriter.replace_op(op, recreate(load.operation, [op.result.type]))
    rewriter.erase_op(load.operation)
    return MATCHED


def allow_reorder_before_reduction(op: ir.OpView, rewriter: PatternRewriter) -> Match:
    """reshape to 1-D, used only by reductions over all of it -> the same with allow_reorder."""
    if "allow_reorder" in op.attributes or op.result.type.rank != 1:
        return NO_MATCH
    # Another operand of the user would no longer be paired with the same elements.
    if any(
        use.owner.name not in ("tt.reduce", "tt.histogram") or len(use.owner.operands) != 1 for use in op.result.uses
    ):
        return NO_MATCH
    reordered = op.operation.clone(ip=rewriter.ip)
    reordered.attributes["allow_reorder"] = ir.UnitAttr.get()
    rewriter.replace_op(op, reordered)
    return MATCHED
