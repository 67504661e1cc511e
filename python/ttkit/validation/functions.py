"""The verdict on a function before and after a pass: by induction over loops, or for all trip counts up to a bound."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import lcm

import ttkit.validation.left_early as left_early
import ttkit.validation.renumbered as renumbered
from ttkit import garbage_collection
from ttkit.analysis.program_order import ProgramOrder
from ttkit.interpreter.decode import Function, Instruction, Module
from ttkit.validation.budgets import Budget
from ttkit.validation.comparison import Comparison
from ttkit.validation.counterexamples import SECONDS as SEARCH_SECONDS
from ttkit.validation.counterexamples import arguments_with, counterexample, declared, proposal, takes
from ttkit.validation.differences import Difference, Sentence
from ttkit.validation.interfaces import changed_interface
from ttkit.validation.iterations import Many, order
from ttkit.validation.kept_attributes import changed_attribute, say_waits
from ttkit.validation.lowered.proof import lowering_difference
from ttkit.validation.opaque import PARALLEL
from ttkit.validation.outcomes import may_replace
from ttkit.validation.placements import overlap
from ttkit.validation.promises import Promise
from ttkit.validation.proxies import lost_fence, unfenced_read
from ttkit.validation.registry import EXACT_IF_UNROLLED
from ttkit.validation.terms import Session
from ttkit.validation.trip_counts import Bounds, assume, loops_of
from ttkit.validation.unchanged import same_code
from ttkit.validation.values import NotModelled
from ttkit.validation.walk import Limits, Outcome, Walk

PROVED, REFUTED, OPEN = "proved", "refuted", "open"
TRIPS = (7, 4, 3)
"""Trip counts from 0 on that are tried: of one loop, of each of two, of three."""
UNROLLED = 40
"""Iterations that are followed one by one, where their number is known."""
WAYS = ((0, 0), (-1, 0), (0, 2), (-1, 2), (1, 0))
"""Ways to follow pipelined loops, in the order in which they are tried: the iterations by which what a loop carries is
late, and the iterations that are followed one by one at its end besides those of its slots."""
MORE_SECONDS = 40.0
"""How long a proof for all trip counts is looked for, where there is one up to a bound."""
LARGEST_STEP = 1 << 16
"""The largest step of a loop that is followed for many iterations at once."""
SECONDS = 60.0
MORE_TRIPS = 4
"""Trip counts from the one without a proof on for which a counterexample is looked for first."""
SECONDS_OF_MORE = 4.0
"""How long more iterations than those of a proof are tried."""


@dataclass(frozen=True)
class Verdict:
    """Whether a function does the same before and after a pass.

    outcome: "proved", "refuted" or "open".
    reason: what is missing, and at which operation; of a refutation, the counterexample.
    rounding: kinds of rounding by which floats may differ; equal to the bit without.
    trips: trip counts up to which it is proved, one for each loop; for all without.
    programs: of the grids for which it is proved; for all without.
    apart: whether the proof takes arguments to point to different tensors.
    proposed: integer arguments, by number, for which terms differ that were not proved equal.
    seconds: that it took.
    fails: whether the function fails in the counterexample, and not before the pass.
    """

    function: str
    outcome: str
    reason: str = ""
    rounding: tuple[str, ...] = ()
    trips: tuple[int, ...] = ()
    programs: int = 0
    apart: bool = False
    proposed: dict[int, int] = field(default_factory=dict)
    seconds: float = 0.0
    fails: bool = False

    def __str__(self) -> str:
        said = self.outcome
        if self.trips:
            said += f" for up to {' and '.join(map(str, self.trips))} iterations"
        if self.programs:
            said += f" for grids of up to {self.programs} programs"
        if self.apart:
            said += ", if arguments point to different tensors"
        if self.rounding:
            said += f", up to rounding ({', '.join(self.rounding)})"
        return f"{said}: {self.reason}" if self.reason else said


@dataclass
class Pair:
    """A function before and after a pass.

    failed: loops, by number, with trip counts for which there was no proof.
    sums_fit: whether the pass takes sums of 32 bits not to wrap.
    apart: whether arguments are taken to point to different tensors.
    broken: what operations take to hold after the pass, and is not known to.
    """

    before: Module
    after: Module
    name: str
    time: Budget = field(default_factory=lambda: Budget(SECONDS))
    failed: list[tuple[tuple[int, ...], tuple[int, ...]]] = field(default_factory=list)
    sums_fit: bool = False
    apart: bool = False
    broken: set[Promise] = field(default_factory=set)

    @property
    def functions(self) -> tuple[Function, Function]:
        """Both of them."""
        return self.before.functions[self.name], self.after.functions[self.name]

    def outcomes(self, limits: Limits) -> tuple[Outcome, Outcome]:
        """The terms of both; the shift of loops is that of the second one.

        Raises:
            NotModelled: something has no meaning here.
        """
        old, new = self.functions
        limits = replace(limits, apart=self.apart)
        walks = Walk(self.before, replace(limits, shift=0)), Walk(self.after, limits)
        for walk in walks:
            walk.notes_claims = True
        return walks[0].function(old), walks[1].function(new)

    def compared(self, limits: Limits) -> Verdict:
        """The verdict in the current session."""
        try:
            return self.verdict_on(*self.outcomes(limits))
        except (NotModelled, RecursionError) as error:
            return self.unproved(error)

    def verdict_on(self, before: Outcome, after: Outcome) -> Verdict:
        """The verdict on the terms of both, in their session.

        Raises:
            RecursionError: the terms are too deep.
        """
        comparison = Comparison(sums_fit=self.sums_fit)
        if may_replace(comparison, before, after):
            return Verdict(self.name, PROVED, rounding=tuple(sorted(comparison.rounding)))
        found = comparison.difference
        self.broken |= comparison.broken
        return Verdict(self.name, OPEN, described(found), proposed=proposal(found))

    def unproved(self, error: NotModelled | RecursionError) -> Verdict:
        """The verdict where no terms are found, or where they are too deep."""
        return Verdict(self.name, OPEN, str(error) if isinstance(error, NotModelled) else "its terms are too deep")

    def loops(self) -> list[Bounds]:
        """The bounds of loops before the pass, each once."""
        return loops_of(self.before, self.functions[0])


def described(difference: Difference | Sentence | None) -> str:
    """Why it is open."""
    return str(difference) if difference is not None else "it is not known that memory is the same"


def validate(before: Module, after: Module, name: str, pass_name: str = "", searches: bool = True) -> Verdict:
    """The verdict on a function of two modules.

    Args:
        pass_name: the pass between them, which may declare that it changes rounding.
        searches: whether to look for a counterexample where there is no proof.
    """
    begun = time.monotonic()
    for module in (before, after):
        say_waits(module)
    pair = Pair(before, after, name, sums_fit=takes("sums_to_fit", pass_name))
    follows = takes("launch_to_follow", pass_name)
    changed, is_wrong = changed_interface(before, after, name, follows)
    if changed:
        fails = is_wrong and not follows
        return Verdict(name, REFUTED if fails else OPEN, changed)
    with garbage_collection.paused():
        renumbers = declared("renumbers_programs", pass_name) or ProgramOrder.of(before) != ProgramOrder.of(after)
        renumbers = renumbers and not pair.functions[1].is_lowered
        verdict = of_other_programs(pair) if renumbers else proof(pair)
        if verdict.outcome != PROVED and not renumbers and takes("pointers_apart", pass_name):
            with_tensors = proof(replace(pair, apart=True))
            verdict = replace(with_tensors, apart=True) if with_tensors.outcome == PROVED else verdict
    if (verdict.outcome != PROVED or verdict.trips or verdict.programs) and searches:
        seconds = SECONDS_OF_MORE if verdict.outcome == PROVED else SEARCH_SECONDS
        proposed = [one for one in (verdict.proposed, *arguments_that_failed(pair)) if one]
        found = counterexample(before, after, name, pass_name, proposed, bool(unfenced(pair)), seconds, pair.broken)
        if found:
            verdict = Verdict(name, REFUTED, str(found), fails=found.fails)
    return replace(verdict, seconds=time.monotonic() - begun)


def proof(pair: Pair) -> Verdict:
    """The verdict of a search for a proof alone: "proved" or "open"."""
    after, name = pair.after, pair.name
    wrong = [overlap(side, of) for side, of in zip((pair.before, after), pair.functions)]
    if wrong[1] and not wrong[0]:
        return Verdict(name, OPEN, wrong[1])
    if same_code(pair.before, after):
        return Verdict(name, PROVED)
    if lost := unfenced(pair) or changed_attribute(pair.before, after, name):
        return Verdict(name, OPEN, lost)
    if pair.functions[1].is_lowered:
        reason, rounding = lowering_difference(pair.before, after, name)
        return Verdict(name, OPEN if reason else PROVED, reason, rounding)
    branch = left_early.leaving(*pair.functions)
    if branch is not None and (verdict := of_early_leave(pair, branch)).outcome == PROVED:
        return verdict
    with Session():
        verdict = pair.compared(Limits())
    if verdict.outcome != PROVED:
        bounded = up_to_a_bound(pair)
        if bounded is not None:
            verdict = replace(bounded, proposed=bounded.proposed or verdict.proposed)
    return verdict


def of_other_programs(pair: Pair) -> Verdict:
    """The verdict where CTAs have other programs than before, or several of them."""
    if lost := unfenced(pair) or changed_attribute(pair.before, pair.after, pair.name):
        return Verdict(pair.name, OPEN, lost)
    with Session():
        try:
            before, after, *places = renumbered.outcomes(pair.before, pair.after, pair.name)
            verdict = pair.verdict_on(before, after)
            mistake = renumbered.wrong_place(*places) if verdict.outcome == PROVED else None
        except (NotModelled, RecursionError) as error:
            return pair.unproved(error)
    if mistake is None:
        return replace(verdict, programs=renumbered.MOST_PROGRAMS if verdict.outcome == PROVED else 0)
    asked = {-1 - axis: size - 1 for axis, size in enumerate(mistake.grid)}
    return Verdict(pair.name, OPEN, str(mistake), proposed=asked)


def of_early_leave(pair: Pair, branch: Instruction) -> Verdict:
    """The verdict where all that a function does is under a condition after the pass."""
    sides = pair.before, pair.after, pair.name, branch
    try:
        with Session():
            verdict = pair.verdict_on(*left_early.outcomes(*sides))
        if verdict.outcome != PROVED or left_early.does_nothing(*sides):
            return verdict
    except (NotModelled, RecursionError) as error:
        return pair.unproved(error)
    return Verdict(pair.name, OPEN, "it is not known that the function does nothing where it leaves early")


def unfenced(pair: Pair) -> str:
    """The reads of the asynchronous proxy with no fence, in words: new ones of a pass, and all of what is lowered."""
    before, after = pair.functions
    return unfenced_read(before) if after.is_lowered else lost_fence(before, after)


# --- trip counts


def up_to_a_bound(pair: Pair) -> Verdict | None:
    """A proof for some trip counts of the loops, those of each by itself first; None without one."""
    with Session():
        count = len(pair.loops())
    found = None
    exact = any(op.name in EXACT_IF_UNROLLED for function in pair.functions for op in function.operations())
    for chosen in [*([()] if exact else []), *choices(count)]:
        most = TRIPS[len(chosen) - 1] if chosen else 1
        found = _for_trips(pair, chosen, most)
        if found.outcome == PROVED and len(chosen) == 1:
            all_of = for_more(pair, chosen[0], most)
            if all_of.outcome == PROVED:
                return replace(all_of, rounding=tuple(sorted({*found.rounding, *all_of.rounding})))
        if found.outcome == PROVED:
            return replace(found, trips=(most - 1,) * len(chosen))
    return found


def choices(count: int) -> Iterator[tuple[int, ...]]:
    """Sets of loops whose trip counts are tried together: the last by itself, and all."""
    for one in reversed(range(count)):
        yield (one,)
    if 1 < count <= len(TRIPS):
        yield tuple(range(count))


def _for_trips(pair: Pair, chosen: Sequence[int], most: int, least: int = 0) -> Verdict:
    rounding: set[str] = set()
    for trips in itertools.product(range(least, most), repeat=len(chosen)):
        if pair.time.is_over:
            return Verdict(pair.name, OPEN, f"no proof within {SECONDS:g} s")
        with Session():
            bounds = pair.loops()
            for place, count in zip(chosen, trips):
                assume(bounds[place], count)
            order()
            verdict = pair.compared(Limits(UNROLLED))
        if verdict.outcome != PROVED and not chosen:
            return verdict
        if verdict.outcome != PROVED:
            pair.failed.append((tuple(chosen), trips))
            said = " and ".join(map(str, trips))
            return replace(verdict, reason=f"with {said} iterations: {verdict.reason}")
        rounding.update(verdict.rounding)
    return Verdict(pair.name, PROVED, rounding=tuple(sorted(rounding)))


def arguments_that_failed(pair: Pair) -> Iterator[dict[int, int]]:
    """Integer arguments that give loops the trip counts for which there was no proof, and some more."""
    for chosen, trips in pair.failed[-1:]:
        for more in range(MORE_TRIPS if len(chosen) == 1 else 1):
            with Session():
                bounds = [pair.loops()[place] for place in chosen]
                for one, count in zip(bounds, trips):
                    assume(one, count + more)
                yield arguments_with([term for one in bounds for term in one])


def for_more(pair: Pair, chosen: int, followed: int) -> Verdict:
    """A proof for all trip counts from `followed` on: for some one by one, and for more by induction (`steady.py`)."""
    pair = replace(pair, time=pair.time.part(MORE_SECONDS))
    head, tail = rounds(pair) * slots(pair) + 1, max(2, slots(pair))
    for shift, later in WAYS:
        first, last = head + max(0, -shift), tail + later
        many = _for_many(pair, chosen, (first, last), shift)
        if many.outcome == PROVED:
            break
    else:
        return many
    found = _for_trips(pair, (chosen,), first + 2 * last, followed)
    return replace(found, rounding=tuple(sorted({*many.rounding, *found.rounding})))


def _for_many(pair: Pair, chosen: int, ends: tuple[int, int], shift: int) -> Verdict:
    """A proof for all trip counts from first + 2 * last on, with `ends` = (first, last): iterations one by one."""
    rounding: set[str] = set()
    period, rest = 1, 0
    while rest < period:
        if pair.time.is_over:
            return Verdict(pair.name, OPEN, f"no proof within {MORE_SECONDS:g} s")
        with Session() as session:
            lower, upper, step = pair.loops()[chosen]
            if not step.is_const or step.attr > LARGEST_STEP:
                return Verdict(pair.name, OPEN, "a loop whose step is not known")
            many = session.many = Many(lower, upper, step, *ends, rest)
            many.assume()
            verdict = pair.compared(Limits(UNROLLED, shift))
            period = lcm(period, many.period)
        if verdict.outcome != PROVED:
            return replace(verdict, reason=f"with {many.least} iterations or more: {verdict.reason}")
        rounding.update(verdict.rounding)
        rest += 1
    return Verdict(pair.name, PROVED, rounding=tuple(sorted(rounding)))


def slots(pair: Pair) -> int:
    """The most slots that a buffer has."""
    return max(
        (
            kind.shape[0]
            for function in pair.functions
            for op in function.operations()
            if op.name == "ttg.memdesc_index"
            for kind in op.operand_types[:1]
        ),
        default=1,
    )


def rounds(pair: Pair) -> int:
    """Uses of each slot at a loop's beginning before its iterations are alike."""
    in_groups = any(op.name == PARALLEL for function in pair.functions for op in function.operations())
    return 2 if in_groups else 1
