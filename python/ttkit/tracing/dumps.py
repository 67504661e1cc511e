"""Output of MLIR_ENABLE_DUMP=1, Triton's or ttkit's, as a trace: the IR before each pass of each kernel.

A dump has no times, and nothing after the last pass of a kernel: that pass is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ttkit.tracing.records import KernelRecord, PassRecord, StageRecord

_HEAD = re.compile(
    r"^// -----// IR Dump Before \S+ \((?P<argument>[^)]*)\) \('[\w.]+' operation(?:: @(?P<name>[^)]*))?\)"
)
_OTHER = re.compile(r"^// -----//")
_FUNCTION = re.compile(r"\b(?:tt|llvm)\.func (?!private)(?:\w+ )*@([\w$.]+)")
_INLINERS = ("inline", "gluon-inline")
_TO_TTG, _WARP_GROUPS, _SELECTS = (
    "convert-triton-to-tritongpu",
    "tritongpu-allocate-warp-groups",
    "tritongpu-combine-tensor-select-and-if",
)


class _Dump(NamedTuple):
    """The IR before a pass.  on: the function that the pass ran on; empty for the module."""

    argument: str
    on: str
    text: str


def is_dump(text: str) -> bool:
    """Whether it is what MLIR_ENABLE_DUMP prints."""
    return any(_HEAD.match(line) for line in text.splitlines())


def kernels_of_dump(text: str) -> list[KernelRecord]:
    """The kernels of a dump, in the order in which they were compiled; several that are compiled at once are not told
    apart."""
    return [_kernel(dumps) for dumps in _by_kernel(_without_parts(_dumps(text)))]


def _without_parts(dumps: Iterator[_Dump]) -> list[_Dump]:
    """Without the canonicalization of functions that inlining consists of."""
    made: list[_Dump] = []
    for dump in dumps:
        if not (dump.on and dump.argument == "canonicalize" and made and made[-1].argument in _INLINERS):
            made.append(dump)
    return made


def _dumps(text: str) -> Iterator[_Dump]:
    head: re.Match[str] | None = None
    lines: list[str] = []
    for line in [*text.splitlines(), "// -----// end"]:
        if _OTHER.match(line):
            if head is not None:
                yield _Dump(head["argument"], head["name"] or "", "\n".join(lines).rstrip() + "\n")
            head, lines = _HEAD.match(line), []
        else:
            lines.append(line)


def _by_kernel(dumps: list[_Dump]) -> Iterator[list[_Dump]]:
    """Cuts a dump where the IR is tt again, or of another kernel."""
    current: list[_Dump] = []
    name, was_lowered = "", False
    for dump in dumps:
        found = _FUNCTION.search(dump.text)
        is_lowered = "ttg." in dump.text or "llvm.func" in dump.text
        is_new = (found is not None and found[1] != name) or (was_lowered and not is_lowered)
        if current and is_new:
            yield current
            current = []
        name, was_lowered = found[1] if found is not None else name, is_lowered
        current.append(dump)
    if current:
        yield current


def _kernel(dumps: list[_Dump]) -> KernelRecord:
    names = [dump.argument for dump in dumps]
    starts = {0: "ttir" if "ttg." not in dumps[0].text else "ttgir"}
    if _TO_TTG in names:
        starts[names.index(_TO_TTG)] = "ttgir"
    if _WARP_GROUPS in names:
        at = names.index(_WARP_GROUPS)
        starts[at - (at > 0 and names[at - 1] == _SELECTS)] = "llir"
    stages: list[StageRecord] = []
    for place, dump in enumerate(dumps):
        if place in starts:
            stages.append(StageRecord(starts[place], dump.text))
        if place + 1 < len(dumps):
            after = dumps[place + 1].text
            stages[-1].passes.append(PassRecord(dump.argument, "", dump.on, text=after if after != dump.text else None))
    found = _FUNCTION.search(dumps[0].text)
    return KernelRecord(found[1] if found is not None else "module", stages)
