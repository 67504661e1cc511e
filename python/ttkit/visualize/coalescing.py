"""Accesses that warps make at once: sectors of global memory that they touch, bank conflicts in shared memory."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.memory.warp_layouts import encoding, steps_of
from ttkit.interpreter.values import ValueType
from ttkit.layout import gf2, parse_layout, to_linear_layout
from ttkit.layout.shared_access import access_pattern
from ttkit.operation_sets import SHARED_ACCESSES

SECTOR, WIDEST = 32, 16
"""Bytes of a sector of global memory, and that one lane moves at once."""


@dataclass(frozen=True)
class Owners:
    """Elements of a tensor by the warp, the register and the lane that hold them.

    elements: int64 [warps, registers, lanes], row-major indices.
    owner: int64 [elements], lane + 32 * warp of the first that holds it.
    acts: bool [warps, 1, lanes], whether a thread is the one that stores its elements, others holding copies.
    copies: warps that hold the same elements.
    """

    elements: np.ndarray
    owner: np.ndarray
    acts: np.ndarray
    copies: int


@cache
def owners(kind: ValueType) -> Owners | None:
    """The owners of a tensor's elements; None if it has no layout."""
    if not kind.shape or not encoding(kind):
        return None
    steps = steps_of(kind)
    registers, lanes, warps = (
        np.array(gf2.all_values(columns), np.int64)
        for columns in ([step for step in steps["register"] if step], steps["lane"], steps["warp"])
    )
    elements = warps[:, None, None] ^ registers[None, :, None] ^ lanes[None, None, :]
    owner = np.zeros(kind.size, np.int64)
    for warp in reversed(range(warps.size)):
        for lane in reversed(range(lanes.size)):
            owner[elements[warp, :, lane]] = lane + 32 * warp
    free = to_linear_layout(kind.shape, parse_layout(encoding(kind))).free_variable_masks()
    in_warp, in_lane = free.get("warp", 0), free.get("lane", 0)
    first = (np.arange(warps.size) & in_warp == 0)[:, None, None], (np.arange(lanes.size) & in_lane == 0)[None, None, :]
    return Owners(elements, owner, first[0] & first[1], 1 << in_warp.bit_count())


@dataclass(frozen=True)
class Sectors:
    """Sectors of an access by one program.

    touched: sectors that the instructions touch; needed: the fewest that hold as many bytes; width: bytes that a lane
    moves at once.
    """

    touched: int
    needed: int
    width: int

    @property
    def efficiency(self) -> float:
        """The fewest sectors by those that are touched: 1 at best."""
        return self.needed / self.touched if self.touched else 1.0


def sectors(held: Owners, addresses: np.ndarray, enabled: np.ndarray, size: int) -> Sectors:
    """Sectors of an access.

    Threads with copies of other threads' elements do not store, and what they load is in the sectors of those threads.
    So they touch none.

    Args:
        addresses, enabled: int64 and bool [elements].
        size: bytes of an element.
    """
    where, active = addresses[held.elements], enabled[held.elements] & held.acts
    count = 1
    registers = where.shape[1]
    while 2 * count <= registers and 2 * count * size <= WIDEST:
        groups = where.reshape(where.shape[0], registers // (2 * count), 2 * count, -1)
        steps = np.diff(groups, axis=2) == size
        if not steps.all() or (groups[:, :, 0] % (2 * count * size)).any():
            break
        count *= 2
    touched = 0
    for warp in range(where.shape[0]):
        for first in range(0, registers, count):
            part = where[warp, first : first + count][active[warp, first : first + count]]
            touched += np.unique(part // SECTOR).size
    needed = -(-np.unique(addresses[enabled]).size * size // SECTOR)
    return Sectors(touched, needed, count * size)


def bank_conflicts(op: Instruction) -> float | None:
    """Wavefronts of an access to shared memory for each one that is needed; None if it is none that can be counted."""
    kinds = [*op.operand_types, *op.result_types]
    tensor = next((kind for kind in kinds if kind.shape and kind.text.startswith("tensor<") and encoding(kind)), None)
    memory = next((kind for kind in kinds if kind.text.startswith("!ttg.memdesc")), None)
    if op.name not in SHARED_ACCESSES or tensor is None or memory is None:
        return None
    try:
        registers = to_linear_layout(tensor.shape, parse_layout(encoding(tensor)))
        stored = to_linear_layout(tensor.shape, parse_layout(_encoding_of_buffer(memory.text)))
        bits = 8 * np.dtype(tensor.element).itemsize
        found = access_pattern(registers, stored, bits)
    except (ValueError, KeyError, AttributeError):
        return None
    return found.wavefronts / found.ideal


def _encoding_of_buffer(text: str) -> str:
    """The layout in the text of a buffer's type."""
    inner = text[text.index("<") + 1 : text.rindex(">")]
    start = inner.index(", ") + 2
    depth = 0
    for place, letter in enumerate(inner[start:], start):
        depth += (letter in "<[{(") - (letter in ">]})")
        if letter == "," and not depth:
            return inner[start:place]
    return inner[start:]
