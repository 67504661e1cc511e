"""Masks of loads and stores."""

from mlir import ir
from mlir.dialects import arith

from ttkit.dialects import tt
from ttkit.passes.infra.transforms import set_operands


def mask_of(predicate: ir.Value, like: ir.Type, mask: ir.Value | None) -> ir.Value:
    """The mask for pointers of type `like` that holds where an i1 does and `mask`, if there is one.

    Built at the current insertion point and location.
    """
    if isinstance(like, ir.RankedTensorType):
        predicate = tt.SplatOp(ir.RankedTensorType.get(like.shape, predicate.type, like.encoding), predicate).result
    return predicate if mask is None else arith.andi(predicate, mask)


def add_mask(load: ir.Operation, predicate: ir.Value) -> None:
    """Has a tt.load happen only if an i1 holds too.

    The mask is built at the current insertion point and location.
    """
    view = load.opview
    others = [] if view.other is None else [view.other]
    mask = mask_of(predicate, view.ptr.type, view.mask)
    set_operands(load, [view.ptr, mask, *others])
    load.attributes["operandSegmentSizes"] = ir.DenseI32ArrayAttr.get([1, 1, len(others)])
