"""Lower arithmetic on pointers, and casts of and to pointers.

Ops: dialects/tt/pointer_ops.td    Test: test/lit/lower/pointer.mlir
"""

from mlir import ir

from ttkit.dialects._tt_types import PointerType
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.stored import stored_type


@lowers("tt.addptr")
def addptr(low: Lowering, op: ir.OpView, pointer: ir.Value, offset: ir.Value) -> ir.Value:
    """pointer + offset, in elements of what the pointer points to; a predicate takes a byte."""
    return low.emit.gep(pointer, offset, pointee(low, op.result))


def pointee(low: Lowering, pointer: ir.Value) -> ir.Type:
    """The llvm type that a pointer, or a tensor of them, points to; a byte for predicates.

    Raises:
        CannotLower: elements of this type have no addresses.
    """
    type = pointer.type
    if isinstance(type, ir.RankedTensorType):
        type = type.element_type
    assert isinstance(type, PointerType)
    return stored_type(low, low.types.element(type.pointee_type))


@lowers("tt.bitcast")
def bitcast(low: Lowering, op: ir.OpView, value: ir.Value) -> ir.Value:
    """The same bits; pointers are all alike."""
    target = low.element_type(op.result)
    return value if low.element_type(op.src) == target else low.emit.cast("bitcast", value, target)


@lowers("tt.int_to_ptr")
def int_to_ptr(low: Lowering, op: ir.OpView, value: ir.Value) -> ir.Value:
    """An address as a pointer."""
    return low.emit.cast("inttoptr", value, low.element_type(op.result))


@lowers("tt.ptr_to_int")
def ptr_to_int(low: Lowering, op: ir.OpView, value: ir.Value) -> ir.Value:
    """A pointer as an address."""
    return low.emit.cast("ptrtoint", value, low.element_type(op.result))
