"""libttkit, loaded once: the dialects, the opt driver, and passes whose body is Python.

All goes through a C ABI and ctypes, so that one build serves every Python version.  MLIR objects cross as capsules.
"""

from __future__ import annotations

import ctypes
import functools
import os
import sys

import ttkit

TYPE_CHECKING = False  # as of typing, whose import would take a tenth of tt-opt's start
if TYPE_CHECKING:
    from typing import Any

    from mlir import ir


@functools.cache
def bindings() -> Any:
    """MLIR's Python bindings.  Imported when first needed: tt-opt with passes in C++ alone does without (20 ms)."""
    from mlir._mlir_libs import _mlir

    return _mlir


class Handle(ctypes.Structure):
    """An MLIR C API handle: MlirContext, MlirOperation, MlirDialectRegistry... are all one pointer."""

    _fields_ = [("pointer", ctypes.c_void_p)]


_get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_get_pointer.restype, _get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype, _new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


def handle(value: Any, kind: str) -> Handle:
    """The C handle inside a bindings object; `kind` is its capsule's class, such as "Operation"."""
    return Handle(_get_pointer(value._CAPIPtr, f"mlir.ir.{kind}._CAPIPtr".encode()))


def operation_handle(operation: ir.Operation) -> Handle:
    return handle(operation, "Operation")


def operation_from_pointer(pointer: int) -> ir.Operation:
    """The bindings' object for an MlirOperation.  Its context must be known to the bindings: see `adopt_context`."""
    return bindings().ir.Operation._CAPICreate(_new_capsule(pointer, b"mlir.ir.Operation._CAPIPtr", None))


def value_from_pointer(pointer: int) -> ir.Value:
    """The bindings' object for an MlirValue; its context must be known to them."""
    return bindings().ir.Value._CAPICreate(_new_capsule(pointer, b"mlir.ir.Value._CAPIPtr", None))


# The bindings destroy a context with the last Python reference to it, so a context that C++ owns is never let go.
_adopted: dict[int, ir.Context] = {}


def adopt_context(pointer: int) -> ir.Context:
    """The bindings' object for an MlirContext that C++ owns and outlives."""
    if pointer not in _adopted:
        _adopted[pointer] = bindings().ir.Context._CAPICreate(_new_capsule(pointer, b"mlir.ir.Context._CAPIPtr", None))
    return _adopted[pointer]


DescribeCallback = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_void_p)
ExpandCallback = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_void_p)
RunCallback = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_char_p, ctypes.c_void_p, Handle)
HoistCallback = ctypes.CFUNCTYPE(ctypes.c_bool, Handle, Handle)
NameCallback = ctypes.CFUNCTYPE(None, ctypes.c_char_p)
EffectCallback = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_char_p, Handle)
OptionCallback = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_char_p)


class PassCallbacks(ctypes.Structure):
    _fields_ = [("describe", DescribeCallback), ("run", RunCallback)]


