"""Products that accumulate in tensor memory (tcgen05).

A group of warps' products and copies to tensor memory run one after the other, each seeing what those before it wrote.
All others have to wait for them: by a barrier, at which an arrival comes after the work so far, or, where a product is
not asynchronous, until it returns.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.errors import InterpreterError
from ttkit.interpreter.machine import Machine
from ttkit.interpreter.memory.storages import MemDesc, Transfer
from ttkit.interpreter.numerics.elementary import fp4_codes
from ttkit.interpreter.ops.dot import TF32, product, scaled
from ttkit.interpreter.ops.mbarrier import arrive_after
from ttkit.interpreter.ops.registry import interprets
from ttkit.interpreter.values import ValueType, take

Array = np.ndarray
CGA_LAYOUT = re.compile(r"CGALayout = (\[(?:\[[^\]]*\](?:, )?)*\])")


def is_padded(kind: ValueType) -> bool:
    """Whether a buffer in tensor memory has a byte for each fp4, two of which are an element."""
    return "fp4Padded = true" in kind.text and "#ttng.tensor_memory_encoding" in kind.text


def bytes_of(view: MemDesc) -> MemDesc:
    """All bytes of padded fp4, [M, K]."""
    *rows, columns = view.shape
    return replace(view, shape=(*rows, 2 * columns), strides=(*view.strides[:-1], 1))


def packed(op: Instruction, x: Array) -> Array:
    """Two fp4 in a byte, [..., M, K / 2], of one in each.  Raises InterpreterError: bits are set that no fp4 has."""
    try:
        codes = fp4_codes(np.ascontiguousarray(x))
    except ValueError as error:
        raise InterpreterError(
            f"{error}: store the numbers shifted left by 2 before the product reads them", op
        ) from None
    return codes[..., ::2] | codes[..., 1::2] << 4


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
    padded = is_padded(op.operand_types[0])
    sources = [bytes_of(a) if padded else a, b, *(scale for (scale,) in scales)]
    before = machine.background.tensor_core.unfinished()
    loaded = [machine.shared.load(machine, op, source, before) for source in sources]
    if padded:
        loaded[0] = packed(op, loaded[0])
    values = sum_of_products(op, d.shape, *loaded)
    if use_d.any():
        lanes = np.flatnonzero(np.broadcast_to(use_d, machine.lanes.shape))
        values = np.array(np.broadcast_to(values, (machine.lanes.size, *values.shape[1:])))
        old = machine.shared.load(machine.for_lanes(lanes), op, d.take(lanes), before)
        values[lanes] = values[lanes] + old.astype(values.dtype, copy=False)
    transfer = issue(machine, op, sources)
    machine.shared.writes(machine, transfer, d, values.astype(d.element, copy=False), after=before)
    count = arrivals_at_each(op, op.operand_types[:2] if "multicast" in op.attributes else ())
    for barrier, where in zip(barriers, enabled):
        arrive_after(machine, op, machine.background.tensor_core.unfinished(), barrier, where, count)
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
def tc_gen5_commit(machine: Machine, op: Instruction, barrier: MemDesc, *rest: Any) -> tuple:
    """Arrives where the predicate holds, when all work of the tensor core so far is done."""
    predicate, *_ = rest if rest and isinstance(rest[0], np.ndarray) else (None,)
    if predicate is None or predicate.any():
        descs = op.operand_types[1 + (predicate is not None) :]
        work, count = machine.background.tensor_core.unfinished(), arrivals_at_each(op, descs)
        arrive_after(machine, op, work, barrier, predicate, count)
    return ()


def arrivals_at_each(op: Instruction, operands: Sequence[ValueType]) -> int:
    """The arrivals that the barrier of each CTA gets: one from each that has its part of one of some operands.

    CTAs that multiply together, two by two, arrive once.
    """
    ctas = {0}
    for kind in operands:
        found = CGA_LAYOUT.search(kind.text)
        bases = json.loads(found[1]) if found and "#ttg.shared_memory" in kind.text else []
        copies = sum(1 << bit for bit, basis in enumerate(bases) if not any(basis))
        ctas |= {cta for cta in range(1 << len(bases)) if not cta & ~copies}
    together = 1 if "two_ctas" in op.attributes else 0
    return len({cta & ~together for cta in ctas})
