"""Errors of kernels that run as Python: at which line, and what."""

from __future__ import annotations

import linecache
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

from ttkit.interpreter.errors import InterpreterError

_PACKAGE = str(Path(__file__).parents[2])


class KernelError(InterpreterError):
    """Error in a kernel that runs as Python, with the line where it arose.  `__cause__` is the error itself:
    OutOfBounds, or an error that the language finds.

    Attributes:
        what: what was found.
        where: the line with its file and a caret, and the calls that led there.
        program: (x, y, z).
        coordinates: the element of the tensor, if it is about one.
    """

    def __init__(self, what: str, where: str, program: tuple[int, ...], details: str, coordinates: Any = None) -> None:
        self.where, self.details = where, details
        super().__init__(what, None, program, coordinates)

    def _text(self) -> str:
        return "\n".join(part for part in (self.where, self.what, self.details) if part)

    def __reduce__(self) -> Any:
        return type(self), (self.what, self.where, self.program, self.details, self.coordinates)


def kernel_error(error: Exception, program: tuple[int, ...], memory: Any) -> KernelError:
    """The error with its place in the kernel's source.

    Args:
        memory: a `KernelMemory`, which knows what an address points to.
    """
    what = error.what if isinstance(error, InterpreterError) else str(error)
    coordinates = getattr(error, "coordinates", None)
    details = []
    if coordinates:
        details.append(f"  element  {list(coordinates)}")
    address = getattr(error, "address", None)
    described = None if address is None else memory.describe(address)
    if described is not None:
        details += [f"  pointer  {described[0]}", f"  array    {described[1]}"]
    if advice := getattr(error, "advice", ""):
        details.append(f"  {advice}")
    return KernelError(what, place(error.__traceback__, program), program, "\n".join(details), coordinates)


def place(trace: TracebackType | None, program: tuple[int, ...]) -> str:
    """The innermost line outside of ttkit, with a caret, then the lines that called it, up to the kernel's."""
    frames = [frame for frame in traceback.extract_tb(trace) if not frame.filename.startswith(_PACKAGE)]
    if not frames:
        return f"program {program}"
    *outer, innermost = frames
    head = f"{innermost.filename}:{innermost.lineno}, in {innermost.name}, program {program}"
    lines = [head, *_source(innermost)]
    lines += [f"  called from {frame.filename}:{frame.lineno}, in {frame.name}" for frame in reversed(outer)]
    return "\n".join(lines)


def kernel_frames(error: Exception) -> TracebackType | None:
    """The traceback without its first frame, which raises anew, up to the innermost line outside of ttkit: there
    a debugger lands that is started after the error."""
    places = [(tb.tb_frame, tb.tb_lasti, tb.tb_lineno) for tb in _chain(error.__traceback__)][1:]
    while places and places[-1][0].f_code.co_filename.startswith(_PACKAGE):
        places.pop()
    made: TracebackType | None = None
    for frame, lasti, line in reversed(places):
        made = TracebackType(made, frame, lasti, line)
    return made


def _chain(trace: TracebackType | None) -> Iterator[TracebackType]:
    while trace is not None:
        yield trace
        trace = trace.tb_next


def _source(frame: traceback.FrameSummary) -> list[str]:
    """The source line and, where Python knows columns (3.11), carets below."""
    text = linecache.getline(frame.filename, frame.lineno or 0).rstrip("\n")
    if not text.strip():
        return []
    margin = len(text) - len(text.lstrip())
    lines = [f"    {text[margin:]}"]
    if sys.version_info >= (3, 11) and frame.colno is not None:
        start = len(text.encode()[: frame.colno].decode(errors="replace"))
        single = frame.end_lineno == frame.lineno and frame.end_colno is not None
        end = len(text.encode()[: frame.end_colno].decode(errors="replace")) if single else len(text)
        lines.append("    " + " " * (start - margin) + "^" * max(1, end - start))
    return lines
