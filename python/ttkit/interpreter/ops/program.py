"""Which program this is, and what only the launch knows."""

from __future__ import annotations

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.machine import Machine
from ttkit.interpreter.ops.registry import interprets

MULTIPROCESSORS = 2
"""Few, so that small grids take several rounds."""


@interprets("tt.get_program_id")
def get_program_id(machine: Machine, op: Instruction) -> np.ndarray:
    """Coordinate of the program along an axis of the grid."""
    return machine.coordinates(machine.programs)[op.attributes["axis"]].astype(np.int32)


@interprets("tt.get_num_programs")
def get_num_programs(machine: Machine, op: Instruction) -> np.ndarray:
    """Size of the grid along an axis."""
    return np.full(1, machine.grid[op.attributes["axis"]], np.int32)


@interprets("nvvm.read.ptx.sreg.nsmid")
def multiprocessors(machine: Machine, op: Instruction) -> np.ndarray:
    """The number of multiprocessors, which is that of programs that run at once where a kernel has a loop over them."""
    return np.full(1, MULTIPROCESSORS, np.int32)


@interprets("tt.grid_dependency_wait", "tt.grid_dependency_launch_dependents")
def grid_dependency(machine: Machine, op: Instruction) -> tuple:
    """Launches run one after another here."""
    return ()


@interprets("tt.return", "ub.unreachable")
def nothing(machine: Machine, op: Instruction, *operands: np.ndarray) -> tuple:
    """The end of a function, or of a way that no program takes."""
    return ()
