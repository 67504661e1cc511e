"""Proofs of groups of warps that synchronize by mbarriers, and bugs in them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from planted_in_groups import MISTAKES
from planted_in_passes import planted
from summed_rows import END, LOOP, TYPES

import ttkit.validation.functions as functions
from ttkit.context import Context, parse_file
from ttkit.passes.infra.events import PassSubscriber
from ttkit.passes.manager import run_passes
from ttkit.validation import validate
from ttkit.validation.counterexamples import counterexample
from ttkit.validation.functions import PROVED, REFUTED
from ttkit.validation.proofs import decoded

IR = Path(__file__).resolve().parents[1] / "data" / "ir"

HEAD = (
    TYPES
    + """
!slots = !ttg.memdesc<2x64xf32, #shared, #smem, mutable>
!barriers = !ttg.memdesc<2x1xi64, #shared, #smem, mutable>
!barrier = !ttg.memdesc<1xi64, #shared, #smem, mutable>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:90"} {
tt.func public @k(%from: !tt.ptr<f32>, %to: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %zero = arith.constant dense<0.0> : !row
  %wide = arith.constant dense<64> : tensor<64xi32, #blocked>
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #blocked>
  %xs = tt.splat %from : !tt.ptr<f32> -> !rows
  %x = tt.addptr %xs, %i : !rows, tensor<64xi32, #blocked>
  %outs = tt.splat %to : !tt.ptr<f32> -> !rows
  %out = tt.addptr %outs, %i : !rows, tensor<64xi32, #blocked>
"""
)
BARRIERS = """
  %buffer = ttg.local_alloc : () -> !slots
  %full = ttg.local_alloc : () -> !barriers
  %empty = ttg.local_alloc : () -> !barriers
  %full0 = ttg.memdesc_index %full[%c0] : !barriers -> !barrier
  ttng.init_barrier %full0, 1 : !barrier
  %full1 = ttg.memdesc_index %full[%c1] : !barriers -> !barrier
  ttng.init_barrier %full1, 1 : !barrier
  %empty0 = ttg.memdesc_index %empty[%c0] : !barriers -> !barrier
  ttng.init_barrier %empty0, 1 : !barrier
  %empty1 = ttg.memdesc_index %empty[%c1] : !barriers -> !barrier
  ttng.init_barrier %empty1, 1 : !barrier
"""
READER = """
  %sum = ttg.warp_specialize(%buffer, %full, %empty, %x, %n)
  default {
    %all, %s9, %f9 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %s = %c0, %f = %c0)
        -> (!row, i32, i32) : i32 {
      %b = ttg.memdesc_index %full[%s] : !barriers -> !barrier
      ttng.wait_barrier %b, %f : !barrier
      %view = ttg.memdesc_index %buffer[%s] : !slots -> !slot
      %v = ttg.local_load %view : !slot -> !row
      %e = ttg.memdesc_index %empty[%s] : !barriers -> !barrier
      ttng.arrive_barrier %e, 1 : !barrier
      %next = arith.addf %acc, %v : !row
      %s1 = arith.addi %s, %c1 : i32
      %wraps = arith.cmpi eq, %s1, %c2 : i32
      %s2 = arith.select %wraps, %c0, %s1 : i32
      %f1 = arith.xori %f, %c1 : i32
      %f2 = arith.select %wraps, %f1, %f : i32
      scf.yield %next, %s2, %f2 : !row, i32, i32
    }
    ttg.warp_yield %all : !row
  }
"""
WRITER = """
  partition0(%buf: !slots, %fulls: !barriers, %empties: !barriers, %first: !rows, %count: i32) num_warps(4) {
    %d0 = arith.constant 0 : i32
    %d1 = arith.constant 1 : i32
    %d2 = arith.constant 2 : i32
    %step = arith.constant dense<64> : tensor<64xi32, #blocked>
    %p9, %t9, %g9 = scf.for %j = %d0 to %count step %d1 iter_args(%p = %first, %t = %d0, %g = %d1)
        -> (!rows, i32, i32) : i32 {
      %e = ttg.memdesc_index %empties[%t] : !barriers -> !barrier
      ttng.wait_barrier %e, %g : !barrier
      %view = ttg.memdesc_index %buf[%t] : !slots -> !slot
      %w = tt.load %p : !rows
      ttg.local_store %w, %view : !row -> !slot
      %b = ttg.memdesc_index %fulls[%t] : !barriers -> !barrier
      ttng.arrive_barrier %b, 1 : !barrier
      %q = tt.addptr %p, %step : !rows, tensor<64xi32, #blocked>
      %t1 = arith.addi %t, %d1 : i32
      %wraps = arith.cmpi eq, %t1, %d2 : i32
      %t2 = arith.select %wraps, %d0, %t1 : i32
      %g1 = arith.xori %g, %d1 : i32
      %g2 = arith.select %wraps, %g1, %g : i32
      scf.yield %q, %t2, %g2 : !rows, i32, i32
    }
    ttg.warp_return
  } : (!slots, !barriers, !barriers, !rows, i32) -> !row
