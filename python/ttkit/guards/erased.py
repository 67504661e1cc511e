"""Guards of what Python holds of operations, values, blocks and regions that are gone: it says so, and reads no memory.

The bindings' objects are addresses, which nothing tells of the end of what they are of.  While users' code is at work,
whatever may erase operations is bracketed by `erasures`: what the root has before and no more after is gone, and those
of nanobind's instances that refer to it are made unusable.  Operations get the bindings' own mark ("the operation has
been invalidated"), lists become empty, others count as not initialized yet: they raise where they would have crashed.

Compilations and ttkit's own passes are not watched: they would pay for it with time, and hold nothing afterwards.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any

import mlir._mlir_libs as mlir_libraries
from mlir import ir
from mlir.passmanager import PassManager
from mlir.rewrite import PatternRewriter

from ttkit._native import library, operation_handle
from ttkit._signatures import HeldTypes, HoldCallback

_watching: ContextVar[bool] = ContextVar("ttkit.watches_erasures", default=True)

_OPERATION_BASE = ir.Operation.__mro__[1]
_LISTS = (
    ir.OpResultList,
    ir.OpOperandList,
    ir.BlockArgumentList,
    ir.RegionSequence,
    ir.OpSuccessors,
    ir.BlockSuccessors,
)
_OTHERS = (
    *(ir.Block, ir.BlockIterator, ir.BlockList, ir.InsertionPoint, ir.OpAttributeMap, ir.OpOperand),
    *(ir.OpOperandIterator, ir.OperationIterator, ir.OperationList, ir.Region, ir.RegionIterator),
)


class _Instances:
    """nanobind's table of its instances, and its functions for them, which its own headers call public."""

    def __init__(self) -> None:
        name = "libnanobind-mlir.dylib" if os.uname().sysname == "Darwin" else "libnanobind-mlir.so"
        nanobind = ctypes.PyDLL(os.path.join(os.path.dirname(mlir_libraries.__file__), name))
        prefix = "_ZN8nanobind6detail"
        self.address = nanobind[f"{prefix}11nb_inst_ptrEP7_object"]
        self.size = nanobind[f"{prefix}12nb_type_sizeEP7_object"]
        self.set_state = nanobind[f"{prefix}17nb_inst_set_stateEP7_objectbb"]
        self.address.restype, self.address.argtypes = ctypes.c_void_p, [ctypes.py_object]
        self.size.restype, self.size.argtypes = ctypes.c_size_t, [ctypes.py_object]
        self._types: list[type] = []
        self.set_state.restype, self.set_state.argtypes = None, [ctypes.py_object, ctypes.c_bool, ctypes.c_bool]
        with mlir_libraries._mlir.ir._Context() as context, ir.Location.unknown():  # `ir.Context` loads all dialects
            context.allow_unregistered_dialects = True
            operation = ir.Operation.create("ttkit.probe", [ir.IntegerType.get_signless(1)] * _PROBED)
            self.table = library().ttkitFindInstances(_state(), 256, self.address(operation), id(operation))
            results, attributes = operation.results, operation.attributes
            known = self.words_of(attributes, 2) == [self.address(operation), id(operation)]
            if list(self.range_of(results)) != [0, _PROBED, 1] or not known:
                self.table = None

    def range_of(self, values: Any) -> Any:
        """Start, length and step of a list, as they lie in memory."""
        return (ctypes.c_ssize_t * 3).from_address(self.address(values))

    def words_of(self, held: Any, count: int) -> list[int]:
        """The first words of an instance."""
        return list((ctypes.c_size_t * count).from_address(self.address(held)))

    def types(self) -> HeldTypes:
        """All types that refer to what is in operations; users may have added some for values."""
        types = [ir.Operation, ir.Value, *_LISTS, *_OTHERS]
        for cls in types:
            if issubclass(cls, ir.Value):
                types += cls.__subclasses__()
        if types != self._types:
            addresses = (ctypes.c_void_p * len(types))(*map(id, types))
            sizes = (ctypes.c_size_t * len(types))(*map(self.size, types))
            self._types, self._held_types = types, HeldTypes(addresses, sizes, len(types))
        return self._held_types

    def find(self, contents: int) -> list[Any]:
        """The objects that refer to what is at one of the addresses, operations first."""
        capacity = 64
        while True:
            found = (ctypes.c_void_p * capacity)()
            count = library().ttkitFindHeld(contents, self.table, self.types(), _HOLD, found, capacity)
            held = [ctypes.cast(found[i] or 0, ctypes.py_object).value for i in range(min(count, capacity))]
            for one in held:
                _release(one)
            if count <= capacity:
                return held
            capacity = count

    def end(self, held: Any) -> None:
        """Makes an object unusable."""
        if isinstance(held, ir.Operation):
            held._set_invalid()
        elif isinstance(held, ir.InsertionPoint):
            # Its operations are checked when it is used; and a pattern leaves the one that it has erased.
            with contextlib.suppress(RuntimeError):
                if held.ref_operation is None and held.block.owner is not None:
                    self.set_state(held, False, True)
        elif isinstance(held, _LISTS):  # empty: their functions would end the process where they can't raise
            self.range_of(held)[1] = 0
        else:
            self.set_state(held, False, True)


