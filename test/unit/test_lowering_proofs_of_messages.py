"""Proofs of the lowering of prints, assertions and tables of constants, and bugs in them."""

from __future__ import annotations

import re
from functools import cache

import pytest
from test_lowering_proofs import proved, sides_of

from ttkit.validation.booleans import both, either, negation
from ttkit.validation.functions import PROVED
from ttkit.validation.terms import Session, make

KERNEL = """
  tt.func public @speaks(%x: !tt.ptr<i16>, %out: !tt.ptr<i32>, %n: i32) {
    %i = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32>
    %xs = tt.splat %x : !tt.ptr<i16> -> tensor<256x!tt.ptr<i16>>
    %xp = tt.addptr %xs, %i : tensor<256x!tt.ptr<i16>>, tensor<256xi32>
    %value = tt.load %xp : tensor<256x!tt.ptr<i16>>
    tt.print " value: " {hex = false, isSigned = array<i32: 1, 1>} : %value, %n : tensor<256xi16>, i32
    tt.print " half" {hex = false, isSigned = array<i32>}
    %sizes = tt.splat %n : i32 -> tensor<256xi32>
    %inside = arith.cmpi slt, %i, %sizes : tensor<256xi32>
    tt.assert %inside, "inside" : tensor<256xi1>
    %zero = arith.constant 0 : i32
    %positive = arith.cmpi sgt, %n, %zero : i32
    tt.assert %positive, "positive" : i1
    %table = arith.constant dense<[TABLE]> : tensor<256xi32>
    %outs = tt.splat %out : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
    %outp = tt.addptr %outs, %i : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
    tt.store %outp, %table : tensor<256x!tt.ptr<i32>>
    tt.return
  }
""".replace("TABLE", ", ".join(str(n * n) for n in range(256)))


@cache
def sides() -> tuple[str, str]:
    """The kernel before and after the lowering."""
    return sides_of(f"module {{{KERNEL}}}", 90)


def test_prints_assertions_and_tables_are_proved():
    assert str(proved(*sides())) == PROVED


@pytest.mark.parametrize(
    ("pattern", "replacement", "reason"),
    [
        ("value: .operand 1", "value: (operand 0", "a print of"),
        ("%i\\\\0A", "%u\\\\0A", "a print of"),
        ("half", "full", "a print of"),
        ('value = "inside', 'value = "sideIN', "a failure that is reported as"),
        ('"llvm.sext"', '"llvm.zext"', "prints"),
        (r'predicate = 2 : i64', 'predicate = 3 : i64', "reports a failure where"),
        (r'"llvm.call"\([^)]*\) <\{[^}]*callee = @__assertfail.*', "", "a failure that is reported as"),
        (r'%\d+ = "llvm.call"\([^)]*\) <\{[^}]*callee = @vprintf.*', "", "thread 0 prints 128, not 0"),
    ],
)  # fmt: skip
def test_a_message_that_is_another_or_missing_is_no_proof(pattern, replacement, reason):
    before, after = sides()
    wrong = re.sub(pattern, replacement, after, count=1)
    assert wrong != after
    found = proved(before, wrong)
    assert found.outcome != PROVED
    assert re.search(reason, found.reason), found.reason


def test_messages_that_change_places_are_no_proof():
    before, after = sides()
    calls = [line for line in after.splitlines() if "@vprintf" in line and "llvm.call" in line]
    assert len(calls) == 4  # two registers of a tensor, a number that all threads print, a line without a number
    swapped = after.replace(calls[0], "FIRST").replace(calls[1], calls[0]).replace("FIRST", calls[1])
    assert proved(before, swapped).outcome != PROVED


def test_a_wrong_number_in_a_table_is_no_proof():
    before, after = sides()
    table = re.search(r'dense<"0x0*(0{8}01000000)', after)
    assert table is not None
    wrong = after.replace(table[1], "0000000002000000", 1)
    assert "element [1] of tt.store" in proved(before, wrong).reason


def test_conjunctions_lose_what_is_known():
    with Session():
        a, b, c = (make("argument", (), n, "i1") for n in range(3))
        assert both(a, negation(both(a, b))) is both(a, negation(b))
        assert both(a, b, negation(both(a, b))).attr == 0
        assert both(negation(a), negation(both(a, b))) is negation(a)
        assert either(both(a, c), both(a, negation(c))) is a
        assert either(both(a, c), both(b, negation(c))).head == "not"  # nothing is known of these
