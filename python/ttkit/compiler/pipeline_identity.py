"""Identity of the changes that users made to a kernel's compilation: part of its cache key."""

from __future__ import annotations

import sys
from contextvars import ContextVar
from typing import Any

watching: ContextVar[tuple[Any, ...]] = ContextVar("ttkit.watching", default=())
"""Who is told of the passes of kernels that are compiled (`pipelines.snapshots.Watch`), whatever the cache has."""
EVERYWHERE: list[Any] = []
"""Likewise, of kernels that any thread compiles (`tracing.recorder`)."""


def watchers() -> tuple[Any, ...]:
    """Who is told of the passes of a kernel that this thread compiles, and of the compilation's end.

    Each has a `subscriber` of passes, a method `compiled`, and a `token`, which is empty if the cache serves it too.
    """
    return (*EVERYWHERE, *watching.get())


def tokens() -> list[str]:
    """Additions of those who watch to keys, so that kernels are compiled again to be seen."""
    return [watch.token for watch in watchers() if watch.token]


def pipeline_identity(kernel: str) -> str:
    """Identifies the changes of the pipeline that hold for a kernel: positions, options and sources of passes.

    Args:
        kernel: its name.

    Returns: an empty text where nothing is changed.
    """
    pipelines = sys.modules.get("ttkit.pipelines")  # who changes pipelines has imported it
    return "" if pipelines is None else pipelines.identity(kernel)
