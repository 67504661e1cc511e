"""The errors of ptxas about PTX that it refuses, at the kernel's own lines.

    ptxas kernel.ptx, line 48; error   : Arguments mismatch for instruction 'mov'
  =>
    kernel.py:8: error: ptxas: Arguments mismatch for instruction 'mov'

PTX has the lines of its source in `.loc` directives, unless TRITON_DISABLE_LINE_INFO is set.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ttkit.patterns import pattern

MOST = 5
"""Errors that are shown: one wrong instruction is often repeated."""
_ERROR = pattern(r"^ptxas (?:.*, line (\d+); )?(error|fatal) *: (.*)$", re.MULTILINE)
_LOCATION = pattern(r"\s*\.loc\s+(\d+)\s+(\d+)")
_FILE = pattern(r'^\s*\.file\s+(\d+)\s+(?:"((?:[^"\\]|\\.)*)"\s+)?"((?:[^"\\]|\\.)*)"', re.MULTILINE)
_ABORTED = "Ptx assembly aborted due to errors"


def located_errors(log: str, ptx: str, path: str) -> list[str]:
    """The errors in a log of ptxas, `file:line: error: ptxas: text` each; those about its options without a place.

    Args:
        ptx: the text that was refused; path: where it is kept, for errors that no line of a kernel belongs to.
    """
    lines, files = ptx.splitlines(), source_files(ptx)
    places = [""]
    for line in lines:
        places.append(place_of(line, files) or places[-1])
    found: dict[str, None] = {}
    for number, kind, text in _ERROR.findall(log):
        if text.startswith(_ABORTED):
            continue
        if not number and kind == "fatal" and "unction" not in text:
            found[f"error: ptxas: {text}"] = None
            continue
        if number:
            place = places[min(int(number), len(lines))]
        else:
            place = next((place for line in from_function(lines, text) if (place := place_of(line, files))), "")
        place = place or (f"{path}:{number}" if number else path)
        found[f"{place}: error: ptxas: {text}"] = None
    return list(found)[:MOST]


def source_files(ptx: str) -> dict[str, str]:
    """Files of the source by their numbers in `.loc` directives."""
    return {number: f"{folder}/{name}" if folder else name for number, folder, name in _FILE.findall(ptx)}


def place_of(line: str, files: dict[str, str]) -> str:
    """The `file:line` that a `.loc` directive names; empty of any other line, or of code without a line."""
    match = _LOCATION.match(line)
    return f"{files[match[1]]}:{match[2]}" if match and match[1] in files and match[2] != "0" else ""


def from_function(lines: list[str], text: str) -> Iterable[str]:
    """The lines from the function on that an error is about, or from the kernel on if it names none."""
    name = re.search(r"[Ff]unction '([^']+)'", text)
    head = re.compile(rf"\.(?:entry|func)\b.*\b{re.escape(name[1])}\b" if name else r"\.entry\b")
    first = next((number for number, line in enumerate(lines) if head.search(line)), 0)
    return lines[first:]
