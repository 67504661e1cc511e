"""Tuning on executors: compiled by one, timed by another, on a GPU that is made up (fake_driver)."""

import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from kernels_to_tune import by_worker, copied, increment, quick, scaled, troubled

import ttkit
from ttkit import knobs
from ttkit.autotuning import AutotuneWarning, Config, autotune, elsewhere, heuristics
from ttkit.autotuning.portable_arguments import NotPortable, TensorImage, from_images, to_images
from ttkit.cuda.device import DeviceArray
from ttkit.language.jit_function import jit
from ttkit.notices import NOTICES
from ttkit.runtime.tensor_descriptor import TensorDescriptor


@pytest.fixture(autouse=True)
def no_torch(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)


@pytest.fixture
def cache(monkeypatch, tmp_path):
    """Empty caches, of this process and of its workers."""
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    for kernel in (increment, scaled, copied):
        kernel.launches.device_caches.clear()
    return tmp_path / "cache"


@pytest.fixture
def workers():
    """Two workers; their processes are begun anew, as the environment has changed."""
    from ttkit.executors import isolated

    isolated.end_all()
    with ThreadPoolExecutor(2) as executor:
        yield executor
    isolated.end_all()


def configs(*warps, **kwargs):
    return [Config({"BLOCK": 128, **kwargs}, num_warps=count) for count in warps]


def array(count=1000):
    return DeviceArray(np.zeros(count, np.float32))


def tuned(found, kernel=increment, do_bench=quick, **given):
    return autotune(found, key=["n"], do_bench=do_bench, **given)(kernel)


def medians(tuner):
    return {config.num_warps: times[0] for config, times in tuner.configs_timings.items()}


# --- compiling --------------------------------------------------------------------------------------------------------


def test_compiled_by_workers(gpu, cache, workers, monkeypatch):
    from ttkit.compiler.compilation import Compilation

    monkeypatch.setattr(Compilation, "run", None)  # nothing is compiled here
    tuner = tuned(configs(4, 2, 1, 8), executor=workers)
    tuner[(8,)](array(), 1000)
    assert medians(tuner) == {4: 4.0, 2: 2.0, 1: 1.0, 8: 8.0} and tuner.best_config.num_warps == 1
    assert len(tuner.compile_seconds) == 4 and min(tuner.compile_seconds.values()) > 0
    assert len(list(cache.glob("*/increment.cubin"))) == 8  # workers here share the cache, and keep each by its own key


def test_what_workers_refuse_or_die_of_costs_its_configuration(gpu, cache, workers):
    found = [*configs(4), *configs(1, KIND="die"), *configs(1, BLOCK=64), *configs(1, KIND="hang"), *configs(2)]
    with pytest.warns(AutotuneWarning) as warned:
        tuner = tuned(found, executor=workers, time_budget=15)
        tuner[(8,)](array(), 1000)
    assert tuner.best_config == found[4]
    assert [str(one.message).partition("skipped: ")[2] for one in warned] == [
        "the process that did it ended: SIGKILL",
        "BLOCK must not be 64",
        "compiling takes more than 15 s, its time budget",
    ]


def test_what_can_not_travel_is_compiled_here(gpu, cache, workers):
    @jit
    def inner(x, BLOCK: ttkit.language.constexpr):
        ttkit.language.store(x, BLOCK)

    tuner = autotune(configs(2, 1), key=[], do_bench=quick, executor=workers)(inner)
    tuner[(1,)](array())
    assert tuner.best_config.num_warps == 1


def test_workers_with_another_compiler_are_not_believed(gpu, cache, workers, capsys, monkeypatch):
    from ttkit.runtime import compile

    NOTICES.forget()
    monkeypatch.setattr(compile, "toolkit_key", lambda: "0" * 64)
    tuner = tuned(configs(2, 1), executor=workers)
    tuner[(8,)](array(), 1000)
    assert tuner.best_config.num_warps == 1
    assert "a worker compiles with another ttkit, ptxas or environment" in capsys.readouterr().err


# --- timing -----------------------------------------------------------------------------------------------------------


