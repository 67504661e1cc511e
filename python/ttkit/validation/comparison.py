"""Whether two functions are equal: by structure, by congruence, by induction over loops, and by z3 for what differs.

Equal terms are one object, so operations that a pass leaves alone cost nothing here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import ttkit.validation.floats as floats
import ttkit.validation.solver as solver
from ttkit.validation.booleans import both, negation
from ttkit.validation.claims import Claim, is_poison
from ttkit.validation.comparisons import equal, less
from ttkit.validation.consecutive import in_parts, last_iteration
from ttkit.validation.differences import Difference, Sentence
from ttkit.validation.loops import replaced
from ttkit.validation.pairing import equations, paired, symbol_of
from ttkit.validation.rounding import ORDER, precisions_between, rounding_between
from ttkit.validation.sums import same_products, sums_parts
from ttkit.validation.terms import CLOSED, MEMORY, Term, folded, make

MOST_STEPS = 4000
"""Pairs of terms that are compared for a function."""
INTERPRETED = tuple("poly mul divu remu eq slt ult minsi maxsi sext zext trunc and not".split())
COMMUTATIVE = ("poly", "mul", "and", "minsi", "maxsi", "sum", "product", "same", *floats.COMMUTATIVE)
COMMUTATIVE_CALLS = tuple(f"arith.{name}" for name in "andi ori xori maxui minui mulsi_extended mului_extended".split())
Given = tuple[Term, ...]
EFFECTS = ("store", "atomic", "effect", "final")
"""Heads of what is done to memory last, and of what loops leave."""


@dataclass
class Comparison:
    """Compares the terms of two functions; `outcomes.py` has what must be equal.

    rounding: kinds of rounding that were needed.
    asks, asked: whether z3 is asked, and how often.
    sums_fit: whether sums of 32 bits are taken not to wrap (`solver.Question`).
    difference, broken: what stays open; what operations take to hold, and is not known to.
    inside: effects, of each function one, whose operands are compared now.
    """

    rounding: set[str] = field(default_factory=set)
    asked: int = 0
    steps: int = 0
    difference: Difference | Sentence | None = None
    proved: dict[Any, frozenset[str]] = field(default_factory=dict)
    failed: set[Any] = field(default_factory=set)
    rounds: bool = True
    asks: bool = True
    sums_fit: bool = False
    broken: set[Claim] = field(default_factory=set)
    of_terms: dict[Term, frozenset[Any]] = field(default_factory=dict)
    inside: list[tuple[Term, Term]] = field(default_factory=list)

    def covers(self, before: Term, after: Term) -> bool:
        """Whether a read happens before the pass whenever it does after it."""
        kept = self.difference
        try:
            if before.args[1].head == "system" or after.args[1].head == "system":
                return before.args[1].head == after.args[1].head and self.same(before, after, ())
            condition, address = before.args
            wider, other = after.args
            if address.head == other.head == "bytes":
                if other.attr > address.attr:
                    return False
                address, other = address.args[0], other.args[0]
            if arguments_in(address) != arguments_in(other) or not self.same(address, other, (wider,)):
                return False
            if condition.is_const or is_poison(other) or self.never((wider, negation(condition))):
                return True
            return self.same(condition, wider, ())  # conditions of numbers that differ by rounding
        finally:
            self.difference = kept

    # --- terms

    def same(self, a: Term, b: Term, given: Given) -> bool:
        """Whether terms are equal where the conditions hold; if a is undefined, b may be anything."""
        if a is b or a.head == "undefined":
            return True
        given = inside(a, given)
        key = (a, b, given)
        if key in self.proved:
            self.rounding |= self.proved[key]
            return True
        if (key, self.rounds) in self.failed:
            return False
        self.steps += 1
        if self.steps > MOST_STEPS:
            self.note(a, b, given, "too many terms differ")
            return False
        outside, self.rounding = self.rounding, set()
        is_effect = a.head in EFFECTS and a.head == b.head
        if is_effect:
            self.inside.append((a, b))
        found = a.sort == b.sort and self._same(a, b, given)
        if is_effect:
            self.inside.pop()
        if found:
            self.proved[key] = frozenset(self.rounding)
            outside |= self.rounding
        else:
            self.failed.add((key, self.rounds))
        self.rounding = outside
        return found

    def _same(self, a: Term, b: Term, given: Given) -> bool:
        kept = self.difference
        if a.head == b.head == "system":
            return self.systems(a, b, given)
        if a.head == "final" != b.head and (last := last_iteration(a)) is not None:
            return self.same(last, b, given)
        inner = None
        if a.head == b.head and len(a.args) == len(b.args) and a.args and similar(a, b):
            if self.operands(a, b, given):
                self.difference = kept
                self.rounding.update(precisions_between(a, b) or () if a.head == "dot" else ())
                return True
            inner = self.difference
        if a.sort[0] == "i" and (a.head in INTERPRETED or b.head in INTERPRETED):
            self.difference = kept
            return self.numbers(a, b, given)
        for one, other, first in ((a, b, True), (b, a, False)):
            if one.head == "ite":
                condition, yes, no = one.args
                sides = ((yes, (*given, condition)), (no, (*given, negation(condition))))
                pairs = [((side, other) if first else (other, side), known) for side, known in sides]
                if all(self.same(*pair, known) or self.never(known) for pair, known in pairs):
                    self.difference = kept
                    return True
                return False
        if a.sort[0] == "i" and self.numbers(a, b, given):
            self.difference = kept
            return True
        if given and self.never(given):
            self.difference = kept
            return True
        if a.sort[0] != "i" and a.sort != MEMORY and self.rounded(a, b, given):
            self.difference = kept
            return True
        self.difference = inner or kept
        self.note(a, b, given, "it is not known that these are equal")
        return False

    def operands(self, a: Term, b: Term, given: Given) -> bool:
        """Whether all operands are equal, where the operation uses them."""
        if a.head == "store":
            if not (self.memories(a.args[0], b.args[0], given) and self.same(a.args[2], b.args[2], given)):
                return False
            where = (*given, a.args[2])
            return self.same(a.args[1], b.args[1], where) and self.same(a.args[3], b.args[3], where)
        if a.head == "ite":
            condition = a.args[0]
            if not self.same(condition, b.args[0], given):
                return False
            yes = self.same(a.args[1], b.args[1], (*given, condition))
            return yes and self.same(a.args[2], b.args[2], (*given, negation(condition)))
        if is_commutative(a):
            return self.matched(factors(a), factors(b), given)
        if a.head == "dot":  # a product has its factors in either order
            ones, others = ([(1, (arg,)) for arg in term.args[:2]] for term in (a, b))
            return self.same(a.args[2], b.args[2], given) and self.matched(ones, others, given)
        known = () if a.sort == MEMORY or a.head == "closed" else given
        if a.head in ("reduce", "scan"):  # all along an axis: what is known of one element is not of the others
            known = tuple(one for one in given if one.level < 0)
        return all(self.same(one, other, known) for one, other in zip(a.args, b.args))

    def memories(self, a: Term, b: Term, given: Given) -> bool:
        """Whether what has been done is equal: most often that needs no conditions, and is worked out once."""
        known, kept = inside(a, given), self.difference
        if self.same(a, b, ()):
            return True
        if not known or self.steps > MOST_STEPS:
            return False
        self.difference = kept
        return self.same(a, b, known)

    def matched(self, ones: list[Any], others: list[Any], given: Given) -> bool:
        """Whether operands are equal in some order; each is a constant and terms."""
        left = [one for one in ones if one not in others]
        rest = [other for other in others if other not in ones]
        if len(left) != len(rest):
            return False
        for factor, terms in left:
            for other in self.likely(terms, rest):
                pairs = zip(terms, other[1])
                if factor == other[0] and len(terms) == len(other[1]) and all(self.same(*p, given) for p in pairs):
                    rest.remove(other)
                    break
            else:
                return False
        return True

    def likely(self, terms: tuple[Term, ...], rest: list[Any]) -> list[Any]:
        """Operands, those of the same arguments first: for others z3 may be asked in vain."""
        if len(rest) == 1:
            return rest
        wanted = [self.leaves(term) for term in terms]
        return sorted(rest, key=lambda other: [self.leaves(term) for term in other[1]] != wanted)

    def leaves(self, root: Term) -> frozenset[Any]:
        """The arguments and other symbols in a term."""
        known = self.of_terms

        def of_term(term: Term) -> frozenset[Any]:
            """Those of a term whose operands have theirs."""
            own = [] if term.args or term.is_const or term.sort == MEMORY else [(term.head, term.attr)]
            return frozenset(own).union(*(known[arg] for arg in term.args if arg.sort != MEMORY))

        return folded(root, of_term, known)

    def rounded(self, a: Term, b: Term, given: Given) -> bool:
        """Whether floats differ by rounding alone; the kinds are noted."""
        if not self.rounds:
            return False
        self.rounds = False
        kinds = rounding_between(a, b, lambda one, other: self.same(one, other, given))
        self.rounds = True
        if kinds is None and (same_products(self, a, b, given) or sums_parts(self, a, b, given)):
            kinds = (ORDER,)
        self.rounding.update(kinds or ())
        return kinds is not None

    def note(self, a: Term, b: Term, given: Given, reason: str) -> None:
        """Keeps the first difference."""
        if self.difference is None:
            at = (a, b) if a.sort == b.sort == MEMORY else self.inside[-1] if self.inside else (None, None)
            self.difference = Difference(a, b, given, reason, at)

    # --- z3

    def numbers(self, a: Term, b: Term, given: Given) -> bool:
        """Whether integers or booleans are equal where the conditions hold."""
        self.equate(a, b, given)
        if self.never((*given, negation(equal(a, b)))):
            return True
        self.note(a, b, given, "these numbers may differ")
        return False

    def equate(self, a: Term, b: Term, given: Given) -> None:
        """Finds out which parts that z3 does not look into are equal."""
        ones, others = solver.unknowns(a), solver.unknowns(b)
        for other in others:
            if other in ones:
                continue
            for one in ones:
                is_alike = (one.head, one.attr, one.sort) == (other.head, other.attr, other.sort)
                if is_alike and len(one.args) == len(other.args):
                    kept, self.difference = self.difference, None
                    found = self.operands(one, other, ())
                    self.difference = kept
                    if found:
                        self.stands[other] = one
                        break

    stands: dict[Term, Term] = field(default_factory=dict)

    def never(self, conditions: Given, steps: int = solver.STEPS) -> bool:
        """Whether conditions never hold together; within some steps of z3."""
        joined = both(*conditions)
        if joined.is_const:
            return not joined.attr
        if not self.asks or not solver.is_installed():
            return False
        self.asked += 1
        question = solver.Question(lambda term: self.stands.get(term, term), self.sums_fit)
        return question.unsatisfiable(conditions, steps) is True

    # --- loops

    def systems(self, a: Term, b: Term, given: Given) -> bool:
        """Whether loops are equal, one with one, or some one after the other with one."""
        kept = self.difference
        if self.alike(a, b, given):
            return True
        noted, self.difference = self.difference, kept
        if in_parts(self, a, b, given):
            self.difference = kept
            return True
        self.difference = noted
        return False

    def alike(self, a: Term, b: Term, given: Given) -> bool:
        """Whether loops are equal, by induction: what they carry is paired, and each pair begins and goes on equal."""
        (level, kind, roots), (other_level, other_kind, other_roots) = a.attr[:3], b.attr[:3]
        if (level, kind, roots) != (other_level, other_kind, other_roots):
            self.note(a, b, given, "these loops are of different kinds")
            return False
        ones, others = equations(a), equations(b)
        pairs = paired(a, b, level, ones, others)
        renamed = {theirs: symbol_of(a, level, ours) for ours, theirs in pairs.items()}
        counted, each = kind != "while", kind != "for"
        goes_on = less(make("count", (), (level,), a.args[0].sort), a.args[0]) if counted else a.args[0]
        known = (*given, goes_on)

        def again(term: Term) -> Term:
            """A term of the second loop by the names of the first."""
            return replaced(term, level, {n: symbol for n, symbol in renamed.items() if symbol is not None})

        if not self.same(a.args[0], again(b.args[0]), given):
            return False
        firsts = all(self.same(ones[n][0], others[m][0], given) for n, m in pairs.items())
        return (
            firsts
            and all(self.same(ones[n][1], again(others[m][1]), known) for n, m in pairs.items())
            and all(
                self.same(a.args[n], again(b.args[n]), known if each and counted else given) for n in range(1, roots)
            )
        )


def similar(a: Term, b: Term) -> bool:
    """Whether terms of one head differ in their operands alone."""
    if a.attr == b.attr:
        return True
    if a.head == "dot":
        return precisions_between(a, b) is not None
    if a.head == "call" and a.attr[0] == b.attr[0] == "scaled product":
        return a.attr[1] == (*b.attr[1], "fast")  # an exact product may stand for one that may ignore NaN scales
    return a.head == "poly" and sorted(a.attr) == sorted(b.attr)


def is_commutative(term: Term) -> bool:
    """Whether the order of the operands does not matter."""
    if term.head == "call":
        return term.attr[0] in COMMUTATIVE_CALLS
    return term.head in COMMUTATIVE


def factors(term: Term) -> list[tuple[int, tuple[Term, ...]]]:
    """The operands of a commutative operation; of a sum its products."""
    if term.head != "poly":
        return [(1, (arg,)) for arg in term.args]
    found, place = [], 0
    for factor, count in term.attr:
        found.append((factor, term.args[place : place + count]))
        place += count
    return found


def inside(term: Term, given: Given) -> Given:
    """The conditions that mean the same inside of a term: what it binds is not what they are about."""
    if term.sort != MEMORY and term.head not in CLOSED:
        return given
    bound = term.attr[0] if term.head == "system" else None
    return tuple(one for one in given if not one.indexed and bound not in one.loops)


def arguments_in(term: Term) -> frozenset[int]:
    """The numbers of the arguments in an address, outside of what is read from memory."""
    found, stack, seen = set(), [term], set()
    while stack:
        part = stack.pop()
        if part in seen or part.sort == "mem":
            continue
        seen.add(part)
        if part.head == "argument" and part.sort == "i64":
            found.add(part.attr)
        stack.extend(part.args)
    return frozenset(found)
