"""Tensor descriptors: block access to tensors in memory with bounds, made on the device or passed to the kernel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ttkit.interpreter.decode import Function, Instruction
from ttkit.interpreter.errors import InterpreterError, Misaligned, NotInterpretable
from ttkit.interpreter.machine import Machine
from ttkit.interpreter.memory.global_memory import Buffer, Memory
from ttkit.interpreter.numerics.rounding import round_to_tf32
from ttkit.interpreter.ops.atomic import COMBINE, update_elements
from ttkit.interpreter.ops.block_pointer import (
    PAD_NAN,
    PerProgram,
    addresses_of,
    block_positions,
    inside_mask,
    padding_value,
)
from ttkit.interpreter.ops.memory import load_elements, store_elements
from ttkit.interpreter.ops.registry import interprets
from ttkit.interpreter.tma_limits import check_blocks
from ttkit.interpreter.values import ADDRESS, ValueType, align_rank


@dataclass(frozen=True)
class Descriptor(PerProgram):
    """base: int64 [P]; shape, strides (in elements): one integer [P] for each dimension; block: what one access moves.

    nan: bool [P], whether elements outside read as NaN; else they read as zero.
    tf32: bool [P], whether what is loaded is rounded to tf32.
    """

    base: np.ndarray
    shape: tuple[np.ndarray, ...]
    strides: tuple[np.ndarray, ...]
    block: ValueType
    nan: np.ndarray
    tf32: np.ndarray = field(default_factory=lambda: flag(False))

    def parts(self) -> list[np.ndarray]:
        """Values that replace the descriptor after triton-rewrite-tensor-descriptor-to-pointer; see `part_types`."""
        wide = (np.asarray(value, np.int64) for value in (*self.shape, *self.strides))
        return [self.base, *wide, self.nan]

    def elements(self, offsets: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """Addresses of the block at `offsets`, int64 [P, *block], and which of them are inside the tensor."""
        return self.at(block_positions(tuple(offsets), self.block.shape))

    def rows(self, rows: np.ndarray, column: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The same for the rows [P, R], from `column` on: [P, R, columns of the block]."""
        columns = align_rank(column.astype(np.int64), 2) + np.arange(self.block.shape[-1], dtype=np.int64)
        return self.at([rows.astype(np.int64)[:, :, None], columns])

    def at(self, positions: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """Addresses of elements at positions, and which of these are inside of the tensor."""
        addresses = addresses_of(self.base, positions, self.strides, self.block.element.itemsize)
        return addresses, inside_mask(positions, self.shape, range(len(positions)))

    def load(self, machine: Machine, op: Instruction, elements: tuple[np.ndarray, np.ndarray], enabled=None):
        """The values of `elements`; padding outside the tensor.  `enabled` [P]: programs that load at all."""
        check_blocks(machine, op, self, enabled)
        addresses, mask = elements
        if enabled is not None:
            mask = mask & align_rank(enabled, mask.ndim - 1)
        kind = self.block.element
        nan, zero = padding_value(kind, PAD_NAN) if self.nan.any() else 0, np.zeros((), kind)
        other = np.where(align_rank(self.nan, addresses.ndim - 1), nan, zero).astype(kind)
        found = load_elements(machine, op, addresses, mask, other, kind)
        if not self.tf32.any():
            return found
        return np.where(align_rank(self.tf32, found.ndim - 1), round_to_tf32(found, ties_to_even=True), found)

    def store(self, machine: Machine, op: Instruction, elements: tuple[np.ndarray, np.ndarray], value) -> None:
        """Writes the elements that are inside of the tensor."""
        check_blocks(machine, op, self)
        addresses, mask = elements
        # Leading dimensions of size one may be missing in the value.
        value = value.reshape(value.shape[0], *np.broadcast_shapes(addresses.shape[1:], mask.shape[1:]))
        store_elements(machine, op, addresses, value, mask)

    def reduce(self, machine: Machine, op: Instruction, offsets: Sequence[np.ndarray], value: np.ndarray) -> None:
        """memory = kind(memory, value), each element in one step."""
        check_blocks(machine, op, self)
        addresses, mask = self.elements(offsets)
        value = value.reshape(value.shape[0], *np.broadcast_shapes(addresses.shape[1:], mask.shape[1:]))
        update_elements(machine, op, addresses, mask, reduction(op, self.block), value)


def flag(value: bool) -> np.ndarray:
    """The `nan` or `tf32` of a descriptor, the same for all programs."""
    return np.array([value])


# --- tt
# ---------------------------------------------------------------------------------------------------------------------


@interprets("tt.make_tensor_descriptor")
def make_tensor_descriptor(machine: Machine, op: Instruction, base: np.ndarray, *rest: np.ndarray) -> Descriptor:
    """The tensor of `shape` whose element i is at base + sum over d of i[d] * strides[d] elements."""
    block = op.result_types[0].pointee
    return Descriptor(
        base, rest[: block.rank], rest[block.rank :], block, flag(op.attributes.get("padding") == PAD_NAN)
    )


@interprets("tt.descriptor_load")
def descriptor_load(machine: Machine, op: Instruction, descriptor: Descriptor, *indices: np.ndarray) -> np.ndarray:
    """result[i] = tensor[indices + i], padding outside."""
    values = descriptor.load(machine, op, descriptor.elements(indices))
    return values.reshape(values.shape[0], *op.result_types[0].shape)


@interprets("tt.descriptor_store")
def descriptor_store(machine: Machine, op: Instruction, descriptor: Descriptor, value, *indices: np.ndarray) -> tuple:
    """tensor[indices + i] = value[i], where inside."""
    descriptor.store(machine, op, descriptor.elements(indices), value)
    return ()


@interprets("tt.descriptor_reduce")
def descriptor_reduce(machine: Machine, op: Instruction, descriptor: Descriptor, value, *indices: np.ndarray) -> tuple:
    """tensor[indices + i] = kind(tensor[indices + i], value[i]), where inside."""
    descriptor.reduce(machine, op, indices, value)
    return ()


@interprets("tt.descriptor_gather")
def descriptor_gather(machine: Machine, op: Instruction, descriptor: Descriptor, rows, column) -> np.ndarray:
    """result[r, c] = tensor[rows[r], column + c], padding outside."""
    return descriptor.load(machine, op, descriptor.rows(rows, column))


@interprets("tt.descriptor_scatter")
def descriptor_scatter(machine: Machine, op: Instruction, descriptor: Descriptor, rows, column, value) -> tuple:
    """tensor[rows[r], column + c] = value[r, c], where inside."""
    descriptor.store(machine, op, descriptor.rows(rows, column), value)
    return ()


# By the number of the DescriptorReduceKind.
REDUCTIONS = dict(enumerate("add min max inc dec and or xor".split(), 1))


def reduction(op: Instruction, block: ValueType):
    """The function of a reduction.  Integers of a descriptor are signed if its type says so (si32).

    Raises:
        NotInterpretable: there is no such kind.
    """
    name = REDUCTIONS.get(op.attributes["kind"])
    if name is None:
        raise NotInterpretable(f"no reduction {op.attributes['kind']}", op)
    signed = block.is_float or "xsi" in block.text or block.text.startswith("tensor<si")
    return COMBINE[f"u{name}" if name in ("min", "max") and not signed else name]


# --- Tensor maps: descriptors as 128 bytes in memory
# ---------------------------------------------------------------------------------------------------------------------


@interprets("ttng.tensormap_create")
def tensormap_create(machine: Machine, op: Instruction, *operands: np.ndarray) -> tuple:
    """Remembers, at `pointer`, a tensor of global_dim elements; dimensions are innermost first, strides in bytes."""
    pointer, base, _, sizes, strides, _ = op.segments(operands)
    (pointer,), (base,) = pointer, base
    count = max(value.shape[0] for value in operands)
    columns = [np.broadcast_to(value.reshape(-1), (count,)) for value in (base, *sizes[::-1], *strides[::-1])]
    for address, *row in zip(np.broadcast_to(pointer, (count,)).tolist(), *(column.tolist() for column in columns)):
        machine.memory.tensor_maps[address] = (row, op.attributes["fill_mode"])
    return ()


@dataclass(frozen=True)
class MapDescriptor(PerProgram):
    """The descriptor of a tensor map in memory: each access reads what the map holds then, as the hardware does.

    pointer: address of the map, [P]; made_by: the operation that made the descriptor, of whose block each access is.
    """

    pointer: np.ndarray
    memory: Memory
    made_by: Instruction

    def read(self) -> Descriptor:
        """The descriptor that the map holds now.

        Raises:
            InterpreterError: nothing has written a map there, or one of another rank.
            Misaligned: a stride is not a multiple of an element.
        """
        op, block, rows = self.made_by, self.made_by.result_types[0].pointee, []
        for address in self.pointer.reshape(-1).tolist():
            if address not in self.memory.tensor_maps:
                raise InterpreterError("no tensor map has been written at this address", op)
            rows.append(self.memory.tensor_maps[address])
        table = np.array([row for row, _ in rows], np.int64).T
        if table.shape[0] != 2 * block.rank:
            raise InterpreterError(f"the tensor map has {table.shape[0] // 2} dimensions, its type {block.rank}", op)
        size = block.element.itemsize
        if (table[1 + block.rank :] % size).any():
            raise Misaligned(f"the tensor map has a stride that is not a multiple of its elements of {size} bytes", op)
        strides = (*(stride // size for stride in table[1 + block.rank :]), np.ones(table.shape[1], np.int64))
        return Descriptor(table[0], tuple(table[1 : 1 + block.rank]), strides, block, flag(bool(rows[0][1])))

    def __getattr__(self, name: str) -> Any:
        """The fields and accesses of the descriptor that the map holds now."""
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.read(), name)


@interprets("ttng.reinterpret_tensor_descriptor")
def reinterpret_tensor_descriptor(machine: Machine, op: Instruction, pointer: np.ndarray) -> MapDescriptor:
    """The descriptor that tensormap_create writes at `pointer`, maybe later."""
    return MapDescriptor(pointer, machine.memory, op)


@interprets("ttng.tensormap_fenceproxy_acquire")
def tensormap_fenceproxy_acquire(machine: Machine, op: Instruction, pointer: np.ndarray) -> tuple:
    """Orders the writing of a map before its use: it is in order here."""
    return ()


# --- Arguments of kernels
# ---------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TensorDescriptor:
    """A descriptor to pass to a kernel.

    Args:
        data: a contiguous array, or a Buffer.
        shape: sizes of the tensor; those of `data` if left out.
        strides: in elements; row-major if left out.
        padding: "zero" or "nan".
    """

    data: Any
    shape: tuple[int, ...] | None = None
    strides: tuple[int, ...] | None = None
    padding: str = "zero"

    @property
    def sizes(self) -> tuple[int, ...]:
        """Sizes of the tensor, in elements."""
        return tuple(self.data.shape) if self.shape is None else tuple(self.shape)

    @property
    def steps(self) -> tuple[int, ...]:
        """Strides of the tensor, in elements."""
        if self.strides is not None:
            return tuple(self.strides)
        sizes = self.sizes
        return tuple(int(np.prod(sizes[d + 1 :], dtype=np.int64)) for d in range(len(sizes)))


def is_descriptor(kind: ValueType) -> bool:
    """Whether a type is that of tensor descriptors."""
    return kind.pointee is not None and kind.element is None


def part_types(kind: ValueType) -> list[ValueType]:
    """Types of a descriptor's parts: base, sizes and strides (i64), whether the padding is NaN (i1)."""
    base = ValueType((), ADDRESS, "!tt.ptr", ValueType((), kind.pointee.element, ""))
    wide, flag = ValueType((), np.dtype(np.int64), "i64"), ValueType((), np.dtype(np.bool_), "i1")
    return [base, *[wide] * 2 * kind.pointee.rank, flag]


def as_tensor_descriptor(name: str, kind: ValueType, value: Any) -> TensorDescriptor:
    """The descriptor that is passed for an argument: as it is, or of an array.

    Raises:
        ValueError: the argument has another type or rank.
    """
    if not is_descriptor(kind):
        raise ValueError(f"argument '{name}' is a {kind.text}, which can't be passed to a kernel")
    given = value if isinstance(value, TensorDescriptor) else TensorDescriptor(np.asarray(value))
    if len(given.sizes) != kind.pointee.rank or len(given.steps) != kind.pointee.rank:
        raise ValueError(f"argument '{name}' is a {kind.text}, found an array of shape {given.sizes}")
    return given


def descriptor_argument(memory: Memory, name: str, kind: ValueType, value: Any) -> Descriptor:
    """The value of an argument of type !tt.tensordesc: from an array, or a TensorDescriptor.

    Raises:
        ValueError: the argument has another type or rank.
    """
    given = as_tensor_descriptor(name, kind, value)
    buffer = given.data if isinstance(given.data, Buffer) else Buffer(name, given.data)
    base = np.array([memory.add(buffer).base], np.int64)
    shape, strides = (tuple(np.array([n], np.int64) for n in sizes) for sizes in (given.sizes, given.steps))
    return Descriptor(base, shape, strides, kind.pointee, flag(given.padding == "nan"))


def companion_arguments(function: Function) -> dict[int, tuple[int, str, int]]:
    """Triton passes the sizes (i32) and strides (i64) of a descriptor as arguments after it.

    Returns:
        position of such an argument -> (position of its descriptor, "sizes" or "steps", dimension)
    """
    kinds = [kind.text for kind in function.argument_types]
    found: dict[int, tuple[int, str, int]] = {}
    for position, kind in enumerate(function.argument_types):
        if not kind.text.startswith("!tt.tensordesc"):
            continue
        rank = kind.pointee.rank
        if kinds[position + 1 : position + 1 + 2 * rank] == ["i32"] * rank + ["i64"] * rank:
            for n in range(2 * rank):
                found[position + 1 + n] = (position, "sizes" if n < rank else "steps", n % rank)
    return found
