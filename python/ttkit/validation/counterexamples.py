"""Inputs on which a function does something else after a pass: found by the interpreter, so each one is real.

Where the comparison of terms has stopped, z3 proposes arguments; then come small numbers, which reach short loops and
the ends of masks, and random ones.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

import ttkit.validation.solver as solver
from ttkit.interpreter.argument_specs import ArgumentError
from ttkit.interpreter.check.check_passes import compare, leaves_open, may_change, similar, tolerance_of
from ttkit.interpreter.check.generated_inputs import Inputs, NoInputs, Outcome, run, try_inputs
from ttkit.interpreter.decode import Function, Module
from ttkit.interpreter.errors import NotInterpretable, TookTooLong
from ttkit.validation.booleans import negation
from ttkit.validation.comparison import Difference
from ttkit.validation.comparisons import equal, less
from ttkit.validation.integers import number
from ttkit.validation.terms import Term, parts_within

SECONDS = 10.0
"""Time for one function."""
SEEDS = 3
SMALL = (1, 2, 3, 4, 5, 7, 8, 16, 17, 31, 33, 64, 65, 100, 127, 128, 130, 200, 0, 256, 300)
TRIES = 24
LARGEST = 300
"""Arguments that z3 is asked for first."""


def counterexample(
    before: Module,
    after: Module,
    name: str,
    pass_name: str = "",
    proposed: dict[int, int] | None = None,
    fences: bool = False,
) -> str:
    """A case in which a function does something else after a pass, in words; empty if none was found.

    Args:
        proposed: integer arguments by position, to try first.
        fences: whether a missing fence before what the asynchronous proxy reads is an error.
    """
    old, new = before.functions[name], after.functions[name]
    if reorderings(old) != reorderings(new):
        return ""  # a difference may be one of order
    end = time.monotonic() + SECONDS
    tolerance = tolerance_of(old, new) if may_change(pass_name) else 0.0
    for seed, texts in candidates(old, proposed or {}):
        if time.monotonic() > end:
            return ""
        try:
            inputs, first = try_inputs(before, old, seed, texts, None)
            first = first if first and not fences else run(before, old, inputs, fences=fences)
            if first.error is not None:
                continue
            found = difference(before, after, old, new, inputs, first, tolerance, fences)
            if found and texts:
                found += f", {', '.join(texts)}"
        except (NoInputs, NotInterpretable, ArgumentError):
            continue
        if found:
            return found
    return ""


def reorderings(function: Function) -> list[str]:
    """Operations that may give their elements in any order; the interpreter takes one."""
    return sorted(f"{op.name} {op.result_types[0].size}" for op in function.operations() if leaves_open(op))


def candidates(function: Function, proposed: dict[int, int]) -> Iterator[tuple[int, list[str]]]:
    """Seeds, and arguments as texts."""
    integers = {
        position: max(1, int(attributes.get("tt.divisibility", 1)))
        for position, (kind, attributes) in enumerate(zip(function.argument_types, function.argument_attributes))
        if kind.rank == 0 and kind.pointee is None and kind.element is not None and kind.element.kind == "i"
    }
    names = function.argument_names
    if proposed:
        yield 0, [f"{names[p]}={value}" for p, value in proposed.items() if p in integers]
    for value in SMALL[:4] if integers else ():
        yield 0, [f"{names[position]}={value * divisor}" for position, divisor in integers.items()]
    for empty in integers:  # a loop without iterations in one with some
        yield 0, [f"{names[position]}={0 if position == empty else 2 * step}" for position, step in integers.items()]
    for seed in range(SEEDS):
        yield seed, []
    if not integers:
        return
    choose = random.Random(0)
    for seed in range(TRIES):
        yield seed, [f"{names[position]}={choose.choice(SMALL) * step}" for position, step in integers.items()]


def difference(
    before: Module, after: Module, old: Function, new: Function, inputs: Inputs, first: Outcome, tolerance: float,
    fences: bool = False
) -> str:
    """The difference on inputs, with the first program that makes it; empty if there is none."""
    same_kinds = similar(old.argument_types, new.argument_types)
    made_for = None if same_kinds and not new.is_lowered else old  # lowered pointers do not say what they point to
    second = run(after, new, inputs, made_for=made_for, fences=fences)
    if isinstance(second.error, TookTooLong):
        return ""  # it may be slower
    if not (found := compare(first, renamed(second, old, new), tolerance)):
        return ""
    text = f"program (0, 0, 0): {found}" if int(np.prod(inputs.grid)) == 1 else found
    count = int(np.prod(inputs.grid))
    for program in range(count if count > 1 else 0):
        alone = replace(inputs, programs=np.array([program], np.int64))
        ones = run(before, old, alone, fences=fences)
        others = renamed(run(after, new, alone, made_for=made_for, fences=fences), old, new)
        if alone_found := compare(ones, others, tolerance):
            x, y, _ = inputs.grid
            where = program % x, program // x % y, program // (x * y)
            text = f"program {where}: {alone_found}"
            break
    return f"{'; '.join(line.strip() for line in text.splitlines())}; inputs: {inputs.describe(old)}"


def renamed(outcome: Outcome, old: Function, new: Function) -> Outcome:
    """The outcome with buffers by the names that they had: names are in locations, which passes may drop."""
    names = dict(zip(new.argument_names, old.argument_names))
    return replace(outcome, buffers={names.get(name, name): array for name, array in outcome.buffers.items()})


def proposal(difference: Difference | None) -> dict[int, int]:
    """Integer arguments for which terms that could not be proved equal differ, by the number of the argument."""
    if difference is None or not solver.is_installed():
        return {}
    a, b, given = difference.before, difference.after, difference.given
    if a.sort != b.sort or a.sort[0] != "i":
        return {}
    question = solver.Question()
    conditions = [*given, negation(equal(a, b))]
    names = arguments_of(conditions)
    small = [[condition for term in names for condition in within(term, low)] for low in (0, -LARGEST)]
    for extra in (*small, []):
        if question.unsatisfiable([*conditions, *extra]) is False and question.model is not None:
            return {
                term.attr: question.model.eval(unknown, model_completion=True).as_signed_long()
                for term, unknown in question.unknowns.items()
                if term.head == "argument" and term.sort[0] == "i" and term.sort != "i1" and not term.args
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
