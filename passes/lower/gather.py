"""Lower gathers along an axis, through shared memory: any thread may ask for any element.

Ops: dialects/tt/index_ops.td    Test: test/lit/lower/gather.mlir
"""

from mlir import ir

from ttkit.layout import LinearLayout
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.reduce import stored_type
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.thread_index import registers_of


@lowers("tt.gather")
def gather(low: Lowering, op: ir.OpView, source: ir.Value, indices: ir.Value) -> ir.Value:
    """result[..., i, ...] = src[..., indices[..., i, ...], ...] along the axis"""
    emit, operation = low.emit, op.operation
    axis = operation.attributes["axis"].value
    layout, target = low.layout(operation.operands[0]), low.layout(operation.operands[1])
    type = stored_type(low, source)
    stored = source if type == source.type.element_type else emit.cast("zext", source, type)
    base = low.scratch_pointer(op)
    owner, copies = low.owns_element(operation.operands[0]), low.register_copies(operation.operands[0])
    for register, place in enumerate(emit.unpack(packed_coordinates(low, layout))):
        if not register & copies:
            low.store_shared(emit.gep(base, place, type), emit.slice(stored, register, 1), owner)
    low.barrier()
    # The packed coordinates of the result, with those along the axis replaced by the index.
    shift = sum(bits for _, bits in layout.outs[:axis])
    terms = []
    for dim, name in enumerate(target.out_dims):
        if dim != axis:
            before = sum(bits for _, bits in layout.outs[:dim])
            terms.append(emit.shl(low.index.coordinate(target, name), before))
    index = as_i32(low, indices)
    place = emit.shl(index, shift)
    for term in terms:
        place = emit.or_(place, term)
    one = emit.vector(1, type)
    found = emit.concat([low.load_shared(emit.gep(base, each, type), one) for each in emit.unpack(place)])
    return found if type == source.type.element_type else emit.cast("trunc", found, source.type.element_type)


def packed_coordinates(low: Lowering, layout: LinearLayout) -> ir.Value:
    """A vector of i32: the packed coordinates of this thread's registers, the first dimension in the lowest bits."""
    packed = LinearLayout(layout.ins, (("element", layout.out_bits),), layout.columns)
    return registers_of(low.emit, low.index.of_thread(packed), packed)


def as_i32(low: Lowering, value: ir.Value) -> ir.Value:
    """Indices as i32."""
    width = value.type.element_type.width
    if width == 32:
        return value
    return low.emit.cast("trunc" if width > 32 else "zext", value, low.emit.i32)
