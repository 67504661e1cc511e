"""The layout of the row indices of TMA gathers and scatters."""

from typing import Any

from mlir import ir

from ttkit.layout.encodings import Blocked, Slice
from ttkit.passes.layouts.assignment import Layouts, convert_layout, with_layout


def convert_gather_indices(op: ir.Operation, layouts: Layouts) -> None:
    """Four neighbouring row indices in each thread, as one instruction takes them, replicated in all warps."""
    view: Any = op.opview
    rows = view.x_offsets
    wanted = layouts.once(row_indices, rows.type, layouts)
    if wanted != rows.type:
        view.x_offsets = convert_layout(rows, wanted, ir.InsertionPoint(op), op.location)


def row_indices(source: ir.RankedTensorType, layouts: Layouts) -> ir.Type:
    """The type of the row indices of a gather or scatter: four consecutive ones in each lane."""
    cga_layout = tuple((0, 1 << bit) for bit in range((layouts.machine.num_ctas - 1).bit_length()))
    parent = Blocked((1, 4), (layouts.machine.threads_per_warp, 1), (1, layouts.machine.num_warps), (1, 0), cga_layout)
    return with_layout(source, Slice(0, parent))
