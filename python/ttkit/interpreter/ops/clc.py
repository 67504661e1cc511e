"""Cluster launch control: a program takes over the work of one that is still waiting.

Kernels that ask run one program after the other.  A request gets the next one that is still waiting, and that one then
does not run by itself; when none is left, the request fails.  An answer is two i64: 1 if the request got a program,
and its linear index in the grid.
"""

from __future__ import annotations

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.machine import Machine
from ttkit.interpreter.memory.storages import MemDesc
from ttkit.interpreter.ops.mbarrier import count_bytes
from ttkit.interpreter.ops.registry import interprets

ANSWER_BYTES = 16


@interprets("ttng.clc_try_cancel")
def clc_try_cancel(machine: Machine, op: Instruction, result: MemDesc, barrier: MemDesc) -> tuple:
    """Takes a program that is still waiting, if there is one; the 16 bytes of the answer count at the barrier."""
    transfer = machine.shared.start(machine, op)
    values = _answers(machine).view(result.element).reshape(-1, *result.shape)
    machine.shared.writes(machine, transfer, result, values)
    count_bytes(machine, transfer, barrier, ANSWER_BYTES)
    return ()


def _answers(machine: Machine) -> np.ndarray:
    """An answer for each program that asks, int64 [P, 2]."""
    taken = machine.memory.start_programs(machine.lanes.size).tolist()
    answers = [[1, program] for program in taken] + [[0, 0]] * (machine.lanes.size - len(taken))
    return np.array(answers, np.int64)


@interprets("ttng.clc_try_cancel_sync")
def clc_try_cancel_sync(machine: Machine, op: Instruction) -> np.ndarray:
    """The same, and waits for the answer."""
    return _answers(machine)


@interprets("ttng.clc_load_result")
def clc_load_result(machine: Machine, op: Instruction, view: MemDesc) -> np.ndarray:
    """The answer at `view`, int64 [P, 2]."""
    values = machine.shared.load(machine, op, view)
    return values.reshape(values.shape[0], -1).view(np.int64)


@interprets("ttng.clc_is_canceled")
def clc_is_canceled(machine: Machine, op: Instruction, answer: np.ndarray) -> np.ndarray:
    """Whether the request got a program."""
    return answer[:, 0] != 0


@interprets("ttng.clc_get_program_id")
def clc_get_program_id(machine: Machine, op: Instruction, answer: np.ndarray) -> np.ndarray:
    """Coordinate of that program along an axis of the grid."""
    return machine.coordinates(answer[:, 1])[op.attributes["dim"]].astype(np.int32)
