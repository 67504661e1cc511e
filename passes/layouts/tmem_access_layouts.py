"""The layouts in which warps load and store tensor memory without an exchange of data between them."""

from dataclasses import replace

from mlir import ir

import ttkit.knobs as knobs
from ttkit.dialects._layouts import layout_of
from ttkit.dialects._ttg_types import MemDescType
from ttkit.dialects._type_base import LIBRARY, type_pointer
from ttkit.layout.encoding_base import TensorMemoryLayout
from ttkit.layout.encodings import Bases, Linear
from ttkit.layout.hardware import GROUP_WARPS
from ttkit.layout.tensor_memory_registers import register_layout

ROWS, TILES = "32x32b", "16x256b"
"""Patterns of instructions: a lane has a row, or four lanes have 256 bits of one."""


def is_accessible(tensor: ir.Type, buffer: MemDescType) -> bool:
    """Whether instructions can copy a tensor of this type between registers and a buffer in tensor memory."""
    fits: bool = LIBRARY.ttkitFitsTensorMemory(type_pointer(tensor), type_pointer(buffer))
    return fits


def access_layout(buffer: MemDescType, num_warps: int, cga_layout: Bases) -> Linear:
    """The layout in which each lane has one row, or a part of it if there are more than four warps.

    With TRITON_PREFER_TMEM_16x256_LAYOUT it is `tile_access_layout`, if that fits.

    Args:
        buffer: the buffer to load or store.
        num_warps: at least 4.
        cga_layout: how CTAs divide the tensor; each has its part in its own tensor memory.

    Raises:
        ValueError: there is no such layout.
    """
    found = None
    if knobs.inspection.prefer_tmem_16x256_layout:
        found = tile_access_layout(buffer, num_warps, cga_layout)
    found = found or _layout_for(ROWS, buffer, num_warps, cga_layout)
    if found is None:
        raise ValueError(f"tensor memory of {buffer} is not accessible row by row")
    return found


def tile_access_layout(buffer: MemDescType, num_warps: int, cga_layout: Bases) -> Linear | None:
    """The layout in which four neighbouring lanes have 256 bits of a row, as for mma.sync; None if there is none.

    stmatrix and ldmatrix store and load such registers.  Arguments and errors are those of `access_layout`.
    """
    return _layout_for(TILES, buffer, num_warps, cga_layout)


def row_access_layout(buffer: MemDescType, num_warps: int, cga_layout: Bases) -> Linear | None:
    """The layout of `access_layout` for eight warps, but with each row in a single warp; None if that is so already.

    Two lanes, 16 apart, share a row instead of two warps: a reduction of rows needs no exchange between warps.
    """
    if num_warps != 2 * GROUP_WARPS:
        return None
    layout = _layout_for(ROWS, buffer, num_warps, cga_layout)
    if layout is None:
        return None
    lane, warp = layout.lane[-1], layout.warp[-1]
    for dimension in (0, 1):
        along = [basis[dimension] == 0 for basis in (*layout.warp, lane)]
        if along[3] != along[2] and along[0] == along[1] == along[3]:
            return replace(layout, lane=(*layout.lane[:-1], warp), warp=(*layout.warp[:-1], lane))
    return None


def _layout_for(pattern: str, buffer: MemDescType, num_warps: int, cga_layout: Bases) -> Linear | None:
    layout = layout_of(buffer)
    assert isinstance(layout, TensorMemoryLayout)
    return register_layout(pattern, layout, buffer.shape, buffer.element_type.width, num_warps, cga_layout)
