"""The relation of lowered values to tensors of the kernel: the elements that layouts give each thread."""

from __future__ import annotations

from dataclasses import dataclass, field

from ttkit.interpreter.values import ValueType
from ttkit.validation.lowered.bits import bits, bytes_of, cast, joined, split
from ttkit.validation.lowered.kernel_loops import Head
from ttkit.validation.lowered.normal_forms import Equality
from ttkit.validation.lowered.places import places
from ttkit.validation.lowered.registers import Register, Value, Vector, collapsed, full, mapped, uniform
from ttkit.validation.terms import Term, at_place
from ttkit.validation.values import NotModelled, Token, View, parts_of, sort_of


@dataclass
class Relation:
    """Compares what loops of lowered code carry with what the kernel's carry.

    conditions: of the kernel's branches.
    """

    threads: int
    conditions: list[Term] = field(default_factory=list)
    equality: Equality = field(default_factory=Equality)

    def condition(self, mine: Term) -> Term:
        """A condition of a branch, as the kernel has it if it has it; z3 is asked where none is equal at sight."""
        alike = [one for one in dict.fromkeys(self.conditions) if one.sort == mine.sort]
        for same in (self.equality.same_at_sight, self.equality.same):
            found = next((one for one in alike if same(one, mine)), None)
            if found is not None:
                return found
        return mine

    def lanes(self, kind: ValueType, term: Term) -> list[Register]:
        """The registers that hold a value of the kernel: words of its bits."""
        if not kind.shape:
            return [(bits_unless_flag(term),)]
        rows = []
        for row in places(kind.text, self.threads):
            memo: dict[tuple[int, ...], Term] = {}
            for index in row:
                if index not in memo:
                    element = at_place(term, enumerate(index))
                    memo[index] = bits_unless_flag(element)
            rows.append(collapsed(memo[index] for index in row))
        return rows

    def check(self, head: Head, values: tuple[Value, ...], theirs: tuple[object, ...], does: str) -> None:
        """Checks what a loop begins or goes on with.

        Raises:
            NotModelled: it is not known to be what the kernel's does.
        """
        for place, (kind, mine, other) in enumerate(zip(head.kinds, self.grouped(head.kinds, values), theirs)):
            if isinstance(other, Token | View):
                continue
            [term] = parts_of(other)  # type: ignore[arg-type]
            expected = self.lanes(kind, term)
            registers = elements_of(mine, expected)
            if len(registers) != len(expected):
                raise NotModelled(f"value {place} of a loop has {len(registers)} registers, not {len(expected)}")
            for number_, (register, wanted) in enumerate(zip(registers, expected)):
                self._registers(register, wanted, f"value {place} that a loop {does}, register {number_}")

    def grouped(self, kinds: tuple[ValueType, ...], values: tuple[Value, ...]) -> list[tuple[Value, ...]]:
        """The values of lowered code that hold each value of the kernel: a vector, or words of several elements.

        Raises:
            NotModelled: there are more or fewer.
        """
        found: list[tuple[Value, ...]] = []
        left = list(values)
        for kind in kinds:
            count = 1
            if is_buffer(kind):
                count += kind.rank
            elif kind.shape and left and isinstance(left[0], tuple):
                width = bytes_of(left[0][0].sort)
                count = max(1, len(places(kind.text, self.threads)) * bytes_of(sort_of(kind)) // width)
            found.append(tuple(left[:count]))
            del left[:count]
        if left or any(not group for group in found):
            raise NotModelled("a loop carries other values than that of the kernel")
        return found

    def _registers(self, register: Register, wanted: Register, what: str) -> None:
        count = max(len(register), len(wanted))
        for thread, (mine, theirs) in enumerate(zip(full(register, count), full(wanted, count))):
            if not self.equality.same(theirs, bits_unless_flag(mine)):
                raise NotModelled(f"{what}, thread {thread}: found {mine}, not {theirs}")

    def symbols(self, head: Head, values: tuple[Value, ...]) -> tuple[Value, ...]:
        """The values that an iteration is taken to begin with."""
        found: list[Value] = []
        for kind, group, symbol in zip(head.kinds, self.grouped(head.kinds, values), head.symbols):
            if isinstance(symbol, Token | View):
                found += group
                continue
            [term] = parts_of(symbol)
            lanes = self.lanes(kind, term)
            if isinstance(group[0], Vector):
                found.append(Vector(tuple(typed(register, group[0]) for register in lanes)))
                continue
            each = len(lanes) // len(group)
            for number_, word in enumerate(group):
                parts = lanes[each * number_ : each * number_ + each]
                whole = mapped(lambda *terms: terms[0] if len(terms) == 1 else joined(list(terms)), *parts)
                found.append(typed(whole, word))
        return tuple(found)


def is_buffer(kind: ValueType) -> bool:
    """Whether a value is a view of a buffer: a pointer, and where it begins along each dimension."""
    return kind.text.startswith("!ttg.memdesc")


def pointer_of(group: tuple[Value, ...]) -> Term:
    """The pointer of a view that a loop carries.

    Raises:
        NotModelled: it begins elsewhere.
    """
    pointer, *offsets = (uniform(one) for one in group)  # type: ignore[arg-type]
    if any(not one.is_const or one.attr for one in offsets):
        raise NotModelled("a loop that carries a part of a buffer")
    return pointer


def elements_of(group: tuple[Value, ...], expected: list[Register]) -> list[Register]:
    """The registers of single elements that values of lowered code hold."""
    if isinstance(group[0], Vector):
        return list(group[0].parts)
    each = len(expected) // len(group)
    found: list[Register] = []
    for word in group:
        assert isinstance(word, tuple)
        if each <= 1:
            found.append(word)
            continue
        size = bytes_of(expected[0][0].sort)
        found += [mapped(lambda term, n=n, by=size: split(bits(term), by)[n], word) for n in range(each)]
    return found


def bits_unless_flag(term: Term) -> Term:
    """A value as an integer; i1 stays."""
    return term if term.sort == "i1" else bits(term)


def typed(register: Register, like: Value) -> Register:
    """Words in the sort that lowered code has them in."""
    first = like.parts[0] if isinstance(like, Vector) else like
    assert isinstance(first, tuple)
    return tuple(cast(term, first[0].sort) for term in register)
