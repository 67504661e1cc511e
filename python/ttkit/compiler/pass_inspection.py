"""Running the passes of a stage as the environment asks for: printing IR before each, their times, reproducers."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterator
from typing import Any

from mlir import ir

from ttkit import knobs
from ttkit.compiler.pipeline_identity import compiling, watching
from ttkit.passes.manager import run_passes


def run_stage(module: ir.Module, stage: str, passes: list[str]) -> None:
    """Runs passes on a module in place.

    Args:
        stage: the level that they make, such as "ttgir".

    Raises:
        PassError, ir.MLIRError: with diagnostics.
    """
    asked = knobs.inspection
    pipeline = f"builtin.module({','.join(passes)})"
    if (path := asked.reproducer_path) is not None:
        _write_reproducer(module, path, stage, pipeline)
    dumps = wants_dump(asked.dump_passes, function_names(module))
    is_timed, severities, watch = asked.pass_timing, asked.diagnostics, watching.get()
    if not (dumps or is_timed or severities or watch):
        run_passes(module, pipeline)
        return

    def prepare(manager: Any) -> None:
        if dumps:
            manager.enable_ir_printing(
                print_before_all=True,
                print_after_all=False,
                print_after_failure=True,
                print_module_scope=True,
                enable_debug_info=True,
            )
        if is_timed:
            manager.enable_timing()
        for one in watchers:
            one(manager)

    watchers = []
    with contextlib.ExitStack() as stack:
        stack.enter_context(_stderr_in(asked.dump_path if dumps else None))
        stack.enter_context(_diagnostics(module.context, severities))
        if watch is not None:
            watchers.append(stack.enter_context(watch.stage(stage, compiling.get() or "")))
        run_passes(module, pipeline, prepare)


def wants_dump(asked: bool | str, kernels: list[str]) -> bool:
    """Whether a variable that is true, or names a kernel, means one of these kernels."""
    return asked if isinstance(asked, bool) else asked in kernels


def function_names(module: ir.Module) -> list[str]:
    """The names of a module's functions, and of what else has one."""
    names = (op.operation.attributes for op in module.body.operations)
    return [attributes["sym_name"].value for attributes in names if "sym_name" in attributes]


# --- where dumps go ---------------------------------------------------------------------------------------------------

_started: set[str] = set()


@contextlib.contextmanager
def _stderr_in(path: str | None) -> Iterator[None]:
    """Lets what C++ prints on stderr go to a file, which is emptied the first time."""
    if path is None:
        yield
        return
    mode = os.O_APPEND if path in _started else os.O_TRUNC
    try:
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | mode, 0o666)
    except OSError as error:
        raise ValueError(f"MLIR_DUMP_PATH: cannot write '{path}': {error.strerror}") from None
    _started.add(path)
    sys.stderr.flush()
    kept = os.dup(2)
    try:
        os.dup2(opened, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(opened)


# --- diagnostics ------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _diagnostics(context: ir.Context, words: tuple[str, ...]) -> Iterator[None]:
    """Prints warnings and remarks, with the operations that they are of, as the words ask for."""
    wanted = {
        ir.DiagnosticSeverity.WARNING: "warnings" in words,
        ir.DiagnosticSeverity.REMARK: "remarks" in words or "warnings" in words,
    }
    if not any(wanted.values()):
        yield
        return

    def handle(diagnostic: ir.Diagnostic) -> bool:
        if not wanted.get(diagnostic.severity, False):
            return False
        print(_place(diagnostic.location), diagnostic.severity.name.lower() + ":", diagnostic.message, file=sys.stderr)
        if "operations" in words:
            for note in diagnostic.notes:
                print(_place(note.location), "note:", note.message, file=sys.stderr)
        return True

    handler = context.attach_diagnostic_handler(handle)
    try:
        yield
    finally:
        handler.detach()


def _place(location: ir.Location) -> str:
    """`file:line:column:` of a location."""
    while location.is_a_name():
        location = location.child_loc
    if location.is_a_callsite():
        return _place(location.callee)
    if location.is_a_file():
        return f"{location.filename}:{location.start_line}:{location.start_col}:"
    return "unknown location:"


# --- reproducers ------------------------------------------------------------------------------------------------------


_RESOURCES = """
{{-#
  external_resources: {{
    mlir_reproducer: {{
      pipeline: {},
      disable_threading: true,
      verify_each: true
    }}
  }}
#-}}
"""


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
