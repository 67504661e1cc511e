"""Proofs of pipelined loops for all trip counts, and mistakes in them that a few iterations do not show."""

from __future__ import annotations

import pytest
from summed_rows import END, LOOP, TYPES

from ttkit.context import Context
from ttkit.validation import validate
from ttkit.validation.functions import PROVED
from ttkit.validation.proofs import decoded

HEAD = (
    TYPES
    + """
!slots = !ttg.memdesc<SLOTSx64xf32, #shared, #smem, mutable>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:80"} {
tt.func public @k(%x: !rows, %out: !rows, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c30 = arith.constant 30 : i32
  %slots = arith.constant SLOTS : i32
  %minus = arith.constant -1 : i32
  %zero = arith.constant dense<0.0> : !row
  %one = arith.constant dense<1.0> : !row
  %wide = arith.constant dense<64> : tensor<64xi32, #blocked>
"""
)
IN_REGISTERS = """
  %runs = arith.cmpi slt, %c0, %n : i32
  %mask = tt.splat %runs : i1 -> tensor<64xi1, #blocked>
  %v0 = tt.load %x, %mask, %zero : !rows
  %sum, %at, %last = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %x, %v = %v0)
      -> (!row, !rows, !row) : i32 {
    %q = tt.addptr %p, %wide : !rows, tensor<64xi32, #blocked>
    %j = arith.addi %i, %c1 : i32
    %again = arith.cmpi slt, %j, %n : i32
    %some = tt.splat %again : i1 -> tensor<64xi1, #blocked>
    %w = tt.load %q, %some, %zero : !rows
    %next = arith.addf %acc, %v : !row
    scf.yield %next, %q, %w : !row, !rows, !row
  }
"""
FIRST = """
  %runsN = arith.cmpi slt, %cN, %n : i32
  %maskN = tt.splat %runsN : i1 -> tensor<64xi1, #blocked>
  %sN = ttg.memdesc_index %b[%cN] : !slots -> !slot
  %tN = ttg.async_copy_global_to_local %FROM, %sN mask %maskN other %zero : !rows -> !slot
  %gN = ttg.async_commit_group tokens %tN
"""
IN_SLOTS = (
    "%b = ttg.local_alloc : () -> !slots"
    + FIRST.replace("N = ", "0 = ").replace("N", "0").replace("FROM", "x")
    + "%x1 = tt.addptr %x, %wide : !rows, tensor<64xi32, #blocked>"
    + FIRST.replace("N", "1").replace("FROM", "x1")
    + """
  %sum, %at, %in, %from = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %x1, %to = %c1, %of = %minus)
      -> (!row, !rows, i32, i32) : i32 {
    %of1 = arith.addi %of, %c1 : i32
    %wraps = arith.cmpi sge, %of1, %slots : i32
    %of2 = arith.select %wraps, %c0, %of1 : i32
    %arrived = ttg.async_wait {num = 1 : i32}
    %s = ttg.memdesc_index %b[%of2] : !slots -> !slot
    %v = ttg.local_load %s : !slot -> !row
    %next = arith.addf %acc, %v : !row
    %to1 = arith.addi %to, %c1 : i32
    %turns = arith.cmpi sge, %to1, %slots : i32
    %to2 = arith.select %turns, %c0, %to1 : i32
    %q = tt.addptr %p, %wide : !rows, tensor<64xi32, #blocked>
    %j = arith.addi %i, %c2 : i32
    %again = arith.cmpi slt, %j, %n : i32
    %some = tt.splat %again : i1 -> tensor<64xi1, #blocked>
    %r = ttg.memdesc_index %b[%to2] : !slots -> !slot
    %t = ttg.async_copy_global_to_local %q, %r mask %some other %zero : !rows -> !slot
    %g = ttg.async_commit_group tokens %t
    scf.yield %next, %q, %to2, %of2 : !row, !rows, i32, i32
  }
  %rest = ttg.async_wait {num = 0 : i32}
  ttg.local_dealloc %b : !slots
"""
)


def verdict(after: str, slots: int = 3):
    """What is proved of the loop and another form of it."""
    context = Context()
    sides = [(HEAD + body + END).replace("SLOTS", str(slots)) for body in (LOOP, after)]
    old, new = (decoded(text, context) for text in sides)
    assert not isinstance(old, str), old
    assert not isinstance(new, str), new
    return validate(old, new, "k", searches=False)


@pytest.mark.parametrize(("after", "slots"), [(IN_REGISTERS, 1), (IN_SLOTS, 2), (IN_SLOTS, 3), (IN_SLOTS, 5)])
def test_a_pipelined_loop_is_proved_for_all_trip_counts(after, slots):
    found = verdict(after, slots)
    assert (found.outcome, found.trips, found.rounding) == (PROVED, (), ()), str(found)


def changed(text: str, old: str, new: str) -> str:
    """A text with one part replaced."""
    assert text.count(old) == 1
    return text.replace(old, new)


LATE = """%late = arith.cmpi eq, %i, %c30 : i32
    """
SHORT = """%short = arith.minsi %n, %c30 : i32
    """


@pytest.mark.parametrize(
    ("after", "old", "new"),
    [
        # a value is changed in one late iteration
        (IN_REGISTERS, "arith.addf %acc, %v", "arith.addf %acc, %u"),
        # loads end too early
        (IN_REGISTERS, "%again = arith.cmpi slt, %j, %n", SHORT + "%again = arith.cmpi slt, %j, %short"),
        (IN_SLOTS, "%again = arith.cmpi slt, %j, %n", SHORT + "%again = arith.cmpi slt, %j, %short"),
        # the slot that is read does not follow in one late iteration
        (
            IN_SLOTS,
            "%of2 = arith.select %wraps",
            LATE + "%turn = arith.ori %wraps, %late : i1\n%of2 = arith.select %turn",
        ),
        # an iteration reads one row too far
        (IN_REGISTERS, "%again = arith.cmpi slt, %j, %n", "%again = arith.cmpi sle, %j, %n"),
    ],
)
def test_a_mistake_in_a_late_iteration_is_not_proved(after, old, new):
    text = changed(after, old, new)
    if "%u" in new:
        chosen = LATE + "%u = arith.select %late, %one, %v : !row\n    %next ="
        text = changed(text, "%next =", chosen)
    found = verdict(text)
    assert found.outcome != PROVED or found.trips, str(found)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("%arrived = ttg.async_wait {num = 1 : i32}", "%arrived = ttg.async_wait {num = 2 : i32}"),
        ("%arrived = ttg.async_wait {num = 1 : i32}", ""),
        ("%j = arith.addi %i, %c2", "%j = arith.addi %i, %c1"),
        ("%wraps = arith.cmpi sge, %of1, %slots", "%wraps = arith.cmpi sgt, %of1, %slots"),
        ("%to = %c1", "%to = %c0"),
    ],
)
def test_a_wrong_wait_slot_or_stage_is_not_proved(old, new):
    assert verdict(changed(IN_SLOTS, old, new)).outcome != PROVED


def test_one_slot_too_few_is_not_proved():
    early = changed(IN_SLOTS, "%next = arith.addf %acc, %v : !row\n", "")
    read = early[early.index("    %s = ttg.memdesc_index") : early.index("    %to1 =")]
    late = early.replace(read, "").replace("    scf.yield", read + "%next = arith.addf %acc, %v : !row\n    scf.yield")
    assert verdict(late, 3).trips == ()
    assert verdict(late, 3).outcome == PROVED
    assert verdict(late, 2).outcome != PROVED
