"""The body of the loop that `expansion` makes: all stages at once, each for its own iteration."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from mlir import ir

from ttkit.analysis.integer_constants import signed
from ttkit.dialects import arith, ttg
from ttkit.inspection import address_of, has_uses
from ttkit.passes.infra import constant_attribute
from ttkit.passes.infra.loops import carried_number, final_value
from ttkit.passes.infra.nesting import operations_in
from ttkit.passes.infra.transforms import set_operands
from ttkit.passes.pipelining.predication import predicate
from ttkit.passes.pipelining.runs import Run

if TYPE_CHECKING:
    from ttkit.passes.pipelining.expansion import Expansion

INDEX_BITS = 64


class Kernel:
    """The body of the new loop while it is built.

    Attributes:
        carried: the body's arguments without the induction variable.
        current: a value of the old loop -> its replacement in this iteration of the new one.
        predicates: for each stage but the last, an i1: whether its iteration exists.
        early: addresses of the operations of these stages, if the last iteration is to be peeled off.
    """

    def __init__(self, expansion: Expansion, body: ir.Block) -> None:
        self.expansion = expansion
        self.induction, *self.carried = body.arguments
        self.point = ir.InsertionPoint(body)
        self.current: dict[ir.Value, ir.Value] = {}
        self.early: set[int] = set()
        with self.point:
            self.predicates = [self.exists(stage) for stage in range(expansion.last)]

    def exists(self, stage: int) -> ir.Value:
        """An i1: whether the iteration that a stage runs exists.  It does where i < ub - ahead * step."""
        if self.expansion.keeps_predicates:
            limits = self.expansion.upper, self.expansion.step
            return ttg.predicate_stage(self.induction, *limits, self.expansion.last, stage)
        if self.expansion.peels and stage == self.expansion.last - 1:
            return arith.true()
        upper = self.expansion.upper
        return arith.cmpi("slt", self.induction, folded("subi", upper, self.distance(stage)))

    def distance(self, stage: int) -> ir.Value:
        """Lead of a stage's induction variable over that of the last stage: the step times the stages between them."""
        return times(self.expansion.step, self.expansion.last - stage)

    def add(self, run: Run) -> None:
        """Copies operations to the end of the body."""
        expansion = self.expansion
        inductions = []
        if expansion.induction in run.reads:
            with self.point:
                uses = count_uses(expansion.induction, run.ops[0])
                inductions = [arith.addi(self.induction, self.distance(run.stage)) for _ in range(uses)]

        def replacement(value: ir.Value) -> ir.Value | None:
            """The replacement of a value of the old loop at the run's stage."""
            return inductions[0] if value == expansion.induction else self.at_stage(value, run.stage)

        copies = run.copy(self.point, replacement)
        if len(inductions) > 1:
            spread_uses(copies[0], inductions)
        if run.stage < expansion.last:
            for index in run.predicated:
                copies[index] = predicate(copies[index], self.predicates[run.stage])
            if expansion.peels:
                self.early.update(address_of(copies[index]) for index in range(len(run.ops)))
        self.current.update(copies.exports(run))

    def at_stage(self, value: ir.Value, stage: int) -> ir.Value | None:
        """The replacement of a value of the old loop in an operation of that stage; None for a value from outside."""
        expansion = self.expansion
        origin = expansion.origin(value)
        number = carried_number(value, expansion.body)
        if origin is None and number is not None:
            # From the second iteration on it is one value.  Only the last stage sees the first iteration here.
            following = expansion.yielded[number]
            return self.carried[number] if stage == expansion.last or following == value else following
        if origin is None:
            return None
        if origin.stage == stage + origin.distance:
            return self.current[value if number is None else expansion.yielded[number]]
        if origin.stage == stage and number is not None:
            return self.carried[number]
        live = expansion.cross_stage[value]
        return self.carried[live.first + live.read - stage]

    def final(self, value: ir.Value, number: int) -> ir.Value:
        """The replacement of a value that the old loop yields; the carried one again after its stage has ended."""
        origin = self.expansion.origin(value)
        if origin is None:
            return self.carried[number] if value == self.expansion.arguments[number] else value
        stage = origin.stage
        if stage == self.expansion.last or value not in self.expansion.needed:
            return self.current[value]
        if not has_uses(final_value(self.expansion.loop, number)):
            return self.current[value]
        return arith.select(self.predicates[stage], self.current[value], self.carried[number])


def times(step: ir.Value, count: int) -> ir.Value:
    """count * step."""
    return folded("muli", step, arith.constant(step.type, count))


def folded(name: str, a: ir.Value, b: ir.Value) -> ir.Value:
    """The result of arith.addi, subi or muli at the current insertion point; constant if both operands are.

    It wraps: a loop that has no iteration may begin at the largest number.
    """
    left, right = number_of(a), number_of(b)
    if left is None or right is None:
        build: Callable[..., ir.Value] = {"addi": arith.addi, "subi": arith.subi, "muli": arith.muli}[name]
        return build(a, b)
    result = {"addi": left + right, "subi": left - right, "muli": left * right}[name]
    return arith.constant(a.type, signed(result, a.type.width if isinstance(a.type, ir.IntegerType) else INDEX_BITS))


def number_of(value: ir.Value) -> int | None:
    """The value of an integer constant; None for other values."""
    attribute = constant_attribute(value)
    return attribute.value if isinstance(attribute, ir.IntegerAttr) else None


def count_uses(value: ir.Value, op: ir.Operation) -> int:
    """Number of uses of a value as an operand of an operation or of those in its regions."""
    return sum(operand == value for inner in operations_in(op) for operand in inner.operands)


def spread_uses(op: ir.Operation, values: list[ir.Value]) -> None:
    """Replaces the uses of the first value, in an operation and its regions, by one value each, in their order."""
    remaining = iter(values)
    for inner in operations_in(op):
        operands = list(inner.operands)
        if values[0] in operands:
            set_operands(inner, [next(remaining) if operand == values[0] else operand for operand in operands])
