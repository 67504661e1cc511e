"""Inputs on which a function does something else after a pass: found by the interpreter, so each one is real.

Where the comparison of terms has stopped, z3 proposes arguments; `candidates.py` has all others.
"""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

import ttkit.validation.solver as solver
from ttkit.interpreter.argument_specs import ArgumentError
from ttkit.interpreter.check.check_passes import (
    Difference,
    compare,
    difference_by_order,
    leaves_open,
    may_change,
    similar,
    tolerance_of,
)
from ttkit.interpreter.check.generated_inputs import Inputs, NoInputs, Outcome, run, try_inputs
from ttkit.interpreter.decode import Function, Module
from ttkit.interpreter.errors import InterpreterFailed, NotInterpretable, TookTooLong
from ttkit.interpreter.ops.view import ORDER
from ttkit.passes.infra import bridge
from ttkit.validation.booleans import negation
from ttkit.validation.candidates import Candidates
from ttkit.validation.comparisons import equal, less
from ttkit.validation.differences import Difference as OfTerms
from ttkit.validation.differences import Sentence
from ttkit.validation.integers import number
from ttkit.validation.lowered.register_order import order_of_cat, order_of_reshape
from ttkit.validation.lowered.shared_memory import WARP
from ttkit.validation.opaque import PARALLEL
from ttkit.validation.promises import Promise, Watch, new_promises, states_facts
from ttkit.validation.terms import Term, parts_within
from ttkit.validation.undefined import is_defined
from ttkit.validation.values import NotModelled

SECONDS = 10.0
"""Time for one function."""
LARGEST_OFFSET = 1 << 29
"""Arguments where sums do not wrap, as those of offsets in block pointers: a few of them may be added up."""
ENDLESS = 500
"""By how much more time a function may take after a pass; lowered code takes up to 50 times as much."""
LARGEST = 300
"""Arguments that z3 is asked for first."""


def counterexample(
    before: Module,
    after: Module,
    name: str,
    pass_name: str = "",
    proposed: Sequence[dict[int, int]] = (),
    fences: bool = False,
    seconds: float = SECONDS,
    broken: Collection[Promise] = (),
) -> Difference:
    """A case in which a function does something else after a pass, in words; empty if none was found.

    Args:
        proposed: sets of integer arguments by position, and programs by -1 - axis, to try first.
        fences: whether a missing fence before what the asynchronous proxy reads is an error.
        seconds: time to search, of this thread: what others do on a machine takes none of it.
        broken: promises that are not known to hold after the pass, besides those that it makes.
    """
    old, new = before.functions[name], after.functions[name]
    if not comparable(before, old, new):
        return Difference()
    end = time.thread_time() + seconds
    tolerance = tolerance_of(old, new) if may_change(pass_name) else 0.0
    promises = set() if new.is_lowered else new_promises(old, new) | set(broken)
    is_watched = promises or (not new.is_lowered and states_facts(new))
    watch = Watch(promises) if is_watched else None
    apart = takes("pointers_apart", pass_name)
    changes_order = bool(new.is_lowered or may_change(pass_name))
    exact = not tolerance and not new.is_lowered
    specials = not tolerance and (not new.is_lowered or rounds_alike(old))
    may_wrap = not takes("sums_to_fit", pass_name) and all(op.name != "tt.make_tensor_ptr" for op in old.operations())
    for one in Candidates(old, new, proposed, specials, exact and not apart):
        if time.thread_time() > end:
            return Difference()
        if not may_wrap and any(abs(value) > LARGEST_OFFSET for value in one.numbers):
            continue
        try:
            texts = list(one.texts)
            inputs, first = try_inputs(before, old, one.seed, texts, one.grid, one.changes)
            groups = has_groups(old)
            if first is None or fences or groups or watch is not None:
                first = run(before, old, inputs, fences=fences, observer=watch, groups=groups)
            if first.error is not None:
                continue
            near = math.inf if one.loose else tolerance
            found = difference(before, after, old, new, inputs, first, near, fences, watch)
            if found and not is_defined(before, old, inputs):
                continue
            may_excuse = found and changes_order and not found.fails
            if may_excuse and difference_by_order(before, old, inputs, first, near):
                continue
            if found and texts:
                found = Difference(f"{found}, {', '.join(texts)}", found.fails)
        except (NoInputs, NotInterpretable, ArgumentError):
            continue
        if found:
            return found
    return Difference()


def comparable(before: Module, old: Function, new: Function) -> bool:
    """Whether a run of each says something: of the same arguments, with no order of elements that is left open."""
    if new.is_lowered:
        return orders_told(before, old)
    return len(old.argument_types) == len(new.argument_types) and reorderings(old) == reorderings(new)


ROUNDED_ONCE = {
    *(f"arith.{name}" for name in "addf subf mulf negf cmpf select extf truncf sitofp uitofp constant bitcast".split()),
    *("tt.fp_to_fp", "tt.load", "tt.store", "tt.splat", "tt.broadcast", "tt.expand_dims", "tt.reshape", "tt.trans"),
    *("tt.bitcast", "tt.return", "ttg.convert_layout", "ttg.local_alloc", "ttg.local_load", "ttg.local_store"),
}
"""Operations on floats of which lowered code gives the same bits, NaN, infinities and zeros included."""


def rounds_alike(function: Function) -> bool:
    """Whether lowered code has the function's floats exactly: no approximation and no other order of sums."""
    return all(
        op.name in ROUNDED_ONCE
        for op in function.operations()
        if any(kind.is_float for kind in (*op.operand_types, *op.result_types))
    )


