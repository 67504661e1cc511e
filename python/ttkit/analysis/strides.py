"""Strides of tensors of integers and pointers: by how much elements differ that are neighbours along a dimension.

    %row = tt.make_range {end = 8, start = 0}           (1)
    %r = tt.expand_dims %row {axis = 1}                 (1, 0)
    %m = arith.muli %r, dense<64>                       (64, 0)
    %p = tt.addptr (tt.splat %x), (tt.broadcast %m)     (64, 0)

A stride that is not known while compiling is None.  Pointers that a loop carries have those that they begin with, so
passes may choose by strides, and must not rely on them.
"""

from __future__ import annotations

from collections.abc import Sequence

from mlir import ir

from ttkit.inspection import defining

Strides = tuple[int | None, ...]
"""One a dimension."""

_SAME = ("ttg.convert_layout", "arith.extsi", "arith.extui", "arith.index_cast", "tt.bitcast")
_SUMS = {"arith.addi": 1, "tt.addptr": 1, "arith.subi": -1}


def strides_of(value: ir.Value) -> Strides:
    """The strides of a tensor of integers or pointers, in units of 1 or of elements."""
    rank = value.type.rank
    if isinstance(value.owner, ir.Block):
        start = _start_of(value)
        return strides_of(start) if start is not None else (None,) * rank
    op = value.owner
    name, operands = op.name, list(op.operands)
    if name == "tt.make_range":
        return (1,)
    if name == "tt.splat" or _number(value) is not None:
        return (0,) * rank
    if name in _SAME:
        return strides_of(operands[0])
    if name == "tt.expand_dims":
        axis, found = int(ir.IntegerAttr(op.attributes["axis"]).value), strides_of(operands[0])
        return (*found[:axis], 0, *found[axis:])
    if name == "tt.broadcast":
        sizes = operands[0].type.shape
        return tuple(0 if size == 1 else stride for size, stride in zip(sizes, strides_of(operands[0])))
    if name == "tt.trans":
        found = strides_of(operands[0])
        return tuple(found[dim] for dim in ir.DenseI32ArrayAttr(op.attributes["order"]))
    if name in _SUMS:
        return _sum(strides_of(operands[0]), strides_of(operands[1]), _SUMS[name])
    if name == "arith.muli":
        return _product(*operands)
    if not operands or any(not _is_like(operand, value) for operand in operands):
        return (None,) * rank
    return _of_any_function([strides_of(operand) for operand in operands])


def _is_like(operand: ir.Value, value: ir.Value) -> bool:
    type = operand.type
    return isinstance(type, ir.RankedTensorType) and list(type.shape) == list(value.type.shape)


def _number(value: ir.Value) -> int | None:
    """The number in every element of a constant of integers."""
    op = defining(value)
    if op is None or op.operation.name != "arith.constant":
        return None
    attribute = op.operation.attributes["value"]
    if not isinstance(attribute, ir.DenseIntElementsAttr) or not attribute.is_splat:
        return None
    return int(ir.IntegerAttr(attribute.get_splat_value()).value)


def _start_of(argument: ir.Value) -> ir.Value | None:
    """The value with which a loop begins an argument; None for other arguments."""
    loop = argument.owner.owner.operation
    if loop.name != "scf.for" or argument.arg_number == 0:
        return None
    return loop.operands[3 + argument.arg_number - 1]


def _sum(left: Strides, right: Strides, sign: int) -> Strides:
    return tuple(None if a is None or b is None else a + sign * b for a, b in zip(left, right))


def _product(left: ir.Value, right: ir.Value) -> Strides:
    for value, factor in ((left, _number(right)), (right, _number(left))):
        if factor is not None:
            return tuple(None if stride is None else stride * factor for stride in strides_of(value))
    return _of_any_function([strides_of(left), strides_of(right)])


def _of_any_function(operands: Sequence[Strides]) -> Strides:
    """The strides of an elementwise function, which repeats a value where all operands do."""
    return tuple(0 if all(stride == 0 for stride in of_dim) else None for of_dim in zip(*operands))
