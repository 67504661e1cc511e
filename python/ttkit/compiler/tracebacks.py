"""Tracebacks of errors in kernels, without ttkit's own frames."""

from __future__ import annotations

import ast
import os
import sys
from types import TracebackType

import ttkit.knobs as knobs
from ttkit.installation import FOLDER

_COMPILER = tuple(os.path.join(FOLDER, name) + os.sep for name in ("frontend", "language", "compiler"))


def hide_all_frames(error: BaseException) -> None:
    """Takes all frames of ttkit out, of an error that is not ttkit's fault; see `hide_frames`."""
    hide_frames(error, _ours())


def is_of_users_code(error: BaseException) -> bool:
    """Whether code that ttkit called, such as a user's pass, raised the error: neither ttkit nor what is installed."""
    files, found = [], error.__traceback__
    while found is not None:
        files.append(found.tb_frame.f_code.co_filename)
        found = found.tb_next
    first = next((place for place, file in enumerate(files) if file.startswith(_ours())), len(files))
    installed = (*_ours(), sys.prefix + os.sep, sys.base_prefix + os.sep, "<")
    return any(not file.startswith(installed) for file in files[first:])


def _ours() -> tuple[str, ...]:
    passes = getattr(sys.modules.get("ttkit.passes"), "__path__", ())  # bundles have none
    return tuple(folder + os.sep for folder in (FOLDER, *passes))


def hide_frames(error: BaseException, hidden: tuple[str, ...] = _COMPILER) -> None:
    """Takes frames out of the tracebacks of an error and of what it was caused by: those of the compiler, or of files
    below other folders.

    TRITON_FRONT_END_DEBUGGING=1 leaves them in.
    """
    if knobs.compilation.front_end_debugging:
        return
    hidden = (*hidden, ast.__file__)  # its visitors call those of the front end
    seen: set[int] = set()
    found: BaseException | None = error
    while found is not None and id(found) not in seen:
        seen.add(id(found))
        found.__traceback__ = _without_frames(found.__traceback__, hidden)
        found = found.__cause__ or found.__context__


def _without_frames(traceback: TracebackType | None, hidden: tuple[str, ...]) -> TracebackType | None:
    kept = []
    while traceback is not None:
        if not traceback.tb_frame.f_code.co_filename.startswith(hidden):
            kept.append(traceback)
        traceback = traceback.tb_next
    made = None
    for item in reversed(kept):
        made = TracebackType(made, item.tb_frame, item.tb_lasti, item.tb_lineno)
    return made
