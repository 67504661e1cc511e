"""Dividing linear layouts: what remains of one when a tile of it is factored out.

    A = tile * rest    divide_left: the tile is the fastest part, e.g. the elements that one instruction moves
    A = rest * tile    divide_right: the tile is the slowest part, e.g. the repetitions of a whole exchange

A register's number means nothing to the hardware, so registers may be renumbered first: `registers_last` says how.
"""

from __future__ import annotations

from collections.abc import Sequence

from ttkit.layout.linear import LinearLayout
from ttkit.layout.packing import Dims, repack


def divide_left(layout: LinearLayout, tile: LinearLayout) -> LinearLayout | None:
    """The layout `rest` with layout = tile * rest, with all dimensions of `layout`; None if there is none."""
    if not _fits(layout, tile):
        return None
    ins, outs = _smaller(layout.ins, tile), _smaller(layout.outs, tile, of_outs=True)
    low = sum((1 << bits) - 1 << shift for bits, shift in _low_bits(layout, tile))
    columns: list[int] = []
    for name in layout.in_dims:
        of_dim, inner = layout.columns_of(name), tile.bits_in(name)
        if tuple(repack(tile.columns_of(name), tile.outs, layout.outs)) != of_dim[:inner]:
            return None
        if any(column & low for column in of_dim[inner:]):
            return None
        columns += of_dim[inner:]
    moved = LinearLayout(ins, layout.outs, tuple(columns))
    rest = tuple(_shifted_down(column, moved.outs, outs) for column in columns)
    return LinearLayout(ins, outs, rest)


def divide_right(layout: LinearLayout, tile: LinearLayout) -> LinearLayout | None:
    """The layout `rest` with layout = rest * tile, with all dimensions of `layout`; None if there is none."""
    if not _fits(layout, tile):
        return None
    ins, outs = _smaller(layout.ins, tile), _smaller(layout.outs, tile, of_outs=True)
    inner_bits = dict(outs)
    columns: list[int] = []
    for name, bits in ins:
        of_dim = layout.columns_of(name)
        scaled = repack(tile.columns_of(name), tile.outs, layout.outs, inner_bits)
        if tuple(scaled) != of_dim[bits:]:
            return None
        inner = repack(of_dim[:bits], layout.outs, outs)
        if tuple(repack(inner, outs, layout.outs)) != of_dim[:bits]:
            return None
        columns += inner
    return LinearLayout(ins, outs, tuple(columns))


def registers_last(layout: LinearLayout, tile: LinearLayout) -> tuple[int, ...] | None:
    """An order of the register bits in which those of `tile` come last; None if `layout` lacks one of them.

    With layout' = with_registers(layout, order), divide_right(layout', tile) has a chance.
    """
    inner = {name: bits - tile.bits_out(name) for name, bits in layout.outs}
    columns = layout.columns_of("register")
    found: list[int] = []
    for column in repack(tile.columns_of("register"), tile.outs, layout.outs, inner):
        bit = next((bit for bit, other in enumerate(columns) if other == column and bit not in found), None)
        if bit is None:
            return None
        found.append(bit)
    return (*(bit for bit in range(len(columns)) if bit not in found), *found)


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


def _low_bits(layout: LinearLayout, tile: LinearLayout) -> list[tuple[int, int]]:
    """For each out-dim the tile's bits in it, and where the dimension starts in packed coordinates."""
    found, start = [], 0
    for name, bits in layout.outs:
        found.append((tile.bits_out(name), start))
        start += bits
    return found


def _shifted_down(column: int, old: Dims, new: Dims) -> int:
    """Each coordinate without the low bits that `new` has fewer than `old`."""
    result, start, target = 0, 0, 0
    for (_, bits), (_, kept) in zip(old, new):
        coordinate = column >> start & (1 << bits) - 1
        result |= coordinate >> bits - kept << target
        start, target = start + bits, target + kept
    return result
