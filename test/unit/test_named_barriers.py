"""Numbered barriers order what groups of warps do, in ttg and as lowered; who forgets one of them is told so."""

import re

import numpy as np
import pytest
from test_lower_warp_specialize import LAYOUTS, ROUNDS, run

import ttkit
from ttkit.interpreter import interpret
from ttkit.interpreter.errors import InterpreterError
from ttkit.passes.infra import PassError

# One group writes a row, at barrier 15 the other learns of it, at barrier 14 that it has been read.
KERNEL = """
  tt.func public @f(%in: !tt.ptr<i32>, %out: !tt.ptr<i32>, %n: i32) {
    %row = ttg.local_alloc : () -> !row
    ttg.warp_specialize(%in, %out, %n, %row)
    default {
      ttg.warp_yield
    }
    partition0(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>, %m: i32, %b: !row) num_warps(4) {
      %d0 = arith.constant 0 : i32
      %d1 = arith.constant 1 : i32
      %d128 = arith.constant 128 : i32
      %full = arith.constant 15 : i32
      %empty = arith.constant 14 : i32
      %threads = arith.constant 192 : i32
      %o = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #b>
      scf.for %i = %d0 to %m step %d1 : i32 {
        %where = arith.muli %i, %d128 : i32
        %from = tt.addptr %p, %where : !tt.ptr<i32>, i32
        %froms = tt.splat %from : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #b>
        %places = tt.addptr %froms, %o : tensor<128x!tt.ptr<i32>, #b>, tensor<128xi32, #b>
        %x = tt.load %places : tensor<128x!tt.ptr<i32>, #b>
        ttng.wait_barrier_named %empty, %threads : i32, i32
        ttg.local_store %x, %b : tensor<128xi32, #b> -> !row
        ttng.arrive_barrier_named %full, %threads : i32, i32
      }
      ttng.wait_barrier_named %empty, %threads : i32, i32
      ttg.warp_return
    }
    partition1(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>, %m: i32, %b: !row) num_warps(2) {
      %d0 = arith.constant 0 : i32
      %d1 = arith.constant 1 : i32
      %d128 = arith.constant 128 : i32
      %full = arith.constant 15 : i32
      %empty = arith.constant 14 : i32
      %threads = arith.constant 192 : i32
      %o = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #two>
      ttng.arrive_barrier_named %empty, %threads : i32, i32
      scf.for %i = %d0 to %m step %d1 : i32 {
        ttng.wait_barrier_named %full, %threads : i32, i32
        %x = ttg.local_load %b : !row -> tensor<128xi32, #two>
        ttng.arrive_barrier_named %empty, %threads : i32, i32
        %where = arith.muli %i, %d128 : i32
        %to = tt.addptr %q, %where : !tt.ptr<i32>, i32
        %tos = tt.splat %to : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #two>
        %places = tt.addptr %tos, %o : tensor<128x!tt.ptr<i32>, #two>, tensor<128xi32, #two>
        tt.store %places, %x : tensor<128x!tt.ptr<i32>, #two>
      }
      ttg.warp_return
    } : (!tt.ptr<i32>, !tt.ptr<i32>, i32, !row) -> ()
    tt.return
  }
}"""
BARRIER = re.compile(r"^ *ttng\.(wait|arrive)_barrier_named .*\n", re.MULTILINE)
UNEVEN = r"again before all|deadlock|the kernel hangs|still wait at barrier 14|nothing has written"


@pytest.fixture
def values() -> np.ndarray:
    return np.random.default_rng(8).integers(0, 1 << 20, (ROUNDS, 128), dtype=np.uint32)


def interpreted(kernel: str, values: np.ndarray) -> np.ndarray:
    """What a kernel of (in, out, rounds) stores, with a look for races between groups."""
    found = np.zeros_like(values)
    with ttkit.Context():
        interpret(ttkit.parse(LAYOUTS + kernel), 1, [values, found, len(values)], race="groups")
    return found


def test_groups_wait_for_each_other(values):
    np.testing.assert_array_equal(interpreted(KERNEL, values), values)


@pytest.mark.parametrize("seed", range(2))
def test_lowered_groups_wait_for_each_other(values, seed):
    np.testing.assert_array_equal(run(KERNEL, values, seed), values)


@pytest.mark.parametrize("place", range(6))
def test_a_barrier_that_is_left_out_is_named(values, place):
    found = list(BARRIER.finditer(KERNEL))[place]
    wrong = KERNEL[: found.start()] + KERNEL[found.end() :]
    with pytest.raises(InterpreterError, match=UNEVEN):
        interpreted(wrong, values)
    with pytest.raises(InterpreterError, match=UNEVEN):
        run(wrong, values, 0)


def test_an_arrival_too_early_is_a_race(values):
    store = KERNEL.index("        ttg.local_store")
    arrival = KERNEL.index("        ttng.arrive", store)
    end = KERNEL.index("\n", arrival) + 1
    wrong = KERNEL[:store] + KERNEL[arrival:end] + KERNEL[store:arrival] + KERNEL[end:]
    with pytest.raises(InterpreterError, match=r"no barrier|nothing has written"):
        interpreted(wrong, values)
    with pytest.raises(InterpreterError, match=r"no barrier|nothing has written"):
        run(wrong, values, 0)


def test_barriers_of_partitions_are_taken(values):
    with pytest.raises(PassError, match="found barrier 3; those below 5 are taken"):
        run(KERNEL.replace("constant 14", "constant 3"), values, 0)
