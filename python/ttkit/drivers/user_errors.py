"""Errors of drivers in a command line or its files."""

from __future__ import annotations

from mlir import ir


class UserError(Exception):
    """Mistake in the command line or in the files it names.  A command's `run` raises it; its text is printed."""


def diagnostics(error: ir.MLIRError) -> str:
    """MLIR's errors, as tt-opt shows them."""
    lines = []
    for item in error.error_diagnostics:
        location = str(item.location)[4:-1].replace('"', "")
        lines.append(f"{location}: error: {item.message}")
    return "\n".join(lines) or f"error: {error}"
