"""Spreading a change of layouts from an operation to those that feed it and those that it feeds.

`change` gives an operation new layouts and puts casts around it: backward ones in front, which carry the new layout up
to the operations that make the operands, and forward ones behind, which carry it down to the users.  `spread` moves one
cast after another past its neighbour, which gets the layout too.  Where a forward cast meets a backward one both go; a
conversion takes their place unless they agree.  A value with several users waits until casts come from all of them;
when nothing else moves any more, the layout of one is imposed.
"""

from collections.abc import Sequence

from mlir import ir

from ttkit.dialects import builtin
from ttkit.inspection import terminator
from ttkit.layout.blocked import blocked_in_ctas
from ttkit.layout.clusters import cga_layout, cta_splits
from ttkit.layout.encodings import Bases, Blocked, Layout, Slice
from ttkit.operation_sets import CONVERT_LAYOUT, DESCRIPTOR_LOADS, DESCRIPTOR_STORES, POINTER_ACCESSES
from ttkit.passes.infra import PassError, collect, replace_by
from ttkit.passes.infra.retyping import operation_names
from ttkit.passes.layout_propagation.operations import is_tensor
from ttkit.passes.layouts.assignment import convert_layout, tensor_layout, with_layout
from ttkit.passes.layouts.machine import num_warps, threads_per_warp

CAST = "builtin.unrealized_conversion_cast"
ACCESSES = frozenset({*POINTER_ACCESSES, *DESCRIPTOR_LOADS, *DESCRIPTOR_STORES})
# Any layout suits them, if all of their tensors have it.
ELEMENTWISE_DIALECTS = frozenset({"arith", "math"})
ELEMENTWISE = frozenset(
    """
    tt.addptr tt.approx_divf tt.bitcast tt.fp_to_fp tt.int_to_ptr tt.precise_divf tt.precise_sqrt tt.ptr_to_int
    """.split()
)
# Their result can have any layout; what feeds them need not share it.
SOURCES = frozenset({"tt.broadcast", "tt.make_range", "tt.splat"})
# Twice what the kernels of test/data/ir need whose layouts agree in the end.
MIN_STEPS, STEPS_PER_OPERATION = 1000, 10
# The operands of an scf.for in front of the values that it carries.
LOOP_BOUNDS = 3


def with_cga_layout(layout: Layout, shape: Sequence[int], bases: Bases, op: ir.Operation) -> Layout:
    """The layout for CTAs that lie as `bases` say, the same within each CTA.

    Raises:
        PassError: the layout is of a kind that only later passes make.
    """
    if isinstance(layout, Slice):
        dim = layout.dim
        outer = [*shape[:dim], 1, *shape[dim:]]
        wider = tuple((*basis[:dim], 0, *basis[dim:]) for basis in bases)
        return Slice(dim, with_cga_layout(layout.parent, outer, wider, op))
    if not isinstance(layout, Blocked):
        raise PassError(op, f"can't plan the CTAs of layout {layout}; run this pass right after coalesce")
    return blocked_in_ctas(shape, layout.size_per_thread, layout.order, num_warps(op), threads_per_warp(op), bases)


