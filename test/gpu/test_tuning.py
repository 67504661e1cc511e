"""Timing and tuning on a GPU, with and without torch."""

import sys

import numpy as np
import pytest

import ttkit
from ttkit import language as tl
from ttkit import testing
from ttkit.autotuning import AutotuneWarning
from ttkit.autotuning.store import Store
from ttkit.cuda.device import DeviceArray


@ttkit.jit
def double(x, y, n, BLOCK: tl.constexpr):
    tl.static_assert(BLOCK < 8192, "BLOCK is too large")
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, 2 * tl.load(x + at, mask=at < n), mask=at < n)


def grid(n):
    return lambda meta: (ttkit.cdiv(n, meta["BLOCK"]),)


@pytest.fixture
def no_torch(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)


@pytest.mark.alone
def test_times_without_torch(no_torch):
    small, large = (DeviceArray(np.ones(n, np.float32)) for n in (1 << 10, 1 << 25))
    times = [
        testing.do_bench(lambda array=array, n=n: double[grid(n)](array, array, n, BLOCK=1024), warmup=5, rep=20)
        for array, n in ((small, 1 << 10), (large, 1 << 25))
    ]
    # 256 MB take 50 us even at 5 TB/s.
    assert 0 < times[0] < times[1] and times[1] > 0.05


@pytest.mark.parametrize("with_torch", [False, True])
def test_tuning(with_torch, monkeypatch, tmp_path):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    n = 1 << 20
    values = np.arange(n, dtype=np.float32)
    if with_torch:
        torch = pytest.importorskip("torch")
        x, y = torch.tensor(values, device="cuda"), torch.zeros(n, device="cuda")
    else:
        monkeypatch.setitem(sys.modules, "torch", None)
        x, y = DeviceArray(values), DeviceArray(np.zeros(n, np.float32))
    configs = [ttkit.Config({"BLOCK": size}, num_warps=warps) for size, warps in ((32, 1), (1024, 4), (8192, 8))]
    tuned = ttkit.autotune(configs, key=["n"])(double)
    with pytest.warns(AutotuneWarning, match="BLOCK is too large"):
        tuned[grid(n)](x, y, n)
    assert np.array_equal(y.cpu().numpy() if with_torch else y.numpy(), 2 * values)
    assert tuned.best_config in configs[:2] and tuned.configs_timings[configs[2]] == [float("inf")] * 3
    assert all(times[0] > 0 for times in tuned.configs_timings.values())


def test_cuda_graphs():
    torch = pytest.importorskip("torch")
    x = torch.ones(1 << 20, device="cuda")
    double[grid(1 << 20)](x, x, 1 << 20, BLOCK=1024)
    milliseconds = testing.do_bench_cudagraph(lambda: double[grid(1 << 20)](x, x, 1 << 20, BLOCK=1024), rep=5)
    assert 0 < milliseconds < 1


@ttkit.jit
def troubled(x, n, SPINS: tl.constexpr, FAR: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < n)
    for _ in range(SPINS):
        value = value * 1.0001 + tl.load(x + at, mask=at < n)
    tl.store(x + at.to(tl.int64) + FAR, value, mask=at < n)


def test_workers_compile_and_time(monkeypatch, tmp_path):
    """One configuration faults, one hangs: the other two are timed, compared, and the faster one launched."""
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    x = DeviceArray(np.zeros(1 << 20, np.float32))
    trouble = ((0, 0), (4000, 0), (0, 1 << 44), (1 << 40, 0))
    configs = [ttkit.Config({"SPINS": spins, "FAR": far, "BLOCK": 1024}) for spins, far in trouble]
    address = str(tmp_path / "tuning.sqlite")
    given = {"executor": "processes:2", "timing_executor": "gpus:0", "store": address, "time_budget": 5.0}
    tuned = ttkit.autotune(configs, key=["n"], **given)(troubled)
    with pytest.warns(AutotuneWarning) as warned:
        tuned[grid(1 << 20)](x, 1 << 20)
    assert tuned.best_config == configs[0] and set(tuned.skipped) == set(configs[2:])
    assert "its time budget" in tuned.skipped[configs[3]], [str(one.message) for one in warned]
    first, second, *_ = Store(address).timings()
    assert 0 < first.ms_20 <= first.ms <= first.ms_80 and first.ms < second.ms
    assert first.device and first.driver.count(".") >= 1 and first.clock > 0 and not first.clocks.startswith("0/")
    again = ttkit.autotune(configs, key=["n"], store=address)(troubled)
    again[grid(1 << 20)](x, 1 << 20)
    assert again.best_config == configs[0] and again.bench_time == 0


def test_workers_that_time_free_the_memory(monkeypatch, tmp_path):
    """What a worker's process held on the GPU is free once tuning has ended."""
    torch = pytest.importorskip("torch")
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    x = torch.zeros(1 << 28, device="cuda")
    configs = [ttkit.Config({"BLOCK": size}) for size in (256, 1024)]
    tuned = ttkit.autotune(configs, key=["n"], timing_executor="gpus:0")(double)
    before, _ = torch.cuda.mem_get_info()
    tuned[grid(1 << 28)](x, x, 1 << 28)
    after, _ = torch.cuda.mem_get_info()
    assert before - after < 64 << 20
