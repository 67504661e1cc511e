"""What an element of a result is, as a term: for proofs that passes keep what kernels compute, for all inputs."""

from typing import Any

from ttkit.interpreter.decode import Instruction
from ttkit.validation.integers import add, number, remainder_unsigned
from ttkit.validation.registry import means
from ttkit.validation.terms import Term, at_index, indices


@means("roll.rotate")
def rotate(walk: Any, op: Instruction, source: Term) -> Term:
    """result[..., i, ...] = src[..., (i + shift) mod n, ...]"""
    axis, shape = op.attributes["axis"], op.operand_types[0].shape
    place = add(indices(shape)[axis], number(op.attributes["shift"], "i32"))
    return at_index(source, {axis: remainder_unsigned(place, number(shape[axis], "i32"))})
