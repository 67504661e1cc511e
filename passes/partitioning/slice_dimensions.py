"""The values of a function to cut into slices, each along one dimension, so that each task computes one slice.

The cut starts at the result of a wgmma that belongs to several tasks.  It propagates up to operations that can produce
a slice directly (constants, ranges, loads), and down to stores.  A dimension of one element is not cut, nor is a
dimension that a wgmma or a reduction sums over.  A descriptor that is an argument is cut if all of its users are: the
launcher makes its tensor map for the smaller blocks then.
"""

from collections.abc import Iterator
from typing import Any

from mlir import ir

from ttkit.dialects._layouts import layout_of
from ttkit.dialects._tt_types import TensorDescType
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import address_of, collect, defining
from ttkit.layout.clusters import shape_per_cta
from ttkit.layout.encodings import NvidiaMma, NvmmaShared
from ttkit.layout.hardware import WGMMA_ROWS
from ttkit.layout.shared_to_linear import tma_block_shape
from ttkit.operation_sets import (
    BLOCK_DESCRIPTOR_ACCESSES,
    BLOCK_LOADS,
    CARRYING,
    CONVERT_LAYOUT,
    TRANSPOSITIONS,
    UNSCALED_DOTS,
    WGMMA,
)
from ttkit.passes.infra.layout_inference import has_trait
from ttkit.passes.infra.loops import carried_argument, final_value
from ttkit.passes.infra.nesting import holder_of
from ttkit.passes.layouts.assignment import tensor_layout
from ttkit.passes.partitioning.tasks import NotDivisible, incoming, tasks_of

# The fewest columns that are worth a warp group of their own.
MIN_COLUMNS = 128

# Operations that produce a slice directly.
SOURCES = frozenset({"arith.constant", "tt.make_range", "tt.make_tensor_descriptor"})
# Operations, besides elementwise ones, whose element i of the result comes from element i of the operands.
ALIGNED = frozenset(
    {"tt.broadcast", "tt.splat", CONVERT_LAYOUT, "ttg.local_alloc", *BLOCK_LOADS, "tt.addptr"}
    | {"tt.fp_to_fp", "tt.store", "tt.descriptor_store", "ttg.local_load"}
)
# tt.dot where it is asked whether a function can be cut before it has layouts.
# Numbers of operands: the bounds of an scf.for come before the values it carries, a and b of a wgmma before c.
LOOP_BOUNDS, ACCUMULATOR = 3, 2


def is_descriptor_argument(value: ir.Value) -> bool:
    """Whether a value is a tensor descriptor that a function takes."""
    return isinstance(value.type, TensorDescType) and defining(value) is None and holder_of(value).name == "tt.func"


def shape_of(type: ir.Type) -> list[int]:
    """The shape of a tensor, a buffer, or the blocks of a descriptor; empty for other types."""
    if isinstance(type, TensorDescType):
        return list(type.block_type.shape)
    return list(type.shape) if isinstance(type, (ir.RankedTensorType, MemDescType)) else []


