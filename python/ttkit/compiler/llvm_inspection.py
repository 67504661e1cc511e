"""LLVM as the environment asks for: printing IR after each of its passes, leaving out optimization, its own flags."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator, Sequence

import ttkit.knobs as knobs
from ttkit.compiler.llvm_api import BRANCHES_FLAG, set_flags
from ttkit.compiler.lock import LLVM_FLAGS
from ttkit.tuning.llvm import CONSTANTS_OF_A_SELECT

SELECTS = f"{BRANCHES_FLAG}=4"
"""LLVM's own choice, by which branches around constants become selects."""


@contextlib.contextmanager
def flags(kernels: list[str], more: Sequence[str] = ()) -> Iterator[None]:
    """Sets LLVM's flags, and `more` of them, `-name` or `SELECTS`, while the modules of these kernels go through it.

    They hold for the process: while some are set, other threads wait.
    """
    asked = knobs.inspection
    chosen = [flag.lstrip("-") for flag in more]
    if knobs.wants_kernel(asked, "dump_llvm", kernels):
        chosen.append("print-after-all")
    if asked.llvm_debug:
        chosen.append("debug")
    if isinstance(asked.disable_llvm_opt, str):
        chosen += [flag.strip().lstrip("-") for flag in asked.disable_llvm_opt.split(",") if flag.strip()]
    only = ",".join(asked.llvm_debug_only)
    if not (chosen or only):
        with LLVM_FLAGS.shared():
            yield
        return
    with LLVM_FLAGS.alone():
        set_flags([f"-{flag}" for flag in chosen] + ([f"-debug-only={only}"] if only else []))
        try:
            yield
        finally:
            set_flags([_reset(flag) for flag in chosen] + (["-debug=false"] if only else []))


def _reset(flag: str) -> str:
    """The flag that undoes another."""
    return f"{BRANCHES_FLAG}={CONSTANTS_OF_A_SELECT}" if f"-{flag}" == SELECTS else f"-{flag}=false"


def optimizes() -> bool:
    """Whether LLVM optimizes at all."""
    return knobs.inspection.disable_llvm_opt is not True


class Times:
    """The time of each step in LLVM, printed at the end of a `with` statement if LLVM_ENABLE_TIMING asks for it."""

    def __init__(self, stage: str) -> None:
        self.stage, self.steps = stage, []  # type: tuple[str, list[tuple[str, float]]]
        self._started = time.perf_counter()

    def __enter__(self) -> Times:
        return self

    def step(self, name: str) -> None:
        """Ends a step: gives its name to the time since the last one ended."""
        now = time.perf_counter()
        self.steps.append((name, now - self._started))
        self._started = now

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None and knobs.inspection.llvm_timing:
            lines = [f"  {seconds:8.4f}  {name}" for name, seconds in self.steps]
            total = sum(seconds for _, seconds in self.steps)
            print(f"LLVM, {self.stage}: {total:.4f} seconds", *lines, sep="\n", file=sys.stderr)
