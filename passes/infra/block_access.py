"""Addresses and bounds of the elements of a block of a tensor in memory, dimension by dimension.

An *index* of a dimension has the positions of the block's elements along it, as a tensor that can be broadcast to the
block: 1x..xNx..x1 of i64.  All functions build at the current insertion point.
"""

from collections.abc import Callable, Iterable, Sequence

from mlir import ir

from ttkit.dialects import arith, tt

Index = Callable[[int], ir.Value]
"""The index of a dimension."""


def block_index(offset: ir.Value, shape: Sequence[int], dim: int) -> ir.Value:
    """The index of the elements from `offset` (i64) on."""
    start = tt.splat(offset, [shape[dim]])
    steps = arith.extsi(start.type, tt.make_range(0, shape[dim]))
    return expand_to_rank(arith.addi(start, steps), len(shape), dim)


def expand_to_rank(values: ir.Value, rank: int, dim: int) -> ir.Value:
    """A vector as a tensor of `rank` dimensions, all but `dim` of size one."""
    for axis in range(rank):
        if axis != dim:
            values = tt.expand_dims(values, axis)
    return values


def block_pointers(base: ir.Value, strides: Sequence[ir.Value], index: Index, shape: Sequence[int]) -> ir.Value:
    """base + sum of index * stride, as pointers to the elements of the block."""
    pointers = tt.splat(base, shape)
    for dim, stride in enumerate(strides):
        positions = index(dim)
        # Not scalar * vector: splatting the stride keeps its axis facts, such as divisibility, in each element.
        steps = arith.muli(positions, tt.splat(stride, positions.type))
        pointers = tt.addptr(pointers, tt.broadcast(steps, shape))
    return pointers


def block_mask(sizes: Sequence[ir.Value], index: Index, shape: Sequence[int], dims: Iterable[int]) -> ir.Value | None:
    """A mask of the elements with 0 <= index < size in each of `dims`; None without `dims`."""
    mask = None
    for dim in dims:
        positions = index(dim)
        zero = arith.constant(ir.IntegerType.get_signless(64), 0)
        above = arith.cmpi("sge", positions, tt.splat(zero, positions.type))
        below = arith.cmpi("slt", positions, tt.splat(sizes[dim], positions.type))
        inside = tt.broadcast(arith.andi(above, below), shape)
        mask = inside if mask is None else arith.andi(mask, inside)
    return mask


def nan_attribute(type: ir.Type) -> ir.FloatAttr:
    """A NaN of a float type."""
    return ir.FloatAttr.get(type, float("nan"))


def zero_attribute(type: ir.Type) -> ir.Attribute:
    """Zero of an integer or floating-point type."""
    return ir.IntegerAttr.get(type, 0) if isinstance(type, ir.IntegerType) else ir.FloatAttr.get(type, 0.0)
