"""Reductions and scans with any region.

The region runs for all pairs of a step at once, so an axis of n elements takes about log2(n) runs.
"""

from __future__ import annotations

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.machine import Frame, Machine, structured
from ttkit.interpreter.ops.element_regions import ElementRegion

Array = np.ndarray


def along_axis(region: ElementRegion, op: Instruction, frame: Frame) -> list[Array]:
    """The operands with the axis first: [n, P, ...]."""
    operands = [frame[slot] for slot in op.operands]
    programs = region.programs(operands)
    spread = [np.broadcast_to(operand, (programs, *operand.shape[1:])) for operand in operands]
    return [np.ascontiguousarray(np.moveaxis(operand, op.attributes["axis"] + 1, 0)) for operand in spread]


@structured("tt.reduce")
def reduce(machine: Machine, op: Instruction, frame: Frame) -> tuple[Array, ...]:
    """combineOp over all elements along the axis, as a tree: element i with element i + ceil(n / 2), until one is left.
    The operation must be associative and commutative; rounding is that of this order.  Memory may have another one."""
    region = ElementRegion(machine, op, frame)
    values = along_axis(region, op, frame)
    if (order := machine.memory.combining) is not None:
        turns = order(values[0].shape[0])
        values = [value[turns] for value in values]
    while (size := values[0].shape[0]) > 1:
        half = (size + 1) // 2
        pairs = [value[: size - half] for value in values] + [value[half:] for value in values]
        combined = region.run(pairs, axis=1)
        if size % 2:
            combined = [np.concatenate([new, old[half - 1 : half]]) for new, old in zip(combined, values)]
        values = combined
    return tuple(value[0] for value in values)


@structured("tt.scan")
def scan(machine: Machine, op: Instruction, frame: Frame) -> tuple[Array, ...]:
    """result[i] = combineOp(result[i - 1], src[i]), from the end with reverse.

    In steps of d = 1, 2, 4, ... (Hillis and Steele): result[i] = combineOp(result[i - d], result[i]).  The operation
    must be associative, not commutative; rounding is that of this order.
    """
    region = ElementRegion(machine, op, frame)
    if op.attributes["axis"] == frame[op.operands[0]].ndim - 1:  # an axis of one element
        return tuple(frame[slot] for slot in op.operands)
    values = along_axis(region, op, frame)
    if op.attributes["reverse"]:
        values = [value[::-1] for value in values]
    distance, size = 1, values[0].shape[0]
    while distance < size:
        pairs = [value[: size - distance] for value in values] + [value[distance:] for value in values]
        combined = region.run(pairs, axis=1)
        values = [np.concatenate([value[:distance], new]) for value, new in zip(values, combined)]
        distance *= 2
    if op.attributes["reverse"]:
        values = [value[::-1] for value in values]
    return tuple(np.moveaxis(value, 0, op.attributes["axis"] + 1) for value in values)
