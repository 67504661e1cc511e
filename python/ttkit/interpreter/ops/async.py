"""Copies from global to shared memory in the background (cp.async)."""

from __future__ import annotations

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.machine import Machine
from ttkit.interpreter.memory.storages import MemDesc
from ttkit.interpreter.ops.memory import load_elements
from ttkit.interpreter.ops.registry import interprets

TOKEN = None
"""The value of a !ttg.async.token: what it orders is known from the transfers themselves."""
LOCAL = 1
"""The bit of a barrier's addrSpace that stands for shared memory."""


@interprets("ttg.async_copy_global_to_local")
def async_copy_global_to_local(machine: Machine, op: Instruction, pointer, view: MemDesc, *rest: np.ndarray) -> tuple:
    """view[i] = mask[i] ? *pointer[i] : other[i], some time before the wait for its group returns."""
    counts = op.attributes["operandSegmentSizes"]
    mask, other = (rest[0] if counts[2] else None), (rest[-1] if counts[3] else None)
    values = load_elements(machine, op, pointer, mask, other, view.element)
    transfer = machine.shared.start(machine, op)
    # A thread's copies to one place arrive in order.
    machine.shared.writes(machine, transfer, view, values, after=machine.background.copies.unfinished())
    machine.background.copies.add(transfer)
    return (TOKEN,)


@interprets("ttg.async_commit_group")
def async_commit_group(machine: Machine, op: Instruction, *tokens: object) -> tuple:
    """All copies started since the last group form a new one."""
    machine.background.copies.close_group(machine.lanes)
    return (TOKEN,)


@interprets("ttg.async_wait")
def async_wait(machine: Machine, op: Instruction, *tokens: object) -> tuple:
    """All groups but the `num` newest have arrived."""
    machine.shared.wait(machine, machine.background.copies, op.attributes["num"])
    return (TOKEN,)


@interprets("ttg.prefetch")
def prefetch(machine: Machine, op: Instruction, *operands: object) -> tuple:
    """Advice for caches: nothing."""
    return ()


@interprets("gpu.barrier", "ttg.local_barrier", "ttg.barrier")
def barrier(machine: Machine, op: Instruction) -> tuple:
    """All threads run one operation after the other: a barrier matters to races between warps only, and to them if it
    makes shared memory visible."""
    if op.attributes.get("addrSpace", LOCAL) & LOCAL:
        machine.shared.barrier(machine)
    return ()
