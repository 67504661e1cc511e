"""Prints and assertions."""

import re

import numpy as np
import pytest
from tiles import run_text

from ttkit.interpreter.errors import AssertionFailed

PROLOGUE = """%program = tt.get_program_id x : i32
  %range = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>"""


def run(body, grid=1, args=(), signature=""):
    run_text(f"tt.func public @kernel({signature}) {{\n  {PROLOGUE}\n  {body}\n  tt.return\n}}", grid, list(args))


def test_print_of_a_tensor(capsys):
    run('tt.print " x: " {hex = false, isSigned = array<i32: 1>} : %range : tensor<16xi32>', (2, 1, 1))
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 32
    assert lines[3] == "pid (0, 0, 0) idx ( 3) x: 3" and lines[31] == "pid (1, 0, 0) idx (15) x: 15"


def test_print_of_scalars(capsys):
    run(
        """%less = arith.constant -2 : i32
        %half = arith.constant 1.5 : f16
        tt.print " v: " {hex = false, isSigned = array<i32: 1, 0, 0>} : %less, %less, %half : i32, i32, f16
        tt.print " h: " {hex = true, isSigned = array<i32: 1, 0>} : %less, %half : i32, f16
        tt.print " reached" {hex = false, isSigned = array<i32>}"""
    )
    assert capsys.readouterr().out.splitlines() == [
        "pid (0, 0, 0) idx () v: (operand 0) -2",
        "pid (0, 0, 0) idx () v: (operand 1) 4294967294",
        "pid (0, 0, 0) idx () v: (operand 2) 1.500000",
        "pid (0, 0, 0) idx () h: (operand 0) 0xfffffffe",
        "pid (0, 0, 0) idx () h: (operand 1) 0x3e00",
        "pid (0, 0, 0) reached",
    ]


def test_print_of_two_dimensions(capsys):
    run(
        """%row = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
        tt.print " " {hex = false, isSigned = array<i32: 1>} : %row : tensor<1x16xi32>"""
    )
    assert capsys.readouterr().out.splitlines()[9] == "pid (0, 0, 0) idx (0,  9) 9"


def test_assertion_names_message_program_and_element():
    body = """%bound = tt.splat %n : i32 -> tensor<16xi32>
      %sum = tt.splat %program : i32 -> tensor<16xi32>
      %value = arith.addi %range, %sum : tensor<16xi32>
      %inside = arith.cmpi slt, %value, %bound : tensor<16xi32>
      tt.assert %inside, "index out of bounds" : tensor<16xi1>"""
    run(body, 4, [19], "%n: i32")
    with pytest.raises(AssertionFailed, match="index out of bounds") as caught:
        run(body, 4, [17], "%n: i32")
    assert caught.value.program == (2, 0, 0) and caught.value.coordinates == (15,)
    assert re.search(r"program +\(2, 0, 0\)", str(caught.value))


@pytest.mark.parametrize(
    ("check", "said"),
    [('tt.assert %few, "too many" : i1', "too many"), ("llvm.intr.assume %few : i1", "the assumption is false")],
)
def test_scalar_assertion_and_assumption(check, said):
    body = f"""%two = arith.constant 2 : i32
      %few = arith.cmpi slt, %program, %two : i32
      {check}"""
    run(body, 2)
    with pytest.raises(AssertionFailed, match=said) as caught:
        run(body, 3)
    assert caught.value.program == (2, 0, 0)


def test_poison_is_zero():
    out = np.ones(1, np.int32)
    run_text(
        """tt.func public @kernel(%out: !tt.ptr<i32>) {
        %any = ub.poison : i32
        tt.store %out, %any : !tt.ptr<i32>
        tt.return
        }""",
        1,
        [out],
    )
    assert out[0] == 0
