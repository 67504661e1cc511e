"""Tensor memory: buffers of [rows, columns of 4 bytes], which the tensor core and the warps share.

Element (i, j) is in row i, `colStride` elements after element (i, j - 1).  Blocks of rows or columns are a matter of
where the hardware puts them, and do not show here.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.errors import NotInterpretable
from ttkit.interpreter.machine import Machine
from ttkit.interpreter.memory.storages import MemDesc, row_major
from ttkit.interpreter.ops.mbarrier import arrive_after
from ttkit.interpreter.ops.registry import interprets
from ttkit.interpreter.ops.tcgen5 import is_padded, issue
from ttkit.interpreter.values import ValueType, take

COLUMN_STRIDE = re.compile(r"#ttng\.tensor_memory_encoding<[^>]*colStride = (\d+)")


def element_stride(kind: ValueType) -> int:
    """Bytes from a column to the next."""
    if is_padded(kind):
        return 2 * kind.element.itemsize
    stride = COLUMN_STRIDE.search(kind.text)
    return kind.element.itemsize * (int(stride[1]) if stride else 1)


@interprets("ttng.tmem_alloc")
def tmem_alloc(machine: Machine, op: Instruction, source: np.ndarray | None = None) -> tuple:
    """A buffer for each program; result[i, j] = source[i, j]."""
    kind = op.result_types[0]
    view = machine.shared.allocate(machine, op, row_major(kind.shape, element_stride(kind)))
    if source is not None:
        machine.shared.store(machine, op, view, source)
    return view, None


@interprets("ttng.tmem_subslice")
def tmem_subslice(machine: Machine, op: Instruction, view: MemDesc) -> MemDesc:
    """result[i, j] = view[i, j + N], or view[i + N, j]."""
    step = view.strides[op.attributes.get("dim", 1)]
    return replace(view, offsets=view.offsets + op.attributes["N"] * step, shape=op.result_types[0].shape)


def reinterpreted(op: Instruction, view: MemDesc) -> MemDesc:
    """The same rows, from the view's first column on, as columns of another type.

    Raises:
        NotInterpretable: there would be other rows.
    """
    kind = op.result_types[0]
    if kind.shape[:-1] != view.shape[:-1]:
        raise NotInterpretable(f"tensor memory of shape {view.shape} as {kind.shape}: other rows", op)
    return replace(view, shape=kind.shape, strides=(*view.strides[:-1], element_stride(kind)), element=kind.element)


@interprets("ttng.tmem_load")
def tmem_load(machine: Machine, op: Instruction, view: MemDesc, token: object = None) -> tuple:
    """result[i, j] = view[i, j]; then a token, if there is one, and what `redOp` computes of each row."""
    loaded = machine.shared.load_to_registers(machine, op, view)
    if "redOp" not in op.attributes:
        return loaded, None
    compared = np.abs(loaded) if op.attributes.get("abs") else loaded
    is_max, keeps_nan = "max" in str(op.attributes["redOp"]), op.attributes.get("NaN")
    larger, smaller = (np.maximum, np.minimum) if keeps_nan else (np.fmax, np.fmin)
    red = (larger if is_max else smaller).reduce(compared, axis=-1)
    return (loaded, red) if len(op.result_types) == 2 else (loaded, None, red)


@interprets("ttng.tmem_store")
def tmem_store(machine: Machine, op: Instruction, view: MemDesc, *rest) -> tuple:
    """view[i, j] = source[i, j] where the predicate holds."""
    *_, source, predicate = rest
    if predicate.any():
        lanes = np.flatnonzero(np.broadcast_to(predicate, machine.lanes.shape))
        machine.shared.store(machine.for_lanes(lanes), op, view.take(lanes), take(source, lanes))
    return (None,)


@interprets("ttng.tmem_wait")
def tmem_wait(machine: Machine, op: Instruction) -> tuple:
    """Accesses to tensor memory have ended when the next operation begins."""
    return ()


@interprets("ttng.tmem_copy")
def tmem_copy(machine: Machine, op: Instruction, source: MemDesc, view: MemDesc, barrier: MemDesc | None = None):
    """view[i, j] = source[i, j], in the order of the tensor core's products; then one arrival at the barrier."""
    before = machine.background.tensor_core.unfinished()
    values = machine.shared.load(machine, op, source).reshape(-1, *view.shape)
    transfer = issue(machine, op, [source])
    machine.shared.writes(machine, transfer, view, values, after=before)
    if barrier is not None:
        arrive_after(machine, op, machine.background.tensor_core.unfinished(), barrier)
    return ()
