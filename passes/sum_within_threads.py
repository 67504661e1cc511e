"""Sum rows within threads in loops that scale the sums; threads exchange their sums once, after the loop.

    %r = scf.for ... iter_args(%sums = %zeros) {           %r = scf.for ... iter_args(%parts = %zeros) {
      %old = arith.mulf %sums, %factors                      %old = arith.mulf %parts, %factors      // broadcast
      %new = "tt.reduce"(%p) {axis = 1}                      %q = the columns of a thread next to each other
      %s = arith.addf %old, %new                     =>      %new = "tt.reduce"(%q) {axis = 2}
      scf.yield %s                                           %s = arith.addf %old, %new
    }                                                        scf.yield %s
                                                           }
                                                           %sums = "tt.reduce"(%r) {axis = 1}

Attention accumulates its softmax numerators in this way, and scales the total when a row's maximum grows.  With the
pass an iteration needs no shuffles for the sum, for which the second wgmma would wait.  The order of additions changes,
as in the pass tritongpu-optimize-thread-locality, which does the same for sums that are not scaled.

Input:  ttg.      Output: ttg; views that move nothing between threads.
Order:  late, after layouts are chosen and loops are pipelined.
Skips:  sums that do not start at zero, or have other uses in the loop; rows within one thread; loops of specialized
        warps, which gain nothing.
Test:   test/lit/passes/sum_within_threads.mlir
"""

from itertools import groupby
from math import prod
from typing import NamedTuple

from mlir import ir

from ttkit.dialects import tt, ttg
from ttkit.dialects._layouts import attribute
from ttkit.inspection import collect, enclosing, only_user, terminator
from ttkit.layout import inference, to_linear_layout
from ttkit.operation_sets import PARTITIONS
from ttkit.passes.divide_large_products import reshaped
from ttkit.passes.infra import Pass, replace_by
from ttkit.passes.infra.constants import constant_splat
from ttkit.passes.infra.loops import body_of, carried_argument, final_value
from ttkit.passes.infra.transforms import recreate, set_operands
from ttkit.passes.layouts.assignment import tensor_layout
from ttkit.passes.layouts.partial_reduction import combining_op, neutral_constant


class SumWithinThreads(Pass):
    """Sum rows within threads in loops that scale the sums"""

    name = "ttkit-sum-within-threads"
    dependent_dialects = ("arith", "tt", "ttg")
    may_change = "the order in which sums add up elements"

    def run(self, op: ir.Operation) -> None:
        """Changes each sum that a loop scales."""
        for reduce in collect(op, ["tt.reduce"]):
            found = scaled_sum(reduce)
            if found is not None and enclosing(reduce, PARTITIONS) is None:
                sum_within_threads(*found)


class ScaledSum(NamedTuple):
    """A sum that a loop carries and scales: `update` adds to what `scale` makes of it what `reduce` does.

    Attributes:
        number: of the sum among the values that the loop carries.
        groups: sizes of groups of neighbouring bits of a column's number, the highest first, and which a thread has.
    """

    reduce: ir.Operation
    scale: ir.Operation
    update: ir.Operation
    number: int
    groups: list[tuple[bool, int]]


def scaled_sum(reduce: ir.Operation) -> ScaledSum | None:
    """The sum that a reduction is part of, if each iteration scales it and threads share its rows; else None."""
    loop, update = reduce.block.owner.operation, only_user(reduce.opview.result[0])
    if loop.name != "scf.for" or combining_op(reduce) != "arith.addf" or update is None or update.name != "arith.addf":
        return None
    uses = list(update.result.uses)
    if update.block != reduce.block or len(uses) != 1 or uses[0].owner.operation != terminator(reduce.block).operation:
        return None
    number = uses[0].operand_number
    carried = carried_argument(loop, number)
    scale = only_user(carried)
    if scale is None or scale.name != "arith.mulf" or only_user(scale.result) != update:
        return None
    groups = groups_of_columns(reduce)
    starts_at_zero = constant_splat(loop.opview.initArgs[number]) == 0
    return ScaledSum(reduce, scale, update, number, groups) if groups and starts_at_zero else None


