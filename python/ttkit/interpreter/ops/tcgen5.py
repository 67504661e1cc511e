"""Products that accumulate in tensor memory (tcgen05).

A group of warps' products and copies to tensor memory run one after the other, each seeing what those before it wrote.
All others have to wait for them: by a barrier, at which an arrival comes after the work so far, or, where a product is
not asynchronous, until it returns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.machine import Machine
from ttkit.interpreter.memory.storages import MemDesc, Transfer
from ttkit.interpreter.ops.dot import TF32, product, scaled
from ttkit.interpreter.ops.mbarrier import arrive_after
from ttkit.interpreter.ops.registry import interprets
from ttkit.interpreter.values import take

Array = np.ndarray


def issue(machine: Machine, op: Instruction, sources: list[MemDesc]) -> Transfer:
    """New work of the tensor core, which reads `sources` until it ends."""
    transfer = machine.shared.start(machine, op)
    for view in sources:
        machine.shared.reads(machine, transfer, view)
    machine.background.tensor_core.add(transfer)
    machine.background.tensor_core.close_group(machine.lanes)
    return transfer


def multiply(machine: Machine, op: Instruction, operands: list[tuple], sum_of_products: Callable[..., Array]) -> tuple:
    """Computes d = sum_of_products(op, d's shape, *sources) + (use_d ? d : 0) where the predicate holds, then arrives.

    operands: those of each segment: a, b, d, token, further sources..., use_d, predicate, barriers, their predicates.
    """
    (a,), (b,), (d,), _, *scales, (use_d,), (predicate,), barriers, enabled = operands
    if not predicate.any():
        return (None,)
    if not predicate.all():
        lanes = np.flatnonzero(np.broadcast_to(predicate, machine.lanes.shape))
        parts = [tuple(take(value, lanes) for value in segment) for segment in operands]
        return multiply(machine.for_lanes(lanes), op, parts, sum_of_products)
    sources = [a, b, *(scale for (scale,) in scales)]
    before = machine.background.tensor_core.unfinished()
    values = sum_of_products(op, d.shape, *(machine.shared.load(machine, op, source, before) for source in sources))
    if use_d.any():
        lanes = np.flatnonzero(np.broadcast_to(use_d, machine.lanes.shape))
        values = np.array(np.broadcast_to(values, (machine.lanes.size, *values.shape[1:])))
        old = machine.shared.load(machine.for_lanes(lanes), op, d.take(lanes), before)
        values[lanes] = values[lanes] + old.astype(values.dtype, copy=False)
    transfer = issue(machine, op, sources)
    machine.shared.writes(machine, transfer, d, values.astype(d.element, copy=False), after=before)
    for barrier, where in zip(barriers, enabled):
        arrive_after(machine, op, machine.background.tensor_core.unfinished(), barrier, where)
    if "is_async" not in op.attributes:
        machine.shared.wait(machine, machine.background.tensor_core, 0)
    return (None,)


@interprets("ttng.tc_gen5_mma")
def tc_gen5_mma(machine: Machine, op: Instruction, *operands: Any) -> tuple:
    """d[m, n] = sum over k of a[m, k] * b[k, n] + (use_d ? d[m, n] : 0) where the predicate holds; then arrivals."""
    return multiply(machine, op, op.segments(operands), plain_product)


def plain_product(op: Instruction, shape: tuple[int, ...], a: Array, b: Array) -> Array:
    """f32 operands are cut to tf32; bytes have a sign or not."""
    if "is_unsigned" in op.attributes:
        a, b = a.astype(np.uint8), b.astype(np.uint8)
    return product(a, b, TF32)


@interprets("ttng.tc_gen5_mma_scaled")
def tc_gen5_mma_scaled(machine: Machine, op: Instruction, *operands: Any) -> tuple:
    """The same of a[m, k] * a_scale[m, k / s] and b[k, n] * b_scale[n, k / s]."""
    return multiply(machine, op, op.segments(operands), scaled_product)


def scaled_product(
    op: Instruction, shape: tuple[int, ...], a: Array, b: Array, a_scale: Array, b_scale: Array
) -> Array:
    """e2m1 is packed along K, or along M or N where that dimension of the operand is half of d's."""
    a_axis = -1 if a.shape[-2] == shape[-2] else -2
    b_axis = -2 if b.shape[-1] == shape[-1] else -1
    wide_a = scaled(op, a, op.attributes["a_type"], a_axis, -1, a_scale)
    wide_b = scaled(op, b, op.attributes["b_type"], b_axis, -2, b_scale)
    return np.matmul(wide_a, wide_b).astype(np.float32)


@interprets("ttng.tc_gen5_commit")
def tc_gen5_commit(machine: Machine, op: Instruction, barrier: MemDesc, predicate: Array | None = None) -> tuple:
    """Arrives once where the predicate holds, when all work of the tensor core so far is done."""
    if predicate is None or predicate.any():
        arrive_after(machine, op, machine.background.tensor_core.unfinished(), barrier, predicate)
    return ()
