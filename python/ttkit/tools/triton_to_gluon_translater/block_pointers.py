"""Block pointers of translated kernels: tensors of pointers and masks, made at each access."""

from __future__ import annotations

from typing import Any

import ttkit.language as tl
from ttkit.language import gluon as ttgl
from ttkit.language.aggregate import _aggregate as aggregate
from ttkit.language.base import base_value
from ttkit.language.builtin import builtin
from ttkit.language.constexpr import constexpr, unwrap
from ttkit.language.errors import BadArgument
from ttkit.language.tensor import tensor
from ttkit.language.tuples import is_sequence, tuple
from ttkit.tools.triton_to_gluon_translater.default_layouts import reset_to_default_layout
from ttkit.tools.triton_to_gluon_translater.tensors import tl_arange, tl_expand, tl_full


@aggregate
class BlockPointer:
    """A block of a tensor in memory.

    base: pointer to the tensor's first element.
    shape, strides: of the tensor, in elements, scalars of int64.
    offsets: where the block begins, in elements, scalars of int32.
    block_shape: its sizes, constexprs.
    """

    base: tensor
    shape: tuple
    strides: tuple
    offsets: tuple
    block_shape: tuple

    def __init__(self, base: Any, shape: Any, strides: Any, offsets: Any, block_shape: Any) -> None:
        self.base, self.shape, self.strides = base, shape, strides
        self.offsets, self.block_shape = offsets, block_shape


@builtin
def tl_make_block_ptr(base: Any, shape: Any, strides: Any, offsets: Any, block_shape: Any, order: Any) -> Any:
    """`tl.make_block_ptr`; the order of dimensions is a hint, and not used."""
    if base.dtype.element_ty == tl.int1:
        base = base.to(tl.pointer_type(tl.int8), bitcast=True)
    parts = [*(_scalars(values, tl.int64) for values in (shape, strides)), _scalars(offsets, tl.int32)]
    sizes, steps, places = map(tuple, parts)
    return BlockPointer(base, sizes, steps, places, tuple(_constants(block_shape)))


@builtin
def tl_advance(base: Any, offsets: Any) -> Any:
    """`tl.advance`."""
    moved = [old + new for old, new in zip(base.offsets, _scalars(offsets, tl.int32), strict=True)]
    return BlockPointer(base.base, base.shape, base.strides, tuple(moved), base.block_shape)


@builtin
def tl_load(pointer: Any, mask: Any = None, other: Any = None, boundary_check: Any = (), padding_option: Any = "",
            cache_modifier: Any = "", eviction_policy: Any = "", volatile: Any = False) -> Any:  # fmt: skip
    """`tl.load`, of block pointers too: what is outside of the tensor is zero, or NaN with `padding_option="nan"`."""
    if isinstance(pointer, BlockPointer):
        pointer, mask = _places(pointer, boundary_check)
        number = float("nan") if unwrap(padding_option) == "nan" else 0
        other = None if mask is None else tl_full([], number, pointer.dtype.element_ty)
    options = {"cache_modifier": cache_modifier, "eviction_policy": eviction_policy, "volatile": volatile}
    return reset_to_default_layout(ttgl.load(pointer, mask, other, **options))


@builtin
def tl_store(pointer: Any, value: Any, mask: Any = None, boundary_check: Any = (), cache_modifier: Any = "",
             eviction_policy: Any = "") -> None:  # fmt: skip
    """`tl.store`, likewise: what is outside of the tensor is not stored."""
    if isinstance(pointer, BlockPointer):
        pointer, mask = _places(pointer, boundary_check)
    ttgl.store(pointer, value, mask, cache_modifier=cache_modifier, eviction_policy=eviction_policy)


def _places(block: Any, boundary_check: Any) -> Any:
    """The pointers of a block's elements, and which of them are in the tensor; None where nothing is checked."""
    sizes = [unwrap(size) for size in block.block_shape]
    checked = {unwrap(dim) for dim in _sequence(boundary_check)}
    if wrong := sorted(dim for dim in checked if not 0 <= dim < len(sizes)):
        reason = f"boundary_check names dimension {wrong[0]} of a block with {len(sizes)} dimensions"
        raise BadArgument(function="tl_load", reason=reason)
    places, mask = block.base, None
    for dim, size in enumerate(sizes):
        index = tl_arange(0, size).to(tl.int64) + block.offsets[dim].to(tl.int64)
        index = tl_expand(index, *(other for other in range(len(sizes)) if other != dim))
        places = places + index * block.strides[dim]
        if dim in checked:
            inside = (index >= 0) & (index < block.shape[dim])
            mask = inside if mask is None else mask & inside
    return places, mask


def _sequence(values: Any) -> list[Any]:
    values = values.value if isinstance(values, constexpr) else values
    return list(values) if is_sequence(values) else [values]


def _constants(values: Any) -> list[Any]:
    return [constexpr(unwrap(value)) for value in _sequence(values)]


def _scalars(values: Any, dtype: Any) -> list[Any]:
    return [
        value.to(dtype) if isinstance(value, base_value) and not isinstance(value, constexpr)
        else tl_full([], unwrap(value), dtype)
        for value in _sequence(values)
    ]  # fmt: skip
