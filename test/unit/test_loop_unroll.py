"""Unrolled loops run the iterations that range() has, also where there are none."""

import itertools

import numpy as np
import pytest

import ttkit
from ttkit.interpreter import interpret

LOOP = """
tt.func @sum(%o: !tt.ptr<i32>, %lower: i32, %upper: i32, %by: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %r = scf.for %i = LOWER to %upper step STEP iter_args(%sum = %zero) -> i32 : i32 {
    %a = arith.muli %sum, %three : i32
    %b = arith.addi %a, %i : i32
    scf.yield %b : i32
  } {tt.loop_unroll_factor = FACTOR : i32}
  tt.store %o, %r : !tt.ptr<i32>
  tt.return
}
"""


@pytest.mark.parametrize("factor", [2, 3])
@pytest.mark.parametrize("lower, step", [("%lower", "%by"), ("%zero", "%by"), ("%lower", "%one"), ("%zero", "%one")])
def test_iterations_are_those_of_range(lower: str, step: str, factor: int):
    text = LOOP.replace("LOWER", lower).replace("STEP", step).replace("FACTOR", str(factor))
    with ttkit.Context():
        module = ttkit.parse(text)
        ttkit.run_passes(module, "triton-loop-unroll")
        starts = [0] if lower == "%zero" else [-3, 0, 4]
        steps = [1] if step == "%one" else [1, 2, 3]
        for start, upper, by in itertools.product(starts, range(-8, 9), steps):
            out = np.zeros(1, np.int32)
            interpret(module, 1, {"arg0": out, "arg1": start, "arg2": upper, "arg3": by})
            wanted = 0
            for i in range(start, upper, by):
                wanted = wanted * 3 + i
            assert out[0] == wanted, (start, upper, by)
