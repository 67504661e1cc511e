"""Block pointers: a base, a shape, strides and offsets; an access makes the addresses of the block from them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.machine import Machine
from ttkit.interpreter.ops.memory import load_elements, store_elements
from ttkit.interpreter.ops.registry import interprets
from ttkit.interpreter.values import PerProgram, ValueType, align_rank

if TYPE_CHECKING:
    pass

PAD_NAN = 2


def block_positions(offsets: tuple[np.ndarray, ...], block: tuple[int, ...]) -> list[np.ndarray]:
    """offsets[d] + i[d] for each dimension d, int64 [P, 1, ..., block[d], ..., 1]."""
    positions = []
    for dimension, (offset, size) in enumerate(zip(offsets, block)):
        inside = np.arange(size, dtype=np.int64).reshape([size if d == dimension else 1 for d in range(len(block))])
        positions.append(align_rank(offset.astype(np.int64), len(block)) + inside)
    return positions


def addresses_of(base: np.ndarray, positions: list[np.ndarray], strides: tuple[np.ndarray, ...], size: int):
    """base + sum over d of positions[d] * strides[d] elements of `size` bytes, int64 [P, *block]."""
    rank = len(positions)
    result = align_rank(base, rank)
    for position, stride in zip(positions, strides):
        result = result + position * align_rank(stride.astype(np.int64) * size, rank)
    return result


def inside_mask(positions: list[np.ndarray], shape: tuple[np.ndarray, ...], dimensions) -> np.ndarray | None:
    """Mask of 0 <= positions[d] < shape[d] for all of the dimensions; None if there are none."""
    mask: np.ndarray | None = None
    for d in dimensions:
        inside = (positions[d] >= 0) & (positions[d] < align_rank(shape[d], len(positions)))
        mask = inside if mask is None else mask & inside
    return mask


def padding_value(kind: np.dtype, padding: int | None) -> np.ndarray:
    """NaN or zero, as `padding` says."""
    return np.array(np.nan if padding == PAD_NAN else 0).astype(kind)


@dataclass(frozen=True)
class BlockPointer(PerProgram):
    """base: int64 [P]; shape, strides, offsets: one integer [P] for each dimension; block: what it points to."""

    base: np.ndarray
    shape: tuple[np.ndarray, ...]
    strides: tuple[np.ndarray, ...]
    offsets: tuple[np.ndarray, ...]
    block: ValueType

    def elements(self, op: Instruction) -> tuple[np.ndarray, np.ndarray | None]:
        """Addresses of the block, int64 [P, *block], and which of them an access of `op` touches; None for all."""
        positions = block_positions(self.offsets, self.block.shape)
        addresses = addresses_of(self.base, positions, self.strides, self.block.element.itemsize)
        return addresses, inside_mask(positions, self.shape, op.attributes.get("boundaryCheck", ()))

    def load(self, machine: Machine, op: Instruction) -> np.ndarray:
        """The block; outside the shape, in the dimensions of boundaryCheck, its padding."""
        addresses, mask = self.elements(op)
        other = padding_value(self.block.element, op.attributes.get("padding"))
        return load_elements(machine, op, addresses, mask, other, self.block.element)

    def store(self, machine: Machine, op: Instruction, value: np.ndarray) -> None:
        """Writes the elements of a block that are inside of the tensor."""
        addresses, mask = self.elements(op)
        store_elements(machine, op, addresses, value, mask)


@interprets("tt.make_tensor_ptr")
def make_tensor_ptr(machine: Machine, op: Instruction, base: np.ndarray, *rest: np.ndarray) -> BlockPointer:
    """The block at `offsets` of a tensor at `base` with `shape` and `strides`, in elements."""
    block = op.result_types[0].pointee
    rank = block.rank
    return BlockPointer(base, rest[:rank], rest[rank : 2 * rank], rest[2 * rank :], block)


@interprets("tt.advance")
def advance(machine: Machine, op: Instruction, pointer: BlockPointer, *offsets: np.ndarray) -> BlockPointer:
    """The block `offsets` elements further."""
    return replace(pointer, offsets=tuple(old + more for old, more in zip(pointer.offsets, offsets)))
