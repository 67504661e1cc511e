"""Paths to a block of lowered code: what threads have done when they come, and what becomes of it where paths join."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from ttkit.validation.booleans import choose, either
from ttkit.validation.lowered.flights import begun_again, in_flight
from ttkit.validation.lowered.joined_memory import joined
from ttkit.validation.lowered.order import Order
from ttkit.validation.lowered.registers import Register, Struct, Value, Vector, full, mapped
from ttkit.validation.lowered.shared_memory import SharedMemory
from ttkit.validation.terms import Term
from ttkit.validation.values import NotModelled


@dataclass
class State:
    """The effects of threads so far.

    memory: the term of global memory, as the kernel has it.
    steps: changes of memory so far.
    shared: shared memory.
    order: of accesses to global memory.
    maps: tensor maps by the pointer to them (`tensor_maps.py`).
    """

    memory: Term
    shared: SharedMemory
    steps: int = 0
    order: Order = field(default_factory=Order)
    maps: dict[Term, Any] = field(default_factory=dict)

    def copy(self) -> State:
        """For a branch."""
        return replace(self, shared=self.shared.copy(), order=self.order.copy(), maps=dict(self.maps))


@dataclass
class Arrival:
    """A way to a block: when it is taken, by which threads, and what it brings.

    kept: values of a copy of a loop, by slot, that blocks after the loop use.
    """

    path: Term
    active: Register
    state: State
    values: tuple[Value, ...]
    kept: dict[int, Value] = field(default_factory=dict)


def is_false(term: Term) -> bool:
    """Whether a condition never holds."""
    return term.is_const and not term.attr


def merged(arrivals: list[Arrival]) -> Arrival:
    """The state where paths join.

    Raises:
        NotModelled: paths that differ in more than threads or a condition of all.
    """
    found = arrivals[-1]
    for other in arrivals[-2::-1]:
        order, together = other.state.order.merged(found.state.order), same(other.active, found.active)
        shared = joined(other.state.shared, found.state.shared, other.path if together else None)
        if together:
            condition: Register = (other.path,)
            memory = choose(other.path, other.state.memory, found.state.memory)
            path, active = either(other.path, found.path), found.active
        elif other.path is found.path:
            condition = other.active
            later = max(other.state, found.state, key=lambda state: state.steps)
            memory, path, active = later.memory, found.path, mapped(either, other.active, found.active)
        else:
            raise NotModelled("paths join that only some threads take")
        steps = max(other.state.steps, found.state.steps)
        memories = other.state.shared, found.state.shared, shared
        values = met(condition, other.values, found.values, memories)
        kept = kept_of(condition, other, found, memories)
        maps = {key: one for key, one in other.state.maps.items() if found.state.maps.get(key) == one}
        found = Arrival(path, active, State(memory, shared, steps, order, maps), values, kept)
    return found


Memories = tuple[SharedMemory, SharedMemory, SharedMemory]
"""Shared memory on two ways, and after both."""


def kept_of(condition: Register, one: Arrival, other: Arrival, memories: Memories) -> dict[int, Value]:
    """The values of loops where paths join."""
    if one.kept is other.kept:
        return one.kept
    slots = [slot for slot in one.kept if slot in other.kept]
    here, there = (tuple(way.kept[slot] for slot in slots) for way in (one, other))
    alone, others = (
        {slot: value for slot, value in way.kept.items() if slot not in second.kept}
        for way, second in ((one, other), (other, one))
    )
    found = again(alone, memories[0], memories[2]) | again(others, memories[1], memories[2])
    return found | dict(zip(slots, met(condition, here, there, memories)))


def again(kept: dict[int, Value], before: SharedMemory, after: SharedMemory) -> dict[int, Value]:
    """Values of one way alone; products in the background are as new as they were."""
    flight, landed = in_flight(tuple(kept.values()), before)
    return dict(zip(kept, begun_again(landed, flight.values, after.products.group)))


def met(
    condition: Register, ones: tuple[Value, ...], others: tuple[Value, ...], memories: Memories
) -> tuple[Value, ...]:
    """The values where paths join: of the first where the condition holds.  A product's result that is in flight on
    either path stays in flight."""
    first, landed = in_flight(ones, memories[0])
    second, settled = in_flight(others, memories[1])
    if not first.values and not second.values:
        return tuple(chosen(condition, a, b) for a, b in zip(ones, others))
    values = tuple(chosen(condition, a, b) for a, b in zip(landed, settled))
    return begun_again(values, first.joined(second).values, memories[2].products.group)


def same(a: Register, b: Register) -> bool:
    """Whether registers hold the same terms."""
    count = max(len(a), len(b))
    return all(x is y for x, y in zip(full(a, count) if len(a) == 1 else a, full(b, count) if len(b) == 1 else b))


def chosen(condition: Register, a: Value, b: Value) -> Value:
    """condition ? a : b, thread by thread."""
    if a is b:
        return a
    if isinstance(a, Struct) and isinstance(b, Struct):
        return Struct(tuple(chosen(condition, x, y) for x, y in zip(a.fields, b.fields, strict=True)))
    if isinstance(a, Vector) and isinstance(b, Vector):
        return Vector(tuple(mapped(choose, condition, x, y) for x, y in zip(a.parts, b.parts, strict=True)))
    assert isinstance(a, tuple)
    assert isinstance(b, tuple)
    return mapped(choose, condition, a, b)
