"""IR, diffs, tables and pictures in notebooks (`_repr_html_`), and what a prompt says of a module.

Highlighting is a span a token; regions fold, by their first line.  Everything is made when a notebook asks.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from html import escape
from typing import Any

MOST_LINES = 2000
"""Lines of IR that a notebook shows: a browser is slow with more."""

_STYLE = (
    "<style>.ttkit-ir{font:12px/1.35 ui-monospace,Menlo,Consolas,monospace;white-space:pre;overflow-x:auto;margin:0}"
    ".ttkit-ir .c{color:#6a737d}.ttkit-ir .s{color:#0a6640}.ttkit-ir .v{color:#005cc5}.ttkit-ir .o{color:#6f42c1}"
    ".ttkit-ir .t{color:#b35900}.ttkit-ir .a{color:#9a1f5c}.ttkit-ir summary{cursor:pointer}"
    ".ttkit-ir .plus{background:#e6ffed}.ttkit-ir .minus{background:#ffeef0}.ttkit-ir details>div{margin:0}</style>"
)
# Comments, texts, values, symbols and attributes, types, operations.
_TOKEN = re.compile(
    r"(?P<c>//.*)|(?P<s>\"(?:[^\"\\]|\\.)*\"?)|(?P<v>%[\w$.#-]+)|(?P<a>[@#^][\w$.-]+)"
    r"|(?P<t>![\w.]+|\b(?:tensor|vector|memref)(?=<)|\b(?:[su]?i\d+|b?f\d+\w*|index)\b)|(?P<o>\b[a-z_]\w*\.[\w.]+)"
)


def ir_html(shown: object, title: str = "") -> str:
    """IR, a module or its text, with its tokens coloured and its regions folded away on a click."""
    lines = str(shown).rstrip("\n").split("\n")
    hidden = len(lines) - MOST_LINES
    parts, depth = [], 0
    for line in lines[:MOST_LINES]:
        opens, closes = line.rstrip().endswith("{"), line.lstrip().startswith("}")
        if closes and depth:
            parts.append("</div></details>")
            depth -= 1
        if opens:
            parts.append(f"<details open><summary>{highlighted(line)}</summary><div>")
            depth += 1
        else:
            parts.append(f"<div>{highlighted(line) or ' '}</div>")
    parts.append("</div></details>" * depth)
    if hidden > 0:
        parts.append(f"<div class=c>... {hidden} more lines</div>")
    return f"{_STYLE}{_title(title)}<div class=ttkit-ir>{''.join(parts)}</div>"


def diff_html(before: str, after: str, title: str = "") -> str:
    """Two modules as one text, with the lines that went and came."""
    parts = []
    for line in difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=3):
        if line.startswith(("---", "+++")):
            continue
        kind = {"+": " class=plus", "-": " class=minus", "@": " class=c"}.get(line[:1], "")
        parts.append(f"<div{kind}>{escape(line[:1])}{highlighted(line[1:])}</div>")
    text = "".join(parts) or "<div class=c>no difference</div>"
    return f"{_STYLE}{_title(title)}<div class=ttkit-ir>{text}</div>"


def table_html(heads: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A table; None is an empty cell."""
    cells = ["".join(f"<td>{'' if value is None else escape(str(value))}</td>" for value in row) for row in rows]
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    return f"<table><tr>{head}</tr>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def highlighted(line: str) -> str:
    """A line of IR with a span around each token that has a colour."""
    parts, end = [], 0
    for match in _TOKEN.finditer(line):
        parts += [escape(line[end : match.start()]), f"<span class={match.lastgroup}>{escape(match[0])}</span>"]
        end = match.end()
    return "".join([*parts, escape(line[end:])])


def _title(title: str) -> str:
    return f"<b>{escape(title)}</b>" if title else ""


def module_repr(module: Any) -> str:
    """`<Module: functions @a, @b, 12 operations>`."""
    names, count = [], 0
    for op in module.body.operations:
        if "sym_name" in op.operation.attributes:
            names.append(f"@{op.operation.attributes['sym_name'].value}")
        count += _count(op.operation)
    shown = ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
    functions = f"function{'s' if len(names) > 1 else ''} {shown}, " if names else ""
    return f"<Module: {functions}{count} operation{'s' if count != 1 else ''}>"


def operation_repr(op: Any) -> str:
    """`<%3 = tt.load %2 : tensor<4x!tt.ptr<f32>>>`: its line, without regions, cut where it is long."""
    try:
        line = op.operation.get_asm(skip_regions=True).split("\n", 1)[0]
    except RuntimeError as error:  # it was erased
        return f"<{type(op).__name__}: {error}>"
    return f"<{line if len(line) <= _LONGEST_REPR else f'{line[:_LONGEST_REPR]}...'}>"


_LONGEST_REPR = 160  # characters


def _count(op: Any) -> int:
    return 1 + sum(_count(inner.operation) for region in op.regions for block in region for inner in block.operations)
