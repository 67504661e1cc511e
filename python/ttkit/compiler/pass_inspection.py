"""Running the passes of a stage as the environment asks for: printing IR before each, their times, reproducers."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterator, Mapping
from contextvars import ContextVar

from mlir import ir

import ttkit.budget as budget
import ttkit.knobs as knobs
import ttkit.locks as locks
from ttkit.compiler.diagnostics import shown_diagnostics
from ttkit.compiler.module_metadata import kernel_name
from ttkit.compiler.pipeline_identity import watchers
from ttkit.passes.infra.events import PassEvent, PassSubscriber
from ttkit.passes.manager import run_passes

_trusted: ContextVar[bool] = ContextVar("ttkit.trusted", default=False)


@contextlib.contextmanager
def trusting(asked: bool) -> Iterator[None]:
    """Has stages verified at their end alone, unless somebody watches their passes.

    For IR that the front end made, by passes that nobody has changed: verifying after each takes 4 to 7 % of the CPU
    time of a small kernel without ptxas (x86-64, 2026-11).
    """
    token = _trusted.set(asked)
    try:
        yield
    finally:
        _trusted.reset(token)


def run_stage(module: ir.Module, stage: str, passes: list[str]) -> None:
    """Runs passes on a module in place.

    Args:
        stage: the level that they make, such as "ttgir".

    Raises:
        PassError, ir.MLIRError: with diagnostics.
        OverBudget: they took more than a compilation may.
        Exception: what somebody who watches raised.
    """
    asked = knobs.inspection
    # A pass isn't interrupted: a budget is looked at between passes.
    pieces = passes if budget.is_limited() else [",".join(passes)]
    if (path := asked.reproducer_path) is not None:
        _write_reproducer(module, path, stage, f"builtin.module({','.join(passes)})")
    subscribers = [watch.subscriber for watch in watchers()]
    if knobs.wants_kernel(asked, "dump_passes", function_names(module)):
        subscribers.append(DumpPasses(asked.dump_path))
    times = PassTimes() if asked.pass_timing else None
    if times is not None:
        subscribers.append(times)
    kernel = (kernel_name(module) or "") if subscribers else ""
    with contextlib.ExitStack() as context:
        if severities := asked.diagnostics:
            context.enter_context(shown_diagnostics(module.context, severities))
        if times is not None:
            context.callback(times.report, f"passes of {stage}, kernel {kernel or 'without a name'}")
        verify_each = bool(subscribers) or not _trusted.get()
        for piece in pieces:
            budget.check()
            pipeline = f"builtin.module({piece})"
            run_passes(module, pipeline, subscribers, kernel=kernel, stage=stage, verify_each=verify_each)


def function_names(module: ir.Module) -> list[str]:
    """The names of a module's functions."""
    names = (op.operation.attributes for op in module.body.operations)
    return [attributes["sym_name"].value for attributes in names if "function_type" in attributes]


# --- dumps ------------------------------------------------------------------------------------------------------------


class DumpFiles:
    """The files that dumps of this process have begun: each is emptied when the first of them comes."""

    def __init__(self) -> None:
        self._lock = locks.lock()
        self._begun: set[str] = set()

    def begin(self, path: str) -> None:
        """Empties a file, the first time.

        Raises:
            ValueError: it can't be written.
        """
        with self._lock:
            try:
                with open(path, "a" if path in self._begun else "w"):
                    self._begun.add(path)
            except OSError as error:
                raise ValueError(f"MLIR_DUMP_PATH: cannot write '{path}': {error.strerror}") from None

    def add(self, path: str, text: str) -> None:
        """Writes a text whole, whatever other threads write."""
        with self._lock, open(path, "a", encoding="utf-8") as file:
            file.write(text)


_DUMP_FILES = DumpFiles()


