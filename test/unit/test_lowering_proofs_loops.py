"""Proofs of lowered products, pipelined loops, reductions by any region; and wrong lowerings of them."""

from __future__ import annotations

import re

import pytest
from test_lowering_proofs import APPROXIMATE, ORDER, PASS, Keep, changed, check_is_no_proof, lowered, proved

import ttkit
from ttkit.context import parse_text
from ttkit.passes.manager import run_passes
from ttkit.validation.functions import OPEN, PROVED, REFUTED


@pytest.mark.parametrize(
    ("name", "rounding"),
    [
        ("reduce_kinds.80.ttir", (ORDER,)),  # argmax
        ("scans.90.ttir", (ORDER,)),
        ("mean_and_variance.80.ttir", (APPROXIMATE, ORDER)),
        ("orders.90.ttir", ()),  # sorts
        ("mapped.80.ttir", ()),
        ("join_and_split.90.ttir", ()),  # tt.cat
        ("calls.80.ttir", (APPROXIMATE,)),
        ("cache_hints.90.ttir", ()),  # volatile reads
        ("batched_matmul.90.ttir", (ORDER,)),  # mma.sync
        ("matmul_ieee.90.ttir", (ORDER,)),  # cp.async and slots
    ],
)
def test_the_lowering_of_a_kernel_is_proved(name, rounding):
    found = proved(*lowered(name))
    assert (found.outcome, found.reason, found.rounding) == (PROVED, "", rounding)


WRONG = [
    ("mean_and_variance.80.ttir", r'"llvm.fmul"', '"llvm.fadd"'),
    ("scans.90.ttir", r'"llvm.fmul"\((%\d+), %\d+\)', r'"llvm.fmul"(\1, \1)'),
    ("mapped.80.ttir", r'"llvm.intr.minnum"', '"llvm.intr.maxnum"'),
    ("calls.80.ttir", r'"llvm.fadd"', '"llvm.fsub"'),
    ("batched_matmul.90.ttir", r"x4\.trans\.b16", "x4.b16"),  # a transposed operand
]


@pytest.mark.parametrize(("name", "old", "new"), WRONG)
def test_a_wrong_lowering_is_refuted(name, old, new):
    before, after = lowered(name)
    wrong = re.sub(old, new, after, count=1)
    assert wrong != after
    assert proved(before, wrong).outcome != PROVED
    assert proved(before, wrong, searches=True).outcome == REFUTED


def in_loop(text: str, old: str, new: str) -> str:
    """A text with one change after the first copy that is waited for."""
    start = text.index('"nvvm.cp.async.wait.group"')
    return text[:start] + changed(text[start:], old, new)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("<{n = 2 : i32}>", "<{n = 4 : i32}>", "while a copy to it is in flight"),
        ('"nvvm.cp.async.wait.group"() <{n = 2 : i32}> : () -> ()', "", "while a copy to it is in flight"),
        ('"nvvm.barrier0"() : () -> ()', "", "without a barrier after"),
        ('"nvvm.cp.async.commit.group"() : () -> ()', "", "in flight|does not wait for"),
        ("predicate = 5 : i64", "predicate = 4 : i64", "never has them|outside of"),  # another slot
    ],
)
def test_a_wrong_pipelined_loop_is_no_proof(old, new, reason):
    before, after = lowered("matmul_ieee.90.ttir")
    check_is_no_proof(before, in_loop(after, old, new), reason)


def test_a_copy_that_is_read_too_early_is_refuted():
    before, after = lowered("matmul_ieee.90.ttir")
    assert proved(before, in_loop(after, "<{n = 2 : i32}>", "<{n = 4 : i32}>"), searches=True).outcome == REFUTED


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("wgmma.wait_group.sync.aligned 0;", "wgmma.wait_group.sync.aligned 1;", "goes on with|while a product reads"),
        ("1, 1, 1, 0, 1;", "1, 1, 1, 0, 0;", "goes on with|in flight"),  # an operand that is not transposed
        ("wgmma.fence.sync.aligned;", "", "no wgmma.fence between"),
    ],
)
def test_a_wrong_product_of_a_warp_group_is_no_proof(old, new, reason):
    before, after = lowered("matmul_f16_out_f16.90.ttir")
    check_is_no_proof(before, changed(after, old, new), reason)


