"""Results of benchmarks as JSON with one line for each row, so that a new measurement of one row changes one line."""

from __future__ import annotations

import json
from typing import Any

WIDTH = 120


def as_text(results: Any) -> str:
    """Results as JSON: what is short or an item of a list has one line; dictionaries have a line for each key."""
    return "\n".join(_lines(results, 0)) + "\n"


def _lines(value: Any, indent: int) -> list[str]:
    whole = json.dumps(value)
    if not isinstance(value, dict | list) or indent + len(whole) <= WIDTH:
        return [whole]
    if isinstance(value, list):
        return ["[", *(f" {json.dumps(item)}{',' * (number > 0)}" for number, item in _counted(value)), "]"]
    found = ["{"]
    for number, (key, item) in _counted(list(value.items())):
        first, *others = _lines(item, indent + 1)
        lines = [f"{json.dumps(key)}: {first}", *others]
        lines[-1] += "," * (number > 0)
        found += [f" {line}" for line in lines]
    return [*found, "}"]


def _counted(items: list[Any]) -> list[tuple[int, Any]]:
    """Items with the number of those after them."""
    return list(zip(range(len(items) - 1, -1, -1), items))