class DumpPasses(PassSubscriber):
    """Prints the module before each pass, and what a pass that failed has left, as MLIR does.

    Args:
        path: the file that gets it; None for stderr.

    Raises:
        ValueError: the file can't be written.
    """

    nested = True

    def __init__(self, path: str | None) -> None:
        self._path = path
        if path is not None:
            _DUMP_FILES.begin(path)

    def before(self, event: PassEvent) -> None:
        """Prints the IR before the pass."""
        self._print(event, f"Before {event.class_name} ({event.pass_name})")

    def failed(self, event: PassEvent) -> None:
        """Prints the IR after a pass that failed."""
        self._print(event, f"After {event.class_name} Failed ({event.pass_name})")

    def _print(self, event: PassEvent, what: str) -> None:
        operation = event.operation
        name = f": @{operation.attributes['sym_name'].value}" if "sym_name" in operation.attributes else ""
        header = f"// -----// IR Dump {what} ('{operation.name}' operation{name}) //----- //"
        text = f"{header}\n{event.text(locations=True)}\n\n"
        if self._path is None:
            print(text, end="", file=sys.stderr, flush=True)
        else:
            _DUMP_FILES.add(self._path, text)


# --- times ------------------------------------------------------------------------------------------------------------


class PassTimes(PassSubscriber):
    """Adds up the time of each pass, and prints a table as MLIR's, those that took longest first."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}

    def after(self, event: PassEvent) -> None:
        """Adds the seconds of a run to those of the pass."""
        name = f"{event.class_name} ({event.pass_name})"
        self._seconds[name] = self._seconds.get(name, 0.0) + event.seconds

    def failed(self, event: PassEvent) -> None:
        """Counts the time of a pass that failed, too."""
        self.after(event)

    def report(self, of: str) -> None:
        """Prints the table of what has been timed to stderr."""
        _print_times(of, dict(sorted(self._seconds.items(), key=lambda item: -item[1])))


def report_stages(kernel: str, seconds: Mapping[str, float]) -> None:
    """Prints the time of each stage of a compilation, in their order, if MLIR_ENABLE_TIMING asks for times."""
    if knobs.inspection.pass_timing:
        _print_times(f"stages, kernel {kernel}", seconds)


def _print_times(of: str, times: Mapping[str, float]) -> None:
    """Prints a table as MLIR's."""
    total = sum(times.values())
    rule = f"===-{'-' * 73}-==="
    lines = [rule, f"{'... Execution time report ...':^81}".rstrip(), f"{of:^81}".rstrip(), rule]
    lines += [f"  Total Execution Time: {total:.4f} seconds", "", "  ----Wall Time----  ----Name----"]
    for name, seconds in [*times.items(), ("Total", total)]:
        lines.append(f"  {seconds:8.4f} ({100 * seconds / (total or 1):5.1f}%)  {name}")
    print("\n".join(lines), file=sys.stderr, flush=True)


# --- reproducers ------------------------------------------------------------------------------------------------------


def _write_reproducer(module: ir.Module, path: str, stage: str, pipeline: str) -> None:
    """Writes what a stage gets and the passes that it runs: `tt-opt --run-reproducer FILE` does it again.

    Args:
        path: files are `<path>.make_<stage>.repro.mlir`; `-` for stderr.

    Raises:
        ValueError: the file can't be written.
    """
    resource = (
        f"{{\n      pipeline: {json.dumps(pipeline)},\n      disable_threading: true,\n      verify_each: true\n    }}"
    )
    resources = f"{{-#\n  external_resources: {{\n    mlir_reproducer: {resource}\n  }}\n#-}}\n"
    text = f"{module.operation.get_asm(enable_debug_info=True)}\n{resources}"
    if path == "-":
        print(text, file=sys.stderr)
        return
    file = f"{path}.make_{stage}.repro.mlir"
    try:
        with open(file, "w") as opened:
            opened.write(text)
    except OSError as error:
        raise ValueError(f"TRITON_REPRODUCER_PATH: cannot write '{file}': {error.strerror}") from None
