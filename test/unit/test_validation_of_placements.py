"""Places of buffers and of groups of warps: what is in use at one time must not overlap."""

from __future__ import annotations

import re

import pytest
from test_lowering_proofs import context, lowered

from ttkit.validation import validate
from ttkit.validation.functions import OPEN, PROVED
from ttkit.validation.proofs import decoded

KERNEL = """
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#row = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", ttg.shared = 1024 : i32} {
tt.func public @k(%out: !tt.ptr<f32>, %flag: i1) {
  %one = arith.constant dense<1.0> : tensor<128xf32, #row>
  %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #row>
  %s = tt.splat %out : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #row>
  %p = tt.addptr %s, %i : tensor<128x!tt.ptr<f32>, #row>, tensor<128xi32, #row>
  %a = ttg.local_alloc %one {allocation.offset = 0 : i32} : (tensor<128xf32, #row>) -> !ttg.memdesc<128xf32, #shared, #smem>
  cf.cond_br %flag, ^first, ^second
^first:
  %b = ttg.local_alloc %one {allocation.offset = 512 : i32} : (tensor<128xf32, #row>) -> !ttg.memdesc<128xf32, #shared, #smem>
  %v = ttg.local_load %b : !ttg.memdesc<128xf32, #shared, #smem> -> tensor<128xf32, #row>
  %w = ttg.local_load %a : !ttg.memdesc<128xf32, #shared, #smem> -> tensor<128xf32, #row>
  %x = arith.addf %v, %w : tensor<128xf32, #row>
  cf.br ^last(%x : tensor<128xf32, #row>)
^second:
  %c = ttg.local_alloc %one {allocation.offset = 512 : i32} : (tensor<128xf32, #row>) -> !ttg.memdesc<128xf32, #shared, #smem>
  %y = ttg.local_load %c : !ttg.memdesc<128xf32, #shared, #smem> -> tensor<128xf32, #row>
  cf.br ^last(%y : tensor<128xf32, #row>)
^last(%z: tensor<128xf32, #row>):
  tt.store %p, %z : tensor<128x!tt.ptr<f32>, #row>
  tt.return
}
}
"""  # noqa: E501


def verdict(before: str, after: str, name: str):
    """The verdict of a search for a proof alone."""
    here = context()
    return validate(decoded(before, here), decoded(after, here), name, searches=False)


@pytest.mark.parametrize(
    ("name", "offset", "outcome"), [("%b", 256, OPEN), ("%b", 0, OPEN), ("%b", 1024, PROVED), ("%c", 0, PROVED)]
)
def test_buffers_that_are_in_use_at_one_time_do_not_overlap(name, offset, outcome):
    moved = re.sub(rf"({name} = .*offset = )512", rf"\g<1>{offset}", KERNEL)
    found = verdict(KERNEL, moved, "k")
    assert found.outcome == outcome, found.reason
    if outcome == OPEN:
        assert re.search(r'^ttg.local_alloc: two buffers .* at "-":\d+:\d+ and "-":\d+:\d+$', found.reason)


def test_the_buffers_of_a_kernel_have_places_of_their_own():
    text, _ = lowered("descriptor_copy.100.ttir")
    offsets = sorted(set(re.findall(r'"ttg.local_alloc"[^\n]*?allocation.offset = (\d+)', text)), key=int)
    assert len(offsets) > 2
    for offset in offsets[1:]:
        moved = re.sub(rf'("ttg.local_alloc"[^\n]*?allocation.offset = ){offset}\b', r"\g<1>0", text)
        assert moved != text
        assert verdict(text, moved, "descriptor_copy").outcome == OPEN


@pytest.mark.parametrize(
    "change",
    [(r"(warpGroupStartIds = array<i32: )\d+", r"\g<1>0"), (r"total-num-warps\" = \d+", 'total-num-warps" = 5')],
)
def test_groups_of_warps_do_not_share_warps(change):
    text, _ = lowered("specialized_matmul.100.ttir")
    wrong = re.sub(*change, text, count=1)
    assert wrong != text
    found = verdict(text, wrong, "descriptor_matmul")
    assert found.outcome == OPEN
    assert re.search("ttg.warp_specialize: (two groups have|a group has) warp", found.reason)
