"""Operands of scaled products of the tensor core: numbers of 8 or 4 bits in shared memory, scales in tensor memory."""

from __future__ import annotations

from typing import Any

from ttkit.interpreter.lowered.ptx_text import Operand
from ttkit.interpreter.lowered.wgmma import matrix_places
from ttkit.layout.matrix_descriptor import K_BYTES
from ttkit.validation.lowered.bits import bits, cast
from ttkit.validation.lowered.products import SORTS
from ttkit.validation.lowered.scaled_products import FP4, PACKED, kind_of, nibble, scaled
from ttkit.validation.lowered.shared_memory import WARP
from ttkit.validation.lowered.tensor_memory import cell, offset_of
from ttkit.validation.terms import Term, make
from ttkit.validation.values import NotModelled

SCALES = {"mxf8f6f4": 1, "mxf4": 2, "mxf4nvf4": 4}
"""Scales of a row that an instruction takes, by its kind."""


def sides_of(issue: Any, kind: str, a: Operand, b: Operand, scales: tuple[Operand, ...]) -> tuple:
    """The rows and the columns of an instruction, and their kinds.

    Args:
        issue: `tensor_cores.Issue`.

    Raises:
        NotModelled: an operand is in tensor memory, or not known.
    """
    what = issue.what
    sort = "f8E4M3FN" if what.scales_are_fp8 else "i8"
    found = []
    for side, (operand, scale, rows) in enumerate(zip((a, b), scales, (what.m, what.n))):
        elements = elements_of(issue, kind, operand, rows, side)
        factors = scales_of(issue, kind, scale, rows, side)
        each = len(elements[0]) // len(factors[0])
        found.append([
            make("row", [scaled(one, cast(factors[m][k // each], sort)) for k, one in enumerate(line)], sort, "f32")
            for m, line in enumerate(elements)
        ])  # fmt: skip
    return found[0], found[1], tuple(kind_of(name, sort) for name in what.types)


def elements_of(issue: Any, kind: str, operand: Operand, rows: int, side: int) -> list[list[Term]]:
    """The elements of an operand: numbers of 8 bits, or of 4, which may be in the first half of 16 bytes each."""
    name = issue.what.types[side]
    number = issue.descriptor(operand)
    read = issue.read
    places = matrix_places(number, rows, K_BYTES, 1, int(issue.what.turned[side]))[..., 0]
    if name != FP4:
        return [[cast(read(at, 1), SORTS[name]) for at in line] for line in places.tolist()]
    if kind == "mxf8f6f4":
        return [[nibble(read((at & ~15) + (at & 15) // PACKED, 1), at) for at in line] for line in places.tolist()]
    return [[nibble(read(at, 1), n) for at in line for n in range(PACKED)] for line in places.tolist()]


def scales_of(issue: Any, kind: str, operand: Operand, rows: int, side: int) -> list[list[Term]]:
    """The scales of each row, which must be there for all four warps.

    Raises:
        NotModelled: they differ.
    """
    row, column = offset_of(issue.asm, operand, issue.thread)
    first = issue.what.scales[side]
    found = []
    for m in range(rows):
        line = []
        for byte in range(first, first + SCALES[kind]):
            at = [int(cell(row + m % WARP + WARP * warp, column + m // WARP)) + byte for warp in range(4)]
            copies = {bits(issue.read(one, 1)) for one in at}
            if len(copies) != 1 or byte > 3:
                raise NotModelled("scales that are not the same for all four warps", issue.asm.op)
            line.append(copies.pop())
        found.append(line)
    return found
