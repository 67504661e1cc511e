"""Regions that are timed: there is no clock here, and nothing is written; no result depends on it."""

from __future__ import annotations

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.machine import Machine
from ttkit.interpreter.ops.registry import interprets


@interprets(
    "proton.record",
    "proton_gpu.initialize",
    "proton_gpu.circular_store",
    "proton_gpu.finalize",
    "proton_gpu.init_ctx",
    "proton_gpu.save_ctx",
    "proton_gpu.restore_ctx",
)
def nothing(machine: Machine, op: Instruction, *operands: np.ndarray) -> tuple:
    """No result."""
    return ()


@interprets("proton_gpu.read_counter")
def read_counter(machine: Machine, op: Instruction) -> np.ndarray:
    """A clock that stands still."""
    return np.zeros(1, op.result_types[0].element)


@interprets("proton_gpu.global_scratch_alloc", "proton_gpu.segment_alloc")
def nowhere(machine: Machine, op: Instruction, *operands: np.ndarray) -> np.ndarray:
    """Memory that nobody accesses."""
    return np.zeros(1, np.int64)
