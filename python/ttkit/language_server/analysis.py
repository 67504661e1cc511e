"""All that MLIR's language server does not know: documentation, layouts, hints, and what passes say.

A process that answers questions about texts: `hover`, `hints`, `diagnose`, each with the file's address, its text and a
place in it.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote, urlparse

from mlir import ir

import ttkit.context
from ttkit.analysis.value_layouts import accesses, subject_of_type
from ttkit.analysis.value_names import NamedValue, named_values, without_locations
from ttkit.language_server.operation_docs import documentation
from ttkit.language_server.run_lines import diagnostics_of_run_lines
from ttkit.language_server.wire import Wire
from ttkit.layout.drawing.triton_text import layout_text
from ttkit.layout.report import facts, report_text

_WORD = re.compile(r"[%#!@^]?[A-Za-z_0-9$][\w$.#-]*")
_SPLIT = re.compile(r"^// -----.*$", re.MULTILINE)
_ALIAS = re.compile(r"^(#[\w$.-]+)[^\S\n]*=([^\n]*)", re.MULTILINE)
_ATTRIBUTE = re.compile(r"#[\w.]+")
_VALUE = re.compile(r"(%[\w$.-]+)(?::\d+)?")
_WIDTH, _ROWS = 100, 16
_TYPE_HINT = 1
_LONGEST_HINT = 70
_LONGEST_LINE = 10_000
"""Characters of lines that get hints."""


def word_at(text: str, line: int, character: int) -> str:
    """The word at a place, counted from 0; empty if there is none."""
    lines = text.split("\n")
    for match in _WORD.finditer(lines[line] if line < len(lines) else ""):
        if match.start() <= character < match.end():
            return match[0].rstrip(".")
    return ""


def part_at(text: str, line: int) -> tuple[str, int]:
    """The part of a split file that a line is in, and the line where that begins."""
    start, first = 0, 0
    for match in _SPLIT.finditer(text):
        at = text.count("\n", 0, match.start())
        if at >= line:
            return text[start : match.start()], first
        start, first = match.end() + 1, at + 1
    return text[start:], first


def parsed(text: str) -> tuple[ir.Module, str] | None:
    """A module whose locations are places in the text, and the text without locations; None if it is not valid."""
    blanked = without_locations(text)
    with ttkit.context.Context() as context, contextlib.suppress(ir.MLIRError):
        context.allow_unregistered_dialects = True
        return ttkit.context.parse_text(blanked, context), blanked
    return None


def hover(uri: str, text: str, place: dict[str, int]) -> list[str]:
    """Sections of markdown about the word at a place."""
    word = word_at(text, place["line"], place["character"])
    part, first = part_at(text, place["line"])
    if word.startswith("%"):
        return about_value(part, word, place["line"] - first)
    if word.startswith("#"):
        return about_layout(part, word)
    if "." in word and (found := documentation(word)):
        return [found]
    return []


def about_value(text: str, word: str, line: int) -> list[str]:
    """The type of a value, and its layout as a picture."""
    module = parsed(text)
    if module is None:
        return []
    with module[0].context:
        values = list(named_values(*module))
        named = [one for one in values if one.name.split("#")[0] == word.split("#")[0]]
        exact = [one for one in named if one.name == word] or named
        before = [one for one in exact if (place_of(one) or (1, 1))[0] - 1 <= line] or exact
        return [] if not before else type_sections(before[-1], values, text)


def type_sections(named: NamedValue, values: list[NamedValue], text: str) -> list[str]:
    """Paragraphs on a value with a layout: its type without aliases, a picture, and what its uses cost."""
    shown = f"```mlir\n{named.name} : {with_aliases(str(named.value.type), layout_names(text))}\n```"
    costs = [f"{what}: {cost}" for what, cost in _costs(named, {one.value: one.name for one in values})]
    return [shown, *picture(named.value.type), *(["\n".join(f"- {one}" for one in costs)] if costs else [])]


def about_layout(text: str, word: str) -> list[str]:
    """A layout that the file names, on the first tensor that has it."""
    module = parsed(text)
    if module is None:
        return []
    names = layout_names(text)
    alias = next((attribute for attribute, name in names.items() if name == word), None)
    if alias is None:
        return []
    with module[0].context:
        for named in named_values(*module):
            if with_aliases(str(named.value.type), names).rstrip(">").endswith(word):
                return [f"```mlir\n{word} = {alias}\n```", *picture(named.value.type)]
    return [f"```mlir\n{word} = {alias}\n```"]


def picture(type: ir.Type) -> list[str]:
    """Facts about the layout of a type, and which thread holds what; nothing for types without one."""

    def draw() -> list[str]:
        """Facts about the layout and the first rows of its table, in two code blocks."""
        subject = subject_of_type("", type)
        lines = layout_text(subject.linear).split("\n")
        cut = [line if len(line) <= _WIDTH else line[:_WIDTH] + " ..." for line in lines[:_ROWS]]
        cut += ["..."] if len(lines) > _ROWS else []
        report = report_text(facts(subject.linear, subject.accessed_bits)).rstrip()
        return [f"```\n{report}\n```", "```\n" + "\n".join(cut) + "\n```"]

    return _quietly(draw, [])


def _quietly(function: Callable[[], Any], otherwise: Any) -> Any:
    """Result of a function; something else where a layout can't be drawn or counted."""
    try:
        return function()
    except (TypeError, ValueError, NotImplementedError, KeyError, AssertionError):
        return otherwise


