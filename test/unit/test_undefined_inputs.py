"""Inputs on which a kernel's result is not defined refute no pass."""

from __future__ import annotations

import numpy as np
import pytest
from test_lowering_proofs import IR, Keep, context

import ttkit
from ttkit.context import parse_file
from ttkit.passes.manager import run_passes
from ttkit.validation.counterexamples import counterexample
from ttkit.validation.functions import PROVED, validate
from ttkit.validation.proofs import decoded
from ttkit.validation.undefined import collide

TT = IR.parent / "language" / "tt"


@pytest.mark.parametrize("name", ["gathers", "load_options_fp32", "reductions_i64"])
def test_the_lowering_is_not_refuted_on_them(name):
    keep = Keep()
    stages = ",".join(f"ttkit-{stage}{{capability=90}}" for stage in ("ttir", "ttgir", "llir"))
    with ttkit.Context() as here:
        run_passes(parse_file(str(TT / f"{name}.90.ttir"), here), stages, subscribers=[keep])
    made = context()
    old, new = decoded(keep.old, made), decoded(keep.new, made)
    [function] = (one for one in old.functions.values() if one.body is not None)
    assert counterexample(old, new, function.name, seconds=3) == ""


def test_elements_collide_if_they_differ():
    places, values = np.array([[8, 16, 8]]), np.array([[1.0, 2.0, 1.0]], np.float32)
    assert not collide(places, values)
    assert collide(places, np.array([[1.0, 2.0, 3.0]], np.float32))
    assert not collide(places, np.array([[1.0, 2.0, 3.0]], np.float32), np.array([[True, True, False]]))
    assert collide(np.array([[8]]), np.array([[1, 2]]))


GATHER = """
tt.func public @gather(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>) {{
  %same = arith.constant dense<1023> : tensor<8xi32>
  %bits = arith.constant dense<{bits}> : tensor<8xi32>
  %i = tt.make_range {{start = 0 : i32, end = 8 : i32}} : tensor<8xi32>
  %xs = tt.splat %x : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
  %xp = tt.addptr %xs, %i : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
  %value = tt.load %xp : tensor<8x!tt.ptr<i32>>
  %at = arith.andi %value, %bits : tensor<8xi32>
  %picked = tt.gather %same[%at] {{axis = 0 : i32}} : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
  %outs = tt.splat %out : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
  %outp = tt.addptr %outs, %i : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
  tt.store %outp, %picked : tensor<8x!tt.ptr<i32>>
  tt.return
}}
"""


@pytest.mark.parametrize(("before", "after", "is_proved"), [(7, 7, True), (7, 8, False), (8, 7, True), (3, 7, True)])
def test_a_gather_from_equal_elements_is_defined_inside_only(before, after, is_proved):
    made = context()
    old, new = (decoded(GATHER.format(bits=bits), made) for bits in (before, after))
    assert (validate(old, new, "gather", "", False).outcome == PROVED) is is_proved


LARGEST_AT = """
tt.func public @largest_at(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>) {{
  %i = tt.make_range {{start = 0 : i32, end = 8 : i32}} : tensor<8xi32>
  %xs = tt.splat %x : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
  %xp = tt.addptr %xs, %i : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
  %value = tt.load %xp : tensor<8x!tt.ptr<i32>>
  %found:2 = "tt.reduce"(%value, %i) <{{axis = 0 : i32}}> ({{
  ^bb0(%a: i32, %at: i32, %b: i32, %bt: i32):
    %first = arith.cmpi {comparison}, %a, %b : i32
    %most = arith.select %first, %a, %b : i32
    %place = arith.select %first, %at, %bt : i32
    tt.reduce.return %most, %place : i32, i32
  }}) : (tensor<8xi32>, tensor<8xi32>) -> (i32, i32)
  tt.store %out, %found#1 : !tt.ptr<i32>
  tt.return
}}
"""


def test_an_index_of_equal_elements_may_be_any_of_theirs():
    made = context()
    sides = [decoded(LARGEST_AT.format(comparison=name), made) for name in ("sgt", "sge", "slt")]
    assert counterexample(sides[0], sides[1], "largest_at", "tritongpu-optimize-thread-locality", seconds=2) == ""
    assert "arg1[0]" in counterexample(sides[0], sides[1], "largest_at", "canonicalize", seconds=2)
    assert "arg1[0]" in counterexample(
        sides[0], sides[2], "largest_at", "tritongpu-optimize-thread-locality", seconds=2
    )
