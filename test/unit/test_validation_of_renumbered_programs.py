"""Passes that give CTAs other programs, or several, are proved; programs that are lost or run twice are found."""

from pathlib import Path

import pytest

from ttkit.context import Context, parse_text
from ttkit.passes.manager import run_passes
from ttkit.validation.functions import OPEN, PROVED, REFUTED, validate
from ttkit.validation.proofs import decoded

PASS = "ttkit-run-persistently"
LIT = Path(__file__).resolve().parents[1] / "lit" / "passes"
BODY = """
    %p = tt.addptr %out, %m : !tt.ptr<i32>, i32
    %x = tt.load %p : !tt.ptr<i32>
    %y = arith.addi %x, %one : i32
    tt.store %p, %y : !tt.ptr<i32>
"""
BEFORE = f"""
tt.func public @k(%out: !tt.ptr<i32>, %flag: !tt.ptr<i32>, %n: i32) {{
    %one = arith.constant 1 : i32
    %m = tt.get_program_id x : i32
    {BODY}
    tt.return
}}
"""
AFTER = f"""
tt.func public @k(%out: !tt.ptr<i32>, %flag: !tt.ptr<i32>, %n: i32) {{
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cta = tt.get_program_id x : i32
    %total = tt.get_num_programs x : i32
    %units = nvvm.read.ptx.sreg.nsmid : i32
    %left = arith.subi %total, %cta : i32
    %less = arith.subi %units, %one : i32
    %up = arith.addi %left, %less : i32
    %rounds = arith.divui %up, %units : i32
    %is_first = arith.cmpi ult, %cta, %units : i32
    %count = arith.select %is_first, %rounds, %zero : i32
    scf.for %round = %zero to %count step %one : i32 {{
      %skipped = arith.muli %round, %units : i32
      %m = arith.addi %cta, %skipped : i32
      {BODY}
    }}
    tt.return
}}
"""
WAITS = """
    scf.while : () -> () {
      %seen = tt.load %flag {isVolatile = true} : !tt.ptr<i32>
      %again = arith.cmpi eq, %seen, %one : i32
      scf.condition(%again)
    } do {
      scf.yield
    }
"""
CHANGES = {
    "right": [],
    "last round lost": [("%up, %units", "%left, %units")],
    "a round too many": [("arith.addi %left, %less", "arith.addi %left, %units")],
    "programs twice": [("arith.muli %round, %units", "arith.muli %round, %one")],
    "first round lost": [("%round = %zero to", "%round = %one to")],
    "other steps": [("to %count step %one", "to %count step %units")],
    "all CTAs run rounds": [("arith.select %is_first, %rounds, %zero", "arith.select %is_first, %rounds, %one")],
    "one CTA too many": [("arith.cmpi ult", "arith.cmpi ule")],
    "stale number": [("%out, %m", "%out, %cta")],
    "other body": [("%x, %one", "%x, %m")],
    "effect twice": [("tt.store %p, %y", "tt.store %p, %x : !tt.ptr<i32>\n tt.store %p, %y")],
    "effect lost": [("tt.store %p, %y : !tt.ptr<i32>", "")],
    "by an argument": [("nvvm.read.ptx.sreg.nsmid", "arith.addi %n, %zero")],
}


def verdict(before, after, searches=False, name=PASS):
    """The verdict on two texts."""
    return validate(decoded(before, Context()), decoded(after, Context()), "k", name, searches=searches)


@pytest.mark.parametrize("change", CHANGES)
def test_each_program_runs_once(change):
    after = AFTER
    for old, new in CHANGES[change]:
        assert old in after, old
        after = after.replace(old, new)
    found = verdict(BEFORE, after)
    assert (found.outcome == PROVED) == (change == "right"), str(found)
    if change == "right":
        assert found.programs
    elif change not in ("by an argument", "effect twice"):
        assert verdict(BEFORE, after, searches=True).outcome == REFUTED


def test_a_lost_program_is_named():
    found = verdict(BEFORE, AFTER.replace("%up, %units", "%left, %units"))
    assert "in a grid of (1, 1, 1) CTAs on 2 multiprocessors the program x = 0 runs 0 times, not 1" in found.reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (WAITS, "may wait for another program"),
        ('    tt.print "x" {hex = false, isSigned = array<i32: 1>} : %m : i32\n', "may tell which CTA"),
    ],
)
def test_programs_must_not_notice_who_runs_beside_them(text, reason):
    before, after = (one.replace("    %p = tt.addptr", text + "    %p = tt.addptr") for one in (BEFORE, AFTER))
    found = verdict(before, after)
    assert found.outcome == OPEN and reason in found.reason, str(found)


def test_what_programs_read_is_read_in_their_round():
    load = "    %seen = tt.load %flag : !tt.ptr<i32>\n"
    before = BEFORE.replace("    %p =", load + "    %p =").replace("%x, %one", "%x, %seen")
    after = AFTER.replace("    %left =", load + "    %left =").replace("%x, %one", "%x, %seen")
    assert verdict(before, after).outcome == OPEN
    inside = AFTER.replace("%p = tt.addptr", load + "%p = tt.addptr").replace("%x, %one", "%x, %seen")
    assert verdict(before, inside).outcome == PROVED


ATOMIC = "%t = tt.atomic_rmw add, acq_rel, gpu, %flag, %one : (!tt.ptr<i32>, i32) -> i32\n"


@pytest.mark.parametrize("place", ["%left =", "tt.return"])
def test_effects_with_results_are_in_the_round_of_a_program(place):
    before = BEFORE.replace("    %p =", f"    {ATOMIC}    %p =")
    assert verdict(before, AFTER.replace(place, f"{ATOMIC}    {place}")).outcome == OPEN
    assert verdict(before, AFTER.replace("    %p =", f"    {ATOMIC}    %p =")).outcome == PROVED


@pytest.mark.parametrize("place", [0, 1])
def test_the_pass_is_proved(place):
    before = (LIT / "run_persistently.mlir").read_text().split("// -----")[place]
    module = parse_text(before, Context())
    run_passes(module, f"{PASS}{{num-stages=2}}")
    one, other = decoded(before, Context()), decoded(str(module), Context())
    found = validate(one, other, next(iter(one.functions)), PASS, searches=False)
    assert (found.outcome, found.rounding) == (PROVED, ()) and found.programs, str(found)


ORDER = '"ttkit.longest-first" = {axes = array<i32: AXES>, axis = 0 : i32, shrinks = false, together = 512 : i32}'


@pytest.mark.parametrize("axes", ["0", "0, 1"])
def test_an_order_of_programs_is_a_map(axes):
    after = f"module attributes {{{ORDER.replace('AXES', axes)}}} {{\n{BEFORE}\n}}"
    found = verdict(BEFORE, after, name="ttkit-run-longest-first")
    assert found.outcome == PROVED and found.programs, str(found)
    changed = after.replace("%out, %m", "%out, %n")
    assert verdict(BEFORE, changed, name="ttkit-run-longest-first").outcome == OPEN
