"""Masks of loads and stores."""

from mlir import ir

from ttkit.dialects import arith, tt
from ttkit.operation_sets import ASYNC_COPY, MASKS
from ttkit.passes.infra.segments import add_operand, group_of, operand_of


def mask_of(predicate: ir.Value, like: ir.Type, mask: ir.Value | None) -> ir.Value:
    """The mask for pointers of type `like` that is true where an i1 and `mask`, if there is one, are true.

    Built at the current insertion point and location.
    """
    if isinstance(like, ir.RankedTensorType):
        predicate = tt.splat(predicate, tt.with_element_type(like, predicate.type))
    return predicate if mask is None else arith.andi(predicate, mask)


def add_mask(access: ir.Operation, predicate: ir.Value, group: int = MASKS["tt.load"], pointer: int = 0) -> None:
    """Makes an access, by default a tt.load, run only if an i1 holds too.

    The mask is built at the current insertion point and location.

    Args:
        group: the number of the operand group of the mask.
        pointer: the number of the operand whose shape and layout the mask gets.
    """
    set_mask(access, group, mask_of(predicate, access.operands[pointer].type, operand_of(access, group)))


def pointer_of(access: ir.Operation) -> ir.Value:
    """The pointer, or tensor of pointers, of one of ALL_POINTER_ACCESSES."""
    return access.opview.src if access.name == ASYNC_COPY else access.opview.ptr


def access_mask(access: ir.Operation) -> ir.Value | None:
    """The mask of an access; None if it has none."""
    return operand_of(access, MASKS[access.name]) if access.name in MASKS else None


def set_mask(access: ir.Operation, group: int, mask: ir.Value) -> None:
    """Sets or replaces the mask of an access."""
    numbers = group_of(access, group)
    if numbers:
        access.operands[numbers.start] = mask
    else:
        add_operand(access, group, mask)
