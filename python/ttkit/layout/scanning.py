"""Places of the bits of the coordinate along a dimension in a layout, for scans along it.

A scan takes a step for each bit of the coordinate, lowest first.  In the step for bit b an element needs what the last
element of the block of 2**b in front of its own has.  Where each bit of the coordinate is one bit of the register,
lane, warp or CTA, that is in another register, lane, warp or CTA that differs in known bits (`AxisBit`).  In all other
layouts elements are found by their coordinates, in shared memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from ttkit.layout.linear import LinearLayout

LEVELS = ("register", "lane", "warp", "block")


@dataclass(frozen=True)
class AxisBit:
    """Place of one bit of the coordinate along the axis: an in-dim of the layout, and a bit of it."""

    in_dim: str
    bit: int


@dataclass(frozen=True)
class Scan:
    """bits: where those of the coordinate are, lowest first; None if the layout mixes them or holds elements twice.
    shift: where the coordinate begins among packed ones.  steps: bits of the coordinate.
    stored_elements: how many pass through shared memory at once.
    """

    bits: tuple[AxisBit, ...] | None
    shift: int
    steps: int
    stored_elements: int


@lru_cache(maxsize=512)
def plan_scan(layout: LinearLayout, axis: int) -> Scan:
    """Plan a scan along dimension number `axis` of a tensor.  Cached."""
    name = f"dim{axis}"
    along = layout.mask([name])
    shift = (along & -along).bit_length() - 1 if along else 0
    steps = layout.bits_out(name)
    bits = _axis_bits(layout, along, shift)
    if bits is None:
        return Scan(None, shift, steps, 1 << layout.out_bits if steps else 0)
    stored = max((_stored(layout, bits, step) for step in range(steps)), default=0)
    return Scan(bits, shift, steps, stored)


def _axis_bits(layout: LinearLayout, along: int, shift: int) -> tuple[AxisBit, ...] | None:
    found: dict[int, AxisBit] = {}
    for in_dim in LEVELS:
        for bit, column in enumerate(layout.columns_of(in_dim)):
            if not column & along:
                continue
            position = (column >> shift).bit_length() - 1
            if column != 1 << position + shift or position in found:
                return None
            found[position] = AxisBit(in_dim, bit)
    return tuple(found[position] for position in range(len(found)))


def _stored(layout: LinearLayout, bits: tuple[AxisBit, ...], step: int) -> int:
    """Elements that step `step` stores: one for the registers and lanes that differ in lower bits of the axis."""
    lower, own = bits[:step], bits[step]
    if not any(bit.in_dim in ("warp", "block") for bit in (*lower, own)):
        return 0
    registers = sum(bit.in_dim == "register" for bit in (*lower, own))
    lanes = sum(bit.in_dim == "lane" for bit in lower)
    return (layout.in_size("register") >> registers) * (layout.in_size("lane") >> lanes) * layout.in_size("warp")