def test_timed_by_workers(gpu, cache, workers):
    tuner = tuned(configs(4, 2, 1, 8), timing_executor=workers, jobs=2)
    tuner[(8,)](array(), 1000)
    assert medians(tuner) == {4: 4.0, 2: 2.0, 1: 1.0, 8: 8.0} and tuner.best_config.num_warps == 1
    assert len(gpu.launches) == 1  # here, only that of the best one


def test_a_worker_that_dies_hangs_or_faults_costs_its_configuration(gpu, cache, workers, monkeypatch):
    monkeypatch.setattr(elsewhere, "SECONDS", 15.0)  # others take a part of a second
    found = configs(4, 16, 8, 32, 2)
    with pytest.warns(AutotuneWarning) as warned:
        tuner = tuned(found, do_bench=troubled, timing_executor=workers)
        tuner[(8,)](array(), 1000)
    assert tuner.best_config == found[4] and medians(tuner)[4] == 4.0
    told = [str(one.message).partition("skipped: ")[2] for one in warned]
    assert told[0] == "the process that did it ended: SIGKILL"
    assert told[1] == "timing takes more than 15 s, its time budget"
    assert "an illegal address" in told[2]


def test_errors_of_torch_spoil_a_process_too(gpu, monkeypatch):
    """After a kernel's fault torch raises errors of its own, at each call: the next task gets another process."""
    from ttkit.autotuning import portable_timing

    class Interface:
        def synchronize(self):
            raise RuntimeError("CUDA error: an illegal memory access was encountered")

    assert not portable_timing.is_spoiled()
    active = type(portable_timing.driver.active)
    monkeypatch.setattr(active, "get_device_interface", lambda self: Interface())
    assert portable_timing.is_spoiled()


def test_finalists_are_timed_again_on_one_device(gpu, cache, workers):
    """Of several workers the times are not comparable: the last word is that of one."""
    tuner = tuned(configs(*([4, 2, 1] * 3)), timing_executor=workers)
    tuner.configs = [Config({"BLOCK": 128 * factor}, num_warps=warps) for factor in (1, 2, 4) for warps in (4, 2, 1)]
    heard = []
    original = elsewhere.time_finalists_on

    def watched(executor, trials, last):
        heard.extend(last)
        return original(executor, trials, last)

    elsewhere.time_finalists_on = watched
    try:
        tuner[(8,)](array(), 1000)
    finally:
        elsewhere.time_finalists_on = original
    assert len(heard) == elsewhere.FINALISTS and tuner.best_config in heard
    assert tuner.best_config.num_warps == 1


def test_finalists_with_hooks_are_timed_here(gpu, cache, workers):
    """A configuration that is timed here makes this device the one that compares."""
    called = []
    found = [*configs(2, 1), Config({"BLOCK": 128}, num_warps=4, pre_hook=lambda given: called.append(1))]
    tuner = tuned(found, do_bench=by_worker, timing_executor=workers)
    tuner[(8,)](array(), 1000)
    assert called and medians(tuner)[1] == 1.0  # and not the 1.5 of the worker


def test_finalists_of_each_worker():
    found = configs(*range(1, 21))
    timings = {config: [float(config.num_warps)] * 3 for config in found}
    timings[found[0]] = [float("inf")] * 3
    devices = {config: {"worker": "slow" if config.num_warps > 15 else "fast"} for config in found}
    last = elsewhere.finalists(timings, devices, float("inf"))
    assert [config.num_warps for config in last] == [*range(2, 10), 16, 17]


def test_a_timer_that_can_not_travel_times_here(gpu, cache, workers, capsys):
    NOTICES.forget()
    tuner = tuned(configs(2, 1), do_bench=lambda call, quantiles: quick(call, quantiles), timing_executor=workers)
    tuner[(8,)](array(), 1000)
    assert tuner.best_config.num_warps == 1 and len(gpu.launches) > 2
    assert "increment is timed in this process and not by workers: its do_bench" in capsys.readouterr().err


