"""The recording as the page reads it: plain values that become JSON.

Texts are lists of lines in one pool, as most lines stand in the text after nearly every pass.  The numbers of the lines
of a text are given as differences, which are mostly 1, so that they compress to little.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from mlir import ir

from ttkit.compiler.disassembly import sass
from ttkit.compiler.ptxas import Cubin
from ttkit.context import Context
from ttkit.dialects._layouts import linear_layout_of
from ttkit.tracing.locations import Located, Place, llvm_lines, mlir_lines, ptx_lines, sass_lines
from ttkit.tracing.names import SteadyNames, operation
from ttkit.tracing.ncu import Row, annotated
from ttkit.tracing.records import KernelRecord, PassRecord, StageRecord

Measured = Iterable[tuple[str, list[Row]]]

FORMAT = 1
"""Version of the data; a page of another format can't be compared."""

_LEVELS = {"source": "tt", "ttir": "tt optimized", "ttgir": "ttg", "llir": "LLVM", "ptx": "PTX", "cubin": "SASS"}
_READERS = {"source": mlir_lines, "ttir": mlir_lines, "ttgir": mlir_lines, "llir": llvm_lines, "ptx": ptx_lines}
_TYPE = re.compile(r"(?:tensor|!ttg\.memdesc)<[\dx]+x[^<>#]*(?:<[^<>]*>)?[^<>#]*#\w+[^<>]*>")
_ALIAS = re.compile(r"^(#\w+) = (.*)$")


class Pool:
    """Texts, lines and places, each kept once."""

    def __init__(self) -> None:
        self.lines: dict[str, int] = {}
        self.places: dict[Place, int] = {(): 0}
        self.texts: list[dict[str, list[int]]] = []
        self._known: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}

    def add(self, lines: Iterable[str], places: Iterable[Place]) -> int:
        """The number of a text."""
        numbers = tuple(self.lines.setdefault(line, len(self.lines)) for line in lines)
        of_lines = tuple(self.places.setdefault(place, len(self.places)) for place in places)
        key = numbers, of_lines
        if key not in self._known:
            self._known[key] = len(self.texts)
            self.texts.append({"lines": differences(numbers), "places": differences(of_lines)})
        return self._known[key]

    def text(self, number: int) -> list[str]:
        """The lines of a text."""
        lines = list(self.lines)
        return [lines[position] for position in sums(self.texts[number]["lines"])]


def differences(numbers: Iterable[int]) -> list[int]:
    """Each number less the one before."""
    found, last = [], 0
    for number in numbers:
        found.append(number - last)
        last = number
    return found


def sums(steps: Iterable[int]) -> list[int]:
    """The numbers that `differences` was given."""
    found, last = [], 0
    for step in steps:
        last += step
        found.append(last)
    return found


def contents(kernels: Iterable[KernelRecord], title: str, measured: Measured = ()) -> dict[str, Any]:
    """All that a page shows.

    measured: what `ncu.read` gives.
    """
    pool = Pool()
    with Context():
        described = [_kernel(kernel, pool, list(measured)) for kernel in kernels]
    files = {file for place in pool.places for file, _ in place}
    return {
        "format": FORMAT,
        "title": title,
        "kernels": described,
        "lines": list(pool.lines),
        "places": [[list(frame) for frame in place] for place in pool.places],
        "texts": pool.texts,
        "sources": {file: found for file in sorted(files) if (found := _source(file, pool)) is not None},
    }


def _source(file: str, pool: Pool) -> dict[str, Any] | None:
    """The lines of a file from the first to the last that something comes from; no more of it leaves this machine."""
    numbers = [line for place in pool.places for name, line in place if name == file]
    if file.endswith((".mlir", ".ttir", ".ttgir", ".llir")):
        return None  # which is the first text itself
    try:
        with open(file, encoding="utf-8") as opened:
            lines = opened.read().split("\n")
    except (OSError, UnicodeDecodeError, ValueError):
        return None
    first, last = max(1, min(numbers)), max(numbers)
    return {"first": first, "lines": lines[first - 1 : last]}


def _kernel(kernel: KernelRecord, pool: Pool, measured: list[tuple[str, list[Row]]]) -> dict[str, Any]:
    names = SteadyNames()
    types: dict[str, dict[str, Any] | None] = {}
    stages = [_stage(stage, names, pool, types) for stage in kernel.stages]
    return {
        "name": kernel.name,
        "about": kernel.about,
        "error": kernel.error,
        "seconds": kernel.seconds,
        "stages": stages,
        "levels": [level for name in _LEVELS if (level := _level(name, kernel, pool, measured)) is not None],
        "types": {type: about for type, about in types.items() if about is not None},
    }


