"""Kernels that leave the barriers of a cluster to the compiler, as Gluon's of Triton 3.9 do: run thread by thread."""

import numpy as np
import pytest

import ttkit
from ttkit.interpreter import Buffer, InterpreterError, Memory
from ttkit.interpreter.lowered.launch import call
from ttkit.passes.stages import parse_options, stage_passes

HEAD = """
#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>
#each = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
!bar = !ttg.memdesc<2xi64, #each, #smem, mutable>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32,
                   "ttg.target" = "cuda:90"} {
  tt.func public @kernel(%p: !tt.ptr<i32>) {
    %0 = arith.constant 0 : i32
    %true = arith.constant true
    %b = ttg.local_alloc : () -> !bar
    ttng.init_barrier %b, COUNT : !bar
"""
TAIL = """
    ttng.inval_barrier %b : !bar
    %index = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32, #line>
    %all = tt.splat %p : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>, #line>
    %at = tt.addptr %all, %index : tensor<256x!tt.ptr<i32>, #line>, tensor<256xi32, #line>
    tt.store %at, %index : tensor<256x!tt.ptr<i32>, #line>
    tt.return
  }
}"""
WAIT = "ttng.wait_barrier %b, %0, %true : !bar"
KERNELS = {
    "one_for_all": (1, "ttng.arrive_barrier %b, 1 {fromCTA = 0 : i32} : !bar" + "\n" + WAIT),
    "all_for_all": (2, "ttng.arrive_barrier %b, 1 {multicastCTA = 1 : i32} : !bar" + "\n" + WAIT),
    "expects": (1, "ttng.barrier_expect %b, 0 {fromCTA = 0 : i32}, %true : !bar" + "\n" + WAIT),
    "of_other_warps": (
        1,
        f"""
    ttg.warp_specialize(%b)
    default {{
      {WAIT}
      ttg.warp_yield
    }}
    partition0(%c: !bar) num_warps(4) {{
      ttng.arrive_barrier %c, 1 {{fromCTA = 0 : i32}} : !bar
      ttg.warp_return
    }} : (!bar) -> ()""",
    ),
    "in_a_group": (
        1,
        f"""
    ttg.warp_specialize(%b, %p)
    default {{
      {WAIT}
      ttg.warp_yield
    }}
    partition0(%c: !bar, %q: !tt.ptr<i32>) num_warps(2) {{
      %i = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %three = arith.constant 3 : i32
      scf.for %n = %i to %three step %one : i32 {{
        ttng.cluster_barrier
      }}
      ttng.arrive_barrier %c, 1 {{fromCTA = 0 : i32}} : !bar
      ttg.warp_return
    }} : (!bar, !tt.ptr<i32>) -> ()""",
    ),
}
INSERTS = "ttkit-cluster-barrier-insertion"


def run(name: str, left_out: str = "") -> str:
    """Runs a kernel with turns of warps of three seeds, without one pass; returns what it was lowered to."""
    count, body = KERNELS[name]
    options = parse_options("capability=90 ptx-version=87")
    with ttkit.Context():
        module = ttkit.parse(HEAD.replace("COUNT", str(count)) + body + TAIL)
        passes = stage_passes("ttkit-llir", options, module)
        ttkit.run_passes(module, ",".join(each for each in passes if each != left_out))
        for seed in range(3):
            stored, memory = np.zeros(256, np.int32), Memory()
            place = np.array([memory.add(Buffer("stored", stored)).base])
            call(module, [place], memory, np.random.default_rng(seed))
            assert (stored == np.arange(256)).all()
        return str(module)


@pytest.mark.parametrize("name", KERNELS)
def test_barriers_are_set_up_before_others_arrive(name):
    assert run(name).count("nvvm.cluster.wait") == (3 if "warp_specialize" in KERNELS[name][1] else 2)


@pytest.mark.parametrize("name", KERNELS)
def test_without_the_pass_some_arrive_too_early(name):
    with pytest.raises(InterpreterError, match=r"not initialized|another warp initialized"):
        run(name, INSERTS)


def test_mbarriers_that_a_pass_makes_for_a_group_are_set_up_before_others_arrive():
    text = (
        HEAD.partition("  tt.func")[0]
        + """
      tt.func public @kernel(%p: !tt.ptr<i32>) {
        ttg.warp_specialize(%p)
        default {
          ttg.warp_yield
        }
        partition0(%q: !tt.ptr<i32>) num_warps(2) {
          ttng.cluster_barrier
          ttg.warp_return
        } : (!tt.ptr<i32>) -> ()
        tt.return
      }
    }"""
    )
    with ttkit.Context():
        module = ttkit.parse(text)
        passes = stage_passes("ttkit-llir", parse_options("capability=90 ptx-version=87"), module)
        ttkit.run_passes(module, ",".join(passes))
        call(module, [np.zeros(1, np.int64)], Memory(), np.random.default_rng(0))
        assert str(module).count("nvvm.cluster.wait") == 3
