"""A schedule as a picture: time to the right, a row for each iteration of the loop as it was written.

Each box is an operation, with the name of its result; the bar after a load reaches to the operation that uses what it
loads.  A column is an iteration of the pipelined loop.  Below, the columns in which loads and dots are idle, and the
share of the shortest possible iteration that each unit of a multiprocessor is busy.
"""

from __future__ import annotations

from html import escape

from ttkit.timeline.loop_schedule import Kind, LoopSchedule, Scheduled

# In pixels.
_LEFT, _TOP, _GAP, _LINE, _MARGIN, _LETTER = 92, 74, 2, 15, 8, 6
_BOX, _MOST = 30, 90  # the least and the largest width of a box
_COLOURS = {Kind.LOAD: "#9ecae1", Kind.PRODUCT: "#fdae6b", Kind.STORE: "#a1d99b", Kind.OTHER: "#d9d9d9"}
_LABELS = {Kind.LOAD: "load", Kind.PRODUCT: "dot", Kind.STORE: "store", Kind.OTHER: ""}
_IN_FLIGHT, _IDLE, _BUSY = "#deebf7", "#f0f0f0", "#bcbddc"
_UNIT = 116  # for the name of a unit
_FONT = 'font-family="ui-monospace, Menlo, Consolas, monospace" font-size="10"'


def svg(schedule: LoopSchedule, iterations: int = 5) -> str:
    """A drawing that stands alone; boxes have the operation as their title.

    Args:
        iterations: how many of the loop to show.
    """
    shown = [op for op in schedule.operations if op.kind is not Kind.OTHER]
    places = _places(schedule, shown)
    slots = max(places.values(), default=0) + 1
    box = max([_BOX, *(min(_MOST, _LETTER * len(_label(op)) + 4) for op in shown)])
    column = slots * (box + _GAP) + _GAP
    columns = iterations + schedule.num_stages - 1
    lanes = _lanes(shown)
    row = max(1, len(set(lanes.values()))) * _LINE + 6
    below = _TOP + iterations * row + 4
    units = below + 2 * _LINE + 28
    height = units + _LINE * (len(schedule.units) + 1) + 8 if schedule.units else units
    width = max(430, _LEFT + columns * column + _MARGIN)
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {_FONT}>',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        _text(_MARGIN, 16, f"{schedule.title}: {schedule.num_stages} stages", 'font-weight="bold"'),
        *_legend(),
        _text(
            _MARGIN, 50, "right: iterations of the pipelined loop; down: iterations of the source's loop", 'fill="#555"'
        ),
    ]
    for time in range(columns):
        lines += _column_of(time, iterations, schedule.num_stages, column, below)
    for iteration in range(iterations):
        y = _TOP + iteration * row
        lines.append(_text(_MARGIN, y + row / 2 + 3, f"iteration {iteration}"))
        lines += [_bar(op, places, slots, box, iteration, y + lanes[op] * _LINE) for op in shown if op.used]
        lines += [_box(op, places, slots, box, iteration, y + lanes[op] * _LINE) for op in shown]
    lines += _idle(schedule, iterations, column, below)
    lines += _units(schedule, width - 2 * _MARGIN - _UNIT, units)
    return "\n".join([line for line in lines if line] + ["</svg>\n"])


def _idle(schedule: LoopSchedule, iterations: int, column: int, y: int) -> list[str]:
    """A line for loads and one for dots: the columns in which they work, and those in which they are idle."""
    lines: list[str] = []
    columns = iterations + schedule.num_stages - 1
    for kind in (Kind.LOAD, Kind.PRODUCT):
        stages = {op.stage for op in schedule.operations if op.kind is kind}
        if not stages:
            continue
        lines.append(_text(_MARGIN, y + 11, f"{_LABELS[kind]}s"))
        for time in range(columns):
            busy = any(0 <= time - stage < iterations for stage in stages)
            x = _LEFT + time * column + _GAP
            fill = _COLOURS[kind] if busy else _IDLE
            lines.append(f'<rect x="{x}" y="{y + 1}" width="{column - _GAP}" height="{_LINE - 3}" fill="{fill}"/>')
            if not busy:
                lines.append(_text(x + 3, y + 11, "idle", 'fill="#555"'))
        y += _LINE
    return [*lines, _text(_MARGIN, y + 14, schedule.told_idle(), 'fill="#555"')]


