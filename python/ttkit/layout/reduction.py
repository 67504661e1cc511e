"""Which places of a layout combine their values, so that a dimension of the tensor is reduced.

An index is a number for register, lane, warp and CTA together.  All indices that hold elements with the same other
coordinates are one coset of a space W: those that move nothing but the *axis*.  A basis of a part of W that holds every
element of the axis once is enough: if, for each vector u of the basis, every index x combines its value with that of
x xor u, then every index has the total.

    u in the register alone      registers combine, one after another; one of them is enough from then on
    u in the lane                a butterfly shuffle, of the register that u says; far lanes first.  Lanes with several
                                 totals may divide them: each keeps half, and sends the other half (`divided`)
    u in the warp                through shared memory; all of these at once
    u in the CTA                 likewise, through the shared memory of each other

The basis is chosen so that as many vectors as possible are in the register alone, then in the lane.  No assumption is
made on the layout: a bit may move several coordinates, and elements may be held several times.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import ttkit.layout.gf2 as gf2
from ttkit.layout.linear import LinearLayout
from ttkit.layout.tile import DISTRIBUTED

SHARE_VECTOR_BITS = 2
"""Four elements, of 4 bytes each, are what a thread loads at once."""


class Butterfly(NamedTuple):
    """A step across lanes: each lane combines totals with those of the lane whose number differs by `mask`.

    published: for each total of a lane the register that the other lane combines it with.
    divides: the bit of a lane's number that says which half of its totals the lane keeps, the second where it is 1;
        it sends the others.  None if it keeps all.
    """

    published: tuple[int, ...]
    mask: int
    divides: int | None = None


class Reduction(NamedTuple):
    """Plan of a reduction: in registers, across lanes, then across warps through shared memory.

    registers: one of those that registers combine into each total of a thread: the first, in rising order.
    combined: for each of them all that are combined, itself first, in rising order.
    butterflies: the steps across lanes.
    slots: how many warps have to be combined, a power of two; those of all CTAs that have parts of the same element.
    places: register (what a lane stores after all steps), lane, warp, block -> offset: the element of the result,
        packed, times `slots`, plus the number of the warp among those, in which that of the CTA is highest.
    slots_of_cta: how many of them are in one CTA.
    kept: register (of `registers`), lane, warp, block -> the coordinates without the axis, which is squeezed out.
    """

    registers: tuple[int, ...]
    combined: tuple[tuple[int, ...], ...]
    butterflies: tuple[Butterfly, ...]
    slots: int
    slots_of_cta: int
    places: LinearLayout
    kept: LinearLayout

    @property
    def stored_elements(self) -> int:
        """Elements that pass through shared memory, with one value for each warp; 0 if none do."""
        return self.places.out_size("offset") if self.slots > 1 else 0

    def with_slots(self, elements: LinearLayout) -> LinearLayout:
        """As `places`, of a layout of elements to which registers are added: one for each slot."""
        shift = self.slots.bit_length() - 1
        ins = tuple((name, bits + (shift if name == "register" else 0)) for name, bits in elements.ins)
        columns: list[int] = []
        for name in elements.in_dims:
            columns += (column << shift for column in elements.columns_of(name))
            columns += (1 << bit for bit in range(shift if name == "register" else 0))
        return LinearLayout(ins, self.places.outs, tuple(columns))


@lru_cache(maxsize=512)
def plan_reduction(layout: LinearLayout, axis: int) -> Reduction:
    """Plan a reduction along dimension number `axis` of a tensor.  Cached."""
    layout = layout.transpose_ins([name for name in DISTRIBUTED if layout.has_in_dim(name)])
    name = f"dim{axis}"
    along = layout.mask([name])
    basis = _basis(layout, along)
    registers, lanes = layout.bits_in("register"), layout.bits_in("lane")
    warps = layout.bits_in("warp")
    # Registers with the same element count as one, of which the first is combined with others.
    copies = gf2.reduced(gf2.Span(layout.columns_of("register")).dependent)
    distinct = _Quotient(copies, registers)
    same = _Quotient([*distinct.vectors, *(v for v in basis if v < 1 << registers)], registers)
    combined: dict[int, list[int]] = {kept: [] for kept in same.representatives}
    for register in distinct.representatives:
        combined[same.of(register)].append(register)
    butterflies = []
    in_lanes = [v for v in basis if v >= 1 << registers and not v >> registers + lanes]
    for vector in sorted(in_lanes, reverse=True):
        published = tuple(same.of(register ^ vector & (1 << registers) - 1) for register in same.representatives)
        butterflies.append(Butterfly(published, vector >> registers))
    in_warps = [v for v in basis if v >> registers + lanes]
    in_ctas = [v for v in in_warps if v >> registers + lanes + warps]
    places, kept = _places(layout, name, basis[: len(basis) - len(in_warps)], in_warps, same.units)
    return Reduction(
        tuple(same.representatives),
        tuple(tuple(registers) for registers in combined.values()),
        tuple(butterflies),
        1 << len(in_warps),
        1 << len(in_warps) - len(in_ctas),
        places,
        kept,
    )


@lru_cache(maxsize=512)
def divided(plan: Reduction, least_stored: int, least_returned: int) -> Reduction:
    """A plan whose lanes divide their totals as long as that saves shuffles.

    With n totals a step takes n / 2 shuffles and n selections in place of n shuffles, and each later step has half the
    totals.  Where no shared memory follows, from which all load the totals, these come back in as many shuffles as
    there were; so two later steps have to gain from it.

    Each total is combined in the same order as without, by operations that commute.

    Args:
        plan: of `plan_reduction`.
        least_stored, least_returned: totals of a lane from which on lanes divide them, where they go to shared memory
            after the steps and where they come back.
    """
    if any(step.published != plan.registers for step in plan.butterflies):
        return plan  # lanes combine different registers
    least, later = (least_stored, 0) if plan.slots > 1 else (least_returned, 2)
    totals, places, steps = len(plan.registers), plan.places, []
    for number, step in enumerate(plan.butterflies):
        published = plan.registers[:totals]
        if totals < least or len(plan.butterflies) - number - 1 < later:
            steps.append(Butterfly(published, step.mask))
            continue
        bit = step.mask.bit_length() - 1
        steps.append(Butterfly(published, step.mask, bit))
        totals //= 2
        if plan.slots > 1:
            places = _divided_by_lane(places, bit)
    return plan._replace(butterflies=tuple(steps), places=places)


def _divided_by_lane(layout: LinearLayout, bit: int) -> LinearLayout:
    """A layout whose lanes hold, by a bit of their number, the first or the second half of the registers."""
    registers, lanes = list(layout.columns_of("register")), list(layout.columns_of("lane"))
    lanes[bit] ^= registers.pop()
    ins = tuple((name, size - (name == "register")) for name, size in layout.ins)
    rest = layout.columns[len(registers) + 1 + len(lanes) :]
    return LinearLayout(ins, layout.outs, (*registers, *lanes, *rest))


def packed_elements(layout: LinearLayout) -> LinearLayout:
    """register, lane, warp, block -> offset: the element of a tensor, packed."""
    return LinearLayout(layout.ins, (("offset", layout.out_bits),), layout.columns)


def shares(elements: LinearLayout) -> LinearLayout:
    """A layout of the same elements in which threads have shares, copies only where there are more threads.

    Registers come first, as many as the largest access has, then lanes: a warp's accesses are to consecutive elements
    where those of `elements` are.
    """
    registers = [column for column in elements.columns_of("register") if column]
    ordered = [*registers[:SHARE_VECTOR_BITS], *elements.columns_of("lane"), *registers[SHARE_VECTOR_BITS:]]
    ordered += elements.columns_of("warp")
    columns = gf2.independent(ordered)
    threads = elements.bits_in("lane") + elements.bits_in("warp")
    held = max(0, len(columns) - threads)
    first = min(SHARE_VECTOR_BITS, held)
    of_threads = columns[first : first + threads]
    of_threads += [0] * (threads - len(of_threads))
    ins = tuple((name, held if name == "register" else bits) for name, bits in elements.ins)
    blocks = elements.columns_of("block") if elements.has_in_dim("block") else ()
    return LinearLayout(ins, elements.outs, (*columns[:first], *columns[first + threads :], *of_threads, *blocks))


def _basis(layout: LinearLayout, along: int) -> list[int]:
    """Indices that hold each element of the axis once: of the register where possible, then lane, warp, and CTA."""
    found: list[int] = []
    reached = gf2.Span(())
    end = 0
    for name in DISTRIBUTED:
        end += layout.bits_in(name)
        columns = layout.columns[:end]
        for vector in gf2.reduced(gf2.Span(column & ~along for column in columns).dependent):
            moved = gf2.combine(columns, vector)
            if moved not in reached:
                found.append(vector)
                reached = gf2.Span([gf2.combine(layout.columns, each) for each in found])
    return found


class _Quotient:
    """Registers of which those that differ in a vector of a space count as one: the smallest of them."""

    def __init__(self, vectors: Sequence[int], bits: int) -> None:
        self.vectors, self.bits = gf2.reduced(vectors), bits
        tops = {vector.bit_length() - 1 for vector in self.vectors}
        self.units = [1 << bit for bit in range(bits) if bit not in tops]
        self.representatives = gf2.all_values(self.units)

    def of(self, register: int) -> int:
        """The representative of a register's coset: the least that it becomes by XORs with the vectors."""
        for vector in self.vectors:
            register = min(register, register ^ vector)
        return register


def _places(
    layout: LinearLayout, name: str, within: Sequence[int], in_warps: Sequence[int], units: Sequence[int]
) -> tuple[LinearLayout, LinearLayout]:
    """The layouts `places` and `kept` of a Reduction, whose registers are the XORs of `units`."""
    along = layout.mask([name])
    small = layout.with_columns("register", [gf2.combine(layout.columns_of("register"), unit) for unit in units])
    kept = small.squeeze_out(name)
    # A coordinate along the axis is an XOR of steps within warps and of those between them: the latter are the slot.
    steps = [gf2.combine(layout.columns, vector) for vector in (*within, *in_warps)]
    span, shift = gf2.Span(steps), len(in_warps)
    columns = []
    for column, element in zip(small.columns, kept.columns, strict=True):
        used = span.combination(column & along)
        assert used is not None, "the basis reaches the whole axis"
        columns.append(element << shift | used >> len(within))
    places = LinearLayout(small.ins, (("offset", kept.out_bits + shift),), tuple(columns))
    return places, kept
