"""Rewrite block pointers (tt.make_tensor_ptr, tt.advance) into pointers to each element, with masks.

    %b = tt.make_tensor_ptr %p, [%n], [%s], [%i] {order = array<i32: 0>} : <tensor<64xf32>>
    %x = tt.load %b {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<tensor<64xf32>>
  =>
    %0 = arith.extsi %i : i32 to i64
    %1 = ...                                          // %0 + [0, ..., 63]
    %2 = ...                                          // %p + %1 * %s
    %3 = ...                                          // 0 <= %1 and %1 < %n
    %x = tt.load %2, %3, %zero : tensor<64x!tt.ptr<f32>>

A block pointer becomes its base, shape, strides and offsets.  Loops, branches and calls pass on the offsets, and those
of the other parts that are not equal on all incoming edges.

Input:  tt.      Output: tt, without block pointers.
Order:  after inline, since calls pass all parts; before canonicalize, which simplifies the result.
Skips:  pointers to elements; blocks with a layout.
Test:   test/lit/passes/rewrite_tensor_pointer.mlir
"""

import functools
from collections.abc import Sequence

from mlir import ir

from ttkit.dialects import arith, tt
from ttkit.dialects._tt_types import PointerType
from ttkit.operation_sets import BLOCK_POINTERS
from ttkit.passes.infra import Pass, PassError, defining_name
from ttkit.passes.infra.block_access import block_index, block_mask, block_pointers, nan_attribute, zero_attribute
from ttkit.passes.infra.invariant_parts import find_invariant_parts
from ttkit.passes.infra.value_expansion import Parts, ValueExpansion


class RewriteTensorPointer(Pass):
    """Rewrite block pointers into pointers to each element, with masks"""

    name = "triton-rewrite-tensor-pointer"
    dependent_dialects = ("arith", "scf")

    def run(self, op: ir.Operation) -> None:
        """Replaces all block pointers by their parts."""
        BlockPointers(op).run()


class BlockPointers:
    """The rewriting of one module.

    The parts of a block pointer of rank r are the base, r sizes, r strides and r offsets, all i64 except the base.
    """

    def __init__(self, module: ir.Operation) -> None:
        self.i64 = ir.IntegerType.get_signless(64)
        rules = {
            "tt.make_tensor_ptr": self.make,
            "tt.advance": self.advance,
            "tt.load": self.load,
            "tt.store": self.store,
        }
        self.expansion = ValueExpansion(module, self.part_types, rules, seeds=BLOCK_POINTERS)

    def run(self) -> None:
        """Replaces all block pointers by their parts."""
        find_invariant_parts(self.expansion.merge_points, lambda point: range(static_count(point.types)), part_source)
        self.expansion.run()

    def part_types(self, type: ir.Type) -> list[ir.Type] | None:
        """The types of the parts of a block pointer; None for other types."""
        if not isinstance(type, PointerType) or not isinstance(block := type.pointee_type, ir.RankedTensorType):
            return None
        if block.encoding is not None:
            return None
        return [PointerType.get(block.element_type, type.address_space)] + [self.i64] * 3 * block.rank

    def make(self, op: ir.Operation) -> Parts:
        """The parts of the block pointer from a tt.make_tensor_ptr, with offsets widened to i64."""
        base, *rest = op.operands
        rank = len(rest) // 3
        with ir.InsertionPoint(op), op.location:
            return base, *rest[: 2 * rank], *(arith.extsi(self.i64, offset) for offset in rest[2 * rank :])

    def advance(self, op: ir.Operation) -> Parts:
        """The parts with offsets moved by a tt.advance."""
        pointer, *steps = op.operands
        parts = self.expansion.parts(pointer)
        fixed = static_count(parts)
        with ir.InsertionPoint(op), op.location:
            moved = [arith.addi(offset, arith.extsi(self.i64, step)) for offset, step in zip(parts[fixed:], steps)]
        return *parts[:fixed], *moved

    def load(self, op: ir.Operation) -> None:
        """Replaces a load through a block pointer."""
        (result,) = self.access(op)
        op.result.replace_all_uses_with(result)

    def store(self, op: ir.Operation) -> None:
        """Replaces a store through a block pointer."""
        self.access(op)

    def access(self, op: ir.Operation) -> list[ir.Value]:
        """The load or store, through pointers to the elements."""
        pointer, *values = op.operands
        with ir.InsertionPoint(op), op.location:
            return build_access(op, pointer.type.pointee_type, *self.expansion.parts(pointer), *values)


def build_access(op: ir.Operation, block: ir.RankedTensorType, base: ir.Value, *rest: ir.Value) -> list[ir.Value]:
    """A load or store like `op`, given all parts of the block pointer and, for a store, the value."""
    shape, rank = block.shape, block.rank
    sizes, strides, offsets = rest[:rank], rest[rank : 2 * rank], rest[2 * rank : 3 * rank]

    @functools.cache
    def index(dim: int) -> ir.Value:
        """The index of each element along a dimension, built once."""
        return block_index(offsets[dim], shape, dim)

    pointers = block_pointers(base, strides, index, shape)
    dims = op.attributes.get("boundaryCheck", ())
    mask = block_mask(sizes, index, shape, dims)
    # Without a mask nothing is padded.
    other = padding(op, block) if mask is not None and "padding" in op.attributes else None
    operands = [pointers, *rest[3 * rank :], *([] if mask is None else [mask]), *([] if other is None else [other])]
    kept = {name: op.attributes[name] for name in ("cache", "evict", "isVolatile") if name in op.attributes}
    if op.name == "tt.load":
        kept["operandSegmentSizes"] = ir.DenseI32ArrayAttr.get([1, int(mask is not None), int(other is not None)])
    types = [result.type for result in op.results]
    return list(ir.Operation.create(op.name, results=types, operands=operands, attributes=kept).results)


def padding(op: ir.Operation, block: ir.RankedTensorType) -> ir.Value:
    """Block of padding, zero or NaN, that a load gives for elements outside of the tensor.

    Raises:
        PassError: elements are pointers.
    """
    element = block.element_type
    if isinstance(element, PointerType):
        raise PassError(op, f"there is no padding of type {element}; remove it, or load integers and use tt.int_to_ptr")
    nan = ir.IntegerAttr(op.attributes["padding"]).value == tt.PaddingOption.PAD_NAN
    value = arith.constant(element, nan_attribute(element) if nan else zero_attribute(element))
    return tt.splat(value, block)


def static_count(parts: Sequence[object]) -> int:
    """Number of parts of a block pointer that tt.advance leaves unchanged: base, sizes and strides."""
    return 1 + 2 * (len(parts) - 1) // 3


def part_source(value: ir.Value) -> ir.Value | Sequence[ir.Value] | None:
    """Source of the static parts of a block pointer, for find_invariant_parts."""
    name = defining_name(value)
    if name == "tt.make_tensor_ptr":
        return list(value.owner.operands)
    return value.owner.ptr if name == "tt.advance" else None
