"""Equality of values that loops carry, as the greatest fixed point: pairs are equal unless something refutes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from mlir import ir

Pair: TypeAlias = tuple[ir.Value, ir.Value]


class CarriedEquality:
    """Whether values are equal in every iteration: the same operations, without effects, of equal values.

    Pairs that were visited are taken as equal.  A single difference anywhere refutes the pair that was asked for.  A
    subclass says which loops and operations count, and it may ignore a part of a value, such as its layout.
    """

    def hold(self, pairs: Iterable[Pair]) -> bool:
        """Whether the two values of each pair are equal."""
        pending = list(pairs)
        seen = set(pending)
        while pending:
            causes = self.causes(*pending.pop())
            if causes is None:
                return False
            new = {(a, b) for a, b in causes if a != b} - seen
            seen |= new
            pending += new
        return True

    def causes(self, a: ir.Value, b: ir.Value) -> list[Pair] | None:
        """The pairs that must be equal for two values to be; None if these can't be."""
        a, b = self.source(a), self.source(b)
        if a == b:
            return []
        if not self.same_type(a.type, b.type):
            return None
        first, second = a.owner, b.owner
        if isinstance(first, ir.Block) or isinstance(second, ir.Block):
            if first != second or 0 in (a.arg_number, b.arg_number):
                return None
            loop = first.owner.operation
            return self.causes_of_carried(loop, a.arg_number - 1, b.arg_number - 1) if loop.name == "scf.for" else None
        first, second = first.operation, second.operation
        if first == second:
            is_loop = first.name == "scf.for"
            return self.causes_of_carried(first, a.result_number, b.result_number) if is_loop else None
        if a.result_number != b.result_number or not self.alike(first, second):
            return None
        return list(zip(first.operands, second.operands))

    def source(self, value: ir.Value) -> ir.Value:
        """The value to compare in place of `value`."""
        return value

    def same_type(self, first: ir.Type, second: ir.Type) -> bool:
        """Whether values of two types can be equal."""
        return first == second

    def causes_of_carried(self, loop: ir.Operation, first: int, second: int) -> list[Pair] | None:
        """The causes for two values that an scf.for carries, by their numbers; None for loops that don't count."""
        raise NotImplementedError

    def alike(self, first: ir.Operation, second: ir.Operation) -> bool:
        """Whether two operations give equal results for equal operands, of which they have as many."""
        raise NotImplementedError
