"""What the operations do, for the interpreter.  Arrays have one dimension more, the first: programs run together."""

from dataclasses import dataclass

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.machine import Frame, Machine, structured
from ttkit.interpreter.ops.element_regions import ElementRegion
from ttkit.interpreter.ops.registry import interprets
from ttkit.interpreter.values import PerProgram, align_rank


@dataclass(frozen=True)
class Limits(PerProgram):
    """A value of `!each.limits`: low and high are numbers, [P]."""

    low: np.ndarray
    high: np.ndarray


@interprets("each.limits")
def limits(machine: Machine, op: Instruction, *given: np.ndarray) -> Limits:
    """Those that are given, and the least and the largest number in place of others."""
    number = given[0].dtype
    whole = np.iinfo(number) if number.kind == "i" else None
    least, most = (whole.min, whole.max) if whole else (-np.inf, np.inf)
    low, high = op.segments(given)
    return Limits(*(low or (np.array([least], number),)), *(high or (np.array([most], number),)))


@interprets("each.clamp")
def clamp(machine: Machine, op: Instruction, src: np.ndarray, within: Limits) -> np.ndarray:
    """min(max(src, low), high); NaN stays."""
    low, high = (align_rank(limit, src.ndim - 1) for limit in (within.low, within.high))
    src = np.where(src < low, low, src)
    return np.where(src > high, high, src)


@structured("each.map")
def map(machine: Machine, op: Instruction, frame: Frame) -> tuple[np.ndarray, ...]:
    """The region, for all elements at once."""
    region = ElementRegion(machine, op, frame)
    operands = [frame[slot] for slot in op.operands]
    programs = region.programs(operands)
    values = [np.broadcast_to(operand, (programs, *operand.shape[1:])) for operand in operands]
    for _ in range(op.attributes["times"].count):
        values = region.run(values, axis=0)
    return tuple(values)
