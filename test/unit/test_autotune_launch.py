"""Autotuning real kernels on a GPU that is made up (fake_driver): a launch takes a millisecond a warp."""

import os
import sys
import time

import numpy as np
import pytest

from ttkit import knobs
from ttkit import language as tl
from ttkit.autotuning import AutotuneWarning, Config, autotune
from ttkit.autotuning.compile_ahead import CompileWorkerDied, PendingKernel, compile_all
from ttkit.autotuning.errors import OverTimeBudget
from ttkit.cuda.device import DeviceArray
from ttkit.frontend.errors import CompilationError
from ttkit.language.jit_function import jit
from ttkit.runtime.tensor_descriptor import TensorDescriptor
from ttkit.testing import do_bench

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="compilations run in forked processes")


@jit
def increment(x, n, BLOCK: tl.constexpr):
    tl.static_assert(BLOCK != 64, "BLOCK must not be 64")
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + at, tl.load(x + at, mask=at < n) + 1, mask=at < n)


@pytest.fixture(autouse=True)
def no_torch(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)


@pytest.fixture
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    increment.launches.device_caches.clear()
    return tmp_path


def configs(*warps, **kwargs):
    return [Config({"BLOCK": 128, **kwargs}, num_warps=count) for count in warps]


def quick(call, quantiles):
    return do_bench(call, warmup=1, rep=1, quantiles=quantiles)


def tuned(found, **given):
    return autotune(found, key=["n"], do_bench=quick, **given)(increment)


@pytest.mark.parametrize("jobs", [1, 3])
def test_the_fastest_config(gpu, cache, jobs):
    tuner = tuned(configs(4, 2, 1, 8), jobs=jobs)
    x = DeviceArray(np.zeros(1000, np.float32))
    tuner[(8,)](x, 1000)
    assert tuner.best_config.num_warps == 1
    assert [times[0] for times in tuner.configs_timings.values()] == [4.0, 2.0, 1.0, 8.0]
    assert len(tuner.compile_seconds) == 4
    assert gpu.launches[-1].block == (32, 1, 1) and gpu.launches[-1].grid == (8, 1, 1)
    assert len(list(cache.glob("*/increment.cubin"))) == 4


def test_what_can_not_be_compiled_is_skipped(gpu, cache):
    found = [*configs(4), *configs(1, BLOCK=64), *configs(2, BLOCK=60), *configs(3), *configs(2)]
    tuner = tuned(found, jobs=2)
    with pytest.warns(AutotuneWarning) as warned:
        tuner[(8,)](DeviceArray(np.zeros(1000, np.float32)), 1000)
    assert tuner.best_config == found[4]
    assert [str(one.message).partition("skipped: ")[2] for one in warned] == [
        "BLOCK must not be 64",
        "arange's range must be a power of 2",
        "num_warps must be a power of 2, up to 1024; found 3",
    ]


def test_post_hook_is_told_of_errors_of_compiling(gpu, cache, monkeypatch):
    from ttkit.runtime import jit as launching

    compiled, seen = [], []
    compile_for_launch = launching.compile_for_launch

    def counted(source, *rest):
        compiled.append(source.constants)
        return compile_for_launch(source, *rest)

    monkeypatch.setattr(launching, "compile_for_launch", counted)

    def after(given, exception):
        seen.append((given["BLOCK"], type(exception).__name__))

    tuner = tuned([*configs(1, BLOCK=64), *configs(2)], post_hook=after, jobs=1)
    with pytest.warns(AutotuneWarning, match="BLOCK must not be 64"):
        tuner[(8,)](DeviceArray(np.zeros(1000, np.float32)), 1000)
    assert seen[0] == (64, "CompileTimeAssertionFailure") and set(seen[1:]) == {(128, "NoneType")}
    assert len(compiled) == 2  # what failed ahead is not compiled again to fail again


