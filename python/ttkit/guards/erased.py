"""Guards of what Python holds of operations, values, blocks and regions that are gone: it says so, and reads no memory.

The bindings' objects are addresses, which nothing tells of the end of what they are of.  While users' code is at work,
whatever may erase operations is bracketed by `erasures`: what the root has before and no more after is gone, and those
of nanobind's instances that refer to it are made unusable.  Operations get the bindings' own mark ("the operation has
been invalidated"), others become of a class that says so (`gone.py`).  `erasing.py` has what Python erases.

Compilations and ttkit's own passes are not watched: they would pay for it with time, and hold nothing afterwards.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import sys
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

import mlir._mlir_libs as mlir_libraries
from mlir import ir

from ttkit._native import Handle, library, operation_handle, value_address
from ttkit._signatures import HeldTypes, HoldCallback
from ttkit.guards.gone import is_gone_class, make_gone

_watching: ContextVar[bool] = ContextVar("ttkit.watches_erasures", default=True)
asks_for_watching = _watching.get
"""Whether users' code is at work in this thread, be there a way to watch it or not."""

_LISTS = (
    ir.OpResultList,
    ir.OpOperandList,
    ir.BlockArgumentList,
    ir.RegionSequence,
    ir.OpSuccessors,
    ir.BlockSuccessors,
    ir.BlockPredecessors,
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
            operation = ir.Operation.create("ttkit.probe", [ir.IntegerType.get_signless(1)] * _PROBED, regions=1)
            self.table = library().ttkitFindInstances(_state(), 256, self.address(operation), id(operation))
            results, inner = operation.results, ir.Block.create_at_start(operation.regions[0])
            belongs = [self.address(operation), id(operation)]
            known = all(self.words_of(held, 2) == belongs for held in (operation.attributes, inner))
            if list(self.range_of(results)) != [0, _PROBED, 1] or not known:
                self.table = None

    def range_of(self, values: Any) -> Any:
        """Start, length and step of a list, as they lie in memory."""
        return (ctypes.c_ssize_t * 3).from_address(self.address(values))

    def words_of(self, held: Any, count: int) -> list[int]:
        """The first words of an instance."""
        return list((ctypes.c_size_t * count).from_address(self.address(held)))

    def owner(self, held: ir.OpAttributeMap | ir.Block) -> ir.Operation:
        """The operation that an instance belongs to, as it was given: no memory of the operation is read."""
        return ctypes.cast(self.words_of(held, 2)[1], ctypes.py_object).value

    def types(self) -> HeldTypes:
        """All types that refer to what is in operations; users may have added some for values."""
        types = [ir.Operation, ir.Value, *_LISTS, *_OTHERS]
        for cls in types:
            if issubclass(cls, ir.Value):
                types += [one for one in cls.__subclasses__() if not is_gone_class(one)]
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
                if held.ref_operation is None:
                    _ = self.owner(held.block).attached  # no `block.owner`: that reads memory, which may be gone
                    self.set_state(held, False, True)
                    make_gone(held)
        else:
            if isinstance(held, _LISTS):  # empty: their functions would end the process where they can't raise
                self.range_of(held)[1] = 0
            else:
                self.set_state(held, False, True)
            make_gone(held)

    def end_all(self, contents: int) -> None:
        """Makes unusable whatever refers to what is at one of the addresses."""
        for one in self.find(contents):
            self.end(one)

    def end_argument(self, contents: int, count: int) -> None:
        """As `end_all` of an argument and its block, of which only lists of arguments end, or have `count` now."""
        for one in self.find(contents):
            if isinstance(one, ir.BlockArgumentList) and tuple(self.range_of(one))[::2] == (0, 1):
                self.range_of(one)[1] = min(self.range_of(one)[1], count)
            elif isinstance(one, (ir.Value, ir.BlockArgumentList)):
                self.end(one)

    def room(self) -> int:
        """The number of instances that there is room for, in proportion to the time of `find`."""
        return library().ttkitCountInstances(self.table)


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


def watched_instances() -> _Instances | None:
    """nanobind's instances, if users' code is at work in this thread and they can be watched."""
    return _instances() if _watching.get() else None


def is_watched() -> bool:
    """Whether users' code is at work in this thread, and can be watched."""
    return watched_instances() is not None


def owner_of(attributes: ir.OpAttributeMap) -> ir.Operation:
    """The operation whose attributes they are; where `is_watched`."""
    instances = _instances()
    assert instances is not None
    return instances.owner(attributes)


@contextlib.contextmanager
def watching(asked: bool) -> Iterator[None]:
    """Has erasures in this thread watched, or not."""
    token = _watching.set(asked)
    try:
        yield
    finally:
        _watching.reset(token)


class SetAside:
    """Erased operations that are not freed yet, since there are so many instances that each search takes long.

    Their memory stays valid, so that whatever refers to them reads no memory that is gone.  One search is for several
    of them: the time of all searches together grows with the number of erasures alone, after the first few.
    """

    # Among so many instances, those of what is gone are found in 0.1 ms: then each erasure is searched for at once.
    FEW = 4096
    # Among more, the instances that each erasure may look at: 2 us.
    EACH = 64
    # Searches among many that are made at once, before operations are set aside.
    FIRST = 16

    def __init__(self) -> None:
        self._operations: dict[int, tuple[Handle, Handle, ir.Context]] = {}
        self._allowed = sys.maxsize

    def __len__(self) -> int:
        return len(self._operations)

    def add(self, instances: _Instances, operation: Any, rewriter: Any = None, values: Any = ()) -> bool:
        """Takes an operation away for a while; false, with nothing done, if it is to be erased at once.

        Args:
            operation: a view of it, or itself.
            rewriter: the rewriter that erases it; `values` replace its results.
        """
        room = instances.room()
        self._allowed = min(self._allowed + self.EACH, self.FIRST * room)
        may_search = room <= self.FEW or self._allowed >= room
        if may_search:
            self._allowed -= room if room > self.FEW else 0
            if not self._operations:
                return False
        if not operation.operation.attached:  # its object would free it
            return False
        op, context = operation.operation, operation.operation.context
        handle = operation_handle(op)
        native = None if rewriter is None else instances.words_of(rewriter, 1)[0]
        given = (ctypes.c_void_p * len(values))(*map(value_address, values))
        stand_in = library().ttkitSetAside(handle, native, given, len(values))
        if not stand_in:
            return False
        self._operations[handle.pointer] = handle, Handle(stand_in), context
        if may_search:
            self.free(instances)
        return True

    def has(self, address: int) -> bool:
        """Whether it is the address of one of them."""
        return address in self._operations

    def free(self, instances: _Instances) -> None:
        """Frees all of them, and makes unusable what refers to them."""
        if not self._operations:
            return
        operations, self._operations = list(self._operations.values()), {}
        contents = library().ttkitContents(operations[0][0])
        for handle, _, _ in operations[1:]:
            library().ttkitAddContents(contents, handle)
        instances.end_all(contents)
        library().ttkitFreeContents(contents)
        for handle, stand_in, _ in operations:
            library().ttkitDestroyAside(handle, stand_in)


SET_ASIDE = SetAside()


@contextlib.contextmanager
def erasures(root: ir.Operation) -> Iterator[None]:
    """Whatever is in `root` before, and no more after, is gone; `root` itself stays."""
    instances = watched_instances()
    if instances is None:
        yield
        return
    SET_ASIDE.free(instances)
    contents = library().ttkitContents(operation_handle(root))
    # Objects that Python gets meanwhile may or may not belong to this root: their addresses may have been reused.
    held = instances.find(contents)
    try:
        yield
    finally:
        SET_ASIDE.free(instances)
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
