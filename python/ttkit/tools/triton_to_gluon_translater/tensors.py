"""Functions of the tile language on tensors, for translated kernels."""

from __future__ import annotations

from typing import Any

import ttkit.language as tl
from ttkit.language import gluon as ttgl
from ttkit.language.builtin import builtin
from ttkit.language.constexpr import unwrap
from ttkit.language.tensor import tensor
from ttkit.language.tuples import tuple
from ttkit.tools.triton_to_gluon_translater.default_layouts import (
    default,
    reset_to_default_layout,
    set_split_src_layout,
)


@builtin
def tl_arange(start: Any, end: Any = None) -> Any:
    """`tl.arange`."""
    return ttgl.arange(start, end, default([1]))


@builtin
def tl_full(shape: Any, value: Any, dtype: Any = None) -> Any:
    """`tl.full`."""
    dtype = unwrap(dtype) or value.dtype
    return ttgl.full(shape, value, dtype, default(shape) if len(shape) else None)


@builtin
def tl_zeros(shape: Any, dtype: Any) -> Any:
    """`tl.zeros`."""
    return tl_full(shape, 0, dtype)


@builtin
def tl_expand(value: Any, *dims: Any) -> Any:
    """New dimensions of size one, `x[:, None]`; `dims` are their places in the result, in rising order."""
    for dim in map(unwrap, dims):
        if not isinstance(value, tensor) or not value.type.is_block():
            value = tl_full([1], value, value.dtype)
            continue
        shape = [unwrap(size) for size in value.type.shape]
        parent = default([*shape[:dim], 1, *shape[dim:]])
        value = ttgl.expand_dims(ttgl.convert_layout(value, ttgl.SliceLayout(dim, parent)), dim)
    return value


@builtin
def tl_split(value: Any) -> Any:
    """`tl.split`, of a layout where a thread has both elements."""
    if len(value.type.shape) == 1:
        return tuple([each.item() for each in tl_split(tl_expand(value, 0))])
    return reset_to_default_layout(ttgl.split(set_split_src_layout(value)))


@builtin
def tl_join(a: Any, b: Any) -> Any:
    """`tl.join`."""
    if a.type.is_block() or b.type.is_block():
        return reset_to_default_layout(ttgl.join(a, b))
    pair = ttgl.join(*(tl_full([1], each, each.dtype) for each in (a, b)))
    return reset_to_default_layout(ttgl.reshape(pair, [2]))


@builtin
def tl_cat(input: Any, other: Any, can_reorder: Any = False, dim: Any = 0) -> Any:
    """`tl.cat`."""
    return reset_to_default_layout(tl.cat(input, other, can_reorder, dim))


@builtin
def tl_trans(input: Any, *dims: Any) -> Any:
    """`tl.trans`."""
    return reset_to_default_layout(tl.trans(input, *dims))


@builtin
def tl_gather(src: Any, index: Any, axis: Any) -> Any:
    """`tl.gather`."""
    return reset_to_default_layout(ttgl.gather(src, index, axis))


@builtin
def tl_histogram(input: Any, num_bins: Any, mask: Any = None) -> Any:
    """`tl.histogram`."""
    return ttgl.histogram(input, num_bins, mask=mask, layout=default([num_bins]))
