"""Timing by the profiler: the kernels of a function, as CUPTI or events tell of them."""

import sys

import launched_kernels as kernels
import pytest
from launched_kernels import Tensor

import ttkit.profiler as proton
from ttkit.profiler import sessions
from ttkit.profiler.benchmarks import do_bench_proton
from ttkit.runtime import driver


@pytest.fixture(autouse=True)
def cache(gpu, tmp_path, monkeypatch):
    """Nothing is flushed."""
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    kernels.add.device_caches.clear()
    monkeypatch.setattr(driver.active, "get_empty_cache_for_benchmark", lambda: None)
    monkeypatch.setattr(driver.active, "clear_cache", lambda cache: None)
    yield
    assert not sessions.SESSIONS
    sys.modules[proton.start.__module__]._shared.cache_clear()


def launch():
    """Takes 4 ms of the stand-in for the driver."""
    kernels.add[(1,)](Tensor(), Tensor(), Tensor(), 16, BLOCK=16)


def test_by_cupti(fake_cupti, monkeypatch):
    """Two kernels in each run; what flushes the cache before it is no part of the result."""
    monkeypatch.setattr(driver.active, "clear_cache", lambda cache: fake_cupti.kernel("flush", 7_000_000))
    runs = []

    def run():
        runs.append(None)
        launch()
        fake_cupti.kernel("first", 1_000_000)
        fake_cupti.kernel("second", 1_000_000 * (len(runs) % 2))

    assert sorted(set(do_bench_proton(run, warmup=4, rep=40, return_mode="all"))) == [1.0, 2.0]
    assert len(runs) == 1 + 5 + 1 + 10  # to compile it, to estimate, to warm up, to time
    assert do_bench_proton(run, warmup=4, rep=40, quantiles=[0, 1]) == [1.0, 2.0]


def test_by_events(no_cupti):
    with proton.scope("around"):
        assert do_bench_proton(launch, warmup=4, rep=40) == 4.0


def test_refused(no_cupti):
    with pytest.raises(ValueError, match="return_mode must be one of"):
        do_bench_proton(launch, return_mode="best")
    with pytest.raises(RuntimeError, match="launched no kernels"):
        do_bench_proton(lambda: None, rep=1)