_HANDLES = ctypes.POINTER(Handle)
_TEXTS = ctypes.POINTER(ctypes.c_char_p)
_SIGNATURES: dict[str, tuple[Any, list[Any]]] = {
    "ttkitRegisterDialects": (None, [Handle]),
    "ttkitLoadDialects": (None, [Handle]),
    "ttkitSetPassCallbacks": (None, [PassCallbacks]),
    "ttkitRegisterPass": (ctypes.c_bool, [ctypes.c_char_p]),
    "ttkitIsPassRegistered": (ctypes.c_bool, [ctypes.c_char_p]),
    "ttkitRegisterPipeline": (ctypes.c_bool, [ctypes.c_char_p, ctypes.c_char_p, ExpandCallback]),
    "ttkitPipelineSetText": (None, [ctypes.c_void_p, ctypes.c_char_p]),
    "ttkitPipelineSetError": (None, [ctypes.c_void_p, ctypes.c_char_p]),
    "ttkitDescribePassesEagerly": (None, []),
    "ttkitPassDescribe": (None, [ctypes.c_void_p] + [ctypes.c_char_p] * 3),
    "ttkitPassAddOption": (None, [ctypes.c_void_p] + [ctypes.c_char_p] * 4),
    "ttkitPassAddStatistic": (None, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p]),
    "ttkitPassAddDependentDialect": (None, [ctypes.c_void_p, ctypes.c_char_p]),
    "ttkitPassSetError": (None, [ctypes.c_void_p, ctypes.c_char_p]),
    "ttkitPassOptions": (None, [ctypes.c_void_p, OptionCallback]),
    "ttkitPassCount": (None, [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint64]),
    "ttkitContextOf": (ctypes.c_void_p, [Handle]),
    "ttkitEmitError": (None, [Handle, ctypes.c_char_p]),
    "ttkitEmitRemark": (None, [Handle, ctypes.c_char_p]),
    "ttkitContainsAny": (ctypes.c_bool, [Handle, _TEXTS, ctypes.c_size_t]),
    "ttkitCollect": (
        ctypes.c_size_t,
        [Handle, _TEXTS, ctypes.c_size_t, _HANDLES, ctypes.c_size_t],
    ),
    "ttkitCanonicalize": (ctypes.c_bool, [Handle, _TEXTS, ctypes.c_size_t]),
    "ttkitOperationNames": (None, [Handle, NameCallback]),
    "ttkitCollectElementwise": (
        ctypes.c_size_t,
        [Handle, _TEXTS, ctypes.c_size_t, _HANDLES, ctypes.c_size_t],
    ),
    "ttkitSlices": (
        ctypes.c_size_t,
        [Handle, ctypes.POINTER(Handle), ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p],
    ),
    "ttkitIsMemoryEffectFree": (ctypes.c_bool, [Handle]),
    "ttkitWouldBeTriviallyDead": (ctypes.c_bool, [Handle]),
    "ttkitHasTrait": (ctypes.c_bool, [Handle, ctypes.c_char_p]),
    "ttkitProperlyDominates": (ctypes.c_bool, [Handle, Handle]),
    "ttkitPostDominates": (ctypes.c_bool, [Handle, Handle]),
    "ttkitTopologicalSort": (None, [_HANDLES, ctypes.c_size_t]),
    "ttkitNumWarps": (ctypes.c_int, [Handle]),
    "ttkitThreadsPerWarp": (ctypes.c_int, [Handle]),
    "ttkitOnlyReads": (ctypes.c_bool, [Handle]),
    "ttkitMemoryEffects": (ctypes.c_bool, [Handle, EffectCallback]),
    "ttkitEliminateCommonSubexpressions": (ctypes.c_bool, [Handle]),
    "ttkitHoistLoopInvariants": (
        ctypes.c_size_t,
        [Handle, _TEXTS, ctypes.c_size_t, HoistCallback],
    ),
    "ttkitUnrollLoop": (ctypes.c_bool, [Handle, ctypes.c_uint64, _HANDLES]),
    "ttkitCloneOperations": (
        None,
        [_HANDLES, ctypes.c_size_t, _HANDLES, _HANDLES, ctypes.c_size_t, Handle, Handle, _HANDLES],
    ),
    "ttkitSetLocations": (None, [_HANDLES, ctypes.c_size_t, Handle]),
    "ttkitValueTypes": (ctypes.c_size_t, [Handle, ctypes.POINTER(ctypes.c_void_p), ctypes.c_size_t]),
    "ttkitReplaceTypes": (None, [Handle] + [ctypes.POINTER(ctypes.c_void_p)] * 2 + [ctypes.c_size_t]),
    "ttkitFoldOnce": (None, [Handle, ctypes.POINTER(ctypes.c_void_p), ctypes.c_size_t]),
    "ttkitFold": (ctypes.c_bool, [Handle, _HANDLES]),
    "ttkitSetOperands": (None, [Handle, _HANDLES, ctypes.c_size_t]),
    "ttkitRegisterUpstreamPasses": (None, []),
    "ttkitOptMain": (ctypes.c_int, [ctypes.c_int, _TEXTS, ctypes.c_char_p]),
}


