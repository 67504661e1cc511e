"""Which values of a function are cut into slices, and along which dimension, so that each task computes one slice.

It begins with the result of a product that several tasks have.  What that is computed from is cut likewise, back to
what can be made in slices at once (constants, ranges, loads); and so is what is computed from it, down to stores.  A
dimension of one element is not cut, nor is the one over which a product or a reduction sums.
"""

from collections.abc import Iterator
from typing import Any

from mlir import ir

from ttkit.dialects._tt_types import TensorDescType
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import address_of, collect, defining
from ttkit.layout.clusters import shape_per_cta
from ttkit.layout.encodings import NvidiaMma
from ttkit.operation_sets import BLOCK_LOADS, CONVERT_LAYOUT, WGMMA
from ttkit.passes.infra.layout_inference import has_trait
from ttkit.passes.infra.nesting import holder_of
from ttkit.passes.layouts.assignment import tensor_layout
from ttkit.passes.partitioning.tasks import NotDivisible, incoming, tasks_of

# Rows of the products that a warp group computes at once, and columns that are worth a group of their own.
LEAST_ROWS, LEAST_COLUMNS = 64, 128

# Made in slices at once.
SOURCES = frozenset({"arith.constant", "tt.make_range", "tt.make_tensor_descriptor"})
# Beside elementwise operations: element i of the result comes from element i of the operands.
ALIGNED = frozenset(
    {"tt.broadcast", "tt.splat", CONVERT_LAYOUT, "ttg.local_alloc", *BLOCK_LOADS, "tt.addptr"}
    | {"tt.fp_to_fp", "tt.store", "tt.descriptor_store", "ttg.local_load"}
)
VIEWS = ("tt.trans", "ttg.memdesc_trans")


def shape_of(type: ir.Type) -> list[int]:
    """The shape of a tensor, of its buffer, or of the blocks of a descriptor; none for other types."""
    if isinstance(type, TensorDescType):
        return list(type.block_type.shape)
    return list(type.shape) if isinstance(type, (ir.RankedTensorType, MemDescType)) else []


