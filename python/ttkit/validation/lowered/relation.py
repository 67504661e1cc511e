"""The relation of lowered values to tensors of the kernel: the elements that layouts give each thread."""

from __future__ import annotations

from dataclasses import dataclass, field

from ttkit.interpreter.values import ValueType
from ttkit.validation.lowered.bits import bits, cast
from ttkit.validation.lowered.normal_forms import Equality
from ttkit.validation.lowered.places import places
from ttkit.validation.lowered.registers import Register, Value, Vector, collapsed, full
from ttkit.validation.lowered.source import Head
from ttkit.validation.terms import Term, at_place
from ttkit.validation.values import NotModelled, Token, parts_of


@dataclass
class Relation:
    """Compares what loops of lowered code carry with what the kernel's carry.

    conditions: of the kernel's branches.
    """

    threads: int
    conditions: list[Term] = field(default_factory=list)
    equality: Equality = field(default_factory=Equality)

    def condition(self, mine: Term) -> Term:
        """A condition of a branch, as the kernel has it if it has it."""
        for one in self.conditions:
            if one.sort == mine.sort and self.equality.same(one, mine):
                return one
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
        if len(values) != len(theirs):
            raise NotModelled("a loop carries other values than that of the kernel")
        for place, (kind, value, other) in enumerate(zip(head.kinds, values, theirs)):
            if isinstance(other, Token):
                continue
            [term] = parts_of(other)  # type: ignore[arg-type]
            mine = value.parts if isinstance(value, Vector) else (value,)
            expected = self.lanes(kind, term)
            if len(mine) != len(expected):
                raise NotModelled(f"value {place} of a loop has {len(mine)} registers, not {len(expected)}")
            for number_, (register, wanted) in enumerate(zip(mine, expected)):
                assert isinstance(register, tuple)
                self._registers(register, wanted, f"value {place} that a loop {does}, register {number_}")

    def _registers(self, register: Register, wanted: Register, what: str) -> None:
        count = max(len(register), len(wanted))
        for thread, (mine, theirs) in enumerate(zip(full(register, count), full(wanted, count))):
            if not self.equality.same(theirs, bits_unless_flag(mine)):
                raise NotModelled(f"{what}, thread {thread}: found {mine}, not {theirs}")

    def symbols(self, head: Head, values: tuple[Value, ...]) -> tuple[Value, ...]:
        """The values that an iteration is taken to begin with."""
        found: list[Value] = []
        for kind, value, symbol in zip(head.kinds, values, head.symbols):
            if isinstance(symbol, Token):
                found.append(value)
                continue
            [term] = parts_of(symbol)
            registers = [typed(register, value) for register in self.lanes(kind, term)]
            found.append(Vector(tuple(registers)) if isinstance(value, Vector) else registers[0])
        return tuple(found)


def bits_unless_flag(term: Term) -> Term:
    """A value as an integer; i1 stays."""
    return term if term.sort == "i1" else bits(term)


def typed(register: Register, like: Value) -> Register:
    """Words in the sort that lowered code has them in."""
    first = like.parts[0] if isinstance(like, Vector) else like
    assert isinstance(first, tuple)
    return tuple(cast(term, first[0].sort) for term in register)
