"""Looking at the module after each pass of a pipeline (dialects/capi/WatchPasses.cpp)."""

from __future__ import annotations

import ctypes
import functools

from mlir import ir
from mlir.passmanager import PassManager

from ttkit._native import Handle, adopt_context, library, operation_from_pointer
from ttkit.analysis.ledger import INPUT, Ledger

WatchCallback = ctypes.CFUNCTYPE(None, ctypes.c_uint64, ctypes.c_char_p, Handle)

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

    def watch(manager: PassManager) -> None:
        pointer = ctypes.pythonapi.PyCapsule_GetPointer(manager._CAPIPtr, b"mlir.passmanager.PassManager._CAPIPtr")
        _watching_library().ttkitWatchPasses(Handle(pointer))

    keep_ledgers()
    run_passes(module, pipeline, prepare=watch)
    return next(iter(kept_ledgers()), Ledger())


def _count(pipeline: int, name: bytes, module: Handle) -> None:
    """Never lets an exception through: there is C++ above."""
    try:
        context = adopt_context(library().ttkitContextOf(module))
        with context:
            _ledgers.setdefault(pipeline, Ledger()).add(name.decode() or INPUT, operation_from_pointer(module.pointer))
    except BaseException as error:
        _failures.append(error)


_CALLBACK = WatchCallback(_count)
