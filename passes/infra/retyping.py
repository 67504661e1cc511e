"""The types of all values of a module, read and replaced natively in one call."""

import ctypes
from collections.abc import Iterable, Mapping
from typing import Any

from mlir import ir

from ttkit._native import array_type, library, operation_handle
from ttkit._signatures import NameCallback
from ttkit.dialects._type_base import type_at, type_pointer
from ttkit.guards.erased import erasures


def operation_names(root: ir.Operation) -> list[str]:
    """The names of the operations in `root`, itself included, each once."""
    names: list[str] = []

    @NameCallback
    def add(name: bytes) -> None:
        """Notes one name."""
        names.append(name.decode())

    library().ttkitOperationNames(operation_handle(root), add)
    return names


def value_types(root: ir.Operation) -> list[ir.Type]:
    """The types of results, block arguments and signatures of functions in `root`, each once."""
    handle, lib = operation_handle(root), library()
    count = lib.ttkitValueTypes(handle, None, 0)
    found = array_type(ctypes.c_void_p, count)()
    lib.ttkitValueTypes(handle, found, count)
    return [type_at(pointer) for pointer in found]


def replace_types(root: ir.Operation, table: Mapping[ir.Type, ir.Type]) -> None:
    """Gives all results, block arguments, constants and signatures in `root` of a type in `table` the type it maps to.

    Both types must have the same shape and elements; so must whatever else the verifier compares.
    """
    library().ttkitReplaceTypes(operation_handle(root), _array(table), _array(table.values()), len(table))


def fold_once(root: ir.Operation, types: Iterable[ir.Type]) -> None:
    """Folds each operation in `root` with an operand or result of one of the types; none sees what another became."""
    types = list(types)
    with erasures(root.operation):
        library().ttkitFoldOnce(operation_handle(root), _array(types), len(types))


def _array(types: Iterable[ir.Type]) -> Any:
    pointers = [type_pointer(type) for type in types]
    return array_type(ctypes.c_void_p, len(pointers))(*pointers)
