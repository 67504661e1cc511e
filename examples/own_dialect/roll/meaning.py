"""What the operations do, for the interpreter.  Arrays have one dimension more, the first: programs run together."""

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.machine import Machine
from ttkit.interpreter.ops.registry import interprets


@interprets("roll.rotate")
def rotate(machine: Machine, op: Instruction, src: np.ndarray) -> np.ndarray:
    """result[..., i, ...] = src[..., (i + shift) mod n, ...]"""
    return np.roll(src, -op.attributes["shift"], 1 + op.attributes["axis"])
