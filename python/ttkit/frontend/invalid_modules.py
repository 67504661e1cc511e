"""Diagnostics of MLIR and of passes about a kernel's operations, as errors at the kernel's lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ttkit.frontend.errors import InvalidModule, caret_node

if TYPE_CHECKING:
    from mlir import ir

    from ttkit.language.jit_function import JITFunction


def invalid_module(fn: JITFunction, found: Iterable[tuple[ir.Location, str]]) -> InvalidModule:
    """The error for diagnostics, each a location with a message; at the first line of the kernel that one names."""
    file, first = fn.location
    last = first + fn.src.count("\n")
    node, where, messages = None, None, []
    for location, message in found:
        messages.append(message)
        for path, line, column in source_places(location):
            if node is None and path == file and first <= line <= last:
                node = caret_node(line - first + 1, column)
                where = f"{file}:{line}, in {fn.__name__}"
    return InvalidModule(fn.src, node, "; ".join(messages), where)


def diagnostics_of(error: Any) -> Iterator[tuple[ir.Location, str]]:
    """Location and message of each error in an MLIRError, or in a pass's error about an operation."""
    if (operation := getattr(error, "operation", None)) is not None:
        yield operation.location, error.message
        return
    for diagnostic in error.error_diagnostics:
        yield diagnostic.location, diagnostic.message


def source_places(location: ir.Location) -> Iterator[tuple[str, int, int]]:
    """Files with lines and columns: of inlined code first its own, then those of the calls around it."""
    while location.is_a_name():
        location = location.child_loc
    if location.is_a_callsite():
        yield from source_places(location.callee)
        yield from source_places(location.caller)
    elif location.is_a_file():
        yield location.filename, location.start_line, location.start_col
