"""Linear layouts of shared memory: offset, in elements, to coordinates."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from ttkit.layout.encoding_base import Bases, Ints
from ttkit.layout.linear import LinearLayout
from ttkit.layout.shared_encodings import AmdRotatingShared, NvmmaShared, PaddedShared, SharedLinear, SwizzledShared
from ttkit.layout.tile import SHARED, Tile, dims_of, matrix_order, part_of_cta


def swizzled(layout: SwizzledShared, shape: Ints) -> LinearLayout:
    """Rows whose vectors are XORed with a phase, which grows every `per_phase` rows."""
    return _rows(layout, shape, lambda row: row // layout.per_phase % layout.max_phase)


def rotating(layout: AmdRotatingShared, shape: Ints) -> LinearLayout:
    """Rows as of `swizzled`, whose phase shifts each time that all phases have come."""

    def phase(row: int) -> int:
        """The phase of a row: its step, shifted by how often all phases have come."""
        step = row // layout.per_phase
        return step % layout.max_phase ^ step // layout.max_phase % layout.max_phase

    return _rows(layout, shape, phase)


def _rows(layout: SwizzledShared | AmdRotatingShared, shape: Ints, phase: Callable[[int], int]) -> LinearLayout:
    """Rows of the two contiguous dimensions, row r with its vectors permuted by phase(r); then the other dimensions."""
    rank, order = layout.rank, layout.order
    tile = Tile(rank, SHARED)
    part = part_of_cta(shape, layout.cga_layout)
    if rank:
        columns = part[order[0]]
        tile.append("offset", order[0], columns)
        row = 1
        while rank > 1 and row < part[order[1]]:
            basis = [0] * rank
            basis[order[1]], basis[order[0]] = row, layout.vec * phase(row) % columns
            tile.append_basis("offset", basis)
            row *= 2
        for dim in order[2:]:
            tile.append("offset", dim, part[dim])
    return tile.cover("offset", shape, layout.cga_layout, order)


# --- nvmma_shared ----------------------------------------------------------------------------------------------------
def tma_block_shape(layout: NvmmaShared, part: Ints) -> Ints | None:
    """The box that one TMA copy moves, in elements, of a CTA's `part` of a tensor; None if it is narrower than the
    swizzling.

    At most 256 per dimension, and exactly the swizzling's width along the contiguous one.
    """
    dim = 0 if layout.transposed else len(part) - 1
    padding = 2 if layout.fp4_padded else 1
    block = [min(256, size * (padding if i == dim else 1)) for i, size in enumerate(part)]
    if layout.swizzling_byte_width:
        width = 8 * layout.swizzling_byte_width // layout.element_bit_width
        if block[dim] < width:
            return None
        block[dim] = width
    block[dim] = max(1, block[dim] // padding)
    return tuple(block)


def im2col_block_shape(layout: NvmmaShared, part: Ints) -> Ints | None:
    """The pixels and channels that one TMA copy of images moves: all pixels of a CTA's `part`, whose order only the
    hardware knows.  None if the channels are narrower than the swizzling."""
    box = tma_block_shape(layout, part)
    return None if box is None else (part[0], box[1])


def swizzling_of(layout: NvmmaShared) -> tuple[int, int, int]:
    """(vec, per_phase, max_phase) as in SwizzledShared: 16-byte vectors, permuted over rows of 128 bytes."""
    width = layout.swizzling_byte_width
    return (max(1, 128 // layout.element_bit_width), 128 // width, width // 16) if width else (1, 1, 1)


def _core_matrix(layout: NvmmaShared) -> Tile:
    """Eight rows of the swizzling's width.  Padding of fp4 maps to the same columns as the 8 bytes before it."""
    columns = 8 * max(16, layout.swizzling_byte_width) // layout.element_bit_width
    vec, per_phase, max_phase = swizzling_of(layout)

    def unpadded(column: int) -> int:
        """The column whose bytes stand there: of each 16 columns of padded fp4 the last 8 repeat the first."""
        return column // 16 * 8 + column % 8 if layout.fp4_padded else column

    tile = Tile(2, SHARED)
    column = 1
    while column < columns:
        tile.append_basis("offset", (0, unpadded(column)))
        column *= 2
    for row in (1, 2, 4):
        tile.append_basis("offset", (row, unpadded(vec * (row // per_phase % max_phase))))
    return tile


def nvmma(layout: NvmmaShared, shape: Ints) -> LinearLayout | None:
    """Tiles as TMA writes and wgmma reads them; None for a shape that has no such tile."""
    rank = layout.rank
    part = part_of_cta(shape, layout.cga_layout)
    block = tma_block_shape(layout, part)
    if block is None or (rank < 2 and layout.swizzling_byte_width):
        return None
    tile = Tile(rank, SHARED)
    if layout.swizzling_byte_width == 0:
        tile.append_box("offset", block, matrix_order(rank)).grow("offset", part, matrix_order(rank))
        return tile.cover("offset", shape, layout.cga_layout, matrix_order(rank))

    # Seen as a matrix, all dimensions but the last are rows; transposed, they are columns, and the elements are counted
    # with the first dimension fastest.  (Of rank 3 and transposed, a row is then longer than the contiguous dimension.)
    matrix = (prod(block[:-1]), block[-1])
    fastest_first = list(reversed(range(rank)))
    if layout.transposed:
        matrix = (matrix[1], matrix[0])
        fastest_first = [0, *fastest_first[:-1]]
    core = _core_matrix(layout)
    if matrix[0] < core.sizes[0] or matrix[1] < core.sizes[1]:
        return None
    for row, column in core.grow("offset", matrix, (0, 1)).finish(matrix).bases("offset"):
        element, basis = row * matrix[1] + column, [0] * rank
        for dim in fastest_first:
            element, basis[dim] = divmod(element, block[dim])
        tile.append_basis("offset", basis)
    return tile.cover("offset", shape, layout.cga_layout, range(rank))


# --- padded_shared and shared_linear ---------------------------------------------------------------------------------
def padded(layout: PaddedShared, shape: Ints) -> LinearLayout | None:
    """The linear map of the index without gaps; `padded_offset` adds the gaps."""
    return _exactly(layout, shape)


def shared_linear(layout: SharedLinear, shape: Ints) -> LinearLayout | None:
    """The bases as they stand; None if they are not of this shape."""
    return _exactly(layout, shape)


def _exactly(layout: PaddedShared | SharedLinear, shape: Ints) -> LinearLayout | None:
    bases = {"offset": layout.offset, "block": layout.block}
    linear = LinearLayout.from_bases(bases, tuple(name for name, _ in dims_of(shape)))
    return linear if linear.shape == shape else None


def padded_offset(pads: Bases, offset: int) -> int:
    """Offset of the element with this index, gaps included, in elements.  pads: those of a PaddedShared."""
    return offset + sum(offset // interval * padding for interval, padding in pads)
