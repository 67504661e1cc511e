"""JSON that may come from anywhere, files and messages: checked before it is used."""

from __future__ import annotations

import json
import math
from typing import Any

MOST = 1e300
Shape = Any
"""A type; `number`, `natural` or `count`; None, which is null; [shape], a list; {str: shape}, an object of any names;
{name: shape}, an object with these at least, but for names that end in `?`; a tuple of such, of which any will do; or a
function without arguments that gives one."""


def number(value: Any) -> bool:
    """Whether JSON is a finite number that floats can have."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < MOST


def natural(value: Any) -> bool:
    """Whether JSON is an integer from 0 on that has 31 bits."""
    return type(value) is int and 0 <= value < 1 << 31


def count(value: Any) -> bool:
    """Whether JSON is an integer from 1 on that has 31 bits."""
    return natural(value) and value > 0


_NAMES: dict[Any, str] = {
    str: "a text", int: "an integer", float: "a float", bool: "true or false", dict: "an object", list: "a list",
    None: "null", number: "a number", natural: "an integer of 31 bits", count: "an integer of 31 bits, not 0",
}  # fmt: skip


def load(text: str | bytes, shape: Shape) -> Any:
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
        ValueError: it does not fit; the text says where.
    """
    if callable(shape) and not isinstance(shape, type) and shape not in _NAMES:
        shape = shape()
    choices = shape if isinstance(shape, tuple) else (shape,)
    found = [one for one in choices if _fits(value, one)]
    if not found:
        wanted = " or ".join(_NAMES[_kind(one)] for one in choices)
        shown = "nan or infinite" if isinstance(value, float) and not math.isfinite(value) else repr(value)[:40]
        raise ValueError(f"{what} must be {wanted}, found {shown}")
    if isinstance(found[0], list):
        for position, item in enumerate(value):
            check(item, found[0][0], f"{what}[{position}]")
    elif isinstance(found[0], dict):
        for name, inner in found[0].items():
            for key in value if name is str else (name.removesuffix("?"),):
                if key in value:
                    check(value[key], inner, f"{what}.{key}")
                elif not name.endswith("?"):
                    raise ValueError(f"{what} has no '{key}'")


def _kind(shape: Shape) -> Any:
    """The type of lists and objects; of others, themselves."""
    return type(shape) if isinstance(shape, (list, dict)) else shape


def _fits(value: Any, shape: Shape) -> bool:
    """Whether it is of the kind, whatever is inside."""
    kind = _kind(shape)
    return value is None if kind is None else isinstance(value, kind) if isinstance(kind, type) else kind(value)
