"""Ranges."""

from __future__ import annotations

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.machine import Machine
from ttkit.interpreter.registry import interprets


@interprets("tt.make_range")
def make_range(machine: Machine, op: Instruction) -> np.ndarray:
    """result[i] = start + i."""
    return np.arange(op.attributes["start"], op.attributes["end"], dtype=np.int64).astype(np.int32)[None]
