"""Building a layout piece by piece, fastest bits first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ttkit.layout.encoding_base import Bases, Ints, bits_per_dimension
from ttkit.layout.linear import LinearLayout
from ttkit.layout.packing import log2, pack

_DIM_BITS = 40  # of a packed number here, more than a coordinate has: tiles may be larger than the tensor

DISTRIBUTED = ("register", "lane", "warp", "block")
SHARED = ("offset", "block")


class Tile:
    """The layout of the first elements of a tensor, to be repeated over all of it.

    sizes: elements per dimension so far.
    """

    def __init__(self, rank: int, in_dims: Iterable[str]) -> None:
        self.sizes = [1] * rank
        self.columns: dict[str, list[int]] = {name: [] for name in in_dims}

    def append(self, in_dim: str, dim: int, size: int) -> Tile:
        """The next bits of `in_dim` count `size` steps along `dim`, each as long as all there is."""
        columns, shift = self.columns[in_dim], dim * _DIM_BITS
        end = self.sizes[dim] * size
        step = self.sizes[dim]
        while step < end:
            columns.append(step << shift)
            step *= 2
        self.sizes[dim] = max(end, self.sizes[dim])
        return self

    def append_box(self, in_dim: str, shape: Sequence[int], order: Iterable[int], copies_along: int = -1) -> Tile:
        """append() for each dimension, in `order`; steps along `copies_along` are copies instead."""
        for dim in order:
            if dim == copies_along:
                self.broadcast(in_dim, shape[dim])
            else:
                self.append(in_dim, dim, shape[dim])
        return self

    def broadcast(self, in_dim: str, size: int) -> Tile:
        """The next bits of `in_dim`, `size` values of it, all hold the same element."""
        self.columns[in_dim] += [0] * (size.bit_length() - 1)
        return self

    def append_basis(self, in_dim: str, basis: Sequence[int]) -> Tile:
        """One more bit of `in_dim`, which moves to `basis`.  Grows the tile to hold it."""
        packed = 0
        for dim, value in enumerate(basis):
            packed |= value << dim * _DIM_BITS
            self.sizes[dim] = max(self.sizes[dim], 1 << value.bit_length())
        self.columns[in_dim].append(packed)
        return self

    def grow(self, in_dim: str, shape: Sequence[int], order: Iterable[int]) -> Tile:
        """Repeats the tile, over more values of `in_dim`, until it is at least as large as `shape`."""
        for dim in order:
            self.append(in_dim, dim, shape[dim] // self.sizes[dim])
        return self

    def cover(self, in_dim: str, shape: Sequence[int], cga: Bases, order: Iterable[int]) -> LinearLayout:
        """The layout of a tensor of `shape` over a cluster.

        Each CTA repeats the tile, over more values of `in_dim`, until it has its part of the tensor, or holds a smaller
        part several times; `cga` says which CTA has which part.
        """
        rank = len(shape)
        parts = [max(((basis[dim] & shape[dim] - 1).bit_length() for basis in cga), default=0) for dim in range(rank)]
        part_shape = [size >> bits for size, bits in zip(shape, parts)]
        self.grow(in_dim, part_shape, order)
        dims = dims_of(shape)
        blocks = tuple(
            pack([(value & shape[dim] - 1) * part_shape[dim] for dim, value in enumerate(basis)], dims) for basis in cga
        )
        ins: list[tuple[str, int]] = []
        columns: list[int] = []
        for name, of_dim in self.columns.items():
            bases = blocks if name == "block" else self._finished(of_dim, part_shape, shape)
            ins.append((name, len(bases)))
            columns += bases
        return LinearLayout(tuple(ins), dims, tuple(columns))

    def finish(self, shape: Sequence[int]) -> LinearLayout:
        """The tile as the layout of a tensor of `shape`; coordinates outside wrap around."""
        columns = tuple(c for of_dim in self.columns.values() for c in self._finished(of_dim, shape, shape))
        return LinearLayout(tuple((name, len(c)) for name, c in self.columns.items()), dims_of(shape), columns)

    def _finished(self, columns: Iterable[int], part: Sequence[int], shape: Sequence[int]) -> list[int]:
        """Columns packed for `shape`; coordinates outside of `part` wrap around."""
        moves = []
        shift = 0
        for dim, size in enumerate(shape):
            moves.append((dim * _DIM_BITS, part[dim] - 1, shift))
            shift += size.bit_length() - 1
        finished = []
        for column in columns:
            packed = 0
            for source, mask, target in moves:
                packed |= (column >> source & mask) << target
            finished.append(packed)
        return finished


def dims_of(shape: Iterable[int]) -> tuple[tuple[str, int], ...]:
    """dim0, dim1, ... with the bits of `shape`.  Raises ValueError if a size is no power of two."""
    return tuple((f"dim{dim}", log2(size)) for dim, size in enumerate(shape))


def part_of_cta(shape: Sequence[int], cga: Bases) -> Ints:
    """The shape of what one CTA holds; at least 1 in each dimension."""
    return tuple(max(1, size >> bits) for size, bits in zip(shape, bits_per_dimension(cga, len(shape))))


def part_of_block(shape: Sequence[int], bases: Bases) -> Ints:
    """The shape of what one CTA holds, where each basis that moves along a dimension, by any step, halves it."""
    return tuple(max(1, size >> sum(basis[dim] != 0 for basis in bases)) for dim, size in enumerate(shape))


def matrix_order(rank: int, row_major: bool = True) -> list[int]:
    """[rank-1, ..., 1, 0], or with the first two exchanged where the matrix in the last two is column-major."""
    order = list(reversed(range(rank)))
    if not row_major and rank >= 2:
        order[0], order[1] = order[1], order[0]
    return order
