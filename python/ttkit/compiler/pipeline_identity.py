"""What of a kernel's compilation users have changed: part of its cache key."""

from __future__ import annotations

import sys
from contextvars import ContextVar
from typing import Any

compiling: ContextVar[str | None] = ContextVar("ttkit.compiling", default=None)
"""The name of the kernel that is being compiled, for changes that are for one kernel alone."""


watching: ContextVar[Any] = ContextVar("ttkit.watching", default=None)
"""Who sees the module after each pass of kernels that are compiled (`pass_snapshots`), whatever the cache has."""


def pipeline_identity(kernel: str) -> str:
    """Identifies the changes of the pipeline that hold for a kernel: positions, options and sources of passes.

    Args:
        kernel: its name.

    Returns: an empty text where nothing is changed.
    """
    pipelines = sys.modules.get("ttkit.pipelines")  # who changes pipelines has imported it
    return "" if pipelines is None else pipelines.identity(kernel)
