"""Lower the views of tensors.  They move nothing between threads: they repeat, pick or renumber registers.

Ops: dialects/tt/view_ops.td    Test: test/lit/lower/view.mlir
"""

from functools import lru_cache

from mlir import ir

from ttkit.layout import LinearLayout
from ttkit.layout.packing import repack
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.registry import lowers
from ttkit.passes.lower.unsupported import CannotLower

BASE_POINTER = "ttkit.base_pointer"
"""Attribute of the tt.splat of a pointer that a loop carries: LLVM keeps the additions of a tile's offsets to it.

Otherwise its strength reduction has the loop carry a pointer for each offset, of 64 bits."""


@lowers("tt.splat")
def splat(low: Lowering, op: ir.OpView, value: ir.Value) -> ir.Value:
    """The scalar in every register.  Raises CannotLower for a tensor of size one."""
    if isinstance(value.type, ir.VectorType):
        raise CannotLower(f"found {op.src.type}; only scalars can be splatted")
    if BASE_POINTER in op.operation.attributes:
        # Strength reduction does not look through it, and it makes no code.
        value = low.emit.op("llvm.intr.launder.invariant.group", value.type, value)
    return low.emit.splat(value, low.types.registers(op.result.type))


@lowers("tt.unsplat")
def unsplat(low: Lowering, op: ir.OpView, value: ir.Value) -> ir.Value:
    """The only element; its layout has it in every thread."""
    return low.emit.extract(value, 0)


@lowers("tt.broadcast")
def broadcast(low: Lowering, op: ir.OpView, value: ir.Value) -> ir.Value:
    """result[i] = src[i], or src[0] along a dimension of size 1."""
    source, target = low.layout(op.src), low.layout(op.result)
    # The source's registers by their coordinates; in the target these are cut down to the source's size.
    outs = source.outs
    small = LinearLayout(target.ins, outs, tuple(repack(target.columns, target.outs, outs)))
    return low.emit.pick(value, registers_at(source, small))


@lowers("tt.expand_dims")
def expand_dims(low: Lowering, op: ir.OpView, value: ir.Value) -> ir.Value:
    """The same elements with one more dimension of size 1."""
    axis = op.axis
    source, target = low.layout(op.src), low.layout(op.result)
    flat = target.squeeze_out(f"dim{axis}")
    return low.emit.pick(value, registers_at(source, LinearLayout(flat.ins, source.outs, flat.columns)))


@lowers("tt.reshape")
def reshape(low: Lowering, op: ir.OpView, value: ir.Value) -> ir.Value:
    """The same elements in row-major order; with allow_reorder in any order."""
    source, target = low.layout(op.src), low.layout(op.result)
    if "allow_reorder" in op.operation.attributes:
        return value
    flat_source, flat_target = (
        layout.transpose_outs(reversed(layout.out_dims)).reshape_outs({"element": 1 << layout.out_bits})
        for layout in (source, target)
    )
    return low.emit.pick(value, registers_at(flat_source, flat_target))


@lowers("tt.trans")
def trans(low: Lowering, op: ir.OpView, value: ir.Value) -> ir.Value:
    """result[i, j, ...] = src with its dimensions permuted."""
    order = list(op.order)
    source, target = low.layout(op.src), low.layout(op.result)
    renamed = source.transpose_outs(f"dim{d}" for d in order)
    return low.emit.pick(value, registers_at(LinearLayout(renamed.ins, target.outs, renamed.columns), target))


@lru_cache(maxsize=1024)
def registers_at(source: LinearLayout, target: LinearLayout) -> list[int]:
    """For each register of `target` the register of `source` that holds the same element of the same thread.

    Raises CannotLower if some element is in another thread.
    """
    places = target.invert_and_compose(source)
    count = source.in_size("register")
    others = [column & count - 1 for name in ("lane", "warp", "block") for column in places.columns_of(name)]
    stays = all(_stays(places, name) for name in ("lane", "warp", "block"))
    if any(others) or not stays or any(column >= count for column in places.columns_of("register")):
        found = "the operand's and the result's layout have an element in different threads"
        raise CannotLower(f"{found}; convert the operand's layout first")
    return places.values("register")


def _stays(places: LinearLayout, name: str) -> bool:
    """Whether the index `name` maps to itself, or to a place with a copy at index 0."""
    part = places.sublayout([name], [name])
    return all(column in (0, 1 << bit) for bit, column in enumerate(part.columns))


@lowers("tt.join")
def join(low: Lowering, op: ir.OpView, lhs: ir.Value, rhs: ir.Value) -> ir.Value:
    """result[..., 0] = lhs, result[..., 1] = rhs"""
    source, target = low.layout(op.lhs), low.layout(op.result)
    last = target.out_dims[-1]
    which = target.sublayout(["register"], [last]).values("register")
    flat = target.squeeze_out(last)
    places = registers_at(source, LinearLayout(flat.ins, source.outs, flat.columns))
    count = source.in_size("register")
    return low.emit.shuffle(lhs, rhs, [register + count * side for register, side in zip(places, which)])


@lowers("tt.split")
def split(low: Lowering, op: ir.OpView, value: ir.Value) -> list[ir.Value]:
    """outLHS = src[..., 0], outRHS = src[..., 1]"""
    source, target = low.layout(op.src), low.layout(op.outLHS)
    last = source.out_dims[-1]
    halves = []
    for side in (0, 1):
        # The result's elements as those of the source with a last coordinate of `side`.
        wide = LinearLayout(target.ins, source.outs, tuple(repack(target.columns, target.outs, source.outs)))
        places = wide.invert_and_compose(source)
        offset = source.place_of(side << source.out_bits - source.bits_out(last))
        halves.append(low.emit.pick(value, [register ^ offset for register in places.values("register")]))
    return halves


@lowers("tt.cat")
def cat(low: Lowering, op: ir.OpView, lhs: ir.Value, rhs: ir.Value) -> ir.Value:
    """All elements of both, in any order: this thread's of one, then of the other."""
    count = low.types.registers(op.result.type)
    joined = low.emit.concat([lhs, rhs])
    have = joined.type.shape[0]
    return joined if have == count else low.emit.pick(joined, [i % have for i in range(count)])
