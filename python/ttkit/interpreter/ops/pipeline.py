"""Operations that the pipeliner leaves in a loop while it rewrites it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.machine import Frame, Machine, structured
from ttkit.interpreter.ops.control_flow import run_for
from ttkit.interpreter.ops.registry import interprets
from ttkit.interpreter.values import put


@interprets("ttg.predicate_stage")
def predicate_stage(machine: Machine, op: Instruction, iv: np.ndarray, ub: np.ndarray, step: np.ndarray) -> np.ndarray:
    """iv < ub - (maxStage - stage) * step"""
    return iv < ub - (op.attributes["maxStage"] - op.attributes["stage"]) * step


@structured("ttg.mask")
def mask(machine: Machine, op: Instruction, frame: Frame) -> tuple[Any, ...]:
    """The results of the region where the predicate holds; zeros elsewhere, where they are undefined."""
    predicate = machine.truth(frame[op.operands[0]])
    if predicate is True:
        return machine.run_region(op.regions[0], frame, [])
    results: list[Any] = [
        None if kind.element is None else np.zeros((1, *kind.shape), kind.element) for kind in op.result_types
    ]
    if predicate is not False:
        lanes = np.flatnonzero(predicate)
        values = run_for(machine, op, frame, op.regions[0], lanes, [])
        results = [put(old, new, lanes, machine.programs.size) for old, new in zip(results, values)]
    return tuple(results)
