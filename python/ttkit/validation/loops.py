"""Loops: what they carry is a system of equations, written so that equal loops are equal terms.

A carried value has its first value and a next one, which is a term of `carried` symbols and of the number of iterations
done, `count`.  The system is simplified before it becomes a term:

    a value that stays what it is at first is that value
    an integer that grows by the same amount each time is first + amount * count
    a symbol gets a name made of what it begins with and becomes, and not of its place in the list

Two loops may carry the same values in another order, some of them twice, and more or fewer that nobody uses.  They give
the same terms for their results all the same: equality of terms is a proof by induction over the iterations.  A result
is a term of those equations that it depends on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.values import ValueType
from ttkit.validation.booleans import both, truth
from ttkit.validation.comparisons import less, resized
from ttkit.validation.integers import add, exact_interval, multiply, number, subtract
from ttkit.validation.moving_views import carried_parts, may_move, with_carried
from ttkit.validation.terms import MEMORY, Term, at_index, free_symbols, has_part, indices, make, rewritten, session
from ttkit.validation.values import NotModelled, Token, Value, View, parts_of

MOST_KNOWN = 16
"""Iterations of a loop whose step is not known, but whose facts say how many there are."""
ROUNDS = 3
"""How often names of carried values are refined by what they become."""
Name = Any
"""A carried value: (its number, the number of its part), MEMORY, or ("buffer", its number)."""


@dataclass
class Carried:
    """A carried value: its first and its next value, its shape."""

    first: Term
    shape: tuple[int, ...]
    next: Term

    @property
    def is_integer(self) -> bool:
        """Whether it may be counted."""
        return self.first.sort[0] == "i" and self.first.sort != "i1"


System = dict[Name, Carried]


def symbol(level: int, name: Name, sort: str, shape: tuple[int, ...]) -> Term:
    """A carried value at the beginning of an iteration."""
    return make("carried", indices(shape) if sort != MEMORY else (), (level, name), sort)


def replaced(term: Term, level: int, values: dict[Name, Term]) -> Term:
    """A term with the carried values of a level replaced by terms, which are functions of the same index."""

    def replace(part: Term, args: tuple[Term, ...]) -> Term | None:
        """The value at the index of the symbol."""
        if part.head != "carried" or part.attr[0] != level or part.attr[1] not in values:
            return None
        return at_index(values[part.attr[1]], dict(enumerate(args)))

    return rewritten(term, replace, lambda part: level not in part.loops, {})


# --- equations


def solve(system: System, level: int, counter: Term | None) -> dict[Name, Term]:
    """Values that need no equation, which are taken out of the system; the others' next values are in terms of what is
    left.

    Args:
        counter: iterations done; None if they are not counted.
    """
    solved: dict[Name, Term] = {}
    while True:
        found = _constant(system, level)
        if counter is not None and not found:
            found = _counted(system, level, counter)
        if not found:
            return solved
        for name in found:
            del system[name]
        solved = {name: replaced(term, level, found) for name, term in solved.items()} | found
        for equation in system.values():
            equation.next = replaced(equation.next, level, found)


def _constant(system: System, level: int) -> dict[Name, Term]:
    """Values that stay what they are at first: the largest set that does so together."""

    def may_stay(equation: Carried) -> bool:
        """Whether the next value is the first one, or one that is carried."""
        next_one = equation.next
        return next_one is equation.first or next_one.head == "carried" or next_one.sort == MEMORY

    found = {name: equation.first for name, equation in system.items() if may_stay(equation)}
    while found:
        left = {name: first for name, first in found.items() if replaced(system[name].next, level, found) is first}
        if len(left) == len(found):
            return found
        found = left
    return found


def _counted(system: System, level: int, counter: Term) -> dict[Name, Term]:
    """Integers that grow by an amount that is the same each time."""
    found: dict[Name, Term] = {}
    for name, equation in system.items():
        if not equation.is_integer:
            continue
        here = symbol(level, name, equation.first.sort, equation.shape)
        amount = subtract(equation.next, here)
        if level not in amount.loops:
            times = resized(counter, equation.first.sort, signed=True)
            found[name] = add(equation.first, multiply(amount, times))
    return found


def named(system: System, level: int) -> dict[Name, Term]:
    """For each carried value the symbol that has its final name: equal for values that are always equal."""
    colors: dict[Name, Any] = {name: (one.first.number, one.shape) for name, one in system.items()}

    def symbols() -> dict[Name, Term]:
        """By the names that are known so far."""
        return {name: symbol(level, ("color", colors[name]), one.first.sort, one.shape) for name, one in system.items()}

    for _ in range(ROUNDS):
        now = symbols()
        nexts = {name: replaced(one.next, level, now) for name, one in system.items()}
        colors = {
            name: make("color", (one.first, nexts[name]), one.shape, "i32").number for name, one in system.items()
        }
    while True:  # values of one name must become equal
        now = symbols()
        nexts = {name: replaced(one.next, level, now) for name, one in system.items()}
        groups: dict[Any, list[Name]] = {}
        for name in system:
            groups.setdefault(colors[name], []).append(name)
        split = [group for group in groups.values() if any(nexts[one] is not nexts[group[0]] for one in group)]
        if not split:
            return now
        for group in split:
            for place, name in enumerate(group):
                colors[name] = (colors[name], place)


class Closed:
    """Terms that hold a loop: with the equations that they depend on.

    system: what is left after `solve`.
    """

    def __init__(self, system: System, level: int, kind: str) -> None:
        self.level, self.kind = level, kind
        self.names = named(system, level)
        self.equations = {
            self.names[name].attr[1]: (one, replaced(one.next, level, self.names)) for name, one in system.items()
        }

    def of(self, *roots: Term, kind: str = "") -> Term:
        """Terms in terms of carried values, with the equations of these.

        Args:
            kind: of the loop's own kind unless it is given.
        """
        roots = tuple(replaced(root, self.level, self.names) for root in roots)
        needed: dict[Any, None] = {}
        queue = list(roots)
        while queue:
            for part in free_symbols(queue.pop(), self.level):
                if part.head == "carried" and part.attr[1] not in needed:
                    needed[part.attr[1]] = None
                    queue.append(self.equations[part.attr[1]][1])
        order = sorted(needed, key=str)
        args = [*roots]
        for name in order:
            args += [self.equations[name][0].first, self.equations[name][1]]
        return make("system", args, (self.level, kind or self.kind, len(roots), tuple(order)), MEMORY)


# --- scf.for


def trip_count(lower: Term, upper: Term, step: Term) -> Term:
    """Iterations of a loop, at least 0.  Bounds are signed, and the index does not wrap."""
    if step.is_const and step.attr > 0:
        low, high = exact_interval(subtract(upper, lower))
        least, most = (max(0, -(-end // step.attr)) for end in (low, high))
        if least == most:
            return number(least, lower.sort)
    elif not step.is_const and session().facts:
        difference = subtract(upper, lower)
        for done in range(MOST_KNOWN):
            low, high = exact_interval(add(difference, step, -done))
            if high <= 0:
                return number(done, lower.sort)
            if low <= 0:
                break
    return make("trips", (lower, upper, step), None, lower.sort)


@dataclass
class Counted:
    """A loop whose iterations are counted before it begins.

    op: the operation, or the branch into the loop, with the types of what is carried.
    body: follows an iteration, from its index and what is carried to what the next one gets.
    """

    op: Instruction
    bounds: tuple[Term, Term, Term]
    values: list[Value]
    kinds: Sequence[ValueType]
    body: Callable[[Term, list[Value]], tuple[Value, ...]]


def for_loop(walk: Any, op: Instruction, frame: dict[int, Any]) -> tuple[Value, ...]:
    """The results of scf.for."""
    lower, upper, step, *values = (frame[slot] for slot in op.operands)

    def body(index: Term, carried: list[Value]) -> tuple[Value, ...]:
        """The region."""
        return walk.region(op.regions[0], frame, [index, *carried])

    return counted_loop(walk, Counted(op, (lower, upper, step), values, op.result_types, body))


def counted_loop(walk: Any, of: Counted) -> tuple[Value, ...]:
    """The values that a loop leaves, of all iterations at once, or of one after the other if their number is known."""
    lower, upper, step = of.bounds
    values = of.values
    trips = trip_count(lower, upper, step)
    if trips.is_const and trips.attr <= max(1, walk.limits.unrolls):
        index = lower
        for _ in range(trips.attr):
            values = list(of.body(index, values))
            index = add(index, step)
        return tuple(values)
    walk.bounds.append((lower, upper, step))
    level = walk.level
    counter = make("count", (), (level,), lower.sort)
    index = add(lower, multiply(step, counter))
    start = walk.state
    loop = Iteration(walk, of.op, of.kinds, values)
    loop.finish(of.body(index, loop.symbols))
    system = loop.system()
    solved = solve(system, level, counter)
    closed = Closed(system, level, "for")
    solved_at_end = {
        name: rewritten(term, lambda p, a: trips if p is counter else None, lambda p: level not in p.loops, {})
        for name, term in solved.items()
    }

    def at_end(name: Name, sort: str, shape: tuple[int, ...]) -> Term:
        """A carried value after the loop."""
        if name in solved_at_end and level not in solved_at_end[name].loops:
            return solved_at_end[name]
        term = solved.get(name, symbol(level, name, sort, shape))
        return final(closed.of(trips, term), sort, shape)

    walk.state = start
    loop.after(at_end)
    each = "each of for"
    loop.keep_reads(
        lambda access: closed.of(trips, replaced(access, level, solved), kind=each), less(lower, upper), level
    )
    return loop.results(at_end)


def final(system: Term, sort: str, shape: tuple[int, ...]) -> Term:
    """The value that a loop leaves, as a tensor."""
    return make("final", (system, *indices(shape)) if sort != MEMORY else (system,), None, sort)


class Iteration:
    """One iteration of a loop, of symbols for what it carries: the values of the operation, memory and buffers."""

    def __init__(self, walk: Any, op: Instruction, kinds: Sequence[ValueType], values: list[Value]) -> None:
        self.walk, self.op, self.kinds, self.values = walk, op, kinds, values
        self.level = walk.level
        self.state = walk.state
        self.buffers = list(walk.state.contents)
        self.symbols = [self._symbols(place, value) for place, value in enumerate(values)]
        walk.state = walk.state.copy()
        walk.state.memory = symbol(self.level, MEMORY, MEMORY, ())
        for place, buffer in enumerate(self.buffers):
            walk.state.contents[buffer] = symbol(self.level, ("buffer", place), buffer.sort, buffer.shape)
        self.path, self.reads = walk.path, walk.reads
        walk.path, walk.reads, walk.level = truth(True), {}, self.level + 1

    def shape_of(self, place: int) -> tuple[int, ...]:
        """The shape of a value that the operation carries; of scalars in other values ()."""
        value = self.values[place]
        return self.kinds[place].shape if isinstance(value, Term) else value.shape if may_move(value) else ()

    def _symbols(self, place: int, value: Value) -> Value:
        shape = self.shape_of(place)
        found = tuple(symbol(self.level, (place, n), part.sort, shape) for n, part in enumerate(carried_parts(value)))
        return with_carried(value, found) if found else value

    def finish(self, yielded: tuple[Value, ...]) -> None:
        """Notes what an iteration gives.

        Raises:
            NotModelled: it gives other buffers than it took, or leaves copies in flight.
        """
        for old, new in zip(self.values, yielded, strict=True):
            if may_move(old):
                stays = isinstance(new, View) and new.buffer is old.buffer and new.shape == old.shape
            else:
                stays = bool(parts_of(old)) or old is new or isinstance(old, Token)
            if not stays:
                raise NotModelled("the loop carries buffers", self.op)
        state = self.walk.state
        if any(buffer not in state.contents for buffer in self.buffers):
            raise NotModelled("a buffer ends in the loop", self.op)
        mine = {buffer: state.contents[buffer] for buffer in self.buffers}
        barriers = {place: one for place, one in state.barriers.items() if place[0] in mine}
        running = state.products or state.stores != self.state.stores or self.state.products
        if running or barriers != self.state.barriers:
            raise NotModelled("products or barriers of several iterations are in the background", self.op)
        if state.group != self.state.group and any(has_part(one, "in flight") for one in mine.values()):
            raise NotModelled("copies of several iterations are in the background", self.op)
        self.yielded, self.after_state, self.inner_reads = yielded, self.walk.state, self.walk.reads
        self.walk.path, self.walk.reads, self.walk.level = self.path, self.reads, self.level

    def system(self) -> System:
        """The equations of all that is carried."""
        found: System = {MEMORY: Carried(self.state.memory, (), self.after_state.memory)}
        for place, (old, new) in enumerate(zip(self.values, self.yielded)):
            for n, pair in enumerate(zip(carried_parts(old), carried_parts(new), strict=True)):
                found[place, n] = Carried(pair[0], self.shape_of(place), pair[1])
        for place, buffer in enumerate(self.buffers):
            contents = self.after_state.contents[buffer]
            found["buffer", place] = Carried(self.state.contents[buffer], buffer.shape, contents)
        return found

    def after(self, at_end: Any) -> None:
        """The state after the loop."""
        state = self.state.copy()
        state.arrivals = ()
        state.memory = at_end(MEMORY, MEMORY, ())
        for place, buffer in enumerate(self.buffers):
            state.contents[buffer] = at_end(("buffer", place), buffer.sort, buffer.shape)
        self.walk.state = state

    def keep_reads(self, close: Any, runs: Term, level: int) -> None:
        """Notes the reads of the loop outside of it."""
        for access, op in self.inner_reads.items():
            if level not in access.loops and access.head == "access":
                condition, address = access.args
                access = make("access", (both(self.path, runs, condition), address), None, "i1")
            else:
                access = make("access", (self.path, close(access)), None, "i1")
            self.reads.setdefault(access, op)

    def results(self, at_end: Any) -> tuple[Value, ...]:
        """The results of a scf.for."""
        found: list[Value] = []
        for place, value in enumerate(self.values):
            shape = self.shape_of(place)
            made = tuple(at_end((place, n), part.sort, shape) for n, part in enumerate(carried_parts(value)))
            found.append(with_carried(value, made) if made else value)
        return tuple(found)
