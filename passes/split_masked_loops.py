"""Split loops where a mask begins or ceases to keep all elements, so that one of both parts needs no mask.

    scf.for %n = 0 to %end step 64 {              scf.for %n = 0 to %mid step 64 {
      %s = tt.dot ...                               %s = tt.dot ...
      %m = arith.cmpi sge, %rows, %n + %columns     use(%s)
      %t = arith.select %m, %s, -inf         =>   }
      use(%t)                                     scf.for %n = %mid to %end step 64 {
    }                                               ... as before
                                                  }

Attention with a causal mask is often written with one loop.  The mask keeps all elements below the diagonal, so most
iterations compute and apply it for nothing.  The operands of a comparison are sums of the loop's index, numbers that
are the same in all iterations, and numbers of a known range.  So a bound for the index follows, up to which (causal, or
the end of a sequence) or from which on (gradients of keys) the comparison holds for all elements.

The second loop fills its pipeline again.  That costs more than the masks where a thread has few elements, as when one
token is decoded: two such kernels ran at 0.87 and 0.96 of Triton's speed with two loops (H200, 2026-11).
So it does where the loop has few iterations.  Programs that share a sequence by chunks of a constant length add the
chunk's number times that length to the index, and the length bounds the iterations.

Input:  tt.      Output: tt; the operations compute the same numbers, but later passes may fuse a multiplication with an
        addition that no arith.select divides any more.  Sums are taken not to wrap, as in axis facts.
Order:  before ttkit-choose-warp-groups, which looks at each of the loops.
Skips:  loops without dot operations or exponentials, with other loops, with much to compute beside the mask (random
        numbers for dropout), with few iterations, for which flattening is asked for, or warp specialization without
        the option; masks that no arith.select takes, or one of few elements.
Test:   test/lit/passes/split_masked_loops.mlir
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from mlir import ir

from ttkit.dialects import arith
from ttkit.inspection import collect, contains_any, defining, name_of
from ttkit.operation_sets import DOTS, EXPONENTIALS, LOOPS, TENSOR_VIEWS
from ttkit.passes.infra import Pass, option
from ttkit.passes.infra.constants import constant_splat
from ttkit.passes.infra.loop_attributes import FLATTEN, WARP_SPECIALIZE_LOOP
from ttkit.passes.infra.loops import body_operations
from ttkit.passes.infra.nesting import is_above, loop_with
from ttkit.passes.infra.tensor_bytes import elements_of
from ttkit.passes.infra.transforms import set_operands
from ttkit.records import dataclass
from ttkit.tuning.passes import SPLIT_ITERATIONS, SPLIT_OPERATIONS

SAME_ELEMENTS = (*TENSOR_VIEWS, "tt.broadcast", "tt.splat")
P = arith.CmpIPredicate
# Predicate -> whether the second operand is the larger one, and by how much they differ at least.
ORDERS = {P.sge: (False, 0), P.sgt: (False, 1), P.sle: (True, 0), P.slt: (True, 1)}
DEEPEST = 16
"""Operations in a row that make a number."""
MOST_FACTOR = 1 << 12
"""Products with larger numbers may be meant to wrap."""


@dataclass(frozen=True)
class SplitMaskedLoops(Pass):
    """Split loops where a mask begins or ceases to keep all elements"""

    name = "ttkit-split-masked-loops"
    dependent_dialects = ("arith",)
    least_elements: int = option(256, "elements of a masked tensor, at least")
    specialized: bool = option(False, "split loops for which warp specialization is asked for, too")
    takes_sums_to_fit = "so do axis facts, from which other passes choose layouts and widths of accesses"

    def run(self, op: ir.Operation) -> None:
        """Splits each loop that multiplies, and selects by comparisons with its index."""
        whole = (FLATTEN,) if self.specialized else (WARP_SPECIALIZE_LOOP, FLATTEN)
        for loop in collect(op, ["scf.for"]):
            if not is_attention(loop) or any(loop_with(loop, name) for name in whole):
                continue
            limits = list(limits_in(loop, self.least_elements))
            for is_prefix in (True, False):
                if (chosen := [limit for limit in limits if limit.is_prefix == is_prefix]) and is_short(loop, chosen):
                    if most_iterations(loop, chosen) >= SPLIT_ITERATIONS:
                        split(loop, chosen, is_prefix)
                    break


def is_attention(loop: ir.Operation) -> bool:
    """Whether a loop without other loops multiplies matrices and takes exponentials."""
    is_plain = not loop.opview.unsignedCmp and not contains_any(loop, LOOPS)
    return is_plain and contains_any(loop, DOTS) and contains_any(loop, EXPONENTIALS)


def is_short(loop: ir.Operation, limits: list[Limit]) -> bool:
    """Whether an iteration computes little beside its masks, so that two copies of its code are worth while."""
    size = min(elements_of(limit.comparison.result) for limit in limits)
    computed = (operation for operation in body_operations(loop) if operation.name not in SAME_ELEMENTS)
    large = (operation for operation in computed if any(elements_of(result) >= size for result in operation.results))
    return sum(1 for _ in large) <= SPLIT_OPERATIONS


def most_iterations(loop: ir.Operation, limits: list[Limit]) -> float:
    """The iterations of a loop that stays in a chunk of constant length, at most; infinity if chunks are not seen.

    A chunk is seen by a sum of the index and a multiple of another number, its own, which no limit depends on.
    """
    step = constant_splat(loop.opview.step)
    if not isinstance(step, int) or step <= 0:
        return math.inf
    along = {value for limit in limits for value in limit.difference.terms}
    lengths = []
    for operation in body_operations(loop):
        if operation.name == "arith.addi" and (found := linear(operation.results[0], loop, DEEPEST)) and found.place:
            length = (abs(times // found.place) for value, times in found.terms.items() if value not in along)
            lengths += [each for each in length if each > step]
    return min(lengths, default=math.inf) / step


class Linear(NamedTuple):
    """Numbers: `place` times the loop's index, `terms` of scalars with factors, and something from `low` to `high`."""

    place: int
    terms: dict[ir.Value, int]
    low: int
    high: int

    def plus(self, other: Linear, factor: int = 1) -> Linear:
        """The sum with `factor` times another one."""
        terms = dict(self.terms)
        for value, times in other.terms.items():
            terms[value] = terms.get(value, 0) + factor * times
        ends = sorted((factor * other.low, factor * other.high))
        kept = {value: times for value, times in terms.items() if times}
        return Linear(self.place + factor * other.place, kept, self.low + ends[0], self.high + ends[1])


