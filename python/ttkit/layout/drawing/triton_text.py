"""Layouts as text, character for character as Triton's `triton-tensor-layout` prints them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import ttkit.layout.gf2 as gf2
from ttkit.layout.linear import LinearLayout


def layout_text(layout: LinearLayout, hardware_view: bool = False) -> str:
    """A distributed or shared layout; ends with a line break.

    A distributed layout has for each element, nested in brackets by dimension, all registers that hold it,
    `T<thread>:<register>`, joined by `|`, with `B<block>:` in front if there are several blocks.  The hardware view has
    for each warp a line for each register with the coordinates that its lanes hold.

    A shared layout has the coordinates at each offset, in the tensor's shape.  The hardware view has a line for each.
    """
    if layout.has_in_dim("offset"):
        return _offset_lines(layout) if hardware_view else _offsets(layout)
    return _warp_lines(layout) if hardware_view else _holders(layout)


def _nested(cells: Sequence[str], shape: Sequence[int], separator: str) -> str:
    """`cells` in row-major order; a row a line, brackets for each dimension."""
    if not shape:
        return f"{''.join(cells)}\n"
    lines = []
    width = shape[-1]
    rows = len(cells) // width
    for row in range(rows):
        opened, closed, stride = 1, 1, 1
        for size in reversed(shape[:-1]):
            stride *= size
            opened += row % stride == 0
            closed += (row + 1) % stride == 0
        padding = " " * (len(shape) - opened)
        text = separator.join(cells[row * width : (row + 1) * width])
        lines.append("[" * opened + padding + text + "]" * closed + "\n")
    return "".join(lines)


def _holders(layout: LinearLayout) -> str:
    """Elements, each with its holders in the order of block, warp, lane, register."""
    found: dict[int, list[str]] = {}
    blocks = layout.in_size("block")
    for block, warp, lane, packed in _lanes(layout):
        thread = warp * layout.in_size("lane") + lane
        prefix = f"B{block}:T{thread}:" if blocks > 1 else f"T{thread}:"
        for register, offset in enumerate(layout.values("register")):
            found.setdefault(packed ^ offset, []).append(f"{prefix}{register}")
    width = max(len(name) for names in found.values() for name in names)
    cells = ["|".join(name.rjust(width) for name in found.get(packed, ())) for packed in _row_major(layout)]
    return _nested(cells, layout.shape, ", ")


def _lanes(layout: LinearLayout) -> Iterator[tuple[int, int, int, int]]:
    """Each block, warp, lane with the packed coordinates of its register 0."""
    for block, of_block in enumerate(layout.values("block")):
        for warp, of_warp in enumerate(layout.values("warp")):
            for lane, of_lane in enumerate(layout.values("lane")):
                yield block, warp, lane, of_block ^ of_warp ^ of_lane


def _row_major(layout: LinearLayout) -> list[int]:
    """Packed coordinates in row-major order."""
    units, start = [], 0
    for _, bits in layout.outs:
        units.append([1 << start + bit for bit in range(bits)])
        start += bits
    return gf2.all_values([unit for of_dim in reversed(units) for unit in of_dim])


def _warp_lines(layout: LinearLayout) -> str:
    lines = []
    registers = layout.values("register")
    for block, of_block in enumerate(layout.values("block")):
        if layout.in_size("block") > 1:
            lines.append(f"Block{block}:\n")
        for warp, of_warp in enumerate(layout.values("warp")):
            lines.append(f"Warp{warp}:\n")
            for register in registers:
                cells = [f"({_coordinates(layout, of_block ^ of_warp ^ register ^ of_lane, ',')})"
                         for of_lane in layout.values("lane")]  # fmt: skip
                lines.append(", ".join(cells) + "\n")
    return "".join(lines)


def _coordinates(layout: LinearLayout, packed: int, separator: str) -> str:
    """Each as wide as the dimension's largest."""
    widths = [len(str(size - 1)) for size in layout.shape]
    return separator.join(str(value).rjust(width) for value, width in zip(layout.unpack(packed), widths))


def _places(layout: LinearLayout) -> list[list[int]]:
    """For each block the packed coordinates at its offsets, as many as its part of the tensor has elements."""
    each = (1 << layout.out_bits) // layout.in_size("block")
    return [[of_block ^ at for at in layout.values("offset")[:each]] for of_block in layout.values("block")]


def _offsets(layout: LinearLayout) -> str:
    cells = [f"({_coordinates(layout, packed, ':')})" for of_block in _places(layout) for packed in of_block]
    cells += [""] * ((1 << layout.out_bits) - len(cells))  # more blocks than elements
    return _nested(cells, layout.shape, ",")


def _offset_lines(layout: LinearLayout) -> str:
    lines = []
    for block, of_block in enumerate(_places(layout)):
        lines.append(f"Block: {block}:\n")
        lines += (f"Offset: {at} -> ({_coordinates(layout, packed, ',')})\n" for at, packed in enumerate(of_block))
    return "".join(lines)
