"""The layout of the row indices of TMA gathers and scatters."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from mlir import ir

from ttkit.dialects import ttg
from ttkit.layout.clusters import cga_layout
from ttkit.layout.encodings import Blocked, Layout, Slice
from ttkit.passes.infra.placed_builder import direct
from ttkit.passes.layouts.assignment import Layouts, convert_layout, tensor_layout, with_layout


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


def divided_as(buffer: Layout, rows: ir.Value, build: Callable[..., Any] = direct) -> ir.Value:
    """Row numbers divided among CTAs like the rows in a buffer: each CTA starts the copies of its rows.

    build: makes the conversion, if there must be one; by default at the current insertion point and location.
    """
    layout, wanted = tensor_layout(rows.type), tuple(basis[0] for basis in cga_layout(buffer))
    if not isinstance(layout, Slice) or not isinstance(layout.parent, Blocked) or layout.parent.rank != 2:
        return rows
    if tuple(basis[0] for basis in cga_layout(layout)) == wanted:
        return rows
    cga = tuple((0, step) if layout.dim == 0 else (step, 0) for step in wanted)
    divided = with_layout(rows.type, Slice(layout.dim, replace(layout.parent, cga_layout=cga)))
    return build(ttg.convert_layout, rows, divided)
