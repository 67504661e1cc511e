"""Loops divided among groups of warps: what they compute on the GPU."""

import re

import numpy as np
import pytest
from specialized_loops import LOOPS, Loop, persistent_attention

from ttkit.target import Target


@pytest.mark.parametrize("loop", LOOPS, ids=str)
def test_results(loop: Loop, capability: int):
    if not Target(capability).has_wgmma:
        pytest.skip("products by warp groups are of sm_90")
    found, wanted, compiled = loop.run()
    tolerance = 0 if len(loop.sizes) == 3 else 2e-3
    np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance)
    # persistent_attention has too few stages
    takes_turns = loop.kernel is not persistent_attention and loop.options.get("D") == 128 and loop.groups == 3
    assert ("bar.arrive" in compiled.asm["ptx"]) == takes_turns
    assert len(re.findall(r"^ *partition\d+\(", compiled.asm["ttgir"], re.MULTILINE)) == loop.groups - 1
