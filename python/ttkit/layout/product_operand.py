"""Operands of products without tensor cores: which of their elements a thread needs, and how it reads them.

For each register of its result, a dot operation reads an element of an operand, in the same row (or column) and batch,
at every *step* of the reduced dimension.  Registers that differ only in the other operand's dimension need
the same one, so the registers of the result share *slots*: one for each row (or column) that a thread computes with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

import ttkit.layout.gf2 as gf2
from ttkit.layout.encodings import SwizzledShared
from ttkit.layout.hardware import BANK_BITS, VECTOR_BITS
from ttkit.layout.linear import LinearLayout
from ttkit.layout.packing import Dims, repack
from ttkit.layout.shared_access import access_pattern, largest_vector, wavefronts
from ttkit.layout.to_linear import to_linear_layout
from ttkit.records import dataclass

THREAD_DIMS = ("lane", "warp", "block")


@dataclass(frozen=True)
class Slots:
    """Which elements of an operand the registers of the result need.

    layout: register (of the result), lane, warp, block, step -> coordinates in the operand; `register` has only the
    bits that move them.
    bits: those bits of the result's register number.
    """

    layout: LinearLayout
    bits: tuple[int, ...]

    @classmethod
    def of(cls, target: LinearLayout, operand: Dims, inner: int) -> Slots:
        """The slots of an operand with dimensions `operand`, summed over dimension number `inner`, for a result."""
        name = f"dim{inner}"
        mask = target.mask([name])
        columns = repack([column & ~mask for column in target.columns], target.outs, operand)
        whole = LinearLayout(target.ins, operand, tuple(columns))
        bits = tuple(bit for bit, column in enumerate(whole.columns_of("register")) if column)
        shift = sum(count for dim, count in operand if int(dim[3:]) < inner)
        steps = dict(operand)[name]
        along = LinearLayout((("step", steps),), operand, tuple(1 << shift + bit for bit in range(steps)))
        return cls(whole.remove_zero_bases("register").concat_ins(along), bits)

    @property
    def count(self) -> int:
        """Number of slots."""
        return 1 << len(self.bits)

    def of_register(self, register: int) -> int:
        """The slot of a register of the result."""
        return sum((register >> bit & 1) << position for position, bit in enumerate(self.bits))


class Load(NamedTuple):
    """One instruction: the (slot, step)s that it reads, and where the first is from where the thread's slice begins."""

    members: list[tuple[int, int]]
    offset: int


@dataclass(frozen=True)
class SliceAccess:
    """Plan to read some slots at some consecutive steps from shared memory, for each thread.

    places: register (slot), lane, warp, block, step -> offset.
    steps: how many, a power of two; slices begin at multiples of it.
    element_bits: of an element in memory.
    """

    places: LinearLayout
    steps: int
    element_bits: int

    @cached_property
    def _vector(self) -> tuple[int, tuple[int, ...]]:
        """Elements of an instruction, and the order of bits that has them first: those of the step, then the slot's."""
        steps, slots = self._inner
        ins: Dims = (
            ("register", len(steps) + len(slots)),
            *((name, self.places.bits_in(name)) for name in THREAD_DIMS),
        )
        rest = [column for name in THREAD_DIMS for column in self.places.columns_of(name)]
        outer = self.places.columns_of("step")[len(steps) :]
        layout = LinearLayout((*ins, ("outer", len(outer))), self.places.outs, (*steps, *slots, *rest, *outer))
        return largest_vector(layout, self.element_bits)

    @property
    def _inner(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The offsets of the bits of a step within the slice, and of a slot."""
        return self.places.columns_of("step")[: self.steps.bit_length() - 1], self.places.columns_of("register")

    @property
    def vector(self) -> int:
        """Elements that one instruction reads."""
        return self._vector[0]

    def groups(self) -> list[list[int]]:
        """The slots that are read together."""
        vector, order = self._vector
        step_bits = self.steps.bit_length() - 1
        together = [bit - step_bits for bit in order[: vector.bit_length() - 1] if bit >= step_bits]
        others = [bit for bit in range(self.places.bits_in("register")) if bit not in together]
        within = gf2.all_values([1 << bit for bit in together])
        return [[first | more for more in within] for first in gf2.all_values([1 << bit for bit in others])]

    def loads(self, slots: Sequence[int]) -> Iterator[Load]:
        """The instructions that read these slots, which are groups."""
        vector, order = self._vector
        steps, of_slots = self._inner
        wanted, step_bits = set(slots), len(steps)
        numbers = gf2.all_values([1 << bit for bit in order])
        for position in range(0, len(numbers), vector):
            members = [(n >> step_bits, n & self.steps - 1) for n in numbers[position : position + vector]]
            if members[0][0] in wanted:
                yield Load(members, gf2.combine((*steps, *of_slots), numbers[position]))

    @property
    def cost(self) -> tuple[int, int]:
        """Instructions and wavefronts of a warp for all slots and steps; and wavefronts if lanes that read the same
        were served together, however far apart, which breaks ties."""
        words = max(1, self.vector * self.element_bits // BANK_BITS)
        lanes = self.places.columns_of("lane")
        at_once = lanes[: max(0, len(lanes) - (words.bit_length() - 1))]
        vector = [1 << bit for bit in range(self.vector.bit_length() - 1)]
        instructions = (self.places.in_size("register") * self.places.in_size("step")) // self.vector
        of_each = words * wavefronts([*at_once, *vector], self.element_bits)
        together = wavefronts([*lanes, *vector], self.element_bits)
        return instructions * (of_each + 1), instructions * together


@lru_cache(maxsize=256)
def best_swizzle(
    shared: SwizzledShared, shape: tuple[int, ...], element_bits: int, source: LinearLayout, readers: tuple[Slots, ...]
) -> SwizzledShared:
    """The swizzle by which a buffer is stored from `source` and read by products with the least cost (`SliceAccess`).

    Args:
        shared: order and CTA layout; also the swizzle that is kept if none is better.
        shape: of the buffer.
        readers: for each product what it needs.
    """
    row = shape[shared.order[0]]

    def cost(candidate: SwizzledShared) -> tuple[int, int]:
        """Instructions and wavefronts of stores and reads, then what decides between equals."""
        memory = to_linear_layout(shape, candidate)
        stores = access_pattern(source, memory, element_bits)
        total, ties = int(stores.instructions * (stores.wavefronts + 1)), 0
        for slots in readers:
            places = slots.layout.invert_and_compose(memory)
            steps = min(places.in_size("step"), VECTOR_BITS // element_bits)
            places = places.sublayout(places.in_dims, ["offset"])
            of_reader = SliceAccess(places, steps, element_bits).cost
            total, ties = total + of_reader[0], ties + of_reader[1]
        return total, ties

    candidates = [shared]
    vec = 1
    while vec <= min(row, VECTOR_BITS // element_bits):
        for phases in (2, 4, 8, 16, 32):
            if phases * vec <= row:
                candidates += [
                    SwizzledShared(vec, 1 << rows, phases, shared.order, shared.cga_layout) for rows in range(6)
                ]
        vec *= 2
    return min(candidates, key=cost)
