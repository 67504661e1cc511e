"""The dialect `each`: what its operations, its type and its attribute are made of, and when they are valid."""

from collections.abc import Sequence
from typing import Annotated, NewType, TypeAlias

from mlir import ir

from ttkit.dialects import ext

Tensor = NewType("Tensor", ir.RankedTensorType)  # values with it have one and the same type
Number: TypeAlias = ir.FloatType | ir.IntegerType


class Each(
    ext.Dialect,
    name="each",
    lowering="each.lowering",
    meaning="each.meaning",
):
    """Functions of the elements of tensors."""


class Limits(Each.Type, name="limits"):
    """A lower and an upper limit of numbers of a type: `!each.limits<f32>`."""

    number: ir.Type

    @classmethod
    def verify_invariants(cls, number: ir.Type) -> None:
        """Numbers are floats or integers."""
        if not isinstance(number, ir.FloatType | ir.IntegerType):
            raise ValueError(f"limits are of floats or integers, found {number}")


class Times(Each.Attribute, name="times"):
    """How often something happens: `#each.times<2 : i32>`."""

    count: int

    @classmethod
    def verify_invariants(cls, count: int) -> None:
        """At least once."""
        if count < 1:
            raise ValueError(f"found {count} times; it must be 1 or more")


class LimitsOp(Each.Operation, name="limits", pure=True):
    """Limits of numbers; one that is absent limits nothing."""

    low: ext.Operand[Number] | None
    high: ext.Operand[Number] | None
    result: ext.Result[Limits]

    def verify_invariants(self) -> None:
        """There is one at least, and the type has the numbers."""
        if self.low is None and self.high is None:
            raise ValueError("expected a limit, low or high")
        for value in (self.low, self.high):
            if value is not None and value.type != self.result.type.number:
                raise ValueError(f"expected a limit of type {self.result.type.number}, found {value.type}")


class ClampOp(Each.Operation, name="clamp", pure=True, keeps_layout=True):
    """Each element, or the nearest number within limits."""

    src: ext.Operand[Tensor]
    limits: ext.Operand[Limits]
    result: ext.Result[Tensor]

    def verify_invariants(self) -> None:
        """The limits are of such elements."""
        if self.src.type.element_type != self.limits.type.number:
            raise ValueError(f"expected limits of {self.src.type.element_type}, found {self.limits.type}")


class YieldOp(Each.Operation, name="yield", pure=True, terminator=True):
    """Ends the region of an operation, with what it gives."""

    values: Sequence[ext.Operand]


class MapOp(Each.Operation, name="map", pure=True, elementwise=True):
    """A function of the elements at one place of several tensors, which gives as many, applied some times."""

    srcs: Sequence[ext.Operand[Tensor]]
    times: Times
    body: Annotated[ext.Region, ext.OneBlock(terminator=YieldOp)]
    outs: Sequence[ext.Result[Tensor]]

    @classmethod
    def result_types(cls, operands: Sequence[Sequence[ir.Value]]) -> list[list[ir.Type]]:
        """As many as operands, of their types."""
        return [[value.type for value in operands[0]]]

    def verify_region_invariants(self) -> None:
        """Takes and gives an element of each tensor."""
        (block,) = self.body.blocks
        elements = [value.type.element_type for value in self.srcs]
        given = [value.type for value in block.operations[-1].operands]
        for what, types in (("take", [argument.type for argument in block.arguments]), ("give", given)):
            if types != elements:
                wanted, found = (", ".join(map(str, of)) for of in (elements, types))
                raise ValueError(f"'body' must {what} ({wanted}), found ({found})")
