"""Rows of the outsiders' table, and what is made of them: ratios, halves, a summary, Markdown.  Imports no torch.

A row is one program, or one kernel of it, at one shape, as a dict of JSON:

    leg, package, program, variant   models, kernels or suites; whose; which; its shape or precision
    kernel                           the kernel by name, "" for the whole program
    status                           equal, close, differs, "ttkit fails", "Triton fails", "both fail", "not run"
    difference                       largest difference of results, as a share of the largest value; None if unknown
    seconds                          {compiler: seconds of the first compilation}
    microseconds                     {compiler: median of a run}
    half                             informs or judges, see `half_of`
    detail                           the error, or what differs
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from typing import Any

COMPILERS = ("triton", "ttkit")
SLOW = 0.95  # a ratio below it is a finding that asks for a cause
WRONG = ("differs", "ttkit fails")
Row = dict[str, Any]


def half_of(name: str) -> str:
    """Which half a kernel or program belongs to, by a hash of its name alone.

    Choices of thresholds may look at the half that informs; the other one only judges them.
    """
    return "judges" if hashlib.sha256(name.encode()).digest()[-1] % 2 else "informs"


def make_row(leg: str, package: str, program: str, variant: str = "", kernel: str = "", **found: Any) -> Row:
    """A row of what was found; a kernel keeps its half over all shapes and programs that launch it."""
    return {
        "leg": leg,
        "package": package,
        "program": program,
        "variant": variant,
        "kernel": kernel,
        "status": "",
        "difference": None,
        "seconds": {},
        "microseconds": {},
        "half": half_of(f"{package} {kernel.partition('#')[0] or program}"),
        "detail": "",
    } | found


def ratio(row: Row, measure: str) -> float | None:
    """ttkit's speed over Triton's, above 1 is better; None if one has no number.  measure: seconds, microseconds."""
    theirs, ours = (row[measure].get(compiler) for compiler in COMPILERS)
    return theirs / ours if theirs and ours else None


def geometric_mean(values: Iterable[float]) -> float | None:
    logarithms = [math.log(value) for value in values]
    return math.exp(sum(logarithms) / len(logarithms)) if logarithms else None


def is_finding(row: Row) -> bool:
    """Whether a row asks for a cause: a wrong result, a failure of ttkit alone, or a slower run."""
    speed = ratio(row, "microseconds")
    return row["status"] in WRONG or (speed is not None and speed < SLOW)


def summary(rows: list[Row]) -> list[str]:
    """A line for each half of each leg, and one for both halves."""
    lines = []
    for leg in dict.fromkeys(row["leg"] for row in rows):
        for half in ("informs", "judges", "both"):
            mine = [row for row in rows if row["leg"] == leg and half in (row["half"], "both")]
            if mine:
                lines.append(f"{leg}, {half}: {summary_of(mine)}")
    return lines


def summary_of(rows: list[Row]) -> str:
    """Counts of each status; geometric means and the slowest of the ratios."""
    counts = {status: sum(row["status"] == status for row in rows) for status in sorted({r["status"] for r in rows})}
    parts = [f"{len(rows)} rows: " + ", ".join(f"{count} {status}" for status, count in counts.items())]
    for measure, title in (("microseconds", "speed"), ("seconds", "speed of compilation")):
        found = [value for row in rows if (value := ratio(row, measure)) is not None]
        if found:
            text = f"{title} {geometric_mean(found):.3f} (geometric mean of {len(found)}, least {min(found):.3f}"
            slow = f", {sum(value < SLOW for value in found)} below {SLOW}" if measure == "microseconds" else ""
            parts.append(text + slow + ")")
    return "; ".join(parts)


HEADER = (
    *("leg", "package", "program", "variant", "kernel", "half", "status", "difference"),
    *("Triton compiles, s", "ttkit compiles, s", "ratio", "Triton runs, us", "ttkit runs, us", "ratio", "detail"),
)


def number(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def cells(row: Row) -> list[str]:
    """A row as texts, in the order of HEADER; characters that would end a cell are replaced."""
    difference = "" if row["difference"] is None else f"{row['difference']:.1e}"
    texts = [row[name] for name in ("leg", "package", "program", "variant", "kernel", "half", "status")] + [difference]
    for measure, digits in (("seconds", 2), ("microseconds", 1)):
        texts += [number(row[measure].get(compiler), digits) for compiler in COMPILERS]
        texts.append(number(ratio(row, measure), 3))
    return [" ".join(text.replace("|", "/").split()) for text in [*texts, row["detail"]]]


def markdown(rows: list[Row], about: str = "") -> str:
    """The whole table as Markdown: the summary, the findings, then all rows."""
    lines = ["# Programs of others by both compilers", "", about, ""]
    lines += ["A ratio is ttkit's speed over Triton's: above 1 is better.", ""]
    lines += [f"- {line}" for line in summary(rows)]
    findings = sorted((row for row in rows if is_finding(row)), key=lambda row: ratio(row, "microseconds") or 0)
    for title, chosen in (("Findings", findings), ("All rows", rows)):
        lines += ["", f"## {title}: {len(chosen)}", ""]
        lines += ["| " + " | ".join(HEADER) + " |", "|" + " --- |" * len(HEADER)]
        lines += ["| " + " | ".join(cells(row)) + " |" for row in chosen]
    return "\n".join(lines) + "\n"
