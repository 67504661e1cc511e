"""What the pipeliner leaves in loops, and launch control."""

import numpy as np
import pytest
from tiles import run_text

import ttkit

STAGES = """
tt.func public @kernel(%out: !tt.ptr<i32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %pid = tt.get_program_id x : i32
  %ub = arith.addi %n, %pid : i32
  %total = scf.for %i = %zero to %ub step %one iter_args(%sum = %zero) -> (i32) : i32 {
    %more = ttg.predicate_stage %i, %ub, %one maxStage 2 stage 0 : i32 -> i1
    %v:2 = "ttg.mask"(%more) ({
      %w = arith.addi %i, %one : i32
      ttg.mask.return %w, %i : i32, i32
    }) : (i1) -> (i32, i32)
    %next = arith.addi %sum, %v#0 : i32
    %kept = arith.select %more, %next, %sum : i32
    scf.yield %kept : i32
  }
  %p = tt.addptr %out, %pid : !tt.ptr<i32>, i32
  tt.store %p, %total : !tt.ptr<i32>
  tt.return
}"""


@pytest.mark.parametrize("n", [0, 1, 2, 9])
def test_stages(n):
    """The first of two stages is off in the last two iterations, of which each program has its own number."""
    out = np.full(4, -1, np.int32)
    run_text(STAGES, 4, [out, n])
    np.testing.assert_array_equal(out, [sum(range(1, max(n + p - 2, 0) + 1)) for p in range(4)])


TAKEOVER = """
#one = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!answer = !ttg.memdesc<2xi64, #one, #smem, mutable>
!bar = !ttg.memdesc<1xi64, #one, #smem, mutable>
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func public @kernel(%out: !tt.ptr<i32>, %width: i32) {
    %true = arith.constant true
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %answer = ttg.local_alloc : () -> !answer
    %bar = ttg.local_alloc : () -> !bar
    ttng.init_barrier %bar, 1 : !bar
    %px = tt.get_program_id x : i32
    %py = tt.get_program_id y : i32
    %me = arith.muli %py, %width : i32
    %mine = arith.addi %me, %px : i32
    %end:3 = scf.while (%x = %px, %y = %py, %phase = %zero) : (i32, i32, i32) -> (i32, i32, i32) {
      %row = arith.muli %y, %width : i32
      %cell = arith.addi %row, %x : i32
      %p = tt.addptr %out, %cell : !tt.ptr<i32>, i32
      tt.store %p, %mine : !tt.ptr<i32>
      ttng.barrier_expect %bar, 16, %true : !bar
      ttng.clc_try_cancel %answer, %bar : !answer, !bar
      ttng.wait_barrier %bar, %phase : !bar
      %got = ttng.clc_load_result %answer : !answer -> i128
      %more = ttng.clc_is_canceled %got : i128 -> i1
      %x1 = ttng.clc_get_program_id %got, x : i128 -> i32
      %y1 = ttng.clc_get_program_id %got, y : i128 -> i32
      %next = arith.xori %phase, %one : i32
      scf.condition(%more) %x1, %y1, %next : i32, i32, i32
    } do {
    ^bb0(%x: i32, %y: i32, %phase: i32):
      scf.yield %x, %y, %phase : i32, i32, i32
    }
    tt.return
  }
}"""


def test_programs_taken_over():
    """The first program asks until no other is left: it does the work of all."""
    out = np.full(12, -1, np.int32)
    run_text(TAKEOVER, (4, 3), [out, 4])
    np.testing.assert_array_equal(out, 0)


@pytest.mark.parametrize("lowered", [False, True])
def test_programs_taken_over_by_synchronous_requests(lowered):
    """As Triton 3.9's option `clc` writes them, and what `triton-nvidia-gpu-lower-clc` makes of them."""
    asked = TAKEOVER.replace("%answer = ttg.local_alloc : () -> !answer", "").replace(
        """ttng.barrier_expect %bar, 16, %true : !bar
      ttng.clc_try_cancel %answer, %bar : !answer, !bar
      ttng.wait_barrier %bar, %phase : !bar""",
        """%asked = ttng.clc_try_cancel_sync : tensor<2xi64, #pair>
      %answer = ttg.local_alloc %asked : (tensor<2xi64, #pair>) -> !answer""",
    )
    layout = "sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]"
    text = asked.replace("!answer =", f"#pair = #ttg.blocked<{{{layout}}}>\n!answer =", 1)
    out = np.full(12, -1, np.int32)
    if lowered:
        with ttkit.Context():
            module = ttkit.parse(text)
            ttkit.run_passes(module, "triton-nvidia-gpu-lower-clc")
            text = str(module)
    run_text(text, (4, 3), [out, 4])
    np.testing.assert_array_equal(out, 0)


WORK = """
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func public @kernel(%out: !tt.ptr<i32>, %width: i32) {
    %x = tt.get_program_id x : i32
    %y = tt.get_program_id y : i32
    %row = arith.muli %y, %width : i32
    %cell = arith.addi %row, %x : i32
    %p = tt.addptr %out, %cell : !tt.ptr<i32>, i32
    tt.store %p, %cell : !tt.ptr<i32>
    tt.return
  }
}"""


@pytest.mark.parametrize("passes", ["", ",triton-nvidia-gpu-lower-clc"])
def test_a_loop_does_the_work_of_all_programs(passes):
    with ttkit.Context():
        module = ttkit.parse(WORK)
        ttkit.run_passes(module, "triton-nvidia-gpu-to-clc" + passes)
        text = str(module)
    out = np.full(12, -1, np.int32)
    run_text(text, (4, 3), [out, 4])
    np.testing.assert_array_equal(out, np.arange(12))


def test_programs_taken_over_in_another_order():
    out = np.full(12, -1, np.int32)
    run_text(TAKEOVER, (4, 3), [out, 4], seed=1)
    assert len(set(out.tolist())) == 1
    assert out[0] in range(12)
