"""The layouts in which warps load and store tensor memory without an exchange of data between them."""

from dataclasses import replace

from mlir import ir

import ttkit.knobs as knobs
from ttkit.dialects._layouts import layout_of
from ttkit.dialects._ttg_types import MemDescType
from ttkit.dialects._type_base import LIBRARY, type_pointer
from ttkit.layout import LinearLayout, to_linear_layout
from ttkit.layout.clusters import cta_splits
from ttkit.layout.division import divide_left
from ttkit.layout.encodings import Bases, Linear, TensorMemory

# A warp reads 32 rows of 32 bits with one instruction; the four warps of a warp group have 32 rows each.
WORD_BITS, WARP_ROWS, GROUP_WARPS = 32, 32, 4
# The smallest tile of an instruction, (register, lane) -> (row, column): tcgen05.ld.32x32b and tcgen05.ld.16x256b.
TILE_COLUMNS = 8
# Rows of a block that two CTAs share: it takes all 128 lanes, and the last 64 have the second half of the columns.
HALF_ROWS = 64
ROWS = LinearLayout.identity(1, "register", "col") * LinearLayout.identity(WARP_ROWS, "lane", "row")
ROWS = ROWS.transpose_outs(("row", "col"))
TILES = LinearLayout.identity(2, "register", "col") * LinearLayout.identity(4, "lane", "col")
TILES = TILES * LinearLayout.identity(8, "lane", "row") * LinearLayout.identity(2, "register", "row")
TILES = TILES.transpose_outs(("row", "col"))


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


def _layout_for(tile: LinearLayout, buffer: MemDescType, num_warps: int, cga_layout: Bases) -> Linear | None:
    if num_warps < GROUP_WARPS:
        raise ValueError(f"tensor memory is accessed by groups of 4 warps; found {num_warps}")
    part = [size // split for size, split in zip(buffer.shape, cta_splits(cga_layout, buffer.rank))]
    places = _places(buffer, part)
    found = _of_elements(tile, places, num_warps, buffer.element_type.width)
    if found is None:
        return None
    found = found.transpose_outs(places.out_dims)
    block = tuple(tuple(step * size for step, size in zip(basis, part)) for basis in cga_layout)
    return Linear(found.bases("register"), found.bases("lane"), found.bases("warp"), block)


def _places(buffer: MemDescType, part: list[int]) -> LinearLayout:
    """The elements of one CTA's part of a buffer by their place, (row, column) of tensor memory."""
    layout = layout_of(buffer)
    assert layout is not None
    if not isinstance(layout, TensorMemory):
        return to_linear_layout(part, layout)
    if layout.two_ctas and layout.block_m == HALF_ROWS and (layout.cta_split_m, layout.cta_split_n) == (2, 1):
        whole = to_linear_layout(buffer.shape, layout)
        rows, columns = whole.bases("row"), whole.bases("col")
        if columns and columns[-1] == (HALF_ROWS, 0):  # the rows of the other CTA
            return LinearLayout.from_bases({"row": rows, "col": columns[:-1]}, dict(zip(whole.out_dims, part)))
    return to_linear_layout(part, replace(layout, cta_split_m=1, cta_split_n=1, cga_layout=(), two_ctas=False))


def _of_elements(tile: LinearLayout, places: LinearLayout, num_warps: int, element_bits: int) -> LinearLayout | None:
    """(register, lane, warp) -> coordinates, for elements of `element_bits` bits at `places`; None without a layout."""
    if element_bits == WORD_BITS:
        return _of_words(tile, places, num_warps)
    # Neighbours in one word become neighbouring registers.
    packed, count = places, 1
    while element_bits * 2 * count <= WORD_BITS:
        fewer = divide_left(places, LinearLayout.identity(2 * count, "col", "dim1"))
        if fewer is None:
            break
        packed, count = fewer, 2 * count
    if count > 1:
        words = _of_elements(tile, packed, num_warps, element_bits * count)
        return None if words is None else LinearLayout.identity(count, "register", "dim1") * words
    gap = LinearLayout.zeros(WORD_BITS // element_bits, "col", "dim1")
    pair = LinearLayout.identity(2, "col", "dim1")
    unpacked = divide_left(places, gap * pair) if element_bits == WORD_BITS // 2 else None
    if unpacked is not None:
        words = _of_words(tile, unpacked, num_warps)
        return None if words is None else LinearLayout.identity(2, "register", "dim1") * words
    padded = divide_left(places, gap)
    return _of_words(tile, places if padded is None else padded, num_warps)


def _of_words(tile: LinearLayout, places: LinearLayout, num_warps: int) -> LinearLayout | None:
    """The same for 32-bit elements: (register, lane, warp) -> (row, column) -> coordinates.

    Args:
        tile: the tile of one instruction: ROWS or TILES.

    Returns:
        None if an instruction would copy an element twice.
    """
    has_half_rows = not any(places.bases("row")[4])  # rows 16 to 31 of each warp have none of the elements
    is_rows = tile == ROWS
    columns = places.in_size("col") // (1 if is_rows else TILE_COLUMNS)
    if columns == 0:
        return None
    moved = tile.resize_in("lane", WARP_ROWS // 2) if is_rows else tile
    if not _is_injective(moved, places):
        return None
    # Where the lower half of the rows of a warp is: in the same instruction (None), in other warps, or in registers.
    lower: str | None = None
    if not is_rows and not has_half_rows:
        lower = "warp" if num_warps > GROUP_WARPS else "register"
    groups = num_warps // (GROUP_WARPS * (2 if lower == "warp" else 1))
    column_warps = min(groups, columns)
    copies = groups // column_warps
    columns //= column_warps
    if columns > 1 and is_rows and has_half_rows:
        # The upper lanes take the other half of the columns.
        tile = LinearLayout.identity(WARP_ROWS // 2, "lane", "row")
        tile = tile * LinearLayout.identity(columns // 2, "register", "col") * LinearLayout.identity(2, "lane", "col")
    else:
        tile = tile * LinearLayout.identity(columns, "register", "col")
    bases = {name: [*tile.bases(name)] for name in ("register", "lane")}
    bases["warp"] = [(WARP_ROWS, 0), (2 * WARP_ROWS, 0)]
    if lower is not None:
        bases[lower].append((WARP_ROWS // 2, 0))
    tile = LinearLayout.from_bases(bases, {"row": GROUP_WARPS * WARP_ROWS, "col": tile.out_size("col")})
    tile = tile * LinearLayout.identity(column_warps, "warp", "col") * LinearLayout.zeros(copies, "warp", "col")
    return tile.compose(places)


def _is_injective(tile: LinearLayout, places: LinearLayout) -> bool:
    """Whether no two registers of an instruction have the same element."""
    return not any(tile.compose(places).free_variable_masks().values())
