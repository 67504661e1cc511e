"""The dialect `roll`: what its operations are made of, and when they are valid."""

from typing import TypeVar

from mlir import ir

from ttkit.dialects import ext

T = TypeVar("T", bound=ir.RankedTensorType)


class Roll(
    ext.Dialect,
    name="roll",
    lowering="roll.lowering",
    meaning="roll.meaning",
    layouts="roll.layouts",
    proof="roll.proof",
):
    """The operations of `roll`."""


class RotateOp(Roll.Operation, name="rotate", pure=True, keeps_layout=True):
    """The elements of a tensor moved along one axis, the first ones to the end.

    result[..., i, ...] = src[..., (i + shift) mod n, ...], where n is the size of dimension `axis`.
    """

    src: ext.Operand[T]
    axis: int
    shift: int
    result: ext.Result[T]

    def verify_invariants(self) -> None:
        """The axis is one of the tensor's, and the shift less than its size."""
        type = self.src.type
        if not 0 <= self.axis < type.rank:
            raise ValueError(f"axis must be less than the rank of {type}, found {self.axis}")
        if not 0 <= self.shift < type.shape[self.axis]:
            raise ValueError(f"shift must be less than {type.shape[self.axis]}, found {self.shift}")