"""
GROUPS = BARRIERS + READER + WRITER


def verdict(after: str, before: str = LOOP, searches: bool = False):
    """What is proved of two forms of the kernel."""
    context = Context()
    old, new = (decoded(HEAD + body + END, context) for body in (before, after))
    assert not isinstance(old, str), old
    assert not isinstance(new, str), new
    return validate(old, new, "k", searches=searches)


def changed(text: str, old: str, new: str) -> str:
    """A text with one part replaced."""
    assert text.count(old) == 1, (old, text.count(old))
    return text.replace(old, new)


def test_groups_of_warps_are_proved_for_all_trip_counts():
    found = verdict(GROUPS)
    assert (found.outcome, found.trips, found.rounding) == (PROVED, (), ()), str(found)


def test_equal_groups_are_proved_without_following_them_together():
    renamed = changed(GROUPS, "%next = arith.addf %acc, %v", "%next = arith.addf %v, %acc")
    assert verdict(renamed, GROUPS).outcome == PROVED


WAIT_FULL = "      ttng.wait_barrier %b, %f : !barrier\n"
WAIT_EMPTY = "      ttng.wait_barrier %e, %g : !barrier\n"
READ = "      %v = ttg.local_load %view : !slot -> !row\n"
WRITE = "      ttg.local_store %w, %view : !row -> !slot\n"
FREE = "      ttng.arrive_barrier %e, 1 : !barrier\n"
FILLED = "      ttng.arrive_barrier %b, 1 : !barrier\n"
OTHER = "      %o = arith.subi %d1, %t : i32\n"
EMPTY_AT = "      %e = ttg.memdesc_index %empty[%s] : !barriers -> !barrier\n"
EMPTIES_AT = "      %e = ttg.memdesc_index %empties[%t] : !barriers -> !barrier\n"
LATER = "      %later = tt.addptr %p, %step : !rows, tensor<64xi32, #blocked>\n      %w = tt.load %later : !rows\n"
OTHER_EFFECT = "      ttg.local_store %zero, %view : !row -> !slot\n"
BUGS = {
    "dropped wait of the reader": [(WAIT_FULL, "")],
    "dropped wait of the writer": [(WAIT_EMPTY, "")],
    "dropped arrival of the reader": [(FREE, "")],
    "dropped arrival of the writer": [(FILLED, "")],
    "wrong phase of the reader at first": [("%f = %c0)", "%f = %c1)")],
    "wrong phase of the writer at first": [("%g = %d1)", "%g = %d0)")],
    "phase that does not change (reader)": [("arith.select %wraps, %f1, %f", "arith.select %wraps, %f, %f")],
    "phase that does not change (writer)": [("arith.select %wraps, %g1, %g", "arith.select %wraps, %g, %g")],
    "phase that changes each time": [("arith.select %wraps, %f1, %f", "arith.select %wraps, %f1, %f1")],
    "wrong slot of the reader at first": [("%s = %c0,", "%s = %c1,")],
    "wrong slot of the writer at first": [("%t = %d0,", "%t = %d1,")],
    "slot that does not change (reader)": [("%s2, %f2 : !row", "%s, %f2 : !row")],
    "another slot is written": [("%buf[%t]", "%buf[%o]"), (WAIT_EMPTY, WAIT_EMPTY + OTHER)],
    "arrival for another slot": [("%fulls[%t]", "%fulls[%o]"), (WAIT_EMPTY, WAIT_EMPTY + OTHER)],
    "wait for another slot": [(EMPTIES_AT, OTHER + EMPTIES_AT.replace("%t", "%o"))],
    "read before its wait": [(READ, ""), (WAIT_FULL, ""), (EMPTY_AT, READ + WAIT_FULL + EMPTY_AT)],
    "arrival before the read": [(FREE, ""), (EMPTY_AT, ""), (READ, EMPTY_AT + FREE + READ)],
    "arrival before the write": [(WRITE, ""), (FILLED, FILLED + WRITE)],
    "write before its wait": [(WAIT_EMPTY, ""), (WRITE, WRITE + WAIT_EMPTY)],
    "two arrivals": [(FREE, FREE + FREE)],
    "two arrivals are needed": [("ttng.init_barrier %full1, 1", "ttng.init_barrier %full1, 2")],
    "barrier that is not initialized": [("  ttng.init_barrier %empty1, 1 : !barrier\n", "")],
    "one barrier for both": [("(%buffer, %full, %empty, %x", "(%buffer, %empty, %full, %x")],
    "the reader does one iteration less": [("scf.for %k = %c0 to %n", "scf.for %k = %c1 to %n")],
    "the writer does one iteration less": [("scf.for %j = %d0 to", "scf.for %j = %d1 to")],
    "the writer reads a row further": [("      %w = tt.load %p : !rows\n", LATER)],
    "an effect in the other group": [(WRITE, ""), (READ, READ + OTHER_EFFECT)],
}  # fmt: skip
"""Changes of the groups by which they are wrong."""


@pytest.mark.parametrize("bug", BUGS)
def test_a_bug_in_groups_of_warps_is_not_proved(bug):
    text = GROUPS
    for old, new in BUGS[bug]:
        text = changed(text, old, new)
    found = verdict(text)
    assert found.outcome != PROVED, str(found)
    assert verdict(text, GROUPS).outcome != PROVED


def test_a_lost_wait_is_refuted_by_a_run():
    assert verdict(changed(GROUPS, WAIT_FULL, ""), searches=True).outcome == REFUTED


def test_one_slot_for_two_is_not_proved():
    text = GROUPS.replace("%buffer[%s]", "%buffer[%c0]").replace("%buf[%t]", "%buf[%d0]")
    assert verdict(text).outcome != PROVED


def test_a_late_mistake_is_not_proved_for_all_trip_counts():
    late = "      %c30 = arith.constant 30 : i32\n      %late = arith.cmpi eq, %j, %c30 : i32\n"
    chosen = late + "      %u = arith.select %late, %w0, %w : !row\n"
    text = changed(GROUPS, WRITE, chosen + WRITE.replace("%w,", "%u,"))
    number = "    %d2 = arith.constant 2 : i32\n"
    text = changed(text, number, number + "    %w0 = arith.constant dense<1.0> : !row\n")
    found = verdict(text)
    assert found.outcome != PROVED or found.trips, str(found)


class Division(PassSubscriber):
    """Keeps the IR around the pass that makes groups of warps."""

    finds_changes = True

    def __init__(self) -> None:
        self.sides: list[str] = []

    def before(self, event) -> None:
        """The IR that it is given."""
        if event.pass_name == "tritongpu-automatic-warp-specialization":
            self.sides.append(event.text(locations=True, generic=True))

    def after(self, event) -> None:
        """What it makes of it."""
        if event.pass_name == "tritongpu-automatic-warp-specialization":
            self.sides.append(event.text(locations=True, generic=True))


def test_bugs_planted_in_a_product_of_groups_are_not_proved_unless_they_change_nothing(monkeypatch):
    monkeypatch.setattr(functions, "MORE_SECONDS", 0.0)  # a proof up to a bound is enough here
    division = Division()
    with Context() as context:
        module = parse_file(str(IR / "specialized_matmul.100.ttir"), context)
        run_passes(module, "ttkit-ttir{capability=100},ttkit-ttgir{capability=100}", subscribers=[division])
    context = Context()
    context.allow_unregistered_dialects = True
    old = decoded(division.sides[0], context)
    name = next(name for name, function in old.functions.items() if function.body is not None)
    found: Counter = Counter()
    for kind, op, text in planted(division.sides[1], context, 1, 1, MISTAKES):
        new = decoded(text, context)
        outcome = validate(old, new, name, searches=False).outcome
        found[outcome] += 1
        if outcome == PROVED:
            assert not counterexample(old, new, name, seconds=2.0), (kind, op)
    assert found[PROVED] <= 8
    assert found.total() - found[PROVED] >= 18
