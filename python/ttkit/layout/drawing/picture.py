"""Content of a layout's picture, before it is drawn: cells in rows and columns, each with a text and a colour.

    tensor view      a cell for each element: who holds it (thread and register), or its bank of shared memory
    hardware view    a cell for each place: registers of each lane, or words of each 128-byte row of shared memory

Tensors of more than two dimensions show the first matrix; large ones their upper left corner.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from ttkit.layout.hardware import BANK_BITS, BANKS
from ttkit.records import dataclass

if TYPE_CHECKING:
    from ttkit.layout.linear import LinearLayout

MAX_ROWS, MAX_COLUMNS = 64, 64  # more cells than that cannot be read


@dataclass(frozen=True)
class Cell:
    """label: text in the cell.  group: from 0; cells with the same have one colour.  title: all that is known.  area:
    what it belongs to, a warp say; a line is drawn between areas."""

    label: str
    group: int
    title: str
    area: int = 0


@dataclass(frozen=True)
class Picture:
    """A grid of cells.

    rows, columns: headings.  groups: into how many groups cells can fall.  hidden: what was left out, or nothing.
    tile: rows and columns of what one instruction makes; a thin line is drawn between tiles.
    """

    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    cells: Sequence[Sequence[Cell]]
    groups: int
    legend: str
    hidden: str = ""
    tile: tuple[int, int] | None = None


def picture_of(
    layout: LinearLayout,
    title: str,
    element_bits: int,
    hardware_view: bool = False,
    tile: tuple[int, int] | None = None,
) -> Picture:
    """The picture of a layout.  Tensor memory has only the tensor view.

    Args:
        element_bits: size of an element in memory.
        tile: rows and columns that one instruction makes, of a product's layout.
    """
    if layout.has_in_dim("row"):
        return _tensor_memory(layout, title)
    if layout.has_in_dim("offset"):
        return _memory_rows(layout, title, element_bits) if hardware_view else _banks(layout, title, element_bits)
    return _registers(layout, title) if hardware_view else replace(_holders(layout, title), tile=tile)


# --- Distributed layouts ---------------------------------------------------------------------------------------------
def _holders(layout: LinearLayout, title: str) -> Picture:
    """Each element with the first thread and register that hold it; coloured by thread within its warp."""
    lanes = layout.in_size("lane")
    first = layout.pseudo_inverse()
    copies = 1 << layout.in_bits - layout.span.rank

    def cell(coordinates: Sequence[int]) -> Cell:
        """Thread and register that hold an element first."""
        place = first.apply(dict(zip(layout.out_dims, coordinates)))
        thread = place["warp"] * lanes + place["lane"]
        block = f"B{place['block']}:" if layout.bits_in("block") else ""
        also = f", and {copies - 1} more" if copies > 1 else ""
        where = f"register {place['register']} of lane {place['lane']} of warp {place['warp']}"
        title = f"{_tuple(coordinates)}: {where}{also}"
        return Cell(f"{block}T{thread}:{place['register']}", thread, title, place["warp"])

    legend = "T<thread>:<register>, one colour a thread"
    return _matrix(layout, title, cell, lanes * layout.in_size("warp"), legend)


def _registers(layout: LinearLayout, title: str) -> Picture:
    """A row for each thread, a column for each register: the element's coordinates, coloured by row of the tensor."""
    threads = [(warp, lane) for warp in range(layout.in_size("warp")) for lane in range(layout.in_size("lane"))]
    registers = range(layout.in_size("register"))
    lanes = layout.in_size("lane")

    def cell(warp: int, lane: int, register: int) -> Cell:
        """The element in a register."""
        coordinates = tuple(layout.apply({"warp": warp, "lane": lane, "register": register}).values())
        label = ",".join(map(str, coordinates))
        place = f"register {register} of lane {lane} of warp {warp}"
        return Cell(label, coordinates[0] if len(coordinates) > 1 else lane, f"{place}: {_tuple(coordinates)}")

    shown = threads[:MAX_ROWS], registers[:MAX_COLUMNS]
    return Picture(
        title,
        [f"T{warp * lanes + lane}" for warp, lane in shown[0]],
        [f"r{register}" for register in shown[1]],
        [[cell(warp, lane, register) for register in shown[1]] for warp, lane in shown[0]],
        layout.shape[0] if len(layout.shape) > 1 else lanes,
        "coordinates of the element, one colour a row of the tensor",
        _hidden(len(threads), len(registers), "threads", "registers"),
    )