def test_heuristics_and_arguments_that_are_reset(gpu, cache, workers):
    kernel = heuristics({"EVEN": lambda given: given["factor"] % 2 == 0})(scaled)
    tuner = autotune(
        [Config({"BLOCK": 64}, num_warps=2), Config({"BLOCK": 64}, num_warps=1)],
        key=[], do_bench=quick, timing_executor=workers, reset_to_zero=["y"], restore_value=["x"],
    )(kernel)  # fmt: skip

    class Zeroed(DeviceArray):
        def zero_(self):
            pass

        def clone(self):
            return self

        def copy_(self, other):
            pass

    x, y = Zeroed(np.zeros(64, np.float32)), Zeroed(np.zeros(64, np.float32))
    tuner[lambda given: (64 // given["BLOCK"],)](x, y, 3)
    assert tuner.best_config.num_warps == 1 and gpu.launches[-1].grid == (1, 1, 1)


def test_descriptors_travel(gpu, cache, workers):
    x, y = (TensorDescriptor.from_tensor(DeviceArray(np.zeros((128, 64), np.float32)), [32, 64]) for _ in "xy")
    found = [Config({"BLOCK": 32}, num_warps=warps) for warps in (4, 1)]
    tuner = autotune(found, key=[], do_bench=quick, timing_executor=workers)(copied)
    tuner[(1,)](x, y)
    assert tuner.best_config.num_warps == 1 and len(gpu.launches) == 1


def test_named_by_variables(gpu, cache, monkeypatch):
    with knobs.autotuning.scope():
        knobs.autotuning.executor = "processes:1"
        knobs.autotuning.timing_executor = "processes:2"
        tuner = tuned(configs(2, 1))
    assert tuner.executor is None
    with knobs.autotuning.scope():
        knobs.autotuning.executor = knobs.autotuning.timing_executor = "processes:1"
        tuner[(8,)](array(), 1000)
    assert tuner.best_config.num_warps == 1 and len(gpu.launches) == 1


# --- arguments --------------------------------------------------------------------------------------------------------


def test_large_tensors_are_not_read_whole(gpu, monkeypatch):
    array, numbers = DeviceArray(np.arange(1 << 16, dtype=np.float32)), DeviceArray(np.arange(1 << 16, dtype=np.int32))
    copied = []
    read = DeviceArray.first_bytes
    monkeypatch.setattr(DeviceArray, "first_bytes", lambda self, count: copied.append(count) or read(self, count))
    monkeypatch.setattr(DeviceArray, "numpy", None)
    first, whole = to_images([array, numbers], ["*fp32", "*i32"])
    assert copied == [1 << 16, 1 << 18] and first.nbytes == whole.nbytes == 1 << 18
    assert first.contents == np.arange(1 << 14, dtype=np.float32).tobytes()


def test_images_of_tensors(gpu):
    small, whole = np.arange(5, dtype=np.float32), np.arange(1 << 16, dtype=np.int32)
    large, other = np.ones(1 << 16, np.float32), DeviceArray(small)
    values = [small, whole, large, other, other, None, 3, (1.5, True), "constant"]
    kinds = ["*fp32", "*i32", "*fp32", "*fp32", "*fp32", "constexpr", "i32", ("fp32", "u1"), "constexpr"]
    images = to_images(values, kinds)
    assert images[0].contents == small.tobytes() and images[1].nbytes == len(images[1].contents) == 1 << 18
    assert (images[2].nbytes, len(images[2].contents)) == (1 << 18, 1 << 16)
    assert images[4].place == 3 and images[5:] == [None, 3, (1.5, True), None]
    rebuilt = from_images(images[:6])
    assert rebuilt[4] is rebuilt[3] is not rebuilt[0] and rebuilt[5] is None
    with pytest.raises(NotPortable, match="a value of type set"):
        to_images([set()], ["*fp32"])
    with pytest.raises(NotPortable, match="a tensor of type ndarray"):
        to_images([np.ones((4, 4))[:, ::2]], ["*fp64"])


def test_addresses_keep_their_alignment(gpu):
    (made,) = from_images([TensorImage("fp16", 10, 6, b"\0\1")])
    assert made.data_ptr() % 256 == 6 and made.dtype == "fp16"
    made.zero_(), made.restore()


def test_a_listener_sees_every_compilation_in_this_process(gpu, cache, workers):
    heard = []
    with knobs.compilation.scope():
        knobs.compilation.listener = lambda **told: heard.append(told["cache_hit"])
        tuned(configs(2, 1), executor=workers)[(8,)](array(), 1000)
    assert heard == [False, False]
