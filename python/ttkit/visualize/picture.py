"""A tensor as SVG: each element in the colour of the program, warp, lane or time that touches it, or of how well."""

from __future__ import annotations

from html import escape

import numpy as np

from ttkit.layout.drawing.svg import colour as group_colour
from ttkit.visualize.recording import LaunchRecord, Tensor

MODES = ("program", "warp", "lane", "time", "coalescing")
MOST_ROWS, MOST_COLUMNS, WRAP = 96, 128, 64
WIDTH, UNTOUCHED = 640, "#eceff1"
LEVELS = 10
"""Steps of coalescing, from none of each sector used to all."""


def grid_of(tensor: Tensor) -> tuple[int, int]:
    """Rows and columns in which a tensor is drawn: its last dimension is a row, a vector is wrapped."""
    size = int(np.prod(tensor.shape, dtype=np.int64))
    columns = tensor.shape[-1] if len(tensor.shape) > 1 else min(size, WRAP)
    return -(-size // max(1, columns)), columns


def groups(record: LaunchRecord, tensor: str, mode: str) -> np.ndarray:
    """The number of each element's colour, int64 [rows, columns]; -1 for what is not touched.

    Raises:
        ValueError: there is no such tensor or mode.
    """
    if tensor not in record.tensors:
        raise ValueError(f"no access to '{tensor}' was noted; there are {', '.join(record.tensors) or 'none'}")
    if mode not in MODES:
        raise ValueError(f"colours are those of {', '.join(MODES)}; found '{mode}'")
    rows, columns = grid_of(record.tensors[tensor])
    found = np.full(rows * columns, -1, np.int64)
    for event in record.accesses(tensor):
        assert event.elements is not None
        enabled = event.elements >= 0
        held = record.places[event.site].owners
        value: np.ndarray | int = event.program
        if mode in ("warp", "lane"):
            if held is None:
                continue
            value = (held.owner // 32 if mode == "warp" else held.owner % 32)[enabled]
        elif mode == "time":
            value = event.time
        elif mode == "coalescing":
            if event.sectors is None:
                continue
            value = round((LEVELS - 1) * event.sectors.efficiency)
        found[event.elements[enabled]] = value
    return found.reshape(rows, columns)


def svg(record: LaunchRecord, tensor: str, mode: str = "program") -> str:
    """The picture.

    Args:
        tensor: the name of an argument.
        mode: one of MODES.

    Raises:
        ValueError: there is no such tensor or mode.
    """
    values = groups(record, tensor, mode)
    by = [max(1, -(-size // most)) for size, most in zip(values.shape, (MOST_ROWS, MOST_COLUMNS))]
    drawn = values[:: by[0], :: by[1]]
    rows, columns = drawn.shape
    cell = max(3, min(14, WIDTH // columns))
    top, count = 34, int(values.max(initial=0)) + 1
    shape = " x ".join(map(str, record.tensors[tensor].shape))
    scale = f"; a cell is {by[0]} x {by[1]} elements" if max(by) > 1 else ""
    width, height = max(320, columns * cell + 16), top + rows * cell + 8
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        'font-family="system-ui, sans-serif" font-size="11">',
        '<rect width="100%" height="100%" fill="#fff"/>',
        f'<text x="8" y="14" font-weight="bold">{escape(tensor)} ({shape}) in {escape(record.kernel)}</text>',
        f'<text x="8" y="28" fill="#555">colours: {mode}{scale}; grey: not touched</text>',
    ]
    for row in range(rows):
        start = 0
        for column in range(1, columns + 1):
            if column == columns or drawn[row, column] != drawn[row, start]:
                value = int(drawn[row, start])
                fill = UNTOUCHED if value < 0 else _colour(value, count, mode)
                parts.append(
                    f'<rect x="{8 + start * cell}" y="{top + row * cell}" width="{(column - start) * cell}" '
                    f'height="{cell}" fill="{fill}"><title>{_title(value, mode)}</title></rect>'
                )
                start = column
    return "\n".join([*parts, "</svg>\n"])


def _colour(value: int, count: int, mode: str) -> str:
    if mode == "coalescing":  # orange to blue, which the colour-blind tell apart
        share = value / (LEVELS - 1)
        return f"hsl({24 if share < 0.5 else 205},75%,{round(58 + 34 * min(share, 1 - share) * 2)}%)"
    if mode == "time":  # early is light
        return f"hsl(215,60%,{round(88 - 50 * value / max(1, count - 1))}%)"
    return group_colour(value, 32 if mode == "lane" else max(count, 2))


def _title(value: int, mode: str) -> str:
    if value < 0:
        return "not touched"
    return f"{100 * value // (LEVELS - 1)} % of the sectors used" if mode == "coalescing" else f"{mode} {value}"
