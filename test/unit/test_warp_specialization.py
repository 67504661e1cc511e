"""Loops divided among groups of warps, compiled for sm_90 and and run by the interpreter of ttg."""

import re

import numpy as np
import pytest
from specialized_loops import LOOPS, Loop

import ttkit
from ttkit import GPUTarget
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


# Loops with others in them stay whole on Blackwell.
ON_BLACKWELL = [
    loop for loop in LOOPS if loop.name in ("rows", "edges", "no_iteration", "pointers", "branch", "attention")
]


@pytest.mark.parametrize("loop", ON_BLACKWELL, ids=str)
def test_results_on_blackwell(loop: Loop, monkeypatch):
    monkeypatch.setenv("TTKIT_DEVICE", "interpret:sm_100")
    driver.reset_active()
    found, wanted, compiled = loop.run()
    np.testing.assert_allclose(found, wanted, rtol=2e-3, atol=2e-3)
    assert "ttg.warp_specialize" in compiled.asm["ttgir"]
    assert "partition0(" in compiled.asm["ttgir"]


@pytest.mark.parametrize("capability", [90, 100])
def test_loops_in_loops_stay_whole_on_blackwell(capability: int, monkeypatch):
    monkeypatch.setenv("TTKIT_DEVICE", f"interpret:sm_{capability}")
    driver.reset_active()
    (loop,) = [loop for loop in LOOPS if loop.name == "persistent"]
    found, wanted, compiled = loop.run()
    np.testing.assert_array_equal(found, wanted)
    assert ("partition0(" in compiled.asm["ttgir"]) == (capability == 90)


@pytest.mark.parametrize("capability", [90, 100])
@pytest.mark.parametrize("loop", LOOPS, ids=str)
def test_ptxas_accepts_them(loop: Loop, capability: int):
    compiled = ttkit.compile(loop.source(), GPUTarget("cuda", capability, 32), {"num_warps": 4})
    assert compiled.asm["cubin"]
    assert capability == 100 or "partition" in compiled.asm["ttgir"]
