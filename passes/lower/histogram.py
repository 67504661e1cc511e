"""Lower histograms: atomic counts in shared memory.

Ops: dialects/tt/index_ops.td    Test: test/lit/lower/histogram.mlir
"""

from mlir import ir

from ttkit.passes.lower.gather import as_i32
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.memory import operand_or_none
from ttkit.passes.lower.registry import lowers


@lowers("tt.histogram")
def histogram(low: Lowering, op: ir.OpView, source: ir.Value, *masked: ir.Value) -> ir.Value:
    """result[b] = how many elements of src are b, of those where mask"""
    emit, operation = low.emit, op.operation
    mask = operand_or_none(low, op.mask)
    target = low.layout(operation.results[0])
    base, type = low.scratch_pointer(op, 4 << target.out_bits), emit.i32
    places = emit.unpack(low.index.packed_coordinates(target))
    one = emit.vector(1, type)
    for place in places:
        low.store_shared(emit.gep(base, place, type), emit.constant(one, 0))
    low.barrier()
    owner, copies = low.owns_element(operation.operands[0]), low.register_copies(operation.operands[0])
    bins = emit.i32_constant(1 << target.out_bits)
    for register, value in enumerate(emit.unpack(as_i32(low, source))):
        if register & copies:
            continue
        counted = emit.compare("ult", value, bins)
        for condition in (owner, None if mask is None else low.register(mask, register)):
            if condition is not None:
                counted = emit.and_(counted, condition)
        emit.inline_asm("@$1 red.shared.add.u32 [ $0 + 0 ], 1;", "r,b", None, emit.gep(base, value, type), counted)
    low.barrier()
    found = emit.concat([low.load_shared(emit.gep(base, place, type), one) for place in places])
    element = low.element_type(operation.results[0])
    return found if element == type else emit.cast("trunc" if element.width < 32 else "zext", found, element)