def _library_path() -> str:
    name = "libttkit.dylib" if sys.platform == "darwin" else "libttkit.so"
    # An editable install keeps the library in site-packages and the sources in the checkout; __path__ has both.
    for folder in ttkit.__path__:
        path = os.path.join(folder, "_native", name)
        if os.path.exists(path):
            return path
    raise ImportError(f"{name} is not built; run `make build` or `pip install .` in the ttkit checkout")


class _Library(ctypes.PyDLL):
    """Functions get their C signature when they are first used."""

    def __getattr__(self, name: str) -> Any:
        function = super().__getattr__(name)
        if name in _SIGNATURES:
            function.restype, function.argtypes = _SIGNATURES[name]
        return function


def _bindings_library() -> str | None:
    """MLIR's library where it is not beside ttkit: the two are installed in different folders of sys.path."""
    name = "libMLIRPythonCAPI.dylib" if sys.platform == "darwin" else "libMLIRPythonCAPI.so"
    candidates = (os.path.join(folder, "mlir", "_mlir_libs", name) for folder in sys.path)
    return next(filter(os.path.exists, candidates), None)


def _open_lazily(path: str) -> int:
    """dlopen with lazy binding and MLIR's own symbols first.

    ctypes.CDLL always binds every function at once; MLIR's libraries have so many that this takes 0.06 s, against 0.03.
    """
    dlopen = ctypes.PyDLL(None).dlopen
    dlopen.restype, dlopen.argtypes = ctypes.c_void_p, [ctypes.c_char_p, ctypes.c_int]
    flags = os.RTLD_LAZY | getattr(os, "RTLD_DEEPBIND", 0)
    opened = dlopen(os.fsencode(path), flags)
    if not opened and (bindings := _bindings_library()) is not None:
        dlopen(os.fsencode(bindings), flags)
        opened = dlopen(os.fsencode(path), flags)
    # Where that fails, ctypes says why.
    return opened or ctypes.PyDLL(path)._handle


@functools.cache
def library_alone() -> ctypes.PyDLL:
    """libttkit without the bindings: enough to run the opt driver on passes in C++.

    Raises:
        ImportError: the library is not built.
    """
    path = _library_path()
    opened = _open_lazily(path)
    # Called with the interpreter's lock held: a diagnostic, say, ends in a handler of the bindings, which is Python.
    lib = _Library(path, handle=opened)
    # The opt driver is the exception: passes in Python, on the pass manager's threads, must be able to take the lock.
    lib.ttkitOptMain = ctypes.CDLL(path, handle=opened).ttkitOptMain
    lib.ttkitOptMain.restype, lib.ttkitOptMain.argtypes = _SIGNATURES["ttkitOptMain"]
    return lib


@functools.cache
def library() -> ctypes.PyDLL:
    """libttkit, with the dialects registered for every context that the bindings make from here on.

    Raises:
        ImportError: the library is not built.
    """
    lib = library_alone()  # before the bindings, which would load MLIR's libraries in the slow way
    from mlir._mlir_libs import get_dialect_registry

    lib.ttkitRegisterDialects(handle(get_dialect_registry(), "DialectRegistry"))
    # From now on the bindings import ttkit.dialects.tt when they first meet an operation or type of tt, and so on.
    # Without it they would look for the module at every access to a type, in vain and for 29 us (x86-64, 2026-11).
    bindings().globals.dialect_search_modules = ["ttkit.dialects", "mlir.dialects"]
    _prefer_our_classes(bindings())
    return lib


def _prefer_our_classes(mlir: Any) -> None:
    """Lets MLIR's module of a dialect load beside ours of that dialect, and operations arrive in our classes.

    MLIR has one class for an operation, and refuses a second one.
    """
    register = mlir.register_operation
    ours = os.listdir(os.path.join(os.path.dirname(__file__), "dialects"))

    def register_operation(dialect: type, *, replace: bool = False) -> Any:
        def decorate(cls: Any) -> Any:
            if cls.__module__.startswith("mlir.dialects.") and f"{dialect.DIALECT_NAMESPACE}.py" in ours:
                setattr(dialect, cls.__name__, cls)
                return cls
            return register(dialect, replace=replace)(cls)

        return decorate

    mlir.register_operation = register_operation
