"""Whether a function may stand for another one: what it returns and leaves, what it reads and takes to hold."""

from __future__ import annotations

from typing import Any

from ttkit.validation.booleans import negation, truth
from ttkit.validation.claims import claim_in, held_in, reason_of
from ttkit.validation.comparison import Comparison
from ttkit.validation.differences import Difference, Sentence, locate
from ttkit.validation.facts import is_kept, text_of
from ttkit.validation.iterations import is_done_before
from ttkit.validation.terms import session
from ttkit.validation.walk import Outcome


def may_replace(comparison: Comparison, before: Outcome, after: Outcome) -> bool:
    """Whether the second function may stand for the first; where not, the comparison has the difference."""
    sentence = (
        new_orders(before, after) or new_promises(before, after) or results_that_differ(comparison, before, after)
    )
    sentence = sentence or new_accesses(comparison, before, after)
    if isinstance(sentence, Sentence):
        comparison.difference = sentence
    if isinstance(comparison.difference, Difference):
        locate(comparison.difference, before.effects, after.effects, (before.last, after.last))
    return sentence is None


def new_orders(before: Outcome, after: Outcome) -> Sentence | None:
    """An order of elements or groups that the second function alone leaves to chance."""
    if before.reorderings < after.reorderings:
        reason = "operations that may reorder elements are repeated, and each may have another order"
        return Sentence(after.reorders, reason)
    if before.order and after.order and after.order.early_end and not before.order.early_end:
        return Sentence(after.order.early_end, "a barrier ends before work in the background has arrived at it")
    for pair, error in after.order.apart.items() if after.order else ():
        if before.order is None or pair not in before.order.apart:
            return Sentence(error.op, error.reason)
    return None


def new_promises(before: Outcome, after: Outcome) -> Sentence | None:
    """A promise or a fact that the second function states, and that is not known to hold."""
    for key, op in after.promises.items():
        if not is_kept(key, before):
            return Sentence(op, f"promises {text_of(key)}, which is not known to hold")
    return None


def results_that_differ(comparison: Comparison, before: Outcome, after: Outcome) -> Any:
    """The first difference of results or memory; None without one."""
    if len(before.results) != len(after.results):
        return Sentence(after.last, "the functions return different numbers of values")
    pairs = [*zip(before.results, after.results), (before.memory, after.memory)]
    return None if all(comparison.same(*pair, ()) for pair in pairs) else comparison.difference or True


def new_accesses(comparison: Comparison, before: Outcome, after: Outcome) -> Any:
    """A read, or something taken to hold, that the second function alone has; None without one."""
    for access, op in after.reads.items():
        if access in before.reads or (session().many and is_done_before(comparison, access, before.reads)):
            continue
        if any(comparison.covers(one, access) for one in before.reads):
            continue
        claim, given = claim_in(access)
        if claim is None:
            return Sentence(op, f"a read that was not there before: {access}")
        if not comparison.never((*given, negation(claim.args[0]), *held_in(before.reads))):
            comparison.broken.add(claim.attr)
            found = Sentence(op, f"{reason_of(claim)}: {claim.args[0]}")
            found.before, found.after, found.given = truth(True), claim.args[0], given
            return found
    return None
