"""RUN lines of a test: their passes run on the file, and what they say appears where it belongs."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from typing import Any

_RUN = re.compile(r"^\s*(?://|;|#)\s*RUN:(.*)$", re.MULTILINE)
_TOOLS = ("tt-opt", "triton-opt", "mlir-opt")
_SAID = re.compile(r"^(.*?):(\d+):(\d+): (error|warning|remark|note): (.*)$", re.MULTILINE)
_SEVERITY = {"error": 1, "warning": 2, "remark": 3, "note": 4}
_MOST_SECONDS = 20.0
_EXPECTS = ("verify-diagnostics", "not ", "expect-fail")


def commands(text: str, path: str) -> list[list[str]]:
    """The tt-opt commands of the RUN lines whose diagnostics nobody expects."""
    found = []
    for line in _joined_lines(text):
        first = line.split("|")[0].split("&&")[-1].split(">")[0].strip()
        if any(word in first for word in _EXPECTS):
            continue
        first = first.replace("%s", shlex.quote(path)).replace("%S", shlex.quote(os.path.dirname(path)))
        try:
            words = shlex.split(first)
        except ValueError:
            continue
        if words and words[0] in _TOOLS and path in words:
            found.append(words[1:])
    return found


def _joined_lines(text: str) -> list[str]:
    """RUN lines, with those that end in a backslash joined with the next."""
    lines: list[str] = []
    goes_on = False
    for line in _RUN.findall(text):
        line = line.strip()
        if goes_on:
            lines[-1] = lines[-1][:-1] + " " + line
        else:
            lines.append(line)
        goes_on = line.endswith("\\")
    return lines


def diagnostics_of_run_lines(text: str, path: str) -> list[dict[str, Any]]:
    """Diagnostics of the protocol.  A file that has changed since it was saved gets none: the passes read the disk."""
    if not path or not os.path.exists(path):
        return []
    with open(path, encoding="utf-8", errors="replace") as file:
        if file.read() != text:
            return []
    found: list[dict[str, Any]] = []
    for arguments in commands(text, path):
        command = [sys.executable, "-m", "ttkit.drivers.opt", *arguments, "-o", os.devnull]
        try:
            ended = subprocess.run(
                command, capture_output=True, text=True, timeout=_MOST_SECONDS, cwd=os.path.dirname(path)
            )
        except subprocess.TimeoutExpired:
            continue
        for said in _diagnostics(ended.stderr, text, path):
            if said not in found:
                found.append(said)
    return found


def _diagnostics(said: str, text: str, path: str) -> list[dict[str, Any]]:
    lines = text.split("\n")
    found = []
    for where, line, column, severity, message in _SAID.findall(said):
        if os.path.realpath(where) != os.path.realpath(path):
            continue
        row = min(max(int(line) - 1, 0), len(lines) - 1)
        start = min(max(int(column) - 1, 0), len(lines[row]))
        word = re.match(r"[\w.$%#@]*", lines[row][start:])
        end = start + max(1, len(word[0]) if word else 1)
        places = {"start": {"line": row, "character": start}, "end": {"line": row, "character": end}}
        found.append({"range": places, "severity": _SEVERITY[severity], "source": "tt-opt", "message": message})
    return found
