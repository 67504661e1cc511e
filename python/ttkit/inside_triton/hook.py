"""Triton's hook for stages, and its cache key."""

from __future__ import annotations

import hashlib
import threading
from importlib import import_module
from typing import Any

from ttkit.inside_triton.triton_stages import with_changes

IN_FORCE: list[Any] = []
"""Changes of Triton's pipelines and who watches them, in the order in which they were asked for."""

_lock = threading.RLock()
_PREVIOUS: list[Any] = []  # the hook that was there before ours, while ours is


def install(one: Any) -> None:
    """Puts something in force; the first installs the hook.

    Raises:
        ImportError: Triton is not installed, or this one has no hook for stages.
    """
    with _lock:
        if not IN_FORCE:
            runtime = _knobs()
            _PREVIOUS.append(runtime.add_stages_inspection_hook)
            runtime.add_stages_inspection_hook = hook
            _key_changes(joins=True)
        IN_FORCE.append(one)


def uninstall(one: Any) -> None:
    """Takes something back; the last takes the hook with it."""
    with _lock:
        if one not in IN_FORCE:
            return
        IN_FORCE.remove(one)
        if not IN_FORCE:
            previous, runtime = _PREVIOUS.pop(), _knobs()
            if runtime.add_stages_inspection_hook is hook:
                runtime.add_stages_inspection_hook = previous
            _key_changes(joins=False)


def hook(*arguments: Any) -> Any:
    """Triton's hook: called without arguments for its cache key, with a backend and its stages to change them."""
    previous = _PREVIOUS[-1] if _PREVIOUS else None
    if not arguments:
        other = ("", "") if previous is None else previous()
        return f"{other[0]}{key()}", f"{other[1]}{key()}"
    if previous is not None:
        previous(*arguments)
    backend, stages = arguments[:2]
    with_changes(backend, stages, tuple(IN_FORCE))
    return None


def key() -> str:
    """Identifies what is in force, as hexadecimal digits."""
    return hashlib.sha256("\n".join(one.identity for one in tuple(IN_FORCE)).encode()).hexdigest()


def _knobs() -> Any:
    runtime = import_module("triton").knobs.runtime
    if not hasattr(runtime, "add_stages_inspection_hook"):
        raise ImportError("this Triton has no hook for stages; use 3.6 or later")
    return runtime


# --- Triton 3.6, which doesn't ask the hook for a key -----------------------------------------------------------------

_ORIGINALS: dict[str, Any] = {}


def _key_changes(joins: bool) -> None:
    """Lets the key join those of the disk and of kernels in memory, or takes it back from there."""
    compiler, jit = import_module("triton.compiler.compiler"), import_module("triton.runtime.jit")
    if "add_stages_inspection_hook" in compiler.compile.__code__.co_names:
        return
    cache = import_module("triton.runtime.cache")
    if not joins:
        cache.triton_key, jit.compute_cache_key = _ORIGINALS["disk"], _ORIGINALS["memory"]
        return
    disk, memory = _ORIGINALS["disk"], _ORIGINALS["memory"] = cache.triton_key, jit.compute_cache_key
    cache.triton_key = lambda: f"{disk()}{key()}"
    jit.compute_cache_key = lambda kernels, specialization, options: memory(
        kernels, [*specialization, f'("custom_pipeline", {key()})'], options
    )
