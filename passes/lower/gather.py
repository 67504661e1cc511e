"""Lower gathers along an axis: by shuffles where each warp finds all that it asks for in itself, else through shared
memory, that of other CTAs too.

Ops: dialects/tt/index_ops.td    Test: test/lit/lower/gather.mlir
"""

from mlir import ir

from ttkit.analysis.scratch_sizes import gathers_within_warps
from ttkit.inspection import element_bits
from ttkit.layout import LinearLayout
from ttkit.layout.holders import along_axis, holders, is_own
from ttkit.passes.lower.cluster import in_cta, stored_by_all
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.shuffle import choose, shuffle_index
from ttkit.passes.lower.spread_memory import register_ctas
from ttkit.passes.lower.stored import from_stored, load_each, store_each, to_stored
from ttkit.passes.lower.thread_index import linear_sum


@lowers("tt.gather")
def gather(low: Lowering, op: ir.OpView, source: ir.Value, indices: ir.Value) -> ir.Value:
    """result[..., i, ...] = src[..., indices[..., i, ...], ...] along the axis"""
    return take(low, op, op.src, source, as_i32(low, indices), low.layout(op.indices), op.axis)


def take(
    low: Lowering,
    op: ir.OpView,
    operand: ir.Value,
    source: ir.Value,
    index: ir.Value,
    target: LinearLayout,
    axis: int,
) -> ir.Value:
    """Elements of the same line along an axis, for any layouts: by shuffles where each warp has what it asks for, else
    through scratch memory, for which `analysis.scratch_sizes.bytes_to_take` has the size.

    Args:
        op: the operation that is lowered.
        operand: its operand from which they are taken.
        source: what it became.
        index: a vector of i32: the place along `axis` for each register of the result.
        target: the layout of the result.
    """
    emit, layout = low.emit, low.layout(operand)
    if gathers_within_warps(layout, target, axis):
        return within_warp(low, source, index, layout, target, axis)
    stored = to_stored(low, source)
    type = stored.type.element_type
    base = low.shared.scratch(op, element_bits(type) // 8 << layout.out_bits)
    owner, copies = low.owners.owns_in_cta(operand), low.owners.register_copies(operand)
    store_each(low, base, emit.unpack(low.index.packed_coordinates(layout)), stored, owner, copies)
    owners = holders(layout, along_axis(target, axis, layout.outs))
    crosses_ctas = not is_own(owners)
    with stored_by_all(low, crosses_ctas):
        places, bases = emit.unpack(asked_for(low, index, layout, target, axis)), base
        if crosses_ctas:
            bases = [in_cta(low, base, cta) for cta in register_ctas(low, owners, emit.unpack(index))]
        found = load_each(low, bases, places, type)
    return from_stored(low, found, source.type.element_type)


def asked_for(low: Lowering, index: ir.Value, layout: LinearLayout, target: LinearLayout, axis: int) -> ir.Value:
    """A vector of i32: the packed coordinates in the source, where those along the axis are the index."""
    emit, starts, before = low.emit, [], 0
    for _, bits in layout.outs:
        starts.append(before)
        before += bits
    place = emit.shl(index, starts[axis])
    for dim, name in enumerate(target.out_dims):
        if dim != axis:
            place = emit.or_(place, emit.shl(low.index.coordinate(target, name), starts[dim]))
    return place


def within_warp(
    low: Lowering, source: ir.Value, index: ir.Value, layout: LinearLayout, target: LinearLayout, axis: int
) -> ir.Value:
    """Read each indexed element from its lane by shuffles, and select its register among those along the axis."""
    emit, name = low.emit, f"dim{axis}"
    others = [dim for dim in layout.out_dims if dim != name]
    fixed = layout.sublayout(["register"], others).values("register")
    wanted = target.sublayout(["register"], others).values("register")
    inverse = layout.pseudo_inverse()
    found = []
    for number, place in enumerate(emit.unpack(asked_for(low, index, layout, target, axis))):
        lane, register = (
            linear_sum(emit, [(place, tuple(c for d in inverse.in_dims for c in part.columns_of(d)))])
            for part in (inverse.sublayout(inverse.in_dims, [dim]) for dim in ("lane", "register"))
        )
        candidates = [r for r, others_of in enumerate(fixed) if others_of == wanted[number]]
        candidates = [r for r in candidates if not r & layout.free_variable_masks().get("register", 0)]
        values = ((each, shuffle_index(low, emit.extract(source, each), lane)) for each in candidates)
        found.append(choose(low, register, values))
    return emit.pack(found)


def as_i32(low: Lowering, value: ir.Value) -> ir.Value:
    """Indices as i32."""
    width = value.type.element_type.width
    if width == 32:
        return value
    return low.emit.cast("trunc" if width > 32 else "zext", value, low.emit.i32)
