"""JSON of profiles and timelines, which may come from anywhere: checked before it is used."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

MOST = 1e300
_NAMES: dict[Any, str] = {str: "a text", dict: "an object", list: "a list", (int, str): "an integer or a text"}
Shape = Any
"""A type, or several; `number`; [shape], a list; {str: shape}, an object of any names; {name: shape}, an object with
these at least, but for names that end in `?`; or a function without arguments that gives one."""


def number(value: Any) -> bool:
    """Whether JSON is a finite number that floats can have."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < MOST


def load(text: str, shape: Shape) -> Any:
    """JSON of a shape.

    Raises:
        ValueError: it is none, or nested too deeply.
    """
    try:
        value = json.loads(text)
        check(value, shape, "it")
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    return value


def check(value: Any, shape: Shape, what: str) -> None:
    """Nothing, if JSON has a shape.

    Raises:
        ValueError: it has not; the text says where.
    """
    if isinstance(shape, (type, tuple)):
        _expect(isinstance(value, shape), value, _NAMES.get(shape, "another"), what)
    elif shape is number:
        _expect(number(value), value, "a number", what)
    elif isinstance(shape, list):
        _expect(isinstance(value, list), value, "a list", what)
        for position, item in enumerate(value):
            check(item, shape[0], f"{what}[{position}]")
    elif isinstance(shape, dict):
        _expect(isinstance(value, dict), value, "an object", what)
        for name, inner in shape.items():
            for key in value if name is str else (name.removesuffix("?"),):
                if key in value:
                    check(value[key], inner, f"{what}.{key}")
                elif not name.endswith("?"):
                    raise ValueError(f"{what} has no '{key}'")
    else:
        given: Callable[[], Shape] = shape
        check(value, given(), what)


def _expect(is_right: bool, value: Any, wanted: str, what: str) -> None:
    if not is_right:
        found = "nan or infinite" if isinstance(value, float) and not math.isfinite(value) else repr(value)[:40]
        raise ValueError(f"{what} must be {wanted}, found {found}")
