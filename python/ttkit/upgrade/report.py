"""Findings of an upgrade as text and as JSON."""

from __future__ import annotations

import json
import os
import textwrap
from collections.abc import Iterable, Sequence
from itertools import groupby

from ttkit.upgrade.changes import ERROR, MEANING, NOTICE, SPEED, Finding

KINDS = (ERROR, MEANING, SPEED, NOTICE)
_WIDTH = 110


def merged(findings: Iterable[Finding]) -> list[Finding]:
    """Each change of a line once, by file and line: those that a kernel showed before those that sources show."""
    kept: dict[tuple[str, int, str], Finding] = {}
    for given in findings:
        finding = given._replace(file=_near(given.file))
        key = finding.file, finding.line, finding.change.text
        if key not in kept or (finding.kernel and not kept[key].kernel):
            kept[key] = finding
    return sorted(kept.values(), key=lambda one: (one.file, one.line, KINDS.index(one.change.kind), one.change.text))


def _near(file: str) -> str:
    """A file by the folder that the command runs in, if it is below that."""
    near = os.path.relpath(os.path.realpath(file))
    return file if near.startswith("..") else near


def concerns(findings: Iterable[Finding]) -> bool:
    """Whether one of them is more than a notice."""
    return any(finding.change.kind != NOTICE for finding in findings)


def text(findings: Sequence[Finding]) -> str:
    """A paragraph for each file, with what to write."""
    paragraphs = []
    for file, group in groupby(findings, key=lambda one: one.file):
        lines = [file]
        for one in group:
            since = "{}.{}".format(*one.change.since)
            where = f" (in {one.kernel})" if one.kernel else ""
            lines += _wrapped(f"{one.line}: {one.change.kind} since {since}{where}: {one.change.text}", "  ")
            lines += _wrapped(f"write: {one.change.advice}", "      ")
        paragraphs.append("\n".join(lines))
    return "\n\n".join(paragraphs)


def _wrapped(said: str, indent: str) -> list[str]:
    return textwrap.wrap(said, _WIDTH, initial_indent=indent, subsequent_indent=indent + "  ", break_on_hyphens=False)


def summary(findings: Sequence[Finding]) -> str:
    """Such as "3 findings: 1 error, 2 meaning"."""
    counts = [(sum(one.change.kind == kind for one in findings), kind) for kind in KINDS]
    parts = [f"{count} {kind}" for count, kind in counts if count]
    return f"{len(findings)} finding{'s' * (len(findings) != 1)}" + (f": {', '.join(parts)}" if parts else "")


def as_json(findings: Sequence[Finding]) -> str:
    """A list of objects: file, line, kernel, since, kind, text, write."""
    rows = [
        {
            "file": one.file,
            "line": one.line,
            "kernel": one.kernel,
            "since": "{}.{}".format(*one.change.since),
            "kind": one.change.kind,
            "text": one.change.text,
            "write": one.change.advice,
        }
        for one in findings
    ]
    return json.dumps(rows, indent=2)
