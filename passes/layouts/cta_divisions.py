"""Division of products and reductions among the CTAs of a cluster."""

from collections.abc import Sequence
from math import prod

from mlir import ir

from ttkit.layout import to_linear_layout
from ttkit.layout.blocked import blocked_in_ctas
from ttkit.layout.clusters import cga_bases, cga_layout
from ttkit.layout.distribution import contiguous_per_thread, order
from ttkit.layout.encodings import Bases, Blocked, DotOperand, Layout, Slice
from ttkit.passes.infra import PassError
from ttkit.passes.layouts.assignment import tensor_layout
from ttkit.passes.layouts.thread_counts import num_ctas, num_warps, threads_per_warp

# The least number of rows and columns of a CTA's part of a dot, if there are enough; and the preferred number of rows.
MIN_PART, PREFERRED_PART = 64, 128


def is_blocked(layout: Layout) -> bool:
    """Whether the layout is one that coalesce makes, whose CTAs `with_cga_layout` can arrange."""
    return is_blocked(layout.parent) if isinstance(layout, Slice) else isinstance(layout, Blocked)


def with_cga_layout(layout: Layout, shape: Sequence[int], bases: Bases, op: ir.Operation) -> Layout:
    """The layout with another arrangement of CTAs, `bases`; within each CTA it stays.

    Raises:
        PassError: the layout is of a kind that only later passes create.
    """
    if isinstance(layout, Slice):
        dim = layout.dim
        outer = [*shape[:dim], 1, *shape[dim:]]
        wider = tuple((*basis[:dim], 0, *basis[dim:]) for basis in bases)
        return Slice(dim, with_cga_layout(layout.parent, outer, wider, op))
    if not isinstance(layout, Blocked):
        raise PassError(op, f"can't plan the CTAs of layout {layout}; run this pass right after coalesce")
    return blocked_in_ctas(shape, layout.size_per_thread, layout.order, num_warps(op), threads_per_warp(op), bases)


def divided_dot(dot: ir.Operation) -> Blocked:
    """A layout for the result of a tt.dot in which each CTA has a large part.

    Raises:
        PassError: the dot already has the layout of an instruction.
    """
    type = dot.result.type
    layout = tensor_layout(type)
    operands = [tensor_layout(operand.type) for operand in (dot.opview.a, dot.opview.b)]
    if not isinstance(layout, Blocked) or not all(isinstance(operand, DotOperand) for operand in operands):
        raise PassError(
            dot, "found a dot that already has the layout of an instruction; run this pass before accelerate-matmul"
        )
    rows, columns = divided(type.shape[-2], type.shape[-1], num_ctas(dot))
    splits = [1] * (type.rank - 2) + [rows, columns]
    bases = cga_bases(splits, splits, range(type.rank)[::-1])
    warps, threads = num_warps(dot), threads_per_warp(dot)
    return blocked_in_ctas(type.shape, layout.size_per_thread, layout.order, warps, threads, bases)


def divided(rows: int, columns: int, ctas: int) -> tuple[int, int]:
    """The numbers of CTAs that divide the rows and the columns of a dot."""
    part = PREFERRED_PART
    while True:
        row_ctas = max(1, min(rows // part, ctas))
        column_ctas = ctas // row_ctas
        part //= 2
        if columns // column_ctas >= MIN_PART or part < MIN_PART:
            return row_ctas, column_ctas


def divided_reduction(reduction: ir.Operation, *, divides_vectors: bool = False, divides_axis: bool = False) -> Layout:
    """A layout for the operands of a tt.reduce, whose other dimensions the CTAs divide, slowest first.

    CTAs that have no part all hold the same elements and repeat the reduction, but in these cases:

    Args:
        divides_vectors: operands of one dimension are divided along it; the CTAs then exchange what they found.
        divides_axis: so are operands whose other dimensions have fewer elements than there are CTAs.
    """
    type, axis = reduction.opview.srcs[0].type, reduction.attributes["axis"].value
    layout, count = tensor_layout(type), num_ctas(reduction)
    others = prod(size for d, size in enumerate(type.shape) if d != axis)
    if (divides_vectors and type.rank == 1) or (divides_axis and others < count <= type.shape[axis]):
        splits = [count if d == axis else 1 for d in range(type.rank)]
        return with_cga_layout(layout, type.shape, cga_bases(splits, splits, range(type.rank)[::-1]), reduction)
    linear = to_linear_layout(type.shape, layout)
    widths, dimensions = contiguous_per_thread(linear), order(linear)
    left = count
    ctas = [1] * type.rank
    slowest_first = [d for d in reversed(dimensions) if d != axis]
    for d in slowest_first:
        ctas[d] = min(type.shape[d] // widths[d], left)
        left //= ctas[d]
    splits = list(ctas)
    if slowest_first:
        ctas[slowest_first[0]] *= left
        splits = list(ctas)
    else:
        ctas[dimensions[-1]] *= left
    return with_cga_layout(layout, type.shape, cga_bases(ctas, splits, cta_order(layout)), reduction)


def cta_order(layout: Layout) -> list[int]:
    """The dimensions along which CTAs move, fastest first, then the others, innermost first."""
    bases: Bases = cga_layout(layout)
    moved = [d for basis in bases for d, step in enumerate(basis) if step]
    return list(dict.fromkeys([*moved, *range(layout.rank)[::-1]]))


def of_dot(layout: Blocked) -> list[Layout]:
    """The layouts of the operands of a tt.dot, given that of its result."""
    return [DotOperand(0, layout), DotOperand(1, layout), layout]


def of_reduction(reduction: ir.Operation, layout: Layout) -> Layout | None:
    """The layout of the results of a tt.reduce, given that of its operands; None for results that are not tensors."""
    return Slice(reduction.attributes["axis"].value, layout) if layout.rank > 1 else None
