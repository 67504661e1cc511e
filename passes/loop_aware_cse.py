"""Merge values that loops carry twice, and common subexpressions around them.

    scf.for ... iter_args(%x = %init, %y = %init) {        scf.for ... iter_args(%x = %init) {
      %0 = arith.addi %x, %c : i32                           %0 = arith.addi %x, %c : i32
      %1 = arith.addi %y, %c : i32                    =>     scf.yield %0 : i32
      scf.yield %0, %1 : i32, i32                          }
    }

Plain CSE does not find this: `%0` and `%1` are equal only if `%x` and `%y` are, and these only if `%0` and `%1` are.
This pass assumes that two carried values are equal unless the loop contradicts it.

Input:  tt or ttg.      Output: the same level.
Order:  in the ttg pipeline after optimize-dot-operands and after pipeline, which duplicate carried values.
Skips:  loops other than scf.for; values that depend on operations with effects or regions, or on the induction variable
        in different places.
Test:   test/lit/passes/loop_aware_cse.mlir
"""

from collections.abc import Iterable

from mlir import ir

from ttkit.inspection import enclosing, terminator
from ttkit.passes.infra import Pass, canonicalize_ops, collect, eliminate_common_subexpressions, is_memory_effect_free
from ttkit.passes.infra.carried_equality import CarriedEquality, Pair
from ttkit.passes.infra.loops import body_of, set_yielded


class LoopAwareCSE(Pass):
    """Merge equal values that loops carry, with CSE before and after"""

    name = "triton-loop-aware-cse"

    def run(self, op: ir.Operation) -> None:
        """Merges equal values before loops, then equal carried values, then values that have become equal."""
        # Equal values from outside a loop must be one value to be recognized.
        eliminate_common_subexpressions(op)
        # Inner loops first, and loops before later loops, which may start from their results.
        merged = [merge_carried_values(loop.opview) for loop in inner_first(collect(op, ["scf.for"]))]
        if any(merged):
            eliminate_common_subexpressions(op)
        # Drops carried values that the merged loops do not use.
        canonicalize_ops(op, ["scf.for"])


def inner_first(loops: Iterable[ir.Operation]) -> list[ir.Operation]:
    """All scf.for of a module in the order of the text, but each after the loops inside it."""
    found: list[ir.Operation] = []
    around: list[ir.Operation] = []
    for loop in loops:
        outer = enclosing(loop, "scf.for")
        while around and (outer is None or around[-1] != outer):
            found.append(around.pop())
        around.append(loop)
    return found + around[::-1]


def merge_carried_values(loop: ir.OpView) -> bool:
    """Replaces each value that the loop carries by the first that always equals it; whether there was any."""
    if len(set(loop.initArgs)) == len(loop.initArgs):
        return False
    equality = EqualInLoop(loop)
    arguments, results = equality.arguments, loop.results
    leaders: list[int] = []
    merged = False
    for index in range(len(arguments)):
        leader = next((other for other in leaders if equality.carried_equal(other, index)), None)
        if leader is None:
            leaders.append(index)
            continue
        arguments[index].replace_all_uses_with(arguments[leader])
        results[index].replace_all_uses_with(results[leader])
        set_yielded(loop.body, index, arguments[index])
        merged = True
    return merged


class EqualInLoop(CarriedEquality):
    """Equality of the values that one loop carries, by operations of its own body."""

    def __init__(self, loop: ir.OpView) -> None:
        self.body = loop.body
        self.inits = list(loop.initArgs)
        self.arguments = list(loop.inner_iter_args)
        self.yielded = list(terminator(loop.body).operands)

    def carried_equal(self, first: int, second: int) -> bool:
        """Whether the values at two positions are equal in every iteration."""
        return self.hold([(self.arguments[first], self.arguments[second])])

    def causes_of_carried(self, loop: ir.Operation, first: int, second: int) -> list[Pair] | None:
        """The values that the loop yields for two that start as one; None for other loops."""
        if body_of(loop) != self.body or self.inits[first] != self.inits[second]:
            return None
        return [(self.yielded[first], self.yielded[second])]

    def alike(self, first: ir.Operation, second: ir.Operation) -> bool:
        """Whether two operations of the loop give the same on the same operands."""
        return (
            first.name == second.name
            and first.block == second.block == self.body
            and not len(first.regions)
            and len(first.operands) == len(second.operands)
            and dict(first.attributes) == dict(second.attributes)
            and [result.type for result in first.results] == [result.type for result in second.results]
            and is_memory_effect_free(first)
        )