def sliced_shape(shape: list[int], dimension: int, count: int) -> list[int]:
    """The shape of one of `count` slices."""
    return [size // count if number == dimension else size for number, size in enumerate(shape)]


def leading_dimensions(op: ir.Operation, value: ir.Value) -> int:
    """The number of dimensions of one element in front of those of the tensor that an operation loads or stores.

    Args:
        value: an operand of the operation.  Tensors have none.
    """
    if not isinstance(value.type, TensorDescType) or op.name not in BLOCK_DESCRIPTOR_ACCESSES:
        return 0
    return len(shape_of(value.type)) - len(shape_of(stored_or_loaded(op).type))


def stored_or_loaded(op: ir.Operation) -> ir.Value:
    """The tensor that is a block of a descriptor."""
    value: ir.Value = op.opview.src if op.name == "tt.descriptor_store" else op.result
    return value


def is_as_wide_as_swizzling(type: ir.Type, shape: list[int]) -> bool:
    """Whether a block of this shape can have the layout of a buffer or of a descriptor's blocks."""
    layout = layout_of(type)
    return not isinstance(layout, NvmmaShared) or tma_block_shape(layout, tuple(shape)) is not None


class SliceDimensions:
    """The values of a function that are cut.

    Args:
        count: the number of slices of each value.

    Attributes:
        dimensions: value -> the dimension along which it is cut.
        ops: addresses of the operations that are computed in slices, including those without results.
        along: the same addresses -> the dimension along which results are cut; of operations without any, operands.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self.dimensions: dict[ir.Value, int] = {}
        self.ops: set[int] = set()
        self.along: dict[int, int] = {}
        self._spread: set[ir.Value] = set()
        self._waiting: list[ir.Value] = []

    def copy(self) -> "SliceDimensions":
        """A copy, to extend independently."""
        made = SliceDimensions(self.count)
        made.dimensions, made.ops, made._spread = dict(self.dimensions), set(self.ops), set(self._spread)
        made.along = dict(self.along)
        return made

    def cut_dot(self, dot: ir.Operation, dimension: int) -> None:
        """Cuts the result of a wgmma, and all values that depend on it or that its slices need.

        Raises:
            NotDivisible: one of them can't be cut.
        """
        (result,) = dot.results
        self.need(result, dimension, dot)
        self._waiting.append(result)
        while self._waiting:
            value = self._waiting.pop()
            if value not in self._spread:
                self._spread.add(value)
                for use in value.uses:
                    self._follow(use.owner.operation, use.operand_number, self.dimensions[value])

    def need(self, value: ir.Value, dimension: int, user: ir.Operation) -> None:
        """Cuts a value that slices of `user` need, and the values that it is computed from.

        Raises:
            NotDivisible: a value can't be cut, or is cut along another dimension already.
        """
        waiting = [(value, dimension)]
        while waiting:
            value, dimension = waiting.pop()
            shape = shape_of(value.type)
            if len(shape) <= dimension or shape[dimension] == 1:
                continue
            if shape[dimension] % self.count:
                raise NotDivisible(user, f"{shape[dimension]} elements can't be cut into {self.count} equal slices")
            known = self.dimensions.get(value)
            if known == dimension:
                continue
            if not is_as_wide_as_swizzling(value.type, sliced_shape(shape, dimension, self.count)):
                raise NotDivisible(user, "the rows of a slice would be narrower than the swizzling in shared memory")
            if known is not None:
                raise NotDivisible(user, f"an operand is cut along dimension {known}, but needed along {dimension}")
            self.dimensions[value] = dimension
            op = defining(value)
            if op is None:
                if is_descriptor_argument(value):
                    continue
                sources = incoming(value)
                if not sources:
                    raise NotDivisible(user, "an operand is an argument of the function or of a block")
                argument = ir.BlockArgument(value)
                loop = holder_of(value)
                waiting += [(each, dimension) for each in [*sources, final_value(loop, argument.arg_number - 1)]]
                self.ops.add(address_of(loop))
            elif op.operation.name == "scf.for":
                argument = carried_argument(op.operation, ir.OpResult(value).result_number)
                waiting.append((argument, dimension))
            else:
                self.ops.add(address_of(op.operation))
                self.along[address_of(op.operation)] = dimension
                waiting += [(operand, along) for _, operand, along in self._needs(op.operation, dimension)]

    def check_arguments(self) -> None:
        """Raises NotDivisible: a descriptor is an argument, and some of its users need whole blocks."""
        whole = self._needed_whole()
        for value in filter(is_descriptor_argument, self.dimensions):
            for use in value.uses:
                user = use.owner.operation
                if address_of(user) not in self.ops or any(result in whole for result in user.results):
                    raise NotDivisible(user, "it uses whole blocks of a descriptor of which others use slices")

    def _needed_whole(self) -> set[ir.Value]:
        """The values that are cut and that something needs as a whole, too."""
        found: set[ir.Value] = set()
        waiting = [
            value
            for value in self.dimensions
            for use in value.uses
            if (user := use.owner.operation).name not in CARRYING
            and (address_of(user) not in self.ops or use.operand_number not in self.cut_operands(user))
        ]
        while waiting:
            value = waiting.pop()
            if value in found or value not in self.dimensions:
                continue
            found.add(value)
            op = defining(value)
            if op is None:
                waiting += incoming(value) or ()
            elif op.operation.name == "scf.for":
                waiting.append(carried_argument(op.operation, ir.OpResult(value).result_number))
            else:
                waiting += op.operation.operands
        return found

    def cut_operands(self, op: ir.Operation) -> list[int]:
        """The numbers of the operands of which an operation that is computed in slices uses slices.

        A value may be cut for another operand or operation, while this one needs all of it.
        """
        if address_of(op) not in self.along:
            return [number for number, value in enumerate(op.operands) if value in self.dimensions]
        needs = self._needs(op, self.along[address_of(op)])
        return [
            number
            for number, value, dimension in needs
            if self.dimensions.get(value) == dimension and shape_of(value.type)[dimension] != 1
        ]

    def _needs(self, op: ir.Operation, dimension: int) -> Iterator[tuple[int, ir.Value, int]]:
        """The operands of an operation to cut if its result is cut: number, value and dimension of each."""
        name, view = op.name, op.opview
        if name in SOURCES:
            self._check_source(op)
            return
        if name in UNSCALED_DOTS:
            yield dimension, (view.a, view.b)[dimension], dimension
            yield ACCUMULATOR, view.c, dimension
        elif name == "tt.expand_dims":
            axis = op.attributes["axis"].value
            yield 0, view.src, dimension - (axis < dimension)
        elif name in TRANSPOSITIONS:
            yield 0, view.src, list(op.attributes["order"])[dimension]
        elif name == "tt.reduce":
            axis = op.attributes["axis"].value
            for number, operand in enumerate(op.operands):
                yield number, operand, dimension + (axis <= dimension)
        elif self._is_aligned(op):
            for number, operand in enumerate(op.operands):
                yield number, operand, dimension + leading_dimensions(op, operand)
        else:
            raise NotDivisible(op, f"{name} can't be computed in slices")

    def _follow(self, op: ir.Operation, number: int, dimension: int) -> None:
        """Cuts the results of an operation with a cut operand, and its other operands."""
        name = op.name
        if name == "scf.yield":
            parent = op.parent.operation
            if parent.name != "scf.for":
                raise NotDivisible(op, f"{parent.name} can't pass on slices")
            self._spread_to(final_value(parent, number), dimension, op)
            self._spread_to(carried_argument(parent, number), dimension, op)
        elif name == "scf.for":
            self._spread_to(final_value(op, number - LOOP_BOUNDS), dimension, op)
            self._spread_to(carried_argument(op, number - LOOP_BOUNDS), dimension, op)
        elif name in UNSCALED_DOTS:
            # a is cut along its rows, b along its columns, the accumulator along either.
            if number != ACCUMULATOR and number != dimension:
                raise NotDivisible(op, "the dimension that it sums over, K, would be cut")
            self._spread_to(op.result, dimension, op)
        elif name == "tt.expand_dims":
            self._spread_to(op.result, dimension + (op.attributes["axis"].value <= dimension), op)
        elif name in TRANSPOSITIONS:
            self._spread_to(op.result, list(op.attributes["order"]).index(dimension), op)
        elif name == "tt.reduce":
            axis = op.attributes["axis"].value
            if axis == dimension:
                raise NotDivisible(op, "the dimension that it reduces would be cut")
            for result in op.results:
                self._spread_to(result, dimension - (axis < dimension), op)
        elif self._is_aligned(op):
            dimension -= leading_dimensions(op, op.operands[number])
            for result in op.results:
                self._spread_to(result, dimension, op)
            for operand in op.operands:
                self.need(operand, dimension + leading_dimensions(op, operand), op)
            self.ops.add(address_of(op))
            self.along[address_of(op)] = dimension
        else:
            raise NotDivisible(op, f"{name} can't be computed in slices")

    def _spread_to(self, value: ir.Value, dimension: int, op: ir.Operation) -> None:
        self.need(value, dimension, op)
        if value in self.dimensions:
            self._waiting.append(value)

    def _is_aligned(self, op: ir.Operation) -> bool:
        return op.name in ALIGNED or has_trait(op.opview, b"Elementwise")

    def _check_source(self, op: ir.Operation) -> None:
        if op.name == "arith.constant" and not ir.DenseElementsAttr(op.attributes["value"]).is_splat:
            raise NotDivisible(op, "the elements of a constant differ")


def slice_dimensions(function: ir.Operation) -> SliceDimensions | None:
    """The values to cut for the wgmmas of a function that belong to several tasks; None without such wgmmas.

    Raises:
        NotDivisible: a wgmma has no dimension along which it can be cut.
    """
    chosen: SliceDimensions | None = None
    for dot in collect(function, [WGMMA]):
        count = len(tasks_of(dot))
        if count < 2:
            continue
        chosen = chosen or SliceDimensions(count)
        if dot.result not in chosen.dimensions:
            chosen = _extended(chosen, dot, count)
    if chosen is not None:
        chosen.check_arguments()
    return chosen


def _extended(chosen: SliceDimensions, dot: ir.Operation, count: int) -> SliceDimensions:
    """The cut extended to another wgmma, along its rows if possible, else its columns."""
    type: Any = dot.result.type
    layout = tensor_layout(type)
    shape = shape_per_cta(type.shape, layout)
    if len(shape) != 2 or count != chosen.count or not isinstance(layout, NvidiaMma):
        raise NotDivisible(dot, "its result is not one matrix, or other wgmmas have another number of tasks")
    failure = NotDivisible(dot, f"{shape[0]} rows and {shape[1]} columns are too few for {count} warp groups")
    # The result of one instruction stays in one slice.
    for dimension, least in ((0, WGMMA_ROWS), (1, max(MIN_COLUMNS, layout.instr_shape[1]))):
        if shape[dimension] // count >= least:
            attempt = chosen.copy()
            try:
                attempt.cut_dot(dot, dimension)
            except NotDivisible as error:
                failure = error
            else:
                return attempt
    raise failure
