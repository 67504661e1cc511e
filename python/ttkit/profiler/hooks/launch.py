"""Operations and bytes of kernels, from what `@jit(launch_metadata=...)` says of a launch."""

from __future__ import annotations

import re
import threading
from typing import Any

import ttkit.profiler.contexts as contexts
from ttkit.profiler.hook_manager import Hook
from ttkit.profiler.sessions import record_metrics

COMPUTE_METADATA_SCOPE_NAME = "__proton_launch_metadata"
"""The state in which `launch_metadata` is called: viewers leave out what it launches."""
FLOPS_WIDTHS = (8, 16, 32, 64)


class _Open(threading.local):
    """Operations that a thread is launching; None for kernels that say nothing."""

    def __init__(self) -> None:
        self.stack: list[contexts.Context | None] = []


class LaunchHook(Hook):
    """Gives launches the name and the metrics that `launch_metadata` returns.

    Kernels without such a function are not looked at: their own names do.
    """

    priority = 100
    flops_width = list(FLOPS_WIDTHS)
    metrics = [*(f"flops{width}" for width in FLOPS_WIDTHS), "bytes", "flops"]

    _METRICS = frozenset(metrics)
    _include: re.Pattern[str] | None = None
    _exclude: re.Pattern[str] | None = None

    def __init__(self) -> None:
        self._open = _Open()

    @classmethod
    def configure(cls, *, include: str | None = None, exclude: str | None = None) -> None:
        """Which kernels are asked, by regular expressions for the beginning of their names: of all such hooks.

        Args:
            include: of those that are; all without.
            exclude: of those that are not, even so.
        """
        cls._include, cls._exclude = (None if text is None else re.compile(text) for text in (include, exclude))

    def wants(self, kernel: Any) -> bool:
        """Whether the kernel's function describes its launches."""
        source = kernel.src
        return hasattr(source, "fn") and source.fn.launch_metadata is not None

    def enter(self, metadata: Any) -> None:
        """Goes to the launch's place, with the metrics that its `launch_metadata` gives; stays without any."""
        operation = None
        if metadata.extras and self._is_asked(metadata.data["name"]):
            try:
                told = self._ask(metadata)
            except BaseException:
                contexts.go_back()
                raise
            operation = contexts.thread.current().child(told["name"], is_operation=True)
            values = {name: told[name] for name in self._METRICS & told.keys() if told[name] is not None}
            record_metrics(operation, values)
            contexts.go_to(operation)
        self._open.stack.append(operation)

    def exit(self, metadata: Any) -> None:
        """Goes back to the place before."""
        if self._open.stack.pop() is not None:
            contexts.go_back()

    def _is_asked(self, name: str) -> bool:
        included = self._include is None or self._include.match(name) is not None
        return included and (self._exclude is None or self._exclude.match(name) is None)

    @staticmethod
    def _ask(metadata: Any) -> dict[str, Any]:
        """Words about the launch; the caller goes to the next place."""
        thread = contexts.thread
        thread.states.append(COMPUTE_METADATA_SCOPE_NAME)
        contexts.go_to(thread.current())
        try:
            return metadata.described()
        finally:
            thread.states.pop()
