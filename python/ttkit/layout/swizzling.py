"""Shared-memory layouts through which a value changes its distributed layout, without bank conflicts where possible.

A warp's access is one wavefront if it touches each of the 32 banks (4 bytes wide) once.  An offset in shared memory has
three parts, lowest bits first:

    vector     elements that one thread moves with one instruction, 16 bytes at best
    bank       which banks: offsets that differ here never conflict
    segment    which 128-byte row: lanes that differ only here conflict

So the elements that lanes of one wavefront access should differ in `bank`.  Both sides of the exchange have such a set
of elements, spanned by lane bases; the segment's bases are chosen outside of both sets, and where that is impossible,
as XORs of one basis of each set, which is in neither (a swizzle).  Bases that are registers on both sides are moved to
a fourth part, `reps`, unless others move along with them: the exchange is repeated for each of its values in the same
memory.

The algorithm is "optimal swizzling" of the paper Linear Layouts (Zhou et al., 2025).  Where the paper leaves a choice,
it is Triton 3.6's, so that the sizes of buffers agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple

import ttkit.layout.gf2 as gf2
from ttkit.layout.hardware import BANK_BITS, BANKS, VECTOR_BITS
from ttkit.layout.linear import LinearLayout
from ttkit.layout.packing import Dims


class SharedInstruction(NamedTuple):
    """Access pattern of an instruction that moves 16 bytes per row, beside consecutive registers.

    contiguous_lanes: bits of the lane that count consecutive elements, after the registers.
    row_lanes: bits of the lane in which the rows of one wavefront differ.
    """

    name: str
    contiguous_lanes: tuple[int, ...]
    row_lanes: tuple[int, ...]


PLAIN = SharedInstruction("ld/st.shared", (), (0, 1, 2))
MATRIX = SharedInstruction("ld/stmatrix", (0, 1), (2, 3, 4))
MATRIX_TRANSPOSED = SharedInstruction("ld/stmatrix.trans", (2, 3, 4), (0, 1))


def shared_instructions(element_bits: int, has_matrix: bool) -> tuple[SharedInstruction, ...]:
    """Instructions of a target; has_matrix: whether it has ldmatrix for loads (sm_75), stmatrix for stores (sm_90)."""
    if not has_matrix or element_bits > 32:
        return (PLAIN,)
    return (PLAIN, MATRIX, MATRIX_TRANSPOSED) if element_bits == 16 else (PLAIN, MATRIX)


class Scratch(NamedTuple):
    """A layout of shared memory for an exchange.

    layout: vector, bank, segment, reps -> coordinates.
    store, load: the instruction that the layout is made for.
    """

    layout: LinearLayout
    store: SharedInstruction
    load: SharedInstruction

    @property
    def repetitions(self) -> int:
        """Number of times that the exchange uses the memory."""
        return self.layout.in_size("reps")

    @property
    def elements(self) -> int:
        """Size of the memory in elements of the whole cluster's tensor."""
        return 1 << self.layout.out_bits - self.layout.bits_in("reps")


@lru_cache(maxsize=4096)
def scratch_layout(
    source: LinearLayout,
    target: LinearLayout,
    element_bits: int,
    stores: tuple[SharedInstruction, ...] = (PLAIN,),
    loads: tuple[SharedInstruction, ...] = (PLAIN,),
) -> Scratch:
    """The best layout through which to convert from `source` to `target`: fewest conflicts, then most repetitions.

    source, target: with in-dims register, lane, warp, block, and equal out-dims.  Registers that hold copies are
    ignored.  element_bits: 8 to 128, a power of two.  Cached.
    """
    write, read = _Side(source), _Side(target)
    candidates = []
    for store in stores:
        for load in loads:
            vector = _common_vector(write, read, store, load, element_bits)
            if vector is None:
                continue
            rows = _rows(write, store, vector), _rows(read, load, vector)
            if rows[0] is None or rows[1] is None:
                continue
            kept = min(len(which.contiguous_lanes) + len(which.row_lanes) for which in (store, load)) - 3
            layout = _place(write, read, element_bits, vector, rows[0], rows[1], kept)
            conflicts = _conflicts(layout, rows[0]) + _conflicts(layout, rows[1])
            candidates.append((conflicts, -layout.bits_in("reps"), Scratch(layout, store, load)))
    if not candidates:
        return Scratch(scratch_layout_plain(source, target, element_bits), PLAIN, PLAIN)
    return min(candidates, key=lambda candidate: candidate[:2])[2]


