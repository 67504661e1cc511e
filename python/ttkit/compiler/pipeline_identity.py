"""Identity of the changes that users made to a kernel's compilation: part of its cache key."""

from __future__ import annotations

import inspect
import sys
from contextvars import ContextVar
from typing import Any

import ttkit.knobs as knobs

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


def hook_identity() -> str:
    """Identifies `knobs.runtime.add_stages_inspection_hook`; an empty text without one.

    Since Triton 3.7 a hook is called without arguments for its key.  3.6 never calls it so, and a hook for 3.6 need not
    allow it: only one whose parameters all have defaults is asked, and another is identified by its source.
    """
    hook = knobs.runtime.add_stages_inspection_hook
    if hook is None:
        return ""
    try:
        parameters = list(inspect.signature(hook).parameters.values())
    except (TypeError, ValueError):  # one in C may not say
        parameters = []
    if parameters and all(parameter.default is not parameter.empty for parameter in parameters):
        return str(hook())
    try:
        return inspect.getsource(hook)
    except (OSError, TypeError):  # typed in, or an object that can be called
        return f"{hook.__module__}.{getattr(hook, '__qualname__', type(hook).__qualname__)}"
