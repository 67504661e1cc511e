"""Identity of the changes that users made to a kernel's compilation: part of its cache key."""

from __future__ import annotations

import sys
from contextvars import ContextVar
from typing import Any

watching: ContextVar[tuple[Any, ...]] = ContextVar("ttkit.watching", default=())
"""Who is told of the passes of kernels that are compiled (`pipelines.snapshots.Watch`), whatever the cache has."""


def pipeline_identity(kernel: str) -> str:
    """Identifies the changes of the pipeline that hold for a kernel: positions, options and sources of passes.

    Args:
        kernel: its name.

    Returns: an empty text where nothing is changed.
    """
    pipelines = sys.modules.get("ttkit.pipelines")  # who changes pipelines has imported it
    return "" if pipelines is None else pipelines.identity(kernel)
