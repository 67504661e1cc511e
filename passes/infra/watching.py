"""Looking at the module after each pass of a pipeline (dialects/capi/WatchPasses.cpp)."""

from __future__ import annotations

import ctypes
import functools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from mlir import ir
from mlir.passmanager import PassManager

from ttkit._native import Handle, adopt_context, library, operation_from_pointer
from ttkit.analysis.ledger import INPUT, Ledger

WatchCallback = ctypes.CFUNCTYPE(None, ctypes.c_uint64, ctypes.c_char_p, Handle)

See: TypeAlias = Callable[[str, ir.Operation], None]
"""Told the name of a pass that has run, or INPUT before the first, and the module's operation."""

# The pipelines that are watched, by their numbers; the one that is about to begin, by thread.
_watchers: dict[int, See] = {}
_next = threading.local()

_ledgers: dict[int, Ledger] = {}
_failures: list[BaseException] = []


@functools.cache
def _watching_library() -> ctypes.PyDLL:
    lib = library()
    lib.ttkitSetWatchCallback.argtypes, lib.ttkitSetWatchCallback.restype = [WatchCallback], None
    lib.ttkitWatchPasses.argtypes, lib.ttkitWatchPasses.restype = [Handle], None
    return lib


def keep_ledgers() -> None:
    """Starts a ledger for every watched pipeline from here on: tt-opt's under --layout-ledger."""
    _ledgers.clear()
    _failures.clear()
    _watching_library().ttkitSetWatchCallback(_CALLBACK)


def kept_ledgers() -> list[Ledger]:
    """The ledgers of the pipelines that ran since `keep_ledgers`.

    Raises:
        Exception: what went wrong in the counting itself.
    """
    if _failures:
        raise _failures[0]
    return list(_ledgers.values())


def layout_ledger(module: ir.Module, pipeline: str) -> Ledger:
    """Runs a pipeline on a module in place, as `ttkit.run_passes` does, and counts what layouts cost after each pass.

    Raises:
        Exception: those of `ttkit.run_passes`.
    """
    from ttkit.passes.manager import run_passes

    keep_ledgers()
    run_passes(module, pipeline, prepare=_watch)
    return next(iter(kept_ledgers()), Ledger())


def _watch(manager: PassManager) -> None:
    pointer = ctypes.pythonapi.PyCapsule_GetPointer(manager._CAPIPtr, b"mlir.passmanager.PassManager._CAPIPtr")
    _watching_library().ttkitWatchPasses(Handle(pointer))


@contextmanager
def watched(see: See) -> Iterator[Callable[[PassManager], None]]:
    """Shows the module after each pass of the one pipeline that this thread runs in the block.

    Args:
        see: must not raise.

    Yields:
        what `run_passes` takes as `prepare`.
    """
    _watching_library().ttkitSetWatchCallback(_CALLBACK)
    _next.see = see
    try:
        yield _watch
    finally:
        _next.see = None
        for number in [number for number, one in _watchers.items() if one is see]:
            del _watchers[number]


def _watcher(pipeline: int) -> See | None:
    """Who watches a pipeline; the first time, who has waited for it to begin."""
    if pipeline not in _watchers and (see := getattr(_next, "see", None)) is not None:
        _watchers[pipeline], _next.see = see, None
    return _watchers.get(pipeline)


def _count(pipeline: int, name: bytes, module: Handle) -> None:
    """Never lets an exception through: there is C++ above."""
    try:
        context = adopt_context(library().ttkitContextOf(module))
        with context:
            if (see := _watcher(pipeline)) is not None:
                see(name.decode() or INPUT, operation_from_pointer(module.pointer))
                return
            _ledgers.setdefault(pipeline, Ledger()).add(name.decode() or INPUT, operation_from_pointer(module.pointer))
    except BaseException as error:
        _failures.append(error)


_CALLBACK = WatchCallback(_count)