def groups_of_columns(reduce: ir.Operation) -> list[tuple[bool, int]]:
    """`ScaledSum.groups` of the rows that are added up; empty if no threads share any, or elements have no rows."""
    type = reduce.opview.srcs[0].type
    if type.rank != 2 or reduce.attributes["axis"].value != 1:
        return []
    bases = to_linear_layout(tuple(type.shape), tensor_layout(type)).bases("register")
    steps = {column for _, column in bases if column}
    if any((row and column) or column.bit_count() > 1 for row, column in bases) or not steps:
        return []
    bits = [type.shape[1] >> bit + 1 for bit in range(type.shape[1].bit_length() - 1)]
    groups = [(mine, prod(2 for _ in group)) for mine, group in groupby(bits, steps.__contains__)]
    return groups if len(steps) < len(bits) else []


def sum_within_threads(
    reduce: ir.Operation, scale: ir.Operation, update: ir.Operation, number: int, groups: list[tuple[bool, int]]
) -> None:
    """Makes the loop carry the sums of threads in place of those of rows."""
    loop = reduce.block.owner.operation
    carried = carried_argument(loop, number)
    with reduce.location, ir.InsertionPoint(reduce):
        apart = columns_apart(reduce.opview.srcs[0], groups)
    own = reduce.clone(ip=ir.InsertionPoint(reduce))
    set_operands(own, [apart])
    own.attributes["axis"] = ir.IntegerAttr.get(reduce.attributes["axis"].type, 2)
    parts = reduced_type(apart.type, reduce)
    rows = reduced_type(parts, reduce)
    factor = "rhs" if scale.opview.lhs == carried else "lhs"
    with scale.location, ir.InsertionPoint(scale):
        factors = tt.expand_dims(ttg.convert_layout(getattr(scale.opview, factor), rows), 1)
        setattr(scale.opview, factor, tt.broadcast(factors, parts))
    update.operation.replace_uses_of_with(reduce.result, own.operation.result)
    for value in (carried, own.operation.result, scale.result, update.result):
        value.set_type(parts)
    finish(loop, number, reduce, rows)


def columns_apart(value: ir.Value, groups: list[tuple[bool, int]]) -> ir.Value:
    """The same rows with three dimensions: the last one has the columns of a thread, the one before the threads."""
    rows, columns = value.type.shape
    split = reshaped(value, [rows, *(size for _, size in groups)])
    mine = [dim for dim, (is_mine, _) in enumerate(groups, 1) if is_mine]
    others = [dim for dim, (is_mine, _) in enumerate(groups, 1) if not is_mine]
    count = prod(size for is_mine, size in groups if is_mine)
    return reshaped(tt.trans(split, [0, *others, *mine]), [rows, columns // count, count])


def reduced_type(type: ir.RankedTensorType, reduce: ir.Operation) -> ir.RankedTensorType:
    """The type of the result of a reduction along the last dimension."""
    layout = attribute(inference.reduce(tensor_layout(type), type.rank - 1))
    return ir.RankedTensorType.get(type.shape[:-1], type.element_type, layout, loc=reduce.location)


def finish(loop: ir.Operation, number: int, reduce: ir.Operation, rows: ir.Type) -> None:
    """Changes the result of a loop to the sums of threads; moves `reduce` after the loop, to sum these."""
    parts = carried_argument(loop, number).type
    types, operands = [result.type for result in loop.results], list(loop.operands)
    types[number], operands[number + 3] = parts, neutral_constant(operands[number + 3], parts, "arith.addf")
    new = recreate(loop, types, operands)
    body_of(loop).append_to(new.regions[0])
    reduce.move_after(new)
    results = list(new.results)
    set_operands(reduce, [results[number]])
    with reduce.location, ir.InsertionPoint.after(reduce):
        results[number] = ttg.convert_layout(reduce.result, final_value(loop, number).type)
    reduce.result.set_type(rows)
    replace_by(loop, results)