def layout_names(text: str) -> dict[str, str]:
    """The names that a file has for layouts, by what they stand for."""
    return {attribute.partition("//")[0].strip(): name for name, attribute in _ALIAS.findall(text)}


def with_aliases(kind: str, names: Mapping[str, str]) -> str:
    """A type as the file would write it, with the names that the file has for layouts; the inner ones first."""
    for found in reversed(list(_ATTRIBUTE.finditer(kind))):
        end, depth = found.end(), 0
        while kind[end : end + 1] == "<" or depth:
            depth += {"<": 1, ">": -1}.get(kind[end : end + 1], 0)
            end += 1
            if not depth or end >= len(kind):
                break
        attribute = kind[found.start() : end]
        kind = kind[: found.start()] + names.get(attribute, attribute) + kind[end:]
    return kind


def place_of(named: NamedValue) -> tuple[int, int] | None:
    """Line and column, from 1, of the operation or argument that a value is."""
    owner = named.value.owner
    location = named.value.location if isinstance(owner, ir.Block) else owner.location
    return (location.start_line, location.start_col) if location.is_a_file() else None


def hints(uri: str, text: str, place: dict[str, Any]) -> list[dict[str, Any]]:
    """Types of results that their line does not say, and what conversions cost."""
    found: list[dict[str, Any]] = []
    first = 0
    for part in _SPLIT.split(text):
        module = parsed(part)
        if module is not None:
            with module[0].context:
                found += [hint for hint in _hints(*module) if _shift(hint, first)]
        first += part.count("\n")
    start, end = place["start"]["line"], place["end"]["line"]
    return [hint for hint in found if start <= hint["position"]["line"] <= end]


def _shift(hint: dict[str, Any], lines: int) -> bool:
    hint["position"]["line"] += lines
    return True


def _hints(module: ir.Module, text: str) -> Iterator[dict[str, Any]]:
    lines, layouts, kinds = text.split("\n"), layout_names(text), dict[ir.Type, str]()
    values = list(named_values(module, text))
    names = {one.value: one.name for one in values}
    for named in values:
        place = place_of(named)
        if place is None or isinstance(named.value.owner, ir.Block) or len(lines[place[0] - 1]) > _LONGEST_LINE:
            continue
        line, type = lines[place[0] - 1], named.value.type
        kind = kinds[type] = kinds.get(type) or with_aliases(str(type), layouts)
        base = named.name.split("#")[0]
        after = next((found.end() for found in _VALUE.finditer(line) if found[1] == base), None)
        if kind not in line and after is not None:
            label = kind if len(kind) <= _LONGEST_HINT else kind[:_LONGEST_HINT] + "..."
            position = {"line": place[0] - 1, "character": utf16(line, after)}
            yield {"position": position, "label": f": {label}", "kind": _TYPE_HINT, "paddingLeft": False}
        if named.value.owner.name == "ttg.convert_layout":
            position = {"line": place[0] - 1, "character": utf16(line, len(line))}
            for what, cost in _costs(named, names):
                if " from " in what:
                    yield {"position": position, "label": cost, "paddingLeft": True}


def _costs(named: NamedValue, names: Mapping[ir.Value, str]) -> list[tuple[str, str]]:
    return _quietly(lambda: accesses(named, names), [])


def utf16(line: str, column: int) -> int:
    """A column as the protocol counts it."""
    return len(line[:column].encode("utf-16-le")) // 2


def diagnose(uri: str, text: str, place: object) -> list[dict[str, Any]]:
    """Diagnostics of the passes of the RUN lines about the file."""
    parts = urlparse(uri)
    path = unquote(parts.path) if parts.scheme == "file" else ""
    return diagnostics_of_run_lines(text, path)


ANSWERS: dict[str, Callable[[str, str, Any], Any]] = {"hover": hover, "hints": hints, "diagnose": diagnose}


def main() -> None:
    """Answers questions on standard input until it ends."""
    out = os.dup(1)
    os.dup2(2, 1)
    wire = Wire(0, out)
    while (messages := wire.receive()) is not None:
        for message in messages:
            params = message["params"]
            try:
                with contextlib.redirect_stderr(io.StringIO()):
                    result = ANSWERS[message["method"]](params["uri"], params["text"], params["place"])
            except Exception as error:
                print(f"tt-lsp: {message['method']}: {type(error).__name__}: {error}", file=sys.stderr)
                result = []
            wire.send({"id": message["id"], "result": result})


if __name__ == "__main__":
    main()
