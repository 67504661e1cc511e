"""The dialect `roll`: what its operations are made of, and when they are valid."""

from typing import NewType

from mlir import ir

from ttkit.dialects import ext

Tensor = NewType("Tensor", ir.RankedTensorType)  # values with it have one and the same type


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

    src: ext.Operand[Tensor]
    axis: int
    shift: int
    result: ext.Result[Tensor]

    def verify_invariants(self) -> None:
        """The axis is one of the tensor's, and the shift less than its size."""
        type = self.src.type
        if not 0 <= self.axis < type.rank:
            raise ValueError(f"axis must be less than the rank of {type}, found {self.axis}")
        if not 0 <= self.shift < type.shape[self.axis]:
            raise ValueError(f"shift must be less than {type.shape[self.axis]}, found {self.shift}")