def _units(schedule: LoopSchedule, width: int, y: int) -> list[str]:
    """A line for each unit: its share of the shortest iteration, which is `width` long, and its cycles."""
    if not schedule.units:
        return []
    lines, bound = [], schedule.units[0][1]
    for name, cycles in schedule.units:
        busy = cycles / bound * width
        left = _MARGIN + _UNIT
        lines += [
            _text(_MARGIN, y + 11, name),
            f'<rect x="{left}" y="{y + 1}" width="{width}" height="{_LINE - 3}" fill="{_IDLE}"/>',
            f'<rect x="{left}" y="{y + 1}" width="{busy:.0f}" height="{_LINE - 3}" fill="{_BUSY}"/>',
            _text(left + 3, y + 11, f"{cycles:,.0f} cycles"),
        ]
        y += _LINE
    return [*lines, _text(_MARGIN, y + 14, f"an iteration: {schedule.told_bound()}", 'fill="#555"')]


def _label(op: Scheduled) -> str:
    """The text of a box: the source's name of the result, else that of the IR, else the kind of work."""
    name = op.name if op.name[1:].isdecimal() else op.name.removeprefix("%")
    return op.variable or name or _LABELS[op.kind]


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
        f'<line x1="{x}" y1="{_TOP - 12}" x2="{x}" y2="{height}" stroke="#ccc"/>',
        _text(x + 4, _TOP - 4, f"{time} {part}", 'fill="#555"'),
    ]


def _bar(op: Scheduled, places: dict[Scheduled, int], slots: int, box: int, iteration: int, y: float) -> str:
    """From the start of an operation to the first use of its result, if that comes in a later iteration of the loop."""
    assert op.used is not None
    stage, cluster = op.used
    if stage == op.stage:
        return ""
    before = sum(1 for other in places if other.cluster < cluster)
    start = _x(iteration + op.stage, places[op], slots, box) + box
    end = _x(iteration + stage, min(before, slots), slots, box)
    if end <= start:
        return ""
    return f'<rect x="{start}" y="{y + 4:g}" width="{end - start}" height="{_LINE - 6}" fill="{_IN_FLIGHT}"/>'


def _box(op: Scheduled, places: dict[Scheduled, int], slots: int, box: int, iteration: int, y: float) -> str:
    x = _x(iteration + op.stage, places[op], slots, box)
    label, room = _label(op), (box - 4) // _LETTER
    label = label if len(label) <= room else label[: room - 2] + ".."
    return (
        f"<g><title>{escape(f'iteration {iteration}, stage {op.stage}: {op.text}')}</title>"
        f'<rect x="{x}" y="{y + 1:g}" width="{box}" height="{_LINE - 2}" fill="{_COLOURS[op.kind]}"/>'
        f"{_text(x + 2, y + 11, label)}</g>"
    )


def _x(time: int, place: int, slots: int, box: int) -> int:
    return _LEFT + time * (slots * (box + _GAP) + _GAP) + _GAP + place * (box + _GAP)


def _legend() -> list[str]:
    entries = [(_LABELS[kind], _COLOURS[kind]) for kind in (Kind.LOAD, Kind.PRODUCT, Kind.STORE)]
    lines, x = [], _MARGIN
    for text, colour in [*entries, ("in flight", _IN_FLIGHT)]:
        lines.append(f'<rect x="{x}" y="24" width="10" height="10" fill="{colour}"/>')
        lines.append(_text(x + 14, 33, text, 'fill="#555"'))
        x += 30 + 7 * len(text)
    return lines


def _text(x: float, y: float, text: str, attributes: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}"{" " if attributes else ""}{attributes}>{escape(text)}</text>'
