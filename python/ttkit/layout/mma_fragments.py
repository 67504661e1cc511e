"""Products on tensor cores by mma.sync: which registers every instruction takes.

An instruction of a warp adds the product of an m x k and a k x n tile to an m x n tile.  It prescribes which elements
each lane holds, in words of 32 bits (PTX ISA, "Matrix Fragments for mma"):

                within a word    lane bits 0, 1    lane bits 2, 3, 4    words, the first bit fastest
    a           k                k                 m                    m (if m is 16), then k
    b           k                k                 n                    k
    result      n (register 0)   n                 m                    m (register 1, if m is 16)

Products are summed over k, so it does not matter at which coordinates along k an instruction's tiles are, nor in which
order, as long as a and b agree.  Thus every operand fits whose lanes are as above: of its register bits along k, those
within a word come first, some are of one instruction, and the others count instructions.

    dot_op kWidth = 2, f16     register  k 1 | m 8 | k 8 16 ...      lanes k 2 4    a word has k 0, 1
    dot_op kWidth = 8, f16     register  k 1 2 4 | m 8 | k 32 ...    lanes k 8 16   a word has k 0, 1; then 2, 3; ...

Where k is smaller than an instruction, there are smaller instructions, down to one word; lanes and elements of a word
beyond that hold copies, which must count as zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import ttkit.layout.gf2 as gf2
from ttkit.layout.errors import UnsuitableLayout
from ttkit.layout.hardware import REGISTER_BITS
from ttkit.layout.linear import LinearLayout
from ttkit.records import dataclass

_CONVERT = "convert the operand to the dot_op layout of the result"


class MmaShape(NamedTuple):
    """The tiles of an instruction, in elements: m is 8 or 16, n is 8."""

    m: int
    n: int
    k: int

    def word_steps(self, elements: int) -> int:
        """Number of register bits that count a thread's words along k, each of `elements` elements."""
        return (self.k // (4 * elements)).bit_length() - 1


@dataclass(frozen=True)
class MmaStep:
    """One instruction.

    a, b: the first register of each word; those that follow it are the others of the word.
    result: the registers that it adds to.
    """

    a: tuple[int, ...]
    b: tuple[int, ...]
    result: tuple[int, ...]


@dataclass(frozen=True)
class MmaPlan:
    """A product as a sequence of instructions.

    shape: of each instruction.
    elements: of each word of an operand.
    zero_elements: those of a word that hold copies of others, and must count as zero.
    zero_lanes: lanes with any of these bits set hold copies of other lanes' operands, which must count as zero.
    """

    shape: MmaShape
    elements: int
    zero_elements: tuple[int, ...]
    zero_lanes: int
    steps: tuple[MmaStep, ...]


@lru_cache(maxsize=256)
def plan_mma(
    result: LinearLayout, a: LinearLayout, b: LinearLayout, shapes: tuple[MmaShape, ...], operand_bits: int
) -> MmaPlan:
    """The instructions of result += a * b.  Cached.

    Args:
        result: register, lane, warp, block -> [batch,] m, n.
        a, b: likewise -> [batch,] m, k and [batch,] k, n.
        shapes: that the target has for these types, the largest first; of those with 16 rows the result may have none.
        operand_bits: bits of an element of a and b.

    Raises:
        UnsuitableLayout: an operand is not where instructions for this result take it from.
    """
    rank = len(result.outs)
    row, column = f"dim{rank - 2}", f"dim{rank - 1}"
    batch = [f"dim{i}" for i in range(rank - 2)]
    rows, columns = _Side(result, [*batch, row], column), _Side(result, [*batch, column], row)
    left, right = _Side(a, [*batch, row], column), _Side(b, [*batch, column], row)
    fitting = _fitting(rows, columns, shapes)
    # Lane bits 2, 3, 4 count rows of a as of the result, and columns of b as registers and lanes of the result do.
    _check_threads(left, rows, rows.lanes[2:])
    _check_threads(right, columns, (columns.registers[0], *columns.lanes[:2]))
    elements = max(1, REGISTER_BITS // operand_bits)
    within, steps = _along_k(left, right, elements.bit_length() - 1)
    shape = next(shape for shape in fitting if shape.word_steps(elements) <= len(steps))
    inner, outer = steps[: shape.word_steps(elements)], sorted(steps[shape.word_steps(elements) :])
    own, halves = ([1, 2], [rows.registers[1]]) if shape.m == 16 else ([1], [])
    others = [1 << bit for bit in range(len(rows.registers)) if 1 << bit not in own]
    words_of_a, words_of_b = left.spanned(halves, inner), right.spanned((), inner)
    tiles = [
        *zip(
            left.spanned([rows.at(bit) for bit in others]),
            right.spanned([columns.at(bit) for bit in others]),
            gf2.all_values(others),
        )
    ]
    return MmaPlan(
        shape,
        elements,
        tuple(i for i in range(elements) if any(i >> bit & 1 and not column for bit, column in enumerate(within))),
        sum(1 << bit for bit, column in enumerate(left.lanes_across[:2]) if not column),
        tuple(
            MmaStep(
                tuple(a_start ^ of_a ^ word for word in words_of_a),
                tuple(b_start ^ of_b ^ word for word in words_of_b),
                tuple(of_result | register for register in gf2.all_values(own)),
            )
            for a_start, b_start in zip(left.spanned((), outer), right.spanned((), outer))
            for of_a, of_b, of_result in tiles
        ),
    )


class _Side:
    """A tensor along the dimensions that an operand shares with the result, and across them: along k, for an operand.

    registers, lanes: what each of their bits moves along the shared dimensions.
    registers_across, lanes_across: and across them.
    groups, groups_across: likewise of warps and CTAs.
    """

    def __init__(self, layout: LinearLayout, shared: Sequence[str], other: str) -> None:
        along, across = layout.sublayout(layout.in_dims, shared), layout.sublayout(layout.in_dims, [other])
        self.registers, self.lanes = along.columns_of("register"), along.columns_of("lane")
        self.registers_across, self.lanes_across = across.columns_of("register"), across.columns_of("lane")
        self.groups = along.columns_of("warp"), along.columns_of("block")
        self.groups_across = across.columns_of("warp") + across.columns_of("block")
        self._spans = tuple(
            ([1 << bit for bit, column in enumerate(columns) if column], gf2.Span(filter(None, columns)))
            for columns in (self.registers, self.registers_across)
        )

    def at(self, register: int) -> int:
        """Coordinate of a register along the shared dimensions."""
        return gf2.combine(self.registers, register)

    def spanned(self, along: Sequence[int], across: Sequence[int] = ()) -> list[int]:
        """The registers at all XORs of places, the first place fastest: registers are as linear as places.

        Raises UnsuitableLayout if the thread lacks one.
        """
        return gf2.all_values([*(self.register(m, 0) for m in along), *(self.register(0, k) for k in across)])

    def register(self, along: int, across: int) -> int:
        """The register at these places.

        Raises UnsuitableLayout if the thread has none.
        """
        found = 0
        for (bits, span), place in zip(self._spans, (along, across)):
            chosen = span.combination(place)
            if chosen is None:
                raise UnsuitableLayout(f"a thread lacks rows or columns that it computes; {_CONVERT}")
            found |= gf2.combine(bits, chosen)
        return found


def _along_k(left: _Side, right: _Side, word_bits: int) -> tuple[tuple[int, ...], list[int]]:
    """Steps along k of the register bits within a word, and of the other bits, those of an instruction first.

    Raises UnsuitableLayout if the operands differ in it.
    """
    if left.lanes_across[:2] != right.lanes_across[:2]:
        raise UnsuitableLayout(f"lanes of the operands are at different places along k; {_CONVERT}")
    within = left.registers_across[:word_bits]
    if len(within) < word_bits or any((*left.registers[:word_bits], *right.registers[:word_bits])):
        raise UnsuitableLayout(
            f"a thread has less than {REGISTER_BITS} bits that follow each other along k; {_CONVERT}"
        )
    steps, others = (set(filter(None, side.registers_across[word_bits:])) for side in (left, right))
    if within != right.registers_across[:word_bits] or steps != others:
        raise UnsuitableLayout(f"threads hold different parts of the operands along k; {_CONVERT}")
    if any(along and across for side in (left, right) for along, across in zip(side.registers, side.registers_across)):
        raise UnsuitableLayout(f"registers move along k and another dimension at once; {_CONVERT}")
    # As in Triton's code, an instruction has the places after those of the lanes; other instructions have those within.
    late = max(left.lanes_across[:2])
    return within, sorted(steps, key=lambda column: (column < late, column))


def _fitting(rows: _Side, columns: _Side, shapes: Sequence[MmaShape]) -> list[MmaShape]:
    """The instructions that give a result as it is: with 16 rows where its second register bit counts no columns.

    Raises UnsuitableLayout if there is none.
    """
    pairs = len(rows.lanes) == 5 and bool(rows.registers) and not rows.registers[0]
    has_16_rows = len(rows.registers) >= 2 and not columns.registers[1]
    fitting = [shape for shape in shapes if shape.m == 8 or has_16_rows]
    if not pairs or not fitting or any(rows.lanes[:2]) or any(columns.lanes[2:]):
        raise UnsuitableLayout(
            "the result is not as mma.sync gives it; convert it to an nvidia_mma layout of version 2"
        )
    return fitting


def _check_threads(side: _Side, result: _Side, lanes: Sequence[int]) -> None:
    """Raises UnsuitableLayout unless each thread has the rows, or columns, of an operand that it computes."""
    if any(side.lanes[:2]) or tuple(side.lanes[2:]) != tuple(lanes) or any(side.lanes_across[2:]):
        raise UnsuitableLayout(f"lanes have other rows or columns than those that they compute; {_CONVERT}")
    if side.groups != result.groups or any(side.groups_across):
        raise UnsuitableLayout(f"warps have other rows or columns than those that they compute; {_CONVERT}")
