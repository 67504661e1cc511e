"""Base of the Python classes for types of ttkit's dialects, without compiled bindings.

A class here is a subclass of `mlir.ir.Type` registered as the caster of its TypeID, so `value.type` and every other
accessor of the bindings returns it by itself and `isinstance(value.type, tt.PointerType)` works.  Its parts are read
through libttkit's C ABI.
"""

import ctypes
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from mlir import ir

from ttkit._native import array_type, library

_get_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)
_new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
    ("PyCapsule_New", ctypes.pythonapi)
)
LIBRARY: Any = library()
_TYPE = b"mlir.ir.Type._CAPIPtr"
_ATTRIBUTE = b"mlir.ir.Attribute._CAPIPtr"
_CONTEXT = b"mlir.ir.Context._CAPIPtr"
_TYPE_ID = b"mlir.ir.TypeID._CAPIPtr"


def type_pointer(type: ir.Type) -> int:
    """The address by which MLIR's C ABI knows a type."""
    return _get_pointer(type._CAPIPtr, _TYPE)


def attribute_pointer(attribute: ir.Attribute) -> int:
    """The address by which MLIR's C ABI knows an attribute."""
    return _get_pointer(attribute._CAPIPtr, _ATTRIBUTE)


def context_pointer(context: ir.Context) -> int:
    """The address by which MLIR's C ABI knows a context."""
    return _get_pointer(context._CAPIPtr, _CONTEXT)


def type_at(pointer: int) -> Any:
    """The bindings' object, of its most derived class, for the MlirType `pointer`."""
    return ir.Type._CAPICreate(_new_capsule(pointer, _TYPE, None)).maybe_downcast()


def attribute_at(pointer: int) -> Any:
    """The bindings' object, of its most derived class, for the MlirAttribute `pointer`."""
    return ir.Attribute._CAPICreate(_new_capsule(pointer, _ATTRIBUTE, None)).maybe_downcast()


def type_id_at(pointer: int) -> ir.TypeID:
    """The bindings' object for the MlirTypeID `pointer`."""
    return ir.TypeID._CAPICreate(_new_capsule(pointer, _TYPE_ID, None))


def int64_array(values: Sequence[int]) -> ctypes.Array[ctypes.c_int64]:
    """Integers as C takes them; it owns its memory."""
    return array_type(ctypes.c_int64, len(values))(*values)


class DialectType(ir.Type):
    """A type of tt or ttg.  `Class(type)` casts, and raises ValueError if `type` is of another class."""

    static_typeid: ClassVar[ir.TypeID]
    type_name: ClassVar[str]

    def __init_subclass__(cls, type_name: str) -> None:
        pointer = LIBRARY.ttkitTypeID(type_name.encode())
        cls.type_name = type_name
        cls.static_typeid = type_id_at(pointer)
        ir.register_type_caster(cls.static_typeid, replace=True)(cls)

    def __init__(self, type: ir.Type) -> None:
        if type.typeid != self.static_typeid:
            raise ValueError(f"{type} is not a !{self.type_name}")
        ir.Type.__init__(self, type)

    @classmethod
    def _made(cls, pointer: int | None, text: Callable[[], str], context: ir.Context) -> Any:
        """The type at `pointer`; without one, the MLIRError that parsing it from `text` gives."""
        return type_at(pointer) if pointer else cls(ir.Type.parse(text(), context))
