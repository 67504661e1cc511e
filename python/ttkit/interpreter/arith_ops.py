"""arith: integers wrap, floats are IEEE in their own type."""

from __future__ import annotations

import numpy as np
from mlir import ir

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.machine import Machine
from ttkit.interpreter.registry import interprets
from ttkit.interpreter.values import unsigned


@interprets("arith.constant")
def constant(machine: Machine, op: Instruction) -> np.ndarray:
    """The value of the attribute, the same in all programs.  Kept on the instruction."""
    if "\0array" not in op.attributes:
        op.attributes["\0array"] = constant_array(op)
    return op.attributes["\0array"]


def constant_array(op: Instruction) -> np.ndarray:
    value, kind = op.attributes["value"], op.result_types[0]
    if isinstance(value, ir.DenseElementsAttr):
        if value.is_splat:
            element = value.get_splat_value()
            return np.broadcast_to(np.array(element.value).astype(kind.element), (1, *kind.shape))
        return np.array(list(value)).astype(kind.element).reshape(1, *kind.shape)
    return np.array([value]).astype(kind.element)


@interprets("arith.addi")
def addi(machine: Machine, op: Instruction, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a ^ b if a.dtype == np.bool_ else a + b


@interprets("arith.muli")
def muli(machine: Machine, op: Instruction, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a & b if a.dtype == np.bool_ else a * b


@interprets("arith.addf")
def addf(machine: Machine, op: Instruction, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a + b


COMPARE = (
    np.equal, np.not_equal,
    np.less, np.less_equal, np.greater, np.greater_equal,
    np.less, np.less_equal, np.greater, np.greater_equal,
)  # fmt: skip


@interprets("arith.cmpi")
def cmpi(machine: Machine, op: Instruction, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """eq ne slt sle sgt sge ult ule ugt uge."""
    predicate = op.attributes["predicate"]
    if a.dtype == np.bool_:
        # As signed, true is -1.
        a, b = (a.view(np.int8), b.view(np.int8)) if predicate >= 6 else (-a.view(np.int8), -b.view(np.int8))
    elif predicate >= 6:
        a, b = unsigned(a), unsigned(b)
    return COMPARE[predicate](a, b)
