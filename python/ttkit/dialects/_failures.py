"""Verifiers written in Python that C++ calls: their contexts, and what is said when they fail."""

from __future__ import annotations

from types import TracebackType

from mlir import ir

from ttkit._native import context_from_pointer

_CONTEXTS: list[ir.Context] = []
_keeps_contexts = False


def keep_contexts() -> None:
    """Says that contexts belong to C++, in a command such as tt-opt: the bindings must not destroy them."""
    global _keeps_contexts
    _keeps_contexts = True


def known_context(pointer: int) -> ir.Context:
    """The bindings' object for the context of what is verified."""
    context = context_from_pointer(pointer)
    if _keeps_contexts and context not in _CONTEXTS:
        _CONTEXTS.append(context)
    return context


def failure_of(error: Exception, name: str, before: str) -> str:
    """The text for what a verifier has raised: that of a ValueError after `before`, else that the verifier failed."""
    if isinstance(error, ValueError):
        return f"{before}{error}"
    return f"the verifier of '{name}' raised {type(error).__name__}: {error}{_line(error.__traceback__)}"


def _line(trace: TracebackType | None) -> str:
    """The innermost line of a traceback, in parentheses."""
    if trace is None:
        return ""
    while trace.tb_next is not None:
        trace = trace.tb_next
    return f" ({trace.tb_frame.f_code.co_filename}:{trace.tb_lineno})"