def _level(name: str, kernel: KernelRecord, pool: Pool, measured: list[tuple[str, list[Row]]]) -> dict[str, Any] | None:
    """A level that was kept: its title and its text, or why it can't be shown."""
    data = kernel.files.get(name)
    if data is None:
        return None
    level: dict[str, Any] = {
        "name": name,
        "title": _LEVELS[name],
        "seconds": kernel.seconds.get(name),
        "text": None,
        "problem": "",
    }
    try:
        if name == "cubin":
            level["title"] = _LEVELS[name] + _resources(data)
            lines: Located = sass_lines(sass(bytes(data), "--print-line-info-inline"))
            told = annotated((line for line, _ in lines), kernel.name, measured)
            if told is not None:
                lines = [(line, place) for line, (_, place) in zip(told, lines)]
            elif measured:
                level["title"] += ", not measured by ncu"
        else:
            lines = _READERS[name](bytes(data).decode())
    except RuntimeError as error:
        return {**level, "problem": str(error)}
    return {**level, "text": pool.add(*zip(*lines, strict=True))}


def _resources(cubin: bytes) -> str:
    """The resources of a thread by ptxas; nothing where it was not asked, as of a kernel from the cache."""
    if not isinstance(cubin, Cubin) or not cubin.log:
        return ""
    taken = cubin.resources
    return f": {taken.registers} registers, spilled {taken.spill_stores} + {taken.spill_loads} bytes"


def _stage(stage: StageRecord, names: SteadyNames, pool: Pool, types: dict[str, Any]) -> dict[str, Any]:
    current, counts, lines = _text(stage.text, names, pool, types)
    made: dict[str, Any] = {
        "name": stage.name,
        "text": current,
        "layouts": stage.layouts,
        "operations": counts.total(),
        "passes": [],
    }
    layouts = stage.layouts
    for record in stage.passes:
        before, counts_before = current, counts
        if record.text is not None:
            previous = lines
            current, counts, lines = _text(record.text, names, pool, types)
            if lines == previous:
                current = before
            layouts = record.layouts or layouts
        made["passes"].append({**_pass(record), "before": before, "after": current, "layouts": layouts})
        made["passes"][-1] |= differing(counts_before, counts)
    return made


def _pass(record: PassRecord) -> dict[str, Any]:
    names = ("name", "arguments", "on", "seconds", "verdict", "check", "proof", "remarks", "statistics", "schedules")
    return {name: getattr(record, name) for name in names}


def operations(lines: Iterable[str]) -> Counter[str]:
    """The number of operations of each kind in a module."""
    return Counter(name for line in lines if "." in (name := operation(line)))


def differing(before: Counter[str], after: Counter[str]) -> dict[str, Any]:
    """The numbers of operations on both sides, in all, and of the kinds that differ."""
    kinds = {kind: [before[kind], after[kind]] for kind in sorted({*before, *after}) if before[kind] != after[kind]}
    return {"operations": [before.total(), after.total()], "kinds": kinds}


def _text(text: str, names: SteadyNames, pool: Pool, types: dict[str, Any]) -> tuple[int, Counter[str], list[str]]:
    """A module after a pass: its number, its operations by name, its lines."""
    located = mlir_lines(text)
    lines = names.rename([line for line, _ in located])
    _add_types(lines, types)
    counts = operations(lines)
    return pool.add(lines, (place for _, place in located)), counts, lines


# --- layouts ----------------------------------------------------------------------------------------------------------


def _add_types(lines: list[str], types: dict[str, Any]) -> None:
    """Adds the types that have layouts: how the layout maps registers, lanes and warps, or offsets, to elements."""
    aliases: dict[str, str] = {}
    for line in lines:
        if found := _ALIAS.match(line):
            aliases[found[1]] = _expanded(found[2], aliases)
        elif "#" in line:
            for match in _TYPE.finditer(line):
                if match[0] not in types:
                    types[match[0]] = _layout(_expanded(match[0], aliases))


def _expanded(text: str, aliases: dict[str, str]) -> str:
    return re.sub(r"#\w+(?![\w.<])", lambda found: aliases.get(found[0], found[0]), text)


def _layout(text: str) -> dict[str, Any] | None:
    try:
        type = ir.Type.parse(text)
        layout = linear_layout_of(type)
    except (ir.MLIRError, TypeError, ValueError):
        return None
    element = str(getattr(type, "element_type", ""))
    bases = {name: [list(basis) for basis in found] for name, found in layout.all_bases().items()}
    return {"text": text, "element": element, "bases": bases, "shape": list(layout.shape)}
