"""Clocks and power by NVML, without a GPU: a library that a test compiles, and looks that are given."""

import subprocess
import time

import pytest

from ttkit.cuda import nvml
from ttkit.profiler import gpu_watch
from ttkit.profiler.gpu_watch import GpuWatch

LIBRARY = r"""
#include <string.h>
typedef unsigned long long Long;
int nvmlInit_v2(void) { return 0; }
const char *nvmlErrorString(int code) { return "a reason"; }
int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **device) { return strcmp(bus, "0000:1b:00.0"); }
int nvmlDeviceGetClockInfo(void *device, int kind, unsigned *clock) { return *clock = kind == 1 ? 1755 : 3201, 0; }
int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts) { return *milliwatts = 412500, 0; }
int nvmlDeviceGetTotalEnergyConsumption(void *device, Long *millijoules) { return *millijoules = 7000, 0; }
int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, Long *reasons) { return *reasons = 0x4 | 0x1, 0; }
"""


@pytest.fixture
def library(tmp_path, monkeypatch):
    (tmp_path / "nvml.c").write_text(LIBRARY)
    path = tmp_path / "libnvidia-ml.so.1"
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", path, tmp_path / "nvml.c"], check=True)
    monkeypatch.setattr(nvml, "_NAME", str(path))
    caches = nvml.library, nvml._handle
    for cache in caches:
        cache.cache_clear()
    yield path
    for cache in caches:
        cache.cache_clear()


def test_a_state_has_its_units(library, monkeypatch):
    def call(name, bus, size, ordinal):
        assert name == "cuDeviceGetPCIBusId" and ordinal.value == 1
        bus.value = b"0000:1b:00.0"

    monkeypatch.setattr(nvml.libcuda, "call", call)
    assert nvml.state(1) == nvml.State(1755, 3201, 412.5, 7.0, ("power cap",))


def test_without_nvml(monkeypatch, gpu):
    monkeypatch.setattr(nvml, "_NAME", "libno-such-nvml.so")
    nvml.library.cache_clear()
    monkeypatch.setattr(nvml.libcuda, "call", lambda *_: None)
    with pytest.raises(nvml.NvmlError, match="no NVML"):
        nvml.library()
    with GpuWatch(lambda: nvml.library()) as watch:
        pass
    assert watch.facts() == [] and "no NVML" in watch.problem


def test_facts(monkeypatch):
    monkeypatch.setattr(gpu_watch, "SECONDS", 0.001)
    states = iter([nvml.State(600, 3201, 100.0, 5.0, ())])
    last = nvml.State(1800, 3201, 500.0, 25.0, ("power cap",))
    with GpuWatch(lambda: next(states, last)) as watch:
        deadline = time.monotonic() + 20
        while len(watch.states) < 3 and time.monotonic() < deadline:
            time.sleep(0.001)
    facts = dict(watch.facts())
    assert facts["SM clock"].startswith("600 to 1800 MHz") and facts["memory clock"] == "3201 MHz"
    assert facts["energy"] == "20.0 J" and facts["power"].endswith("at most 500 W")
    assert facts["clock held down by"].startswith("power cap")


def test_it_waits_until_a_gpu_is_used(gpu, monkeypatch):
    """Nothing of the driver is touched before."""
    monkeypatch.setattr(gpu_watch, "SECONDS", 0.001)
    monkeypatch.setattr(gpu_watch.nvml, "state", lambda ordinal: nvml.State(ordinal, 1, 1.0, None, ()))
    is_used = []
    monkeypatch.setattr(gpu_watch, "is_loaded", lambda: bool(is_used))
    monkeypatch.setattr(gpu_watch, "in_use", lambda: is_used)
    with GpuWatch() as watch:
        time.sleep(0.02)
        assert not watch.states
        is_used.append(7)
        deadline = time.monotonic() + 20
        while not watch.states and time.monotonic() < deadline:
            time.sleep(0.001)
    assert watch.states[0].sm_clock == 7 and not watch.problem
    is_used.clear()
    with GpuWatch() as watch:
        pass
    assert not watch.states and "no kernel" in watch.problem
