"""Progress line on a terminal while a kernel is tuned."""

from __future__ import annotations

import sys
import time
from typing import Any, TextIO

from ttkit.executors.tasks import time_left

_WIDTH = 24
_NOT_BEFORE = 0.3  # seconds; what is over sooner needs no bar


class Progress:
    """One line that is written over and over; nothing where standard error is not a terminal.

        autotune matmul: compiled 5/12 [=====       ] 9 s left
        autotune matmul: timed 3/12 [===         ] best 0.112 ms, 1 skipped, 2 s left

    kernel: its name.
    total: configurations to go through, in each phase.
    """

    def __init__(self, kernel: str, total: int, stream: TextIO | None = None) -> None:
        self.kernel, self.total = kernel, total
        self.stream = sys.stderr if stream is None else stream
        self.done, self.phase = 0, ""
        self.notes: dict[str, Any] = {}
        self._start = self._began = time.monotonic()
        self._shown = 0
        self.active = bool(getattr(self.stream, "isatty", lambda: False)())

    def begin(self, phase: str) -> None:
        """Starts counting anew: `phase` is "compiled" or "timed"."""
        self.phase, self.done = phase, 0
        self._began = time.monotonic()

    def step(self, **notes: Any) -> None:
        """One more is done.  `notes`: best (milliseconds) and skipped (how many), as they stand now."""
        self.done += 1
        self.notes.update(notes)
        if self.active and time.monotonic() - self._start >= _NOT_BEFORE:
            self._write(self._line())

    def _line(self) -> str:
        filled = _WIDTH * self.done // max(self.total, 1)
        bar = "=" * filled + " " * (_WIDTH - filled)
        notes = []
        if self.notes.get("best") is not None:
            notes.append(f"best {self.notes['best']:.3f} ms")
        if self.notes.get("skipped"):
            notes.append(f"{self.notes['skipped']} skipped")
        if left := time_left(time.monotonic() - self._began, self.done, self.total):
            notes.append(left)
        return f"autotune {self.kernel}: {self.phase} {self.done}/{self.total} [{bar}] {', '.join(notes)}".rstrip()

    def _write(self, text: str) -> None:
        self.stream.write("\r" + text.ljust(self._shown))
        self.stream.flush()
        self._shown = len(text)

    def close(self) -> None:
        """Takes the line away."""
        if self._shown:
            self._write("")
            self.stream.write("\r")
            self.stream.flush()
            self._shown = 0
