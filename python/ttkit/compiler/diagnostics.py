"""Warnings and remarks of passes, printed as MLIR_ENABLE_DIAGNOSTICS asks for."""

from __future__ import annotations

import contextlib
import linecache
import sys
import traceback
from collections.abc import Iterator

from mlir import ir

from ttkit.inspection import column_of
from ttkit.passes.infra.base import emitting

_OPERATION_NOTE = "see current operation: "


@contextlib.contextmanager
def shown_diagnostics(context: ir.Context, words: tuple[str, ...]) -> Iterator[None]:
    """Prints to stderr what passes say meanwhile.

    Args:
        words: "warnings"; "remarks", which has warnings too; "operations": with the operation of each;
            "stacktraces": with the Python functions that said it.
    """
    wanted = {
        ir.DiagnosticSeverity.WARNING: "warnings" in words or "remarks" in words,
        ir.DiagnosticSeverity.REMARK: "remarks" in words,
    }
    if not any(wanted.values()):
        yield
        return

    def handle(diagnostic: ir.Diagnostic) -> bool:
        """Prints a diagnostic that is wanted; true if it needs no other handler."""
        if not wanted.get(diagnostic.severity, False):
            return False
        lines = _shown(diagnostic.location, diagnostic.severity.name.lower(), diagnostic.message)
        for location, text in _notes(diagnostic, words):
            note = _shown(location, "note", text)
            lines += note[:1] if location == diagnostic.location else note  # the same line once
        print("\n".join(lines), file=sys.stderr, flush=True)
        return True

    handler = context.attach_diagnostic_handler(handle)
    try:
        yield
    finally:
        handler.detach()


def _notes(diagnostic: ir.Diagnostic, words: tuple[str, ...]) -> Iterator[tuple[ir.Location, str]]:
    """Notes in MLIR's order: the stack, the operation, and what the pass has added."""
    if "stacktraces" in words:
        # Without the frames of this file, which are the last.
        stack = [line for line in traceback.format_stack() if f'"{__file__}"' not in line.partition(",")[0]]
        yield diagnostic.location, f"diagnostic emitted with trace:\n{''.join(stack).rstrip()}"
    notes = list(diagnostic.notes)
    if "operations" in words and (operation := emitting.get()) is not None:
        text = operation.get_asm(use_local_scope=True, skip_regions=True)
        yield diagnostic.location, _OPERATION_NOTE + text.strip()
    for note in notes:  # those of passes in C++ have the operation
        if "operations" in words or not note.message.startswith(_OPERATION_NOTE):
            yield note.location, note.message


def _shown(location: ir.Location, kind: str, message: str) -> list[str]:
    """`file:line:column: kind: message`, and the line of the source with a caret, if there is one."""
    found = _file_of(location)
    if found is None:
        return [f"unknown location: {kind}: {message}"]
    line, column = found.start_line, column_of(found)
    lines = [f"{found.filename}:{line}:{column}: {kind}: {message}"]
    if source := linecache.getline(found.filename, line).rstrip():
        lines += [source, " " * max(column - 1, 0) + "^"]
    return lines


def _file_of(location: ir.Location) -> ir.Location | None:
    """The place in a file that a location begins with; None if it names none."""
    while location.is_a_name() or location.is_a_callsite():
        location = location.child_loc if location.is_a_name() else location.callee
    return location if location.is_a_file() else None
