"""A conversion through shared memory, instruction by instruction: what a lowering needs to know.

For each repetition every thread stores some of its registers, all wait, every thread
loads some of the target's, all wait.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import ttkit.layout.gf2 as gf2
from ttkit.layout.division import with_registers
from ttkit.layout.errors import UnsuitableLayout
from ttkit.layout.hardware import VECTOR_BITS
from ttkit.layout.linear import LinearLayout
from ttkit.layout.matrix_access import ROW_BITS, MatrixAccess, matrix_access
from ttkit.layout.shared_access import largest_vector, wavefronts
from ttkit.layout.swizzling import (
    BANK_BITS,
    MATRIX_TRANSPOSED,
    PLAIN,
    SharedInstruction,
    scratch_layout,
    shared_instructions,
)


class Transfer(NamedTuple):
    """One side of an exchange: from registers to memory or back.

    registers: for each repetition the registers that move, in the order of the instructions: consecutive ones form a
        vector (or, with `matrix`, the elements of matrices).  Registers of the layout that hold copies are left out.
    offsets: register (an index into one of those lists), lane, warp, block -> offset, in elements.
    vector: elements of one instruction of a lane.
    matrix: how to use ldmatrix or stmatrix; None for ordinary accesses.
    """

    registers: tuple[tuple[int, ...], ...]
    offsets: LinearLayout
    vector: int
    matrix: MatrixAccess | None

    def conflicts(self, element_bits: int) -> int:
        """Wavefronts of a warp in all, beyond those that any layout of shared memory would take."""
        if self.matrix is None:
            words = max(1, self.vector * element_bits // BANK_BITS)
            lanes = self.offsets.columns_of("lane")
            # Accesses of 8 and 16 bytes take a half and a quarter of the warp at once.
            lanes = lanes[: max(0, len(lanes) - (words.bit_length() - 1))]
            accesses, vector = words * len(self.registers[0]) // self.vector, self.vector
        else:
            lanes, vector = self.matrix.rows.columns_of("lane")[:3], ROW_BITS // element_bits
            accesses = self.matrix.instructions * self.matrix.matrices
        mask = self.offsets.out_size("offset") - 1
        reached = [*(column & mask for column in lanes), *(1 << bit for bit in range(vector.bit_length() - 1))]
        return len(self.registers) * accesses * (wavefronts(reached, element_bits) - 1)


class Exchange(NamedTuple):
    """A conversion through shared memory.  elements: size of the buffer."""

    elements: int
    store: Transfer
    load: Transfer

    @property
    def repetitions(self) -> int:
        """Rounds in which all registers go through the scratch memory."""
        return len(self.store.registers)


@lru_cache(maxsize=1024)
def plan_exchange(
    source: LinearLayout,
    target: LinearLayout,
    element_bits: int,
    has_stmatrix: bool = False,
    has_ldmatrix: bool = False,
) -> Exchange:
    """Plan a conversion from `source` to `target` through shared memory.  Cached.

    element_bits: of what is stored: 8 to 128, a power of two (a predicate is stored as a byte, a pointer as 64 bits).
    has_stmatrix, has_ldmatrix: whether the target has them (sm_90, sm_75).

    Raises UnsuitableLayout if a layout mixes bits so that threads move different elements at a time.
    """
    stores, loads = shared_instructions(element_bits, has_stmatrix), shared_instructions(element_bits, has_ldmatrix)
    scratch = scratch_layout(source, target, element_bits, stores, loads)
    repetitions = scratch.layout.bits_in("reps")
    memory = scratch.layout.reshape_ins({"offset": 1 << scratch.layout.in_bits - repetitions, "reps": 1 << repetitions})
    return Exchange(
        scratch.elements,
        _transfer(source, memory, element_bits, scratch.store),
        _transfer(target, memory, element_bits, scratch.load),
    )


@lru_cache(maxsize=512)
def plan_exchange_at_once(source: LinearLayout, target: LinearLayout, element_bits: int) -> Exchange:
    """Plan an exchange in which all elements are in memory at the same time, and all threads wait once.  Cached.

    Elements lie as the target goes: those that a thread loads in one instruction, then those of its lanes.
    """
    registers = [column for column in target.columns_of("register") if column]
    first = (VECTOR_BITS // element_bits).bit_length() - 1
    held = [*registers[:first], *target.columns_of("lane"), *registers[first:], *target.columns_of("warp")]
    ordered = [*held, *(1 << bit for bit in range(target.out_bits))]
    columns = tuple(gf2.independent(ordered))
    memory = LinearLayout((("offset", target.out_bits), ("reps", 0)), target.outs, columns)
    return Exchange(
        1 << target.out_bits,
        _transfer(source, memory, element_bits, PLAIN),
        _transfer(target, memory, element_bits, PLAIN),
    )


def _transfer(
    layout: LinearLayout, memory: LinearLayout, element_bits: int, instruction: SharedInstruction
) -> Transfer:
    distinct = [bit for bit, column in enumerate(layout.columns_of("register")) if column]
    places = layout.remove_zero_bases("register").invert_and_compose(memory)
    shift = memory.bits_in("offset")
    columns = places.columns_of("register")
    wanted = [1 << shift + bit for bit in range(memory.bits_in("reps"))]
    if not set(wanted) <= set(columns):
        raise UnsuitableLayout("found a layout that mixes bits of a coordinate; convert it by way of a blocked layout")
    repeated = [columns.index(place) for place in wanted]
    within = [bit for bit in range(len(columns)) if bit not in repeated]
    once = with_registers(places, within).squeeze_out("reps")
    matrix = None
    if instruction is not PLAIN:
        matrix = matrix_access(once, element_bits, transposed=instruction is MATRIX_TRANSPOSED)
    if matrix is None:
        vector, order = largest_vector(once, element_bits)
    else:
        vector, order = 1, matrix.register_order
    weights = [1 << distinct[within[bit]] for bit in order]
    lists = tuple(
        tuple(first | register for register in gf2.all_values(weights))
        for first in gf2.all_values([1 << distinct[bit] for bit in repeated])
    )
    return Transfer(lists, with_registers(once, order), vector, matrix)
