"""Loops divided among groups of warps: what they compute on the GPU."""

import re

import numpy as np
import pytest
from specialized_loops import LOOPS, Loop, attention

from ttkit.target import Target


@pytest.mark.parametrize("loop", LOOPS, ids=str)
def test_results(loop: Loop, capability: int):
    if not Target(capability).has_wgmma:
        pytest.skip("products by warp groups are of sm_90")
    found, wanted, compiled = loop.run()
    tolerance = 0 if len(loop.sizes) == 3 else 2e-3
    np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance)
    takes_turns = loop.kernel is attention and loop.options.get("D") == 128  # persistent_attention has too few stages
    assert ("bar.arrive" in compiled.asm["ptx"]) == takes_turns
    assert len(re.findall(r"^ *partition\d+\(", compiled.asm["ttgir"], re.MULTILINE)) == loop.groups - 1
