"""Tracebacks of mistakes in kernels, without the compiler's own frames."""

from __future__ import annotations

import os
from types import TracebackType

import ttkit.knobs as knobs
from ttkit.installation import FOLDER

_HIDDEN = tuple(os.path.join(FOLDER, name) + os.sep for name in ("frontend", "language", "compiler"))


def hide_frames(error: BaseException) -> None:
    """Takes the frames of the compiler out of the tracebacks of an error and of what it was caused by.

    TRITON_FRONT_END_DEBUGGING=1 leaves them in.
    """
    if knobs.compilation.front_end_debugging:
        return
    seen: set[int] = set()
    found: BaseException | None = error
    while found is not None and id(found) not in seen:
        seen.add(id(found))
        found.__traceback__ = _without_frames(found.__traceback__)
        found = found.__cause__ or found.__context__


def _without_frames(traceback: TracebackType | None) -> TracebackType | None:
    kept = []
    while traceback is not None:
        if not traceback.tb_frame.f_code.co_filename.startswith(_HIDDEN):
            kept.append(traceback)
        traceback = traceback.tb_next
    made = None
    for item in reversed(kept):
        made = TracebackType(made, item.tb_frame, item.tb_lasti, item.tb_lineno)
    return made
