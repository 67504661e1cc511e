"""Pictures of layouts as SVG."""

from __future__ import annotations

from colorsys import hls_to_rgb
from html import escape
from textwrap import wrap

from ttkit.layout.drawing.picture import Picture

# In pixels: the width of a character in a cell and in the title, the height of a cell and of a line of the title.
_CHARACTER = 6.2
_TITLE_CHARACTER = 7.2
_HEIGHT = 18
_LINE = 13


def svg(picture: Picture, titled: bool = True) -> str:
    """A drawing; cells carry their group as a class and all that is known of them as a title.

    titled: it stands alone, and says what it shows.
    """
    width = max(2, *(len(cell.label) for row in picture.cells for cell in row), *map(len, picture.columns))
    width = round(width * _CHARACTER + 6)
    left = round(max(map(len, picture.rows), default=1) * _CHARACTER + 8)
    total = max(left + width * len(picture.columns) + 8, 320)
    title = (wrap(picture.title, int((total - 16) / _TITLE_CHARACTER)) or [""]) if titled else []
    top = 31 + _LINE * len(title)
    height = top + _HEIGHT * len(picture.rows) + (26 if picture.hidden else 8)
    colours = "".join(f".g{group}{{fill:{colour(group, picture.groups)}}}" for group in range(picture.groups))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total} {height}" width="{total}" height="{height}" '
        'font-family="ui-monospace, Menlo, Consolas, monospace" font-size="10" text-anchor="middle">',
        f"<style>text{{fill:#000}}.h{{fill:#555}}{colours}</style>",
        f'<defs><rect id="c" width="{width}" height="{_HEIGHT}" stroke="#fff"/></defs>',
        f'<rect width="{total}" height="{height}" fill="#fff"/>',
    ]
    for index, line in enumerate(title):
        lines.append(_text(8, 1 + _LINE * (index + 1), line, 'font-size="11" font-weight="bold" text-anchor="start"'))
    lines.append(_text(8, 14 + _LINE * len(title), picture.legend, 'class="h" text-anchor="start"'))
    for index, heading in enumerate(picture.columns):
        lines.append(_text(left + index * width + width / 2, top - 4, heading, 'class="h"'))
    for row, (heading, cells) in enumerate(zip(picture.rows, picture.cells)):
        lines.append(f'<g transform="translate({left},{top + row * _HEIGHT})">')
        lines.append(_text(-4, 13, heading, 'class="h" text-anchor="end"'))
        for column, cell in enumerate(cells):
            x = column * width
            lines.append(
                f'<g class="g{cell.group}"><title>{escape(cell.title)}</title>'
                f'<use href="#c" x="{x}"/>{_text(x + width / 2, 13, cell.label)}</g>'
            )
        lines.append("</g>")
    for style, path in (("stroke:#777;stroke-width:1", _tile_borders), ("stroke:#000;stroke-width:2", _area_borders)):
        if drawn := path(picture, width):
            lines.append(f'<path transform="translate({left},{top})" style="{style};fill:none" d="{drawn}"/>')
    if picture.hidden:
        lines.append(_text(8, height - 8, f"shown: {picture.hidden}", 'class="h" text-anchor="start"'))
    return "\n".join([*lines, "</svg>\n"])


def _area_borders(picture: Picture, width: int) -> str:
    """Lines between neighbours of different areas."""
    parts = []
    for row, cells in enumerate(picture.cells):
        for column, cell in enumerate(cells):
            if column and cells[column - 1].area != cell.area:
                parts.append(f"M{column * width} {row * _HEIGHT}v{_HEIGHT}")
            if row and picture.cells[row - 1][column].area != cell.area:
                parts.append(f"M{column * width} {row * _HEIGHT}h{width}")
    return "".join(parts)


def _tile_borders(picture: Picture, width: int) -> str:
    """Lines between the tiles."""
    if picture.tile is None or not picture.cells:
        return ""
    rows, columns = len(picture.cells), len(picture.cells[0])
    across = (f"M0 {row * _HEIGHT}h{columns * width}" for row in range(picture.tile[0], rows, picture.tile[0]))
    down = (f"M{column * width} 0v{rows * _HEIGHT}" for column in range(picture.tile[1], columns, picture.tile[1]))
    return "".join([*across, *down])


def _text(x: float, y: float, text: str, attributes: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}"{" " if attributes else ""}{attributes}>{escape(text)}</text>'


def colour(group: int, groups: int) -> str:
    """A pale colour, in which black text can be read; neighbouring groups differ clearly."""
    lightness = (0.86, 0.76, 0.81)[group % 3]
    channels = hls_to_rgb(group / max(groups, 1), lightness, 0.62)
    return "#" + "".join(f"{round(255 * channel):02x}" for channel in channels)
