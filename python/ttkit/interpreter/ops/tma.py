"""Copies between global and shared memory by descriptor (TMA)."""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.machine import Machine
from ttkit.interpreter.memory.storages import MemDesc
from ttkit.interpreter.ops.descriptor import Descriptor
from ttkit.interpreter.ops.image_descriptor import ImageDescriptor
from ttkit.interpreter.ops.mbarrier import count_bytes
from ttkit.interpreter.ops.registry import interprets


@cache
def cta_split(memdesc: str) -> int:
    """Number of CTAs that share a buffer.  Each of them counts its own part at its own barrier; along a dimension that
    is too small for that, each has all of it."""
    layout = re.search(r"CGALayout = \[(\[.*?\])\]", memdesc)
    bases = re.findall(r"\[([^\]]*)\]", layout.group(1)) if layout else []
    shape = re.search(r"<((?:\d+x)+)", memdesc)
    sizes = [int(size) for size in shape.group(1).split("x")[:-1]] if shape else []
    steps = [[int(step) for step in basis.split(",")] for basis in bases if basis.strip()]
    return 1 << sum(any(0 < one < size for one, size in zip(step, sizes[-len(step) :])) for step in steps)


def copy_in(machine: Machine, op: Instruction, descriptor: Descriptor, elements, barrier, view: MemDesc, predicate):
    """The elements go to the view; their bytes, those outside the tensor too, count at the barrier."""
    if not predicate.any():
        return
    values = descriptor.load(machine, op, elements, None if predicate.all() else predicate)
    values = np.broadcast_to(values, (machine.lanes.size, *values.shape[1:]))[
        np.broadcast_to(predicate, machine.lanes.shape)
    ]
    transfer = machine.shared.start(machine, op, predicate)
    machine.shared.writes(machine, transfer, view, values.reshape(-1, *view.shape), predicate)
    size = values[0].size * view.element.itemsize // cta_split(op.operand_types[-2].text)
    count_bytes(machine, transfer, barrier, size, predicate)


@interprets("ttng.async_tma_copy_global_to_local")
def async_tma_copy_global_to_local(machine: Machine, op: Instruction, descriptor: Descriptor, *rest) -> tuple:
    """view[i] = tensor[coordinates + i], when the barrier's phase ends; of images, pixels with channels."""
    *coordinates, barrier, view, predicate = rest
    if isinstance(descriptor, ImageDescriptor):
        count = sum(kind.text == "i32" for kind in op.operand_types[1:-3])
        elements = descriptor.pixels(op, coordinates[:count], coordinates[count:])
    else:
        elements = descriptor.elements(coordinates)
    copy_in(machine, op, descriptor, elements, barrier, view, predicate)
    return ()


@interprets("ttng.async_tma_gather")
def async_tma_gather(machine: Machine, op: Instruction, descriptor: Descriptor, rows, column, *rest) -> tuple:
    """view[r, c] = tensor[rows[r], column + c], when the barrier's phase ends."""
    copy_in(machine, op, descriptor, descriptor.rows(rows, column), *rest)
    return ()


def read_until_waited_for(machine: Machine, op: Instruction, view: MemDesc) -> np.ndarray:
    """The elements of a view, which a store goes on reading until async_tma_store_wait."""
    values = machine.shared.load(machine, op, view)
    transfer = machine.shared.start(machine, op)
    machine.shared.reads(machine, transfer, view)
    machine.background.stores.add(transfer)
    machine.background.stores.close_group(machine.lanes)
    return values


@interprets("ttng.async_tma_copy_local_to_global")
def async_tma_copy_local_to_global(machine: Machine, op: Instruction, descriptor: Descriptor, *rest) -> tuple:
    """tensor[coordinates + i] = view[i], where inside."""
    *coordinates, view = rest
    descriptor.store(machine, op, descriptor.elements(coordinates), read_until_waited_for(machine, op, view))
    return ()


@interprets("ttng.async_tma_reduce")
def async_tma_reduce(machine: Machine, op: Instruction, descriptor: Descriptor, *rest) -> tuple:
    """tensor[coordinates + i] = kind(tensor[coordinates + i], view[i]), where inside."""
    *coordinates, view = rest
    descriptor.reduce(machine, op, coordinates, read_until_waited_for(machine, op, view))
    return ()


@interprets("ttng.async_tma_scatter")
def async_tma_scatter(machine: Machine, op: Instruction, descriptor: Descriptor, rows, column, view: MemDesc) -> tuple:
    """tensor[rows[r], column + c] = view[r, c], where inside."""
    values = read_until_waited_for(machine, op, view)
    descriptor.store(machine, op, descriptor.rows(rows, column), values)
    return ()


@interprets("ttng.async_tma_store_wait")
def async_tma_store_wait(machine: Machine, op: Instruction) -> tuple:
    """All stores but the `pendings` newest have read their buffers."""
    machine.shared.wait(machine, machine.background.stores, op.attributes["pendings"])
    return ()


@interprets("ttng.fence_async_shared")
def fence_async_shared(machine: Machine, op: Instruction) -> tuple:
    """Accesses are in order here: a fence matters to the search for missing ones only."""
    if machine.shared.races is not None:
        machine.shared.races.fence(machine)
    return ()


@interprets(
    *("ttng.fence_mbarrier_init_release_cluster", "ttng.cluster_arrive", "ttng.cluster_wait", "ttng.cluster_barrier")
)
def cluster(machine: Machine, op: Instruction) -> tuple:
    """The CTAs of a cluster run as one."""
    return ()
