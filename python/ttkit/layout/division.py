"""Dividing a linear layout by its fastest part, e.g. the elements that one instruction moves: A = tile * rest.

A register's number means nothing to the hardware, so registers may be renumbered first.
"""

from __future__ import annotations

from collections.abc import Sequence

from ttkit.layout.linear import LinearLayout
from ttkit.layout.packing import Dims, pack, repack


def divide_left(layout: LinearLayout, tile: LinearLayout) -> LinearLayout | None:
    """The layout `rest` with layout = tile * rest, with all dimensions of `layout`; None if there is none."""
    if not _fits(layout, tile):
        return None
    ins, outs = _smaller(layout.ins, tile), _smaller(layout.outs, tile, of_outs=True)
    inner_bits = [tile.bits_out(name) for name in layout.out_dims]
    rest: list[int] = []
    for name in layout.in_dims:
        of_dim, inner = layout.columns_of(name), tile.bits_in(name)
        if tuple(repack(tile.columns_of(name), tile.outs, layout.outs)) != of_dim[:inner]:
            return None
        for column in of_dim[inner:]:
            coordinates = list(zip(layout.unpack(column), inner_bits))
            if any(value & (1 << bits) - 1 for value, bits in coordinates):
                return None
            rest.append(pack([value >> bits for value, bits in coordinates], outs))
    return LinearLayout(ins, outs, tuple(rest))


def with_registers(layout: LinearLayout, order: Sequence[int]) -> LinearLayout:
    """`layout` with its register bits in this order: bit i of the new register index is bit order[i] of the old."""
    columns = layout.columns_of("register")
    return layout.with_columns("register", [columns[bit] for bit in order])


def _fits(layout: LinearLayout, tile: LinearLayout) -> bool:
    return all(layout.has_in_dim(name) and bits <= layout.bits_in(name) for name, bits in tile.ins) and all(
        layout.has_out_dim(name) and bits <= layout.bits_out(name) for name, bits in tile.outs
    )


def _smaller(dims: Dims, tile: LinearLayout, of_outs: bool = False) -> Dims:
    taken = tile.bits_out if of_outs else tile.bits_in
    return tuple((name, bits - taken(name)) for name, bits in dims)
