"""Arithmetic of pairs of floats: that of each element."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.errors import NotInterpretable
from ttkit.interpreter.machine import Machine
from ttkit.interpreter.ops.registry import HANDLERS, interprets

# By the number of the PackedArith, from 1 on.
SINGLE = dict(enumerate("arith.addf arith.subf arith.mulf math.fma arith.minnumf arith.maxnumf".split(), 1))


@interprets("ttng.packed_arith")
def packed_arith(machine: Machine, op: Instruction, *values: np.ndarray) -> np.ndarray:
    """f(a, b, ...), element by element."""
    name = SINGLE.get(op.attributes["packed_arith_op"])
    if name is None:
        raise NotInterpretable(f"no packed operation {op.attributes['packed_arith_op']}", op)
    return HANDLERS[name](machine, replace(op, name=name), *values)
