"""Exchanging the elements of a value between the lanes of a warp with shuffles.

In one shuffle every lane publishes one of its registers and reads what one lane publishes.  A conversion with n
registers takes n rounds; in round k lane l fills its register

    target register  k xor f(l)      from lane  s  =  l's source lane,  which publishes its register  k' xor g(s)

with linear f and g.  They exist if the set of places {(f(l), l)} meets each register of the target once and, seen from
the source, each register of the source once: a common complement of two subspaces.  It pairs the vectors in which they
differ (the construction of the paper Linear Layouts, Zhou et al., 2025, for swizzling).

A round in which every lane reads itself needs no shuffle: exchanging one bit of the register with one of the lane takes
half of the rounds.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import ttkit.layout.gf2 as gf2
from ttkit.layout.conversion_plan import Movement, plan_conversion
from ttkit.layout.linear import LinearLayout


class Round(NamedTuple):
    """One exchange: lane l reads register `published(s)` of lane s = `source_lane(l)` into register `filled(l)`.

    Each function is linear in the lane up to a constant.
    """

    filled: Affine
    source_lane: Affine
    published: Affine

    @property
    def lane_mask(self) -> int | None:
        """The m of a butterfly shuffle, if lane l reads lane l xor m."""
        return self.source_lane.constant if self.source_lane.is_unit else None


class Affine(NamedTuple):
    """x -> constant xor the XOR of basis[i] over the set bits i of x."""

    constant: int
    basis: tuple[int, ...]

    def __call__(self, value: int) -> int:
        return self.constant ^ gf2.combine(self.basis, value)

    @property
    def is_unit(self) -> bool:
        """Whether it is x xor constant."""
        return self.basis == tuple(1 << bit for bit in range(len(self.basis)))

    @property
    def is_identity(self) -> bool:
        """Whether it maps each index to itself."""
        return self.is_unit and self.constant == 0


@lru_cache(maxsize=1024)
def plan_shuffles(source: LinearLayout, target: LinearLayout) -> tuple[Round, ...] | None:
    """The rounds that convert from `source` to `target`, one for each register of the target.

    Both without registers that hold copies.  None if elements leave their warp, or if the target's lanes need so many
    registers of a source lane that one round cannot serve them.  Cached.
    """
    plan = plan_conversion(source, target)
    if plan.movement > Movement.LANES:
        return None
    registers, lanes = target.bits_in("register"), target.bits_in("lane")
    if lanes != source.bits_in("lane"):
        return None
    places = _staying_close(source, plan.places)
    register_mask = source.in_size("register") - 1
    lane_shift, lane_mask = source.bits_in("register"), source.in_size("lane") - 1
    # Both index register and lane of the target: bits 0 .. registers-1, and the lanes above.
    register_space = [1 << bit for bit in range(registers)]
    same_lane = _preimage(places[: registers + lanes], lane_mask << lane_shift)
    together = _common_complement(register_space, same_lane, places, registers, registers + lanes)
    if together is None:
        return None

    def placed(index: int) -> tuple[int, int]:
        """Register and lane of the source for register and lane of the target, packed into `index`."""
        packed = gf2.combine(places, index)
        return packed & register_mask, packed >> lane_shift & lane_mask

    fill = gf2.Span(vector >> registers for vector in together)
    by_lane = [gf2.combine(together, fill.combination(1 << bit) or 0) for bit in range(lanes)]
    filled = tuple(vector & (1 << registers) - 1 for vector in by_lane)
    read = [placed(vector) for vector in by_lane]
    # g, on the lanes that are read; those that nobody reads publish anything.
    lane_units = [1 << bit for bit in range(lanes)]
    reached = gf2.Span([*(lane for _, lane in read), *lane_units])
    known = [*(register for register, _ in read), *[0] * lanes]
    publish = [gf2.combine(known, reached.combination(unit) or 0) for unit in lane_units]
    rounds = []
    for number in range(1 << registers):
        register, lane = placed(number)
        # Lane s is read by the lanes whose source is s; the constant moves both which lane and which register.
        rounds.append(
            Round(
                Affine(number, filled),
                Affine(lane, tuple(source_lane for _, source_lane in read)),
                Affine(register ^ gf2.combine(publish, lane), tuple(publish)),
            )
        )
    return tuple(rounds)


class Packing(NamedTuple):
    """Elements that travel together, several in a word of 32 bits or less.

    source, target: the layouts of words.
    elements: of a word.
    source_order, target_order: the registers of elements, word by word.
    """

    source: LinearLayout
    target: LinearLayout
    elements: int
    source_order: tuple[int, ...]
    target_order: tuple[int, ...]


@lru_cache(maxsize=1024)
def plan_packing(source: LinearLayout, target: LinearLayout, element_bits: int) -> Packing | None:
    """Which elements can travel together: those that are registers of one thread on both sides.

    Both without registers that hold copies.  None if there are none, or elements have 32 bits and more.  Cached.
    """
    wanted = max(1, 32 // element_bits).bit_length() - 1
    of_source, of_target = source.columns_of("register"), target.columns_of("register")
    together = [column for column in of_source if column in of_target][:wanted]
    if not together:
        return None
    words = [
        layout.with_columns("register", [column for column in columns if column not in together])
        for layout, columns in ((source, of_source), (target, of_target))
    ]
    reached = gf2.Span(words[0].columns)
    if not all(column in reached for column in words[1].columns):
        return None
    orders = []
    for columns in (of_source, of_target):
        bits = [columns.index(column) for column in together]
        bits += [bit for bit in range(len(columns)) if bit not in bits]
        orders.append(tuple(gf2.all_values([1 << bit for bit in bits])))
    return Packing(words[0], words[1], 1 << len(together), orders[0], orders[1])


def _staying_close(source: LinearLayout, places: LinearLayout) -> list[int]:
    """The columns of `places` (register, lane), reading the own lane rather than another that has the same element."""
    register_bits = places.bits_in("register")
    columns = list(places.columns_of("register") + places.columns_of("lane"))
    kernel = source.span.dependent
    start = source.bits_in("register")
    for bit in range(source.bits_in("lane")):
        for relation in kernel:
            is_of_bit = relation.bit_length() - 1 == start + bit
            if is_of_bit and not columns[register_bits + bit] >> start + bit & 1:
                columns[register_bits + bit] ^= relation
    return columns


def _preimage(columns: list[int], mask: int) -> list[int]:
    """A basis of the indices whose image has no bit of `mask`."""
    return gf2.reduced(gf2.Span(column & mask for column in columns).dependent)


def _common_complement(
    first: list[int], second: list[int], places: list[int], registers: int, bits: int
) -> list[int] | None:
    """A basis of a space that, with `first`, spans all and meets it only in 0.

    What it has in common with `second` has no image.  None if there is no such space.
    """
    both = gf2.intersection(first, second)
    only_first = _extension(both, first)
    empty = gf2.reduced(gf2.Span(places[:bits]).dependent)
    only_second = _extension([*both, *empty], second)
    if len(only_second) > len(only_first):
        return None
    paired = [a ^ b for a, b in zip(only_first, only_second)]
    known = [*first, *second]
    units = [1 << bit for bit in range(registers, bits)]
    rest = _extension(known, units)
    return [*empty, *paired, *rest]


def _extension(inner: list[int], outer: list[int]) -> list[int]:
    """Vectors of `outer` that, with `inner`, span both and are independent."""
    span = gf2.Span([*inner, *outer])
    return [vector for bit, vector in enumerate(outer) if span.independent >> len(inner) + bit & 1]
