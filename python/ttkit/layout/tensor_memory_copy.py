"""Copies from shared to tensor memory: which tcgen05.cp moves which part.

An instruction takes a matrix of rows by bytes, as a descriptor describes it, to rows and columns of tensor memory:

    128x256b           128 rows of 32 bytes
    warpx4.32x128b     32 rows of 16 bytes, the same for the rows of all four warps: scales
"""

from __future__ import annotations

from functools import lru_cache

import ttkit.layout.gf2 as gf2
from ttkit.layout.errors import UnsuitableLayout
from ttkit.layout.linear import LinearLayout
from ttkit.layout.matrix_descriptor import Descriptor, describe
from ttkit.records import dataclass

ROWS = 128
WARP_ROWS = 32


@dataclass(frozen=True)
class Shape:
    """The piece that an instruction copies.  own_rows: rows that differ from each other."""

    name: str
    own_rows: int
    bytes: int


BLOCKS = Shape("128x256b", ROWS, 32)
SCALES = Shape("warpx4.32x128b", WARP_ROWS, 16)


@dataclass(frozen=True)
class Copies:
    """The instructions that copy a buffer.

    shape: its name.  descriptor: of the matrices.
    places: for each instruction the column in tensor memory, in words, and bytes from the first one in shared memory,
        both relative to their buffers.
    """

    shape: str
    descriptor: Descriptor
    places: tuple[tuple[int, int], ...]


@lru_cache(maxsize=256)
def plan_copies(shared: LinearLayout, memory: LinearLayout, element_bits: int, shape: Shape) -> Copies:
    """The instructions that copy a buffer in shared memory to one in tensor memory.  Cached.

    Args:
        shared: offset -> dimensions of the buffer, in elements.
        memory: row, col -> the same dimensions; a column is one element's place.

    Raises UnsuitableLayout if no instruction does.
    """
    size = element_bits // 8
    try:
        cast = memory.invert_and_compose(shared.sublayout(["offset"], shared.out_dims))
    except ValueError as error:
        raise UnsuitableLayout("found a buffer whose copy tensor memory does not hold") from error
    of_rows, of_columns = ([step * size for step in cast.columns_of(dim)] for dim in ("row", "col"))
    own, bits = shape.own_rows.bit_length() - 1, (shape.bytes // size).bit_length() - 1
    if len(of_columns) < bits or any(of_rows[own:]):
        raise UnsuitableLayout(f"found a buffer of which tcgen05.cp.{shape.name} does not copy a part")
    plan = describe(of_rows[:own], of_columns, own, bits, size)
    if plan is None:
        raise UnsuitableLayout("found a buffer in shared memory that tcgen05.cp can't read")
    further = plan.places[1][bits:]
    places = tuple((number * shape.bytes // 4, place) for number, place in enumerate(gf2.all_values(further)))
    return Copies(shape.name, plan, places)
