"""Each mistake in a small kernel is refuted by a case that the interpreter has run; `small_mistakes.py` has them."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from small_mistakes import FAMILIES, planted, side
from sweeps import every

from ttkit.context import Context
from ttkit.interpreter.check.generated_inputs import try_inputs
from ttkit.validation import validate
from ttkit.validation.candidates import Candidates, limits
from ttkit.validation.functions import OPEN, PROVED, REFUTED
from ttkit.validation.proofs import decoded

CASES = list(planted())


def verdict(before: str, after: str, pass_name: str = "", searches: bool = True):
    """The verdict on two modules."""
    context = Context()
    return validate(decoded(before, context), decoded(after, context), "k", pass_name, searches)


def test_there_are_mistakes_of_many_kinds():
    assert len({case.name for case in CASES}) == len(CASES) >= 120
    assert {case.family for case in CASES} == set(FAMILIES)


@pytest.mark.parametrize("case", every(3, CASES), ids=lambda case: case.name)
def test_mistakes_are_refuted(case):
    found = verdict(case.before, case.after)
    assert found.outcome == REFUTED, str(found)


@pytest.mark.parametrize("case", every(9, CASES), ids=lambda case: case.name)
def test_a_kernel_is_not_refuted_by_itself(case):
    assert verdict(case.before, case.before).outcome == PROVED


SUM = "%d = arith.addi %a, %b {} : tensor<64xi32>\n%c = arith.muli %d, %seven : tensor<64xi32>"


def test_promises_may_be_dropped_and_kept():
    plain, promised = (side("elements", "i32", SUM.format(flags)) for flags in ("", "overflow<nsw>"))
    assert verdict(promised, plain).outcome == PROVED
    assert verdict(promised, promised.replace("%a, %b", "%b, %a"), searches=False).outcome == OPEN
    found = verdict(plain, promised)
    assert found.outcome == REFUTED
    assert "promises nsw, and does not keep it: operands" in found.reason


def test_promises_that_hold_may_be_made():
    body = "%d = arith.addi %i, %ones {} : tensor<64xi32>\n%c = arith.muli %d, %a : tensor<64xi32>"
    plain, promised = (side("elements", "i32", body.format(flags)) for flags in ("", "overflow<nsw, nuw>"))
    assert verdict(plain, promised).outcome == PROVED


def test_zero_is_added_to_minus_zero():
    body = "%c = arith.addf %a, [[%zero||%zero]] : tensor<64xf32>".replace("[[%zero||%zero]]", "{}")
    kept = side("elements", "f32", body.format("%zero"))
    assert (
        verdict(kept, kept.replace("%c = arith.addf %a, %zero : tensor<64xf32>", "").replace("%c :", "%a :")).outcome
        == REFUTED
    )


def first_with(candidates: Candidates, name: str):
    """The first candidate that changes a field of the inputs."""
    return next(one for one in candidates if name in (one.changes or {}))


def function_of(family: str, body: str):
    """A module and its kernel."""
    module = decoded(side(family, "f32", body), Context())
    return module, module.functions["k"]


def test_special_numbers_are_in_buffers():
    module, function = function_of("elements", "%c = arith.addf %a, %b : tensor<64xf32>")
    one = first_with(Candidates(function, function), "specials")
    inputs, _ = try_inputs(module, function, 0, [], None, one.changes)
    array = inputs.contents(0, np.dtype(np.float32), 4096).view(np.float32)
    assert np.isnan(array).any()
    assert np.isinf(array).any()
    assert (np.signbit(array) & (array == 0)).any()
    assert (array[:16] == inputs.contents(0, np.dtype(np.float32), 64).view(np.float32))[~np.isnan(array[:16])].all()
    assert "buffers with nan" in inputs.describe(function)


def test_pointers_into_one_buffer():
    module, function = function_of(
        "memory", "%v = tt.load %xp : tensor<64x!tt.ptr<f32>>\ntt.store %yp, %v : tensor<64x!tt.ptr<f32>>"
    )
    inputs, _ = try_inputs(module, function, 0, [], (1, 1, 1), limits(aliases={1: (0, 4)}))
    assert inputs.sizes[0] == 65 * 4
    assert "arg1 = arg0 + 4 bytes" in inputs.describe(function)


def test_numbers_that_only_one_side_has_come_first():
    _, old = function_of("memory", "%k = arith.constant 5000 : i32")
    _, new = function_of("memory", "%k = arith.constant 5002 : i32")
    assert set(Candidates(old, new).whole[:7]) == {5002, 5001, 5003, -5002, 5000, 4999, -5000}


def test_booleans_are_both_and_numbers_negative():
    text = "tt.func public @k(%n: i32 {tt.divisibility = 1 : i32}, %flag: i1) { tt.return }"
    function = decoded(text, Context()).functions["k"]
    names = function.argument_names
    first = [dict(one.split("=") for one in found.texts) for found in islice(Candidates(function, function), 16)]
    assert {one[names[1]] for one in first} == {"0", "1"}
    assert "-1" in {one.get(names[0]) for one in first}


def test_not_a_number_is_among_numbers_that_are_rounded():
    _, function = function_of("elements", "%c = arith.addf %a, %b : tensor<64xf32>")
    families = [(one.changes or {}).get("specials", {}) for one in Candidates(function, function, has_specials=False)]
    assert any(np.isnan(of.get("f", (0.0,))).any() for of in families)


def test_pointers_are_apart_for_passes_that_say_so(monkeypatch):
    [case] = [case for case in CASES if case.kind == "two stores change places"]
    assert verdict(case.before, case.after).outcome == REFUTED
    monkeypatch.setattr("ttkit.validation.counterexamples.takes", lambda what, name: what == "pointers_apart")
    assert verdict(case.before, case.after).outcome == OPEN
