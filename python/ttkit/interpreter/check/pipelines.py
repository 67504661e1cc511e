"""Pipelines whose passes are shown to Checkers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mlir import ir

from ttkit._native import library, operation_handle
from ttkit.interpreter.check.check_passes import Checker, Settings, show_both_sides
from ttkit.interpreter.launch import normalize_grid
from ttkit.passes.infra.events import PassEvent, PassSubscriber
from ttkit.passes.manager import run_passes


class PassChecks(PassSubscriber):
    """Shows the passes of one pipeline to a checker.

    The module crosses as text: the checker reads it in a context of its own, so that nothing it does can touch what
    the pipeline works on.  It is written where it has changed: most passes change nothing.
    """

    finds_changes = True

    def __init__(self, checker: Checker) -> None:
        self.checker = checker
        self._begun: tuple[Any, int] | None = None

    def before(self, event: PassEvent) -> None:
        """Keeps the IR that the first pass is given."""
        if self._begun != (event.run, event.pipeline):
            self._begun = event.run, event.pipeline
            self.checker.before(event.text(locations=True, generic=True))

    def after(self, event: PassEvent) -> None:
        """Compares what the IR does before and after the pass."""
        if event.changed is not False:
            self.checker.after(event.pass_name, event.text(locations=True, generic=True), event.arguments)


class ReportedChecks(PassSubscriber):
    """Checks the passes of every pipeline that it is told of; what it finds becomes diagnostics.

    Args:
        dump_prefix: of the files that get the IR on both sides of a pass that changes a result; None for stderr.
    """

    def __init__(self, settings: Settings, dump_prefix: str | None) -> None:
        self._settings, self._dump_prefix = settings, dump_prefix
        self._checkers: dict[int, Checker] = {}

    def before(self, event: PassEvent) -> None:
        """Keeps the IR that the pass is given, and says what could not be checked."""
        self._show(event, lambda checker, text: checker.before(text))

    def after(self, event: PassEvent) -> None:
        """Compares what the IR does before and after the pass, and says what was found."""
        self._show(event, lambda checker, text: checker.after(event.pass_name, text))

    @property
    def has_run(self) -> bool:
        """Whether a function was run at all."""
        return any(checker.has_run for checker in self._checkers.values())

    def verdict(self, pipeline: int) -> str:
        """Findings in a pipeline so far; empty if each pass has kept the results."""
        checker = self._checkers.get(pipeline)
        return checker.found.message if checker is not None and checker.found is not None else ""

    def _show(self, event: PassEvent, show: Callable[[Checker, str], None]) -> None:
        def report(function: str, is_error: bool, message: str) -> None:
            """Reports on a function as a diagnostic of the module; an error fails the run."""
            library().ttkitReport(operation_handle(event.module), function.encode(), is_error, message.encode())
            if is_error:
                event.run.fail()

        checker = self._checkers.setdefault(event.pipeline, Checker(self._settings, lambda *_: None))
        checker.warn = lambda function, message: report(function, False, message)
        known = checker.found
        try:
            show(checker, event.text(locations=True, generic=True))
            if checker.found is not None and checker.found is not known:
                report(checker.found.function, True, checker.found.message)
                show_both_sides(checker.found, self._dump_prefix)
        except ir.MLIRError as error:
            report("", False, f"--check-passes can't read the IR: {error}")
        except Exception as error:  # of the checker itself, or a file that can't be written
            report("", True, f"--check-passes stopped at pass '{event.pass_name}': {type(error).__name__}: {error}")


@dataclass
class CheckReport:
    """checked: passes that changed the IR and kept the result; skipped: what could not be checked, and why."""

    checked: list[str]
    skipped: list[str]


def check_passes(
    module: ir.Module,
    pipeline: str,
    *,
    arguments: list[str] | None = None,
    grid: Any = None,
    runs: int = 3,
    seed: int = 0,
) -> CheckReport:
    """Runs a pipeline on a module in place, as `ttkit.run_passes` does, and checks each of its passes.

    Args:
        module: tt or ttg IR.
        pipeline: as for `ttkit.run_passes`.
        arguments: arguments of the kernel, as texts like tt-run's --arg; those that are not given are generated.
        grid: number of programs; by default a few along each axis that the kernel asks for.
        runs: sets of inputs.
        seed: of the inputs.

    Raises:
        PassChangedResult: a pass changed the result.
        Others: those of `ttkit.run_passes`.
    """
    skipped: list[str] = []
    shape = None if grid is None else normalize_grid(grid)
    checker = Checker(Settings(runs, seed, arguments or [], shape), lambda function, text: skipped.append(text))
    run_passes(module, pipeline, subscribers=[PassChecks(checker)])
    if checker.found is not None:
        raise checker.found
    return CheckReport(checker.checked, skipped)


__all__ = ["CheckReport", "PassChecks", "ReportedChecks", "check_passes"]
