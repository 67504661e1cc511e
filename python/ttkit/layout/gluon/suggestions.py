"""Layouts for an access: of global memory by neighbouring addresses, of shared memory without bank conflicts."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from math import prod
from typing import Any

from ttkit.layout.encoding_base import is_power_of_two
from ttkit.layout.gluon.base import DistributedLayout
from ttkit.layout.gluon.distributed_layouts import BlockedLayout
from ttkit.layout.gluon.shared_layouts import SwizzledSharedLayout
from ttkit.layout.hardware import VECTOR_BITS
from ttkit.layout.shared_access import access_pattern
from ttkit.layout.to_linear import to_linear_layout

_WARP = 32


def suggest_layout(
    shape: Sequence[int], dtype: Any, num_warps: int = 4, order: Sequence[int] | None = None, contiguity: int = 16
) -> BlockedLayout:
    """The layout in which warps access a block of global memory with the fewest, widest instructions.

    Args:
        shape: sizes of the block, powers of two.
        dtype: type of an element.
        num_warps: warps of a program.
        order: dimensions, contiguous first; by default the last one is.
        contiguity: elements that are contiguous in memory, and a multiple of which their first address is.

    Raises:
        ValueError: a size is not a power of two, or `order` is not one of the dimensions.
    """
    sizes, rank = list(shape), len(shape)
    dims = list(range(rank))[::-1] if order is None else list(order)
    if not sizes or not all(map(is_power_of_two, sizes)):
        raise ValueError(f"sizes must be powers of two, found {sizes}")
    if sorted(dims) != list(range(rank)):
        raise ValueError(f"order must have each dimension of {sizes} once, found {dims}")
    widest = VECTOR_BITS // dtype.primitive_bitwidth
    share = max(prod(sizes) // (_WARP * num_warps), 1)
    per_thread, threads, warps = [1] * rank, [1] * rank, [1] * rank
    per_thread[dims[0]] = max(min(widest, share, contiguity, sizes[dims[0]]), 1)
    lanes, groups = _WARP, num_warps
    for dim in dims:
        threads[dim] = max(min(lanes, sizes[dim] // per_thread[dim]), 1)
        lanes //= threads[dim]
        warps[dim] = max(min(groups, sizes[dim] // (per_thread[dim] * threads[dim])), 1) if dim != dims[0] else 1
        groups //= warps[dim]
    threads[dims[-1]] *= lanes  # a block with fewer elements than threads: copies
    warps[dims[-1]] *= groups
    return BlockedLayout(per_thread, threads, warps, dims)


def suggest_shared_layout(
    shape: Sequence[int], dtype: Any, accesses: Sequence[DistributedLayout], order: Sequence[int] | None = None
) -> SwizzledSharedLayout:
    """The swizzled layout of shared memory for which accesses need the fewest wavefronts.

    Args:
        shape: sizes of the buffer.
        dtype: type of an element.
        accesses: layouts of the tensors that are stored to the buffer and loaded from it.
        order: dimensions, contiguous first; by default the last one is.

    Raises:
        ValueError: no access, or a layout that is not one of tensors of this shape.
    """
    if not accesses:
        raise ValueError("name the layouts of the tensors that are stored or loaded")
    bits = dtype.primitive_bitwidth
    held = [to_linear_layout(shape, each.encoding) for each in accesses]
    dims = list(range(len(shape)))[::-1] if order is None else list(order)
    widths = [1 << number for number in range((VECTOR_BITS // bits).bit_length())]
    candidates = [SwizzledSharedLayout(1, 1, 1, dims)]
    if len(shape) > 1:
        for vec, per_phase, max_phase in itertools.product(widths, (1, 2, 4, 8), (2, 4, 8, 16)):
            if vec * max_phase <= shape[dims[0]]:
                candidates.append(SwizzledSharedLayout(vec, per_phase, max_phase, dims))

    def wavefronts(layout: SwizzledSharedLayout) -> float:
        """Wavefronts of all accesses."""
        memory = to_linear_layout(shape, layout.encoding)
        patterns = [access_pattern(registers, memory, bits) for registers in held]
        return sum(pattern.instructions * pattern.wavefronts for pattern in patterns)

    return min(candidates, key=wavefronts)
