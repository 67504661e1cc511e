"""Cost of a conversion from one distributed layout to another: registers, shuffles or shared memory.

The conversion is itself a linear map: `target.invert_and_compose(source)` says for each place (register, lane, warp,
block) of the target where the source has that element.  Where that map is the identity on a dimension and mixes it with
no other, nothing crosses that dimension, and the hardware needs less:

    crosses nothing        no code at all: the same registers
    register               each thread renumbers its registers
    lane (and register)    lanes of a warp exchange: shuffles
    warp                   warps of a CTA exchange: shared memory
    block                  CTAs of a cluster exchange: distributed shared memory

Dimensions are tried slowest first, because a conversion that moves warps makes all that is faster part of the exchange.
"""

from __future__ import annotations

from enum import IntEnum
from functools import cached_property, lru_cache

from ttkit.layout.linear import LinearLayout
from ttkit.records import dataclass


class Movement(IntEnum):
    """Levels of the hardware that the elements of a value cross; each includes those before it."""

    NONE = 0
    REGISTERS = 1
    LANES = 2
    WARPS = 3
    BLOCKS = 4


_CROSSED = {"register": Movement.REGISTERS, "lane": Movement.LANES, "warp": Movement.WARPS, "block": Movement.BLOCKS}


@dataclass(frozen=True)
class Conversion:
    """A change of layout.

    places: place in the target -> place in the source, all dimensions.
    movement: what is crossed.
    """

    source: LinearLayout
    target: LinearLayout
    places: LinearLayout
    movement: Movement

    @property
    def is_no_op(self) -> bool:
        """Whether no element leaves its register."""
        return self.movement == Movement.NONE

    @property
    def uses_shuffles(self) -> bool:
        """Whether lanes exchange by shuffles.

        As in Triton, a conversion that exchanges two or more bits of the lane with bits of the register goes through
        shared memory instead: each such bit doubles the selects around the shuffles.
        """
        return self.movement == Movement.LANES and self.exchanged_bits < 2

    @property
    def needs_shared_memory(self) -> bool:
        """Whether elements go from warp to warp, or from lane to lane in a way that shuffles don't serve."""
        return self.movement >= Movement.LANES and not self.uses_shuffles

    @cached_property
    def exchanged_bits(self) -> int:
        """Number of register bits that become lane bits; as many lane bits become register bits."""
        return _exchanged_bits(self.source, self.target)

    def source_registers(self) -> list[int]:
        """For each register of the target the register of the source to copy; for movement up to REGISTERS."""
        return [packed & self.source.in_size("register") - 1 for packed in self.places.values("register")]


@lru_cache(maxsize=4096)
def plan_conversion(source: LinearLayout, target: LinearLayout) -> Conversion:
    """Plan the conversion of a tensor from layout `source` to layout `target`.  Cached.

    Raises ValueError if they are not layouts of tensors of one shape.
    """
    if source.outs != target.outs:
        raise ValueError(f"layouts of different tensors: {source.shape} and {target.shape}")
    if source == target:
        bits = source.in_bits
        places = LinearLayout(source.ins, source.ins, tuple(1 << bit for bit in range(bits)))
        return Conversion(source, target, places, Movement.NONE)
    places = target.invert_and_compose(source)
    return Conversion(source, target, places, _movement(places))


def _movement(places: LinearLayout) -> Movement:
    """The slowest dimension of `places` that is not the identity, or mixes with one that is as fast or faster."""
    end, source_end, columns = places.in_bits, places.out_bits, places.columns
    for (name, bits), (source_name, source_bits) in zip(reversed(places.ins), reversed(places.outs)):
        start, source_start = end - bits, source_end - source_bits
        if (name, bits) != (source_name, source_bits):
            return _CROSSED[name]
        if any(columns[start + bit] != 1 << source_start + bit for bit in range(bits)):
            return _CROSSED[name]
        if any(column >> source_start for column in columns[:start]):
            return _CROSSED[name]
        end, source_end = start, source_start
    return Movement.NONE


def _exchanged_bits(source: LinearLayout, target: LinearLayout) -> int:
    """The register bits of the source that are lane bits of the target.

    Bits that hold copies may go anywhere: to themselves if they do in both layouts, else to a free bit of the target,
    in order.
    """
    parts = []
    for layout in (source, target):
        part = layout.remove_zero_bases("register").sublayout(["register", "lane"], layout.out_dims)
        parts.append(part.transpose_ins(["register", "lane"]))
    for name in ("register", "lane"):
        size = max(part.in_size(name) for part in parts)
        parts = [part.resize_in(name, size) for part in parts]
    first, second = parts
    registers = first.bits_in("register")
    landed = list(first.invert_and_compose(second).columns)
    free = [bit for bit in range(first.in_bits) if second.columns[bit] == 0 and first.columns[bit] != 0]
    for bit, column in enumerate(first.columns):
        if column == 0 and second.columns[bit] == 0:
            landed[bit] = 1 << bit
        elif column == 0 and free:
            landed[bit] = 1 << free.pop(0)
    return sum(1 for bit in range(registers) if landed[bit] >> registers)
