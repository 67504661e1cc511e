"""A run of the fuzzers: inputs of several levels for a time, and what was found."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from fuzz.level import Level
from fuzz.shrink import minimize
from fuzz.workers import Failure, Worker, finish, signature

HERE = Path(__file__).parent
CORPUS, UPSTREAM = HERE / "corpus", HERE / "upstream"
MANY = 10_000_000
"""Inputs of a run that ends by time."""


@dataclass
class Result:
    """What a level's inputs came to.

    Attributes:
        upstream: how often each failure came up that MLIR or LLVM is known for, by file.
    """

    level: Level
    accepted: int = 0
    refused: int = 0
    seconds: float = 0.0
    failures: list[Failure] = field(default_factory=list)
    upstream: dict[str, int] = field(default_factory=dict)

    @property
    def inputs(self) -> int:
        return self.accepted + self.refused + len(self.failures) + sum(self.upstream.values())

    def __str__(self) -> str:
        text = f"{self.level.name:12}{self.inputs:8} inputs: {self.accepted} accepted, {self.refused} refused, "
        text += f"{len(self.failures)} findings, {self.seconds:.0f} s"
        return text + (f"; upstream's: {self.upstream}" if self.upstream else "")


def fuzz(level: Level, seed: int, jobs: int, inputs: int = MANY, seconds: float = 1e9, first: int = 0) -> Result:
    """Checks inputs of a level until `inputs` are done or `seconds` are over."""
    start = time.monotonic()
    level.prepare()
    numbers = [range(first + job, first + inputs, jobs) for job in range(jobs)]
    workers = [Worker(level, each, lambda i: level.input(seed, i), time.monotonic() + seconds) for each in numbers]
    found = finish(workers)
    result = Result(level)
    known = upstream_signatures(level.name)
    for failure in found:
        if name := known.get(signature(failure.reason)):
            result.upstream[name] = result.upstream.get(name, 0) + 1
        else:
            result.failures.append(failure)
    for worker in workers:
        accepted, refused = worker.counts
        result.accepted, result.refused = result.accepted + accepted, result.refused + refused
        worker.close()
    result.seconds = time.monotonic() - start
    return result


def upstream_signatures(level: str) -> dict[str, str]:
    """Signatures of failures that are MLIR's or LLVM's own -> the file that shows them."""
    return {sign: path.name for path, of, sign, _ in upstream_inputs() if of in (level, "any")}


def upstream_inputs() -> Iterator[tuple[Path, str, str, str]]:
    """Path, level, signature and text of what is known to be MLIR's or LLVM's own."""
    for path in sorted(UPSTREAM.iterdir()):
        head, text = path.read_text().split("\n", 1)
        level, _, sign = head.lstrip("/;# ").partition(" signature: ")
        yield path, level, sign, text


def groups(failures: list[Failure]) -> dict[str, list[Failure]]:
    """Findings that fail in the same way."""
    found: dict[str, list[Failure]] = {}
    for failure in failures:
        found.setdefault(signature(failure.reason), []).append(failure)
    return found


def report(result: Result, reduce: float, keep: Path | None) -> None:
    """Prints a finding of each kind, reduced for that many seconds, and writes it to a folder."""
    for key, group in groups(result.failures).items():
        smallest = min(group, key=lambda failure: len(failure.text))
        text = minimize(result.level, smallest.text, smallest.reason, reduce) if reduce else smallest.text
        numbers = ", ".join(str(failure.index) for failure in group[:5])
        name = result.level.name
        print(f"--- {name}: {len(group)} inputs ({numbers}): {smallest.reason}\n{text}", flush=True)
        if keep:
            (keep / name).mkdir(parents=True, exist_ok=True)
            file = keep / name / f"{group[0].index}{result.level.suffix}"
            file.write_text(text, encoding="utf-8", errors="surrogatepass")
            file.with_suffix(".signature").write_text(key + "\n")
