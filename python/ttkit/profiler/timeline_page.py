"""A timeline as a page: kernels by streams, or regions by warps of programs; one file of HTML without a script."""

from __future__ import annotations

import html
import os
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ttkit.json_shapes import check, load, number
from ttkit.profiler.profile_page import document, duration
from ttkit.whole_files import write_files

WIDTH, ROW, NAMES = 1500, 12, 170
"""In pixels: of the time, of a row, of the names of tracks."""
MOST_TRACKS, MOST_EVENTS = 256, 20_000
"""That are drawn: a browser scrolls some 20,000 boxes without waiting."""


@dataclass
class Box:
    """An interval.  start, length: in us; depth: how many of its track are around it."""

    name: str
    start: float
    length: float
    depth: int = 0


@dataclass
class Track:
    """A thread, a stream, or a warp of a program."""

    name: str
    boxes: list[Box] = field(default_factory=list)

    @property
    def rows(self) -> int:
        """Boxes that lie one below the other, at most."""
        return 1 + max((box.depth for box in self.boxes), default=0)


def tracks_of(trace: dict[str, Any]) -> list[Track]:
    """The tracks of a timeline in Chrome's form.

    Raises:
        ValueError: it is none.
    """
    events = trace.get("traceEvents") if isinstance(trace, dict) else None
    if not isinstance(events, list):
        raise ValueError('this is not a timeline: a session with data="trace" writes them')
    check(events, [{"ph": str, "pid?": (int, str), "tid?": (int, str)}], "traceEvents")
    processes, threads = {}, {}
    found: dict[tuple[Any, Any], Track] = {}
    for event in events:
        where = event.get("pid"), event.get("tid")
        if event["ph"] == "M":
            check(event, {"name": str, "args": {"name": object}}, "an event M")
            name = event["args"]["name"]
            if event["name"] == "process_name":
                processes[where[0]] = name
            else:
                threads[where] = name
        elif event["ph"] == "X":
            check(event, {"name": str, "ts": number, "dur": number}, "an event X")
            box = Box(event["name"], float(event["ts"]), float(event["dur"]))
            found.setdefault(where, Track("")).boxes.append(box)
    for where, track in found.items():
        track.name = f"{processes.get(where[0], where[0])}, {threads.get(where, where[1])}"
        _nest(track.boxes)
    return [found[where] for where in sorted(found, key=lambda where: [(str(type(one)), one) for one in where])]


def _nest(boxes: list[Box]) -> None:
    boxes.sort(key=lambda box: (box.start, -box.length))
    around: list[float] = []
    for box in boxes:
        while around and around[-1] <= box.start:
            around.pop()
        box.depth = len(around)
        around.append(box.start + box.length)


def write_timeline(path: str | os.PathLike[str], trace: str | os.PathLike[str]) -> int:
    """Writes the page of a .chrome_trace file, whole or not at all; the number of its intervals.

    Raises:
        OSError: a file can't be read or written.
        ValueError: it is not a timeline.
    """
    try:
        tracks = tracks_of(load(Path(trace).read_text(encoding="utf-8"), dict))
    except ValueError as error:
        raise ValueError(f"{os.fspath(trace)} is not a timeline: {error}") from None
    write_files({path: timeline_page(tracks, os.path.basename(trace))})
    return sum(len(track.boxes) for track in tracks)


def timeline_page(tracks: list[Track], title: str) -> str:
    """The page as text."""
    drawn, count = [], 0
    for track in tracks[:MOST_TRACKS]:
        if count + len(track.boxes) > MOST_EVENTS:
            break
        drawn.append(track)
        count += len(track.boxes)
    left = len(tracks) - len(drawn)
    note = f'<p class="note">{left} of {len(tracks)} tracks are not drawn; the table has them.</p>' if left else ""
    content = f"""<h2>Names by time</h2>
{_table(tracks)}
<h2>Timeline</h2>
{note}
<div class="wide">{_drawing(drawn)}</div>"""
    return document(title, "timeline", content)


def _table(tracks: list[Track]) -> str:
    lengths: dict[str, list[float]] = {}
    for track in tracks:
        for box in track.boxes:
            lengths.setdefault(box.name, []).append(box.length)
    rows = []
    for name, found in sorted(lengths.items(), key=lambda one: -sum(one[1])):
        times = (sum(found), sum(found) / len(found), min(found), max(found))
        cells = "".join(f"<td>{duration(1e3 * time)}</td>" for time in times)
        rows.append(f"<tr><td>{_key(name)}{html.escape(name)}</td><td>{len(found)}</td>{cells}</tr>")
    heads = "".join(f"<th>{head}</th>" for head in ("name", "runs", "together", "average", "least", "most"))
    return f'<div class="wide"><table><thead><tr>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'


def _key(name: str) -> str:
    mark = f'<rect width="10" height="10" fill="{_colour(name)}"/>'
    return f'<svg width="10" height="10" style="display: inline; width: 10px" aria-hidden="true">{mark}</svg> '


def _colour(name: str) -> str:
    """A colour that a name always has; its lightness is told from light and dark pages."""
    return f"hsl({zlib.crc32(name.encode()) % 360} 60% 55%)"


def _drawing(tracks: list[Track]) -> str:
    if not tracks:
        return '<p class="note">Nothing was measured.</p>'
    boxes = [box for track in tracks for box in track.boxes]
    first = min(box.start for box in boxes)
    span = max(box.start + box.length for box in boxes) - first or 1.0
    across = lambda time: NAMES + (time - first) / span * WIDTH
    parts, top = [], 18
    for step in range(11):
        time = first + span * step / 10
        place = f'x="{across(time):.1f}" y="11" text-anchor="{"end" if step == 10 else "middle"}"'
        parts.append(f"<text {place}>{duration(1e3 * (time - first)) or '0'}</text>")
    for track in tracks:
        parts.append(f'<text x="0" y="{top + ROW - 2}">{html.escape(track.name)}</text>')
        for box in track.boxes:
            begun, wide = duration(1e3 * (box.start - first)) or "0", max(0.4, box.length / span * WIDTH)
            told = f"{html.escape(box.name)}: {duration(1e3 * box.length)}, from {begun} on"
            place = f'x="{across(box.start):.2f}" y="{top + ROW * box.depth}" width="{wide:.2f}"'
            parts.append(f'<rect {place} height="{ROW - 2}" fill="{_colour(box.name)}"><title>{told}</title></rect>')
        top += ROW * track.rows + 3
    size = f'width="{NAMES + WIDTH + 10}" height="{top}" style="max-width: none; width: {NAMES + WIDTH + 10}px"'
    return f'<svg {size} role="img" aria-label="Timeline" font-size="10">{"".join(parts)}</svg>'
