"""Who shows the passes of pipelines to Checkers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from mlir import ir

from ttkit._native import library, operation_handle
from ttkit.interpreter.check.check_passes import Checker, Settings, show_both_sides
from ttkit.passes.infra.events import PassSubscriber

if TYPE_CHECKING:
    from ttkit.passes.infra.events import PassEvent


class PassChecks(PassSubscriber):
    """Shows the passes of one pipeline to a checker.

    The module crosses as text: the checker reads it in a context of its own, so that nothing it does can touch what
    the pipeline works on.
    """

    def __init__(self, checker: Checker) -> None:
        self.checker = checker

    def before(self, event: PassEvent) -> None:
        self.checker.before(event.text(locations=True, generic=True))

    def after(self, event: PassEvent) -> None:
        self.checker.after(event.pass_name, event.text(locations=True, generic=True))


class ReportedChecks(PassSubscriber):
    """Checks the passes of every pipeline that it is told of; what it finds becomes diagnostics.

    Args:
        dump_prefix: of the files that get the IR on both sides of a pass that changes a result; None for stderr.
    """

    def __init__(self, settings: Settings, dump_prefix: str | None) -> None:
        self._settings, self._dump_prefix = settings, dump_prefix
        self._checkers: dict[int, Checker] = {}

    def before(self, event: PassEvent) -> None:
        self._show(event, lambda checker, text: checker.before(text))

    def after(self, event: PassEvent) -> None:
        self._show(event, lambda checker, text: checker.after(event.pass_name, text))

    def verdict(self, pipeline: int) -> str:
        """Findings in a pipeline so far; empty if each pass has kept the results."""
        checker = self._checkers.get(pipeline)
        return checker.found.message if checker is not None and checker.found is not None else ""

    def _show(self, event: PassEvent, show: Callable[[Checker, str], None]) -> None:
        def report(function: str, is_error: bool, message: str) -> None:
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


__all__ = ["PassChecks", "ReportedChecks"]
