"""The layout in shared memory from which operands of dots read a loaded tensor."""

from collections.abc import Sequence

from mlir import ir

from ttkit.dialects._layouts import layout_of
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import users_of
from ttkit.layout import to_linear_layout
from ttkit.layout.clusters import cga_layout
from ttkit.layout.distribution import contiguous_per_thread, order
from ttkit.layout.division import divide_left
from ttkit.layout.encodings import DotOperand, Linear, NvidiaMma, SwizzledShared
from ttkit.layout.linear import LinearLayout
from ttkit.operation_sets import CONVERT_LAYOUT
from ttkit.passes.layouts.orders import order_for_memory
from ttkit.passes.layouts.shared import swizzled_for_operand


def layout_for_operands(value: ir.Value) -> SwizzledShared | None:
    """The best layout for the operands of dots; None if a value has other users, or if they want several layouts."""
    return _agreed(value)[0]


def operands_disagree(value: ir.Value) -> bool:
    """Whether two users of a loaded tensor want different layouts in shared memory, before any that wants none."""
    return _agreed(value)[1]


def _agreed(value: ir.Value) -> tuple[SwizzledShared | None, bool]:
    """The layout that all users want; and whether two want different ones, before any that wants none."""
    chosen: SwizzledShared | None = None
    for user in users_of(value):
        if len(user.results) != 1:
            return None, False
        result = user.result
        disagree = False
        if isinstance(result.type, MemDescType):
            buffer = layout_of(result)
            inner, disagree = _agreed(result) if isinstance(buffer, SwizzledShared) else (None, False)
            layout = buffer if isinstance(buffer, SwizzledShared) and inner is not None else None
        elif user.name in ("ttg.local_load", CONVERT_LAYOUT):
            layout = _of_operand(value, result)
        else:
            return None, False
        if layout is None:
            return None, disagree
        if chosen not in (None, layout):
            return None, True
        chosen = layout
    return chosen, False


def _of_operand(value: ir.Value, reader: ir.Value) -> SwizzledShared | None:
    """The best layout to read `reader`, the value in another layout; None if its layout is not like an operand's."""
    type, layout, wanted = value.type, layout_of(value), layout_of(reader)
    assert layout is not None and wanted is not None
    shape = tuple(type.shape)
    if isinstance(wanted, DotOperand):
        is_tensor = isinstance(type, ir.RankedTensorType)
        memory_order = order_for_memory(to_linear_layout(shape, layout)) if is_tensor else layout.order
        ctas = cga_layout(wanted)
    else:
        linear = to_linear_layout(shape, wanted)
        memory_order = tuple(order(linear, "lane"))
        operand = _as_operand(linear, memory_order)
        if operand is None:
            return None
        ctas, wanted = cga_layout(layout if isinstance(wanted, Linear) else wanted), operand
    return swizzled_for_operand(wanted, shape, memory_order, type.element_type.width, ctas)


def _as_operand(linear: LinearLayout, lane_order: Sequence[int]) -> DotOperand | None:
    """The operand of an MMA with the order of lanes of a layout; None if there is none.

    Such layouts are those of transposed operands and of the results of MMAs.  In each tile, 4 lanes follow each other
    along one of the last two dimensions, with neighbouring registers between them, and 8 along the other.
    """
    rank = len(lane_order)
    if rank < 2 or set(lane_order[:2]) != {rank - 2, rank - 1}:
        return None
    along, across = (linear.out_dims[dim] for dim in lane_order[:2])
    width = contiguous_per_thread(linear)[lane_order[0]]
    tile = LinearLayout.identity(width, "register", along) * LinearLayout.identity(4, "lane", along)
    if divide_left(linear, tile * LinearLayout.identity(8, "lane", across)) is None:
        return None
    # Only the contracted dimension tells A from B.
    return DotOperand(
        0 if lane_order[0] == rank - 1 else 1, NvidiaMma(2, 0, (1,) * rank, (1,) * (rank - 2) + (16, 8)), width
    )
