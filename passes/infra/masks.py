"""Masks of loads and stores."""

from mlir import ir

from ttkit.dialects import arith, tt
from ttkit.passes.infra.transforms import set_operands


def mask_of(predicate: ir.Value, like: ir.Type, mask: ir.Value | None) -> ir.Value:
    """The mask for pointers of type `like` that holds where an i1 does and `mask`, if there is one.

    Built at the current insertion point and location.
    """
    if isinstance(like, ir.RankedTensorType):
        predicate = tt.splat(predicate, tt.with_element_type(like, predicate.type))
    return predicate if mask is None else arith.andi(predicate, mask)


def add_mask(load: ir.Operation, predicate: ir.Value) -> None:
    """Has a tt.load happen only if an i1 holds too.

    The mask is built at the current insertion point and location.
    """
    operands = list(load.operands)  # the pointer, the mask if any, and then what is loaded where that does not hold
    if len(operands) > 1:
        load.operands[1] = mask_of(predicate, operands[0].type, operands[1])
        return
    set_operands(load, [operands[0], mask_of(predicate, operands[0].type, None)])
    load.attributes["operandSegmentSizes"] = ir.DenseI32ArrayAttr.get([1, 1, 0])
