"""Source lines of locations, and attributes of debug information that MLIR's bindings do not offer.

The attributes are compared by identity, not by text.
"""

from __future__ import annotations

import ctypes
import functools
from typing import Any

from mlir import ir

from ttkit._native import Handle, attribute_from_pointer, handle, library


def source_place(location: ir.Location) -> ir.Location | None:
    """The line in a file to which a location refers; None without one."""
    while not location.is_a_file():
        if location.is_a_name():
            location = location.child_loc
        elif location.is_a_callsite():
            location = location.callee
        elif location.is_a_fused() and location.locations:
            location = location.locations[0]
        else:
            return None
    return location


def subprogram(location: ir.Location) -> ir.Attribute | None:
    """The subprogram in a function's location, set by `ensure-debug-info-scope-on-llvm-func`; None without one."""
    if not location.is_a_fused():
        return None
    found = _functions().mlirLocationFusedGetMetadata(handle(location, "Location"))
    return attribute_from_pointer(found) if found else None


def local_variable(scope: ir.Attribute, name: str, line: int, parameter: int, type: ir.Attribute) -> ir.Attribute:
    """A variable of a subprogram.

    Args:
        line: the line of its definition.
        parameter: its number from 1; 0 if it is not a parameter.
    """
    context, functions = scope.context, _functions()
    scope_handle = handle(scope, "Attribute")
    text, kind = handle(ir.StringAttr.get(name, context), "Attribute"), handle(type, "Attribute")
    file = Handle(functions.mlirLLVMDISubprogramAttrGetFile(scope_handle))
    made = functions.mlirLLVMDILocalVariableAttrGet(
        handle(context, "Context"), scope_handle, text, file, line, parameter, 0, kind, 0
    )
    return attribute_from_pointer(made)


def lexical_block_file(scope: ir.Attribute, file: ir.Attribute) -> ir.Attribute:
    """A part of `scope` whose code is from another file."""
    context = handle(scope.context, "Context")
    arguments = (handle(one, "Attribute") for one in (scope, file))
    return attribute_from_pointer(_functions().mlirLLVMDILexicalBlockFileAttrGet(context, *arguments, 0))


@functools.cache
def _functions() -> Any:
    """MLIR's C API, with the signatures of the functions used here."""
    functions, uint = library(), ctypes.c_uint
    for name, arguments in {
        "mlirLocationFusedGetMetadata": [Handle],
        "mlirLLVMDISubprogramAttrGetFile": [Handle],
        "mlirLLVMDILexicalBlockFileAttrGet": [*[Handle] * 3, uint],
        "mlirLLVMDILocalVariableAttrGet": [*[Handle] * 4, *[uint] * 3, Handle, ctypes.c_int64],
    }.items():
        function = getattr(functions, name)
        function.restype, function.argtypes = ctypes.c_void_p, arguments
    return functions