class Limit(NamedTuple):
    """A comparison that for all elements `holds`, or does not, if `place * i + terms + low` is at least 0."""

    comparison: ir.OpView
    holds: bool
    difference: Linear

    @property
    def is_prefix(self) -> bool:
        """Whether that is so up to an iteration; else it is from one on."""
        return self.difference.place < 0


def limits_in(loop: ir.Operation, least_elements: int) -> Iterator[Limit]:
    """The comparisons in the body of a loop by which an arith.select chooses, with limits for the loop's index.

    least_elements: of what the arith.select chooses from.
    """
    seen = set[ir.Value]()
    for operation in body_operations(loop):
        choice = operation.opview
        if operation.name != "arith.select" or elements_of(choice.condition) < least_elements:
            continue
        holds = constant_splat(choice.true_value) is None or constant_splat(choice.false_value) is not None
        for comparison in comparisons(choice.condition, all_hold=holds):
            if comparison.result in seen or comparison.operation.parent != loop:
                continue
            seen.add(comparison.result)
            limit = limit_of(comparison, holds, loop)
            if limit is not None and may_help(limit, loop):
                yield limit


def may_help(limit: Limit, loop: ir.Operation) -> bool:
    """Whether some iteration may need no mask: none does where a loop has the diagonal of a mask alone."""
    view = loop.opview
    first, end = (linear(bound, loop, DEEPEST) for bound in (view.lowerBound, view.upperBound))
    if first is None or end is None:
        return True
    step, length = constant_splat(view.step), end.plus(first, -1)
    is_whole = isinstance(step, int) and not length.terms and length.low % step == 0
    last = end.plus(Linear(0, {}, 1, 1), -step if is_whole and isinstance(step, int) else -1)
    difference = limit.difference._replace(place=0)
    difference = difference.plus(first if limit.is_prefix else last, limit.difference.place)
    return bool(difference.terms) or difference.low >= 0


def limit_of(comparison: ir.OpView, holds: bool, loop: ir.Operation) -> Limit | None:
    """The limit of a comparison; None if nobody knows one."""
    order = ORDERS.get(comparison.predicate)
    lhs, rhs = (linear(operand, loop, DEEPEST) for operand in (comparison.lhs, comparison.rhs))
    if order is None or lhs is None or rhs is None:
        return None
    swapped, least = order if holds else (not order[0], 1 - order[1])
    difference = rhs.plus(lhs, -1) if swapped else lhs.plus(rhs, -1)
    if abs(difference.place) != 1:
        return None
    return Limit(comparison, holds, difference._replace(low=difference.low - least))


def comparisons(condition: ir.Value, all_hold: bool) -> Iterator[ir.OpView]:
    """The comparisons of integers that must all hold for a condition; or none of which must hold for it not to."""
    made = defining(condition)
    if made is None:
        return
    if name_of(made) == ("arith.andi" if all_hold else "arith.ori"):
        for operand in made.operation.operands:
            yield from comparisons(operand, all_hold)
    elif name_of(made) in SAME_ELEMENTS:
        yield from comparisons(made.operation.operands[0], all_hold)
    elif name_of(made) == "arith.cmpi" and isinstance(made.lhs.type, ir.RankedTensorType):
        yield made


