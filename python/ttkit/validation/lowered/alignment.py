"""Powers of two that addresses are multiples of, by what is known of the arguments."""

from __future__ import annotations

from dataclasses import dataclass, field

from ttkit.validation.integers import number as number_of
from ttkit.validation.integers import subtract, sum_of, width
from ttkit.validation.lowered.kernel_loops import Head
from ttkit.validation.lowered.source import SourceWalk
from ttkit.validation.terms import Term, at_index, parts_within

LARGEST = 1 << 32


@dataclass
class Alignment:
    """Powers of two that divide terms.

    arguments: by number, what is known to divide an argument.
    walk: over the kernel, for its loops.
    """

    arguments: dict[int, int]
    walk: SourceWalk
    memo: dict[Term, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.heads: dict[int, list[Head]] = {}
        for head in self.walk.heads.values():
            self.heads.setdefault(head.loop, []).append(head)
        known = self.walk.known.multiples
        self.factored = {
            (head.loop, place)
            for head in self.walk.heads.values()
            for place in range(len(head.kinds))
            if (*head.place, place) in known
        }

    def of(self, term: Term) -> int:
        """A power of two that divides a number, whatever the arguments are."""
        found = self.memo.get(term)
        if found is None:
            self.memo[term] = 1  # for a loop that asks for itself
            found = self.memo[term] = min(self._of(term), LARGEST)
        return found

    def _of(self, term: Term) -> int:
        if term.is_const:
            return term.attr & -term.attr if term.attr else LARGEST
        if term.head == "poly":
            found = LARGEST
            for key, factor in sum_of(term).items():
                product = factor & -factor
                for part in key:
                    product *= self.of(part)
                found = min(found, product)
            return found
        if term.head == "argument":
            return self.arguments.get(term.attr, 1)
        if term.head in ("sext", "zext"):  # of a power of the narrow type 0 is left
            low = self.of(term.args[0])
            return low if low < 1 << width(term.args[0]) else LARGEST
        if term.head == "trunc":
            return self.of(term.args[0])
        if term.head == "mul":
            return self.of(term.args[0]) * self.of(term.args[1])
        if term.head in ("ite", "minsi", "maxsi"):
            return min(self.of(arg) for arg in term.args[-2:])
        if term.head == "remu" and term.args[1].is_const:
            return min(self.of(arg) for arg in term.args)
        if term.head == "divu" and term.args[1].is_const and term.args[1].attr > 0:
            divisor = term.args[1].attr
            return max(1, self.of(term.args[0]) // divisor) if divisor & (divisor - 1) == 0 else 1
        if term.head == "call" and term.attr[0] == "iteration":
            return self._carried(term)
        return 1

    def _carried(self, term: Term) -> int:
        """A power of two that divides what a loop begins with, and all that iterations add."""
        _, number, place = term.attr
        if (number, place) in self.factored:
            return 1  # the power is a factor of the symbol
        heads = self.heads[number]
        head = heads[0]
        index = dict(enumerate(term.args))
        if not index:  # of a tensor its first element
            index = dict.fromkeys(range(head.kinds[place].rank), number_of(0, "i32"))
        symbol, found = head.symbols[place], LARGEST
        assert isinstance(symbol, Term)
        for way in (way for one in heads for way in one.incoming):
            value = way.values[place]
            assert isinstance(value, Term)
            added = at_index(subtract(value, symbol), index)
            found = min(found, self.of(at_index(value, index) if contains(added, term) else added))
        return found


def contains(root: Term, part: Term) -> bool:
    """Whether a term is part of another one."""
    return any(one is part for one in parts_within(root))
