"""Loops that branches between blocks make: those of `scf` as passes write them are proved, and no wrong one is."""

from __future__ import annotations

import pytest
from test_validation import IR
from test_wrong_pairs import verdict

import ttkit
from ttkit.context import Context, parse_text
from ttkit.passes.manager import run_passes
from ttkit.validation.functions import OPEN, PROVED

HEAD = """
tt.func public @k(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %true = arith.constant true
"""
COUNTED = (
    HEAD
    + """
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %m) -> (i32) : i32 {
    %p = tt.addptr %x, %i : !tt.ptr<i32>, i32
    %v = tt.load %p : !tt.ptr<i32>
    %b = arith.addi %a, %v : i32
    tt.store %p, %b : !tt.ptr<i32>
    scf.yield %b : i32
  }
  tt.store %y, %s : !tt.ptr<i32>
  tt.return
}
"""
)
NESTED = (
    HEAD
    + """
  %s = scf.for %i = %c0 to %n step %c2 iter_args(%a = %m) -> (i32) : i32 {
    %t = scf.for %j = %i to %m step %c1 iter_args(%d = %a) -> (i32) : i32 {
      %p = tt.addptr %x, %j : !tt.ptr<i32>, i32
      %v = tt.load %p : !tt.ptr<i32>
      %b = arith.addi %d, %v : i32
      scf.yield %b : i32
    }
    %q = arith.cmpi sgt, %t, %c2 : i32
    %u = scf.if %q -> (i32) {
      tt.store %y, %t : !tt.ptr<i32>
      scf.yield %c1 : i32
    } else {
      scf.yield %t : i32
    }
    scf.yield %u : i32
  }
  tt.store %y, %s : !tt.ptr<i32>
  tt.return
}
"""
)
LOCKED = (
    HEAD
    + """
  scf.while : () -> () {
    %old = tt.atomic_cas acquire, gpu, %x, %c0, %c1 : (!tt.ptr<i32>, i32, i32) -> i32
    %q = arith.cmpi eq, %old, %c1 : i32
    scf.condition(%q)
  } do {
    scf.yield
  }
  %v = tt.load %y : !tt.ptr<i32>
  %w = arith.addi %v, %n : i32
  tt.store %y, %w : !tt.ptr<i32>
  %last = tt.atomic_rmw exch, release, gpu, %x, %c0, %true : (!tt.ptr<i32>, i32, i1) -> i32
  tt.return
}
"""
)
SEARCHED = (
    HEAD
    + """
  %r:2 = scf.while (%i = %c0, %a = %m) : (i32, i32) -> (i32, i32) {
    %p = tt.addptr %x, %i : !tt.ptr<i32>, i32
    %v = tt.load %p : !tt.ptr<i32>
    %q = arith.cmpi slt, %v, %n : i32
    scf.condition(%q) %v, %i : i32, i32
  } do {
  ^bb0(%v: i32, %i: i32):
    %b = arith.muli %v, %n : i32
    %o = tt.addptr %y, %i : !tt.ptr<i32>, i32
    tt.store %o, %b : !tt.ptr<i32>
    %next = arith.addi %i, %c1 : i32
    scf.yield %next, %b : i32, i32
  }
  %s = arith.addi %r#0, %r#1 : i32
  tt.store %y, %s : !tt.ptr<i32>
  tt.return
}
"""
)
LOOPS = {"counted": COUNTED, "nested": NESTED, "locked": LOCKED, "searched": SEARCHED}
BRANCHES = {
    "counted": HEAD
    + """
  cf.br ^bb1(%c0, %m : i32, i32)
^bb1(%i: i32, %a: i32):
  %q = arith.cmpi slt, %i, %n : i32
  cf.cond_br %q, ^bb2, ^bb3
^bb2:
  %p = tt.addptr %x, %i : !tt.ptr<i32>, i32
  %v = tt.load %p : !tt.ptr<i32>
  %b = arith.addi %a, %v : i32
  tt.store %p, %b : !tt.ptr<i32>
  %next = arith.addi %i, %c1 : i32
  cf.br ^bb1(%next, %b : i32, i32)
^bb3:
  tt.store %y, %a : !tt.ptr<i32>
  tt.return
}
""",
    "locked": HEAD
    + """
  cf.br ^bb1
^bb1:
  %old = tt.atomic_cas acquire, gpu, %x, %c0, %c1 : (!tt.ptr<i32>, i32, i32) -> i32
  %q = arith.cmpi eq, %old, %c1 : i32
  cf.cond_br %q, ^bb1, ^bb2
^bb2:
  %v = tt.load %y : !tt.ptr<i32>
  %w = arith.addi %v, %n : i32
  tt.store %y, %w : !tt.ptr<i32>
  %last = tt.atomic_rmw exch, release, gpu, %x, %c0, %true : (!tt.ptr<i32>, i32, i1) -> i32
  tt.return
}
""",
    "searched": HEAD
    + """
  cf.br ^bb1(%c0, %m : i32, i32)
^bb1(%i: i32, %a: i32):
  %p = tt.addptr %x, %i : !tt.ptr<i32>, i32
  %v = tt.load %p : !tt.ptr<i32>
  %q = arith.cmpi slt, %v, %n : i32
  cf.cond_br %q, ^bb2, ^bb3
^bb2:
  %b = arith.muli %v, %n : i32
  %o = tt.addptr %y, %i : !tt.ptr<i32>, i32
  tt.store %o, %b : !tt.ptr<i32>
  %next = arith.addi %i, %c1 : i32
  cf.br ^bb1(%next, %b : i32, i32)
^bb3:
  %s = arith.addi %v, %i : i32
  tt.store %y, %s : !tt.ptr<i32>
  tt.return
}
""",
    "left in two places": HEAD
    + """
  cf.br ^bb1(%c0, %m : i32, i32)
^bb1(%i: i32, %a: i32):
  %q = arith.cmpi slt, %i, %n : i32
  cf.cond_br %q, ^bb2, ^bb3(%a : i32)
^bb2:
  %p = tt.addptr %x, %i : !tt.ptr<i32>, i32
  %v = tt.load %p : !tt.ptr<i32>
  %z = arith.cmpi eq, %v, %m : i32
  cf.cond_br %z, ^bb4, ^bb5
^bb5:
  %b = arith.addi %a, %v : i32
  tt.store %p, %b : !tt.ptr<i32>
  %next = arith.addi %i, %c1 : i32
  cf.br ^bb1(%next, %b : i32, i32)
^bb4:
  %w = arith.addi %v, %i : i32
  cf.br ^bb3(%w : i32)
^bb3(%e: i32):
  tt.store %y, %e : !tt.ptr<i32>
  tt.return
}
""",
}
WRONG = [
    ("counted", "slt, %i", "sle, %i"),
    ("counted", "slt, %i", "ult, %i"),
    ("counted", "slt, %i", "ne, %i"),
    ("counted", "slt, %i, %n", "slt, %n, %i"),
    ("counted", "slt, %i, %n", "slt, %i, %m"),
    ("counted", "slt, %i, %n", "slt, %a, %n"),
    ("counted", "cond_br %q, ^bb2, ^bb3", "cond_br %q, ^bb3, ^bb2"),
    ("counted", "addi %i, %c1", "addi %i, %c2"),
    ("counted", "addi %i, %c1", "subi %i, %c1"),
    ("counted", "addi %i, %c1", "addi %a, %c1"),
    ("counted", "addi %i, %c1", "addi %i, %i"),
    ("counted", "^bb1(%c0, %m", "^bb1(%c1, %m"),
    ("counted", "^bb1(%c0, %m", "^bb1(%c0, %c0"),
    ("counted", "^bb1(%c0, %m", "^bb1(%m, %c0"),
    ("counted", "(%next, %b", "(%next, %a"),
    ("counted", "(%next, %b", "(%b, %next"),
    ("counted", "%y, %a", "%y, %i"),
    ("counted", "%y, %a", "%y, %m"),
    ("counted", "  %q = arith", "  tt.store %y, %i : !tt.ptr<i32>\n  %q = arith"),
    ("counted", "  tt.store %p, %b : !tt.ptr<i32>\n", ""),
    ("counted", "tt.store %p, %b", "tt.store %y, %b"),
    ("counted", "^bb3:\n", "^bb3:\n  tt.store %x, %a : !tt.ptr<i32>\n"),
    ("counted", "cf.br ^bb1(%next, %b : i32, i32)", "cf.br ^bb3"),
    ("locked", "acquire, gpu", "relaxed, gpu"),
    ("locked", "%x, %c0, %c1 :", "%x, %c1, %c0 :"),
    ("locked", "cmpi eq", "cmpi ne"),
    ("locked", "%old, %c1 :", "%old, %c0 :"),
    ("locked", "%q, ^bb1, ^bb2", "%q, ^bb2, ^bb1"),
    ("locked", "%q, ^bb1, ^bb2", "%true, ^bb2, ^bb1"),
    ("locked", "%q, ^bb1, ^bb2", "%true, ^bb1, ^bb2"),
    ("locked", "cf.br ^bb1\n", "cf.br ^bb2\n"),
    ("locked", "  %q =", "  tt.store %y, %c0 : !tt.ptr<i32>\n  %q ="),
    ("locked", "^bb2:\n", "^bb2:\n  tt.store %x, %c0 : !tt.ptr<i32>\n"),
    ("searched", "%v, %i :", "%v, %a :"),
    ("searched", "%v, %i :", "%v, %v :"),
    ("searched", "(%next, %b", "(%i, %b"),
    ("searched", "cmpi slt, %v, %n", "cmpi slt, %v, %a"),
    ("searched", "cmpi slt, %v, %n", "cmpi slt, %i, %n"),
    ("searched", "tt.store %o", "tt.store %p"),
    ("searched", "  %q =", "  tt.store %p, %a : !tt.ptr<i32>\n  %q ="),
    ("left in two places", "%z, ^bb4, ^bb5", "%z, ^bb5, ^bb4"),
    ("left in two places", "%z, ^bb4, ^bb5", "%q, ^bb5, ^bb4"),
    ("left in two places", "^bb3(%a", "^bb3(%i"),
    ("left in two places", "^bb3(%w", "^bb3(%a"),
    ("left in two places", "addi %v, %i", "addi %v, %a"),
    ("left in two places", "eq, %v, %m", "eq, %v, %n"),
    ("left in two places", "slt, %i, %n", "slt, %i, %m"),
    ("left in two places", "^bb4:\n", "^bb4:\n  tt.store %p, %v : !tt.ptr<i32>\n"),
    ("left in two places", "addi %i, %c1", "addi %i, %c2"),
]


