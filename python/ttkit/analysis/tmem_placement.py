"""Places of buffers in tensor memory, which has 128 rows of 512 columns of 32 bits.

A buffer takes whole columns, of all rows or of half of them: then each warp has 16 of its 32 rows.  Buffers are placed
in the order of the text, each in the first free columns after buffers that are dead have been removed.
"""

from collections.abc import Iterable
from typing import NamedTuple

from ttkit.analysis.liveness import ALWAYS, Interval
from ttkit.dialects._layouts import layout_of
from ttkit.dialects._ttg_types import MemDescType
from ttkit.layout import to_linear_layout
from ttkit.layout.encodings import TensorMemory, TensorMemoryScales
from ttkit.layout.hardware import REGISTER_BITS, TENSOR_MEMORY_COLUMNS

# The two halves of the rows: rows 0 to 15 of each warp's 32, and the others.
HALVES = 2
# The first column of a buffer is a multiple of it, as in Triton.
ALIGNMENT = 4


class Size(NamedTuple):
    """The size of a buffer: one or both halves of the rows, and columns of 32 bits."""

    halves: int
    columns: int


class Place(NamedTuple):
    """The place of a buffer: its first half, its first column, and its size."""

    half: int
    column: int
    size: Size

    def overlaps(self, other: "Place") -> bool:
        """Whether two buffers overlap."""
        below = self.half < other.half + other.size.halves and other.half < self.half + self.size.halves
        beside = self.column < other.column + other.size.columns and other.column < self.column + self.size.columns
        return below and beside


def size_of(buffer: MemDescType) -> Size:
    """The size of a buffer in the tensor memory of each CTA; three-dimensional ones have several slots.

    Args:
        buffer: a type with a layout of tensor memory.

    Raises:
        ValueError: the shape does not fit the layout.
    """
    shape, layout = list(buffer.shape), layout_of(buffer)
    assert isinstance(layout, (TensorMemory, TensorMemoryScales))
    places = to_linear_layout(shape[-2:], layout)
    columns = places.in_size("col") * buffer.element_type.width // REGISTER_BITS
    columns >>= len(layout.ctas)
    is_half = not any(places.bases("row")[4])
    return Size(1 if is_half else HALVES, columns * (shape[0] if len(shape) > 2 else 1))


def first_fit(size: Size, taken: Iterable[Place], half: int | None = None) -> Place:
    """The first free place; it may end beyond the last column.

    Args:
        size: the size of the buffer to place.
        taken: the places of other buffers.
        half: the half in which the buffer must start, if any.
    """
    others = list(taken)
    starts = range(HALVES - size.halves + 1) if half is None else (half,)
    column = 0
    while True:
        for start in starts:
            place = Place(start, column, size)
            if not any(place.overlaps(other) for other in others):
                return place
        column += ALIGNMENT


def capacity(columns: int) -> int:
    """The number of columns to allocate for `columns`: 0, or a power of two from 32 on; too many stay as given."""
    if columns == 0 or columns > TENSOR_MEMORY_COLUMNS:
        return columns
    return max(32, 1 << (columns - 1).bit_length())


class Scan:
    """The taken places while buffers are placed in the order of the text."""

    def __init__(self) -> None:
        self._live: list[tuple[Interval, Place]] = []

    def keep(self, place: Place) -> None:
        """Takes a place permanently."""
        self._live.append((ALWAYS, place))

    def place(self, size: Size, lives: Interval, beside: Iterable[Place] = (), half: int | None = None) -> Place:
        """Places a buffer.

        Args:
            size, half: as for `first_fit`.
            lives: its live range; buffers that ended before are free.
            beside: the places of buffers that may be live at the same time although their intervals do not overlap.
        """
        self._live = [(other, place) for other, place in self._live if other.end > lives.start]
        place = first_fit(size, [*(place for _, place in self._live), *beside], half)
        self._live.append((lives, place))
        return place
