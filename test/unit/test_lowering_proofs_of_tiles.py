"""Proofs of lowered copies by TMA with their mbarriers, and bugs planted there."""

from __future__ import annotations

import planted_in_protocols
import pytest
from sweeps import swept
from test_lowering_proofs import PASS, changed, context, lowered, proved
from test_validation import check_proved_mistakes

from ttkit.validation.functions import PROVED


@pytest.mark.parametrize(
    "name",
    [
        "descriptor_arguments.100.ttir",
        "descriptor_ranks.90.ttir",
        "descriptor_reductions.100.ttir",
        "descriptor_reductions_bitwise.90.ttir",
        "descriptor_gather_scatter.100.ttir",
        "descriptor_copy.100.ttir",
        swept("descriptor_matmul.90.ttir"),
    ],
)
def test_copies_of_tiles_are_proved(name):
    found = proved(*lowered(name))
    assert (found.outcome, found.reason) == (PROVED, "")


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("complete, [$0], $1", "complete, [$0], 1", "the phase of a wait: found 1, not "),
        ("complete, [$0]", "complete, [$0 + 8]", "an mbarrier at 16392, not at 16384"),
        ("_, [$1], 8192", "_, [$1], 4096", "expect with 4096, not 8192"),
        ("[$1], 1;", "[$1], 2;", "init with 2, not 1"),
        ("[$1], [$2, {$3, $4}]", "[$1], [$2, {$4, $3}]", "coordinate 0 of a message"),
        ("[$1], [$2, {$3, $4}]", "[$1 + 1024], [$2, {$3, $4}]", "a box that is not where"),
        ("swizzle_mode.shared::cta.b1024.b32 [ $0 + 0 ], 0x3", "swizzle_mode.shared::cta.b1024.b32 [ $0 + 0 ], 0x2",
         "a tensor map with the codes"),
        ("@$0 cp.async.bulk.tensor", "cp.async.bulk.tensor", "the condition of a copy|copied twice|the kernel has"),
        ("fence.proxy.async.shared::cta;", "", "with no fence between"),
        ("fence.proxy.async.shared::cta;", "fence.proxy.async.global;", "not modelled: fence.proxy.async.global"),
        ("swizzle_mode.shared::cta.b1024.b32", "swizzle_mode.shared::cta.b1024.b64", "not modelled: tensormap"),
        ("shared::cta;\", constraints = \"\", has_side_effects", "shared::cta;\", constraints = \"\"",
         "not said to have effects"),
        (r"@$1 fence.proxy.tensormap::generic.acquire.gpu [ $0 + 0 ], 0x80;\0A\09", "", "no fence of its proxy"),
    ],
)  # fmt: skip
def test_a_wrong_copy_is_not_proved(old, new, reason):
    before, after = lowered("descriptor_copy.100.ttir")
    found = proved(before, changed(after, old, new))
    assert found.outcome != PROVED
    assert any(one in found.reason for one in reason.split("|")), found.reason


@pytest.mark.parametrize(
    "name",
    [
        "descriptor_ranks.90.ttir",
        "descriptor_reductions.100.ttir",
        swept("descriptor_arguments.100.ttir"),
        swept("descriptor_gather_scatter.100.ttir"),
        swept("descriptor_copy.100.ttir"),
    ],
)
def test_a_mistake_in_a_protocol_that_is_proved_changes_no_result(name):
    before, after = lowered(name)
    assert check_proved_mistakes(before, after, context(), PASS, 1, planted_in_protocols.MISTAKES) >= 25


def test_a_wait_for_reads_is_no_wait_for_writes():
    before, after = lowered("descriptor_copy.100.ttir")
    assert "cp.async.bulk.wait_group.read 0" in after
    for_writes, waits = before.replace("{read_only}", "{read_only = false}"), after.replace("group.read 0", "group 0")
    assert "a wait for reads alone" in proved(for_writes, after).reason
    assert proved(for_writes, waits).outcome == proved(before, waits).outcome == PROVED
