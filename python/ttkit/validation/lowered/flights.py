"""Products by wgmma that an iteration of a loop begins, and a later one waits for.

Where an iteration begins, a value of the loop may be the result of a product in the background, and a product may read
addresses.  For each, the newest group of products is taken that any way to the iteration has: to take more to be in the
background than there is only makes more waits necessary.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ttkit.validation.lowered.background_reads import Works
from ttkit.validation.lowered.bits import cast, word_of
from ttkit.validation.lowered.joined_memory import joined_tiles
from ttkit.validation.lowered.registers import Register, Value, Vector, mapped
from ttkit.validation.lowered.shared_memory import TILE, SharedMemory
from ttkit.validation.terms import Term, has_part, make


@dataclass
class Flight:
    """Products in the background where an iteration begins; ages are groups that have been begun since.

    values: by the place of a value that the loop carries, the age of the newest product that makes it.
    places: by address, the age of the newest product that reads it.
    stores: by address, the age of the newest copy to global memory that reads it.
    tiles: by address, the mbarrier of the copy of a tile to it.
    works: of the tensor core.
    """

    values: dict[int, int] = field(default_factory=dict)
    places: dict[int, int] = field(default_factory=dict)
    stores: dict[int, int] = field(default_factory=dict)
    tiles: dict[int, int] = field(default_factory=dict)
    works: Works = field(default_factory=Works)

    def joined(self, other: Flight) -> Flight:
        """Products and copies that either has, the newer of both."""
        return Flight(
            newest(self.values, other.values),
            newest(self.places, other.places),
            newest(self.stores, other.stores),
            joined_tiles(self.tiles, other.tiles),
            self.works.joined(other.works),
        )

    @property
    def addresses(self) -> set[int]:
        """Addresses that they read or write."""
        return {*self.places, *self.stores, *self.tiles, *self.works.reads, *self.works.writes}


def newest(one: dict[int, int], other: dict[int, int]) -> dict[int, int]:
    """The smaller of two ages."""
    return {key: min(ages[key] for ages in (one, other) if key in ages) for key in one.keys() | other.keys()}


def in_flight(values: tuple[Value, ...], shared: SharedMemory) -> tuple[Flight, tuple[Value, ...]]:
    """Products in the background, and the values as they will be."""
    products = shared.products
    ages = {address: products.group - group for address, group in products.pending.items()}
    stores = {address: shared.stores.group - group for address, group in shared.stores.pending.items()}
    flight = Flight({}, ages, stores, dict(shared.tiles), shared.works.copy())
    landed: list[Value] = []
    for place, value in enumerate(values):
        since = [
            products.group - one.attr
            for register in registers_of(value)
            for term in register
            if term.waits and (one := product_of(term)) is not None
        ]
        if since:
            flight.values[place] = min(since)
            value = changed(value, lambda register: mapped(ended, register))
        landed.append(value)
    return flight, tuple(landed)


def taken(flight: Flight, values: tuple[Value, ...], shared: SharedMemory) -> tuple[Value, ...]:
    """The values that an iteration begins with, in the background where they may be.

    Shared memory learns what products read.
    """
    group = shared.products.group
    shared.products.pending = {address: group - age for address, age in flight.places.items()}
    shared.stores.pending = {address: shared.stores.group - age for address, age in flight.stores.items()}
    shared.tiles, shared.works = dict(flight.tiles), flight.works.copy()
    for address in shared.tiles:
        shared.cells[address].group = TILE  # of `hold`, which nobody else has
    return begun_again(values, flight.values, group)


def begun_again(values: tuple[Value, ...], ages: dict[int, int], group: int) -> tuple[Value, ...]:
    """Values that are results of products in the background where they have an age, by their place."""

    def begun(term: Term, age: int) -> Term:
        """The result of a product that has been begun."""
        return cast(make("running", (term,), group - age, word_of(term.sort)), term.sort)

    def again(value: Value, age: int) -> Value:
        """A value in the background."""
        return changed(value, lambda register: mapped(lambda term: begun(term, age), register))

    return tuple(again(value, ages[place]) if place in ages else value for place, value in enumerate(values))


def product_of(term: Term) -> Term | None:
    """The product in the background whose result a whole value is."""
    inner = term.args[0] if term.head == "bitcast" else term
    return inner if inner.head == "running" and not has_part(inner.args[0], "running") else None


def ended(term: Term) -> Term:
    """A value after the product that makes it."""
    product = product_of(term)
    return term if product is None else cast(product.args[0], term.sort)


def registers_of(value: Value) -> tuple[Register, ...]:
    """The registers of a number or a vector; none of a struct."""
    return value.parts if isinstance(value, Vector) else (value,) if isinstance(value, tuple) else ()


def changed(value: Value, change: Callable[[Register], Register]) -> Value:
    """A number or a vector of other registers."""
    if isinstance(value, Vector):
        return Vector(tuple(change(register) for register in value.parts))
    assert isinstance(value, tuple)
    return change(value)
