"""Which warp holds which elements of a tensor."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ttkit.layout import gf2, parse_layout, to_linear_layout

if TYPE_CHECKING:
    from ttkit.interpreter.decode import Instruction
    from ttkit.interpreter.values import ValueType


def tensor_of(op: Instruction, shape: tuple[int, ...]) -> ValueType | None:
    """The type of the tensor of this shape that an operation takes or gives."""
    for kind in (*op.result_types, *op.operand_types):
        if kind.shape == shape and kind.text.startswith("tensor<"):
            return kind
    return None


def encoding(kind: ValueType) -> str:
    """The text of a tensor's layout; empty if it has none."""
    _, comma, text = kind.text.partition(", ")
    return text[:-1] if comma else ""


def steps_of(kind: ValueType) -> dict[str, list[int]]:
    """For each dimension of a tensor's layout how far, row-major, its bits move."""
    layout = to_linear_layout(kind.shape, parse_layout(encoding(kind)))
    place = [int(np.prod(kind.shape[d + 1 :], dtype=np.int64)) for d in range(kind.rank)]
    return {
        name: [sum(coordinate * size for coordinate, size in zip(basis, place)) for basis in bases]
        for name, bases in layout.all_bases().items()
    }


@cache
def elements_of_warps(kind: ValueType | None, warps: int) -> list[Any]:
    """The elements of a tensor, by row-major index, that each warp holds.  All of them where no layout says it."""
    if kind is None or not encoding(kind):
        return [slice(None)] * warps
    steps = steps_of(kind)
    moving = [step for name in ("register", "lane", "block") for step in steps.get(name, ()) if step]
    inside, starts = np.unique(gf2.all_values(moving)), gf2.all_values(steps["warp"])
    return [inside ^ starts[warp % len(starts)] for warp in range(warps)]


@cache
def warp_bases(kind: ValueType) -> tuple[tuple[int, ...], ...]:
    """The elements that the bits of a warp's number move to, in a type's layout; none without a layout."""
    return to_linear_layout(kind.shape, parse_layout(encoding(kind))).bases("warp") if encoding(kind) else ()


def crosses_warps(op: Instruction) -> bool:
    """Whether an operation on tensors needs elements of other warps."""
    if op.name == "ttg.convert_layout":
        return warp_bases(op.operand_types[0]) != warp_bases(op.result_types[0])
    if op.name in ("tt.reduce", "tt.scan", "tt.gather"):
        axis = op.attributes["axis"]  # that of a scan may be past the last
        return any(any(basis[axis : axis + 1]) for basis in warp_bases(op.operand_types[0]))
    return op.name == "tt.histogram"


EXCHANGES = frozenset({"ttg.convert_layout", "tt.reduce", "tt.scan", "tt.gather", "tt.histogram"})
"""Operations that may exchange data between warps."""
