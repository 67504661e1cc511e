"""Linear layouts that matrix instructions prescribe for results and operands."""

from __future__ import annotations

from collections.abc import Sequence

from ttkit.layout.distributed_encodings import AmdMfma, AmdWmma, DotOperand, NvidiaMma
from ttkit.layout.encoding_base import Bases, Ints
from ttkit.layout.linear import LinearLayout
from ttkit.layout.tile import DISTRIBUTED, Tile, matrix_order

_WAVE = 64  # lanes of an AMD CDNA warp


def k_dim(op_idx: int, rank: int) -> int:
    """The dimension of operand `op_idx` that the product reduces."""
    return rank - 1 if op_idx == 0 else rank - 2


def operand_cga(cga: Bases, k: int) -> Bases:
    """The CTAs' parts of an operand: CTAs that differ along K in the result need the same."""
    return tuple(tuple(0 if dim == k else value for dim, value in enumerate(basis)) for basis in cga)


def _operand_order(op_idx: int, rank: int) -> list[int]:
    """Elements are consecutive along K first."""
    return matrix_order(rank, row_major=op_idx == 0)


def operand(layout: DotOperand, shape: Ints) -> LinearLayout | None:
    """Operand of the matrix instruction that `layout.parent` belongs to; None if the instruction does not fit."""
    parent = layout.parent
    if isinstance(parent, NvidiaMma):
        return _nvidia_operand(parent, layout.op_idx, layout.k_width, shape)
    if isinstance(parent, AmdMfma):
        return _mfma_operand(parent, layout.op_idx, layout.k_width, shape)
    if isinstance(parent, AmdWmma):
        return _wmma_operand(parent, layout.op_idx, layout.k_width, shape)
    return None


# --- NVIDIA ----------------------------------------------------------------------------------------------------------
def _nvidia_tile(rank: int, inner: int, inner_size: int, outer: int, outer_size: int, k_width: int) -> Tile | None:
    """One instruction's tile of `outer_size` x `inner_size` elements.

    Four threads with `k_width` neighbours each make a row of the unit, which has eight rows; units are repeated along
    the outer dimension, then along the inner one.
    """
    rows, columns = outer_size // 8, inner_size // (4 * k_width)
    if rows * 8 != outer_size or columns * 4 * k_width != inner_size or rows & (rows - 1) or columns & (columns - 1):
        return None
    tile = Tile(rank, DISTRIBUTED)
    tile.append("register", inner, k_width).append("lane", inner, 4).append("lane", outer, 8)
    return tile.append("register", outer, rows).append("register", inner, columns)


def _warp_order(layout: NvidiaMma) -> list[int]:
    return matrix_order(layout.rank, row_major=layout.version_major != 3)


def nvidia_result(layout: NvidiaMma, shape: Ints) -> LinearLayout | None:
    """The linear layout of the result of mma.sync (version 2) or wgmma (3); None for version 1 (Volta), or a shape that
    instructions don't tile."""
    rank = layout.rank
    if layout.version_major == 1:
        return None
    # In version 3 the instruction's shape is (m, n, k), in version 2 that of the result, with its batch.
    m, n = layout.instr_shape[:2] if layout.version_major == 3 else layout.instr_shape[-2:]
    tile = _nvidia_tile(rank, rank - 1, n, rank - 2, m, k_width=2)
    if tile is None:
        return None
    tile.append_box("warp", layout.warps_per_cta, _warp_order(layout))
    return tile.cover("register", shape, layout.cga_layout, matrix_order(rank))


def _nvidia_operand(parent: NvidiaMma, op_idx: int, k_width: int, shape: Ints) -> LinearLayout | None:
    rank = parent.rank
    if parent.version_major == 1 or (parent.version_major == 3 and op_idx == 1):
        return None  # Volta's is gone; wgmma reads b from shared memory
    k = k_dim(op_idx, rank)
    has_8_rows = parent.version_major == 2 and parent.instr_shape[-2] == 8  # f64's instruction; the others have 16
    tile = _nvidia_tile(rank, k, 8 * k_width, k_dim(1 - op_idx, rank), 8 if op_idx or has_8_rows else 16, k_width)
    if tile is None:
        return None
    tile.append_box("warp", parent.warps_per_cta, _warp_order(parent), copies_along=k)
    return tile.cover("register", shape, operand_cga(parent.cga_layout, k), _operand_order(op_idx, rank))


