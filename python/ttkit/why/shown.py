"""Findings as text, and as a page of HTML that loads nothing."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Sequence
from itertools import groupby

from ttkit.profiler.profile_page import document
from ttkit.why.explain import Explained, Finding

WIDTH = 110


def text(kernels: Sequence[Explained]) -> str:
    """The kernels one after the other: facts by section, then what to do."""
    return "\n\n".join(map(_kernel, kernels))


def _kernel(kernel: Explained) -> str:
    lines = [kernel.title, "=" * len(kernel.title)]
    for section, findings in _sections(kernel):
        lines.append(section)
        for found in findings:
            said = f"{found.place}: {found.text}" if found.place else found.text
            lines += _wrapped(said, "  ")
    advised = _advised(kernel)
    lines += ["what to do" if advised else "nothing stands out"]
    for number, found in enumerate(advised, 1):
        where = f"{found.section}{', ' + found.place if found.place else ''}"
        lines += _wrapped(f"{number}. {where}: {found.advice} (docs/{found.link})", "  ")
    return "\n".join(lines)


def _wrapped(said: str, indent: str) -> list[str]:
    return textwrap.wrap(said, WIDTH, initial_indent=indent, subsequent_indent=indent + "  ", break_on_hyphens=False)


def _sections(kernel: Explained) -> list[tuple[str, list[Finding]]]:
    return [(name, list(found)) for name, found in groupby(kernel.findings, key=lambda one: one.section)]


def _advised(kernel: Explained) -> list[Finding]:
    """The findings with advice, each advice about a place once."""
    return list({(one.section, one.place, one.advice): one for one in kernel.findings if one.advice}.values())


def page(kernels: Sequence[Explained], title: str) -> str:
    """The same as HTML, a table for each kernel."""
    return document(title, "why", "".join(map(_table, kernels)) or "<p>No kernel was launched.</p>")


def _table(kernel: Explained) -> str:
    rows = []
    for section, findings in _sections(kernel):
        for number, found in enumerate(findings):
            link = f" (docs/{html.escape(found.link)})" if found.advice and found.link else ""
            cells = (section if number == 0 else "", found.place, found.text, found.advice + link)
            rows.append("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>")
    head = "".join(f"<th>{name}</th>" for name in ("about", "line", "found", "what to do"))
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    return f'<h2>{html.escape(kernel.title)}</h2><div class="wide">{table}</div>'
