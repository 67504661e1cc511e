"""Groups of warps that run different code at the same time (ttg.warp_specialize).

Where loops are followed one iteration after the other, groups are followed in turn: each until it waits for a phase of
an mbarrier that has not ended.  `happens_before.py` accepts this one order only if every other one has the same result.

Elsewhere what a group does to memory and to barriers is a sequence of effects of its own, and what it reads is a
function of its own effects so far.  If each group of one function does the same as that group of another one, both
do the same: what a group finds depends on what the others have done, and that is the same, too.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ttkit.interpreter.decode import Instruction, Region
from ttkit.interpreter.rotation import Rotation
from ttkit.validation.iterations import Many
from ttkit.validation.opaque import PARALLEL
from ttkit.validation.registry import means
from ttkit.validation.steady_groups import SHARED_NUMBERS, SHARED_STATE, Loop, SteadyGroups
from ttkit.validation.terms import MEMORY, adopt, make, session
from ttkit.validation.values import NotModelled


def groups_of(op: Instruction, frame: dict[int, Any]) -> list[tuple[Region, list[Any]]]:
    """The default region and the partitions, each with its arguments."""
    default, holder = op.regions
    given = [frame[slot] for slot in op.operands]
    return [(default, []), *((region, given) for region in holder.blocks[0].instructions[-1].regions)]


@means(PARALLEL)
def warp_specialize(walk: Any, op: Instruction, frame: dict[int, Any]) -> tuple:
    """The results of the default region.

    Raises:
        NotModelled: in another order of the groups the result may be another one.
    """
    if not walk.follows_groups:
        raise NotModelled("warp specialization is not modelled", op)
    if walk.order is None:
        return by_themselves(walk, op, frame)
    return Together(walk).run(op, frame)


def by_themselves(walk: Any, op: Instruction, frame: dict[int, Any]) -> tuple:
    """Each group as a sequence of effects of its own."""
    before, results, memories = walk.state.memory, [], []
    if walk.state.contents:
        raise NotModelled("a buffer that is followed by itself", op)
    for number, (region, given) in enumerate(groups_of(op, frame)):
        walk.state.memory = make("effect", (before,), (("group", number), (), ()), MEMORY)
        results.append(walk.region(region, frame, given))
        memories.append(walk.state.memory)
    walk.state.memory = make("groups", memories, None, MEMORY)
    return results[0]


class Together:
    """Groups of warps that are followed in turn, each by a walk of its own over a common state."""

    def __init__(self, walk: Any) -> None:
        self.walk, self.order = walk, walk.order
        self.rotation = Rotation()
        self.common: dict[str, Any] = {}
        self.alive: list[int] = []
        self.loops: dict[int, Loop] = {}
        self.leads = self.must_lead = False

    def run(self, op: Instruction, frame: dict[int, Any]) -> tuple:
        """Follows all groups to their end; gives the results of the first."""
        walk, order, outer = self.walk, self.order, self.walk.together
        if outer is not None or walk.group:
            raise NotModelled("groups of warps inside of a group", op)
        first = max(order.clocks) + 1
        numbers = [0, *range(first, first + len(groups_of(op, frame)) - 1)]
        self.alive = list(numbers)
        for number in numbers[1:]:
            order.fork(walk, number)
        order.tick(0)
        self.paths = order.paths[0]
        order.paths[0] = walk.path, walk.level
        self.give(walk)
        tasks = [
            self.task(number, region, frame, given) for number, (region, given) in zip(numbers, groups_of(op, frame))
        ]
        results = self.rotation.run(tasks)
        walk.state = replace(results[0][1])
        self.take(walk)
        for number in numbers[1:]:
            order.join(walk, order.clocks[number])
        order.paths[0] = self.paths
        return results[0][0]

    def task(self, number: int, region: Region, frame: dict[int, Any], given: list[Any]) -> Callable[[], Any]:
        """What follows one group; its results are those of the region, and its state."""
        own, here = copy.copy(self.walk), session()
        own.group, own.together = number, self
        own.state = (
            replace(self.walk.state) if not number else replace(self.walk.state, group=0, products=(), stores=())
        )

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
        """What this group has done is there for the others."""
        for name in SHARED_STATE:
            self.common[name] = getattr(walk.state, name)
        for name in SHARED_NUMBERS:
            self.common[name] = getattr(walk, name)

    def take(self, walk: Any) -> None:
        """What the others have done is there for this group."""
        for name in SHARED_STATE:
            setattr(walk.state, name, self.common[name])
        for name in SHARED_NUMBERS:
            setattr(walk, name, self.common[name])

    def wait(self, walk: Any, ready: Callable[[Any], bool]) -> bool:
        """Lets the others go on until the barriers are ready; False if none of them can."""
        self.give(walk)
        while not self.rotation.wait_until(lambda: ready(self.common["barriers"])):
            if self.leads or not self.loops:
                return False
            self.must_lead = True
        if self.leads and walk.group not in self.loops:
            raise NotModelled("a group of warps goes on while others are in a loop of many iterations", walk.current)
        self.take(walk)
        return True

    # --- loops of many iterations

    def many_iterations(self, walk: Any, op: Instruction, frame: dict[int, Any], many: Many, more: int) -> tuple:
        """The results of the loop of one group, when all groups have come to theirs, or wait for what comes after.

        Raises:
            NotModelled: groups have loops of different numbers of iterations, or there is no proof.
        """
        values = [frame[slot] for slot in op.operands[3:]]
        mine = self.loops[walk.group] = Loop(walk, op, frame, values, more)
        if self.leads:
            raise NotModelled("a loop of many iterations begins while others are in one", op)
        self.give(walk)
        while not mine.ended:
            waits = self.rotation.wait_until(lambda: mine.ended or mine.at is not None or self.must_lead)
            if mine.at is not None:
                self.obey(mine)
            elif not mine.ended and (self.must_lead or not waits):
                self.lead(many, mine)
        self.take(walk)
        return tuple(mine.values)

    def lead(self, many: Many, mine: Loop) -> None:
        """Follows the loops of all groups."""
        self.leads, self.must_lead = True, False
        if any(loop.more != mine.more for loop in self.loops.values()):
            raise NotModelled("groups of warps have different numbers of iterations", mine.op)
        self.steady = SteadyGroups(self, self.loops, many, mine)
        self.steady.end(list(self.steady.results()))
        self.loops, self.leads = {}, False

    def obey(self, loop: Loop) -> None:
        """The iteration that a loop has been told to do."""
        walk, common = loop.walk, self.steady.walk
        self.take(walk)
        kept = walk.path, walk.level, walk.reads, self.order.paths[walk.group]
        walk.path, walk.level, walk.reads = common.path, common.level, common.reads
        self.order.paths[walk.group] = walk.path, walk.level
        loop.values = list(walk.region(loop.op.regions[0], loop.frame, [loop.index(), *loop.values]))
        walk.path, walk.level, walk.reads, self.order.paths[walk.group] = kept
        loop.at = None
        self.give(walk)
