"""Linear layouts of tensor memory: row and column to coordinates.

Tensor memory has 128 rows (lanes) of 512 columns of 32 bits.  A column here is one element's place: a layout of 16-bit
elements counts half columns, and colStride says how many places lie between neighbours of a row.

A zero basis among the rows' bits 5 and 6 means that these rows hold copies; elsewhere, that the place holds nothing.
"""

from __future__ import annotations

import itertools

from ttkit.layout.encoding_base import Bases, Ints, TensorMemoryLayout, bits_per_dimension
from ttkit.layout.errors import UnsuitableShape
from ttkit.layout.linear import LinearLayout
from ttkit.layout.shared_encodings import TensorMemory, TensorMemoryScales
from ttkit.layout.tile import Tile

_INDICES = ("row", "col")


def accumulator(layout: TensorMemory, shape: Ints) -> LinearLayout | None:
    """Blocks of block_m x block_n beside each other, those along M first; parts of other CTAs after them."""
    ctas, block_m = layout.ctas, layout.block_m
    # Two CTAs with 64 rows each hold a block of 128 rows: each all of M for one half of N.
    halves = layout.two_ctas and block_m == 64 and layout.cta_split_m > 1
    if halves:
        if ctas[0] != (1, 0):
            return None
        block_m, ctas = 128, tuple((m // 2, n) for m, n in ctas[1:])
    inner = _one_cta(layout, block_m, _part(shape, ctas))
    whole = inner and _in_cluster(inner, ctas)
    if inner and whole and halves:
        above = inner.bits_in("col") + len(list(itertools.takewhile(lambda cta: not cta[1], ctas)))
        rows, columns = list(whole.columns_of("row")), list(whole.columns_of("col"))
        if above:
            rows[-1], columns[above - 1] = columns[above - 1], rows[-1]
        return LinearLayout(whole.ins, whole.outs, (*rows, *columns))
    return whole


def _part(shape: Ints, ctas: Bases) -> Ints:
    return tuple(size >> bits for size, bits in zip(shape, bits_per_dimension(ctas, 2)))


def _in_cluster(part: LinearLayout, ctas: Bases) -> LinearLayout:
    """The layout of one CTA's part, and after its columns those of the other CTAs."""
    return part * LinearLayout.from_bases({"col": ctas}, ("dim0", "dim1"))


def _one_cta(layout: TensorMemory, block_m: int, shape: Ints) -> LinearLayout | None:
    block_n = min(layout.block_n, shape[1])
    tile = Tile(2, _INDICES)
    tile.broadcast("col", 2 if layout.fp4_padded else layout.col_stride)
    if block_m == 64:
        # Sixteen rows of each of the four warps' 32; the other sixteen hold another block, or nothing.
        tile.append("row", 0, 16).append("col", 1, block_n)
        if shape[0] > block_m:
            tile.append_basis("row", (64, 0))
        elif shape[1] > block_n:
            tile.append_basis("row", (0, block_n))
        else:
            tile.broadcast("row", 2)
        tile.append_basis("row", (16, 0)).append_basis("row", (32, 0))
    else:
        tile.append("row", 0, block_m).append("col", 1, block_n)
    if any(size < covered for size, covered in zip(shape, tile.sizes)):
        return None
    return tile.cover("col", shape, (), (0, 1))


def scales(layout: TensorMemoryScales, shape: Ints) -> LinearLayout | None:
    """32 rows of four columns, the same for each warp's 32 rows; the next 32 rows; then more along M, then along N.

    In the order `kThenMn` only 128 rows come before what is along N.
    """
    tile, part, k_first = Tile(2, _INDICES), _part(shape, layout.ctas), layout.block_rep_order == "kThenMn"
    tile.append("row", 0, 32).broadcast("row", 4).append("col", 1, 4).append("col", 0, 2)
    if k_first and part[0] > tile.sizes[0]:
        tile.append("col", 0, 2)
    return _in_cluster(tile.cover("col", part, (), (1, 0) if k_first else (0, 1)), layout.ctas)


def extent(layout: TensorMemoryLayout, shape: Ints, element_bits: int) -> tuple[int, int]:
    """Rows and 32-bit columns of tensor memory that a CTA's part of a matrix takes.

    Blocks of 64 rows without others in the rows between them count as 64 rows: two buffers can share the columns.
    Raises UnsuitableShape if the layout does not fit.
    """
    places = accumulator(layout, shape) if isinstance(layout, TensorMemory) else None
    if isinstance(layout, TensorMemoryScales):
        places = scales(layout, shape)
    if places is None:
        raise UnsuitableShape(f"{layout} does not fit a matrix of {' x '.join(map(str, shape))} elements")
    rows, columns = places.in_size("row"), places.in_size("col") >> len(layout.ctas)
    if not any(places.bases("row")[4]):
        rows //= 2
    return rows, max(1, columns * element_bits // 32)
