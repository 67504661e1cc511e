"""Coordinates along several dimensions, whose sizes are powers of two, as one int: the first dimension lowest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

Dims = tuple[tuple[str, int], ...]  # (name, number of bits) of each dimension, in order


def log2(size: int) -> int:
    """Raises ValueError if `size` is no power of two."""
    if size <= 0 or size & (size - 1):
        raise ValueError(f"sizes must be powers of two, got {size}")
    return size.bit_length() - 1


def sizes(dims: Dims) -> list[tuple[str, int]]:
    """Name and size of each dimension."""
    return [(name, 1 << bits) for name, bits in dims]


def pack(coordinates: Sequence[int], dims: Dims) -> int:
    """One number for a coordinate of each of `dims`, the first in the lowest bits."""
    packed, shift = 0, 0
    for value, (_, bits) in zip(coordinates, dims):
        packed |= value << shift
        shift += bits
    return packed


def unpack(packed: int, dims: Dims) -> tuple[int, ...]:
    """The coordinates in a packed number."""
    coordinates = []
    for _, bits in dims:
        coordinates.append(packed & (1 << bits) - 1)
        packed >>= bits
    return tuple(coordinates)


def repack(columns: Iterable[int], old: Dims, new: Dims, scale_bits: Mapping[str, int] | None = None) -> Sequence[int]:
    """`columns`, packed for dimensions `old`, packed for `new`: what `new` lacks is dropped, what does not fit wraps.

    scale_bits: coordinates of these dimensions are shifted by so many bits.
    """
    if old == new and not scale_bits:
        return tuple(columns)
    place, start = {}, 0
    for name, bits in new:
        place[name] = start, bits
        start += bits
    moves, start = [], 0
    for name, bits in old:
        if name in place and bits:
            target, room = place[name]
            scale = scale_bits.get(name, 0) if scale_bits else 0
            mask = (1 << min(bits, max(0, room - scale))) - 1
            moves.append((mask << start, target + scale - start))
        start += bits
    repacked = []
    for column in columns:
        moved = 0
        for mask, shift in moves:
            part = column & mask
            moved |= part << shift if shift >= 0 else part >> -shift
        repacked.append(moved)
    return repacked


def merged(inner: Dims, outer: Dims) -> Dims:
    """The dimensions of both, inner's first; bits add up."""
    bits = dict(inner)
    for name, more in outer:
        bits[name] = bits.get(name, 0) + more
    return tuple(bits.items())
