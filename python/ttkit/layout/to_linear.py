"""Conversion of every layout attribute to the linear layout of a tensor of given shape.

blocked, slice, linear, dot_op of blocked        here
results and operands of matrix instructions      mma_to_linear
shared memory                                    shared_to_linear
tensor memory                                    tensor_memory_to_linear
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import ttkit.layout.mma_to_linear as mma_to_linear
import ttkit.layout.shared_to_linear as shared_to_linear
import ttkit.layout.tensor_memory_to_linear as tensor_memory_to_linear
from ttkit.layout.distributed_encodings import AmdMfma, AmdWmma, Blocked, DotOperand, Linear, NvidiaMma, Slice
from ttkit.layout.encoding_base import Ints, Layout
from ttkit.layout.errors import UnsuitableShape
from ttkit.layout.linear import LinearLayout
from ttkit.layout.shared_encodings import (
    AmdRotatingShared,
    NvmmaShared,
    PaddedShared,
    SharedLinear,
    SwizzledShared,
    TensorMemory,
    TensorMemoryScales,
)
from ttkit.layout.tile import DISTRIBUTED, Tile, matrix_order

_MAX_ELEMENTS = 2**31


def to_linear_layout(shape: Sequence[int], encoding: Layout) -> LinearLayout:
    """`encoding` for a tensor of `shape`, as a linear layout with out-dims dim0, dim1, ....

    In-dims: register, lane, warp, block of a distributed layout (bits of register, lane and warp within their CTA);
    offset (in elements; without the gaps of padded_shared) and block of a shared one; row and col (in 32-bit columns
    divided by the elements that fit) of tensor memory.  What a pipeline's buffers add in front of `shape` is not part
    of it.  Cached.
    Raises UnsuitableShape (a ValueError) if a size is not a power of two, the rank differs, or there are more than
    2**31 elements; also if the instruction or the swizzling does not fit into the shape.
    """
    return _to_linear_layout(tuple(shape), encoding)


@lru_cache(maxsize=8192)
def _to_linear_layout(shape: Ints, encoding: Layout) -> LinearLayout:
    elements = 1
    for size in shape:
        if size <= 0 or size & (size - 1):
            raise UnsuitableShape(f"sizes must be powers of two, got shape {shape}")
        elements *= size
    if elements > _MAX_ELEMENTS:
        raise UnsuitableShape(f"shape {shape} has more than 2**31 elements")
    if len(shape) != encoding.rank:
        raise UnsuitableShape(f"{encoding} has rank {encoding.rank}, shape {shape} has rank {len(shape)}")
    try:
        layout = _CONVERSIONS[type(encoding)](encoding, shape)
    except ValueError as error:
        raise UnsuitableShape(f"{encoding} does not suit a tensor of shape {shape}: {error}") from None
    if layout is None:
        raise UnsuitableShape(f"{encoding} does not suit a tensor of shape {shape}")
    return layout


def _blocked(layout: Blocked, shape: Ints) -> LinearLayout:
    """A thread's box, lanes around it, warps around those, all repeated in registers."""
    order = layout.order
    tile = Tile(len(shape), DISTRIBUTED)
    tile.append_box("register", layout.size_per_thread, order)
    tile.append_box("lane", layout.threads_per_warp, order)
    tile.append_box("warp", layout.warps_per_cta, order)
    return tile.cover("register", shape, layout.cga_layout, order)


def _slice(layout: Slice, shape: Ints) -> LinearLayout:
    """The parent's layout with size 1 in the removed dimension.

    Registers that differed only in that dimension would be copies and are dropped; lanes, warps and CTAs remain.
    """
    parent_shape = (*shape[: layout.dim], 1, *shape[layout.dim :])
    parent = to_linear_layout(parent_shape, layout.parent)
    names = {f"dim{dim + (dim >= layout.dim)}": f"dim{dim}" for dim in range(len(shape))}
    return parent.squeeze_out(f"dim{layout.dim}").rename_outs(names).remove_zero_bases("register")


def _linear(layout: Linear, shape: Ints) -> LinearLayout:
    """Repeated in registers where the tensor is larger; where it is smaller, registers beyond it are dropped."""
    tile = Tile(len(shape), DISTRIBUTED)
    for name in DISTRIBUTED:
        for basis in getattr(layout, name):
            tile.append_basis(name, basis)
    tile.grow("register", shape, _moved_order(layout.register, len(shape)))
    outside = [any(value >= size for value, size in zip(basis, shape)) for basis in layout.register]
    kept = [column for bit, column in enumerate(tile.columns["register"]) if bit >= len(outside) or not outside[bit]]
    tile.columns["register"] = kept
    return tile.finish(shape)


def _moved_order(bases: Sequence[Ints], rank: int) -> list[int]:
    """The dimensions in which bases move, in the order of the bases; the rest innermost first."""
    moved = [next(dim for dim, value in enumerate(basis) if value) for basis in bases if any(basis)]
    return list(dict.fromkeys([*moved, *matrix_order(rank)]))


def _dot_operand(layout: DotOperand, shape: Ints) -> LinearLayout | None:
    parent = layout.parent
    if isinstance(parent, Blocked):
        return _fma_operand(parent, layout.op_idx, shape)
    return mma_to_linear.operand(layout, shape)


def _fma_operand(parent: Blocked, op_idx: int, shape: Ints) -> LinearLayout:
    """Each thread holds all of K; threads and warps that differ along K in the result hold the same."""
    k_dim, order = mma_to_linear.k_dim(op_idx, len(shape)), parent.order
    tile = Tile(len(shape), DISTRIBUTED)
    for dim in order:
        tile.append("register", dim, shape[dim] if dim == k_dim else parent.size_per_thread[dim])
    tile.append_box("lane", parent.threads_per_warp, order, copies_along=k_dim)
    tile.append_box("warp", parent.warps_per_cta, order, copies_along=k_dim)
    return tile.cover("register", shape, mma_to_linear.operand_cga(parent.cga_layout, k_dim), order)


_CONVERSIONS: dict[type[Layout], Callable[[Any, Ints], LinearLayout | None]] = {
    Blocked: _blocked,
    Slice: _slice,
    Linear: _linear,
    DotOperand: _dot_operand,
    NvidiaMma: mma_to_linear.nvidia_result,
    AmdMfma: mma_to_linear.mfma_result,
    AmdWmma: mma_to_linear.wmma_result,
    SwizzledShared: shared_to_linear.swizzled,
    AmdRotatingShared: shared_to_linear.rotating,
    NvmmaShared: shared_to_linear.nvmma,
    PaddedShared: shared_to_linear.padded,
    SharedLinear: shared_to_linear.shared_linear,
    TensorMemory: tensor_memory_to_linear.accumulator,
    TensorMemoryScales: tensor_memory_to_linear.scales,
}
