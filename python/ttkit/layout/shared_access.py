"""Accesses of a distributed layout to a shared one: vector width and bank conflicts.

Shared memory has 32 banks of 4-byte words.  A warp's instruction is served in *wavefronts*: each reads or writes any
number of lanes' words as long as no bank has two different ones.  Accesses of 8 or 16 bytes per lane take at least two
or four wavefronts, one for each half or quarter of the warp.

Layouts are linear, so every instruction of an access has the same number of wavefronts, and it can be counted by ranks:
lanes reach 2**rank(words) words, which lie in 2**rank(banks) banks, the same number in each.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import ttkit.layout.gf2 as gf2
from ttkit.layout.encoding_base import Bases
from ttkit.layout.hardware import BANK_BITS, BANKS, VECTOR_BITS
from ttkit.layout.linear import LinearLayout
from ttkit.layout.shared_to_linear import padded_offset


class SharedAccess(NamedTuple):
    """The instructions with which one thread moves all its elements between registers and shared memory.

    vector: elements that one instruction moves per lane.
    instructions: how many each thread executes.
    wavefronts: of one instruction of a warp; an average where padding makes them differ.
    ideal: the same without conflicts.
    register_order: the order of register bits in which consecutive registers form vectors.
    """

    vector: int
    instructions: int
    wavefronts: float
    ideal: int
    register_order: tuple[int, ...]

    @property
    def conflicts(self) -> float:
        """Additional wavefronts for each one that is needed: 0 is best, 31 worst."""
        return self.wavefronts / self.ideal - 1


def offsets(registers: LinearLayout, memory: LinearLayout) -> LinearLayout:
    """register, lane, warp, block -> offset (and block) of the same element in `memory`.

    Registers that hold copies keep their bit.  Raises ValueError unless `memory` has all elements.
    """
    return registers.invert_and_compose(memory)


def largest_vector(places: LinearLayout, element_bits: int, limit: int | None = None) -> tuple[int, tuple[int, ...]]:
    """Elements that one instruction can move, and the order of register bits that puts them in consecutive registers.

    places: register, ... -> offset (the first out-dim), ....  limit: at most so many elements; the default is 16 bytes.
    """
    most = min(limit or VECTOR_BITS, VECTOR_BITS // element_bits)
    registers = places.columns_of("register")
    chosen = consecutive_bits(registers, most.bit_length() - 1)
    while chosen and not aligned(places, chosen, (1 << len(chosen)) - 1):
        chosen.pop()
    others = [bit for bit in range(len(registers)) if bit not in chosen]
    return 1 << len(chosen), (*chosen, *others)


def consecutive_bits(registers: Sequence[int], most: int) -> list[int]:
    """The register bits that step by 1, 2, 4, ... elements, `most` of them or as many as there are."""
    found: list[int] = []
    while len(found) < most and 1 << len(found) in registers:
        found.append(registers.index(1 << len(found)))
    return found


def aligned(places: LinearLayout, within: Sequence[int], mask: int) -> bool:
    """Whether no bit but the register bits `within` moves the offset by any bit of `mask`."""
    registers = places.bits_in("register")
    start = 0
    for name, bits in places.ins:
        if name == "register":
            break
        start += bits
    moved = 0
    for position, column in enumerate(places.columns):
        if not start <= position < start + registers or position - start not in within:
            moved |= column
    return not moved & mask


def access_pattern(
    registers: LinearLayout, memory: LinearLayout, element_bits: int, limit: int | None = None, pads: Bases = ()
) -> SharedAccess:
    """The access of all elements of a tensor with layout `registers` to a buffer with layout `memory`.

    Copies in registers are accessed once.  element_bits: 8 to 128.  limit: at most so many elements per instruction.
    pads: (interval, padding) pairs of a padded_shared layout, in elements.
    """
    places = offsets(registers.remove_zero_bases("register"), memory)
    if pads:
        smallest = min(interval for interval, _ in pads)
        limit = min(limit or smallest, smallest)
    vector, order = largest_vector(places, element_bits, limit)
    words = max(1, vector * element_bits // BANK_BITS)
    lanes = places.columns_of("lane")
    lanes_at_once = lanes[: max(0, len(lanes) - (words.bit_length() - 1))]
    instructions = places.in_size("register") // vector
    offset_mask = places.out_size("offset") - 1
    if pads:
        starts = gf2.all_values([places.columns_of("register")[bit] for bit in order[vector.bit_length() - 1 :]])
        counts = [
            _padded_wavefronts(start, lanes, lanes_at_once, vector, element_bits, offset_mask, pads) for start in starts
        ]
        return SharedAccess(vector, instructions, sum(counts) / len(counts), words, order)
    accessed = [column & offset_mask for column in lanes_at_once]
    accessed += [1 << bit for bit in range(vector.bit_length() - 1)]
    return SharedAccess(vector, instructions, words * wavefronts(accessed, element_bits), words, order)


def wavefronts(columns: Iterable[int], element_bits: int) -> int:
    """Wavefronts of one access to all XORs of these offsets, in elements."""
    if element_bits < BANK_BITS:
        shift = (BANK_BITS // element_bits).bit_length() - 1
        words = [column >> shift for column in columns]
    else:
        shift = (element_bits // BANK_BITS).bit_length() - 1
        words = [column << shift for column in columns] + [1 << bit for bit in range(shift)]
    return 1 << gf2.rank(words) - gf2.rank(word & BANKS - 1 for word in words)


def _padded_wavefronts(
    start: int,
    lanes: Iterable[int],
    lanes_at_once: Iterable[int],
    vector: int,
    element_bits: int,
    offset_mask: int,
    pads: Bases,
) -> int:
    """Wavefronts of the instruction whose lane 0 begins at `start`; padding is not linear, so words are counted."""
    at_once = gf2.all_values(list(lanes_at_once))
    groups = gf2.all_values(list(lanes)[len(at_once).bit_length() - 1 :])
    total = 0
    for group in groups:
        banks: dict[int, set[int]] = {}
        for lane in at_once:
            offset = (start ^ group ^ lane) & offset_mask
            offset = padded_offset(pads, offset)
            first, end = offset * element_bits // BANK_BITS, -(-(offset + vector) * element_bits // BANK_BITS)
            for word in range(first, end):
                banks.setdefault(word % BANKS, set()).add(word)
        total += max(map(len, banks.values()))
    return total
