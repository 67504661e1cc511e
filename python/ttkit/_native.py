"""libttkit, loaded once: the dialects, the opt driver, and passes whose body is Python.

All goes through a C ABI and ctypes, so that one build serves every Python version.  MLIR objects cross as capsules.
"""

from __future__ import annotations

import ctypes
import functools
import os
import sys

from ttkit._signatures import SIGNATURES, Handle, StringCallback
from ttkit.installation import folders

TYPE_CHECKING = False  # as of typing, whose import would take a tenth of tt-opt's start
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from mlir import ir


@functools.cache
def bindings() -> Any:
    """MLIR's Python bindings.  Imported when first needed: tt-opt with passes in C++ alone does without (20 ms)."""
    from mlir._mlir_libs import _mlir

    return _mlir


_get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_get_pointer.restype, _get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype, _new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


def handle(value: Any, kind: str) -> Handle:
    """The C handle inside a bindings object; `kind` is its capsule's class, such as "Operation"."""
    return Handle(_get_pointer(value._CAPIPtr, _capsule(kind)))


@functools.cache
def _capsule(kind: str) -> bytes:
    """The name of the capsules of a class of the bindings."""
    return f"mlir.ir.{kind}._CAPIPtr".encode()


_OPERATION, _VALUE = b"mlir.ir.Operation._CAPIPtr", b"mlir.ir.Value._CAPIPtr"


def value_handle(value: ir.Value) -> Handle:
    """A value as functions of `ttkit.h` take it."""
    return Handle(_get_pointer(value._CAPIPtr, _VALUE))


def value_address(value: ir.Value) -> int:
    """The address of the C++ object."""
    return _get_pointer(value._CAPIPtr, _VALUE)


def operation_address(operation: ir.Operation) -> int:
    """The address of the C++ object."""
    return _get_pointer(operation._CAPIPtr, _OPERATION)


def operation_handle(operation: ir.Operation) -> Handle:
    """An operation as functions of `ttkit.h` take it; valid as long as the operation lives."""
    return Handle(_get_pointer(operation._CAPIPtr, _OPERATION))


@functools.lru_cache(1024)
def array_type(element: Any, length: int) -> Any:
    """The type of an array of C.  ctypes forgets those without users, and takes 25 us to make one again."""
    return element * length


def addresses_of(operations: Sequence[ir.Operation]) -> ctypes.Array[Any]:
    """An array of operations as functions of `ttkit.h` take it."""
    return array_type(ctypes.c_void_p, len(operations))(*map(operation_address, operations))


def pass_manager_handle(manager: Any) -> Handle:
    """A pass manager as functions of `ttkit.h` take it."""
    return Handle(_get_pointer(manager._CAPIPtr, b"mlir.passmanager.PassManager._CAPIPtr"))


@functools.cache
def _creates(kind: str) -> Any:
    """The function that makes objects of a class of the bindings."""
    return getattr(bindings().ir, kind)._CAPICreate


def operation_from_pointer(pointer: int) -> ir.Operation:
    """The bindings' object for an MlirOperation, whose context must be known to them: see `context_from_pointer`."""
    return _creates("Operation")(_new_capsule(pointer, _OPERATION, None))


def addresses_told(function: Any, *arguments: Any) -> list[int]:
    """Calls a function that fills an array of addresses up to its capacity, and gives how many there are."""
    capacity = _FIRST_CAPACITY
    while True:
        found = array_type(ctypes.c_void_p, capacity)()
        total = function(*arguments, found, capacity)
        if total <= capacity:
            return found[:total]
        capacity = total


def operations_told(function: Any, *arguments: Any) -> list[ir.Operation]:
    """The operations at `addresses_told`."""
    create = _creates("Operation")
    return [create(_new_capsule(pointer, _OPERATION, None)) for pointer in addresses_told(function, *arguments)]


_FIRST_CAPACITY = 16
"""Addresses that are told of in one call; more take two."""


def told(function: Any, *arguments: Any) -> tuple[Any, str]:
    """Calls a function whose last two parameters are an MlirStringCallback and its data.

    Returns:
        its result, and the text that it told of.
    """
    parts: list[bytes] = []
    callback = StringCallback(lambda text, _: parts.append(ctypes.string_at(text.data, text.length)))
    return function(*arguments, callback, None), b"".join(parts).decode(errors="replace")


def value_from_pointer(pointer: int) -> ir.Value:
    """The bindings' object for an MlirValue; its context must be known to them."""
    return _creates("Value")(_new_capsule(pointer, _VALUE, None))


def attribute_from_pointer(pointer: int) -> ir.Attribute:
    """The bindings' object for an MlirAttribute; its context must be known to them."""
    return bindings().ir.Attribute._CAPICreate(_new_capsule(pointer, b"mlir.ir.Attribute._CAPIPtr", None))


def context_from_pointer(pointer: int) -> ir.Context:
    """The bindings' object for an MlirContext.

    It must be kept as long as a context that C++ owns lives: the bindings destroy a context with the last
    Python reference to it.
    """
    return bindings().ir.Context._CAPICreate(_new_capsule(pointer, b"mlir.ir.Context._CAPIPtr", None))


def _library_path() -> str:
    name = "libttkit.dylib" if sys.platform == "darwin" else "libttkit.so"
    # An editable install keeps the library in site-packages and the sources in the checkout; __path__ has both.
    for folder in folders():
        path = os.path.join(folder, "_native", name)
        if os.path.exists(path):
            return path
    raise ImportError(f"{name} is not built; run `make build` or `pip install .` in the ttkit checkout")


class _Library(ctypes.PyDLL):
    """Functions get their C signature when they are first used."""

    def __getattr__(self, name: str) -> Any:
        function = super().__getattr__(name)
        if name in SIGNATURES:
            function.restype, function.argtypes = SIGNATURES[name]
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
    lib.ttkitOptMain.restype, lib.ttkitOptMain.argtypes = SIGNATURES["ttkitOptMain"]
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
    # From now on the bindings import ttkit.dialects.tt at the first operation or type of tt, and so on.
    # Without it they would search for the module at every access to a type, in vain and for 29 us (x86-64, 2026-11).
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
        """The bindings' decorator, but for operations that have classes of ours."""

        def decorate(cls: Any) -> Any:
            """Sets such a class on its dialect, and registers any other."""
            if cls.__module__.startswith("mlir.dialects.") and f"{dialect.DIALECT_NAMESPACE}.py" in ours:
                setattr(dialect, cls.__name__, cls)
                return cls
            return register(dialect, replace=replace)(cls)

        return decorate

    mlir.register_operation = register_operation
