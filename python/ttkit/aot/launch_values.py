"""Values in lists of launches: constants of kernels as JSON and back, and paths of arguments as text.

Numbers, texts, True, False and None stand for themselves, a member of an IntEnum for its number, and lists for lists.
Another value is an object whose one name tells the kind: {"tuple": [1, 2]}, {"dtype": "fp32"}, {"constexpr": 1},
{"function": "kernels:double"}, {"layout": {"BlockedLayout": {...}}}.  Nothing that is read is run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from enum import IntEnum
from typing import Any

import ttkit.layout.gluon as gluon_layouts
from ttkit.language import types
from ttkit.language.constexpr import constexpr
from ttkit.language.jit_function import JITFunction
from ttkit.layout.gluon.base import GluonLayout
from ttkit.runtime.specialization import Path


def to_json(value: Any, name_of: Callable[[JITFunction], str] | None = None) -> Any:
    """A value as JSON.

    name_of: the name of a function.

    Raises:
        TypeError: it has no such form.
    """
    if value is None or type(value) in (bool, int, float, str):
        return value
    if isinstance(value, IntEnum):
        return int(value)
    if type(value) is list:
        return [to_json(item, name_of) for item in value]
    if type(value) is tuple:
        return {"tuple": [to_json(item, name_of) for item in value]}
    if isinstance(value, constexpr):
        return {"constexpr": to_json(value.value, name_of)}
    if isinstance(value, types.dtype) and types.dtype.is_dtype(str(value)):
        return {"dtype": str(value)}
    if isinstance(value, JITFunction) and name_of is not None:
        return {"function": name_of(value)}
    if isinstance(value, GluonLayout):
        named = {field.name: to_json(getattr(value, field.name)) for field in fields(value)}  # type: ignore[arg-type]
        return {"layout": {type(value).__name__: named}}
    raise TypeError(f"a constant of type {type(value).__name__} has no form in JSON")


def from_json(value: Any, function_of: Callable[[str], JITFunction] | None = None) -> Any:
    """The value of `to_json`.

    function_of: the function of a name.

    Raises:
        ValueError: the JSON does not describe a value.
    """
    if isinstance(value, list):
        return [from_json(item, function_of) for item in value]
    if not isinstance(value, dict):
        return value
    kind, inner = next(iter(value.items()), ("", None))
    if kind == "tuple" and isinstance(inner, list):
        return tuple(from_json(item, function_of) for item in inner)
    if kind == "constexpr":
        return constexpr(from_json(inner, function_of))
    if kind == "dtype" and isinstance(inner, str) and types.dtype.is_dtype(inner):
        return types.dtype(inner)
    if kind == "function" and isinstance(inner, str) and function_of is not None:
        return function_of(inner)
    if kind == "layout" and isinstance(inner, dict):
        return _layout(inner)
    raise ValueError(f"{str(value)[:60]} does not describe a constant")


def _layout(described: dict[str, Any]) -> GluonLayout:
    name, given = next(iter(described.items()), ("", None))
    found = getattr(gluon_layouts, name, None)
    if not (isinstance(found, type) and issubclass(found, GluonLayout) and isinstance(given, dict)):
        raise ValueError(f"there is no layout {name!r}")
    try:
        return found(**{field: from_json(value) for field, value in given.items()})
    except TypeError as error:
        raise ValueError(f"{name}: {error}") from None


def to_tuples(value: Any) -> Any:
    """JSON's lists as the tuples that types of tuples are."""
    return tuple(to_tuples(item) for item in value) if isinstance(value, list) else value


def path_text(path: Path, names: Sequence[str]) -> str:
    """`x`, or `x.0` for the first item of the tuple x."""
    return ".".join([names[path[0]], *map(str, path[1:])])


def path_from_text(text: str, names: Sequence[str]) -> Path:
    """The path of `path_text`.

    Raises:
        ValueError: there is no such parameter, or an item is no number.
    """
    name, *items = text.split(".")
    if name not in names:
        raise ValueError(f"there is no parameter '{name}'; the parameters are {', '.join(names)}")
    return (list(names).index(name), *map(int, items))