def _state() -> int | None:
    """The place where nanobind keeps what it knows, for this interpreter."""
    api = ctypes.pythonapi
    get_dict, get_pointer = api.PyInterpreterState_GetDict, api.PyCapsule_GetPointer
    api.PyInterpreterState_Get.restype = ctypes.c_void_p
    get_dict.restype, get_dict.argtypes = ctypes.c_void_p, [ctypes.c_void_p]  # it gives no reference of one's own
    known = ctypes.cast(get_dict(api.PyInterpreterState_Get()), ctypes.py_object).value
    names = [key for key in known if isinstance(key, str) and key.startswith("__nb_internals_")]
    capsule = next((known[name] for name in names if name.endswith("_mlir__")), None)
    return None if capsule is None else get_pointer(capsule, b"nb_internals")


@functools.cache
def _instances() -> _Instances | None:
    """None where nanobind is of another make than the one that ttkit is pinned to: then nothing is watched."""
    try:
        with watching(False):
            found = _Instances()
    except (AttributeError, OSError):
        return None
    return found if found.table else None


def is_watched() -> bool:
    """Whether users' code is at work in this thread, and can be watched."""
    return _watching.get() and _instances() is not None


def owner_of(attributes: ir.OpAttributeMap) -> ir.Operation:
    """The operation whose attributes they are; where `is_watched`."""
    instances = _instances()
    assert instances is not None
    return ctypes.cast(instances.words_of(attributes, 2)[1], ctypes.py_object).value


@contextlib.contextmanager
def watching(asked: bool) -> Iterator[None]:
    """Has erasures in this thread watched, or not."""
    token = _watching.set(asked)
    try:
        yield
    finally:
        _watching.reset(token)


@contextlib.contextmanager
def erasures(root: ir.Operation) -> Iterator[None]:
    """Whatever is in `root` before, and no more after, is gone; `root` itself stays."""
    instances = _instances() if _watching.get() else None
    if instances is None:
        yield
        return
    contents = library().ttkitContents(operation_handle(root))
    # Objects that Python gets meanwhile may or may not belong to this root: their addresses may have been reused.
    held = instances.find(contents)
    try:
        yield
    finally:
        library().ttkitKeepGone(contents, operation_handle(root))
        known = set(map(id, held))
        for one in instances.find(contents):
            if id(one) in known:
                instances.end(one)
        library().ttkitFreeContents(contents)


_HOLD = ctypes.cast(ctypes.pythonapi.Py_IncRef, HoldCallback)
_release = ctypes.pythonapi.Py_DecRef
_release.argtypes, _release.restype = [ctypes.py_object], None
_PROBED = 7
# Instances that there is room for: among more it takes 0.1 ms to find what is gone, too long for each of thousands.
_MANY = 4096


# --- What Python erases ----------------------------------------------------------------------------------------------
def watch_erase() -> None:
    """Has what the bindings erase operations with check them, and tell of what is gone.  Once."""
    if hasattr(_OPERATION_BASE.erase, "__wrapped__"):
        return
    for cls, name in ((_OPERATION_BASE, "erase"), (PatternRewriter, "erase_op")):
        setattr(cls, name, _watched(cls.__dict__[name]))
    PatternRewriter.replace_op = _watched(PatternRewriter.__dict__["replace_op"], replaces=True)
    run = PassManager.run

    def watched_run(self: PassManager, operation: Any) -> None:
        """Runs passes; what they erase is no more to be used afterwards."""
        with erasures(operation.operation):
            run(self, operation)

    watched_run.__doc__ = run.__doc__
    PassManager.run = watched_run
    clone = _OPERATION_BASE.clone

    def checked_clone(self: Any, ip: ir.InsertionPoint | None = None) -> ir.OpView:
        """Clones, unless the operation is erased."""
        _ = self.attached  # which the bindings check, and not here
        return clone(self, ip)

    checked_clone.__doc__ = clone.__doc__
    _OPERATION_BASE.clone = checked_clone


def _watched(original: Callable[..., Any], replaces: bool = False) -> Callable[..., Any]:
    """A function that erases its last argument, or replaces its second one, with what is gone noticed."""

    @functools.wraps(original)
    def erase(*arguments: Any) -> None:
        """Erases, and ends all Python objects for what goes; many objects are left to the end of the block.

        Raises:
            ValueError: its results are in use.
        """
        instances = _instances() if _watching.get() else None
        if instances is None:
            original(*arguments)
            return
        operation = operation_handle(arguments[1 if replaces else -1].operation)
        if not replaces and library().ttkitHasUses(operation):
            raise ValueError("an operation with used results can't be erased: replace its results first")
        if library().ttkitCountInstances(instances.table) > _MANY:
            original(*arguments)
            return
        contents = library().ttkitContents(operation)
        try:
            original(*arguments)
            for one in instances.find(contents):
                instances.end(one)
        finally:
            library().ttkitFreeContents(contents)

    return erase
