"""All that a loop carries from one iteration to the next: values, memory, buffers, and all that is in the background.

Numbers of groups, of products and of phases count up.  A snapshot has them relative to those of the moment, so that two
iterations which do the same have equal snapshots.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from ttkit.interpreter.decode import Instruction
from ttkit.validation.booleans import choose
from ttkit.validation.comparisons import equal
from ttkit.validation.integers import number
from ttkit.validation.loops import Name
from ttkit.validation.terms import BACKGROUND, MEMORY, Term, at_index, indices, make, parts_within, rewritten
from ttkit.validation.values import Buffer, NotModelled, Value, View, parts_of, with_parts

MOST_SLOTS = 16
"""Slots of a buffer that are told apart."""


@dataclass
class Boundary:
    """The state between two iterations.

    structure: what is in the background, without terms.
    terms: all others by name, as in `loops.py`.
    values: what the loop carries.
    """

    structure: Any
    terms: dict[Name, Term]
    values: list[Value]


class Snapshots:
    """Takes the state between iterations of a loop, and puts terms into it."""

    def __init__(self, walk: Any, op: Instruction) -> None:
        self.walk, self.op = walk, op
        self.buffers: list[Buffer] = list(walk.state.contents)

    def take(self, values: list[Value]) -> Boundary:
        """The state now.

        Raises:
            NotModelled: a buffer has ended, or one of the last iteration is used in the background.
        """
        state = self.walk.state
        if any(buffer not in state.contents for buffer in self.buffers):
            raise NotModelled("a buffer ends in the loop", self.op)
        memo: dict[Term, Term] = {}
        terms = {name: self._tagged(term, -1, memo) for name, term in self._terms(values)}
        return Boundary(self._structure(values, terms), terms, values)

    def _terms(self, values: list[Value]) -> Iterator[tuple[Name, Term]]:
        state = self.walk.state
        for place, value in enumerate(values):
            for n, part in enumerate(parts_of(value)):
                yield (place, n), part
        yield MEMORY, state.memory
        for place, buffer in enumerate(self.buffers):
            yield ("buffer", place), without_ones(by_slot(state.contents[buffer], buffer.shape), buffer.shape)

    def _structure(self, values: list[Value], terms: dict[Name, Term]) -> Any:
        state, last = self.walk.state, self.walk.last_serial
        unseen = self.walk.order is None  # which knows of phases what groups have seen
        barriers = {place: (*one[:3], unseen and one[4] - one[3], one[4] & 1) for place, one in state.barriers.items()}
        products = [
            (serial - last, [self._view(view) for view in operands], registers)
            for serial, operands, registers in state.products
        ]
        stores = [self._view(view) for view in state.stores]
        tags = set(self._tags(terms.values()))
        oldest = min(
            [serial for serial, *_ in state.products] + [tag[1] + last for tag in tags if tag[0] == "tensor core"],
            default=last + 1,
        )
        arrivals = [
            (place, phase - self._phase(place), serial - last)
            for place, phase, serial in state.arrivals
            if serial >= oldest
        ]
        views = [self._view(value) for value in values if isinstance(value, View)]
        wrappers = {name: layers(term) for name, term in terms.items() if term.head in BACKGROUND}
        moment = getattr(self.walk, "moment", None)
        known = moment().relative(self.buffers) if moment is not None else None
        return barriers, products, stores, arrivals, views, wrappers, dict(state.maps), known

    def _view(self, view: View) -> Any:
        """Which part of which buffer a view is."""
        if view.buffer not in self.buffers:
            raise NotModelled("a buffer of an iteration is used in the background after it", self.op)
        return view.buffer, view.shape, tuple(view.places(indices(view.shape)))

    def _tags(self, roots: Any) -> Iterator[Any]:
        """The tags of tensor core work and of copies by TMA in terms."""
        for term in parts_within(*roots):
            if term.head == "in flight" and isinstance(term.attr, tuple):
                yield term.attr

    # --- numbers that count up

    def _phase(self, place: Any) -> int:
        """The even number of phases that are over at a barrier."""
        barrier = self.walk.state.barriers.get(place)
        return barrier[4] & ~1 if barrier is not None else 0

    def _tagged(self, root: Term, sign: int, memo: dict[Term, Term]) -> Term:
        """A term with numbers relative to those of the moment (sign -1), or with those of the moment (1)."""
        state, last = self.walk.state, self.walk.last_serial

        def change(term: Term, args: tuple[Term, ...]) -> Term | None:
            """The same work by another number."""
            if term.head == "running":
                return make("running", args, term.attr + sign * last, term.sort)
            if term.head != "in flight":
                return None
            tag = term.attr
            if isinstance(tag, int):
                tag += sign * state.group
            else:
                tag = tag[0], tag[1] + sign * (last if tag[0] == "tensor core" else self._phase(tag[0]))
            return make("in flight", args, tag, term.sort)

        return rewritten(root, change, lambda term: not term.waits, memo)

    # --- other terms

    def put(self, boundary: Boundary, terms: dict[Name, Term]) -> list[Value]:
        """The values of a boundary with other terms in them; the state gets the others."""
        state = self.walk.state
        memo: dict[Term, Term] = {}
        terms = {name: self._tagged(term, 1, memo) for name, term in terms.items()}
        values = [
            with_parts(value, tuple(terms[place, n] for n in range(len(parts_of(value))))) if parts_of(value) else value
            for place, value in enumerate(boundary.values)
        ]
        state.memory = terms[MEMORY]
        state.contents = {
            buffer: with_ones(terms["buffer", place], buffer.shape) for place, buffer in enumerate(self.buffers)
        }
        return values

    def shape(self, name: Name, boundary: Boundary) -> tuple[int, ...]:
        """The shape of a value."""
        if name == MEMORY:
            return ()
        if name[0] == "buffer":
            return tuple(size for size in self.buffers[name[1]].shape if size != 1)
        return self.op.result_types[name[0]].shape if isinstance(boundary.values[name[0]], Term) else ()

    def saved(self, values: list[Value]) -> Any:
        """The state now, to come back to."""
        order = self.walk.order.saved() if self.walk.order is not None else None
        return self.walk.state.copy(), list(values), self.walk.last_serial, order

    def restored(self, saved: Any) -> list[Value]:
        """The values and the state of an earlier moment."""
        state, values, self.walk.last_serial, order = saved
        if order is not None:
            self.walk.order.restored(order)
        self.walk.state = replace(state)
        return list(values)


def by_slot(held: Term, shape: tuple[int, ...]) -> Term:
    """Contents of a buffer, without what has been overwritten: a choice between its slots."""
    if held.head != "ite" or len(shape) < 2 or shape[0] > MOST_SLOTS:
        return held
    at = indices(shape)[0]
    parts = [at_index(held, {0: number(slot, "i32")}) for slot in range(shape[0])]
    found = parts[-1]
    for slot in range(shape[0] - 2, -1, -1):
        found = choose(equal(at, number(slot, at.sort)), parts[slot], found)
    return found


def without_ones(held: Term, shape: tuple[int, ...]) -> Term:
    """Contents of a buffer without its dimensions of size 1, so that one slot is like a buffer without slots."""
    if 1 not in shape:
        return held
    rest = iter(indices(tuple(size for size in shape if size != 1)))
    return at_index(held, {d: number(0, "i32") if size == 1 else next(rest) for d, size in enumerate(shape)})


def with_ones(held: Term, shape: tuple[int, ...]) -> Term:
    """Contents of a buffer with its dimensions of size 1."""
    if 1 not in shape:
        return held
    kept = [index for index, size in zip(indices(shape), shape) if size != 1]
    return at_index(held, dict(enumerate(kept)))


def layers(term: Term) -> tuple[Any, ...]:
    """Work in the background that a whole value waits for, the outermost first."""
    found = []
    while term.head in BACKGROUND:
        found.append((term.head, term.attr))
        term = term.args[0]
    return tuple(found)


def unwrapped(term: Term) -> Term:
    """The value that comes to be when the work in the background ends."""
    while term.head in BACKGROUND:
        term = term.args[0]
    return term


def wrapped_again(term: Term, inner: Term) -> Term:
    """A value as far in the background as another one."""
    for head, attr in reversed(layers(term)):
        inner = make(head, (inner,), attr, inner.sort)
    return inner
