"""Specialized warps: what is lowered, run warp by warp in several orders."""

import numpy as np
import pytest

import ttkit
from ttkit.interpreter import Buffer, Memory
from ttkit.interpreter.lowered.launch import call

LAYOUTS = """
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#two = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#turned = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#s2 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
!row = !ttg.memdesc<128xi32, #s, #smem, mutable>
!rows = !ttg.memdesc<2x128xi32, #s2, #smem, mutable>
!bar = !ttg.memdesc<1xi64, #s, #smem, mutable>
!bars = !ttg.memdesc<2x1xi64, #s2, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32,
                   ttg.target = "cuda:90"} {
"""
PASSES = (
    "tritongpu-allocate-warp-groups,convert-scf-to-cf,"
    "allocate-shared-memory-nv{compute-capability=90 ptx-version=87},"
    "convert-triton-gpu-to-llvm{compute-capability=90 ptx-version=87}"
)
# Two operations in a loop: one whose partitions compute from what was loaded, in layouts of their own; one that has
# nothing to do for the warps of the first.
LOOP = """
  tt.func public @f(%in: !tt.ptr<i32>, %out: !tt.ptr<i32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c128 = arith.constant 128 : i32
    %sums = ttg.local_alloc : () -> !row
    %range = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #b>
    scf.for %i = %c0 to %n step %c1 : i32 {
      %where = arith.muli %i, %c128 : i32
      %p = tt.addptr %in, %where : !tt.ptr<i32>, i32
      %first = tt.load %p : !tt.ptr<i32>
      %r = ttg.warp_specialize(%p, %first, %sums) attributes {requestedRegisters = array<i32: 24, 40>}
      default {
        %double = arith.addi %first, %first : i32
        ttg.warp_yield %double : i32
      }
      partition0(%a: !tt.ptr<i32>, %f: i32, %y: !row) num_warps(2) {
        %o = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #two>
        %base = tt.splat %a : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #two>
        %q = tt.addptr %base, %o : tensor<128x!tt.ptr<i32>, #two>, tensor<128xi32, #two>
        %x = tt.load %q : tensor<128x!tt.ptr<i32>, #two>
        %t = ttg.convert_layout %x : tensor<128xi32, #two> -> tensor<128xi32, #turned>
        %sum = "tt.reduce"(%t) <{axis = 0 : i32}> ({
        ^bb0(%l: i32, %m: i32):
          %lm = arith.addi %l, %m : i32
          tt.reduce.return %lm : i32
        }) : (tensor<128xi32, #turned>) -> i32
        %total = arith.addi %sum, %f : i32
        %v = tt.splat %total : i32 -> tensor<128xi32, #two>
        %w = arith.addi %v, %o : tensor<128xi32, #two>
        ttg.local_store %w, %y : tensor<128xi32, #two> -> !row
        ttg.warp_return
      }
      partition1(%a: !tt.ptr<i32>, %f: i32, %y: !row) num_warps(1) {
        ttg.warp_return
      } : (!tt.ptr<i32>, i32, !row) -> i32
      %l = ttg.local_load %sums : !row -> tensor<128xi32, #b>
      %more = tt.splat %r : i32 -> tensor<128xi32, #b>
      %result = arith.addi %l, %more : tensor<128xi32, #b>
      %to = tt.addptr %out, %where : !tt.ptr<i32>, i32
      ttg.warp_specialize(%to, %i)
      default {
        %tos = tt.splat %to : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #b>
        %places = tt.addptr %tos, %range : tensor<128x!tt.ptr<i32>, #b>, tensor<128xi32, #b>
        tt.store %places, %result : tensor<128x!tt.ptr<i32>, #b>
        ttg.warp_yield
      }
      partition0(%a: !tt.ptr<i32>, %k: i32) num_warps(4) {
        ttg.warp_return
      } : (!tt.ptr<i32>, i32) -> ()
    }
    tt.return
  }
}"""
# One partition fills a ring of two buffers, the default region empties it; mbarriers say what is full and empty.
RING = """
  tt.func public @f(%in: !tt.ptr<i32>, %out: !tt.ptr<i32>, %n: i32) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c128 = arith.constant 128 : i32
    %ring = ttg.local_alloc : () -> !rows
    %full = ttg.local_alloc : () -> !bars
    %empty = ttg.local_alloc : () -> !bars
    scf.for %i = %c0 to %c2 step %c1 : i32 {
      %f = ttg.memdesc_index %full[%i] : !bars -> !bar
      %e = ttg.memdesc_index %empty[%i] : !bars -> !bar
      ttng.init_barrier %f, 1 : !bar
      ttng.init_barrier %e, 1 : !bar
    }
    %o = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #b>
    ttg.warp_specialize(%in, %n, %ring, %full, %empty)
    default {
      scf.for %i = %c0 to %n step %c1 : i32 {
        %slot = arith.remui %i, %c2 : i32
        %round = arith.divui %i, %c2 : i32
        %phase = arith.andi %round, %c1 : i32
        %f = ttg.memdesc_index %full[%slot] : !bars -> !bar
        %e = ttg.memdesc_index %empty[%slot] : !bars -> !bar
        %b = ttg.memdesc_index %ring[%slot] : !rows -> !row
        ttng.wait_barrier %f, %phase, %true : !bar
        %x = ttg.local_load %b : !row -> tensor<128xi32, #b>
        ttng.arrive_barrier %e, 1, %true : !bar
        %where = arith.muli %i, %c128 : i32
        %to = tt.addptr %out, %where : !tt.ptr<i32>, i32
        %tos = tt.splat %to : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #b>
        %places = tt.addptr %tos, %o : tensor<128x!tt.ptr<i32>, #b>, tensor<128xi32, #b>
        tt.store %places, %x : tensor<128x!tt.ptr<i32>, #b>
      }
      ttg.warp_yield
    }
    partition0(%p: !tt.ptr<i32>, %m: i32, %r: !rows, %fs: !bars, %es: !bars) num_warps(2) {
      %yes = arith.constant true
      %d0 = arith.constant 0 : i32
      %d1 = arith.constant 1 : i32
      %d2 = arith.constant 2 : i32
      %d128 = arith.constant 128 : i32
      %q = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #two>
      scf.for %i = %d0 to %m step %d1 : i32 {
        %slot = arith.remui %i, %d2 : i32
        %round = arith.divui %i, %d2 : i32
        %flipped = arith.xori %round, %d1 : i32
        %phase = arith.andi %flipped, %d1 : i32
        %f = ttg.memdesc_index %fs[%slot] : !bars -> !bar
        %e = ttg.memdesc_index %es[%slot] : !bars -> !bar
        %b = ttg.memdesc_index %r[%slot] : !rows -> !row
        %where = arith.muli %i, %d128 : i32
        %from = tt.addptr %p, %where : !tt.ptr<i32>, i32
        %froms = tt.splat %from : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #two>
        %places = tt.addptr %froms, %q : tensor<128x!tt.ptr<i32>, #two>, tensor<128xi32, #two>
        %x = tt.load %places : tensor<128x!tt.ptr<i32>, #two>
        ttng.wait_barrier %e, %phase, %yes : !bar
        ttg.local_store %x, %b : tensor<128xi32, #two> -> !row
        ttng.arrive_barrier %f, 1, %yes : !bar
      }
      ttg.warp_return
    } : (!tt.ptr<i32>, i32, !rows, !bars, !bars) -> ()
    tt.return
  }
}"""
ROUNDS = 5


def run(kernel: str, values: np.ndarray, seed: int) -> np.ndarray:
    """What a kernel of (in, out, rounds) stores."""
    with ttkit.Context():
        module = ttkit.parse(LAYOUTS + kernel)
        ttkit.run_passes(module, PASSES)
        memory, found = Memory(), np.zeros_like(values)
        places = [memory.add(Buffer(name, array)).base for name, array in (("in", values), ("out", found))]
        call(module, [np.array([number]) for number in (*places, len(values))], memory, np.random.default_rng(seed))
    return found


@pytest.fixture
def values() -> np.ndarray:
    return np.random.default_rng(8).integers(0, 1 << 20, (ROUNDS, 128), dtype=np.uint32)


@pytest.mark.parametrize("seed", range(3))
def test_partitions_work_beside_the_default_region(values, seed):
    wanted = values.sum(1, dtype=np.uint32)[:, None] + np.arange(128, dtype=np.uint32) + 3 * values[:, :1]
    np.testing.assert_array_equal(run(LOOP, values, seed), wanted)


@pytest.mark.parametrize("seed", range(3))
def test_a_ring_of_buffers_between_partitions(values, seed):
    np.testing.assert_array_equal(run(RING, values, seed), values)
