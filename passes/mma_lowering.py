"""Make mmas in tensor memory asynchronous, and signal their completion at mbarriers.

    ttng.tc_gen5_mma %a, %b, %acc, %true, %pred
  =>
    %barrier = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #barrier, #smem, mutable>
    ttng.init_barrier %barrier, 1
    ttng.tc_gen5_mma %a, %b, %acc, %true, %pred, %barrier[%true] {is_async}
    ttng.wait_barrier %barrier, %c0_i32, %pred
    ttng.inval_barrier %barrier

Commits right after an mma become barriers of the mma.  Scales in shared memory are copied to tensor memory first.

Input:  ttg and ttng.      Output: the same, all mmas with `is_async`.
Order:  after the passes that may still pipeline mmas.
Skips:  mmas that are asynchronous already.
Test:   test/lit/passes/mma_lowering.mlir
"""

from collections.abc import Sequence
from typing import Any

from mlir import ir
from mlir.rewrite import PatternRewriter

from ttkit.dialects import arith, ttg, ttng
from ttkit.dialects._layouts import layout_of
from ttkit.dialects._ttg_types import MemDescType
from ttkit.dialects.tt import ScaleDotElemType as Formats
from ttkit.inspection import collect, defining, next_operation
from ttkit.layout.clusters import cga_layout, cta_splits
from ttkit.layout.encodings import NvmmaShared, SwizzledShared, TensorMemoryScales
from ttkit.layout.encodings import TensorMemory as TensorMemoryBlocks
from ttkit.operation_sets import TCGEN5_MMAS
from ttkit.passes.infra import MATCHED, NO_MATCH, Match, Pass, apply_greedily, is_memory_effect_free
from ttkit.passes.infra.constants import constant_splat
from ttkit.passes.infra.mbarriers import MULTICAST
from ttkit.passes.infra.preconditions import refuse_invalid
from ttkit.passes.infra.rewriting import Pattern
from ttkit.passes.infra.segments import add_barrier
from ttkit.passes.infra.slices import backward_slice
from ttkit.passes.layouts.assignment import tensor_layout
from ttkit.passes.partitioning.partitions import refuse_partitions

BARRIER = SwizzledShared(1, 1, 1, (0,))
COMMIT = "ttng.tc_gen5_commit"


class MMALowering(Pass):
    """Make mmas in tensor memory asynchronous, and signal their completion at mbarriers"""

    name = "triton-nvidia-mma-lowering"
    dependent_dialects = ("arith", "ttg", "ttng")

    def run(self, op: ir.Operation) -> None:
        """Applies the patterns to mmas in tensor memory until nothing changes."""
        refuse_partitions(collect(op, TCGEN5_MMAS))
        patterns: dict[str, list[Pattern]] = {name: [run_in_background, merge_commits] for name in TCGEN5_MMAS}
        patterns["ttng.tc_gen5_mma_scaled"].append(copy_scales)
        apply_greedily(op, patterns)


def run_in_background(op: Any, rewriter: PatternRewriter) -> Match:
    """mma -> init_barrier, mma at the barrier, wait_barrier"""
    if op.is_async:
        return NO_MATCH
    type = MemDescType.get([1], ir.IntegerType.get_signless(64), BARRIER, mutable=True)
    with rewriter.ip, op.location:
        barrier = ttg.local_alloc(type)
        ttng.init_barrier(barrier, 1)
        add_barrier(op.operation, barrier, arith.true())
    op.operation.attributes["is_async"] = ir.UnitAttr.get()
    if MULTICAST in op.operation.attributes:  # each CTA waits for its own product
        del op.operation.attributes[MULTICAST]
    with ir.InsertionPoint.after(op), op.location:
        ttng.wait_barrier(barrier, arith.i32(0), [], pred=op.pred)
        ttng.inval_barrier(barrier)
    return MATCHED


# --- Commits ----------------------------------------------------------------------------------------------------------
def merge_commits(op: Any, rewriter: PatternRewriter) -> Match:
    """mma, commit -> mma at the commit's barrier"""
    commits = commits_after(op)
    if not commits:
        return NO_MATCH
    for commit in commits:
        for value in commit.operands:
            _move_before(op.operation, value)
        view: Any = commit.opview
        pred = view.pred
        if pred is None:
            with ir.InsertionPoint(op), op.location:
                pred = arith.true()
        add_barrier(op.operation, view.barrier, pred)
        rewriter.erase_op(commit)
    return MATCHED


def commits_after(op: Any) -> list[ir.Operation]:
    """The commits after an asynchronous mma, with no side effects in between."""
    if not op.is_async or MULTICAST in op.operation.attributes:
        return []
    is_always = constant_splat(op.pred) == 1
    found = []
    following = next_operation(op.operation)
    while following is not None:
        if following.name == COMMIT:
            pred = following.opview.pred
            if following.opview.descs or (not is_always and (pred is None or op.pred is None or pred != op.pred)):
                break
            found.append(following)
        elif not is_memory_effect_free(following):
            break
        following = next_operation(following)
    return found


def _move_before(op: ir.Operation, value: ir.Value) -> None:
    """Moves the operations that compute a value before an operation of the same block."""
    source = defining(value)

    def is_after(other: ir.Operation) -> bool:
        """Whether an operation comes after `op` in its block."""
        return other.block == op.block and op.is_before_in_block(other)

    if source is None or not is_after(source.operation):
        return
    late: Sequence[ir.Operation] = [*backward_slice(source.operation, is_after), source.operation]
    ordered: list[ir.Operation] = []
    following = next_operation(op)
    while following is not None and len(ordered) < len(late):
        if any(following == other for other in late):
            ordered.append(following)
        following = next_operation(following)
    for other in ordered:
        other.move_before(op)


# --- Scales -----------------------------------------------------------------------------------------------------------
def copy_scales(op: Any, rewriter: PatternRewriter) -> Match:
    """mma_scaled of scales in shared memory -> tmem_copy, mma_scaled of scales in tensor memory

    Raises:
        PassError: scales of their layout in shared memory can't be copied.
    """
    matched: Match = NO_MATCH
    for name, rows in (("a_scale", _rows(op)), ("b_scale", _columns(op))):
        scale = getattr(op, name)
        layout = layout_of(scale)
        if isinstance(layout, (TensorMemoryScales, TensorMemoryBlocks)):
            continue
        type = scale.type
        count = 1
        for size in type.shape:
            count *= size
        above, beside = cta_splits(cga_layout(tensor_layout(type)), 2)
        in_memory = TensorMemoryScales(above, beside)
        memory = MemDescType.get([rows, count // rows], type.element_type, in_memory, mutable=True)
        with rewriter.ip, op.location:
            (copy,) = ttng.tmem_alloc(memory, None)
            copied = ttng.tmem_copy(scale, copy)
        refuse_invalid(copied.operation, op, "can't copy its scales")
        setattr(op, name, copy)
        matched = MATCHED
    return matched


def _rows(op: Any) -> int:
    """Rows of operand a in elements: packed along them if it is column-major."""
    layout = layout_of(op.a)
    packed = op.a_type == Formats.E2M1 and isinstance(layout, NvmmaShared) and layout.transposed
    return int(op.a.type.shape[-2]) * (2 if packed else 1)


def _columns(op: Any) -> int:
    layout = layout_of(op.b)
    packed = op.b_type == Formats.E2M1 and isinstance(layout, NvmmaShared) and not layout.transposed
    return int(op.b.type.shape[-1]) * (2 if packed else 1)