@lru_cache(maxsize=4096)
def scratch_layout_plain(source: LinearLayout, target: LinearLayout, element_bits: int) -> LinearLayout:
    """The layout for ordinary loads and stores of any width.  Cached."""
    write, read = _Side(source), _Side(target)
    vector, filler = _plain_vector(write, read, element_bits)
    words = max(1, (element_bits << len(vector)) // BANK_BITS).bit_length() - 1
    # An access of 8 or 16 bytes takes half a warp or a quarter at a time.
    rows = [side.lanes[: len(side.lanes) - words] for side in (write, read)]
    layout = _place(write, read, element_bits, vector, rows[0], rows[1])
    return layout if words > 1 else _registers_in_first_banks(layout, write, read, filler)


def _registers_in_first_banks(layout: LinearLayout, write: _Side, read: _Side, filler: _Side | None) -> LinearLayout:
    """The order of banks in which accesses of one side become wider: that of `filler`, or the one that gains more."""
    banks = layout.columns_of("bank")
    gains = {id(side): [column for column in banks if column in side.registers] for side in (write, read)}
    first = gains[id(filler)] if filler else max(gains[id(read)], gains[id(write)], key=len)
    return layout.with_columns("bank", [*first, *(column for column in banks if column not in first)])


class _Side:
    """The bases of one side of the exchange, in flat coordinates and without copies in registers."""

    def __init__(self, layout: LinearLayout) -> None:
        self.outs: Dims = layout.outs
        self.bits = layout.out_bits
        self.registers = [column for column in layout.columns_of("register") if column]
        self.lanes = list(layout.columns_of("lane"))
        self.warps = [column for column in layout.columns_of("warp") if column]
        self.layout = layout.remove_zero_bases("register")

    def moves_alone(self, basis: int) -> bool:
        """Whether a bit of the register moves by `basis`, and no other bit moves by some of it."""
        return basis in self.registers and sum(1 for column in self.layout.columns if column & basis) == 1


# --- Vectors ---------------------------------------------------------------------------------------------------------
def _shared_bases(first: Sequence[int], second: Sequence[int]) -> list[int]:
    """A basis of what both span; of unit vectors, in the order of `first`."""
    if all(vector and vector & (vector - 1) == 0 for vector in (*first, *second)):
        return [vector for vector in first if vector in second]
    return gf2.intersection(first, second)


def _common_vector(
    write: _Side, read: _Side, store: SharedInstruction, load: SharedInstruction, element_bits: int
) -> list[int] | None:
    """The bases of 16 consecutive bytes that suit both instructions; None if the layouts do not fit together."""
    total = (VECTOR_BITS // element_bits).bit_length() - 1
    # `wide` takes more of the 16 bytes from its own registers; there, the other side has lanes.
    wide, narrow, by_wide, by_narrow = write, read, store, load
    if len(store.contiguous_lanes) > len(load.contiguous_lanes):
        wide, narrow, by_wide, by_narrow = read, write, load, store
    wide_registers, narrow_registers = (total - len(which.contiguous_lanes) for which in (by_wide, by_narrow))
    if narrow_registers < 0:
        return None
    common = _shared_bases(wide.registers, narrow.registers)
    if len(common) < narrow_registers:
        return None
    lanes = [_lane(narrow, bit) for bit in by_narrow.contiguous_lanes]
    if not all(lanes) or not all(_lane(wide, bit) for bit in by_wide.contiguous_lanes):
        return None
    # The narrow side's first lanes are registers of the wide one, its other lanes the wide one's lanes.
    places = _places(narrow.layout, wide.layout)
    register_mask = wide.layout.in_size("register") - 1
    lane_shift = wide.layout.bits_in("register")
    lane_mask = wide.layout.in_size("lane") - 1
    place_of = places.columns_of("lane")
    split = wide_registers - narrow_registers
    if not all(place_of[bit] & register_mask for bit in by_narrow.contiguous_lanes[:split]):
        return None
    rest = by_narrow.contiguous_lanes[len(by_narrow.contiguous_lanes) - len(by_wide.contiguous_lanes) :]
    for wide_bit, narrow_bit in zip(by_wide.contiguous_lanes, rest):
        if place_of[narrow_bit] >> lane_shift & lane_mask != 1 << wide_bit:
            return None
    return common[:narrow_registers] + lanes


@lru_cache(maxsize=256)
def _places(inner: LinearLayout, outer: LinearLayout) -> LinearLayout:
    return inner.invert_and_compose(outer)


def _lane(side: _Side, bit: int) -> int:
    return side.lanes[bit] if bit < len(side.lanes) else 0


def _rows(side: _Side, instruction: SharedInstruction, vector: list[int]) -> list[int] | None:
    """The bases in which the eight rows of one wavefront differ; None if there are too few."""
    missing = 3 - len(instruction.row_lanes)
    registers = [column for column in side.registers if column not in vector][:missing]
    if len(registers) < missing:
        return None
    return registers + [_lane(side, bit) for bit in instruction.row_lanes]


def _plain_vector(write: _Side, read: _Side, element_bits: int) -> tuple[list[int], _Side | None]:
    """The bases of one access where 16 bytes do not suit both sides, and the side whose registers fill up a bank.

    What both have in registers comes first.  If that does not fill a bank: registers of one side that are warps of the
    other (each warp is served by itself, so these never conflict), then warps of both, then warps of either.
    """
    vector = _shared_bases(write.registers, read.registers)[: (VECTOR_BITS // element_bits).bit_length() - 1]
    if (element_bits << len(vector)) >= BANK_BITS:
        return vector, None
    per_bank = (BANK_BITS // element_bits).bit_length() - 1
    written = _shared_bases([column for column in write.registers if column not in vector], read.warps)
    taken = _shared_bases([column for column in read.registers if column not in vector], write.warps)
    is_tie = len(written) == len(taken) and written
    is_write = min(written) < min(taken) if is_tie else len(written) > len(taken)
    vector += written if is_write else taken
    if len(vector) < per_bank:
        vector += _shared_bases(write.warps, read.warps)
    for pair in zip_longest(write.warps, read.warps):
        for column in pair:
            if column is not None and column not in vector and len(vector) < per_bank:
                vector.append(column)
    return vector[:per_bank], write if is_write else read


# --- Placement -------------------------------------------------------------------------------------------------------
def _place(
    write: _Side,
    read: _Side,
    element_bits: int,
    vector: list[int],
    written_rows: list[int],
    read_rows: list[int],
    kept_repetitions: int = 0,
) -> LinearLayout:
    """The layout with this vector in which the rows of either side differ in their banks as far as possible.

    kept_repetitions: so many bits that could be repetitions stay, for instructions that move several rows.
    """
    left = write.bits - len(vector)
    row_bits = (BANKS * BANK_BITS // (element_bits << len(vector))).bit_length() - 1
    bank_count = min(row_bits, left)
    segment = _segment({*vector, *written_rows}, {*vector, *read_rows}, write.bits, left - bank_count)
    bank = gf2.complement([*vector, *segment], write.bits)
    repeatable = [basis for basis in segment if write.moves_alone(basis) and read.moves_alone(basis)]
    repetitions = repeatable[kept_repetitions:]
    parts = {
        "vector": vector,
        "bank": bank,
        "segment": [basis for basis in segment if basis not in repetitions],
        "reps": repetitions,
    }
    found = [*vector, *bank, *segment]
    if not len(gf2.independent(found)) == len(found) == write.bits:  # some bits move along with others
        spread = gf2.independent([*found, *(1 << bit for bit in range(write.bits))])
        parts = {"vector": [], "bank": spread[:bank_count], "segment": spread[bank_count:], "reps": []}
    ins = tuple((name, len(columns)) for name, columns in parts.items())
    return LinearLayout(ins, write.outs, tuple(column for columns in parts.values() for column in columns))


def _segment(written: set[int], read: set[int], bits: int, count: int) -> list[int]:
    """`count` bases, as few as possible among the XORs of `written` or of `read`."""
    written, read = written - {0}, read - {0}
    outside = [1 << bit for bit in range(bits) if 1 << bit not in written and 1 << bit not in read]
    if len(outside) >= count:
        return outside[:count]
    fewer, more = sorted((sorted(written - read), sorted(read - written)), key=len)
    conflicting = min(max(0, count - len(fewer) - len(outside)), len(fewer))
    mixed = [a ^ b for a, b in zip(fewer[conflicting:], more[conflicting:])]
    return (outside + mixed + fewer[:conflicting] + more[:conflicting])[:count]


def _conflicts(layout: LinearLayout, rows: Iterable[int]) -> int:
    """Additional wavefronts of an access in which `rows` differ."""
    return (1 << len(_shared_bases(layout.columns_of("segment"), list(rows)))) - 1