# --- Shared layouts --------------------------------------------------------------------------------------------------
def _banks(layout: LinearLayout, title: str, element_bits: int) -> Picture:
    """Each element with its bank; coloured by bank."""
    places = layout.pseudo_inverse()

    def cell(coordinates: Sequence[int]) -> Cell:
        """The bank of an element in shared memory."""
        place = places.apply(dict(zip(layout.out_dims, coordinates)))
        bank = _bank(place["offset"], element_bits)
        block = f" of CTA {place['block']}" if layout.bits_in("block") else ""
        return Cell(str(bank), bank, f"{_tuple(coordinates)}: offset {place['offset']}{block}, bank {bank}")

    return _matrix(layout, title, cell, BANKS, "bank of the element, one colour a bank")


def _memory_rows(layout: LinearLayout, title: str, element_bits: int) -> Picture:
    """A row for each 128 bytes, a column for each element in them: its coordinates, coloured by row of the tensor."""
    per_row = max(1, BANKS * BANK_BITS // element_bits)
    size = layout.in_size("offset")
    wide = min(per_row, size)
    shown_rows, shown_columns = min(MAX_ROWS, size // wide), min(wide, MAX_COLUMNS)

    def cell(row: int, column: int) -> Cell:
        """The element at a place of shared memory."""
        offset = row * wide + column
        coordinates = tuple(layout.apply({"offset": offset}).values())
        label = ",".join(map(str, coordinates))
        bank = _bank(offset, element_bits)
        return Cell(label, coordinates[0], f"offset {offset}, bank {bank}: {_tuple(coordinates)}")

    return Picture(
        title,
        [f"+{row * wide * element_bits // 8}" for row in range(shown_rows)],
        [f"b{_bank(column, element_bits)}" for column in range(shown_columns)],
        [[cell(row, column) for column in range(shown_columns)] for row in range(shown_rows)],
        layout.shape[0] if layout.shape else 1,
        "coordinates of the element at each offset (bytes) and bank, one colour a row of the tensor",
        _hidden(size // wide, wide, "rows", "elements of each"),
    )


def _bank(offset: int, element_bits: int) -> int:
    return offset * element_bits // BANK_BITS % BANKS


# --- Tensor memory ---------------------------------------------------------------------------------------------------
def _tensor_memory(layout: LinearLayout, title: str) -> Picture:
    """Each element with its row and column; coloured by row."""
    places = layout.pseudo_inverse()

    def cell(coordinates: Sequence[int]) -> Cell:
        """Row and column of an element in tensor memory."""
        place = places.apply(dict(zip(layout.out_dims, coordinates)))
        row, column = place["row"], place["col"]
        return Cell(f"{row}:{column}", row, f"{_tuple(coordinates)}: row {row}, column {column}")

    return _matrix(layout, title, cell, layout.in_size("row"), "row:column of tensor memory, one colour a row")


# --- Grids -----------------------------------------------------------------------------------------------------------
def _matrix(
    layout: LinearLayout, title: str, cell: Callable[[Sequence[int]], Cell], groups: int, legend: str
) -> Picture:
    """The last two dimensions, the others at 0; one dimension is a row."""
    shape = layout.shape
    height, width = (1, 1, *shape)[-2:]
    leading = (0,) * max(0, len(shape) - 2)
    rows, columns = range(min(height, MAX_ROWS)), range(min(width, MAX_COLUMNS))
    grid = [[cell((*leading, row, column)[-len(shape) :] if shape else ()) for column in columns] for row in rows]
    hidden = _hidden(height, width, "rows", "columns")
    if leading:
        hidden = "; ".join(filter(None, [f"the first of {prod(shape[:-2])} matrices", hidden]))
    return Picture(title, [str(row) for row in rows], [str(column) for column in columns], grid, groups, legend, hidden)


def _hidden(height: int, width: int, rows: str, columns: str) -> str:
    if height <= MAX_ROWS and width <= MAX_COLUMNS:
        return ""
    return f"{min(height, MAX_ROWS)} of {height} {rows}, {min(width, MAX_COLUMNS)} of {width} {columns}"


def _tuple(coordinates: Sequence[int]) -> str:
    return f"({', '.join(map(str, coordinates))})"
