"""Operations and bytes of kernels, from what `@jit(launch_metadata=...)` says of a launch."""

from __future__ import annotations

import threading
from typing import Any

from ttkit.profiler import contexts
from ttkit.profiler.hook_manager import Hook
from ttkit.profiler.sessions import record_metrics

COMPUTE_METADATA_SCOPE_NAME = "__proton_launch_metadata"
"""The state in which `launch_metadata` is called: viewers leave out what it launches."""
FLOPS_WIDTHS = (8, 16, 32, 64)


class LaunchHook(Hook):
    """Gives launches the name and the metrics that `launch_metadata` returns.

    Kernels without such a function are not looked at: their own names do.
    """

    priority = 100
    flops_width = list(FLOPS_WIDTHS)
    metrics = [*(f"flops{width}" for width in FLOPS_WIDTHS), "bytes", "flops"]

    def __init__(self) -> None:
        self._open = threading.local()

    def wants(self, kernel: Any) -> bool:
        return getattr(getattr(kernel.src, "fn", None), "launch_metadata", None) is not None

    def enter(self, metadata: Any) -> None:
        operation = None
        if metadata.extras:
            told = self._ask(metadata)
            operation = contexts.thread.current().child(told["name"], is_operation=True)
            values = {name: told[name] for name in self.metrics if told.get(name) is not None}
            record_metrics(operation, values)
            contexts.go_to(operation)
        self._stack().append(operation)

    def exit(self, metadata: Any) -> None:
        if self._stack().pop() is not None:
            contexts.go_back()

    def _stack(self) -> list[contexts.Context | None]:
        if not hasattr(self._open, "stack"):
            self._open.stack = []
        return self._open.stack

    @staticmethod
    def _ask(metadata: Any) -> dict[str, Any]:
        thread = contexts.thread
        thread.states.append(COMPUTE_METADATA_SCOPE_NAME)
        contexts.go_to(thread.current())
        try:
            return metadata.get()
        finally:
            thread.states.pop()
            contexts.go_back()
