"""wgmma: which parts of a product each instruction computes, and an operand in registers.

With one instruction, a warp group (four warps) computes 64 x N elements of the result.  It reads 64 x K elements of
the first operand and N x K of the second, where K is 32 bytes.  The layout of the result says which part that is: its
lowest registers, the lanes and the lowest two bits of the warp are one instruction's; the other registers count
*repetitions*, the other warps *groups*.

`matrix_descriptor` has its operands in shared memory.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import ttkit.layout.gf2 as gf2
from ttkit.layout.errors import UnsuitableLayout
from ttkit.layout.linear import LinearLayout


# --- The result -------------------------------------------------------------------------------------------------------
class Tiles(NamedTuple):
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
    return Tiles(1 << len(own), tuple((at[0], at[1]) for at in repeated), tuple((at[0], at[1]) for at in groups))


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
