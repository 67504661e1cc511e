"""Accesses as one page: tensors with the elements that are touched, and a replay, event by event."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from typing import Any

import numpy as np

from ttkit.visualize.picture import grid_of
from ttkit.visualize.recording import Event, LaunchRecord

FRAME_HEIGHT = 720


def page(launches: Sequence[LaunchRecord]) -> str:
    """The page, which stands alone."""
    data = json.dumps({"launches": [launch_data(launch) for launch in launches]}, separators=(",", ":"))
    template, css, page, pictures = (
        (files("ttkit.visualize") / name).read_text(encoding="utf-8")
        for name in ("page.html", "page.css", "page.js", "pictures.js")
    )
    whole = template.replace("/*CSS*/", css).replace("/*JS*/", pictures + page)
    return whole.replace("/*DATA*/null", data.replace("</", "<\\/"), 1)


def framed(text: str) -> str:
    """A page in a frame, for notebooks."""
    return f'<iframe style="width:100%;height:{FRAME_HEIGHT}px;border:0" srcdoc="{escape(text, quote=True)}"></iframe>'


def launch_data(launch: LaunchRecord) -> dict[str, Any]:
    """A launch as plain values: what page.html reads."""
    names = list(launch.tensors)
    tensors = []
    for tensor in launch.tensors.values():
        rows, columns = grid_of(tensor)
        tensors.append({"name": tensor.name, "shape": tensor.shape, "rows": rows, "columns": columns})
    places = [
        {
            "kind": place.kind,
            "op": place.op,
            "where": f"{place.where[0].file.rpartition('/')[2]}:{place.where[0].line}" if place.where else "",
            "text": place.where[0].text.strip() if place.where else "",
            "owner": None if place.owners is None else runs(place.owners.owner),
            "conflicts": place.conflicts,
        }
        for place in launch.places
    ]
    return {
        "kernel": launch.kernel,
        "grid": launch.grid,
        "leftOut": launch.left_out,
        "tensors": tensors,
        "places": places,
        "events": [event_data(event, names) for event in launch.events],
    }


def event_data(event: Event, names: list[str]) -> list[Any]:
    """Program, time, place, tensor (-1: none), runs of elements, sectors (touched, needed, width), operands."""
    counted = event.sectors
    return [
        event.program,
        event.time,
        event.site,
        names.index(event.tensor) if event.tensor else -1,
        None if event.elements is None else runs(event.elements),
        None if counted is None else [counted.touched, counted.needed, counted.width],
        list(event.operands),
    ]


def runs(values: np.ndarray) -> list[int]:
    """Numbers as runs: start, step, count, one after the other."""
    found: list[int] = []
    numbers = values.tolist()
    place = 0
    while place < len(numbers):
        step = numbers[place + 1] - numbers[place] if place + 1 < len(numbers) else 0
        end = place + 1
        while end < len(numbers) and numbers[end] - numbers[end - 1] == step:
            end += 1
        found += [numbers[place], step, end - place]
        place = end
    return found
