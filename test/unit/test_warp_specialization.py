"""Loops divided among groups of warps, compiled for sm_90 and and run by the interpreter of ttg."""

import re

import numpy as np
import pytest
from specialized_loops import LOOPS, Loop

from ttkit.runtime import driver


@pytest.fixture(autouse=True)
def device(monkeypatch, tmp_path_factory):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path_factory.getbasetemp() / "specialized"))
    monkeypatch.setenv("TTKIT_DEVICE", "interpret:sm_90")
    driver.reset_active()
    yield
    monkeypatch.delenv("TTKIT_DEVICE")
    driver.reset_active()
    for loop in LOOPS:
        loop.kernel.device_caches.clear()


@pytest.mark.parametrize("loop", LOOPS, ids=str)
def test_results(loop: Loop):
    found, wanted, compiled = loop.run()
    tolerance = 0 if len(loop.sizes) == 3 else 2e-3
    np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance)
    assert len(re.findall(r"^ *partition\d+\(", compiled.asm["ttgir"], re.MULTILINE)) == loop.groups - 1
