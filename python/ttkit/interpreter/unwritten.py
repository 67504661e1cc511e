"""Tensors that were loaded from where nothing has written.

Pipelined loops read buffers for iterations that do not exist, and compute with what they read; nobody uses the results.
Such a tensor is therefore an error only where it is used: stored to global memory, an address, an operand of a product
that reads memory or changes it.  A product of registers only computes.
An access whose mask holds nowhere uses nothing, and a mask that is false for such an iteration stays so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ttkit.interpreter.errors import Uninitialized
from ttkit.interpreter.masks import predicate_position
from ttkit.operation_sets import CONTROL_FLOW, CONVERT_LAYOUT, DOTS, TENSOR_VIEWS, TMEM_ALLOC, TMEM_STORE

if TYPE_CHECKING:
    from ttkit.interpreter.decode import Instruction

COMPUTING = frozenset(
    {
        CONVERT_LAYOUT,
        *TENSOR_VIEWS,
        "tt.broadcast",
        "tt.fp_to_fp",
        "tt.bitcast",
        "tt.splat",
        "tt.addptr",
        "tt.reduce",
        "tt.scan",
        *DOTS,
    }
)
"""Operations besides those of arith and math whose results depend on their operands alone."""
STORES = frozenset({"ttg.local_store", "ttg.local_alloc", TMEM_STORE, TMEM_ALLOC})
"""Operations after which nothing has written their buffer either."""


@dataclass(frozen=True)
class Unwritten:
    """The value of such a tensor: the error that any use is."""

    error: Uninitialized


def without_unused(op: Instruction, operands: list[Any]) -> list[Any]:
    """The operands of an operation; if its mask is false everywhere, zeros take the place of unwritten tensors."""
    position = predicate_position(op)
    if position is None or not isinstance(operands[position], np.ndarray) or operands[position].any():
        return operands
    kinds = zip(operands, op.operand_types)
    return [np.zeros((1, *kind.shape), kind.element) if isinstance(one, Unwritten) else one for one, kind in kinds]


def results_of_unwritten(op: Instruction, operands: list[Any]) -> tuple[Any, ...] | None:
    """The results of an operation on tensors of which nothing has written some.

    None if it runs as usual: all are written, or it only passes them on, or SharedMemory.store knows what to do.

    Raises:
        Uninitialized: it uses them.
    """
    found = [value for value in operands if isinstance(value, Unwritten)]
    if not found or op.name in CONTROL_FLOW or op.name in STORES:
        return None
    if op.name == "arith.select" and not isinstance(operands[0], Unwritten):
        chosen = np.unique(operands[0])
        if chosen.size == 1:
            return (operands[1 if chosen[0] else 2],)
    if op.name == "arith.andi":
        nothing = [one for one in operands if not isinstance(one, Unwritten) and not np.any(one)]
        if nothing:
            return (nothing[0],)
    if op.name in COMPUTING or op.name.startswith(("arith.", "math.")):
        return (found[0],) * len(op.results)
    raise found[0].error
