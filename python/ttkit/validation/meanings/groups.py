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
from ttkit.validation.opaque import PARALLEL
from ttkit.validation.registry import means
from ttkit.validation.terms import MEMORY, adopt, make, session
from ttkit.validation.values import NotModelled

SHARED_STATE = ("memory", "contents", "barriers", "arrivals", "maps")
SHARED_NUMBERS = ("last_serial", "reorderings", "scratches")


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

    def run(self, op: Instruction, frame: dict[int, Any]) -> tuple:
        """Follows all groups to their end; gives the results of the first."""
        walk, order, outer = self.walk, self.order, self.walk.together
        if outer is not None or walk.group:
            raise NotModelled("groups of warps inside of a group", op)
        first = max(order.clocks) + 1
        numbers = [0, *range(first, first + len(groups_of(op, frame)) - 1)]
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
        found = self.rotation.wait_until(lambda: ready(self.common["barriers"]))
        self.take(walk)
        return found