def linear(value: ir.Value, loop: ir.Operation, depth: int) -> Linear | None:
    """A number, or the elements of a tensor, as a sum; None if nobody knows."""
    index = loop.regions[0].blocks[0].arguments[0]
    if value == index:
        return Linear(1, {}, 0, 0)
    number = constant_splat(value)
    if isinstance(number, int):
        return Linear(0, {}, number, number)
    made = defining(value)
    if made is not None and (found := computed(made, loop, depth)) is not None:
        return found
    is_i32 = value.type == ir.IntegerType.get_signless(32, value.context)
    return Linear(0, {value: 1}, 0, 0) if is_i32 and is_above(value, loop) else None


def computed(made: ir.OpView, loop: ir.Operation, depth: int) -> Linear | None:
    """`linear` of the result of an operation, by its operands; None of other operations."""
    name, operands = name_of(made), list(made.operation.operands)
    if name == "tt.make_range":
        return Linear(0, {}, made.start, made.end - 1)
    if not depth:
        return None
    if name in SAME_ELEMENTS:
        return linear(operands[0], loop, depth - 1)
    if name in ("arith.addi", "arith.subi"):
        first, second = (linear(operand, loop, depth - 1) for operand in operands)
        return None if first is None or second is None else first.plus(second, 1 if name == "arith.addi" else -1)
    if name == "arith.muli":
        for one, other in (operands, reversed(operands)):
            factor, part = constant_splat(other), linear(one, loop, depth - 1)
            if isinstance(factor, int) and abs(factor) <= MOST_FACTOR and part is not None:
                return Linear(0, {}, 0, 0).plus(part, factor)
    return None


# --- Two loops --------------------------------------------------------------------------------------------------------
def split(loop: ir.Operation, limits: list[Limit], is_prefix: bool) -> None:
    """Makes two loops of one: the first or the second one has none of the comparisons."""
    lower, upper, step, *inits = loop.operands
    if lower.type != ir.IntegerType.get_signless(32, loop.context):
        return
    with loop.location, ir.InsertionPoint(loop):
        middle = middle_of(lower, upper, step, limits, is_prefix)
    body = body_operations(loop)
    places = [body.index(limit.comparison.operation) for limit in limits]
    second = loop.clone(ir.InsertionPoint.after(loop)).operation
    for before, after in zip(loop.results, second.results):
        before.replace_all_uses_with(after)
    set_operands(second, [middle, upper, step, *loop.results])
    set_operands(loop, [lower, middle, step, *inits])
    unmasked = body_operations(loop if is_prefix else second)
    for place, limit in zip(places, limits):
        for use in list(unmasked[place].results[0].uses):
            settle(use.owner.operation, unmasked[place].results[0], limit.holds)


def middle_of(lower: ir.Value, upper: ir.Value, step: ir.Value, limits: list[Limit], is_prefix: bool) -> ir.Value:
    """The index at which the second loop begins; computed in 64 bits, as limits may lie far outside of the loop."""
    i64 = ir.IntegerType.get_signless(64, lower.context)

    def wide(value: ir.Value) -> ir.Value:
        """The number in 64 bits."""
        return arith.extsi(i64, value)

    start, stride = wide(lower), wide(step)
    bounds = []
    for limit in limits:
        bound = arith.constant(i64, limit.difference.low)
        for value, times in limit.difference.terms.items():
            bound = arith.addi(bound, arith.muli(wide(value), arith.constant(i64, times)))
        bounds.append(bound if is_prefix else arith.subi(arith.constant(i64, 0), bound))
    bound = bounds[0]
    for other in bounds[1:]:
        bound = (arith.minsi if is_prefix else arith.maxsi)(bound, other)
    # Up to `bound`: as many iterations as there are steps up to it, and one; from it on: those before it, rounded up.
    none, one = arith.constant(i64, 0), arith.constant(i64, 1)
    more = stride if is_prefix else arith.subi(stride, one)
    reach = arith.maxsi(arith.addi(arith.subi(bound, start), more), none)
    length = arith.maxsi(arith.addi(arith.subi(wide(upper), start), arith.subi(stride, one)), none)
    iterations = arith.minsi(arith.divui(reach, stride), arith.divui(length, stride))
    # A sum with a multiple of the step, as axis facts know the index of a loop.
    return arith.addi(lower, arith.muli(arith.trunci(lower.type, iterations), step))


def settle(user: ir.Operation, condition: ir.Value, holds: bool) -> None:
    """Makes an operation do without a condition that holds for all elements, or for none."""
    view = user.opview
    if user.name == "arith.select" and view.condition == condition:
        view.result.replace_all_uses_with(view.true_value if holds else view.false_value)
    elif user.name == ("arith.andi" if holds else "arith.ori"):
        view.result.replace_all_uses_with(view.rhs if view.lhs == condition else view.lhs)
    elif user.name in SAME_ELEMENTS:
        for use in list(user.results[0].uses):
            settle(use.owner.operation, user.results[0], holds)