def with_branches(text: str) -> str:
    """A module in which branches make the loops."""
    module = parse_text(text, Context())
    run_passes(module, "convert-scf-to-cf")
    return str(module)


@pytest.mark.parametrize("name", LOOPS)
def test_loops_that_become_branches_are_proved(name):
    after = with_branches(LOOPS[name])
    assert verdict(LOOPS[name], after).outcome == PROVED
    module = parse_text(after, Context())
    run_passes(module, "canonicalize,cse,sccp")
    assert verdict(after, str(module)).outcome == PROVED
    assert verdict(LOOPS[name], str(module)).outcome == PROVED


@pytest.mark.parametrize("name", BRANCHES)
def test_the_same_branches_are_proved(name):
    right = BRANCHES[name]
    assert (
        verdict(LOOPS.get(name, right), right.replace("%true = ", "%yes = arith.constant 3 : i32\n  %true = ")).outcome
        == PROVED
    )


@pytest.mark.parametrize(("name", "old", "new"), WRONG)
def test_wrong_branches_are_open(name, old, new):
    right = BRANCHES[name]
    assert old in right
    wrong = right.replace(old, new, 1)
    assert verdict(right, wrong).outcome == OPEN
    if name in LOOPS:
        assert verdict(LOOPS[name], wrong).outcome == OPEN


def test_a_lock_is_proved_through_all_passes():
    with Context() as context:
        module = ttkit.context.parse_file(str(IR / "spin_lock.90.ttir"), context)
        proofs = ttkit.validation.PassProofs(searches=False)
        run_passes(
            module,
            "ttkit-ttir{capability=90},ttkit-ttgir{capability=90},ttkit-llir{capability=90}",
            subscribers=[proofs],
        )
    assert "convert-scf-to-cf" in {one.pass_name for one in proofs.verdicts}
    assert {one.verdict.outcome for one in proofs.verdicts} == {PROVED}
