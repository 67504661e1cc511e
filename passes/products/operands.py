"""Operands of dots as the instruction reads them, from registers or from shared memory."""

from collections.abc import Sequence
from typing import Any

from mlir import ir

from ttkit.dialects import ttg
from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import defining
from ttkit.layout import inference, to_linear_layout
from ttkit.layout.clusters import cga_layout
from ttkit.layout.encoding_base import Shared
from ttkit.layout.encodings import NvidiaMma
from ttkit.operation_sets import BLOCK_LOADS, CONVERT_LAYOUT, DESCRIPTOR_LOADS, LOADS, TENSOR_VIEWS
from ttkit.passes.infra import defining_name, defining_op, is_memory_effect_free, warn
from ttkit.passes.infra.layout_inference import has_trait
from ttkit.passes.infra.nesting import point_after
from ttkit.passes.infra.slices import backward_slice
from ttkit.passes.layouts.assignment import tensor_layout, with_layout
from ttkit.passes.layouts.orders import order_for_memory
from ttkit.passes.layouts.shared import nvmma_for, swizzled_for_operand

# Operations, besides elementwise ones, between the load of a narrower operand and its dot.
WIDENING = frozenset({*TENSOR_VIEWS, *BLOCK_LOADS, "ttg.fp4_to_fp", "tt.broadcast", CONVERT_LAYOUT})


def loaded_bits(value: ir.Value) -> int:
    """The bits of the narrowest elements loaded for an operand, before casts widen them.

    With a `tt.join` in between it is half of that: before it, threads have half of the neighbours.
    """
    bits: int = value.type.element_type.width
    source = defining(value)
    if source is None or not _may_widen(source.operation):
        return bits
    joined = False
    for op in backward_slice(source.operation, _may_widen):
        if op.name == "ttg.fp4_to_fp":
            return 4
        joined = joined or op.name == "tt.join"
        if op.name in BLOCK_LOADS and isinstance(op.result.type, ir.RankedTensorType):
            bits = min(bits, op.result.type.element_type.width)
    return bits // 2 if joined else bits


def _may_widen(op: ir.Operation) -> bool:
    return op.name in WIDENING or (has_trait(op.opview, b"Elementwise") and is_memory_effect_free(op))


def without_conversions(value: ir.Value) -> ir.Value:
    """The source of `value` before its layout conversions."""
    while defining_name(value) == CONVERT_LAYOUT:
        value = value.owner.src
    return value


def is_loaded(value: ir.Value) -> bool:
    """Whether a value is loaded from global memory, perhaps transposed, or is a block argument."""
    source = _before_moves(value)
    return source is None or source.name in LOADS


def load_of(value: ir.Value) -> ir.Operation | None:
    """The load of an operand, which conversions and transpositions may follow; None for other values."""
    source = _before_moves(value)
    return source if source is not None and source.name in LOADS else None


def _before_moves(value: ir.Value) -> ir.Operation | None:
    """The operation that makes a value, before conversions and transpositions; None for a block argument."""
    while defining_name(value) in (CONVERT_LAYOUT, "tt.trans"):
        value = value.owner.src
    source = defining(value)
    return None if source is None else source.operation


def loaded_along(value: ir.Value) -> int | None:
    """The dimension along which a loaded operand is contiguous in memory; None for other values."""
    if load_of(value) is None:
        return None
    type = without_conversions(value).type
    return order_for_memory(to_linear_layout(type.shape, tensor_layout(type)))[0]


def matrix_transposition(value: ir.Value) -> Any:
    """The tt.trans of a matrix that makes a value, if one does."""
    trans = defining_op(value, "tt.trans")
    return trans if trans is not None and list(trans.operation.attributes["order"]) == [1, 0] else None


def in_registers(value: ir.Value, op_idx: int, bits: int, result: NvidiaMma) -> ir.Value:
    """The operand in the layout in which threads feed it to the instruction.

    Args:
        value: the operand.
        op_idx: 0 for a, 1 for b.
        bits: a thread has 32 bits of neighbours along K, in elements of so many bits.
        result: the layout of the result.
    """
    converted = with_layout(value.type, inference.dot_operand(result, op_idx, bits))
    with value.location:
        return ttg.convert_layout(value, converted)


def through_buffer(value: ir.Value, op_idx: int, bits: int, result: NvidiaMma) -> ir.Value:
    """A loaded operand in registers, which threads read from a buffer in the order of global memory.

    Args:
        value: the operand.
        op_idx, bits, result: as for `in_registers`.
    """
    operand = inference.dot_operand(result, op_idx, bits)
    loaded = without_conversions(value)
    trans = matrix_transposition(loaded)
    stored = loaded if trans is None else without_conversions(trans.src)
    type, cga = stored.type, cga_layout(tensor_layout(stored.type))
    order = order_for_memory(to_linear_layout(type.shape, tensor_layout(type)))
    load = load_of(value)
    shared: Shared
    if load is not None and load.name in DESCRIPTOR_LOADS:
        shared = nvmma_for(type.shape, bits, cga, order)
    else:
        shared = swizzled_for_operand(operand, type.shape, order, bits, cga, transposed=trans is not None)
    with point_after(loaded), value.location:
        view = ttg.local_alloc(MemDescType.get(type.shape, type.element_type, shared), src=stored)
        if trans is not None:
            view = ttg.memdesc_trans(view, [1, 0])
        return ttg.local_load(view, with_layout(value.type, operand))


def in_shared_memory(
    value: ir.Value,
    op_idx: int,
    *,
    may_transpose: bool,
    transposed: bool = False,
    fp4_padded: bool = False,
    dot: Any = None,
) -> ir.Value:
    """A buffer in shared memory with the operand, allocated right after the operand's definition.

    Args:
        value: the operand.
        op_idx: 0 for a, 1 for b.
        may_transpose: whether the instruction supports either order of dimensions; else K is the fastest.
        transposed: without `may_transpose`, K is the slowest instead.
        fp4_padded: 8 unused bytes follow every 8 bytes.
        dot: the operation for a warning if registers have another order.
    """
    source = without_conversions(value)
    if cga_layout(tensor_layout(source.type)) == cga_layout(tensor_layout(value.type)):
        value = source  # else a CTA would get another part of the operand than it needs
    type, layout = value.type, tensor_layout(value.type)
    order: Sequence[int] = order_for_memory(to_linear_layout(type.shape, layout))
    if not may_transpose:
        loaded, order = tuple(order), (0, 1) if (op_idx == 1) != transposed else (1, 0)
        if dot is not None and loaded != order:
            warn(
                dot,
                f"Warning: Forcing a different order {list(order)} on SMEM than the register order for the operand "
                f"{op_idx}. Registers will be transposed before SMEM store and the pipelined load for this operand "
                "will be disabled, so poor performance is expected. Recommendation: consider transposing the operand "
                "in global memory to remove the need to transpose the tensor in registers.",
            )
    shared = nvmma_for(type.shape, type.element_type.width, cga_layout(layout), order, fp4_padded)
    buffer = MemDescType.get(type.shape, type.element_type, shared)
    with point_after(value), value.location:
        return ttg.local_alloc(buffer, src=value)
