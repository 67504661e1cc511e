"""Regions of scalar code, run for many elements at once.

Each element becomes a program of its own: its arguments are arrays [M] instead of [P, *shape], and so are the values
that the region captures.  Branches, calls and program ids in the region then work as anywhere else.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.machine import Frame, Machine
from ttkit.interpreter.values import take


class ElementRegion:
    """The region of one execution of an operation.

    Args:
        machine: what the operation runs on.
        op: the operation; its only region is run.
        frame: for the captured values.
    """

    def __init__(self, machine: Machine, op: Instruction, frame: Frame) -> None:
        self.machine, self.op, self.frame = machine, op, frame.copy()
        self.region = op.regions[0]
        if "\0plain" not in op.attributes:
            blocks = self.region.blocks
            op.attributes["\0plain"] = len(blocks) == 1 and all(
                instruction.name.startswith(("arith.", "math.")) for instruction in blocks[0].instructions[:-1]
            )
        captured = [frame[slot] for slot in op.captures]
        self.plain = op.attributes["\0plain"] and all(_uniform(value) for value in captured)
        """Whether elements need not know their program."""

    def programs(self, operands: list[np.ndarray]) -> int:
        """The leading dimension that operands must have: 1 if the results are the same in all programs."""
        if not self.plain:
            return self.machine.programs.size
        return max(operand.shape[0] for operand in operands)

    def run(self, arguments: list[np.ndarray], axis: int) -> list[np.ndarray]:
        """The region's results for arrays of one shape, whose dimension `axis` is that of the programs."""
        shape = arguments[0].shape
        flat = [argument.reshape(-1) for argument in arguments]
        machine, frame = self.machine, self.frame
        if not self.plain:
            lanes = np.arange(shape[axis]).reshape(-1, *[1] * (len(shape) - axis - 1))
            lanes = np.broadcast_to(lanes, shape).reshape(-1)
            machine, frame = machine.for_lanes(lanes), frame.copy()
            for slot in self.op.captures:
                frame[slot] = take(frame[slot], lanes)
        results = machine.run_region(self.region, frame, flat)
        return [np.broadcast_to(result, flat[0].shape).reshape(shape) for result in results]


def _uniform(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.shape[0] == 1
