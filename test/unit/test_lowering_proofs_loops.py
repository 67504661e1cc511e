"""Proofs of lowered products, pipelined loops, reductions by any region; and wrong lowerings of them."""

from __future__ import annotations

import re

import pytest
from test_lowering_proofs import APPROXIMATE, ORDER, changed, check_is_no_proof, lowered, proved

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
