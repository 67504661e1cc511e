"""When ldmatrix and stmatrix can move a tensor between registers and shared memory, and which rows each lane addresses.

The instructions move 8x8 matrices whose rows are 16 consecutive bytes, 1, 2 or 4 of them at once.  Lane i has the 4
bytes at column i % 4 of row i / 4; lanes 0-7 give the addresses of the rows of the first matrix, 8-15 of the second:

    plain        register bits of 4 bytes, then lane bits 0, 1  ->  16 consecutive bytes
                 lane bits 2, 3, 4                              ->  any row
    transposed   lane bits 2, 3, 4                              ->  8 consecutive elements of 2 bytes
    (.trans)     register bit 0, lane bits 0, 1                 ->  any row

and the remaining register bits count matrices, which may lie anywhere.  Rows must be aligned to 16 bytes: no other bit
may move within a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ttkit.layout.hardware import REGISTER_BITS
from ttkit.layout.linear import LinearLayout
from ttkit.layout.shared_access import consecutive_bits

ROW_BITS = 128
_MAX_MATRICES = 4


class MatrixAccess(NamedTuple):
    """Plan to move all registers of a thread with ldmatrix or stmatrix.

    transposed: whether the instruction is `.trans`.
    matrices: matrices per instruction: 1, 2 or 4.
    register_order: the order of register bits in which the instructions take them: first those within 4 bytes, then
        those of the matrices of one instruction, then those of the instructions.
    rows: lane, register (instructions), warp, block -> offset of the row that the lane addresses, in elements.
    """

    transposed: bool
    matrices: int
    register_order: tuple[int, ...]
    rows: LinearLayout

    @property
    def instructions(self) -> int:
        """Number of instructions that each warp executes."""
        return self.rows.in_size("register")


def matrix_access(places: LinearLayout, element_bits: int, transposed: bool = False) -> MatrixAccess | None:
    """The access for `places`: register, lane, warp, block -> offset (in elements) ...; None if it does not fit.

    places: without registers that hold copies, as `shared_access.offsets` returns it for such a layout; offset first.
    element_bits: 8, 16 or 32; only 16 if transposed.
    """
    if element_bits not in (8, 16, 32) or (transposed and element_bits != 16) or places.bits_in("lane") != 5:
        return None
    if not places.is_zero(["register", "lane", "warp"], [name for name in places.out_dims if name != "offset"]):
        return None  # another CTA's memory
    found = _transposed(places) if transposed else _plain(places, element_bits)
    if found is None:
        return None
    order, within, row_columns = found
    columns = places.columns_of("register")
    others = [columns[bit] for bit in order[within:]]
    together = min(len(others), _MAX_MATRICES.bit_length() - 1)
    # Lanes 8 and up address the next matrices; where there are fewer, their addresses are not used.
    lane = [*row_columns, *others[:together], *[0] * (2 - together)]
    rows = LinearLayout(
        (("lane", 5), ("register", len(others) - together), *((name, places.bits_in(name)) for name in _rest(places))),
        places.outs,
        (*lane, *others[together:], *(column for name in _rest(places) for column in places.columns_of(name))),
    )
    return MatrixAccess(transposed, 1 << together, order, rows)


def _rest(places: LinearLayout) -> list[str]:
    return [name for name in places.in_dims if name not in ("register", "lane")]


def _plain(places: LinearLayout, element_bits: int) -> tuple[tuple[int, ...], int, tuple[int, ...]] | None:
    """Register order, register bits within 4 bytes, and the columns of the eight rows."""
    elements = REGISTER_BITS // element_bits
    registers, lanes = places.columns_of("register"), places.columns_of("lane")
    within = consecutive_bits(registers, elements.bit_length() - 1)
    if 1 << len(within) != elements or lanes[:2] != (elements, 2 * elements):
        return None
    others = [bit for bit in range(len(registers)) if bit not in within]
    if not _begin_rows([registers[bit] for bit in others], lanes[2:], places, element_bits):
        return None
    return (*within, *others), len(within), lanes[2:]


def _transposed(places: LinearLayout) -> tuple[tuple[int, ...], int, tuple[int, ...]] | None:
    registers, lanes = places.columns_of("register"), places.columns_of("lane")
    if not registers or lanes[2:] != (1, 2, 4) or not _begin_rows(registers, lanes[:2], places, 16):
        return None
    return tuple(range(len(registers))), 1, (registers[0], *lanes[:2])


def _begin_rows(registers: Sequence[int], lanes: Sequence[int], places: LinearLayout, element_bits: int) -> bool:
    """Whether these bits, and all of warps and CTAs, move by whole rows."""
    others = (column for name in _rest(places) for column in places.columns_of(name))
    return not any(column & ROW_BITS // element_bits - 1 for column in (*registers, *lanes, *others))
