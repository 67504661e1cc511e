"""A run of the fuzzers: inputs of several levels for a time, and what was found."""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from fuzz.level import Level
from fuzz.shrink import minimize
from fuzz.workers import Failure, Worker, finish, signature

HERE = Path(__file__).parent
CORPUS, UPSTREAM = HERE / "corpus", HERE / "upstream"
OF_IR = {"parse", "pass", "pipeline", "newest", "commands"}
"""Levels that parse IR, and fail where MLIR's parsers do."""
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
    with temporary_files():
        result = run_workers(level, seed, numbers_of(first, inputs, jobs), seconds)
    result.seconds = time.monotonic() - start
    return result


def numbers_of(first: int, inputs: int, jobs: int) -> list[range]:
    """The numbers of the inputs that each worker checks."""
    return [range(first + job, first + inputs, jobs) for job in range(jobs)]


@contextlib.contextmanager
def temporary_files() -> Iterator[None]:
    """Has workers leave their temporary files in a folder that goes with them."""
    before = os.environ.get("TMPDIR")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TMPDIR"], tempfile.tempdir = folder, None
        try:
            yield
        finally:
            tempfile.tempdir = None
            if before is None:
                del os.environ["TMPDIR"]
            else:
                os.environ["TMPDIR"] = before


def run_workers(level: Level, seed: int, numbers: list[range], seconds: float) -> Result:
    """Checks the inputs of these numbers, a worker for each range, until all are done or the time is over."""
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
    return result


def upstream_signatures(level: str) -> dict[str, str]:
    """Signatures of failures that are MLIR's or LLVM's own -> the file that shows them."""
    return {sign: path.name for path, of, sign, _ in upstream_inputs() if of == level or {of, level} <= OF_IR}


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
