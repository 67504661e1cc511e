"""Loops of many iterations in several groups of warps: all groups do one iteration, then all do the next one.

The state between two iterations is that of all groups, with what each of them knows of the others
(`relative_clocks.py`).  The induction is that of `steady.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

from ttkit.interpreter.decode import Instruction
from ttkit.validation.integers import add, multiply
from ttkit.validation.iterations import Many
from ttkit.validation.relative_clocks import Moment
from ttkit.validation.steady import Steady
from ttkit.validation.terms import Term
from ttkit.validation.values import NotModelled, Value

SHARED_STATE = ("memory", "contents", "barriers", "arrivals", "maps")
SHARED_NUMBERS = ("last_serial", "reorderings", "scratches")


@dataclass
class Loop:
    """The loop of one group.

    walk, op, frame: of the group.
    values: what it carries; after the loop, what it leaves.
    more: iterations that it has more than the loop before the pass.
    at: the number of the iteration that it does now; None if it does none.
    """

    walk: Any
    op: Instruction
    frame: dict[int, Any]
    values: list[Value]
    more: int
    at: Term | None = None
    ended: bool = False

    @property
    def bounds(self) -> tuple[Term, Term, Term]:
        """Lower bound, upper bound and step."""
        lower, upper, step = (self.frame[slot] for slot in self.op.operands[:3])
        return lower, upper, step

    def index(self) -> Term:
        """The loop's variable in the iteration."""
        lower, _, step = self.bounds
        assert self.at is not None
        return add(lower, multiply(step, self.at))


@dataclass
class AllGroups:
    """What `Steady` takes for the walk of a loop: the common state of all groups."""

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
    moment: Callable[[], Moment] | None = None


class SteadyGroups(Steady):
    """The loops of all groups as one; the thread of one of them, `mine`, leads."""

    def __init__(self, together: Any, loops: dict[int, Loop], many: Many, mine: Loop) -> None:
        self.together, self.loops, self.mine = together, loops, mine
        walk = mine.walk
        if any(loop.walk.state.products or loop.walk.state.stores for loop in loops.values()):
            raise NotModelled("products or stores of a group are in the background before its loop", mine.op)
        state = replace(walk.state, group=0)
        common = AllGroups(walk.order, walk.limits, walk.path, walk.level, walk.reads, state)
        common.moment = self.moment
        kinds = [kind for loop in loops.values() for kind in loop.op.result_types]
        op: Any = SimpleNamespace(name=mine.op.name, operands=(0, 1, 2), result_types=kinds, location=mine.op.location)
        for name in SHARED_STATE:
            setattr(state, name, together.common[name])
        for name in SHARED_NUMBERS:
            setattr(common, name, together.common[name])
        super().__init__(common, op, dict(enumerate(mine.bounds)), many, mine.more)

    def moment(self) -> Moment:
        """What the groups know now."""
        phases = {place: barrier[-1] for place, barrier in self.walk.state.barriers.items()}
        return Moment(self.walk.order, set(self.together.alive), phases)

    def first_values(self) -> list[Value]:
        """What all loops carry at first."""
        return [value for loop in self.loops.values() for value in loop.values]

    def assume_iteration(self, place: int) -> None:
        """Takes an iteration of each loop to be so many before its end."""
        for loop in self.loops.values():
            lower, upper, _ = loop.bounds
            self.many.assume_iteration(lower, upper, self.counter, self.head + place, self.tail)

    def give(self, values: list[Value]) -> None:
        """Each loop gets its part of the values."""
        place = 0
        for loop in self.loops.values():
            loop.values = values[place : place + len(loop.values)]
            place += len(loop.values)

    def end(self, values: list[Value]) -> None:
        """The loops have ended with these values."""
        self.give(values)
        self.publish()
        for loop in self.loops.values():
            loop.ended = True

    def publish(self) -> None:
        """The common state is there for the groups."""
        for name in SHARED_STATE:
            self.together.common[name] = getattr(self.walk.state, name)
        for name in SHARED_NUMBERS:
            self.together.common[name] = getattr(self.walk, name)

    def iterate(self, values: list[Value], at: Term) -> list[Value]:
        """The values that one iteration of each group gives.

        Raises:
            NotModelled: one waits for what another one does in a later iteration.
        """
        together = self.together
        self.give(values)
        for loop in self.loops.values():
            loop.at = at
        self.publish()
        together.obey(self.mine)
        if not together.rotation.wait_until(lambda: all(loop.at is None for loop in self.loops.values())):
            raise NotModelled("a group of warps waits for a later iteration of another group", self.mine.op)
        for name in SHARED_STATE:
            setattr(self.walk.state, name, together.common[name])
        for name in SHARED_NUMBERS:
            setattr(self.walk, name, together.common[name])
        return self.first_values()
