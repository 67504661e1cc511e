"""Operands of wgmma and tcgen05 in shared memory: the descriptors by which the hardware finds a tile.

An operand is a matrix of rows (M or N) by K.  A descriptor names its first byte; the hardware finds the others, in
bytes from there, by a pattern and then swizzles (W is the width of the swizzling, T is 16 bytes):

    K is contiguous        K within T: 1 byte    second T: 16, or `leading` without swizzling
                           rows 0-7: W bytes     further eights of rows: `stride`
    rows are contiguous    rows within W         further W: `leading`; without swizzling W is T, and further: `stride`
                           K 0-7: W bytes        further eights of K: `stride`; without swizzling `leading`

    swizzling of 128, 64, 32 bytes: bits 4-6, 4-5, 4 of the address are xored with bits 7-9, 7-8, 7

The buffer's layout is linear, and so is all of this.  A pattern fits if it has the same columns as the layout with the
swizzling undone.  The place of a tile is that of its first element, undone as well.

Padded fp4 is two elements a byte, eight bytes of every sixteen.  Sixteen elements then take sixteen bytes, as in 8-bit
types, and no tile begins within them.  So it counts as an 8-bit type, with elements, not bytes, as coordinates.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import ttkit.layout.gf2 as gf2
from ttkit.layout.errors import UnsuitableLayout
from ttkit.layout.linear import LinearLayout

K_BYTES = 32
"""Bytes along K that an instruction takes."""
_T = 16
_SWIZZLED_BITS = {128: 0x70, 64: 0x30, 32: 0x10, 0: 0}
_SWIZZLE_CODES = {128: 1, 64: 2, 32: 3, 0: 0}
_PADDED_UNIT = (1, 2, 4, 8)


class Descriptor(NamedTuple):
    """Descriptors of a buffer's tiles: their fields, and the bytes at which tiles begin.

    swizzle: bytes, 0 for none.  leading, stride: bytes, 0 where a tile has no further part.
    k_contiguous: whether elements along K are contiguous, not the rows.
    places: rows, k -> bytes from the buffer's first byte, with swizzling undone.  Tiles are at the places of their
        first elements; of several dimensions' bits any sum is an xor.
    """

    swizzle: int
    leading: int
    stride: int
    k_contiguous: bool
    places: tuple[tuple[int, ...], tuple[int, ...]]

    @property
    def bits(self) -> int:
        """The 64 bits, but for the address (bits 0 to 13, in units of 16 bytes)."""
        return _SWIZZLE_CODES[self.swizzle] << 62 | self.stride >> 4 << 32 | self.leading >> 4 << 16

    def place(self, row: int, k: int) -> int:
        """Bytes from the buffer's first one to where a tile begins."""
        return gf2.combine(self.places[0], row) ^ gf2.combine(self.places[1], k)


@lru_cache(maxsize=256)
def plan_descriptor(
    memory: LinearLayout,
    k_dim: int,
    rows: int,
    element_bits: int,
    turned: tuple[int, ...] = (16,),
    padded: bool = False,
) -> Descriptor:
    """The descriptors for tiles of `rows` rows and K_BYTES along dimension `k_dim` of a buffer.  Cached.

    Args:
        memory: offset (and block), in elements -> the two dimensions of the buffer.
        element_bits: 8, 16 or 32.
        turned: bits of those elements whose rows may be contiguous.
        padded: whether the elements are padded fp4, of which the buffer has two in each.

    Raises UnsuitableLayout if no descriptor describes it.
    """
    inverse = memory.pseudo_inverse()
    mask, size = inverse.out_size("offset") - 1, element_bits // 8
    of_rows, of_k = (
        tuple((column & mask) * size for column in inverse.columns_of(f"dim{dim}")) for dim in (1 - k_dim, k_dim)
    )
    if padded:
        of_rows, of_k = _without_padding(of_rows), _without_padding(of_k)
    row_bits, k_bits = rows.bit_length() - 1, (K_BYTES // size).bit_length() - 1
    if len(of_k) < k_bits or len(of_rows) < row_bits:
        raise UnsuitableLayout(f"found a buffer smaller than the {rows} x {K_BYTES // size} elements of an instruction")
    can_turn = element_bits in turned
    found = describe(of_rows, of_k, row_bits, k_bits, size, can_turn)
    if found is None:
        needed = "as nvmma_shared lays it out" if can_turn else "contiguous along K; transpose it before it is stored"
        raise UnsuitableLayout(f"found a buffer that the instruction can't read: operands must be {needed}")
    return found


def describe(
    of_rows: Sequence[int], of_k: Sequence[int], row_bits: int, k_bits: int, size: int, can_turn: bool = False
) -> Descriptor | None:
    """The descriptors for tiles of 2**row_bits x 2**k_bits elements; None if there are none.

    Args:
        of_rows, of_k: for each bit of the two coordinates of an element its place, in bytes.
        size: bytes of an element.
        can_turn: whether rows may be contiguous.
    """
    for swizzle, swizzled in _SWIZZLED_BITS.items():
        places = _unswizzled(of_rows, swizzled), _unswizzled(of_k, swizzled)
        tile = places[0][:row_bits], places[1][:k_bits]
        further = [*places[0][row_bits:], *places[1][k_bits:]]
        if any(place & own for place in further for own in (*tile[0], *tile[1])):
            continue
        found = _by_k(*tile, size, swizzle)
        if found is not None:
            return Descriptor(swizzle, *found, True, places)
        found = _by_rows(*tile, size, swizzle) if can_turn else None
        if found is not None:
            return Descriptor(swizzle, *found, False, places)
    return None


def _without_padding(columns: tuple[int, ...]) -> tuple[int, ...]:
    """Bytes, or elements of padded fp4 where these are contiguous."""
    return (*_PADDED_UNIT, *columns[3:]) if columns[:3] == _PADDED_UNIT[:3] else columns


def _unswizzled(columns: Sequence[int], swizzled: int) -> tuple[int, ...]:
    return tuple(column ^ column >> 3 & swizzled for column in columns)


def _by_k(rows: Sequence[int], k: Sequence[int], size: int, swizzle: int) -> tuple[int, int] | None:
    """leading and stride if K is contiguous, else None."""
    width, within = swizzle or _T, (_T // size).bit_length() - 1
    second = _step(k[within:])
    if not _steps(k[:within], size) or not _steps(rows[:3], width) or second is None or (swizzle and second != _T):
        return None
    stride = _step(rows[3:])
    return None if stride is None else (0 if swizzle else second, stride)


def _by_rows(rows: Sequence[int], k: Sequence[int], size: int, swizzle: int) -> tuple[int, int] | None:
    """leading and stride if rows are contiguous, else None."""
    width = swizzle or _T
    within = (width // size).bit_length() - 1
    if not _steps(rows[:within], size) or not _steps(k[:3], width):
        return None
    further, eights = _step(rows[within:]), _step(k[3:])
    if further is None or eights is None:
        return None
    return (further, eights) if swizzle else (eights, further)


def _steps(columns: Sequence[int], first: int) -> bool:
    """Whether these are first, 2 * first, 4 * first, ..."""
    return list(columns) == [first << bit for bit in range(len(columns))]


def _step(columns: Sequence[int]) -> int | None:
    """The first of columns that double each time; 0 if there is none, None if they don't."""
    first = columns[0] if columns else 0
    return first if _steps(columns, first) else None
