"""Records of the passes of kernels, which pages are made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class PassRecord:
    """One run of a pass.

    text: the module afterwards, with locations; None if it is as it was.
    on: the function that it ran on; empty if it was the module.
    verdict: "valid", or "failed" if the pass failed or left invalid IR.
    check: what --check-passes says: "" if it did not look, "same results", or what it found.
    proof: what --prove-passes says of it: "" if it changed nothing, or nobody looked.
    remarks: severity, place, and message of each.
    layouts: a `ttkit.analysis.ledger.Count` by name, of modules with layouts.
    statistics: what the pass has counted, by name.
    schedules: title and picture of each loop that the pass has scheduled, as `ttkit schedule -o` draws it.
    """

    name: str
    arguments: str
    on: str = ""
    seconds: float = 0.0
    text: str | None = None
    verdict: str = "valid"
    check: str = ""
    proof: str = ""
    remarks: list[tuple[str, str, str]] = field(default_factory=list)
    statistics: dict[str, int] = field(default_factory=dict)
    layouts: dict[str, int | None] = field(default_factory=dict)
    schedules: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class StageRecord:
    """One run of a pipeline.  text: the module before the first pass.  layouts: what its layouts cost."""

    name: str
    text: str
    passes: list[PassRecord] = field(default_factory=list)
    layouts: dict[str, int | None] = field(default_factory=dict)


@dataclass
class KernelRecord:
    """A kernel, or an input of tt-opt.

    files: levels by their names, "source" to "cubin".  seconds: wall time of each.  about: target and options.
    error: why compiling ended early.
    """

    name: str
    stages: list[StageRecord] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    about: dict[str, Any] = field(default_factory=dict)
    error: str = ""