def takes(what: str, pass_name: str) -> bool:
    """Whether a pass says that it takes pointers to be into different buffers, `pointers_apart`, sums of 32 bits not to
    wrap, `sums_to_fit`, or launches to know of new arguments, `launch_to_follow`."""
    return bool(declared(f"takes_{what}", pass_name))


def declared(name: str, pass_name: str) -> str:
    """The text that a pass declares in an attribute of its class; empty where there is none."""
    return getattr(bridge.pass_class(pass_name), name, "")


def orders_told(module: Module, function: Function) -> bool:
    """Tells operations that may give their elements in any order that of registers, which the lowering leaves as it is.

    Returns:
        whether it is known.
    """
    threads = WARP * int(module.attributes.get("ttg.num-warps", 0))
    for op in filter(leaves_open, function.operations()):
        try:
            order = order_of_cat if op.name == "tt.cat" else order_of_reshape
            op.attributes[ORDER] = order(op, threads)
        except NotModelled:
            return False
    return True


def reorderings(function: Function) -> list[str]:
    """Operations that may give their elements in any order; the interpreter takes one."""
    return sorted(f"{op.name} {op.result_types[0].size}" for op in function.operations() if leaves_open(op))


def difference(
    before: Module,
    after: Module,
    old: Function,
    new: Function,
    inputs: Inputs,
    first: Outcome,
    tolerance: float,
    fences: bool = False,
    watch: Watch | None = None,
) -> Difference:
    """The difference on inputs, with the first program that makes it; empty if there is none.

    Args:
        first: what the function does before the pass.
        fences, watch: what else is an error.
    """
    same_kinds = similar(old.argument_types, new.argument_types)
    made_for = None if same_kinds and not new.is_lowered else old  # lowered pointers do not say what they point to
    second = run(after, new, inputs, made_for=made_for, fences=fences, observer=watch, groups=has_groups(new))
    if isinstance(second.error, TookTooLong) and second.seconds > ENDLESS * first.seconds:
        ends = f"it ends in {first.seconds:.4f} s before the pass, and not in {second.seconds:.0f} s after it"
        return Difference(f"{ends}; inputs: {inputs.describe(old)}")
    if isinstance(second.error, (TookTooLong, InterpreterFailed)):
        return Difference()  # it may be slower
    if not (found := compare(first, renamed(second, old, new), tolerance)):
        return Difference()
    text = f"program (0, 0, 0): {found}" if int(np.prod(inputs.grid)) == 1 else found
    count = int(np.prod(inputs.grid))
    for program in range(count if count > 1 else 0):
        alone = replace(inputs, programs=np.array([program], np.int64))
        ones = run(before, old, alone, fences=fences, observer=watch)
        others = renamed(run(after, new, alone, made_for=made_for, fences=fences, observer=watch), old, new)
        if alone_found := compare(ones, others, tolerance):
            x, y, _ = inputs.grid
            where = program % x, program // x % y, program // (x * y)
            text = f"program {where}: {alone_found}"
            break
    line = "; ".join(line.strip() for line in text.splitlines())
    return Difference(f"{line}; inputs: {inputs.describe(old)}", found.fails)


def has_groups(function: Function) -> bool:
    """Whether groups of warps run at the same time."""
    return not function.is_lowered and any(op.name == PARALLEL for op in function.operations())


def renamed(outcome: Outcome, old: Function, new: Function) -> Outcome:
    """The outcome with buffers by the names that they had: names are in locations, which passes may drop."""
    names = dict(zip(new.argument_names, old.argument_names))
    return replace(outcome, buffers={names.get(name, name): array for name, array in outcome.buffers.items()})


def proposal(difference: OfTerms | Sentence | None) -> dict[int, int]:
    """Integer arguments, by number, and programs, by -1 - axis, for which terms differ that could not be proved equal.

    If terms are not integers, only the conditions count under which they are used.
    """
    if difference is None or difference.before is None:
        return {}
    a, b, given = difference.before, difference.after, difference.given
    if a.sort != b.sort:
        return {}
    conditions = [*given, negation(equal(a, b))] if a.sort[0] == "i" else list(given)
    return arguments_with(conditions, conditions)


def arguments_with(roots: list[Term], conditions: Sequence[Term] = ()) -> dict[int, int]:
    """Integer arguments in some terms, by number, and programs, by -1 - axis, for which conditions and facts hold.

    Small ones if there are such, and none where z3 finds none.
    """
    names = arguments_of(roots)
    if not names or not solver.is_installed():
        return {}
    question = solver.Question()
    small = [[condition for term in names for condition in within(term, low)] for low in (0, -LARGEST)]
    for extra in (*small, []):
        if question.unsatisfiable([*conditions, *extra]) is False and question.model is not None:
            return {
                -1 - term.attr if term.head == "program" else term.attr: question.model.eval(
                    unknown, model_completion=True
                ).as_signed_long()
                for term, unknown in question.unknowns.items()
                if term in names
            }
    return {}


def within(term: Term, low: int) -> tuple[Term, Term]:
    """low <= term < LARGEST; of programs, one of the first two."""
    most = 2 if term.head == "program" else LARGEST
    return less(term, number(most, term.sort)), less(number(low - 1, term.sort), term)


def arguments_of(roots: list[Term]) -> list[Term]:
    """The integer arguments and programs in terms."""
    return [
        term
        for term in parts_within(*roots)
        if term.head in ("argument", "program") and term.sort in ("i32", "i64") and not term.args
    ]
