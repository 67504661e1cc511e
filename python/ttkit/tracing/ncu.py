"""Figures that NVIDIA's ncu has measured of each instruction: a report, or `ncu --import REPORT --page source --csv`.

A table begins with a line of names, one of which is `Source`; above it stands the kernel.  Each row is an instruction,
with samples, and samples by what warps waited for.
"""

from __future__ import annotations

import csv
import glob
import io
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

_SAMPLES = ("Warp Stall Sampling (All Samples)", "# Samples", "Samples")
_REPORT = ".ncu-rep"
_STALL = "stall_"
_NOT_ISSUED = re.compile(r"not.issued", re.IGNORECASE)
_INSTRUCTION = re.compile(r"(?:@!?U?P\w+\s+)?[A-Z][A-Z0-9_.]*\b")
_SHOWN = re.compile(r"  /\*[0-9a-f]{4,}\*/  ")  # as `sass_lines` shows them


@dataclass
class Row:
    """An instruction.  samples: of warps that were there; stalls: those by what they waited for, if anything."""

    source: str
    samples: int
    stalls: dict[str, int]


def read(path: str | os.PathLike[str]) -> list[tuple[str, list[Row]]]:
    """The tables of a file: what stands above each, which names the kernel, and its rows.

    Args:
        path: a report, `.ncu-rep`, which ncu itself is asked to print; else what it has printed.

    Raises:
        OSError: it can't be read, or there is no ncu to print it.
        ValueError: it is not CSV, or has no table of instructions.
    """
    if os.fspath(path).endswith(_REPORT):
        text = _printed(os.fspath(path))
    else:
        with open(path, newline="", encoding="utf-8", errors="replace") as file:
            text = file.read()
    tables: list[tuple[str, list[Row]]] = []
    names: list[str] = []
    above: list[str] = []
    for cells in _cells(text):
        if "Source" in cells and any(name in cells for name in _SAMPLES):
            names = cells
            tables.append((" ".join(above), []))
            above = []
        elif names and len(cells) == len(names):
            tables[-1][1].append(_row(dict(zip(names, cells))))
        else:
            names = []
            above += cells
    if not tables:
        raise ValueError(
            f"{path} has no table of instructions: measure with ncu --section SourceCounters -o REPORT, and give the "
            "report, or what ncu --import REPORT --page source --csv prints"
        )
    return tables


def _cells(text: str) -> Iterator[list[str]]:
    try:
        yield from csv.reader(io.StringIO(text, newline=""))
    except csv.Error as error:
        raise ValueError(f"no CSV: {error}") from None


def _printed(report: str) -> str:
    """Prints a report's instructions, with ncu from the PATH or where NVIDIA's installer puts it."""
    places = sorted(glob.glob("/opt/nvidia/nsight-compute/*/ncu"))
    command = shutil.which("ncu") or (places[-1] if places else None)
    if command is None:
        raise FileNotFoundError(
            f"{report}: ncu is not installed, so it can't be read; give the output of ncu --import ... --csv prints"
        )
    os.stat(report)
    asked = [command, "--import", report, "--page", "source", "--csv"]
    done = subprocess.run(asked, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        raise ValueError(f"{report}: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def _row(cells: Mapping[str, str]) -> Row:
    samples = next(_number(cells[name]) for name in _SAMPLES if name in cells)
    stalls = {
        name.removeprefix(_STALL): _number(text)
        for name, text in cells.items()
        if name.startswith(_STALL) and not _NOT_ISSUED.search(name)
    }
    return Row(cells["Source"], samples, {name: count for name, count in stalls.items() if count})


def _number(text: str) -> int:
    try:
        return round(float(text.replace(",", "")))
    except (ValueError, OverflowError):
        return 0


def annotated(lines: Iterable[str], kernel: str, tables: list[tuple[str, list[Row]]]) -> list[str] | None:
    """Lines of SASS with the share of the samples at each instruction, and what its warps mostly waited for.

    Returns:
        None if no table is of this kernel, with as many instructions.
    """
    lines = list(lines)
    count = sum(_SHOWN.match(line) is not None for line in lines)
    whole = re.compile(rf"\b{re.escape(kernel)}\b")
    of_kernel = [rows for above, rows in tables if whole.search(above)]
    instructions = [[row for row in rows if _INSTRUCTION.match(row.source.strip())] for rows in of_kernel]
    rows = next((found for found in instructions if len(found) == count), None)
    if rows is None:
        return None
    total = sum(row.samples for row in rows) or 1
    remaining = iter(rows)
    return [_told(next(remaining), total) + line if _SHOWN.match(line) else line for line in lines]


def _told(row: Row, total: int) -> str:
    if not row.samples:
        return " " * 30
    most = max(row.stalls, key=lambda name: row.stalls[name], default="")
    share = f" {100 * row.stalls[most] / row.samples:3.0f} %" if most else ""
    return f"{100 * row.samples / total:5.1f} % {most[:16]:16}{share:6} "[:30].ljust(30)
