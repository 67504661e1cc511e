"""scf and calls: regions that run once, often, or for some programs only."""

from __future__ import annotations

from typing import Any

import numpy as np

from ttkit.interpreter.decode import Instruction, Region
from ttkit.interpreter.errors import InterpreterError
from ttkit.interpreter.machine import Frame, Machine, structured
from ttkit.interpreter.ops.registry import interprets


def part_of(machine: Machine, op: Instruction, frame: Frame, lanes: np.ndarray) -> tuple[Machine, Frame]:
    """The machine for some of the programs, and a copy of the frame with their values of what the regions capture."""
    if lanes.size == machine.programs.size:
        return machine, frame
    inner = frame.copy()
    for slot in op.captures:
        inner[slot] = machine.take(inner[slot], lanes)
    return machine.for_lanes(lanes), inner


def run_for(machine: Machine, op: Instruction, frame: Frame, region: Region, lanes: np.ndarray, arguments: list[Any]):
    """Runs a region for some of the programs."""
    part, inner = part_of(machine, op, frame, lanes)
    return part.run_region(region, inner, arguments)


@structured("scf.if")
def scf_if(machine: Machine, op: Instruction, frame: Frame) -> tuple[Any, ...]:
    """The results of the first region where the condition is true, of the second elsewhere."""
    condition = machine.truth(frame[op.operands[0]])
    if isinstance(condition, bool):
        region = op.regions[0 if condition else 1] if len(op.regions) > 1 else op.regions[0]
        if not region.blocks or (not condition and len(op.regions) == 1):
            return ()
        return machine.run_region(region, frame, [])
    results: list[Any] = [None] * len(op.results)
    for region, side in zip(op.regions, (condition, ~condition)):
        if region.blocks and side.any():
            lanes = np.flatnonzero(side)
            values = run_for(machine, op, frame, region, lanes, [])
            results = [machine.put(old, new, lanes) for old, new in zip(results, values)]
    return tuple(results)


@structured("scf.for")
def scf_for(machine: Machine, op: Instruction, frame: Frame) -> tuple[Any, ...]:
    """index = lower; while index < upper: values = region(index, *values); index += step.

    The comparison is signed unless the operation says otherwise.

    Programs whose loop is over keep their values while the others go on.
    """
    lower, upper, step = (frame[slot] for slot in op.operands[:3])
    values = [frame[slot] for slot in op.operands[3:]]
    kind = lower.dtype
    if op.compares_unsigned:
        lower, upper, step = (bound.view(f"u{kind.itemsize}") for bound in (lower, upper, step))
    if (step <= 0).any():
        raise InterpreterError(f"the step must be positive, found {step.min()}", op)
    if all((bound == bound.flat[0]).all() for bound in (lower, upper, step)):
        for index in range(int(lower.flat[0]), int(upper.flat[0]), int(step.flat[0])):
            values = machine.run_region(op.regions[0], frame, [np.full(1, index, lower.dtype).view(kind), *values])
        return tuple(values)
    count = machine.programs.size
    index = np.broadcast_to(lower, (count,)).copy()
    upper, step = np.broadcast_to(upper, (count,)), np.broadcast_to(step, (count,))
    while (running := index < upper).any():
        lanes = np.flatnonzero(running)
        arguments = [index[lanes].view(kind), *(machine.take(value, lanes) for value in values)]
        new = run_for(machine, op, frame, op.regions[0], lanes, arguments)
        values = [machine.put(old, value, lanes) for old, value in zip(values, new)]
        index[lanes] += step[lanes]
    return tuple(values)


@structured("scf.while")
def scf_while(machine: Machine, op: Instruction, frame: Frame) -> tuple[Any, ...]:
    """(goes on, *values) = first region(*values); where it goes on values = second region(*values), again."""
    count = machine.programs.size
    arguments = [frame[slot] for slot in op.operands]
    results: list[Any] = [None] * len(op.results)
    lanes = np.arange(count)
    while True:
        part, inner = part_of(machine, op, frame, lanes)
        condition, *passed = part.run_region(op.regions[0], inner, arguments)
        goes_on = np.broadcast_to(condition, (lanes.size,))
        stopped = np.flatnonzero(~goes_on)
        if stopped.size:
            whole = stopped.size == count
            results = [
                value if whole else machine.put(old, part.take(value, stopped), lanes[stopped])
                for old, value in zip(results, passed)
            ]
            kept = np.flatnonzero(goes_on)
            lanes = lanes[kept]
            if not lanes.size:
                return tuple(results)
            passed = [part.take(value, kept) for value in passed]
            part, inner = part_of(machine, op, frame, lanes)
        arguments = list(part.run_region(op.regions[1], inner, list(passed)))


@structured("scf.index_switch")
def scf_index_switch(machine: Machine, op: Instruction, frame: Frame) -> tuple[Any, ...]:
    """The results of the region of the case that the argument has; without one, of the first region."""
    flag = np.broadcast_to(frame[op.operands[0]], (machine.programs.size,))
    cases = np.array(op.attributes["cases"], np.int64)
    results: list[Any] = [None] * len(op.results)
    for position, region in enumerate(op.regions):
        taken = flag == cases[position - 1] if position else ~np.isin(flag, cases)
        if taken.all():
            return machine.run_region(region, frame, [])
        if taken.any():
            lanes = np.flatnonzero(taken)
            values = run_for(machine, op, frame, region, lanes, [])
            results = [machine.put(old, new, lanes) for old, new in zip(results, values)]
    return tuple(results)


@structured("scf.execute_region")
def scf_execute_region(machine: Machine, op: Instruction, frame: Frame) -> tuple[Any, ...]:
    """The results of its region."""
    return machine.run_region(op.regions[0], frame, [])


@interprets("tt.call", "func.call")
def call(machine: Machine, op: Instruction, *arguments: Any) -> tuple[Any, ...]:
    """The results of the function's body."""
    callee = op.attributes["callee"]
    if callee not in machine.module.functions:
        raise InterpreterError(f"no function @{callee}", op)
    return machine.call(machine.module.functions[callee], list(arguments))
