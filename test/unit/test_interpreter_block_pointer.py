"""tt.make_tensor_ptr, tt.advance, and access through them."""

import numpy as np
import pytest
from tiles import run_text

from ttkit.interpreter.errors import OutOfBounds

COPY = """
tt.func public @copy(%src: !tt.ptr<f32>, %dst: !tt.ptr<f32>, %rows: i64, %columns: i64) {{
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i32
  %row = arith.constant {row} : i32
  %column = arith.constant {column} : i32
  %size = arith.constant 16 : i64
  %0 = tt.make_tensor_ptr %src, [%rows, %columns], [%columns, %one], [%zero, %zero] {{order = array<i32: 1, 0>}}
      : <tensor<16x16xf32>>
  %1 = tt.advance %0, [%row, %column] : <tensor<16x16xf32>>
  %2 = tt.load %1 {{boundaryCheck = array<i32: {check}>, padding = {padding} : i32}} : !tt.ptr<tensor<16x16xf32>>
  %3 = tt.make_tensor_ptr %dst, [%size, %size], [%size, %one], [%zero, %zero] {{order = array<i32: 1, 0>}}
      : <tensor<16x16xf32>>
  tt.store %3, %2 : !tt.ptr<tensor<16x16xf32>>
  tt.return
}}"""


def copy(source: np.ndarray, row: int, column: int, check: str = "0, 1", padding: int = 1) -> np.ndarray:
    target = np.full((16, 16), -1, np.float32)
    text = COPY.format(row=row, column=column, check=check, padding=padding)
    run_text(text, 1, [source, target, *source.shape])
    return target


SOURCE = np.arange(24 * 40, dtype=np.float32).reshape(24, 40)


def test_advanced_block():
    np.testing.assert_array_equal(copy(SOURCE, 4, 8), SOURCE[4:20, 8:24])


def test_zero_padding():
    expected = np.zeros((16, 16), np.float32)
    expected[:8, :10] = SOURCE[16:, 30:]
    np.testing.assert_array_equal(copy(SOURCE, 16, 30), expected)


def test_nan_padding_before_the_start():
    result = copy(SOURCE, -3, 0, padding=2)
    assert np.isnan(result[:3]).all()
    np.testing.assert_array_equal(result[3:], SOURCE[:13, :16])


def test_outside_without_a_check():
    with pytest.raises(OutOfBounds, match="element  \\[8, 0\\]"):
        copy(SOURCE, 16, 0, check="1")


def test_masked_store():
    text = """
    tt.func public @fill(%dst: !tt.ptr<i32>) {
      %one = arith.constant 1 : i64
      %rows = arith.constant 10 : i64
      %offset = arith.constant 8 : i32
      %value = arith.constant dense<7> : tensor<8xi32>
      %0 = tt.make_tensor_ptr %dst, [%rows], [%one], [%offset] {order = array<i32: 0>} : <tensor<8xi32>>
      tt.store %0, %value {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<8xi32>>
      tt.return
    }"""
    target = np.zeros(10, np.int32)
    run_text(text, 1, [target])
    assert target.tolist() == [0] * 8 + [7, 7]


def test_programs_part_ways():
    """A loop of different length in each program: block pointers are put together again."""
    text = """
    tt.func public @fill(%dst: !tt.ptr<i32>) {
      %one = arith.constant 1 : i64
      %size = arith.constant 64 : i64
      %i0 = arith.constant 0 : i32
      %i1 = arith.constant 1 : i32
      %step = arith.constant 4 : i32
      %value = arith.constant dense<7> : tensor<4xi32>
      %pid = tt.get_program_id x : i32
      %0 = tt.make_tensor_ptr %dst, [%size], [%one], [%i0] {order = array<i32: 0>} : <tensor<4xi32>>
      %1 = scf.for %i = %i0 to %pid step %i1 iter_args(%p = %0) -> (!tt.ptr<tensor<4xi32>>) : i32 {
        %2 = tt.advance %p, [%step] : <tensor<4xi32>>
        scf.yield %2 : !tt.ptr<tensor<4xi32>>
      }
      %3 = tt.load %1 : !tt.ptr<tensor<4xi32>>
      %4 = arith.addi %3, %value : tensor<4xi32>
      tt.store %1, %4 : !tt.ptr<tensor<4xi32>>
      tt.return
    }"""
    target = np.arange(16, dtype=np.int32)
    run_text(text, 4, [target])
    np.testing.assert_array_equal(target, np.arange(16) + 7)
