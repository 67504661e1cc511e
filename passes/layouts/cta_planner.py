"""Propagating a change of layouts from an operation to its producers and users.

`change` gives an operation new layouts and puts casts around it.  Backward casts, before it, propagate the new layout
up to the definitions of the operands; forward casts, after it, propagate the layout down to the users.  `spread` moves
one cast after another past its neighbour, which gets the layout too.  A forward cast next to a backward one cancels
out; a conversion replaces them if their layouts differ.  A value with several users waits until all of them have a
cast; when no other cast can move, the layout of one user is imposed.
"""

from collections.abc import Sequence

from mlir import ir

from ttkit.dialects import builtin
from ttkit.layout.clusters import cga_layout, cta_splits
from ttkit.layout.encodings import Layout, Slice
from ttkit.operation_sets import CONVERT_LAYOUT, DESCRIPTOR_LOADS, DESCRIPTOR_STORES, FOR_AND_IF, POINTER_ACCESSES
from ttkit.passes.infra import collect, replace_by
from ttkit.passes.infra.effects import may_write
from ttkit.passes.infra.loops import (
    body_of,
    carried_argument,
    final_value,
    initial_value,
    result_of_yield,
    set_initial_value,
    set_yielded,
    yielded,
)
from ttkit.passes.infra.retyping import operation_names
from ttkit.passes.infra.transforms import replace_use, update_operands
from ttkit.passes.layout_propagation.layout_anchors import is_tensor
from ttkit.passes.layouts.assignment import convert_layout, tensor_layout, with_layout
from ttkit.passes.layouts.cta_divisions import with_cga_layout

CAST = "builtin.unrealized_conversion_cast"
ACCESSES = frozenset({*POINTER_ACCESSES, *DESCRIPTOR_LOADS, *DESCRIPTOR_STORES})
# Operations that allow any layout, if all of their tensors have it.
ELEMENTWISE_DIALECTS = frozenset({"arith", "math"})
ELEMENTWISE = frozenset(
    """
    tt.addptr tt.approx_divf tt.bitcast tt.fp_to_fp tt.int_to_ptr tt.precise_divf tt.precise_sqrt tt.ptr_to_int
    """.split()
)
# Operations whose result can have any layout, whatever layout their operands have.
SOURCES = frozenset({"tt.broadcast", "tt.make_range", "tt.splat"})
# Twice the steps that the kernels of test/data/ir need at most, without those whose casts move forever.
MIN_STEPS, STEPS_PER_OPERATION = 1000, 10
# Operands of an scf.for before the values that it carries.
LOOP_BOUNDS = 3


