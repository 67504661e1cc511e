"""tt.dot_scaled on the mma.sync that takes block scales (sm_120): operands and scales in registers.

  %d = tt.dot_scaled %a scale %s, %b scale %t, %c lhs = e4m3 rhs = e4m3 : ... -> tensor<128x128xf32, #blocked>
=>
  %0 = ttg.convert_layout %s : ... -> tensor<128x4xi8, #linear>          // likewise %a, %b, %t, %c
  %1 = tt.dot_scaled %a0 scale %0, %b0 scale %t0, %c0 lhs = e4m3 rhs = e4m3 : ... -> tensor<128x128xf32, #mma>
  %d = ttg.convert_layout %1 : tensor<128x128xf32, #mma> -> tensor<128x128xf32, #blocked>
"""

from typing import Any

from mlir import ir
from mlir.rewrite import PatternRewriter

from ttkit.dialects import tt, ttg
from ttkit.dialects._layouts import layout_of
from ttkit.dialects.tt import ScaleDotElemType as Formats
from ttkit.layout.clusters import cga_layout, shape_per_cta
from ttkit.layout.encodings import Linear, NvidiaMma
from ttkit.layout.tile import DISTRIBUTED, Tile
from ttkit.passes.infra import MATCHED, NO_MATCH, Match
from ttkit.passes.layouts.assignment import tensor_layout, with_layout
from ttkit.passes.layouts.thread_counts import num_warps
from ttkit.passes.products.instruction import COLUMNS, ROWS, warps_of_mma_sync
from ttkit.passes.products.operands import in_registers
from ttkit.passes.products.scaled import is_regular

FP8 = (Formats.E4M3, Formats.E5M2)
BYTE_BITS = 8


def dot_scaled_to_mma_sync(op: Any, rewriter: PatternRewriter) -> Match:
    """dot_scaled -> convert_layout(dot_scaled of operands in the instruction's layouts)"""
    result = op.c.type
    layout = layout_of(result)
    if layout is None or isinstance(layout, NvidiaMma) or op.a_scale is None or op.b_scale is None:
        return NO_MATCH
    if not is_regular(op) or not isinstance(result.element_type, ir.F32Type):
        return NO_MATCH
    formats = (op.a_elem_type, op.b_elem_type)
    if formats != (Formats.E2M1, Formats.E2M1) and any(format not in FP8 for format in formats):
        return NO_MATCH
    part = shape_per_cta(result.shape, tensor_layout(result))
    warps = warps_of_mma_sync(op, part, num_warps(op.operation))
    mma = NvidiaMma(2, 0, warps, (*(1 for _ in part[:-2]), ROWS, COLUMNS), cga_layout(layout))
    with rewriter.ip, op.location:
        with op.c.location:
            accumulator = ttg.convert_layout(op.c, with_layout(result, mma))
        a, b = (in_registers(value, op_idx, BYTE_BITS, mma) for op_idx, value in enumerate((op.a, op.b)))
        a_scale, b_scale = (_converted(scale, op_idx, mma) for op_idx, scale in enumerate((op.a_scale, op.b_scale)))
        dot = tt.dot_scaled(a, b, accumulator, *formats, a_scale=a_scale, b_scale=b_scale, fast_math=op.fastMath)
        converted = ttg.convert_layout(dot, result)
    rewriter.replace_op(op, [converted])
    return MATCHED


def _converted(scale: ir.Value, op_idx: int, mma: NvidiaMma) -> ir.Value:
    """The scales in the layout of the instruction: those of a by rows, those of b by columns."""
    type = scale.type
    layout = scales_layout(tuple(type.shape), op_idx, mma, cga_layout(tensor_layout(type)))
    with scale.location:
        return ttg.convert_layout(scale, with_layout(type, layout))


def scales_layout(shape: tuple[int, ...], op_idx: int, mma: NvidiaMma, cga: Any) -> Linear:
    """Each thread has all scales of its rows: lanes 0, 4, 8 ... of the rows 0, 1, 2 ... of an instruction.

    For operand a, odd lanes have the eight rows after those.
    """
    tile = Tile(2, DISTRIBUTED)
    if op_idx == 0:
        tile.append_basis("lane", (ROWS // 2, 0)).broadcast("lane", 2)
        tile.sizes[0] = 1
        tile.append("lane", 0, ROWS // 2)
        tile.sizes[0] = ROWS
    else:
        tile.broadcast("lane", 4).append("lane", 0, COLUMNS)
    rows, columns = mma.warps_per_cta[-2:]
    for warps, moves in ((columns, op_idx == 1), (rows, op_idx == 0)):
        if moves:
            tile.append("warp", 0, warps)
        else:
            tile.broadcast("warp", warps)
    found = tile.cover("register", shape, cga, (1, 0))
    return Linear(*(found.bases(name) for name in DISTRIBUTED))
