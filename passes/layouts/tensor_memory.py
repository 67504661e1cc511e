"""The layout in which warps load and store tensor memory without moving data between them."""

from dataclasses import replace

from mlir import ir

from ttkit.dialects._layouts import layout_of
from ttkit.dialects._ttg_types import MemDescType
from ttkit.dialects._type_base import function, type_pointer
from ttkit.layout import LinearLayout, to_linear_layout
from ttkit.layout.clusters import cta_splits
from ttkit.layout.division import divide_left
from ttkit.layout.encodings import Bases, Linear, TensorMemory

# A warp reads 32 rows of 32 bits with one instruction; the four warps of a group have 32 rows each.
WORD_BITS, WARP_ROWS, GROUP_WARPS = 32, 32, 4


def is_accessible(tensor: ir.Type, buffer: MemDescType) -> bool:
    """Whether instructions move a tensor of this type between registers and a buffer in tensor memory."""
    fits: bool = function("ttkitFitsTensorMemory")(type_pointer(tensor), type_pointer(buffer))
    return fits


def access_layout(buffer: MemDescType, num_warps: int, cga_layout: Bases) -> Linear:
    """Each lane holds one row, or part of it if there are more than four warps.

    Args:
        buffer: what is loaded or stored.
        num_warps: at least 4.
        cga_layout: how CTAs divide the tensor, each holding its part in its own tensor memory.

    Raises:
        ValueError: there is no such layout.
    """
    if num_warps < GROUP_WARPS:
        raise ValueError(f"tensor memory is accessed by groups of 4 warps; found {num_warps}")
    layout = layout_of(buffer)
    part = [size // split for size, split in zip(buffer.shape, cta_splits(cga_layout, buffer.rank))]
    if isinstance(layout, TensorMemory):
        layout = replace(layout, cta_split_m=1, cta_split_n=1, two_ctas=False)
    assert layout is not None
    places = to_linear_layout(part, layout)
    found = _of_elements(places, num_warps, buffer.element_type.width).transpose_outs(places.out_dims)
    block = tuple(tuple(step * size for step, size in zip(basis, part)) for basis in cga_layout)
    return Linear(found.bases("register"), found.bases("lane"), found.bases("warp"), block)


def _of_elements(places: LinearLayout, num_warps: int, element_bits: int) -> LinearLayout:
    """The registers, lanes and warps of elements that lie at `places` of so many bits."""
    if element_bits == WORD_BITS:
        return _of_words(places, num_warps)
    # Neighbours that share a word are neighbouring registers.
    packed, count = places, 1
    while element_bits * 2 * count <= WORD_BITS:
        fewer = divide_left(places, LinearLayout.identity(2 * count, "col", "dim1"))
        if fewer is None:
            break
        packed, count = fewer, 2 * count
    if count > 1:
        words = _of_elements(packed, num_warps, element_bits * count)
        return LinearLayout.identity(count, "register", "dim1") * words
    gap = LinearLayout.zeros(WORD_BITS // element_bits, "col", "dim1")
    pair = LinearLayout.identity(2, "col", "dim1")
    unpacked = divide_left(places, gap * pair) if element_bits == WORD_BITS // 2 else None
    if unpacked is not None:
        return LinearLayout.identity(2, "register", "dim1") * _of_words(unpacked, num_warps)
    padded = divide_left(places, gap)
    return _of_words(places if padded is None else padded, num_warps)


def _of_words(places: LinearLayout, num_warps: int) -> LinearLayout:
    """The same for 32-bit elements: (register, lane, warp) -> (row, column) -> coordinates."""
    columns = places.in_size("col")
    column_warps = min(num_warps // GROUP_WARPS, columns)
    copies = num_warps // GROUP_WARPS // column_warps
    columns //= column_warps
    has_half_rows = not any(places.bases("row")[4])  # rows 16 to 31 of each warp hold nothing of this
    rows = LinearLayout.identity(WARP_ROWS, "lane", "row")
    if columns > 1 and has_half_rows:
        # The upper lanes take the other half of the columns.
        rows = LinearLayout.identity(WARP_ROWS // 2, "lane", "row")
        rows = rows * LinearLayout.identity(columns // 2, "register", "col") * LinearLayout.identity(2, "lane", "col")
    else:
        rows = rows * LinearLayout.identity(columns, "register", "col")
    bases = {name: [*rows.bases(name)] for name in ("register", "lane")}
    bases["warp"] = [(WARP_ROWS, 0), (2 * WARP_ROWS, 0)]
    tile = LinearLayout.from_bases(bases, {"row": GROUP_WARPS * WARP_ROWS, "col": columns})
    tile = tile * LinearLayout.identity(column_warps, "warp", "col") * LinearLayout.zeros(copies, "warp", "col")
    return tile.compose(places)
