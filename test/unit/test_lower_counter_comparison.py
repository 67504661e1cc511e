"""Comparisons with what a loop counts, which become comparisons of differences with constants: at all edges."""

import itertools

import numpy as np
import pytest
from lowered_tensors import compute, module

import ttkit

LEAST, MOST = -(1 << 31), (1 << 31) - 1
LAYOUT = """
#b = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [1, 0]}>
#c = #ttg.slice<{dim = 0, parent = #b}>
"""
FUNCTION = """
  tt.func private @f(%rows: tensor<16x1xi32, #b>, %count: i32) -> tensor<16x64xi1, #b> {{
    %c64 = arith.constant 64 : i32
    %row = tt.broadcast %rows : tensor<16x1xi32, #b> -> tensor<16x64xi32, #b>
    %range = tt.make_range {{start = 0 : i32, end = 64 : i32}} : tensor<64xi32, #c>
    %columns = tt.expand_dims %range {{axis = 0 : i32}} : tensor<64xi32, #c> -> tensor<1x64xi32, #b>
    cf.br ^loop
  ^loop:
    %first = arith.muli %count, %c64 : i32
    %firsts = tt.splat %first : i32 -> tensor<1x64xi32, #b>
    %sum = arith.addi %firsts, %columns : tensor<1x64xi32, #b>
    %column = tt.broadcast %sum : tensor<1x64xi32, #b> -> tensor<16x64xi32, #b>
    %found = arith.cmpi {comparison} : tensor<16x64xi32, #b>
    tt.return %found : tensor<16x64xi1, #b>
  }}
"""
COMPARE = {"slt": np.less, "sle": np.less_equal, "sgt": np.greater, "sge": np.greater_equal}


def text(predicate: str, is_swapped: bool = False) -> str:
    comparison = f"{predicate}, %column, %row" if is_swapped else f"{predicate}, %row, %column"
    return module(FUNCTION.format(comparison=comparison), LAYOUT)


@pytest.mark.parametrize(("predicate", "is_swapped"), [*itertools.product(COMPARE, (False, True))])
def test_numbers_at_all_edges(predicate: str, is_swapped: bool) -> None:
    generator = np.random.default_rng(0)
    for first in (LEAST, LEAST + 64, -64, 0, 64, 128, MOST - 127, MOST - 63):
        near = first + generator.integers(-2, 66, 10)
        rows = np.concatenate([[LEAST, LEAST + 1, -1, 0, MOST - 1, MOST], near]).clip(LEAST, MOST)[:, None]
        columns = first + np.arange(64)[None]
        (found,) = compute(text(predicate, is_swapped), rows.astype(np.int32), np.int32(first // 64))
        wanted = COMPARE[predicate](columns, rows) if is_swapped else COMPARE[predicate](rows, columns)
        np.testing.assert_array_equal(found.astype(bool), wanted)


def test_it_is_one_of_differences() -> None:
    with ttkit.Context():
        lowered = ttkit.parse(text("sge"))
        ttkit.run_passes(lowered, "convert-triton-gpu-to-llvm{compute-capability=90 ptx-version=87}")
        assert "llvm.ashr" in str(lowered)
