"""A schedule as a picture: time to the right, a row for each iteration of the loop as it was written.

Each box is an operation; the bar after a load reaches to the operation that uses what it loads.  A column is an
iteration of the pipelined loop.
"""

from __future__ import annotations

from html import escape

from ttkit.timeline.loop_schedule import Kind, LoopSchedule, Scheduled

# In pixels.
_LEFT, _TOP, _BOX, _GAP, _LINE, _MARGIN = 92, 58, 30, 2, 15, 8
_COLOURS = {Kind.LOAD: "#9ecae1", Kind.PRODUCT: "#fdae6b", Kind.STORE: "#a1d99b", Kind.OTHER: "#d9d9d9"}
_LABELS = {Kind.LOAD: "load", Kind.PRODUCT: "dot", Kind.STORE: "store", Kind.OTHER: ""}
_IN_FLIGHT = "#deebf7"
_FONT = 'font-family="ui-monospace, Menlo, Consolas, monospace" font-size="10"'


def svg(schedule: LoopSchedule, iterations: int = 5) -> str:
    """A drawing that stands alone; boxes have the operation as their title.

    Args:
        iterations: how many of the loop to show.
    """
    shown = [op for op in schedule.operations if op.kind is not Kind.OTHER]
    places = _places(schedule, shown)
    slots = max(places.values(), default=0) + 1
    column = slots * (_BOX + _GAP) + _GAP
    columns = iterations + schedule.num_stages - 1
    lanes = _lanes(shown)
    row = max(1, len(set(lanes.values()))) * _LINE + 6
    width, height = _LEFT + columns * column + _MARGIN, _TOP + iterations * row + 30
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {_FONT}>',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        _text(_MARGIN, 16, f"{schedule.title}: {schedule.num_stages} stages", 'font-weight="bold"'),
        *_legend(),
    ]
    for time in range(columns):
        lines += _column_of(time, iterations, schedule.num_stages, column, height)
    for iteration in range(iterations):
        y = _TOP + iteration * row
        lines.append(_text(_MARGIN, y + row / 2 + 3, f"iteration {iteration}"))
        lines += [_bar(op, places, slots, column, iteration, y + lanes[op] * _LINE) for op in shown if op.used]
        lines += [_box(op, places, column, iteration, y + lanes[op] * _LINE) for op in shown]
    return "\n".join([line for line in lines if line] + ["</svg>\n"])


def _places(schedule: LoopSchedule, shown: list[Scheduled]) -> dict[Scheduled, int]:
    """Which box of a column each shown operation takes: one after the other as they run."""
    order = [op for op in schedule.in_order() if op in shown]
    return {op: number for number, op in enumerate(order)}


def _lanes(shown: list[Scheduled]) -> dict[Scheduled, int]:
    """Lines within a row: one for each load, the last one for all else, which waits for nobody."""
    loads = [op for op in shown if op.kind is Kind.LOAD]
    return {op: loads.index(op) if op in loads else len(loads) for op in shown}


def _column_of(time: int, iterations: int, num_stages: int, column: int, height: int) -> list[str]:
    """The line in front of a column, and what is over it."""
    x = _LEFT + time * column
    prologue, epilogue = num_stages - 1, iterations
    part = "prologue" if time < prologue else "epilogue" if time >= epilogue else "loop"
    return [
        f'<line x1="{x}" y1="{_TOP - 12}" x2="{x}" y2="{height - 26}" stroke="#ccc"/>',
        _text(x + 4, _TOP - 4, f"{time} {part}", 'fill="#555"'),
    ]


def _bar(op: Scheduled, places: dict[Scheduled, int], slots: int, column: int, iteration: int, y: float) -> str:
    """From the start of an operation to the first use of its result, if that comes in a later iteration of the loop."""
    assert op.used is not None
    stage, cluster = op.used
    if stage == op.stage:
        return ""
    before = sum(1 for other in places if other.cluster < cluster)
    start = _x(iteration + op.stage, places[op], column) + _BOX
    end = _x(iteration + stage, min(before, slots), column)
    if end <= start:
        return ""
    return f'<rect x="{start}" y="{y + 4:g}" width="{end - start}" height="{_LINE - 6}" fill="{_IN_FLIGHT}"/>'


def _box(op: Scheduled, places: dict[Scheduled, int], column: int, iteration: int, y: float) -> str:
    x = _x(iteration + op.stage, places[op], column)
    label = _LABELS[op.kind]
    return (
        f"<g><title>{escape(f'iteration {iteration}, stage {op.stage}: {op.text}')}</title>"
        f'<rect x="{x}" y="{y + 1:g}" width="{_BOX}" height="{_LINE - 2}" fill="{_COLOURS[op.kind]}"/>'
        f"{_text(x + 1, y + 11, label)}</g>"
    )


def _x(time: int, place: int, column: int) -> int:
    return _LEFT + time * column + _GAP + place * (_BOX + _GAP)


def _legend() -> list[str]:
    entries = [(kind.value, _COLOURS[kind]) for kind in (Kind.LOAD, Kind.PRODUCT, Kind.STORE)]
    lines, x = [], _MARGIN
    for text, colour in [*entries, ("in flight", _IN_FLIGHT)]:
        lines.append(f'<rect x="{x}" y="24" width="10" height="10" fill="{colour}"/>')
        lines.append(_text(x + 14, 33, text, 'fill="#555"'))
        x += 30 + 7 * len(text)
    return lines


def _text(x: float, y: float, text: str, attributes: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}"{" " if attributes else ""}{attributes}>{escape(text)}</text>'
