"""Callbacks that add passes to every compilation, by Triton 3.9's names: `triton._instrumentation`.

    def after_layouts(pm):
        passes.common.add_cse(pm)               # of triton._C.libtriton; or pm.passes.append("my-pass{size=4}")

    register_instrumentation(point="ttgpuir-to-llvmir", backend="nvidia", callback=after_layouts)

A callback is asked once, when it is registered; the passes that it adds then run in each compilation, as those of
`ttkit.pipelines` do, and are part of the cache's keys.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import ttkit.locks as locks
from ttkit.compat.pass_bindings import pass_manager
from ttkit.notices import say_once

STAGE = "ttkit-llir"
POINTS = {
    "ttgpuir-to-llvmir": "triton-nvidia-gpu-proxy-fence-insertion",
    "llvmir-to-llvm": "convert-nv-gpu-to-llvm",
}
"""Point -> the pass that follows it."""
DIALECTS = "load-dialects"

_lock = locks.lock()
_REGISTERED: dict[tuple[str, str], tuple[Callable[..., Any], Any]] = {}


def register_instrumentation(*, point: str, backend: str, callback: Callable[..., Any]) -> None:
    """Has a callback add passes at a point of each compilation, from here on.

    Args:
        point: "ttgpuir-to-llvmir": ttg, once shared memory is allocated; "llvmir-to-llvm": the llvm and nvvm dialects;
            "load-dialects": the callback is kept and not called, since every context has all dialects.
        backend: "nvidia"; of others callbacks are kept and not called.
        callback: takes a pass manager, `triton._C.libtriton.ir.pass_manager`, and adds to it.

    Raises:
        RuntimeError: the point has a callback.
        ValueError: there is no such point, or a pass that the callback adds does not exist.
    """
    if point not in POINTS and point != DIALECTS:
        raise ValueError(f"there is no point '{point}'; use one of {', '.join([*POINTS, DIALECTS])}")
    with _lock:
        if (point, backend) in _REGISTERED:
            raise RuntimeError(f"Instrumentation already registered: {(point, backend)}")
        installed = None
        if point == DIALECTS:
            say_once("instrumentation 'load-dialects' is not called: every context has all dialects")
        elif backend == "nvidia":
            manager = pass_manager(None)
            callback(manager)
            if manager.passes:
                change = import_module("ttkit.pipelines").insert_before  # which is above
                installed = change(POINTS[point], ",".join(manager.passes), stage=STAGE)
        _REGISTERED[point, backend] = callback, installed


def unregister_instrumentation(*, point: str, backend: str) -> None:
    """Takes a callback back, if there is one."""
    with _lock:
        _, installed = _REGISTERED.pop((point, backend), (None, None))
    if installed is not None:
        installed.remove()


def instrument(*args: Any, point: str, backend: str, context: Any = None) -> bool:
    """Calls what is registered at a point, as backends do that run their own passes; whether something is."""
    callback, _ = _REGISTERED.get((point, backend), (None, None))
    if callback is None:
        return False
    load, _ = _REGISTERED.get((DIALECTS, backend), (None, None))
    if load is not None and point != DIALECTS:
        load(context)
    callback(*args)
    return True


def is_enabled(options: Any, name: str) -> bool:
    """Whether the options of a kernel ask for a mode of instrumentation: options, metadata, or None."""
    if isinstance(options, Mapping):
        modes = options.get("instrumentation_mode", "")
    else:
        modes = getattr(options, "instrumentation_mode", "")
    return name in {mode.strip() for mode in (modes or "").split(",")} - {""}