def test_a_product_needs_the_fence_of_what_threads_stored():
    before, after = lowered("matmul_tf32x3.90.ttir")
    assert after.count("fence.proxy.async") == before.count("ttng.fence_async_shared") > 0
    unfenced = re.sub(r'\n[^\n]*"fence\.proxy\.async[^\n]*', "", after)
    assert "fence.proxy.async" not in unfenced
    found = proved(before, unfenced)
    assert found.outcome == OPEN
    assert "a product reads what threads stored in shared memory, with no fence between" in found.reason
    without = re.sub(r'\n[^\n]*"ttng\.fence_async_shared[^\n]*', "", before)
    found = proved(without, unfenced)
    assert found.outcome == OPEN
    assert "ttng.warp_group_dot at" in found.reason
    assert "with no ttng.fence_async_shared between" in found.reason


COUNTED = """
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!row = tensor<128xf32, #blocked>
!rows = tensor<128x!tt.ptr<f32>, #blocked>
!index = tensor<128xi32, #blocked>
!slots = !ttg.memdesc<3x128xf32, #shared, #smem, mutable>
!slot = !ttg.memdesc<128xf32, #shared, #smem, mutable>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:90"} {
tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %first = arith.constant FIRST
  %step = arith.constant STEP
  %three = arith.constant 3 : i64
  %wide = arith.constant 128 : i32
  %i = tt.make_range {end = 128 : i32, start = 0 : i32} : !index
  %b = ttg.local_alloc : () -> !slots
  %all = scf.for %r = %c0 to %n step %c1 iter_args(%begin = %first) -> (i64) : i32 {
    %last = scf.for %j = %c0 to %n step %c1 iter_args(%count = %begin) -> (i64) : i32 {
      %at = arith.muli %j, %wide : i32
      %ats = tt.splat %at : i32 -> !index
      %places = arith.addi %ats, %i : !index
      %xs = tt.splat %x : !tt.ptr<f32> -> !rows
      %from = tt.addptr %xs, %places : !rows, !index
      %outs = tt.splat %out : !tt.ptr<f32> -> !rows
      %to = tt.addptr %outs, %places : !rows, !index
      %v = tt.load %from : !rows
      %turns = arith.divui %count, %three : i64
      %whole = arith.muli %turns, %three : i64
      %rest = arith.subi %count, %whole : i64
      %slot = arith.trunci %rest : i64 to i32
      %s = ttg.memdesc_index %b[%slot] : !slots -> !slot
      ttg.local_store %v, %s : !row -> !slot
      %w = ttg.local_load %s : !slot -> !row
      tt.store %to, %w : !rows
      %next = arith.addi %count, %step : i64
      scf.yield %next : i64
    }
    scf.yield %last : i64
  }
  tt.return
}
}
"""


def counted(first: int, step: int) -> tuple[str, str]:
    """A kernel whose slots are the rest of a counter by 3, before and after the lowering."""
    keep, passes = Keep(), f"allocate-shared-memory-nv,convert-scf-to-cf,{PASS}{{compute-capability=90}}"
    text = COUNTED.replace("FIRST", f"{first} : i64").replace("STEP", f"{step} : i64")
    with ttkit.Context() as context:
        run_passes(parse_text(text, context), passes, subscribers=[keep])
    return keep.old, keep.new


@pytest.mark.parametrize(("first", "step"), [(0, 1), (1, 1), (5, 4)])
def test_slots_by_the_rest_of_a_counter_are_proved(first, step):
    found = proved(*counted(first, step))
    assert (found.outcome, found.reason) == (PROVED, "")


@pytest.mark.parametrize(
    ("first", "step", "old", "new"),
    [
        (0, 1, "value = 3 : i64", "value = 2 : i64"),  # the divisor
        (0, 1, '"llvm.udiv"', '"llvm.urem"'),
        (0, 2, "value = 2 : i64", "value = 1 : i64"),  # the step
        (1, 2, "value = 1 : i64", "value = 0 : i64"),  # the first slot
    ],
)
def test_slots_by_another_rest_are_no_proof(first, step, old, new):
    before, after = counted(first, step)
    check_is_no_proof(before, changed(after, old, new), "goes on|begins|never has them|more than the thread|byte")


def test_a_counter_that_goes_down_is_no_proof():
    assert proved(*counted(0, -1)).outcome == OPEN  # its rest by 3 jumps where it wraps