class CtaPlanner:
    """Changes the layouts of one function."""

    def __init__(self, function: ir.Operation) -> None:
        self.function = function
        # By the results of the casts: the hash of an operation changes with its operands.
        self._queue: dict[ir.Value, None] = {}  # casts to move, in order
        self._is_forward: dict[ir.Value, bool] = {}
        self._idle_steps = 0

    # --- Changing an operation ---------------------------------------------------------------------------------------
    def change(self, op: ir.Operation, operands: Sequence[Layout | None], results: Sequence[Layout | None]) -> None:
        """Gives the tensors among the operands and results of `op` these layouts; None leaves a value as it is."""

        def cast(operand: ir.Value, layout: Layout | None) -> ir.Value:
            """The operand in its new layout."""
            if layout is None or not is_tensor(operand):
                return operand
            return self._backward(operand, with_layout(operand.type, layout), ir.InsertionPoint(op), op.location)

        update_operands(op, (cast(operand, layout) for operand, layout in zip(list(op.operands), operands)))
        place = ir.InsertionPoint.after(op) if len(op.results) else None
        for result, layout in zip(op.results, results):
            if layout is not None and place is not None and is_tensor(result):
                self._retype(result, with_layout(result.type, layout), place, op.location)

    def change_all(self, op: ir.Operation, layout: Layout) -> None:
        """Gives a layout to all tensors of `op` of its rank."""

        def given(value: ir.Value) -> Layout | None:
            """The layout for tensors of its rank; None for other values."""
            return layout if is_tensor(value) and value.type.rank == layout.rank else None

        self.change(op, [given(value) for value in op.operands], [given(value) for value in op.results])

    def _cast(
        self, value: ir.Value, type: ir.Type, place: ir.InsertionPoint, location: ir.Location, is_forward: bool
    ) -> ir.Value:
        (cast,) = builtin.unrealized_conversion_cast([type], [value], loc=location, ip=place)
        self._queue[cast] = None
        self._is_forward[cast] = is_forward
        return cast

    def _backward(self, value: ir.Value, type: ir.Type, place: ir.InsertionPoint, location: ir.Location) -> ir.Value:
        """A cast to `type` that moves up."""
        return self._cast(value, type, place, location, is_forward=False)

    def _forward(self, value: ir.Value, type: ir.Type, place: ir.InsertionPoint, location: ir.Location) -> ir.Value:
        """A cast to `type` that moves down."""
        return self._cast(value, type, place, location, is_forward=True)

    def _is_cast(self, op: ir.Operation) -> bool:
        return op.name == CAST and any(result in self._is_forward for result in op.results)

    def _retype(self, value: ir.Value, type: ir.Type, place: ir.InsertionPoint, location: ir.Location) -> None:
        """Gives a value another type; a cast that moves down gives its users the old one."""
        old = self._forward(value, value.type, place, location)
        value.set_type(type)
        value.replace_all_uses_except(old, old.owner.operation)

    def _erase(self, *casts: ir.Operation) -> None:
        for cast in casts:
            self._queue.pop(cast.result, None)
            del self._is_forward[cast.result]
            cast.erase()

    # --- Propagation -------------------------------------------------------------------------------------------------
    def spread(self) -> None:
        """Moves casts until none is left; those left after a number of steps become conversions in place."""
        operations = len(collect(self.function, operation_names(self.function)))
        for _ in range(MIN_STEPS + STEPS_PER_OPERATION * operations):
            if not self._queue:
                break
            result = next(iter(self._queue))
            del self._queue[result]
            cast = result.owner.operation
            moved = self._move_down(cast) if self._is_forward[result] else self._move_up(cast)
            if moved:
                self._idle_steps = 0
            else:
                self._queue[result] = None
                self._idle_steps += 1
        for result in list(self._is_forward):
            self._convert(result.owner.operation)

    def _move_up(self, cast: ir.Operation) -> bool:
        """Moves a cast past the definition of its operand; whether anything changed."""
        (source,), type = cast.operands, cast.result.type
        if len(list(source.uses)) > 1:
            return self._join_users(source, cast)
        owner = source.owner
        if isinstance(owner, ir.Block):
            loop = owner.owner.operation
            if loop.name == "scf.for":
                self._change_loop(loop, source.arg_number - 1, type)
            else:
                self._convert(cast)
            return True
        op = owner.operation
        if self._is_cast(op):
            self._cancel(op, cast)
        elif op.name in FOR_AND_IF:
            self._change_result(source, type)
        elif op.name == CONVERT_LAYOUT:
            source.replace_all_uses_with(op.opview.src)
            op.erase()
            self._queue[cast.result] = None
        else:
            self._change_neighbour(op, tensor_layout(type))
        return True

    def _move_down(self, cast: ir.Operation) -> bool:
        """Moves a cast past its only user; whether anything changed."""
        (source,), result = cast.operands, cast.result
        uses = list(result.uses)
        if not uses:
            self._erase(cast)
            return True
        if len(uses) > 1:
            self._split_users(cast)
            return True
        op, number = uses[0].owner.operation, uses[0].operand_number
        if self._is_cast(op):
            self._cancel(cast, op)
        elif op.name == CONVERT_LAYOUT:
            result.set_type(op.result.type)
            replace_by(op, [result])
            self._queue[result] = None
        elif op.name == "scf.for":
            self._change_loop(op, number - LOOP_BOUNDS, source.type)
        elif op.name == "scf.yield" and op.parent.operation.name in FOR_AND_IF:
            self._change_result(result_of_yield(uses[0]), source.type)
        elif op.name in ACCESSES or is_elementwise(op):
            self._change_neighbour(op, tensor_layout(source.type))
        else:
            self._keep(op)
        return True

    def _change_neighbour(self, op: ir.Operation, layout: Layout) -> None:
        if op.name in ACCESSES:
            self._change_access(op, layout)
        elif op.name == "arith.constant":
            self._change_constant(op, layout)
        elif op.name == "tt.expand_dims":
            self.change(op, [Slice(op.attributes["axis"].value, layout)], [layout])
        elif op.name in SOURCES or is_elementwise(op):
            self.change_all(op, layout)
        else:
            self._keep(op)

    def _change_access(self, op: ir.Operation, layout: Layout) -> None:
        """Gives a memory access the CTAs of a layout; it keeps the rest of its own, which coalesces it."""
        own = [tensor_layout(value.type) for value in (*op.results, *op.operands) if is_tensor(value)]
        if isinstance(layout, Slice) and cta_splits(cga_layout(layout.parent), layout.parent.rank)[layout.dim] > 1:
            layout = own[0]  # CTAs would access the same elements: an exchange is cheaper
        bases = cga_layout(layout)

        def planned(value: ir.Value) -> Layout | None:
            """The tensor's own layout with the planned CTAs; None of values of another rank."""
            if not is_tensor(value) or value.type.rank != layout.rank:
                return None
            return with_cga_layout(tensor_layout(value.type), value.type.shape, bases, op)

        self.change(op, [planned(value) for value in op.operands], [planned(value) for value in op.results])

    def _change_constant(self, op: ir.Operation, layout: Layout) -> None:
        value = op.attributes["value"]
        type = with_layout(op.result.type, layout)
        if isinstance(value, ir.DenseElementsAttr) and value.is_splat:
            op.attributes["value"] = ir.DenseElementsAttr.get_splat(type, value.get_splat_value())
            self.change(op, [], [layout])
        else:
            self._keep(op)

    def _change_result(self, result: ir.Value, type: ir.Type) -> None:
        """Gives a result of an scf.if or scf.for another type, with all values that it may be."""
        op, index = result.owner.operation, ir.OpResult(result).result_number
        if op.name == "scf.for":
            self._change_loop(op, index, type)
            return
        self._retype(result, type, ir.InsertionPoint.after(op), op.location)
        for region in op.regions:
            self._change_yield(region.blocks[0], index, type, op.location)

    def _change_loop(self, loop: ir.Operation, index: int, type: ir.Type) -> None:
        """Gives a value that an scf.for carries another type, by its number."""
        body, location = body_of(loop), loop.location
        initial = self._backward(initial_value(loop, index), type, ir.InsertionPoint(loop), location)
        set_initial_value(loop, index, initial)
        self._retype(carried_argument(loop, index), type, ir.InsertionPoint.at_block_begin(body), location)
        self._change_yield(body, index, type, location)
        self._retype(final_value(loop, index), type, ir.InsertionPoint.after(loop), location)

    def _change_yield(self, block: ir.Block, index: int, type: ir.Type, location: ir.Location) -> None:
        place = ir.InsertionPoint.at_block_terminator(block)
        set_yielded(block, index, self._backward(yielded(block, index), type, place, location))

    def _keep(self, op: ir.Operation) -> None:
        """Keeps the layouts of an operation: casts to the same type stop the casts that arrive."""
        self.change(
            op,
            [tensor_layout(value.type) if is_tensor(value) else None for value in op.operands],
            [tensor_layout(value.type) if is_tensor(value) else None for value in op.results],
        )

    # --- Neighbouring casts ------------------------------------------------------------------------------------------
    def _cancel(self, first: ir.Operation, second: ir.Operation) -> None:
        """Removes two casts, one after the other; a conversion replaces them if the types differ."""
        (source,), result = first.operands, second.result
        if source.type == result.type:
            result.replace_all_uses_with(source)
        else:
            converted = convert_layout(source, result.type, ir.InsertionPoint(second), second.location)
            result.replace_all_uses_with(converted)
        self._erase(second, first)

    def _convert(self, cast: ir.Operation) -> None:
        """Replaces a cast by a conversion."""
        (source,), result = cast.operands, cast.result
        result.replace_all_uses_with(convert_layout(source, result.type, ir.InsertionPoint(cast), cast.location))
        self._erase(cast)

    def _join_users(self, value: ir.Value, cast: ir.Operation) -> bool:
        """Merges the casts of a value with several users into one for each type; whether anything changed."""
        wanted: dict[ir.Type, list[ir.Operation]] = {}
        for use in list(value.uses):
            user = use.owner.operation
            if self._is_cast(user):
                wanted.setdefault(user.result.type, []).append(user)
                continue
            if self._idle_steps <= len(self._queue):
                return False  # a cast may still arrive from there
            up = self._backward(value, cast.result.type, ir.InsertionPoint(user), value.location)
            replace_use(use, self._forward(up, value.type, ir.InsertionPoint(user), value.location))
            wanted.setdefault(up.type, []).append(up.owner.operation)
            break  # one at a time: the others follow when no cast can move again
        owner = value.owner
        for number, (type, casts) in enumerate(wanted.items()):
            if number and not can_be_repeated(owner):
                for other in casts:
                    self._convert(other)
                continue
            if isinstance(owner, ir.Block):
                source, place = value, ir.InsertionPoint.at_block_begin(owner)
            else:
                copy = owner.operation.clone(ip=ir.InsertionPoint.after(owner)) if number else owner.operation
                source = dict(zip(owner.operation.results, copy.results))[value]
                if value in self._is_forward:
                    self._is_forward[source] = self._is_forward[value]
                place = ir.InsertionPoint.after(copy)
            joined = self._backward(source, type, place, value.location)
            for other in casts:
                other.result.replace_all_uses_with(joined)
                self._erase(other)
        return True

    def _split_users(self, cast: ir.Operation) -> None:
        """Replaces a cast that moves down by one cast for each user."""
        (source,), result = cast.operands, cast.result
        place = ir.InsertionPoint.after(cast)
        for use in list(result.uses):
            own = self._forward(source, result.type, place, cast.location)
            replace_use(use, own)
        self._erase(cast)


def can_be_repeated(owner: ir.Operation | ir.Block) -> bool:
    """Whether a definition may run once for each layout that users want: an operation that computes or loads tensors.

    Not one that writes, such as an atomic operation, nor one with regions, whose casts would be repeated too.
    """
    return not isinstance(owner, ir.Block) and not len(owner.operation.regions) and not may_write(owner.operation)


def is_elementwise(op: ir.Operation) -> bool:
    """Whether each element of the results is computed from the same elements of the operands."""
    if op.name == "tt.extern_elementwise":
        return bool(op.attributes["pure"].value)
    return op.name in ELEMENTWISE or op.name.partition(".")[0] in ELEMENTWISE_DIALECTS