class CtaPlanner:
    """Changes the layouts of one function."""

    def __init__(self, function: ir.Operation) -> None:
        self.function = function
        # By the results of the casts: operations hash by what they hold, which changes.
        self._queue: dict[ir.Value, None] = {}  # casts to move, in order
        self._is_forward: dict[ir.Value, bool] = {}
        self._idle_steps = 0

    # --- Changing an operation ---------------------------------------------------------------------------------------
    def change(self, op: ir.Operation, operands: Sequence[Layout | None], results: Sequence[Layout | None]) -> None:
        """Gives the tensors among the operands and results of `op` these layouts."""
        for i, layout in enumerate(operands):
            operand = op.operands[i]
            if layout is not None and is_tensor(operand):
                op.operands[i] = self._backward(
                    operand, with_layout(operand.type, layout), ir.InsertionPoint(op), op.location
                )
        place = ir.InsertionPoint.after(op) if len(op.results) else None
        for result, layout in zip(op.results, results):
            if layout is not None and place is not None and is_tensor(result):
                self._retype(result, with_layout(result.type, layout), place, op.location)

    def change_all(self, op: ir.Operation, layout: Layout) -> None:
        """Gives all tensors of `op` that have the rank of a layout that layout."""

        def given(value: ir.Value) -> Layout | None:
            """The layout, of tensors of its rank; None of others."""
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
        return op.name == CAST and op.results[0] in self._is_forward

    def _retype(self, value: ir.Value, type: ir.Type, place: ir.InsertionPoint, location: ir.Location) -> None:
        """Gives a value another type, which its users see the old one of by a cast that moves down."""
        old = self._forward(value, value.type, place, location)
        value.set_type(type)
        value.replace_all_uses_except(old, old.owner.operation)

    def _erase(self, *casts: ir.Operation) -> None:
        for cast in casts:
            self._queue.pop(cast.result, None)
            del self._is_forward[cast.result]
            cast.erase()

    # --- Spreading ---------------------------------------------------------------------------------------------------
    def spread(self) -> None:
        """Moves casts until none is left; those that never come to rest become conversions where they are."""
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
        """Past what makes the operand; whether anything changed."""
        source, type = cast.operands[0], cast.result.type
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
        elif op.name in ("scf.if", "scf.for"):
            index = list(op.results).index(source)
            change = self._change_if if op.name == "scf.if" else self._change_loop
            change(op, index, type)
        elif op.name == CONVERT_LAYOUT:
            source.replace_all_uses_with(op.opview.src)
            op.erase()
            self._queue[cast.result] = None
        else:
            self._change_neighbour(op, tensor_layout(type))
        return True

    def _move_down(self, cast: ir.Operation) -> bool:
        """Past the only user; whether anything changed."""
        source, result = cast.operands[0], cast.result
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
        elif op.name == "scf.yield" and op.parent.operation.name in ("scf.if", "scf.for"):
            parent = op.parent.operation
            change = self._change_if if parent.name == "scf.if" else self._change_loop
            change(parent, number, source.type)
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
        """Gives a memory access the CTAs of a layout; the rest of its own layout is what coalesces it."""
        own = [tensor_layout(value.type) for value in (*op.results, *op.operands) if is_tensor(value)]
        if isinstance(layout, Slice) and cta_splits(cga_layout(layout.parent), layout.parent.rank)[layout.dim] > 1:
            layout = own[0]  # CTAs would access the same elements: better to exchange them
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

    def _change_if(self, op: ir.Operation, index: int, type: ir.Type) -> None:
        self._retype(op.results[index], type, ir.InsertionPoint.after(op), op.location)
        for region in op.regions:
            self._change_yield(region.blocks[0], index, type, op.location)

    def _change_loop(self, op: ir.Operation, index: int, type: ir.Type) -> None:
        operand = op.operands[LOOP_BOUNDS + index]
        op.operands[LOOP_BOUNDS + index] = self._backward(operand, type, ir.InsertionPoint(op), op.location)
        body = op.regions[0].blocks[0]
        self._retype(body.arguments[1 + index], type, ir.InsertionPoint.at_block_begin(body), op.location)
        self._change_yield(body, index, type, op.location)
        self._retype(op.results[index], type, ir.InsertionPoint.after(op), op.location)

    def _change_yield(self, block: ir.Block, index: int, type: ir.Type, location: ir.Location) -> None:
        op = terminator(block).operation
        op.operands[index] = self._backward(op.operands[index], type, ir.InsertionPoint(op), location)

    def _keep(self, op: ir.Operation) -> None:
        """Leaves the layouts of an operation as they are: casts to the same type stop those that come."""
        self.change(
            op,
            [tensor_layout(value.type) if is_tensor(value) else None for value in op.operands],
            [tensor_layout(value.type) if is_tensor(value) else None for value in op.results],
        )

    # --- Where casts meet --------------------------------------------------------------------------------------------
    def _cancel(self, first: ir.Operation, second: ir.Operation) -> None:
        """Two casts, one behind the other."""
        source, result = first.operands[0], second.result
        if source.type == result.type:
            result.replace_all_uses_with(source)
        else:
            converted = convert_layout(source, result.type, ir.InsertionPoint(second), second.location)
            result.replace_all_uses_with(converted)
        self._erase(second, first)

    def _convert(self, cast: ir.Operation) -> None:
        """A conversion in place of a cast."""
        result = cast.result
        result.replace_all_uses_with(
            convert_layout(cast.operands[0], result.type, ir.InsertionPoint(cast), cast.location)
        )
        self._erase(cast)

    def _join_users(self, value: ir.Value, cast: ir.Operation) -> bool:
        """Several users of `value`, one of them a cast that moves up: one cast for all that want the same type."""
        wanted: dict[ir.Type, list[ir.Operation]] = {}
        for use in list(value.uses):
            user, number = use.owner.operation, use.operand_number
            if self._is_cast(user):
                wanted.setdefault(user.result.type, []).append(user)
                continue
            if self._idle_steps <= len(self._queue):
                return False  # a cast may still come from there
            up = self._backward(value, cast.result.type, ir.InsertionPoint(user), value.location)
            user.operands[number] = self._forward(up, value.type, ir.InsertionPoint(user), value.location)
            wanted.setdefault(up.type, []).append(up.owner.operation)
            break  # one at a time: others follow the next time that nothing moves
        owner = value.owner
        for number, (type, casts) in enumerate(wanted.items()):
            if isinstance(owner, ir.Block):
                if number:
                    for other in casts:
                        self._convert(other)
                    continue
                source, place = value, ir.InsertionPoint.at_block_begin(owner)
            else:
                copy = owner.operation.clone(ip=ir.InsertionPoint.after(owner)) if number else owner.operation
                source = copy.results[list(owner.operation.results).index(value)]
                if value in self._is_forward:
                    self._is_forward[source] = self._is_forward[value]
                place = ir.InsertionPoint.after(copy)
            joined = self._backward(source, type, place, value.location)
            for other in casts:
                other.result.replace_all_uses_with(joined)
                self._erase(other)
        return True

    def _split_users(self, cast: ir.Operation) -> None:
        """A cast that moves down, with several users: one for each."""
        source, result = cast.operands[0], cast.result
        place = ir.InsertionPoint.after(cast)
        for use in list(result.uses):
            own = self._forward(source, result.type, place, cast.location)
            use.owner.operation.operands[use.operand_number] = own
        self._erase(cast)


def is_elementwise(op: ir.Operation) -> bool:
    """Whether each element of the results is computed from the same elements of the operands."""
    if op.name == "tt.extern_elementwise":
        return bool(op.attributes["pure"].value)
    return op.name in ELEMENTWISE or op.name.partition(".")[0] in ELEMENTWISE_DIALECTS
