"""Groups of warps that are followed in turn, each in a thread of its own: one goes on until it has to wait.

A task besides them acts when none of them can go on.  If some have come to loops of many iterations, it follows these
loops as one (`steady_groups.py`); else it is a deadlock.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ttkit.interpreter.decode import Instruction, Region
from ttkit.interpreter.rotation import Rotation
from ttkit.validation.iterations import Many
from ttkit.validation.steady_groups import Loop, SteadyGroups, given_to, taken_from
from ttkit.validation.terms import Term, adopt, session
from ttkit.validation.values import NotModelled

MOST_SKEWED = 3
"""Iterations that some groups do before others come to their loops."""


class Together:
    """The groups of one operation.

    common: the state that all groups have, when none of them goes on.
    alive: numbers of the groups that go on.
    loops: of those that have come to a loop of many iterations, its loop.
    steady: follows these loops; None before they are alike.
    is_stuck: none can go on.
    is_dead: nor is there anything to be done about it.
    """

    def __init__(self, walk: Any, op: Instruction) -> None:
        self.walk, self.order, self.op = walk, walk.order, op
        self.rotation = Rotation()
        self.common: dict[str, Any] = {}
        self.alive: list[int] = []
        self.loops: dict[int, Loop] = {}
        self.steady: SteadyGroups | None = None
        self.is_stuck = self.is_dead = False

    def run(self, regions: list[tuple[Region, list[Any]]], frame: dict[int, Any]) -> tuple:
        """Follows all groups to their end; gives the results of the first.

        Raises:
            NotModelled: what they do depends on which one is faster, or something in them has no meaning here.
        """
        walk, order = self.walk, self.order
        if walk.together is not None:
            raise NotModelled("groups of warps inside of a group", self.op)
        first = max(order.clocks) + 1
        self.alive = [0, *range(first, first + len(regions) - 1)]
        numbers = list(self.alive)
        for number in numbers[1:]:
            order.fork(walk, number)
        order.tick(0)
        outer, order.paths[0] = order.paths[0], (walk.path, walk.level)
        self.give(walk)
        tasks = [self.task(number, *region, frame) for number, region in zip(numbers, regions)]
        results = self.rotation.run([*tasks, self.helper(session())])
        walk.state = replace(results[0][1])
        self.take(walk)
        for number in numbers[1:]:
            order.join(walk, order.clocks[number])
        order.paths[0] = outer
        return results[0][0]

    def task(self, number: int, region: Region, given: list[Any], frame: dict[int, Any]) -> Callable[[], Any]:
        """A function that follows one group; its results are those of the region, and its state."""
        own, here = copy.copy(self.walk), session()
        own.group, own.together, own.state = number, self, replace(self.walk.state)
        if number:
            own.state.group, own.state.products, own.state.stores = 0, (), ()

        def follow() -> Any:
            """Follows the group."""
            adopt(here)
            self.take(own)
            try:
                results = own.region(region, frame, given)
            except NotModelled as error:
                error.op = error.op or own.current
                raise
            self.give(own)
            self.alive.remove(number)
            return results, own.state

        return follow

    # --- turns

    def give(self, walk: Any) -> None:
        """Puts what this group has done where the others find it."""
        given_to(self.common, walk)

    def take(self, walk: Any) -> None:
        """Takes what the others have done."""
        taken_from(self.common, walk)

    def pause(self, ready: Callable[[], bool]) -> bool:
        """Lets the others go on until a condition holds; False if it never does."""
        while not self.rotation.wait_until(lambda: ready() or self.is_dead):
            self.is_stuck = True
        return ready()

    def wait(self, walk: Any, ready: Callable[[Any], bool]) -> bool:
        """Lets the others go on until the barriers are ready; False if they never are.

        Raises:
            NotModelled: others are in loops of many iterations, and this group is not.
        """
        self.give(walk)
        found = self.pause(lambda: ready(self.common["barriers"]))
        if found and self.steady is not None and walk.group not in self.loops:
            raise NotModelled("a group of warps goes on while others are in a loop of many iterations", walk.current)
        self.take(walk)
        return found

    # --- loops of many iterations

    def helper(self, here: Any) -> Callable[[], None]:
        """A function that acts where no group can go on."""

        def help_groups() -> None:
            """Follows loops of many iterations until all groups have ended."""
            adopt(here)
            while self.advance(lambda: not self.alive) and self.alive:
                if not self.loops:
                    self.is_dead = True
                    return
                self.skew()
                self.steady = SteadyGroups(self, self.loops)
                self.steady.follow()
                self.loops, self.steady = {}, None

        return help_groups

    def advance(self, done: Callable[[], bool]) -> bool:
        """Lets the groups go on until a condition holds or none of them can; whether all have come to rest."""
        self.is_stuck = False
        while not done() and not self.is_stuck:
            if not self.rotation.wait_until(lambda: done() or self.is_stuck):
                break
        self.is_stuck = False
        return all(loop.at is None for loop in self.loops.values())

    def skew(self) -> None:
        """Some groups do iterations that others wait for before they come to their loops.

        Raises:
            NotModelled: one stops in the middle of an iteration.
        """
        for _ in range(MOST_SKEWED):
            for loop in list(self.loops.values()):
                if len(self.loops) == len(self.alive):
                    break
                if loop.at is None and loop.may_skew():
                    loop.at = loop.number(loop.skew)
                    loop.skew += 1
                    self.advance(lambda: False)
        if any(loop.at is not None for loop in self.loops.values()):
            raise NotModelled("a group of warps waits inside of a loop of many iterations", self.op)

    def many_iterations(self, walk: Any, op: Instruction, frame: dict[int, Any], many: Many, more: int) -> tuple:
        """The results of the loop of one group, once others have come to theirs or wait for what comes after.

        Raises:
            NotModelled: others are in the middle of their loops.
        """
        if self.steady is not None:
            raise NotModelled("a loop of many iterations begins while others are in one", op)
        loop = self.loops[walk.group] = Loop(walk, op, frame, [frame[slot] for slot in op.operands[3:]], many, more)
        self.give(walk)
        while not loop.has_ended:
            if not self.pause(lambda: loop.has_ended or loop.at is not None):
                raise NotModelled("a loop of many iterations that others wait for", op)
            if loop.at is not None:
                self.take(walk)
                self.iterate(loop, loop.at)
                self.give(walk)
                loop.at = None
        self.take(walk)
        for left in range(loop.left, 0, -1):
            self.iterate(loop, loop.last(left))
        return tuple(loop.values)

    def iterate(self, loop: Loop, at: Term) -> None:
        """One iteration of a loop, as all groups do it."""
        walk = loop.walk
        kept = walk.path, walk.level, walk.reads, self.order.paths[walk.group]
        if self.steady is not None:
            common = self.steady.walk
            walk.path, walk.level, walk.reads = common.path, common.level, common.reads
            self.order.paths[walk.group] = walk.path, walk.level
        loop.values = list(walk.region(loop.op.regions[0], loop.frame, [loop.index(at), *loop.values]))
        walk.path, walk.level, walk.reads, self.order.paths[walk.group] = kept
