"""Blocks that branch to one another, and the loops that branches backwards make.

A loop is counted if its head does nothing but compare an index with a bound, and each iteration adds a step to it: what
becomes of a `scf.for`.  Any other one goes on while it comes back to its head, wherever it is left.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ttkit.interpreter.decode import Instruction, Region
from ttkit.interpreter.values import ValueType
from ttkit.validation.booleans import both, negation, truth
from ttkit.validation.graphs import graph_of, made_in, used_behind
from ttkit.validation.loops import Counted, Iteration, counted_loop
from ttkit.validation.paths import merged_arrivals, targets
from ttkit.validation.terms import Term
from ttkit.validation.values import NotModelled, Value, View
from ttkit.validation.while_loops import Last

LESS = 2
"""The comparison of integers with a sign, `slt`."""
Arrival = tuple[Term, Any, tuple[Value, ...]]
"""When a block is reached, with which state, with which arguments."""
Way = tuple["int | None", Arrival]
"""A block with an arrival there; None where the region ends."""


@dataclass
class Head:
    """The block in which the iterations of a counted loop begin: it goes on to the body while the index is small.

    place: of the index among the block's arguments.
    upper, step: slots of the bound and of what is added.
    """

    place: int
    upper: int
    step: int


class Blocks:
    """Follows the blocks of a region, in the order of their numbers if possible: then conditions are those of scf."""

    def __init__(self, walk: Any, region: Region, frame: dict[int, Any]) -> None:
        self.walk, self.region, self.frame = walk, region, frame
        self.graph = graph_of(region)
        place = {number: n for n, number in enumerate(self.graph.order)}
        ends = [(number, target) for number in place for target in region.blocks[number].instructions[-1].successors]
        in_order = all(number < target for number, target in ends if place[number] < place[target])
        self.order = sorted(place) if in_order else self.graph.order

    def results(self, arguments: list[Value]) -> tuple[Value, ...]:
        """The operands of the terminators that end the region.

        Raises:
            NotModelled: a loop does not end.
        """
        ways, _ = self.follow(frozenset(self.graph.order), {0: [(truth(True), self.walk.state, tuple(arguments))]})
        if not ways:
            raise NotModelled("a loop that does not end")
        _, self.walk.state, found = joined([arrival for _, arrival in ways])
        return found

    def follow(
        self, within: frozenset[int], arrivals: dict[int, list[Arrival]], head: int | None = None
    ) -> tuple[list[Way], list[Arrival]]:
        """The ways out of some blocks, and those back to the head."""
        walk, path = self.walk, self.walk.path
        out: list[Way] = []
        back: list[Arrival] = []
        for number in self.order:
            if number not in within or number not in arrivals:
                continue
            condition, walk.state, values = joined(arrivals.pop(number))
            walk.path = both(path, condition)
            is_loop = number in self.graph.bodies and number != head
            for target, (when, state, passed) in self.loop(number, values) if is_loop else self.block(number, values):
                together = both(condition, when)
                if together.is_const and not together.attr:
                    continue
                arrival = together, state, passed
                if target == head is not None:
                    back.append(arrival)
                elif target is None or target not in within:
                    out.append((target, arrival))
                else:
                    arrivals.setdefault(target, []).append(arrival)
        walk.path = path
        return out, back

    def block(self, number: int, values: tuple[Value, ...]) -> list[Way]:
        """The ways out of one block."""
        last, given = self.walk.block(self.region.blocks[number], self.frame, values)
        if not last.successors:
            return [(None, (truth(True), self.walk.state, given))]
        return [(target, (when, self.walk.state.copy(), passed)) for target, when, passed in targets(last, given)]

    # --- loops

    def loop(self, number: int, values: tuple[Value, ...]) -> list[Way]:
        """The ways out of a loop.

        Raises:
            NotModelled: operations in the background have their exact meaning.
        """
        if self.walk.limits.unrolls:
            raise NotModelled("a loop of branches, whose iterations are not followed one by one", self.walk.current)
        head = self.head(number)
        return self.while_loop(number, values) if head is None else self.counted(number, head, values)

    def while_loop(self, number: int, values: tuple[Value, ...]) -> list[Way]:
        """The ways out of a loop that goes on while it comes back to its head.

        Raises:
            NotModelled: it does not come back, or it leaves work in the background.
        """
        walk, body = self.walk, self.graph.bodies[number]
        loop = Iteration(walk, walk.current, self.kinds_at(number), list(values))
        out, back = self.follow(body, {number: [(truth(True), walk.state, tuple(loop.symbols))]}, number)
        if not back or not out:
            raise NotModelled("a loop that does not end, or does not come back", walk.current)
        goes_on, walk.state, following = joined(back)
        loop.finish(following)
        last = Last(loop, goes_on)
        for slot in used_behind(self.region, body):
            if slot in self.frame:
                self.frame[slot] = self.behind(last, self.frame[slot], self.kinds[slot])
        ways: list[Way] = []
        left = truth(True)
        for n, (target, (condition, state, passed)) in enumerate(out):
            if state.background != loop.state.background:
                raise NotModelled("a loop that is left with work in the background", walk.current)
            when = left if n == len(out) - 1 else last.term(condition, ())
            left = both(left, negation(when))
            kinds = self.kinds_at(target) if target is not None else self.returned()
            found = tuple(self.behind(last, value, kind) for value, kind in zip(passed, kinds, strict=True))
            ways.append((target, (when, last.state(state), found)))
        return ways

    def behind(self, last: Last, value: Value, kind: ValueType) -> Value:
        """A value of the last iteration, after the loop.

        Raises:
            NotModelled: a buffer that begins in the loop.
        """
        if isinstance(value, View) and value.buffer not in last.loop.buffers:
            raise NotModelled("a buffer that begins in a loop and is used after it", self.walk.current)
        return last.value(value, kind.shape)

    def counted(self, number: int, head: Head, values: tuple[Value, ...]) -> list[Way]:
        """The way out of a loop whose iterations are counted."""
        walk, block = self.walk, self.region.blocks[number]
        *before, last = block.instructions
        body, place = self.graph.bodies[number], head.place

        def without(of: Any) -> list[Any]:
            """All but the index."""
            return [*of[:place], *of[place + 1 :]]

        def iterate(index: Term, carried: list[Value]) -> tuple[Value, ...]:
            """An iteration."""
            begun = (*carried[:place], index, *carried[place:])
            self.frame.update(zip(block.arguments, begun, strict=True))
            for op in before:
                walk.execute(op, self.frame)
            inside, _, passed = targets(last, tuple(self.frame[slot] for slot in last.operands))[0]
            out, back = self.follow(body, {inside: [(truth(True), walk.state, passed)]}, number)
            if out or not back:
                raise NotModelled("a loop that does not come back", last)
            _, walk.state, following = joined(back)
            return tuple(without(following))

        bounds = values[place], self.frame[head.upper], self.frame[head.step]
        kinds = without(self.kinds_at(number))
        found = counted_loop(walk, Counted(last, bounds, without(values), kinds, iterate))  # type: ignore[arg-type]
        self.frame.update(zip(without(block.arguments), found, strict=True))
        for op in before[:-1]:
            walk.execute(op, self.frame)
        passed = tuple(self.frame[slot] for slot in self.passed(last, 1))
        return [(last.successors[1], (truth(True), walk.state, passed))]

    def head(self, number: int) -> Head | None:
        """The head of a counted loop; None of another one."""
        block, body = self.region.blocks[number], self.graph.bodies[number]
        if [op.name for op in block.instructions[-2:]] != ["arith.cmpi", "cf.cond_br"]:
            return None
        *constants, compare, last = block.instructions
        index, upper = compare.operands
        made = made_in(self.region, body)
        if any(op.name != "arith.constant" for op in constants) or compare.attributes["predicate"] != LESS:
            return None
        if last.operands[0] != compare.results[0] or index not in block.arguments or upper in made:
            return None
        ends = [one.instructions[-1] for n, one in enumerate(self.region.blocks) if n in body and n != number]
        backs = [end for end in ends if number in end.successors]
        if len(backs) != 1 or backs[0].name != "cf.br" or not all(body.issuperset(end.successors) for end in ends):
            return None
        inside, outside = last.successors
        place = block.arguments.index(index)
        step = self.step(body, backs[0].operands[place], index)
        if inside not in body or inside == number or outside in body or step is None or step in made:
            return None
        used = used_behind(self.region, body) | set(self.passed(last, 1))
        known = set(block.arguments) - {index} | {slot for op in constants for slot in op.results}
        return Head(place, upper, step) if used & made <= known else None

    def step(self, body: frozenset[int], following: int, index: int) -> int | None:
        """The slot that the loop adds to its index to get the next one; None if it does something else."""
        for number in body:
            for op in self.region.blocks[number].instructions:
                if following in op.results and op.name == "arith.addi" and index in op.operands:
                    return op.operands[1 - op.operands.index(index)]
        return None

    # --- types

    @staticmethod
    def passed(op: Instruction, place: int) -> tuple[int, ...]:
        """The slots that a branch gives one of its targets."""
        if op.name == "cf.br":
            return op.operands
        count = op.attributes["operandSegmentSizes"][1]
        return op.operands[1 : 1 + count] if place == 0 else op.operands[1 + count :]

    @cached_property
    def kinds(self) -> dict[int, ValueType]:
        """The types of what the blocks make, by slot."""
        ops = [op for block in self.region.blocks for op in block.instructions]
        found = {slot: kind for op in ops for slot, kind in zip(op.results, op.result_types)}
        for op in ops:
            of_operands = dict(zip(op.operands, op.operand_types))
            for place, target in enumerate(op.successors if op.name in ("cf.br", "cf.cond_br") else ()):
                slots = self.passed(op, place)
                found |= zip(self.region.blocks[target].arguments, (of_operands[slot] for slot in slots))
        return found

    def kinds_at(self, number: int) -> list[ValueType]:
        """The types of a block's arguments."""
        return [self.kinds[slot] for slot in self.region.blocks[number].arguments]

    def returned(self) -> tuple[ValueType, ...]:
        """The types of what the region gives."""
        return next(b.instructions[-1].operand_types for b in self.region.blocks if not b.instructions[-1].successors)


def joined(arrivals: list[Arrival]) -> Arrival:
    """The condition, the state and the values where paths join; choices are by what the paths do not have in common."""
    parts = [conjuncts(condition) for condition, _, _ in arrivals]
    common = [part for part in parts[0] if all(part in others for others in parts)]
    own = [both(*(part for part in one if part not in common)) for one in parts]
    condition, state, values = merged_arrivals([(one, *rest) for one, (_, *rest) in zip(own, arrivals)])
    return both(*common, condition), state, values


def conjuncts(condition: Term) -> tuple[Term, ...]:
    """The conditions that hold together."""
    return condition.args if condition.head == "and" else (condition,)
