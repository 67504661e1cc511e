"""Blocked layouts that spread a tensor over all threads, as Triton chooses them."""

import functools
from collections.abc import Sequence
from math import prod

from ttkit.layout.clusters import cga_bases
from ttkit.layout.encodings import Bases, Blocked
from ttkit.layout.tile import part_of_cta


def blocked(
    shape: Sequence[int],
    size_per_thread: Sequence[int],
    order: Sequence[int],
    num_warps: int,
    threads_per_warp: int,
    num_ctas: int = 1,
) -> Blocked:
    """The layout whose threads, then warps, follow `order` through `shape` and take up all of each dimension.

    CTAs do so in the opposite order.  What is left over when a dimension is full goes to the next one, and in the end
    to the last: those threads and warps repeat elements.

    Args:
        shape: elements per dimension.
        size_per_thread: elements of a thread's box, per dimension.
        order: dimensions, fastest first.
    """
    ctas, splits = _spread_ctas(shape, size_per_thread, order, num_ctas)
    bases = cga_bases(ctas, splits, order)
    return blocked_in_ctas(shape, size_per_thread, order, num_warps, threads_per_warp, bases)


def blocked_in_ctas(
    shape: Sequence[int],
    size_per_thread: Sequence[int],
    order: Sequence[int],
    num_warps: int,
    threads_per_warp: int,
    cga_layout: Bases,
) -> Blocked:
    """As `blocked`, for CTAs that lie as `cga_layout` says."""
    bases = tuple(map(tuple, cga_layout))
    return _blocked_in_ctas(tuple(shape), tuple(size_per_thread), tuple(order), num_warps, threads_per_warp, bases)


@functools.lru_cache(1024)
def _blocked_in_ctas(
    shape: tuple[int, ...],
    size_per_thread: tuple[int, ...],
    order: tuple[int, ...],
    num_warps: int,
    threads_per_warp: int,
    cga_layout: Bases,
) -> Blocked:
    """The layout, made once: the accesses of a kernel have few shapes."""
    per_cta = part_of_cta(shape, cga_layout)
    threads, warps = [1] * len(shape), [1] * len(shape)
    lanes_left, warps_left, threads_left = threads_per_warp, num_warps, num_warps * threads_per_warp
    for d in order[:-1]:
        wanted = _clamp(threads_left, 1, max(1, per_cta[d] // size_per_thread[d]))
        threads[d] = _clamp(wanted, 1, lanes_left)
        warps[d] = _clamp(wanted // threads[d], 1, warps_left)
        warps_left //= warps[d]
        lanes_left //= threads[d]
        threads_left //= wanted
    threads[order[-1]] = threads_per_warp // prod(threads)
    warps[order[-1]] = num_warps // prod(warps)
    return Blocked(size_per_thread, tuple(threads), tuple(warps), order, cga_layout)


def default_blocked(shape: Sequence[int], num_warps: int, threads_per_warp: int, num_ctas: int = 1) -> Blocked:
    """The layout of one element a thread, along the last dimension first, that tensors have at first."""
    return _default_blocked(tuple(shape), num_warps, threads_per_warp, num_ctas)


@functools.lru_cache(256)
def _default_blocked(shape: tuple[int, ...], num_warps: int, threads_per_warp: int, num_ctas: int) -> Blocked:
    order = range(len(shape))[::-1]
    return blocked(shape, [1] * len(shape), order, num_warps, threads_per_warp, num_ctas)


def default_dot_blocked(shape: Sequence[int], num_warps: int, threads_per_warp: int, num_ctas: int = 1) -> Blocked:
    """The layout of the result of a matrix product without tensor cores: up to 4 x 4 elements a thread."""
    rank = len(shape)
    per_thread = prod(shape) // (num_warps * threads_per_warp)
    side = 4 if per_thread >= 16 else 2 if per_thread >= 4 else 1
    sizes = [1] * (rank - 2) + [min(side, size) for size in shape[-2:]]
    return blocked(shape, sizes, range(rank)[::-1], num_warps, threads_per_warp, num_ctas)


def _spread_ctas(
    shape: Sequence[int], size_per_thread: Sequence[int], order: Sequence[int], num_ctas: int
) -> tuple[list[int], list[int]]:
    """CTAs along each dimension, slowest dimension first, and among how many of them the dimension is divided."""
    ctas, left = [1] * len(shape), num_ctas
    for d in reversed(order):
        ctas[d] = _clamp(left, 1, max(1, shape[d] // size_per_thread[d]))
        left //= ctas[d]
    splits = list(ctas)
    ctas[-1] *= left
    return ctas, splits


def _clamp(value: int, low: int, high: int) -> int:
    return max(low, min(value, high))