# --- AMD -------------------------------------------------------------------------------------------------------------
def _append_amd_tiles(
    tile: Tile, shape: Ints, instr_m: int, instr_n: int, tiles_per_warp: Sequence[int], warps_per_cta: Sequence[int]
) -> None:
    """Repeats an instruction's tile over warps and the tensor.

    Tiles are in row-major order over the whole tensor, so all of N comes before M, even where that is more than a
    CTA's tile.
    """
    m, n = len(shape) - 2, len(shape) - 1
    columns = instr_n * tiles_per_warp[n] * warps_per_cta[n]
    tile.append("register", n, tiles_per_warp[n]).append("warp", n, warps_per_cta[n])
    tile.append("register", n, shape[n] // columns)
    tile.append("register", m, tiles_per_warp[m]).append("warp", m, warps_per_cta[m])
    if len(shape) == 3:
        tile.append("warp", 0, warps_per_cta[0])


def mfma_result(layout: AmdMfma, shape: Ints) -> LinearLayout:
    """A thread has `height` neighbours along one dimension; threads go along the other one first."""
    m, n = layout.rank - 2, layout.rank - 1
    instr_m, instr_n = layout.instr_shape[:2]
    inner, outer, outer_size = (n, m, instr_m) if layout.is_transposed else (m, n, instr_n)
    height = 1 if layout.element_bit_width == 64 else 4
    tile = Tile(layout.rank, DISTRIBUTED)
    tile.append("register", inner, height).append("lane", outer, outer_size)
    tile.append("lane", inner, _WAVE // outer_size).append("register", inner, instr_m * instr_n // (_WAVE * height))
    _append_amd_tiles(tile, shape, instr_m, instr_n, layout.tiles_per_warp, layout.warps_per_cta)
    return tile.cover("register", shape, layout.cga_layout, matrix_order(layout.rank))


def _mfma_operand(parent: AmdMfma, op_idx: int, k_width: int, shape: Ints) -> LinearLayout:
    k, other = k_dim(op_idx, parent.rank), k_dim(1 - op_idx, parent.rank)
    other_size = parent.instr_shape[op_idx]
    tile = Tile(parent.rank, DISTRIBUTED)
    tile.append("register", k, k_width).append("lane", other, other_size).append("lane", k, _WAVE // other_size)
    if other_size == 64:  # the 64-row operand of a 64x4 (4x64) instruction has sixteen such pieces along K
        tile.append("register", k, 16)
    tile.append("register", k, shape[k] // tile.sizes[k])
    tile.append("register", other, parent.tiles_per_warp[other])
    tile.append_box("warp", parent.warps_per_cta, matrix_order(parent.rank), copies_along=k)
    return tile.cover("register", shape, parent.cga_layout, _operand_order(op_idx, parent.rank))


def wmma_result(layout: AmdWmma, shape: Ints) -> LinearLayout:
    """Sixteen lanes go along a row; the other sixteen hold the odd rows (version 1) or the last eight."""
    m, n = layout.rank - 2, layout.rank - 1
    along, other = (m, n) if layout.is_transpose else (n, m)
    tile = Tile(layout.rank, DISTRIBUTED)
    tile.append("lane", along, 16)
    if layout.version == 1:
        tile.append("lane", other, 2).append("register", other, 8)
    else:
        tile.append("register", other, 8).append("lane", other, 2)
    _append_amd_tiles(tile, shape, 16, 16, layout.tiles_per_warp, layout.warps_per_cta)
    return tile.cover("register", shape, layout.cga_layout, matrix_order(layout.rank))


def _wmma_operand(parent: AmdWmma, op_idx: int, k_width: int, shape: Ints) -> LinearLayout:
    k, other = k_dim(op_idx, parent.rank), k_dim(1 - op_idx, parent.rank)
    depth, instr_k = 2, parent.instr_shape[2]  # 32 lanes are two columns of sixteen
    tile = Tile(parent.rank, DISTRIBUTED)
    tile.append("register", k, k_width).append("lane", other, 16)
    if parent.version == 1:
        tile.broadcast("lane", depth)
    else:
        tile.append("lane", k, depth)
    tile.append("register", k, instr_k // (depth * k_width))
    if parent.tiles_per_warp[other] > 1:  # all of K comes before the next tile
        tile.append("register", k, shape[k] // max(depth * k_width, instr_k))
        tile.append("register", other, parent.tiles_per_warp[other])
    tile.append_box("warp", parent.warps_per_cta, matrix_order(parent.rank), copies_along=k)
    return tile.cover("register", shape, parent.cga_layout, _operand_order(op_idx, parent.rank))
