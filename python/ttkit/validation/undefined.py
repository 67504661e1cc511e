"""Inputs on which a kernel's result is not defined: a difference on them says nothing about a pass."""

from __future__ import annotations

from typing import Any

import numpy as np

from ttkit.interpreter.check.generated_inputs import Inputs, run
from ttkit.interpreter.decode import Function, Instruction, Module
from ttkit.interpreter.errors import InterpreterError
from ttkit.interpreter.run_options import Observer


class NotDefined(InterpreterError):
    """The result of an operation is not defined."""


class Watch(Observer):
    """Raises NotDefined for indices outside of what is gathered from, and for elements of one store that collide."""

    def before(self, machine: Any, op: Instruction, operands: list[Any]) -> None:
        """Looks at the operands of an operation.

        Raises:
            NotDefined: its result has no meaning.
        """
        if op.name == "tt.gather":
            size = op.operand_types[0].shape[op.attributes["axis"]]
            if ((operands[1] < 0) | (operands[1] >= size)).any():
                self._raise("an index outside of the tensor that is gathered from", machine, op)
        is_tensor = op.name == "tt.store" and isinstance(operands[0], np.ndarray) and op.operand_types[0].shape
        if is_tensor and collide(*operands):
            self._raise("two elements of a store are at one address", machine, op)

    def _raise(self, text: str, machine: Any, op: Instruction) -> None:
        raise NotDefined(text, op, machine.coordinates(int(machine.programs[0])))


def collide(pointers: np.ndarray, values: np.ndarray, mask: np.ndarray | None = None) -> bool:
    """Whether a program writes several values at an address: arrays [P, *shape] of addresses, values and flags."""
    shape = np.broadcast_shapes(pointers.shape, values.shape)
    pointers, values = (np.broadcast_to(one, shape) for one in (pointers, values))
    flags = np.broadcast_to(True if mask is None else mask, shape)
    for addresses, given, holds in zip(pointers, values, flags):
        places, bits = addresses[holds].reshape(-1), np.ascontiguousarray(given[holds]).reshape(-1)
        order = np.argsort(places, kind="stable")
        places, bits = places[order], bits[order].view(f"V{bits.itemsize}")
        if ((places[1:] == places[:-1]) & (bits[1:] != bits[:-1])).any():
            return True
    return False


def is_defined(module: Module, function: Function, inputs: Inputs) -> bool:
    """Whether the result of a function on inputs is: also that programs one by one leave what several at once leave."""
    if isinstance(run(module, function, inputs, observer=Watch()).error, NotDefined):
        return False
    once, alone = (run(module, function, inputs, alone=one).buffers for one in (False, True))
    return all(is_close(one, alone[name]) for name, one in once.items())


def is_close(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two results are the same but for the last bits of floats, which numpy adds up in another order."""
    if a.dtype.kind in "iub":
        return np.array_equal(a, b)
    with np.errstate(all="ignore"):
        return np.allclose(a.astype(np.float64), b.astype(np.float64), rtol=1e-2, atol=1e-3, equal_nan=True)
