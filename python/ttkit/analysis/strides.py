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
_RESHAPING = ("tt.expand_dims", "tt.broadcast", "tt.trans")
_SUMS = {"arith.addi": 1, "tt.addptr": 1, "arith.subi": -1}


class StrideAnalysis:
    """Strides of values, each worked out once.

    known: by value.
    """

    def __init__(self) -> None:
        self.known: dict[ir.Value, Strides] = {}

    def strides(self, value: ir.Value) -> Strides:
        """The strides of a tensor of integers or pointers, in units of 1 or of elements."""
        pending = [value]
        while pending:
            last = pending[-1]
            if missing := [source for source in _sources(last) if source not in self.known]:
                pending += missing
                continue
            pending.pop()
            self.known[last] = self._of_sources(last)
        return self.known[value]

    def _of_sources(self, value: ir.Value) -> Strides:
        """The strides of a value whose sources are known."""
        found = [self.known[source] for source in _sources(value)]
        if isinstance(value.owner, ir.Block):
            return found[0] if found else (None,) * value.type.rank
        op = value.owner
        name, operands = op.name, list(op.operands)
        if name == "tt.make_range":
            return (1,)
        if name == "tt.splat" or _number(value) is not None:
            return (0,) * value.type.rank
        if name in _SAME:
            return found[0]
        if name == "tt.expand_dims":
            axis = int(ir.IntegerAttr(op.attributes["axis"]).value)
            return (*found[0][:axis], 0, *found[0][axis:])
        if name == "tt.broadcast":
            return tuple(0 if size == 1 else stride for size, stride in zip(operands[0].type.shape, found[0]))
        if name == "tt.trans":
            return tuple(found[0][dim] for dim in ir.DenseI32ArrayAttr(op.attributes["order"]))
        if name in _SUMS:
            left, right = found
            return _sum(left, right, _SUMS[name])
        factors = [_number(operand) for operand in operands] if name == "arith.muli" else []
        for factor, strides in zip(factors, reversed(found)):
            if factor is not None:
                return tuple(None if stride is None else stride * factor for stride in strides)
        return _of_any_function(found) if found else (None,) * value.type.rank


def _sources(value: ir.Value) -> list[ir.Value]:
    """The values that decide about the strides of a value; none if nothing is known of it, or all."""
    if isinstance(value.owner, ir.Block):
        start = _start_of(value)
        return [start] if start is not None else []
    op = value.owner
    if op.name in (*_SAME, *_RESHAPING):
        return [op.operands[0]]
    operands = list(op.operands)
    return operands if all(_is_like(operand, value) for operand in operands) else []


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
    return loop.opview.initArgs[argument.arg_number - 1]


def _sum(left: Strides, right: Strides, sign: int) -> Strides:
    return tuple(None if a is None or b is None else a + sign * b for a, b in zip(left, right))


def _of_any_function(operands: Sequence[Strides]) -> Strides:
    """The strides of an elementwise function, which repeats a value where all operands do."""
    return tuple(0 if all(stride == 0 for stride in of_dim) else None for of_dim in zip(*operands))
