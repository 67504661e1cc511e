"""Tensor descriptors of ragged batches: arrays of different lengths, one after the other in one tensor.

A descriptor checks bounds against one shape, but each array ends elsewhere.  So the tensor gets two more dimensions in
front, whose strides s of the ragged dimension (in elements) cancel modulo the address space:

    address(a, b, r) = base + a * (2**34 - s) + b * s + r * s

For row r of the array of n rows that starts at row o, take a = BOUND, b = o + n, r' = BOUND - n + r.  Then the sum is
base + (o + r) * s + BOUND * 2**34, and BOUND = 2**30 makes the last term a multiple of 2**64: nothing.  The bound
BOUND of the third dimension is passed exactly by rows r >= n.  An array's rows before its first are not protected.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ttkit.language as tl
from ttkit.language.jit_function import jit
from ttkit.runtime.tensor_descriptor import TensorDescriptor

_BOUND = 1 << 30
_LARGEST_EXTENT = 0x7FFF0000
_WRAP = 1 << 34
BOUND: tl.constexpr = tl.constexpr(_BOUND)


def create_ragged_descriptor(T: Any, block_shape: Sequence[int], ragged_dim: int = 0) -> TensorDescriptor:
    """A descriptor of a tensor that holds arrays of different lengths, one after the other.

    Args:
        T: the tensor, of up to three dimensions.
        block_shape: of what is loaded and stored, a size a dimension.
        ragged_dim: the dimension along which the arrays follow each other; not the last.

    Raises:
        ValueError: the tensor has too many dimensions or rows, or `ragged_dim` is its last.
    """
    shape, rank = list(T.shape), len(T.shape)
    ragged_dim += rank if ragged_dim < 0 else 0
    if not 0 <= ragged_dim < rank - 1:
        raise ValueError(f"a dimension before the last can be ragged, got {ragged_dim} of {rank} dimensions")
    if rank > 3 or len(block_shape) != rank:
        raise ValueError(f"a ragged tensor has two or three dimensions, a block as many; got {shape}, {block_shape}")
    if shape[ragged_dim] > _BOUND:
        raise ValueError(f"a ragged tensor has at most 2**30 rows, got {shape[ragged_dim]}")
    shape[ragged_dim] = _BOUND
    stride = T.stride(ragged_dim)
    strides = [_WRAP - stride, stride, *(T.stride(dim) for dim in range(rank))]
    return TensorDescriptor(T, [_LARGEST_EXTENT, _LARGEST_EXTENT, *shape], strides, [1, 1, *block_shape])


@jit
def to_ragged_indices(batch_offset, batch_size, row):
    """The three coordinates of a row of the array that starts at row `batch_offset` and has `batch_size` rows."""
    return BOUND, batch_offset + batch_size, BOUND - batch_size + row


@jit
def load_ragged(TMA, batch_offset, batch_size, coords, ragged_dim: tl.constexpr = 0):
    """A block of one array, zero where it lies past the array's end.

    TMA: of `create_ragged_descriptor`.
    coords: where the block starts, an index a dimension.
    """
    tl.static_assert(len(TMA.shape) == len(coords) + 2, "TMA must come from create_ragged_descriptor")
    c0, c1, c2 = to_ragged_indices(batch_offset, batch_size, coords[ragged_dim])
    block = TMA.load([c0, c1] + coords[:ragged_dim] + [c2] + coords[ragged_dim + 1 :])
    return tl.reshape(block, block.shape[2:])


@jit
def store_ragged(TMA, batch_offset, batch_size, coords, data, ragged_dim: tl.constexpr = 0):
    """Stores a block into one array; elements past the array's end are not stored."""
    c0, c1, c2 = to_ragged_indices(batch_offset, batch_size, coords[ragged_dim])
    block = data.expand_dims(0).expand_dims(0)
    TMA.store([c0, c1] + coords[:ragged_dim] + [c2] + coords[ragged_dim + 1 :], block)


@jit
def atomic_add_ragged(TMA, batch_offset, batch_size, coords, data, ragged_dim: tl.constexpr = 0):
    """Adds a block to one array, element by element; elements past the array's end are left out."""
    c0, c1, c2 = to_ragged_indices(batch_offset, batch_size, coords[ragged_dim])
    block = data.expand_dims(0).expand_dims(0)
    TMA.atomic_add([c0, c1] + coords[:ragged_dim] + [c2] + coords[ragged_dim + 1 :], block)
