"""Loads and stores through pointers; block pointers and descriptors turn into these."""

from __future__ import annotations

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.machine import Machine
from ttkit.interpreter.memory.global_memory import Access
from ttkit.interpreter.ops.registry import interprets
from ttkit.interpreter.values import align_rank


@interprets("tt.load")
def load(machine: Machine, op: Instruction, pointer, *rest: np.ndarray) -> np.ndarray:
    """result[i] = mask[i] ? *pointer[i] : other[i]; without `other`, masked-off elements are zero here."""
    counts = op.attributes["operandSegmentSizes"]
    mask = rest[0] if counts[1] else None
    other = rest[-1] if counts[2] else None
    if not isinstance(pointer, np.ndarray):
        return pointer.load(machine, op)
    return load_elements(machine, op, pointer, mask, other, op.result_types[0].element)


def load_elements(machine: Machine, op: Instruction, addresses, mask, other, dtype: np.dtype) -> np.ndarray:
    """The elements at addresses [P, *shape], where `mask`; `other` (or zero) elsewhere."""
    access = Access(machine, op, addresses, mask, "reads")
    values = machine.memory.load(access, dtype)
    if access.mask is None:
        return values.reshape(access.shape)
    result = np.zeros(access.shape, dtype)
    result[access.mask] = values
    # Programs that read the same places may still have an `other` each.
    return result if other is None else np.where(access.mask, result, other).astype(dtype, copy=False)


@interprets("tt.store")
def store(machine: Machine, op: Instruction, pointer, value: np.ndarray, mask: np.ndarray | None = None) -> tuple:
    """*pointer[i] = value[i] where mask[i]."""
    if not isinstance(pointer, np.ndarray):
        pointer.store(machine, op, value)
    else:
        store_elements(machine, op, pointer, value, mask)
    return ()


def store_elements(machine: Machine, op: Instruction, addresses, value: np.ndarray, mask) -> None:
    """Writes value [P, *shape] to addresses, where `mask`."""
    # All programs write, even where the addresses and values are the same in each: later ones overwrite earlier ones.
    access = Access(
        machine, op, np.broadcast_to(addresses, np.broadcast_shapes(addresses.shape, value.shape)), mask, "writes"
    )
    values = np.broadcast_to(value, access.shape)
    machine.memory.store(access, values.reshape(-1) if access.mask is None else values[access.mask])


@interprets("tt.addptr")
def addptr(machine: Machine, op: Instruction, pointer: np.ndarray, offset: np.ndarray) -> np.ndarray:
    """pointer + offset * size of an element, in 64 bits."""
    size = op.result_types[0].pointee.element.itemsize
    return pointer + offset.astype(np.int64) * size


@interprets("tt.splat")
def splat(machine: Machine, op: Instruction, value: np.ndarray) -> np.ndarray:
    """result[...] = value."""
    shape = op.result_types[0].shape
    return np.broadcast_to(align_rank(value, len(shape)), (value.shape[0], *shape))
