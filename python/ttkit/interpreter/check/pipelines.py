"""The callback through which MLIR's pass manager shows each pass to a Checker (dialects/capi/CheckPasses.cpp)."""

from __future__ import annotations

import ctypes
import functools

from mlir import ir
from mlir.passmanager import PassManager

from ttkit._native import Handle, library
from ttkit.interpreter.check.check_passes import Checker, Settings, show_both_sides

BEFORE = 0

CheckCallback = ctypes.CFUNCTYPE(None, ctypes.c_uint64, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, Handle)

_checkers: dict[int, Checker] = {}
_only: Checker | None = None
_settings: Settings | None = None
_dump_prefix: str | None = None


@functools.cache
def checking_library() -> ctypes.PyDLL:
    """libttkit, ready for the functions of CheckPasses.cpp."""
    lib = library()
    lib.ttkitSetCheckCallback.argtypes = [CheckCallback]
    lib.ttkitCheckPasses.argtypes = [Handle]
    lib.ttkitCheckReport.argtypes = [Handle, ctypes.c_char_p, ctypes.c_bool, ctypes.c_char_p]
    for function in (lib.ttkitSetCheckCallback, lib.ttkitCheckPasses, lib.ttkitCheckReport):
        function.restype = None
    return lib


def watch(manager: PassManager, checker: Checker) -> None:
    """Shows the passes of a pipeline to a checker."""
    global _only
    _only = checker
    lib = checking_library()
    lib.ttkitSetCheckCallback(_CALLBACK)
    pointer = ctypes.pythonapi.PyCapsule_GetPointer(manager._CAPIPtr, b"mlir.passmanager.PassManager._CAPIPtr")
    lib.ttkitCheckPasses(Handle(pointer))


def watch_all(settings: Settings, dump_prefix: str | None) -> None:
    """Checks every pipeline that tt-opt runs; differences become diagnostics."""
    global _settings, _dump_prefix, _only
    _settings, _dump_prefix, _only = settings, dump_prefix, None
    _checkers.clear()
    checking_library().ttkitSetCheckCallback(_CALLBACK)


def _show(pipeline: int, name: bytes, phase: int, text: bytes, module: Handle) -> None:
    """Never lets an exception through: there is C++ above."""
    lib = checking_library()

    def report(function: str, is_error: bool, message: str) -> None:
        lib.ttkitCheckReport(module, function.encode(), is_error, message.encode())

    checker = _only
    try:
        if checker is None:
            checker = _checkers.setdefault(pipeline, Checker(_settings or Settings(), lambda *_: None))
            checker.warn = lambda function, message: report(function, False, message)
        known = checker.found
        if phase == BEFORE:
            checker.before(text.decode())
        else:
            checker.after(name.decode(), text.decode())
        if _only is None and checker.found is not known and checker.found is not None:
            report(checker.found.function, True, checker.found.message)
            show_both_sides(checker.found, _dump_prefix)
    except ir.MLIRError as error:
        report("", False, f"--check-passes can't read the IR: {error}")
    except Exception as error:  # of the checker itself, or a file that can't be written
        report("", True, f"--check-passes stopped at pass '{name.decode()}': {type(error).__name__}: {error}")


_CALLBACK = CheckCallback(_show)

__all__ = ["watch", "watch_all"]
