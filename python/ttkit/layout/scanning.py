"""Places of the bits of the coordinate along a dimension in a layout, for scans along it.

A scan takes a step for each bit of the coordinate, lowest first.  In the step for bit b an element needs the value of
the last element of the block of 2**b before its own.  Suppose that each bit of the coordinate is one bit of the
register, lane or warp, and that a warp has the whole of both blocks.  Then the value is in another register or lane,
which differs in known bits (`AxisBit`).  Larger blocks need the totals of all blocks before them (`Blocks`).  In all
other layouts elements are found by their coordinates, in shared memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from ttkit.layout.linear import LinearLayout
from ttkit.layout.tile import DISTRIBUTED
from ttkit.records import dataclass


class AxisBit(NamedTuple):
    """Place of one bit of the coordinate along the axis: an in-dim of the layout, and a bit of it."""

    in_dim: str
    bit: int


@dataclass(frozen=True)
class Blocks:
    """Blocks that warps have scanned alone, and the way of their totals to all.

    Attributes:
        bits: where those bits of the coordinate are that number the blocks, lowest first: registers and warps.
        source: register, lane, warp, block -> offset: the block of an element, with its other coordinates.
        target: the same for what a thread needs, all blocks in registers; their numbers are the highest bits.
        registers, lanes: masks of the bits within a block.
    """

    bits: tuple[AxisBit, ...]
    source: LinearLayout
    target: LinearLayout
    registers: int
    lanes: int

    @property
    def count(self) -> int:
        """Number of blocks."""
        return 1 << len(self.bits)

    def over_lanes(self) -> tuple[LinearLayout, tuple[AxisBit, ...]]:
        """`target` with as many blocks as possible in other lanes along the axis, and where the numbers' bits are then.

        Lanes take the lowest bits of the numbers, and registers the others.
        """
        own = self.target.columns_of("register")
        others = len(own) - len(self.bits)
        lanes = list(self.target.columns_of("lane"))
        places = [AxisBit("lane", bit) for bit in range(len(lanes)) if self.lanes >> bit & 1][: len(self.bits)]
        for place, column in zip(places, own[others:]):
            lanes[place.bit] = column
        registers = [*own[:others], *own[others + len(places) :]]
        places += [AxisBit("register", bit) for bit in range(others, len(registers))]
        return self.target.with_columns("lane", lanes).with_columns("register", registers), tuple(places)

    def mask(self, in_dim: str) -> int:
        """The bits of `in_dim` that number blocks."""
        return sum(1 << place.bit for place in self.bits if place.in_dim == in_dim)

    def number(self, in_dim: str, index: int) -> int:
        """The bits of a block's number that a register or warp decides."""
        return sum((index >> place.bit & 1) << bit for bit, place in enumerate(self.bits) if place.in_dim == in_dim)


class Scan(NamedTuple):
    """bits: where those of the coordinate are within a warp, lowest first; None if elements are found by coordinates.
    blocks: what comes after them; None if a warp has the whole axis.
    shift: where the coordinate begins among packed ones.  steps: bits of the coordinate.
    stored_elements: how many pass through shared memory at once.
    """

    bits: tuple[AxisBit, ...] | None
    blocks: Blocks | None
    shift: int
    steps: int
    stored_elements: int


def lanes_at_once(bits: Sequence[AxisBit]) -> range:
    """The steps over lanes that a thread takes for the last of its elements alone, before all its elements follow.

    They are two or more, after at least one over registers.  Their bits ascend in the lane's number, so that the lane
    before is found by subtraction.
    """
    start = next((step for step, place in enumerate(bits) if place.in_dim == "lane"), len(bits))
    stop = start
    while stop < len(bits) and bits[stop].in_dim == "lane" and (stop == start or bits[stop].bit > bits[stop - 1].bit):
        stop += 1
    return range(start, stop) if start and stop - start > 1 else range(len(bits), len(bits))


@lru_cache(maxsize=512)
def plan_scan(layout: LinearLayout, axis: int) -> Scan:
    """Plan a scan along dimension number `axis` of a tensor.  Cached."""
    name = f"dim{axis}"
    along = layout.mask([name])
    shift = (along & -along).bit_length() - 1 if along else 0
    steps = layout.bits_out(name)
    bits = _axis_bits(layout, along, shift)
    if bits is not None:
        in_warp = next((step for step, place in enumerate(bits) if place.in_dim not in ("register", "lane")), steps)
        if in_warp == steps:
            return Scan(bits, None, shift, steps, 0)
        if all(place.in_dim in ("register", "warp") for place in bits[in_warp:]):
            blocks = _blocks(layout, bits, in_warp, shift)
            return Scan(bits[:in_warp], blocks, shift, steps, blocks.source.out_size("offset"))
    return Scan(None, None, shift, steps, 1 << layout.out_bits if steps else 0)


def _blocks(layout: LinearLayout, bits: tuple[AxisBit, ...], in_warp: int, shift: int) -> Blocks:
    """The blocks of elements whose coordinates agree but for the lowest `in_warp` bits."""
    below = (1 << shift) - 1
    outs = (("offset", layout.out_bits - in_warp),)
    columns = [
        0 if 0 < column >> shift < 1 << in_warp else column & below | column >> shift + in_warp << shift
        for column in layout.columns
    ]
    source = LinearLayout(layout.ins, outs, tuple(columns))
    numbering = [1 << shift + bit for bit in range(len(bits) - in_warp)]
    ins, wanted = [], []
    for name in layout.in_dims:
        own = [0 if column in numbering else column for column in source.columns_of(name)]
        if name == "register":
            own = [*filter(None, own), *numbering]
        ins.append((name, len(own)))
        wanted += own
    low = bits[:in_warp]
    return Blocks(
        bits[in_warp:],
        source,
        LinearLayout(tuple(ins), outs, tuple(wanted)),
        sum(1 << place.bit for place in low if place.in_dim == "register"),
        sum(1 << place.bit for place in low if place.in_dim == "lane"),
    )


def _axis_bits(layout: LinearLayout, along: int, shift: int) -> tuple[AxisBit, ...] | None:
    found: dict[int, AxisBit] = {}
    for in_dim in DISTRIBUTED:
        for bit, column in enumerate(layout.columns_of(in_dim)):
            if not column & along:
                continue
            position = (column >> shift).bit_length() - 1
            if column != 1 << position + shift or position in found:
                return None
            found[position] = AxisBit(in_dim, bit)
    return tuple(found[position] for position in range(len(found)))
