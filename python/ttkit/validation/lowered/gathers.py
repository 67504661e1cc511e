"""Gathers: a lane that depends on data, looked at for each index that is inside of the tensor.

A shuffle from such a lane is one term, `of lane`, of the lane and the values of all lanes.  What lowered code makes of
these is a gather of the kernel if it is the gathered element for each index, one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ttkit.validation.integers import number
from ttkit.validation.lowered.shared_memory import WARP
from ttkit.validation.terms import REBUILD, Term, has_part, make, parts_within, rewritten

OF_LANE = "of lane"
MOST_PLACES = 1 << 10
"""Indices that are tried."""


def of_lane(lane: Term, values: tuple[Term, ...]) -> Term:
    """The value that a lane has, by the low bits of a number."""
    return values[lane.attr & (WARP - 1)] if lane.is_const else make(OF_LANE, (lane, *values), None, values[0].sort)


REBUILD[OF_LANE] = lambda args, attr, sort: of_lane(args[0], args[1:])


@dataclass
class Gather:
    """An element that the kernel gathers.

    whole: the term, undefined where the index is outside.  inside: the same where it is not.
    index: the index.  size: of the tensor.  known: values by number, of terms of the kernel or of lowered code.
    """

    whole: Term
    inside: Term
    index: Term
    size: int
    known: dict[int, dict[Term, Term]] = field(default_factory=dict)

    def value_at(self, term: Term, place: int) -> Term:
        """A term where the index is a number; of choices and lanes, the one that is taken alone."""
        memo = self.known.setdefault(place, {self.index: number(place, self.index.sort)})
        while term not in memo and (term.head == OF_LANE or term.head == "ite"):
            chooses = rewritten(term.args[0], unchanged, never, memo)
            if not chooses.is_const:
                break
            chosen = chooses.attr & (WARP - 1) if term.head == OF_LANE else 1 - chooses.attr
            term = term.args[1 + chosen]
        if term not in memo and len(term.args) == 1:
            memo[term.args[0]] = self.value_at(term.args[0], place)
        return rewritten(term, unchanged, never, memo)

    def is_made_by(self, mine: Term) -> bool:
        """Whether a term of lowered code is the element for each index that is inside."""
        return all(self.value_at(self.inside, place) is self.value_at(mine, place) for place in range(self.size))


def unchanged(term: Term, args: tuple[Term, ...]) -> None:
    """Nothing stands for a part but what its operands make of it."""


def never(term: Term) -> bool:
    """No part stays as it is."""
    return False


def gathers_of(theirs: Term) -> Iterator[Gather]:
    """The elements that a term of the kernel gathers."""
    for term in parts_within(theirs):
        if term.head != "ite" or term.args[2].head != "undefined" or term.args[2].attr != "outside":
            continue
        found = range_of(term.args[0])
        if found is not None and found[1] <= MOST_PLACES:
            yield Gather(term, term.args[1], *found)


def range_of(condition: Term) -> tuple[Term, int] | None:
    """The index and the size where a condition is 0 <= index < size; None if it is another one."""
    if condition.head != "and" or len(condition.args) != 2:
        return None
    for low, high in (condition.args, condition.args[::-1]):
        if high.head == "slt" and high.args[1].is_const and low.head == "not" and low.args[0].head == "slt":
            index, zero = low.args[0].args
            if index is high.args[0] and zero.is_const and zero.attr == 0:
                return index, high.args[1].attr
    return None


def with_gathers(theirs: Term, mine: Term) -> Term:
    """A term of lowered code with the kernel's gathers in place of what makes them of values of other lanes."""
    if not has_part(mine, OF_LANE):
        return mine
    gathers, found = list(gathers_of(theirs)), dict[Term, Term]()
    stack, seen = [mine], set()
    while stack and gathers:
        term = stack.pop()
        if term in seen or not has_part(term, OF_LANE):
            continue
        seen.add(term)
        made = next((one for one in gathers if one.whole.sort == term.sort and one.is_made_by(term)), None)
        if made is None:
            stack.extend(term.args)
        else:
            gathers.remove(made)  # outside, each of its uses has the same value
            found[term] = made.whole
    return rewritten(mine, unchanged, never, found)
