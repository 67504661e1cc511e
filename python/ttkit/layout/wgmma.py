"""wgmma: which parts of a product each instruction computes, and where its operands are in shared memory.

A warp group (four warps) computes 64 x N elements of the result with one instruction, from 64 x K elements of the first
operand and N x K of the second, where K is 32 bytes.  The layout of the result says which part that is: its lowest
registers, the lanes and the lowest two bits of the warp are one instruction's; the other registers count
*repetitions*, the other warps *groups*.

In shared memory an operand is a matrix of rows (M or N) by K.  A descriptor names its first byte; the hardware finds
the others, in bytes from there, by a pattern and then swizzles (W is the width of the swizzling, T is 16 bytes):

    K is contiguous        K within T: 1 byte    second T: 16, or `leading` without swizzling
                           rows 0-7: W bytes     further eights of rows: `stride`
    rows are contiguous    rows within W         further W: `leading`; without swizzling W is T, and further: `stride`
    (16-bit elements)      K 0-7: W bytes        second eight of K: `stride`; without swizzling `leading`

    swizzling of 128, 64, 32 bytes: bits 4-6, 4-5, 4 of the address are xored with bits 7-9, 7-8, 7

The buffer's layout is linear and so is all of this: a pattern fits if it has the same columns as the layout with the
swizzling undone, and the place of a tile is that of its first element, undone as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from ttkit.layout import gf2
from ttkit.layout.errors import UnsuitableLayout
from ttkit.layout.linear import LinearLayout

ROWS = 64
"""Rows of the result that an instruction computes."""
WARPS = 4
K_BYTES = 32
_T = 16
_SWIZZLED_BITS = {128: 0x70, 64: 0x30, 32: 0x10, 0: 0}
_SWIZZLE_CODES = {128: 1, 64: 2, 32: 3, 0: 0}


# --- The result -------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Tiles:
    """The instructions by which a warp group computes its part of the result.

    registers: elements of the result that a thread has of one instruction.
    repetitions: for each instruction its first row and column; its registers follow those of the one before.
    groups: for each bit of the number of the warp group what it adds (xor) to row and column.
    """

    registers: int
    repetitions: tuple[tuple[int, int], ...]
    groups: tuple[tuple[int, int], ...]


@lru_cache(maxsize=256)
def plan_tiles(result: LinearLayout, columns: int) -> Tiles:
    """Plan the instructions with `columns` columns that make a matrix with layout `result`.  Cached.

    Raises UnsuitableLayout if the layout is not that of such instructions.
    """
    row, column = 1, 1 << result.outs[0][1]
    wide = columns.bit_length() - 1
    own = [column, 8 * row, *(column << bit for bit in range(3, wide))]
    lanes = (column << 1, column << 2, row, row << 1, row << 2)
    registers, warps = result.columns_of("register"), result.columns_of("warp")
    if (
        list(registers[: len(own)]) != own
        or result.columns_of("lane") != lanes
        or list(warps[:2]) != [row << 4, row << 5]
    ):
        raise UnsuitableLayout(f"found a result whose layout is not that of products of 64 x {columns} elements")
    repeated = [result.unpack(value) for value in gf2.all_values(registers[len(own) :])]
    groups = [result.unpack(value) for value in warps[2:]]
    return Tiles(
        1 << len(own),
        tuple((at[0], at[1]) for at in repeated),
        tuple((at[0], at[1]) for at in groups),
    )


# --- Operands in shared memory ----------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Descriptor:
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
def plan_descriptor(memory: LinearLayout, k_dim: int, rows: int, element_bits: int) -> Descriptor:
    """The descriptors for tiles of `rows` rows and K_BYTES along dimension `k_dim` of a buffer.  Cached.

    Args:
        memory: offset (and block), in elements -> the two dimensions of the buffer.
        element_bits: 8, 16 or 32; rows may be contiguous only if 16.

    Raises UnsuitableLayout if no descriptor describes it.
    """
    inverse = memory.pseudo_inverse()
    mask, size = inverse.out_size("offset") - 1, element_bits // 8
    of_rows, of_k = (
        tuple((column & mask) * size for column in inverse.columns_of(f"dim{dim}")) for dim in (1 - k_dim, k_dim)
    )
    row_bits, k_bits = rows.bit_length() - 1, (K_BYTES // size).bit_length() - 1
    if len(of_k) < k_bits or len(of_rows) < row_bits:
        raise UnsuitableLayout(f"found a buffer smaller than the {rows} x {K_BYTES // size} elements of an instruction")
    for swizzle, swizzled in _SWIZZLED_BITS.items():
        places = _unswizzled(of_rows, swizzled), _unswizzled(of_k, swizzled)
        tile = places[0][:row_bits], places[1][:k_bits]
        further = [*places[0][row_bits:], *places[1][k_bits:]]
        if any(place & own for place in further for own in (*tile[0], *tile[1])):
            continue
        found = _by_k(*tile, size, swizzle)
        if found is not None:
            return Descriptor(swizzle, *found, True, places)
        found = _by_rows(*tile, size, swizzle) if size == 2 else None
        if found is not None:
            return Descriptor(swizzle, *found, False, places)
    needed = "contiguous along K; transpose it before it is stored" if size != 2 else "as nvmma_shared lays it out"
    raise UnsuitableLayout(f"found a buffer that wgmma can't read: operands must be {needed}")


def _unswizzled(columns: Sequence[int], swizzled: int) -> tuple[int, ...]:
    return tuple(column ^ column >> 3 & swizzled for column in columns)


def _by_k(rows: Sequence[int], k: Sequence[int], size: int, swizzle: int) -> tuple[int, int] | None:
    """leading and stride if K is contiguous, else None."""
    width, within = swizzle or _T, (_T // size).bit_length() - 1
    if not _steps(k[:within], size) or not _steps(rows[:3], width) or (swizzle and k[within] != _T):
        return None
    stride = _step(rows[3:])
    return None if stride is None else (0 if swizzle else k[within], stride)


def _by_rows(rows: Sequence[int], k: Sequence[int], size: int, swizzle: int) -> tuple[int, int] | None:
    """leading and stride if rows are contiguous, else None."""
    width = swizzle or _T
    within = (width // size).bit_length() - 1
    if not _steps(rows[:within], size) or not _steps(k[:3], width):
        return None
    further = _step(rows[within:])
    if further is None:
        return None
    return (further, k[3]) if swizzle else (k[3], further)


def _steps(columns: Sequence[int], first: int) -> bool:
    """Whether these are first, 2 * first, 4 * first, ..."""
    return list(columns) == [first << bit for bit in range(len(columns))]


def _step(columns: Sequence[int]) -> int | None:
    """The first of columns that double each time; 0 if there is none, None if they don't."""
    first = columns[0] if columns else 0
    return first if _steps(columns, first) else None


# --- An operand in registers ------------------------------------------------------------------------------------------
@lru_cache(maxsize=256)
def plan_fragments(operand: LinearLayout, element_bits: int) -> dict[tuple[int, int], int]:
    """The first register of each tile, by its first row and step along K, of an operand in registers.  Cached.

    A tile is 64 rows by K_BYTES, of which each thread has 16 bytes.
    Raises UnsuitableLayout if the layout is not that of the instruction's first operand.
    """
    per_word = 32 // element_bits
    row, k = 1, 1 << operand.outs[0][1]
    own = [*(k << bit for bit in range(per_word.bit_length() - 1)), 8 * row, 4 * per_word * k]
    lanes = (per_word * k, 2 * per_word * k, row, row << 1, row << 2)
    registers = operand.columns_of("register")
    if list(registers[: len(own)]) != own or operand.columns_of("lane") != lanes:
        raise UnsuitableLayout("found a first operand whose layout is not that of wgmma")
    places = gf2.all_values(registers[len(own) :])
    found: dict[tuple[int, int], int] = {}
    for number, place in enumerate(places):
        at = operand.unpack(place)
        found.setdefault((at[0], at[1]), number << len(own))
    return found
