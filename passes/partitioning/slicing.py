"""Computing values in slices, by copies of the operations, one for each task."""

from typing import Any

from mlir import ir

from ttkit.dialects import arith
from ttkit.dialects._tt_types import TensorDescType
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import address_of, has_uses
from ttkit.operation_sets import BLOCK_DESCRIPTOR_ACCESSES, CARRYING, FOR_AND_IF
from ttkit.passes.infra import clone_operations
from ttkit.passes.infra.loops import (
    body_of,
    carried_argument,
    carry_more,
    final_value,
    initial_value,
    yield_also,
    yielded,
)
from ttkit.passes.infra.nesting import point_after
from ttkit.passes.infra.operation_attributes import set_integer
from ttkit.passes.infra.transforms import update_operands
from ttkit.passes.partitioning.slice_dimensions import SliceDimensions, is_descriptor_argument, shape_of, sliced_shape
from ttkit.passes.partitioning.tasks import NotDivisible, TaskBuilder, Tasks, set_nested_tasks, set_tasks, tasks_of


class Slicer:
    """Adds one slice of each value that is cut to a function; the whole values stay.

    Args:
        cut: the values, each with its dimension.
        number: the number of the slice.
    """

    def __init__(self, cut: SliceDimensions, number: int) -> None:
        self.cut, self.number = cut, number
        self.slices: dict[ir.Value, ir.Value] = {}
        self._yields: list[tuple[ir.Operation, list[int]]] = []

    def cut_arguments(self, function: ir.Operation) -> None:
        """Cuts the descriptors that a function takes, which all slices share; the first slice gives them their type."""
        arguments = function.regions[0].blocks[0].arguments
        for argument in filter(is_descriptor_argument, arguments):
            if argument in self.cut.dimensions:
                if self.number == 0:
                    with function.location:
                        argument.set_type(self._slice_type(argument))
                self.slices[argument] = argument
        kind = function.opview.function_type
        made = ir.FunctionType.get([argument.type for argument in arguments], kind.results)
        function.attributes["function_type"] = ir.TypeAttr.get(made)

    def add_to(self, block: ir.Block) -> None:
        """Adds the slices of the values that operations of a block define, in order."""
        for op in [each.operation for each in block.operations]:
            if op.name == "scf.for":
                self._add_to_loop(op)
            elif op.name == "scf.if":
                for region in op.regions:
                    for inner in region.blocks:
                        self.add_to(inner)
            elif address_of(op) in self.cut.ops:
                with op.location:
                    self._slice(op)

    def _add_to_loop(self, loop: ir.Operation) -> None:
        was_cut = address_of(loop) in self.cut.ops
        numbers = [number for number, result in enumerate(loop.results) if result in self.cut.dimensions]
        if not was_cut or not numbers:
            self.add_to(body_of(loop))
            return
        dimensions = [self.cut.dimensions[result] for result in loop.results if result in self.cut.dimensions]
        initial = [self.slices[initial_value(loop, number)] for number in numbers]
        new, arguments = carry_more(loop, initial)
        self.cut.ops.add(address_of(new))
        first = len(new.results) - len(numbers)
        for number, argument, dimension, result in zip(numbers, arguments, dimensions, list(new.results)[first:]):
            self.slices[carried_argument(new, number)] = argument
            self.slices[final_value(new, number)] = result
            self.cut.dimensions[final_value(new, number)] = dimension
        self.add_to(body_of(new))
        yield_also(new, [self.slices[yielded(body_of(new), number)] for number in numbers])

    def _tasks(self, op: ir.Operation) -> Tasks:
        """The tasks of this slice: one consumer task, and the task that loads if `op` belongs to it."""
        tasks = tasks_of(op)
        if len(tasks) == self.cut.count:
            return (tasks[self.number],)
        if len(tasks) < 2:
            return tasks
        if len(tasks) != self.cut.count + 1:
            raise NotDivisible(op, f"it belongs to {len(tasks)} tasks, but is cut into {self.cut.count} slices")
        return (tasks[0], tasks[self.number + 1])

    def _slice(self, op: ir.Operation) -> None:
        tasks = self._tasks(op)
        if op.name == "arith.constant":
            self._slice_constant(op)
            return
        indices = self._indices(op, tasks) if op.name in BLOCK_DESCRIPTOR_ACCESSES else None
        (copy,) = clone_operations([op], (), ir.InsertionPoint(op))
        numbers = self.cut.cut_operands(op)
        update_operands(copy, [self.slices[v] if n in numbers else v for n, v in enumerate(op.operands)])
        set_nested_tasks(copy, tasks)
        if indices is not None:
            update_operands(copy, [*list(copy.operands)[: -len(indices)], *indices])
        if op.name == "tt.make_range":
            self._shift_range(copy)
        for result, part in zip(op.results, copy.results):
            if result in self.cut.dimensions:
                part.set_type(self._slice_type(result))
                self.slices[result] = part

    def _slice_type(self, value: ir.Value) -> ir.Type:
        """The type of a slice."""
        type: Any = value.type
        shape = sliced_shape(shape_of(type), self.cut.dimensions[value], self.cut.count)
        if isinstance(type, TensorDescType):
            block = type.block_type
            sliced = ir.RankedTensorType.get(shape, block.element_type, block.encoding)
            return TensorDescType.get(sliced, type.is_im2col)
        if isinstance(type, MemDescType):
            return MemDescType.get(shape, type.element_type, type.encoding, type.memory_space, type.mutable)
        return ir.RankedTensorType.get(shape, type.element_type, type.encoding)

    def _slice_constant(self, op: ir.Operation) -> None:
        (whole,) = op.results
        splat = ir.DenseElementsAttr(op.attributes["value"])
        type = self._slice_type(whole)
        value = ir.DenseElementsAttr.get_splat(type, splat.get_splat_value())
        with ir.InsertionPoint(op):
            part = ir.Operation.create("arith.constant", [type], attributes={"value": value})
        set_tasks(part, tasks_of(op))  # all of them: CSE merges equal slices
        self.slices[whole] = part.result

    def _shift_range(self, op: ir.Operation) -> None:
        start, end = (op.attributes[name].value for name in ("start", "end"))
        length = (end - start) // self.cut.count
        set_integer(op, "start", start + self.number * length)
        set_integer(op, "end", start + (self.number + 1) * length)

    def _indices(self, op: ir.Operation, tasks: Tasks) -> list[ir.Value] | None:
        """The indices of this slice of a block that is loaded or stored by TMA; None if they are those of the block."""
        block = op.opview.src if op.name == "tt.descriptor_store" else op.result
        dimension = self.cut.dimensions[block]
        if self.number == 0:
            return None
        indices = list(op.opview.indices)
        whole = indices[dimension]
        build = TaskBuilder(point_after(whole), op.location, tasks)
        offset = self.number * (shape_of(block.type)[dimension] // self.cut.count)
        indices[dimension] = build(arith.addi, whole, build(arith.constant, whole.type, offset))
        return indices


def erase_unused(block: ir.Block, cut: SliceDimensions) -> bool:
    """Erases operations that are computed in slices now and have unused results; whether there were any."""
    erased = False
    for op in reversed([each.operation for each in block.operations]):
        for region in op.regions if op.name in FOR_AND_IF else ():
            for inner in region.blocks:
                erased |= erase_unused(inner, cut)
        is_cut = address_of(op) in cut.ops and op.name not in CARRYING
        if is_cut and not any(map(has_uses, op.results)):
            cut.ops.discard(address_of(op))
            op.erase()
            erased = True
    return erased
