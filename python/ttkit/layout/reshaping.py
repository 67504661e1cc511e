"""The blocked layout of a reshaped tensor.

Dimensions are looked at in groups: as few source dimensions as possible, and the result dimensions that hold the same
elements.
"""

from __future__ import annotations

from itertools import pairwise
from math import prod

from ttkit.layout.blocked import default_blocked
from ttkit.layout.distributed_encodings import Blocked
from ttkit.layout.encoding_base import Ints

Group = tuple[list[int], list[int]]  # dimensions of the source and of the result, first to last


def blocked(layout: Blocked, shape: Ints, result: Ints) -> Blocked | None:
    """The blocked layout of shape `result` under which no thread's elements move; None if there is none."""
    boxes = layout.size_per_thread, layout.threads_per_warp, layout.warps_per_cta
    num_warps, threads_per_warp, num_ctas = prod(boxes[2]), prod(boxes[1]), 1 << len(layout.cga_layout)
    if layout == default_blocked(shape, num_warps, threads_per_warp, num_ctas):
        return default_blocked(result, num_warps, threads_per_warp, num_ctas)
    groups = _groups(shape, result)
    if num_ctas != 1 or groups is None:
        return None
    position = {dim: place for place, dim in enumerate(layout.order)}
    left = list(shape)
    for source, _ in groups:
        # Merged dimensions must be neighbours in memory order, the last one fastest.
        if any(position[before] != position[dim] + 1 for before, dim in pairwise(source)):
            return None
        if not all(_fills_in_order(source, left, box) for box in boxes):
            return None
    left = list(result)
    sizes, threads, warps = (_spread(groups, left, box) for box in boxes)
    groups.sort(key=lambda group: position[group[0][0]])
    order = tuple(dim for _, dims in groups for dim in reversed(dims))
    return Blocked(sizes, threads, warps, order)


def _groups(shape: Ints, result: Ints) -> list[Group] | None:
    """None if the dimensions can't be grouped."""
    groups: list[Group] = [([], [])]
    source_dim = result_dim = 0
    source_size = result_size = 1
    while source_dim < len(shape) or result_dim < len(result):
        of_source, of_result = groups[-1]
        if source_dim < len(shape) and (source_size < result_size or source_size == 1 or shape[source_dim] == 1):
            source_size *= shape[source_dim]
            of_source.append(source_dim)
            source_dim += 1
        elif result_dim < len(result) and (result_size < source_size or result_size == 1 or result[result_dim] == 1):
            result_size *= result[result_dim]
            of_result.append(result_dim)
            result_dim += 1
        elif source_size == result_size:
            groups.append(([], []))
            source_size = result_size = 1
        else:
            return None
    complete = source_size == result_size and all(source and dims for source, dims in groups)
    return groups if complete else None


def _fills_in_order(source: list[int], left: list[int], box: Ints) -> bool:
    """Whether the last dimensions of a group are used up before an earlier one has more than one thread.

    Only the first one may be exceeded; otherwise the merged dimension would not be covered in order.

    left: elements along each dimension that are not covered yet; it is brought up to date.  Zero: exceeded.
    """
    for dim in reversed(source):
        if box[dim] == 1:
            continue
        if any(left[later] != 1 for later in source if later > dim):
            return False
        if left[dim] >= box[dim] and left[dim] % box[dim]:
            return False
        left[dim] //= box[dim]
        if left[dim] == 0 and dim != source[0]:
            return False
    return True


def _spread(groups: list[Group], left: list[int], box: Ints) -> Ints:
    """A box over the result dimensions of each group, last dimension first; an excess goes to the first one."""
    spread = [1] * len(left)
    for source, dims in groups:
        elements = prod(box[dim] for dim in source)
        for dim in reversed(dims):
            spread[dim] = min(elements, left[dim])
            elements //= spread[dim]
            left[dim] //= spread[dim]
        spread[dims[0]] *= elements
    return tuple(spread)
