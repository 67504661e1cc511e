"""Accesses of the kernel to global memory, element by element: those that lowered code makes are looked up here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ttkit.operation_sets import BLOCK_BARRIERS, POINTER_ACCESSES
from ttkit.validation.booleans import both
from ttkit.validation.integers import add, number
from ttkit.validation.lowered.bits import bytes_of
from ttkit.validation.lowered.places import Index, elements
from ttkit.validation.lowered.source import Event, SourceWalk
from ttkit.validation.terms import Term, make
from ttkit.validation.values import NotModelled


@dataclass
class Element:
    """An element that a store or an atomic update of the kernel writes.

    values: what it stores, or what it combines memory with.
    done: how often lowered code has done it.
    """

    index: Index
    mask: Term
    values: tuple[Term, ...]
    done: int = 0


@dataclass
class Pending:
    """A store, an atomic update or a volatile read of the kernel, while lowered code does it.

    elements: by address.
    left: elements that have not been done.
    """

    event: Event
    elements: dict[Term, list[Element]] = field(default_factory=dict)
    left: int = 0

    def __post_init__(self) -> None:
        after, op = self.event.after, self.event.op
        if (after.head not in ("store", "atomic") and not self.is_volatile) or after.args[0] is not self.event.before:
            raise NotModelled("this effect is not compared with lowered code", op)
        _, address, mask, *values = after.args
        if self.is_volatile:
            [address], [mask] = address.args, mask.args
        shape = shape_of(self.event)
        for index, (place, condition, *given) in elements(shape, address, mask, *values):
            if condition.is_const and not condition.attr:
                continue
            self.elements.setdefault(place, []).append(Element(index, condition, tuple(given)))
            self.left += 1

    @property
    def is_volatile(self) -> bool:
        """Whether it is a volatile read: an effect in the order of the program."""
        return self.event.op.name == "tt.load" and self.event.after.head == "effect"

    @property
    def is_scalar(self) -> bool:
        """Whether it is one of a scalar, which one thread does."""
        return not shape_of(self.event)

    def missing(self) -> str:
        """An element that has not been done, in words."""
        for place, found in self.elements.items():
            for one in found:
                if not one.done:
                    return f"element {list(one.index)} of {self.event.op.name}, at {place}, is not written"
        return ""


def shape_of(event: Event) -> tuple[int, ...]:
    """The shape of what a store or an update writes.

    Raises:
        NotModelled: of a block pointer or a descriptor, which lowered code does not have.
    """
    if event.op.name not in POINTER_ACCESSES:
        raise NotModelled("this effect is not compared with lowered code", event.op)
    return event.op.operand_types[0].shape


class Effects:
    """The reads and changes of memory of a kernel.

    reads: by address, the sorts of what is read there and when.
    """

    def __init__(self, walk: SourceWalk) -> None:
        self.events = {(one.before, one.path): one for one in walk.events}
        if len(self.events) != len(walk.events):
            raise NotModelled("effects of one branch that are not in order")
        self.pending: dict[tuple[Term, Term], Pending] = {}
        self.sizes: dict[Term, int] = {}
        functions = walk.module.functions.values()
        operations = (op for function in functions if function.body is not None for op in function.operations())
        self.used = {slot for op in operations for slot in (*op.operands, *op.captures)}
        self.reads: dict[tuple[Any, Term], list[tuple[str, Term]]] = {}
        for access, op in walk.reads.items():
            if access.args[1].head in ("system", "early"):
                raise NotModelled("reads of loops with regions, or of copies in flight", op)
        for (access, sort, context), shape in walk.accesses.items():
            for _, (condition, address) in elements(shape, *access.args):
                if not (condition.is_const and not condition.attr):
                    self.reads.setdefault((context, address), []).append((sort, condition))
                    self.sizes[address] = max(self.sizes.get(address, 1), bytes_of(sort))

    def element_bytes(self, address: Term) -> int:
        """Bytes of the element that the kernel has at an address: the address is a multiple of them."""
        return self.sizes.get(address, 1)

    def is_observed(self, pending: Pending) -> bool:
        """Whether the kernel looks at the result of an update."""
        return not self.used.isdisjoint(pending.event.op.results)

    def at(self, memory: Term, path: Term) -> Pending:
        """The change of memory that comes next.

        Raises:
            NotModelled: there is none.
        """
        event = self.events.get((memory, path))
        if event is None:
            raise NotModelled("a write where the kernel has none")
        if (memory, path) not in self.pending:
            made = self.pending[memory, path] = Pending(event)
            for address, found in made.elements.items():
                if found[0].values:
                    self.sizes[address] = max(self.sizes.get(address, 1), bytes_of(found[0].values[0].sort))
        return self.pending[memory, path]

    def pass_barrier(self, state: Any, path: Term) -> None:
        """Does the barrier that the kernel has next, if it has one."""
        event = self.events.get((state.memory, path))
        if event is not None and event.op.name in BLOCK_BARRIERS:
            state.memory, state.steps = event.after, state.steps + 1

    def is_begun(self, memory: Term, path: Term) -> bool:
        """Whether some elements of a change that comes next on a way have been written."""
        for (before, when), pending in self.pending.items():
            meets = before is memory and not is_never(both(when, path))
            if meets and any(one.done for found in pending.elements.values() for one in found):
                return True
        return False

    def read(self, context: Any, memory: Term, address: Term, condition: Term, size: int) -> list[Term]:
        """The values that are read at an address, as elements of the kernel's own reads.

        Args:
            context: the copy of a loop.
            condition: when, the path included.
            size: bytes; the elements are as long together.

        Raises:
            NotModelled: the kernel does not read it, or not under that condition.
        """
        found: list[Term] = []
        done = 0
        while done < size:
            place = moved(address, done)
            for sort, when in self.reads.get((context, place), ()):
                if done + bytes_of(sort) <= size and implies(condition, when):
                    found.append(make("read", (memory, place), None, sort))
                    done += bytes_of(sort)
                    break
            else:
                raise NotModelled(f"a read that the kernel does not make: {place} where {condition}")
        return found


def moved(address: Term, by: int) -> Term:
    """An address some bytes further."""
    return add(address, number(by, "i64")) if by else address


def is_never(condition: Term) -> bool:
    """Whether a condition never holds."""
    return condition.is_const and not condition.attr


def implies(condition: Term, other: Term) -> bool:
    """Whether one conjunction has all parts of another."""
    return condition is other or both(condition, other) is condition
