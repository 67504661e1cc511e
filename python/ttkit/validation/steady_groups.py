"""Loops of many iterations in several groups of warps: all groups do one iteration, then all do the next one.

The state between two iterations is that of all groups, with what each of them knows of the others
(`relative_clocks.py`).  The induction is that of `steady.py`.  A group may be some iterations ahead of others that need
them to come to their loops.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

from ttkit.interpreter.decode import Instruction
from ttkit.validation.integers import add, multiply, number
from ttkit.validation.iterations import Many
from ttkit.validation.relative_clocks import Moment
from ttkit.validation.steady import Steady
from ttkit.validation.terms import Term
from ttkit.validation.values import NotModelled, Value

SHARED_STATE = ("memory", "contents", "barriers", "arrivals", "maps")
SHARED_NUMBERS = ("last_serial", "reorderings", "scratches")


def given_to(common: dict[str, Any], walk: Any) -> None:
    """The common state becomes that of a walk."""
    for name in SHARED_STATE:
        common[name] = getattr(walk.state, name)
    for name in SHARED_NUMBERS:
        common[name] = getattr(walk, name)


def taken_from(common: dict[str, Any], walk: Any) -> None:
    """A walk gets the common state."""
    for name in SHARED_STATE:
        setattr(walk.state, name, common[name])
    for name in SHARED_NUMBERS:
        setattr(walk, name, common[name])


@dataclass
class Loop:
    """The loop of one group.

    walk, op, frame: of the group.
    values: what it carries now.
    more: iterations that it has more than the loop before the pass.
    skew: iterations that it does before those that all groups do together.
    at: the number of the iteration that it is told to do; None if it has done it.
    left: iterations that it does alone at its end.
    """

    walk: Any
    op: Instruction
    frame: dict[int, Any]
    values: list[Value]
    many: Many
    more: int
    skew: int = 0
    at: Term | None = None
    left: int = 0
    has_ended: bool = False

    @property
    def bounds(self) -> tuple[Term, Term, Term]:
        """Lower bound, upper bound and step."""
        lower, upper, step = (self.frame[slot] for slot in self.op.operands[:3])
        return lower, upper, step

    def number(self, value: int) -> Term:
        """A number of the sort of the loop's variable."""
        return number(value, self.bounds[0].sort)

    def index(self, at: Term) -> Term:
        """The loop's variable in an iteration."""
        lower, _, step = self.bounds
        return add(lower, multiply(step, at))

    def last(self, left: int) -> Term:
        """The number of the iteration that is so many before the end."""
        return add(self.many.trips, self.number(self.more - left))

    def tail(self, shift: int) -> int:
        """Iterations after those that all groups do together."""
        return self.many.tail + self.more - shift - self.skew

    def may_skew(self) -> bool:
        """Whether there are iterations enough."""
        return self.tail(self.walk.limits.shift) > 0


@dataclass
class AllGroups:
    """The walk of the loops of all groups, as `Steady` takes it: their common state."""

    together: Any
    order: Any
    limits: Any
    path: Term
    level: int
    reads: dict[Term, Instruction]
    state: Any
    group: int = 0
    last_serial: int = 0
    reorderings: int = 0
    scratches: int = 0

    def moment(self) -> Moment:
        """Knowledge of the groups now."""
        phases = {place: barrier[-1] for place, barrier in self.state.barriers.items()}
        return Moment(self.order, set(self.together.alive), phases)


class SteadyGroups(Steady):
    """The loops of all groups as one."""

    def __init__(self, together: Any, loops: dict[int, Loop]) -> None:
        self.together, self.loops = together, loops
        first = next(iter(loops.values()))
        walk, op = first.walk, first.op
        if any(loop.walk.state.products or loop.walk.state.stores for loop in loops.values()):
            raise NotModelled("products or stores of a group are in the background before its loop", op)
        if any(loop.walk.level != walk.level or loop.walk.path is not walk.path for loop in loops.values()):
            raise NotModelled("groups of warps have loops in different branches", op)
        if any(loop.tail(walk.limits.shift) < 0 for loop in loops.values()):
            raise NotModelled("groups of warps have different numbers of iterations", op)
        state = replace(walk.state, group=0)
        common = AllGroups(together, walk.order, walk.limits, walk.path, walk.level, walk.reads, state)
        taken_from(together.common, common)
        kinds = [kind for loop in loops.values() for kind in loop.op.result_types]
        all_of: Any = SimpleNamespace(name=op.name, operands=(0, 1, 2), result_types=kinds, location=op.location)
        super().__init__(common, all_of, dict(enumerate(first.bounds)), first.many, first.more)

    def follow(self) -> None:
        """Follows the loops; their last iterations are left to the groups."""
        boundaries, guess = self.beginning()
        self.give(self.between_ends(boundaries[-1], guess))
        given_to(self.together.common, self.walk)
        for loop in self.loops.values():
            loop.left = loop.tail(self.walk.limits.shift)
            loop.has_ended = True

    def first_values(self) -> list[Value]:
        """Values that all loops carry at first."""
        return [value for loop in self.loops.values() for value in loop.values]

    def give(self, values: list[Value]) -> None:
        """Each loop gets its part of the values."""
        place = 0
        for loop in self.loops.values():
            loop.values = values[place : place + len(loop.values)]
            place += len(loop.values)

    def assume_iteration(self, place: int) -> None:
        """Takes an iteration of each loop to be so many before its end."""
        for loop in self.loops.values():
            lower, upper, _ = loop.bounds
            tail = loop.tail(self.walk.limits.shift)
            self.many.assume_iteration(lower, upper, self.counter, self.head + loop.skew + place, tail)

    def iterate(self, values: list[Value], at: Term) -> list[Value]:
        """The values that one iteration of each group gives.

        Raises:
            NotModelled: one waits for what another one does in a later iteration.
        """
        together = self.together
        self.give(values)
        given_to(together.common, self.walk)
        for loop in self.loops.values():
            loop.at = add(at, loop.number(loop.skew))
        if not together.advance(lambda: all(loop.at is None for loop in self.loops.values())):
            raise NotModelled("a group of warps waits for a later iteration of another group", self.op)
        taken_from(together.common, self.walk)
        return self.first_values()
