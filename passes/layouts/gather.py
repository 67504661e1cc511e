"""The layout of the row numbers that TMA gathers and scatters take."""

from mlir import ir

from ttkit.layout.encodings import Blocked, Slice
from ttkit.passes.layouts.assignment import Layouts, convert_operand, with_layout


def convert_gather_indices(op: ir.Operation, layouts: Layouts) -> None:
    """Four neighbouring row numbers in each thread, as one instruction takes them; all warps hold the same."""
    index = _rows_index(op)
    source = op.operands[index].type
    wanted = layouts.once(row_numbers, source, layouts)
    if wanted != source:
        convert_operand(op, index, wanted, op.location)


def row_numbers(source: ir.RankedTensorType, layouts: Layouts) -> ir.Type:
    """The type of the row numbers of a gather or scatter: four consecutive ones in each lane."""
    cga_layout = tuple((0, 1 << bit) for bit in range((layouts.machine.num_ctas - 1).bit_length()))
    parent = Blocked((1, 4), (layouts.machine.threads_per_warp, 1), (1, layouts.machine.num_warps), (1, 0), cga_layout)
    return with_layout(source, Slice(0, parent))


def _rows_index(op: ir.Operation) -> int:
    """Which operand is the row numbers: the only integer vector."""
    return next(
        i
        for i, operand in enumerate(op.operands)
        if isinstance(operand.type, ir.RankedTensorType) and operand.type.rank == 1
    )
