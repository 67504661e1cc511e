"""Reductions accumulated by a loop: within each thread in the loop, across threads once after it."""

from typing import NamedTuple

from mlir import ir

from ttkit.dialects import arith, scf, tt
from ttkit.dialects._layouts import layout_of
from ttkit.inspection import only_user, terminator
from ttkit.layout import to_linear_layout
from ttkit.layout.distribution import steps
from ttkit.layout.encodings import Blocked, Slice
from ttkit.passes.infra.loops import carry_more, final_value
from ttkit.passes.infra.rewriting import defining_name
from ttkit.passes.infra.transforms import replace_use, set_operands
from ttkit.passes.layouts.assignment import convert_layout, tensor_layout, with_layout

# The operations that may combine elements, and their neutral elements.
NEUTRAL = {
    "arith.addf": 0.0,
    "arith.mulf": 1.0,
    "arith.maximumf": float("-inf"),
    "arith.maxnumf": float("-inf"),
    "arith.minimumf": float("inf"),
    "arith.minnumf": float("inf"),
}


class RunningReduction(NamedTuple):
    """`update` combines a carried value with the result of `reduce`, and is the next value that the loop carries.

    Attributes:
        reduce: reduces a loaded tensor.
        number: of the value among those that the loop carries.
        per_thread: elements along the axis in one thread.
    """

    reduce: ir.Operation
    update: ir.Operation
    number: int
    per_thread: int


def find_running_reduction(reduce: ir.Operation) -> RunningReduction | None:
    """The running reduction that `reduce` belongs to; None without one, or if each thread has only one element."""
    kind = combining_op(reduce)
    if kind not in NEUTRAL or defining_name(reduce.opview.srcs[0]) != "tt.load":
        return None
    per_thread = elements_along_axis(reduce)
    if per_thread < 2:
        return None
    update = only_user(reduce.result)
    # The update combines as the reduction does, or partial results could not be combined later.
    if update is None or update.name != kind:
        return None
    loop = reduce.block.owner.operation
    uses = list(update.result.uses)
    if loop.name != "scf.for" or update.block != reduce.block or len(uses) != 1:
        return None
    if uses[0].owner.operation != terminator(reduce.block).operation:
        return None
    number = uses[0].operand_number
    carried = reduce.block.arguments[number + 1]
    # Other users would see only a part of the running result.
    if carried not in list(update.operands) or only_user(carried) is None:
        return None
    initial = loop.opview.initArgs[number].owner
    if isinstance(initial, ir.Block) or initial.operation.name != "arith.constant":
        return None
    return RunningReduction(reduce, update, number, per_thread)


def combining_op(reduce: ir.Operation) -> str | None:
    """The name of the only operation that combines elements; None if there are several, or several operands."""
    body = list(reduce.regions[0].blocks[0].operations)
    return body[0].operation.name if len(body) == 2 and len(reduce.operands) == 1 else None


def elements_along_axis(reduce: ir.Operation) -> int:
    """Elements along the axis in one thread; 0 unless it is the last axis of a blocked tensor of rank 2 or more."""
    type, axis = reduce.opview.srcs[0].type, reduce.attributes["axis"].value
    layout = layout_of(type)
    if not isinstance(layout, Blocked) or type.rank < 2 or axis != type.rank - 1:
        return 0
    count = steps(to_linear_layout(type.shape, layout), "register", copies=True)[axis]
    return count if type.shape[axis] % count == 0 else 0


def reduce_after_loop(running: RunningReduction) -> None:
    """Reduces the elements of each thread in the loop, and across threads after it."""
    reduce, update, number, _ = running
    loop = reduce.block.owner.operation
    initial = loop.opview.initArgs[number]
    split, partial = partial_types(running)
    neutral = neutral_constant(initial, partial, update.name)
    loop, (argument,) = carry_more(loop, [neutral])

    reduced = reduce_within_threads(reduce, split)
    combined = update.clone(ip=ir.InsertionPoint.after(reduced.owner))
    combined.lhs, combined.rhs = argument, reduced
    combined.result.set_type(partial)
    yielded = terminator(reduce.block).operation
    values = list(yielded.operands)
    values[number] = reduce.block.arguments[number + 1]
    scf.yield_([*values, combined.result], loc=yielded.location, ip=ir.InsertionPoint(yielded))
    yielded.erase()

    result, (*_, partial_result) = final_value(loop, number), loop.results
    uses = list(result.uses)
    total = reduce.clone(ip=ir.InsertionPoint.after(loop)).operation
    set_operands(total, [partial_result])
    axis = reduce.attributes["axis"].value
    total.result.set_type(with_layout(reduce.result.type, Slice(axis, tensor_layout(partial))))
    converted = convert_layout(total.result, result.type, ir.InsertionPoint.after(total), reduce.location)
    final = update.clone(ip=ir.InsertionPoint.after(converted.owner))
    final.lhs, final.rhs = initial, converted
    for use in uses:
        replace_use(use, final.result)


def partial_types(running: RunningReduction) -> tuple[ir.Type, ir.Type]:
    """The type of the loaded tensor with the elements of one thread in a dimension of their own, and that reduced."""
    type = running.reduce.opview.srcs[0].type
    layout, rank, count = tensor_layout(type), type.rank, running.per_thread
    assert isinstance(layout, Blocked)
    shape = [*type.shape[:-1], type.shape[-1] // count, count]
    parent = Blocked(
        (*layout.size_per_thread[:-1], 1, layout.size_per_thread[-1]),
        (*layout.threads_per_warp, 1),
        (*layout.warps_per_cta, 1),
        (rank, *layout.order),
        tuple((*basis, 0) for basis in layout.cga_layout),
    )
    bare = ir.RankedTensorType.get(shape, type.element_type, loc=running.reduce.location)
    bare_partial = ir.RankedTensorType.get(shape[:-1], type.element_type, loc=running.reduce.location)
    return with_layout(bare, parent), with_layout(bare_partial, Slice(rank, parent))


def neutral_constant(initial: ir.Value, type: ir.Type, name: str) -> ir.Value:
    """Initial value of the partial reduction: a tensor of the neutral element of `name`, right after `initial`."""
    with initial.location, ir.InsertionPoint.after(initial.owner):
        return arith.constant(type, NEUTRAL[name])


def reduce_within_threads(reduce: ir.Operation, split: ir.Type) -> ir.Value:
    """The reduction of the elements of each thread, right after `reduce`."""
    with reduce.location, ir.InsertionPoint.after(reduce):
        apart = tt.reshape(reduce.opview.srcs[0], split, allow_reorder=True, efficient_layout=True)
    reduced = reduce.clone(ip=ir.InsertionPoint.after(apart.owner)).operation
    set_operands(reduced, [apart])
    axis = split.rank - 1
    reduced.attributes["axis"] = ir.IntegerAttr.get(reduce.attributes["axis"].type, axis)
    bare = ir.RankedTensorType.get(split.shape[:-1], split.element_type, loc=reduce.location)
    reduced.result.set_type(with_layout(bare, Slice(axis, tensor_layout(split))))
    return reduced.result
