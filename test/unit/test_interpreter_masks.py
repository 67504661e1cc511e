"""Loads whose places are the same in all programs, and whose masked-off elements are not."""

import numpy as np
from tiles import run_text

LOAD = """
tt.func public @load(%src: !tt.ptr<f32>, %dst: !tt.ptr<f32>) {
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %limit = arith.constant dense<12> : tensor<16xi32>
  %size = arith.constant 16 : i32
  %mask = arith.cmpi slt, %range, %limit : tensor<16xi32>
  %src_splat = tt.splat %src : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %places = tt.addptr %src_splat, %range : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %program = tt.get_program_id x : i32
  %number = arith.sitofp %program : i32 to f32
  %other = tt.splat %number : f32 -> tensor<16xf32>
  %value = tt.load %places, %mask, %other : tensor<16x!tt.ptr<f32>>
  %start = arith.muli %program, %size : i32
  %out = tt.addptr %dst, %start : !tt.ptr<f32>, i32
  %out_splat = tt.splat %out : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %targets = tt.addptr %out_splat, %range : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  tt.store %targets, %value : tensor<16x!tt.ptr<f32>>
  tt.return
}"""


def test_each_program_has_its_own_other():
    source = np.arange(100, 112, dtype=np.float32)
    target = np.zeros((3, 16), np.float32)
    run_text(LOAD, 3, [source, target])
    for program in range(3):
        np.testing.assert_array_equal(target[program], [*source, *[program] * 4])
