"""The layouts in which registers hold what is in tensor memory, so that one instruction after the other moves it.

`tensor_memory_access.py` has the patterns of the instructions, and finds the messages for a layout.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ttkit.layout.clusters import cta_splits
from ttkit.layout.distributed_encodings import Linear
from ttkit.layout.division import divide_left
from ttkit.layout.encoding_base import Bases, TensorMemoryLayout
from ttkit.layout.hardware import GROUP_WARPS, REGISTER_BITS
from ttkit.layout.linear import LinearLayout
from ttkit.layout.shared_encodings import TensorMemory
from ttkit.layout.tensor_memory_access import HALVES, SHAPES, WARP_ROWS
from ttkit.layout.to_linear import to_linear_layout

HALF_ROWS = 64
"""Rows of a block that two CTAs share: it takes all 128 lanes, and the last 64 have the second half of the columns."""
ROWS = "32x32b"
"""The pattern in which a lane moves a row, or with `HALVES` half of one."""


def _tile(lanes: Sequence[tuple[int, int]], words: Sequence[tuple[int, int]]) -> LinearLayout:
    return LinearLayout.from_bases({"register": words, "lane": lanes}, ("row", "col"))


TILES = {shape.name: _tile(shape.lanes, shape.words) for shape in SHAPES if shape is not HALVES}
"""{pattern: (register, lane) -> (row, column) of one repetition}."""


def register_layout(
    pattern: str,
    layout: TensorMemoryLayout,
    shape: Sequence[int],
    element_bits: int,
    num_warps: int,
    cga_layout: Bases = (),
) -> Linear | None:
    """The layout of registers that instructions of a pattern move to and from tensor memory; None if there is none.

    Args:
        pattern: a name of TILES.
        layout: of the matrix in tensor memory.
        shape: its rows and columns.
        num_warps: at least 4.
        cga_layout: how CTAs divide the matrix; each has its part in its own tensor memory.

    Raises:
        ValueError: there are less than 4 warps, or the layout is not one of such a matrix.
    """
    if num_warps < GROUP_WARPS:
        raise ValueError(f"tensor memory is accessed by groups of 4 warps; found {num_warps}")
    part = [size // split for size, split in zip(shape, cta_splits(cga_layout, len(shape)))]
    places = _places(layout, shape, part)
    found = _of_elements(pattern, places, num_warps, element_bits)
    if found is None:
        return None
    found = found.transpose_outs(places.out_dims)
    block = tuple(tuple(step * size for step, size in zip(basis, part)) for basis in cga_layout)
    return Linear(found.bases("register"), found.bases("lane"), found.bases("warp"), block)


def _places(layout: TensorMemoryLayout, shape: Sequence[int], part: list[int]) -> LinearLayout:
    """The elements of one CTA's part of a matrix by their place, (row, column) of tensor memory."""
    if not isinstance(layout, TensorMemory):
        return to_linear_layout(part, layout)
    if layout.two_ctas and layout.block_m == HALF_ROWS and (layout.cta_split_m, layout.cta_split_n) == (2, 1):
        whole = to_linear_layout(shape, layout)
        rows, columns = whole.bases("row"), whole.bases("col")
        if columns and columns[-1] == (HALF_ROWS, 0):  # the rows of the other CTA
            return LinearLayout.from_bases({"row": rows, "col": columns[:-1]}, dict(zip(whole.out_dims, part)))
    return to_linear_layout(part, replace(layout, cta_split_m=1, cta_split_n=1, cga_layout=(), two_ctas=False))


def _of_elements(pattern: str, places: LinearLayout, num_warps: int, element_bits: int) -> LinearLayout | None:
    """(register, lane, warp) -> coordinates, for elements of `element_bits` bits at `places`; None without a layout."""
    if element_bits == REGISTER_BITS:
        return _of_words(pattern, places, num_warps)
    # Neighbours in one word become neighbouring registers.
    packed, count = places, 1
    while element_bits * 2 * count <= REGISTER_BITS:
        fewer = divide_left(places, LinearLayout.identity(2 * count, "col", "dim1"))
        if fewer is None:
            break
        packed, count = fewer, 2 * count
    if count > 1:
        words = _of_elements(pattern, packed, num_warps, element_bits * count)
        return None if words is None else LinearLayout.identity(count, "register", "dim1") * words
    gap = LinearLayout.zeros(REGISTER_BITS // element_bits, "col", "dim1")
    pair = LinearLayout.identity(2, "col", "dim1")
    unpacked = divide_left(places, gap * pair) if element_bits == REGISTER_BITS // 2 else None
    if unpacked is not None:
        words = _of_words(pattern, unpacked, num_warps)
        return None if words is None else LinearLayout.identity(2, "register", "dim1") * words
    padded = divide_left(places, gap)
    return _of_words(pattern, places if padded is None else padded, num_warps)


def _of_words(pattern: str, places: LinearLayout, num_warps: int) -> LinearLayout | None:
    """The same for 32-bit elements: (register, lane, warp) -> (row, column) -> coordinates.

    Args:
        pattern: of one instruction.

    Returns:
        None if an instruction would copy an element twice.
    """
    has_half_rows = not any(places.bases("row")[4])  # rows 16 to 31 of each warp have none of the elements
    is_rows, tile = pattern == ROWS, TILES[pattern]
    columns = places.in_size("col") // tile.out_size("col")
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
