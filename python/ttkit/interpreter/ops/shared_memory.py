"""ttg buffers in shared memory: allocation, access, views; scratch in global memory."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.errors import InterpreterError, NotInterpretable
from ttkit.interpreter.machine import Machine
from ttkit.interpreter.memory.global_memory import Buffer
from ttkit.interpreter.memory.storages import WRITTEN, MemDesc, row_major
from ttkit.interpreter.ops.atomic import combination, in_turn
from ttkit.interpreter.ops.mbarrier import arrive
from ttkit.interpreter.ops.registry import interprets
from ttkit.interpreter.ops.tensor_memory import reinterpreted
from ttkit.interpreter.unwritten import Unwritten

# --- Allocation
# ---------------------------------------------------------------------------------------------------------------------


@interprets("ttg.local_alloc")
def local_alloc(machine: Machine, op: Instruction, source: np.ndarray | None = None) -> MemDesc:
    """A buffer for each program; result[i] = source[i]."""
    view = machine.shared.allocate(machine, op)
    if source is not None:
        machine.shared.store(machine, op, view, source)
    return view


@interprets("ttg.local_dealloc")
def local_dealloc(machine: Machine, op: Instruction, view: MemDesc) -> tuple:
    """Any use after it is an error."""
    machine.shared.free(machine, op, view)
    return ()


@interprets("ttg.global_scratch_alloc")
def global_scratch_alloc(machine: Machine, op: Instruction) -> np.ndarray:
    """`nbytes` bytes of global memory for each program."""
    alignment = op.attributes["alignment"]
    size = -(-op.attributes["nbytes"] // alignment) * alignment
    buffer = machine.memory.add(Buffer("global scratch", size=size * machine.programs.size))
    return buffer.base + np.arange(machine.programs.size, dtype=np.int64) * size


# --- Access
# ---------------------------------------------------------------------------------------------------------------------


@interprets("ttg.local_load")
def local_load(machine: Machine, op: Instruction, view: MemDesc, token: object = None) -> np.ndarray | Unwritten:
    """result[i] = view[i]."""
    return machine.shared.load_to_registers(machine, op, view)


@interprets("ttg.local_store")
def local_store(machine: Machine, op: Instruction, source: np.ndarray, view: MemDesc) -> tuple:
    """view[i] = source[i]."""
    machine.shared.store(machine, op, view, source)
    return ()


def _checked_indices(op: Instruction, view: MemDesc, indices: np.ndarray) -> tuple[np.ndarray, int]:
    axis = op.attributes["axis"]
    if (indices < 0).any() or (indices >= view.shape[axis]).any():
        raise InterpreterError(f"an index is not within dimension {axis} of size {view.shape[axis]}", op)
    return indices.astype(np.int64), axis


def element_places(machine: Machine, op: Instruction, view: MemDesc, indices: np.ndarray):
    """(row, unit of the storage) of the elements that have `indices` at the axis and their own position elsewhere.

    Raises:
        NotInterpretable: the buffer was made for another type.
    """
    indices, axis = _checked_indices(op, view, indices)
    offsets = view.offsets.reshape(-1, *([1] * len(view.shape)))
    for d, stride in enumerate(view.strides):
        inside = np.arange(indices.shape[d + 1]).reshape([-1 if n == d else 1 for n in range(len(view.strides))])
        offsets = offsets + (indices if d == axis else inside) * stride
    if view.element.itemsize != view.storage.unit:
        raise NotInterpretable("single elements of a buffer that was made for another type", op)
    shape = (machine.lanes.size, *indices.shape[1:])
    rows = machine.lanes.reshape(-1, *([1] * (len(shape) - 1)))
    return np.broadcast_to(rows, shape), np.broadcast_to(offsets // view.storage.unit, shape)


@interprets("ttg.local_gather")
def local_gather(machine: Machine, op: Instruction, view: MemDesc, indices: np.ndarray, token=None) -> np.ndarray:
    """result[..., i, ...] = view[..., indices[..., i, ...], ...] along `axis`."""
    machine.shared.place(machine, op, view)
    rows, units = element_places(machine, op, view, indices)
    if machine.shared.races is not None:
        machine.shared.races.read(machine, op, view.storage, units.reshape(-1), indices.shape[1:])
    if (view.storage.state[rows, units] != WRITTEN).any():
        raise InterpreterError(f"reads {view.storage} where nothing has written, or before it has been waited for", op)
    return view.storage.bytes.view(view.element)[rows, units]


@interprets("ttg.local_scatter")
def local_scatter(machine: Machine, op: Instruction, view: MemDesc, values, indices: np.ndarray, token=None) -> tuple:
    """view[..., indices[..., i, ...], ...] = values[..., i, ...] along `axis`."""
    place = machine.shared.place(machine, op, view)
    machine.shared.check_free(machine, op, place, "overwrites")
    rows, units = element_places(machine, op, view, indices)
    if machine.shared.races is not None:
        machine.shared.races.write(machine, op, view.storage, units.reshape(-1), indices.shape[1:])
    view.storage.bytes.view(view.element)[rows, units] = values
    view.storage.state[rows, units] = WRITTEN
    return ()


@interprets("ttg.local_atomic_scatter_rmw")
def local_atomic_scatter_rmw(
    machine: Machine, op: Instruction, view: MemDesc, values: np.ndarray, indices: np.ndarray, mask=None
) -> np.ndarray:
    """The elements before an update where mask[..., i, ...], one after the other; zero elsewhere."""
    machine.shared.check_free(machine, op, machine.shared.place(machine, op, view), "updates")
    rows, units = element_places(machine, op, view, indices)
    shape = rows.shape
    enabled = np.broadcast_to(True if mask is None else mask.astype(bool), shape)
    if machine.shared.races is not None:
        machine.shared.races.read(machine, op, view.storage, units.reshape(-1), indices.shape[1:])
    if (view.storage.state[rows, units] != WRITTEN)[enabled].any():
        raise InterpreterError(f"updates {view.storage} where nothing has written", op)
    memory = view.storage.bytes.view(view.element)
    flat = memory.reshape(-1)
    index = (rows.astype(np.int64) * memory.shape[1] + units)[enabled]
    result = np.zeros(shape, view.element)
    result[enabled] = in_turn(flat, index, None, combination(op, values), [np.broadcast_to(values, shape)[enabled]])
    memory[...] = flat.reshape(memory.shape)
    return result


@interprets("ttng.async_shared_store")
def async_shared_store(machine: Machine, op: Instruction, source: np.ndarray, view: MemDesc, barrier: MemDesc) -> tuple:
    """view[i] = source[i], at once; the barrier counts the bytes of each CTA, which are all alike."""
    machine.shared.store(machine, op, view, source)
    ctas = barrier.shape[-1]
    arrive(machine, op, barrier, 0, -(source[0].size * source.dtype.itemsize // ctas))
    return ()


# --- Views
# ---------------------------------------------------------------------------------------------------------------------


@interprets("ttg.memdesc_index")
def memdesc_index(machine: Machine, op: Instruction, view: MemDesc, index: np.ndarray) -> MemDesc:
    """result[i...] = view[index, i...]."""
    offsets = view.offsets + index.astype(np.int64) * view.strides[0]
    return replace(view, offsets=offsets, shape=view.shape[1:], strides=view.strides[1:])


@interprets("ttg.memdesc_subslice")
def memdesc_subslice(machine: Machine, op: Instruction, view: MemDesc) -> MemDesc:
    """result[i, j, ...] = view[i + offsets[0], j + offsets[1], ...]."""
    start = sum(offset * stride for offset, stride in zip(op.attributes["offsets"], view.strides))
    return replace(view, offsets=view.offsets + start, shape=op.result_types[0].shape)


@interprets("ttg.memdesc_trans")
def memdesc_trans(machine: Machine, op: Instruction, view: MemDesc) -> MemDesc:
    """Dimension i of the result is dimension order[i] of the view."""
    order = op.attributes["order"]
    return replace(view, shape=tuple(view.shape[d] for d in order), strides=tuple(view.strides[d] for d in order))


@interprets("ttg.memdesc_reshape")
def memdesc_reshape(machine: Machine, op: Instruction, view: MemDesc) -> MemDesc:
    """Element k of the result, counted row by row, is element k of the view."""
    # numpy knows when strides can say so; it is asked about an array that is never touched.
    empty = np.lib.stride_tricks.as_strided(np.empty(1, view.element), view.shape, view.strides)
    shape = op.result_types[0].shape
    try:
        if _HAS_COPY:
            empty = empty.reshape(shape, copy=False)
        else:
            empty.shape = shape
    except (AttributeError, ValueError):
        raise NotInterpretable("this reshape of a transposed buffer has no strides", op) from None
    return replace(view, shape=shape, strides=empty.strides)


_HAS_COPY = np.lib.NumpyVersion(np.__version__) >= "2.1.0"  # reshape's argument; 2.5 warns of the other way


@interprets("ttg.memdesc_reinterpret")
def memdesc_reinterpret(machine: Machine, op: Instruction, view: MemDesc) -> MemDesc:
    """The bytes from the view's first one on, as another type and shape; in tensor memory, those of each row."""
    kind = op.result_types[0]
    if "#ttng.tensor_memory" in kind.text:
        return reinterpreted(op, view)
    return replace(view, shape=kind.shape, strides=row_major(kind.shape, kind.element.itemsize), element=kind.element)
