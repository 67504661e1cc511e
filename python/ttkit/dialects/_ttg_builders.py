"""The ttg builders written by hand: they work out result types and fill regions.  `_tt_builders` has the conventions.

Layouts are `ttkit.layout` values or attributes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from mlir import ir

from ttkit.dialects import _ttg_ops as ops
from ttkit.dialects._layouts import attribute
from ttkit.dialects._operation import Operand, one_or_all
from ttkit.dialects._result_types import Body, ShapeOrType, fill_region, type_of, values_of
from ttkit.dialects._ttg_types import MemDescType

if TYPE_CHECKING:
    from ttkit.layout.encodings import Layout

    LayoutOrType: TypeAlias = Layout | ir.Attribute | ir.Type


def _tensor(result: Any, shape: Sequence[int], element_type: ir.Type) -> ir.Type:
    """`result` if it is a type, else the tensor type with that layout."""
    if isinstance(result, ir.Type):
        return result
    layout = result if isinstance(result, ir.Attribute) else attribute(result, element_type.context)
    return ir.RankedTensorType.get(list(shape), element_type, layout)


def convert_layout(src: Operand, result: LayoutOrType, **where: Any) -> ir.Value:
    """The tensor `src` in another layout."""
    source = type_of(src)
    return ops.convert_layout(_tensor(result, source.shape, source.element_type), src, **where)


# --- Memory ----------------------------------------------------------------------------------------------------------
def local_load(src: Operand, result: LayoutOrType, *, token: Operand | None = None, **where: Any) -> ir.Value:
    """The content of a memory descriptor as a tensor of the given layout."""
    source = MemDescType(type_of(src))
    return ops.local_load(_tensor(result, source.shape, source.element_type), src, token=token, **where)


def local_gather(
    src: Operand,
    indices: Operand,
    axis: int,
    result: LayoutOrType | None = None,
    *,
    token: Operand | None = None,
    **where: Any,
) -> ir.Value:
    """Elements of a memory descriptor picked by `indices` along `axis`, by default in the layout of `indices`."""
    like = type_of(indices)
    layout = like.encoding if result is None else result
    tensor = _tensor(layout, like.shape, MemDescType(type_of(src)).element_type)
    return ops.local_gather(tensor, src, indices, axis, token=token, **where)


def memdesc_index(src: Operand, index: Operand, **where: Any) -> ir.Value:
    """The view of buffer `index`: the first dimension goes."""
    return ops.memdesc_index(_view(type_of(src), MemDescType(type_of(src)).shape[1:]), src, index, **where)


def memdesc_subslice(src: Operand, offsets: Sequence[int], result: ShapeOrType, **where: Any) -> ir.Value:
    """The view of the box at `offsets`, in elements; of a shape, or of a type."""
    source = MemDescType(type_of(src))
    view = result if isinstance(result, ir.Type) else _view(source, result, source.alloc_shape)
    return ops.memdesc_subslice(view, src, list(offsets), **where)


def _view(source: MemDescType, shape: Sequence[int], alloc_shape: Sequence[int] | None = None) -> MemDescType:
    parts = (source.element_type, source.encoding, source.memory_space, source.mutable)
    return MemDescType.get(shape, *parts, alloc_shape)


# --- Operations with code inside -------------------------------------------------------------------------------------
def mask(pred: Operand, result: Sequence[ir.Type], body: Body, **where: Any) -> Any:
    """The results of `body` where `pred` holds."""
    op = ops.mask(list(result), pred, **where)
    with op.location:
        fill_region(op.regions[0], [], body, ops.mask_return)
    return one_or_all(op.results)


def warp_specialize(
    result: Sequence[ir.Type],
    captures: Sequence[Operand],
    default: Body,
    partitions: Sequence[tuple[int, Body]],
    *,
    warp_group_start_ids: Sequence[int] | None = None,
    requested_registers: Sequence[int] | None = None,
    actual_registers: Sequence[int] | None = None,
    **where: Any,
) -> Any:
    """Different code on different groups of warps.

    Args:
        result: types of what `default` returns.
        captures: what the partitions see of the outside.
        default: builds what the present warps run; called without arguments.
        partitions: for each further group its number of warps and what builds its code, called with `captures`.
        warp_group_start_ids: first warp of each group.
        requested_registers, actual_registers: registers per thread, one number a group.
    """
    operands = values_of(list(captures))
    warps = [num_warps for num_warps, _ in partitions]
    op = ops.warp_specialize(
        list(result),
        operands,
        warps,
        warp_group_start_ids=warp_group_start_ids,
        requested_registers=requested_registers,
        actual_registers=actual_registers,
        **where,
    )
    with op.location:
        fill_region(op.regions[0], [], default, ops.warp_yield)
        with ir.InsertionPoint(op.regions[1].blocks.append()):
            holder = ops.warp_specialize_partitions(len(partitions))
        types = [value.type for value in operands]
        for region, (_, body) in zip(holder.regions, partitions):
            fill_region(region, types, body, lambda returned: ops.warp_return())
    return one_or_all(op.results)
