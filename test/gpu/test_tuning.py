"""Timing and tuning on a GPU, with and without torch."""

import sys

import numpy as np
import pytest

import ttkit
from ttkit import language as tl
from ttkit import testing
from ttkit.autotuning import AutotuneWarning
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
