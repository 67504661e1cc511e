"""Edits that change a type everywhere at once, which is simplest in the text of a module."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

TextEdit = Callable[[str], str]

_SHAPE = re.compile(r"(?:tensor|memdesc)<((?:\d+x)+)")
_RANGE_END = re.compile(r"\bend = (\d+) : i32")
_ALIAS = re.compile(r"^(#\w+) = (.*)$", re.MULTILINE)
_SIMPLER_ELEMENTS = (
    ("f64", "f32"),
    ("f16", "f32"),
    ("bf16", "f32"),
    ("f8E4M3FN", "f16"),
    ("f8E5M2", "f16"),
    ("i64", "i32"),
    ("i16", "i32"),
    ("i8", "i32"),
)


def sizes(text: str) -> list[TextEdit]:
    """Sizes of tensors: to 1, or halved, also two different ones together, as reshapes need it."""
    found = {int(size) for shape in _SHAPE.findall(text) for size in shape[:-1].split("x")}
    found |= {int(size) for size in _RANGE_END.findall(text)}
    large = sorted((size for size in found if size > 1), reverse=True)
    halves = {size: size // 2 for size in large}
    edits = [{size: 1} for size in large] + [{size: half} for size, half in halves.items()]
    if len(large) > 1:
        edits.insert(0, halves)
        edits += [{a: halves[a], b: halves[b]} for n, a in enumerate(large) for b in large[n + 1 :]]
    return [partial(_resized, changes) for changes in edits]


def _resized(changes: dict[int, int], text: str) -> str:
    def shape(match: re.Match[str]) -> str:
        """The start of a type as matched, with its sizes changed."""
        kind, sizes = match[0].split("<")[0], match[1][:-1].split("x")
        return f"{kind}<{''.join(f'{changes.get(int(size), int(size))}x' for size in sizes)}"

    text = _SHAPE.sub(shape, text)
    return _RANGE_END.sub(lambda match: f"end = {changes.get(int(match[1]), int(match[1]))} : i32", text)


def element_types(text: str) -> list[TextEdit]:
    """Types of elements, each to a more usual one."""
    return [
        partial(_retyped, old, new) for old, new in _SIMPLER_ELEMENTS if re.search(rf"(?<![A-Za-z_%#@]){old}\b", text)
    ]


def _retyped(old: str, new: str, text: str) -> str:
    return re.sub(rf"(?<![A-Za-z_%#@]){old}\b", new, text)


def layouts(text: str) -> list[TextEdit]:
    """Layouts for which an earlier one can stand."""
    names = [match[1] for match in _ALIAS.finditer(text) if "Shared" not in match[2] and "shared" not in match[2]]
    return [partial(_renamed, a, b) for a, b in _pairs(names)]


def _pairs(names: list[str]) -> Iterator[tuple[str, str]]:
    for n, name in enumerate(names):
        for other in names[:n]:
            yield name, other


def _renamed(old: str, new: str, text: str) -> str:
    text = re.sub(rf"^{re.escape(old)} = .*\n", "", text, flags=re.MULTILINE)
    return re.sub(rf"{re.escape(old)}\b", new, text)
