"""Knowledge of `happens_before.Order` relative to now: two moments that are alike go on alike.

Times, numbers of copies and phases count up.  Relative to those of the moment they come again.  What all groups know is
left out: nobody can be in conflict with it.
"""

from __future__ import annotations

from typing import Any

from ttkit.validation.happens_before import Access, Agent, Clock, Order
from ttkit.validation.values import Buffer

Relative = frozenset[tuple[Any, int]]


class Moment:
    """One moment of an order.

    order: the order.
    groups: those that go on.
    phases: of each barrier by its place, how many are over.
    """

    def __init__(self, order: Order, groups: set[int], phases: dict[Any, int]) -> None:
        self.order, self.groups, self.phases = order, groups, phases
        self.keys = {order.key(place): place for place in phases}
        self.known: Clock = {}
        clocks = [order.clocks[group] for group in groups]
        for agent in clocks[0]:
            self.known[agent] = min(clock.get(agent, 0) for clock in clocks)

    def relative(self, buffers: list[Buffer]) -> Any:
        """All that decides what is accepted from now on."""
        order = self.order
        accesses = [(n, self.accesses(order.accesses.get(buffer, ()))) for n, buffer in enumerate(buffers)]
        others = [(name, self.accesses(found)) for name, found in order.accesses.items() if isinstance(name, str)]
        ended = {
            (key, phase - self.phases[self.keys[key]]): self.clock(clock)
            for (key, phase), clock in order.ended.items()
            if key in self.keys and phase >= min(order.clocks[group].get(key, 0) for group in self.groups)
        }
        waits = {
            (place, group, self.time(group, time), phase - over)
            for place, over in self.phases.items()
            for group, time, phase in order.waits.get(place, ())
            if phase >= over - 1 and time > self.known.get(group, 0)
        }
        copies = {
            group: [(tag[0], self.named(event.agent), self.clock(event.clock)) for tag, event in found]
            for group, found in order.copies.items()
            if found
        }
        clocks = {group: self.clock(order.clocks[group], True) for group in self.groups}
        return clocks, accesses, others, ended, waits, copies

    def accesses(self, found: Any) -> frozenset[Any]:
        """Those that someone may still be in conflict with."""

        def one(access: Access) -> Any:
            """An access, relative to now."""
            event = access.event
            return access.box, access.writes, self.named(event.agent), self.time(event.agent, event.time)

        return frozenset(one(access) for access in found if access.event.time > self.known.get(access.event.agent, 0))

    def clock(self, clock: Clock, of_group: bool = False) -> Relative:
        """Knowledge of a clock besides what all know; of a group also the phases that it knows."""
        return frozenset(
            (self.named(agent), self.time(agent, time))
            for agent, time in clock.items()
            if (agent in self.keys or not is_phase(agent))
            and (time > self.known.get(agent, 0) or (of_group and is_phase(agent)))
        )

    def named(self, agent: Agent) -> Any:
        """An agent; copies by how many have begun since."""
        if isinstance(agent, tuple) and agent[0] == "copy":
            return "copy", agent[1] - self.order.last_copy
        return agent

    def time(self, agent: Agent, time: int) -> int:
        """A time of an agent, relative to its time now."""
        if agent in self.keys:
            return time - self.phases[self.keys[agent]]
        if isinstance(agent, int):
            return time - self.order.clocks[agent][agent]
        return time - self.order.begun.get(agent, 0) if agent[0] == "tensor core" else time  # type: ignore[index]


def is_phase(agent: Agent) -> bool:
    """Whether an agent stands for the phases of a barrier."""
    return isinstance(agent, tuple) and agent[0] == "phases"
