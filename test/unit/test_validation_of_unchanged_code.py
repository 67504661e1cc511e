"""Passes that change attributes alone: proved at once if no meaning reads them, and never taken for that otherwise."""

from __future__ import annotations

import numpy as np
import pytest

from ttkit.context import Context
from ttkit.validation.functions import OPEN, PROVED, REFUTED
from ttkit.validation.proofs import decoded, verdicts
from ttkit.validation.unchanged import same_code

LOOP = """
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func public @k(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %start = arith.constant 0.0 : f32
    cf.br ^head(%zero, %start : i32, f32)
  ^head(%i: i32, %sum: f32):
    %more = arith.cmpi slt, %i, %n {tt.constancy = 1 : i32} : i32
    cf.cond_br %more, ^body, ^end
  ^body:
    %value = tt.load %x : !tt.ptr<f32>
    %next = arith.addf %sum, %value : f32
    %j = arith.addi %i, %one : i32
    cf.br ^head(%j, %next : i32, f32)
  ^end:
    tt.store %x, %sum : !tt.ptr<f32>
    tt.return
  }
}
"""


def modules(*changes: tuple[str, str]):
    """The loop, and the loop with these changes."""
    context = Context()
    changed = LOOP
    for old, new in changes:
        assert old in changed
        changed = changed.replace(old, new)
    return decoded(LOOP, context), decoded(changed, context)


def test_places_in_memory_and_notes_are_proved_at_once():
    """Nobody asks for the meaning of the loop."""
    before, after = modules(
        ('{"ttg.num-warps"', '{ttg.shared = 64 : i32, my.pass = "was here", "ttg.num-warps"'),
        ("tt.load %x :", "tt.load %x {allocation.offset = 0 : i32, mine.seen} :"),
        ("%n: i32) {", "%n: i32) attributes {ttg.global_scratch_memory_size = 8 : i32} {"),
    )
    constant = next(before.public_function().operations())
    constant.attributes["\0array"] = np.zeros(1)  # which an interpreter has noted there
    assert same_code(before, after)
    (verdict,) = verdicts(before, after, searches=False)
    assert (verdict.outcome, verdict.reason, verdict.trips, verdict.rounding) == (PROVED, "", (), ())


@pytest.mark.parametrize(
    "change",
    [
        ('"ttg.num-warps" = 4', '"ttg.num-warps" = 8'),
        ("tt.divisibility = 16", "tt.divisibility = 32"),
        ("tt.constancy = 1", "tt.divisibility = 2"),
        ("constant 0.0", "constant -0.0"),
        ("constant 0.0", "constant 0x7FC00000"),
        ("slt", "sle"),
        ("%more, ^body, ^end", "%more, ^end, ^body"),
        ("addf %sum, %value", "addf %value, %value"),
        ("addf %sum, %value", "addf %sum, %value fastmath<nnan>"),
        ("tt.load %x :", "tt.load %x {isVolatile = true} :"),
        ("    tt.store %x, %sum : !tt.ptr<f32>\n", ""),
        ("func public @k", "func public @other"),
    ],
)
def test_what_a_meaning_reads_is_compared(change):
    before, after = modules(change)
    assert not same_code(before, after)
    (verdict,) = verdicts(before, after, searches=False)
    assert verdict.outcome == (OPEN if "k" in after.functions else REFUTED)


@pytest.mark.parametrize(
    "change",
    [
        ("tt.constancy = 1", "tt.constancy = 2"),  # a scalar is constant
        (" {tt.constancy = 1 : i32}", ""),
        ("addf %sum, %value", "addf %value, %sum"),
    ],
)
def test_what_changes_no_meaning_is_proved_by_it(change):
    before, after = modules(change)
    assert not same_code(before, after)
    (verdict,) = verdicts(before, after, searches=False)
    assert verdict.outcome == PROVED


def test_operations_whose_attributes_do_not_show_all_are_compared_otherwise():
    text = "tt.func public @k(%n: i32) {{ %sum = llvm.add %n, %n{} : i32\n tt.return }}"
    context = Context()
    before, after = (decoded(text.format(flags), context) for flags in ("", " overflow<nsw>"))
    assert not same_code(before, after)