@jit
def copy_block(x, y, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    y.store([0, 0], x.load([0, 0]) + 1)


@pytest.mark.parametrize("jobs", [1, 2])
def test_hooks_that_set_the_block_of_a_descriptor(gpu, cache, jobs):
    """The block of a host descriptor is a part of the kernel's type, which the hook of each configuration decides."""

    def set_blocks(given):
        for name in ("x", "y"):
            given[name].block_shape = [given["ROWS"], given["COLUMNS"]]

    found = [
        Config({"ROWS": rows, "COLUMNS": 64}, num_warps=warps, pre_hook=set_blocks)
        for rows, warps in ((64, 4), (32, 1))
    ]
    x, y = (TensorDescriptor.from_tensor(DeviceArray(np.zeros((128, 64), np.float32)), [1, 1]) for _ in "xy")
    copy_block.launches.device_caches.clear()
    tuner = autotune(found, key=[], do_bench=quick, jobs=jobs)(copy_block)
    tuner[(1,)](x, y)
    assert not tuner.skipped and tuner.best_config == found[1] and x.block_shape == [32, 64]
    assert len(list(cache.glob("*/copy_block.cubin"))) == 2  # and none with blocks of [1, 1]


def test_too_much_for_the_gpu_is_skipped(gpu, cache):
    gpu.limits(threads=64)
    tuner = tuned(configs(1, 4))
    with pytest.warns(AutotuneWarning, match="out of resource: threads, Required: 128, Hardware limit: 64"):
        tuner[(8,)](DeviceArray(np.zeros(1000, np.float32)), 1000)
    assert tuner.best_config.num_warps == 1


def test_a_mistake_in_the_kernel_is_raised(gpu, cache):
    with pytest.raises(CompilationError, match="BLOCK must not be 64"):
        tuned(configs(1, 2, BLOCK=64))[(8,)](DeviceArray(np.zeros(10, np.float32)), 10)


def test_timings_are_kept_on_disk(gpu, cache, monkeypatch):
    x = DeviceArray(np.zeros(1000, np.float32))
    first = tuned(configs(4, 2), cache_results=True)
    first[(8,)](x, 1000)
    assert len(list(cache.glob("*/increment.autotune.json"))) == 1
    again = tuned(configs(4, 2), cache_results=True)
    monkeypatch.setattr(again, "_bench", None)
    again[(8,)](x, 1000)
    assert again.configs_timings == first.configs_timings and again.best_config.num_warps == 2
    (path,) = cache.glob("*/increment.autotune.json")
    for damage in ("{", "[]", '{"configs_timings": [["x", [1.0]]]}', '{"configs_timings": [[{"kwargs": {}}, ["x"]]]}'):
        path.write_text(damage)
        broken = tuned(configs(4, 2), cache_results=True)
        broken[(8,)](x, 1000)
        assert broken.configs_timings == first.configs_timings


def test_a_listener_hears_of_every_tuning(gpu, cache, monkeypatch):
    heard = []
    monkeypatch.setattr(knobs.autotuning, "listener", lambda **told: heard.append(told))
    x = DeviceArray(np.zeros(1000, np.float32))
    for _ in range(2):
        kernel = tuned(configs(4, 2), cache_results=True)
        kernel[(8,)](x, 1000), kernel[(8,)](x, 1000)
    measured, found = heard
    assert measured["fn"].__name__ == "increment" and measured["best_config"].num_warps == 2
    assert measured["key"] == found["key"] and measured["configs_timings"] == found["configs_timings"]
    assert (measured["cache_hit"], found["cache_hit"]) == (False, True)
    assert measured["duration"] > 0 and found["duration"] is None


def test_timings_of_hooks_are_not_kept(gpu, cache):
    found = [Config({"BLOCK": 128}, num_warps=count, pre_hook=lambda arguments: None) for count in (1, 2)]
    tuned(found, cache_results=True)[(8,)](DeviceArray(np.zeros(1000, np.float32)), 1000)
    assert not list(cache.glob("*/*.autotune.json"))


def test_the_knob_keeps_timings_of_all(gpu, cache):
    with knobs.autotuning.scope():
        knobs.autotuning.cache = True
        tuner = tuned(configs(4, 2))
    tuner[(8,)](DeviceArray(np.zeros(1000, np.float32)), 1000)
    assert len(list(cache.glob("*/increment.autotune.json"))) == 1


# --- processes --------------------------------------------------------------------------------------------------------


def job(compile_fn, finished=None):
    return [PendingKernel(compile_fn, (finished if finished is not None else []).append)]


def here(seconds):
    """A compilation that takes this long in a child, and none in the parent, as if it found the child's result."""
    parent = os.getpid()

    def compile_fn():
        if os.getpid() != parent:
            time.sleep(seconds)
        return "kernel"

    return compile_fn


def slow_once():
    """What the parent compiles itself, to see that it takes time."""
    time.sleep(0.05)
    return "kernel"


def test_children_run_at_once():
    finished = []
    start = time.monotonic()
    outcomes = compile_all([job(slow_once), *[job(here(0.3), finished) for _ in range(4)]], workers=4)
    assert time.monotonic() - start < 1.0
    assert [outcome.error for outcome in outcomes] == [None] * 5 and finished == ["kernel"] * 4
    assert all(outcome.seconds > 0.1 for outcome in outcomes[1:])


def test_errors_cross_processes():
    def fails():
        raise CompilationError("def k(): pass", None, "the reason")

    class Local(Exception):
        """Can't be pickled."""

    def fails_oddly():
        raise Local("odd")

    outcomes = compile_all([job(slow_once), job(fails), job(fails_oddly)], workers=2)
    assert isinstance(outcomes[1].error, CompilationError) and outcomes[1].error.error_message == "the reason"
    assert str(outcomes[2].error) == "odd"


def test_a_child_that_dies():
    parent = os.getpid()

    def dies():
        if os.getpid() != parent:
            os.kill(os.getpid(), 9)

    outcomes = compile_all([job(slow_once), job(dies), job(here(0))], workers=2)
    assert isinstance(outcomes[1].error, CompileWorkerDied) and "killed by SIGKILL" in str(outcomes[1].error)
    assert outcomes[2].error is None


def test_a_time_budget_ends_a_compilation():
    start = time.monotonic()
    outcomes = compile_all([job(here(30)), job(here(0)), job(here(30))], workers=3, time_budget=0.3)
    assert time.monotonic() - start < 5
    assert [type(outcome.error) for outcome in outcomes] == [OverTimeBudget, type(None), OverTimeBudget]
    assert str(outcomes[0].error) == "compiling takes more than 0.3 s, its time budget"


def test_what_the_cache_has_starts_no_process(monkeypatch):
    monkeypatch.setattr(os, "fork", None)
    finished = []
    compile_all([job(lambda: "kernel", finished) for _ in range(5)], workers=4)
    assert finished == ["kernel"] * 5


def test_a_system_without_more_processes(monkeypatch):
    def refuse():
        raise BlockingIOError("no more processes")

    monkeypatch.setattr(os, "fork", refuse)
    finished = []
    outcomes = compile_all([job(slow_once, finished) for _ in range(3)], workers=2)
    assert finished == ["kernel"] * 3 and [outcome.error for outcome in outcomes] == [None] * 3


def test_a_listener_sees_every_compilation_in_this_process(monkeypatch):
    monkeypatch.setattr(os, "fork", None)
    with knobs.compilation.scope():
        knobs.compilation.listener = lambda **told: None
        compile_all([job(slow_once), job(slow_once)], workers=4)
