"""What one thread does: the operations become those of llvm and nvvm."""

from mlir import ir

from roll.dialect import RotateOp
from ttkit.passes.lower.gather import take
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.registry import lowers


@lowers("roll.rotate")
def rotate(low: Lowering, op: RotateOp, value: ir.Value) -> ir.Value:
    """result[..., i, ...] = src[..., (i + shift) mod n, ...]: for any layout, by shuffles or through shared memory."""
    emit, layout, size = low.emit, low.layout(op.result), op.src.type.shape[op.axis]
    place = low.index.coordinate(layout, f"dim{op.axis}")  # of each register: a vector of i32
    wanted = emit.add(place, emit.constant(place.type, op.shift))
    return take(low, op, op.src, value, emit.and_(wanted, emit.constant(place.type, size - 1)), layout, op.axis)