class SliceDimensions:
    """The values of a function that are cut.

    Args:
        count: slices of each.

    Attributes:
        dimensions: value -> the dimension along which it is cut.
        ops: addresses of the operations that are computed in slices, those without results too.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self.dimensions: dict[ir.Value, int] = {}
        self.ops: set[int] = set()
        self._cut_operands: dict[int, dict[int, int]] = {}
        self._spread: set[ir.Value] = set()
        self._waiting: list[ir.Value] = []

    def copy(self) -> "SliceDimensions":
        """Another one that begins with the same values."""
        made = SliceDimensions(self.count)
        made.dimensions, made.ops, made._spread = dict(self.dimensions), set(self.ops), set(self._spread)
        return made

    def cut_product(self, product: ir.Operation, dimension: int) -> None:
        """Cuts the result of a product, and all that follows from it.

        Raises:
            NotDivisible: not all of that can be cut.
        """
        (result,) = product.results
        self.need(result, dimension, product)
        self._waiting.append(result)
        while self._waiting:
            value = self._waiting.pop()
            if value not in self._spread:
                self._spread.add(value)
                for use in value.uses:
                    self._follow(use.owner.operation, use.operand_number, self.dimensions[value])

    def need(self, value: ir.Value, dimension: int, user: ir.Operation) -> None:
        """Cuts a value that slices of `user` are computed from, and what it is computed from.

        Raises:
            NotDivisible: it can't be cut, or is along another dimension already.
        """
        waiting = [(value, dimension)]
        while waiting:
            value, dimension = waiting.pop()
            shape = shape_of(value.type)
            if len(shape) <= dimension or shape[dimension] == 1:
                continue
            if shape[dimension] % self.count:
                raise NotDivisible(user, f"{shape[dimension]} elements are no multiple of {self.count}")
            known = self.dimensions.get(value)
            if known == dimension:
                continue
            if known is not None:
                raise NotDivisible(user, f"an operand is cut along dimension {known}, and is needed along {dimension}")
            self.dimensions[value] = dimension
            op = defining(value)
            if op is None:
                sources = incoming(value)
                if not sources:
                    raise NotDivisible(user, "an operand is an argument of the function or of a block")
                argument = ir.BlockArgument(value)
                loop = holder_of(value)
                waiting += [(each, dimension) for each in [*sources, loop.results[argument.arg_number - 1]]]
                self.ops.add(address_of(loop))
            elif op.operation.name == "scf.for":
                body = op.operation.regions[0].blocks[0]
                waiting.append((body.arguments[ir.OpResult(value).result_number + 1], dimension))
            else:
                self.ops.add(address_of(op.operation))
                waiting += self._needs(op.operation, dimension)

    def _needs(self, op: ir.Operation, dimension: int) -> Iterator[tuple[ir.Value, int]]:
        """The operands of an operation that are cut if its result is, and how."""
        name = op.name
        operands = list(op.operands)
        if name in SOURCES:
            self._check_source(op)
            return
        if name == WGMMA:
            yield operands[dimension], dimension
            yield operands[2], dimension
        elif name == "tt.expand_dims":
            axis = op.attributes["axis"].value
            yield operands[0], dimension - (axis < dimension)
        elif name in VIEWS:
            yield operands[0], list(op.attributes["order"])[dimension]
        elif name == "tt.reduce":
            axis = op.attributes["axis"].value
            for operand in operands:
                yield operand, dimension + (axis <= dimension)
        elif self._is_aligned(op):
            for operand in operands:
                yield operand, dimension
        else:
            raise NotDivisible(op, f"{name} can't be computed in slices")

    def _follow(self, op: ir.Operation, number: int, dimension: int) -> None:
        """Cuts what an operation computes from an operand that is cut, and its other operands."""
        name = op.name
        results = list(op.results)
        if name == "scf.yield":
            parent = op.parent.operation
            if parent.name != "scf.for":
                raise NotDivisible(op, f"{parent.name} can't pass on slices")
            self._spread_to(parent.results[number], dimension, op)
            self._spread_to(parent.regions[0].blocks[0].arguments[number + 1], dimension, op)
        elif name == "scf.for":
            self._spread_to(results[number - 3], dimension, op)
            self._spread_to(op.regions[0].blocks[0].arguments[number - 2], dimension, op)
        elif name == WGMMA:
            if number != 2 and number != dimension:
                raise NotDivisible(op, "the dimension over which a product sums is cut")
            self._spread_to(results[0], dimension, op)
        elif name == "tt.expand_dims":
            self._spread_to(results[0], dimension + (op.attributes["axis"].value <= dimension), op)
        elif name in VIEWS:
            self._spread_to(results[0], list(op.attributes["order"]).index(dimension), op)
        elif name == "tt.reduce":
            axis = op.attributes["axis"].value
            if axis == dimension:
                raise NotDivisible(op, "the dimension that is reduced is cut")
            for result in results:
                self._spread_to(result, dimension - (axis < dimension), op)
        elif self._is_aligned(op):
            for result in results:
                self._spread_to(result, dimension, op)
            for operand in op.operands:
                self.need(operand, dimension, op)
            self.ops.add(address_of(op))
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
    """Which values are cut, for the products of a function that several tasks have; None if there are none.

    Raises:
        NotDivisible: there is no dimension along which all that a product needs can be cut.
    """
    chosen: SliceDimensions | None = None
    for product in collect(function, [WGMMA]):
        count = len(tasks_of(product))
        if count < 2:
            continue
        chosen = chosen or SliceDimensions(count)
        if product.result not in chosen.dimensions:
            chosen = _extended(chosen, product, count)
    return chosen


def _extended(chosen: SliceDimensions, product: ir.Operation, count: int) -> SliceDimensions:
    """With the result of another product: cut along rows if possible, else columns."""
    type: Any = product.result.type
    layout = tensor_layout(type)
    shape = shape_per_cta(type.shape, layout)
    if len(shape) != 2 or count != chosen.count or not isinstance(layout, NvidiaMma):
        raise NotDivisible(product, "it is not one matrix, or belongs to another number of tasks")
    failure = NotDivisible(product, f"{shape[0]} rows and {shape[1]} columns are too few for {count} warp groups")
    # What one instruction computes stays in one slice.
    for dimension, least in ((0, LEAST_ROWS), (1, max(LEAST_COLUMNS, layout.instr_shape[1]))):
        if shape[dimension] // count >= least:
            attempt = chosen.copy()
            try:
                attempt.cut_product(product, dimension)
            except NotDivisible as error:
                failure = error
            else:
                return attempt
    raise failure
