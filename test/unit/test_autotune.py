"""Autotuning with kernels that are Python functions: which configuration is chosen, what is skipped, what is called."""

import inspect
import pickle
import re
import time
import warnings

import numpy as np
import pytest

from ttkit import knobs
from ttkit.autotuning import AutotunerError, AutotuneWarning, Config, autotune, heuristics
from ttkit.autotuning.config import milliseconds
from ttkit.autotuning.decorator import autotune_as_triton
from ttkit.autotuning.errors import OverTimeBudget, add_reasons, is_of_one_config, reason
from ttkit.autotuning.progress import Progress
from ttkit.frontend.errors import CompilationError, CompileTimeAssertionFailure
from ttkit.language.jit_function import JITFunction, jit


def body(x, n, BLOCK, FLAG=False):
    pass


class FakeKernel(JITFunction):
    """A kernel that notes how it is launched."""

    def __init__(self, fails=None):
        super().__init__(body)
        self.runs, self.warmups = [], []
        self.fails = fails or {}

    def run(self, *args, grid=None, warmup=False, **kwargs):
        (self.warmups if warmup else self.runs).append(kwargs)
        if not warmup and kwargs.get("BLOCK") in self.fails:
            raise self.fails[kwargs["BLOCK"]]
        return "compiled" if warmup else "launched"


class Tensor:
    dtype = "torch.float32"

    def __init__(self, value):
        self.value = value

    def zero_(self):
        self.value = 0

    def clone(self):
        return Tensor(self.value)

    def copy_(self, other):
        self.value = other.value


def by_block(kernel, times):
    """A benchmark that runs once, and takes for each block size the time given."""

    def do_bench(call, quantiles):
        call()
        milliseconds = times[kernel.runs[-1]["BLOCK"]]
        return [milliseconds] * len(quantiles)

    return do_bench


TIMES = {32: 3.0, 64: 1.0, 128: 2.0}
CONFIGS = [Config({"BLOCK": size}) for size in TIMES]


def tuned(kernel, configs=None, times=None, **given):
    return autotune(configs or CONFIGS, key=["n"], do_bench=by_block(kernel, times or TIMES), **given)(kernel)


# --- Config -----------------------------------------------------------------------------------------------------------


def test_config_text_and_arguments():
    config = Config({"BM": 64, "GROUP": 8}, num_warps=2, maxnreg=128)
    assert str(config) == "BM: 64, GROUP: 8, num_warps: 2, num_ctas: 1, num_stages: 3, maxnreg: 128"
    assert config.all_kwargs() == {"BM": 64, "GROUP": 8, "num_warps": 2, "num_ctas": 1, "num_stages": 3, "maxnreg": 128}
    assert list(Config({}, num_warps=None).all_kwargs()) == ["num_ctas", "num_stages"]
    assert Config({}, ir_override="k.ttgir").all_kwargs()["ir_override"] == "k.ttgir"


def test_configs_are_equal_if_they_launch_the_same():
    assert Config({"B": 1}) == Config({"B": 1}, num_warps=4)
    assert Config({"B": 1}) != Config({"B": 1}, num_stages=2)
    assert Config({"B": 1}) != Config({"B": 1}, pre_hook=print)
    assert len({Config({"B": 1}), Config({"B": 1}), Config({"B": 2})}) == 2
    assert pickle.loads(pickle.dumps(Config({"B": 1}, maxnreg=8))) == Config({"B": 1}, maxnreg=8)


def test_pickles_of_configs_with_fewer_fields_load():
    config = Config.__new__(Config)
    config.__setstate__({"kwargs": {"B": 1}, "num_warps": 8})
    assert config == Config({"B": 1}, num_warps=8)


# --- choosing ---------------------------------------------------------------------------------------------------------


def test_the_fastest_is_chosen_and_launched():
    kernel = FakeKernel()
    tuner = tuned(kernel)
    assert tuner[(1,)](Tensor(1), 5) == "launched"
    assert tuner.best_config == CONFIGS[1]
    assert kernel.runs[-1]["BLOCK"] == 64 and kernel.runs[-1]["num_warps"] == 4
    assert [times[0] for times in tuner.configs_timings.values()] == [3.0, 1.0, 2.0]
    assert list(tuner.configs_timings) == CONFIGS
    assert tuner.skipped == {} and tuner.bench_time > 0


def test_every_value_of_the_key_and_every_type_is_tuned_once():
    kernel = FakeKernel()
    tuner = tuned(kernel)
    for n in (5, 5, 6, 5):
        tuner[(1,)](Tensor(1), n)
    assert len(kernel.runs) == 2 * len(CONFIGS) + 4
    assert list(tuner.cache) == [(5, "torch.float32"), (6, "torch.float32")]
    other = Tensor(1)
    other.dtype = "torch.float16"
    tuner[(1,)](other, n=5)
    assert (5, "torch.float16") in tuner.cache


def test_ties_go_to_the_first():
    kernel = FakeKernel()
    tuner = tuned(kernel, times=dict.fromkeys(TIMES, 1.0))
    tuner[(1,)](Tensor(1), 5)
    assert tuner.best_config == CONFIGS[0]


def test_a_key_may_stand_alone_and_configs_come_one_by_one():
    kernel = FakeKernel()
    tuner = autotune((config for config in CONFIGS), key="n", do_bench=by_block(kernel, TIMES))(kernel)
    assert tuner.keys == ["n"] and tuner.configs == CONFIGS
    assert autotune(CONFIGS, key=None)(kernel).keys == ()


@pytest.mark.parametrize(
    ("found", "times"), [(1.5, [1.5] * 3), ((1, 2, 3), [1.0, 2.0, 3.0]), (np.array([1.0, 2.0, 3.0]), [1.0, 2.0, 3.0])]
)
def test_do_bench_gives_one_time_or_three(found, times):
    assert milliseconds(found) == times


@pytest.mark.parametrize("found", [None, [], "1.0", [None]])
def test_do_bench_gives_milliseconds(found):
    with pytest.raises(TypeError, match="do_bench of autotune must return milliseconds, found"):
        milliseconds(found)


def test_one_config_is_not_timed():
    kernel = FakeKernel()
    tuner = tuned(kernel, configs=[Config({"BLOCK": 32})])
    tuner[(1,)](Tensor(1), 5)
    assert len(kernel.runs) == 1 and not tuner.configs_timings


def test_without_configs_the_default_one():
    kernel = FakeKernel()
    tuner = autotune([], key=[])(kernel)
    tuner[(1,)](Tensor(1), 5, BLOCK=3)
    assert tuner.best_config == Config({}) and kernel.runs[0]["num_warps"] == 4


@pytest.mark.parametrize("kind", [ValueError, TypeError])
@pytest.mark.parametrize("configs", [1, 2])
def test_tuned_arguments_can_not_be_given(configs, kind):
    tuner = autotune([Config({"BLOCK": 16}), Config({"BLOCK": 32})][:configs], key=[])(FakeKernel())
    for name in ("BLOCK", "num_warps"):
        with pytest.raises(kind, match=f"Conflicting meta-parameters: {name}"):
            tuner[(1,)](Tensor(1), 5, **{name: 8})
        with pytest.raises(kind, match=f"Conflicting meta-parameters: {name}"):
            tuner.warmup(Tensor(1), 5, grid=(1,), **{name: 8})


def test_warmup_compiles_all_that_pruning_leaves():
    kernel = FakeKernel()
    tuner = tuned(kernel, prune_configs_by={"early_config_prune": lambda configs, named_args, **kwargs: configs[1:]})
    assert tuner.warmup(Tensor(1), 5, grid=(1,)) == ["compiled", "compiled"]
    assert [launch["BLOCK"] for launch in kernel.warmups] == [64, 128]


def test_print(capsys):
    kernel = FakeKernel()
    with knobs.autotuning.scope():
        knobs.autotuning.print = True
        tuned(kernel)[(1,)](Tensor(1), 5)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Autotuning kernel body with config " + str(CONFIGS[0])
    assert lines[3] == "Triton autotuning for function body,"
    assert lines[4] == "with key as (5, 'torch.float32'),"
    assert lines[5].startswith("finished after ") and lines[5].endswith("s,")
    assert lines[6] == f"best config selected: {CONFIGS[1]};"


# --- pruning ----------------------------------------------------------------------------------------------------------


def test_perf_model_keeps_the_expected_fastest():
    kernel, seen = FakeKernel(), []

    def expected(x, n, BLOCK, num_warps, **rest):
        seen.append((n, num_warps))
        return -BLOCK

    tuner = tuned(kernel, prune_configs_by={"perf_model": expected, "top_k": 2})
    tuner[(1,)](Tensor(1), 5)
    assert [config.kwargs["BLOCK"] for config in tuner.configs_timings] == [128, 64]
    assert seen == [(5, 4)] * 3


@pytest.mark.parametrize("top_k, kept", [(0.4, 1), (1.0, 3), (7, 3), (0.1, 1)])
def test_top_k_is_a_number_or_a_share(top_k, kept):
    kernel = FakeKernel()
    tuner = tuned(kernel, prune_configs_by={"perf_model": lambda BLOCK, **rest: BLOCK, "top_k": top_k})
    tuner[(1,)](Tensor(1), 5)
    assert len(tuner.cache) == 1 and len(kernel.runs) == kept + 1


def test_top_k_of_another_type():
    tuner = tuned(FakeKernel(), prune_configs_by={"perf_model": lambda **given: 1, "top_k": 1.5})
    with pytest.raises(TypeError, match="top_k"):
        tuner[(1,)](Tensor(1), 5)


def test_pruning_everything():
    tuner = tuned(FakeKernel(), prune_configs_by={"early_config_prune": lambda configs, named_args, **kwargs: []})
    with pytest.raises(AutotunerError, match="should return at least one config"):
        tuner[(1,)](Tensor(1), 5)


# --- hooks ------------------------------------------------------------------------------------------------------------


def test_reset_to_zero_and_restore_value():
    kernel = FakeKernel()
    x = Tensor(7)
    tuner = tuned(kernel, reset_to_zero=["x"])
    tuner[(1,)](x, 5)
    assert x.value == 0

    values = []

    def accumulates(*args, grid, warmup, **kwargs):
        if not warmup:
            values.append(args[0].value)
            args[0].value += 1
        FakeKernel.run(kernel, *args, grid=grid, warmup=warmup, **kwargs)

    kernel.run = accumulates
    y = Tensor(7)
    tuned(kernel, restore_value=["x"])[(1,)](y, 5)
    assert values == [7, 7, 7, 7] and y.value == 8


def test_user_hooks():
    calls = []
    kernel = FakeKernel()
    tuner = tuned(
        kernel,
        pre_hook=lambda kwargs, reset_only=False: calls.append(("pre", kwargs["BLOCK"], reset_only)),
        post_hook=lambda kwargs, exception: calls.append(("post", kwargs["BLOCK"], exception)),
    )
    tuner[(1,)](Tensor(1), 5)
    runs = [call for size in TIMES for call in (("pre", size, False), ("post", size, None))]
    assert calls == [*runs, ("pre", 64, True)]
    assert tuner.user_defined_pre_hook and tuner.user_defined_post_hook


def test_post_hook_sees_exceptions():
    seen = []
    kernel = FakeKernel({32: CompilationError(None, None, "no")})
    tuner = tuned(kernel, post_hook=lambda kwargs, exception: seen.append(exception))
    with pytest.warns(AutotuneWarning):
        tuner[(1,)](Tensor(1), 5)
    assert [type(exception) for exception in seen] == [CompilationError, type(None), type(None)]


def test_hooks_of_configs():
    calls = []
    configs = [Config({"BLOCK": size}, pre_hook=lambda given: calls.append(given["BLOCK"])) for size in TIMES]
    tuned(FakeKernel(), configs=configs)[(1,)](Tensor(1), 5)
    assert calls == [32, 64, 128, 32, 64, 128, 64]  # before compiling, before timing, before the launch


class Descriptor:
    def __init__(self):
        self.block_shape = [1, 1]
        self.sizes = {"order": 0}


def test_hooks_of_configs_run_before_compiling_and_leave_nothing():
    kernel, seen = FakeKernel(), []

    def run(*args, grid=None, warmup=False, **kwargs):
        seen.append((warmup, list(args[0].block_shape), args[0].sizes["order"], getattr(args[0], "more", None)))
        return FakeKernel.run(kernel, *args, grid=grid, warmup=warmup, **kwargs)

    def hook(given):
        given["x"].block_shape[1] = given["BLOCK"]
        given["x"].sizes["order"] += 1
        given["x"].more = True

    kernel.run = run
    tuned(kernel, configs=[Config({"BLOCK": 32}, pre_hook=hook), Config({"BLOCK": 64})])[(1,)](Descriptor(), 5)
    assert seen[:2] == [(True, [1, 32], 1, True), (True, [1, 1], 0, None)]
    assert seen[2:4] == [(False, [1, 32], 1, True), (False, [1, 32], 1, True)]  # launches leave what hooks did


def test_binding_that_fails_ahead_is_no_verdict():
    kernel = FakeKernel()

    def run(*args, grid=None, warmup=False, **kwargs):
        if args[0].value != "ready":
            raise TypeError("not ready")
        return FakeKernel.run(kernel, *args, grid=grid, warmup=warmup, **kwargs)

    def prepare(given, reset_only=False):
        given["x"].value = "ready"

    kernel.run = run
    tuner = tuned(kernel, pre_hook=prepare)
    tuner[(1,)](Tensor("raw"), 5)
    assert tuner.best_config == CONFIGS[1] and not tuner.skipped


# --- what fails -------------------------------------------------------------------------------------------------------


def test_a_config_that_fails_is_skipped_with_its_reason():
    kernel = FakeKernel({64: CompileTimeAssertionFailure(None, None, "BLOCK must not be 64")})
    tuner = tuned(kernel)
    with pytest.warns(AutotuneWarning, match="autotuning body: config BLOCK: 64, .* was skipped: BLOCK must not be 64"):
        tuner[(1,)](Tensor(1), 5)
    assert tuner.best_config == CONFIGS[2]
    assert tuner.skipped == {CONFIGS[1]: "BLOCK must not be 64"}
    assert tuner.configs_timings[CONFIGS[1]] == [float("inf")] * 3


def test_if_all_fail_the_first_error_is_raised():
    kernel = FakeKernel({size: CompilationError(None, None, f"not {size}") for size in TIMES})
    with pytest.raises(CompilationError, match="not 32") as caught:
        tuned(kernel)[(1,)](Tensor(1), 5)
    if hasattr(caught.value, "__notes__"):
        assert "num_stages: 3, maxnreg: None: not 128" in caught.value.__notes__[0]


def test_other_errors_are_no_reason_to_skip():
    with pytest.raises(ZeroDivisionError):
        tuned(FakeKernel({64: ZeroDivisionError()}))[(1,)](Tensor(1), 5)
    assert not is_of_one_config(KeyError("x"))


def test_reasons_are_one_line():
    error = CompilationError("def k():\n    x", None, "first line\nsecond")
    assert reason(error) == "first line" and reason(KeyError()) == "KeyError"
    assert reason(OverTimeBudget("compiling", 2.0)) == "compiling takes more than 2 s, its time budget"
    add_reasons(error, {CONFIGS[0]: "why"})


def test_a_run_over_its_time_budget_is_skipped(monkeypatch):
    from ttkit.runtime.driver import driver

    class NoDevice:
        def get_device_interface(self):
            return self

        def synchronize(self):
            pass

    monkeypatch.setattr(driver, "_active", NoDevice())
    kernel = FakeKernel()
    run = kernel.run

    def slow(*args, **kwargs):
        if kwargs["BLOCK"] == 64 and not kwargs.get("warmup"):
            time.sleep(0.06)
        return run(*args, **kwargs)

    kernel.run = slow
    tuner = tuned(kernel, time_budget=0.05)
    with pytest.warns(AutotuneWarning, match="one run takes more than 0.05 s"):
        tuner[(1,)](Tensor(1), 5)
    assert tuner.best_config == CONFIGS[2]


# --- the rest ---------------------------------------------------------------------------------------------------------


def test_deprecated_arguments():
    with pytest.warns(DeprecationWarning, match="do_bench="):
        tuner = autotune(CONFIGS, key=["n"], warmup=5, rep=10)(FakeKernel())
    assert tuner.num_warmups == 5 and tuner.num_reps == 10 and tuner.do_bench.keywords == {"warmup": 5, "rep": 10}
    with pytest.warns(DeprecationWarning):
        tuner = autotune(CONFIGS, key=["n"], use_cuda_graph=True)(FakeKernel())
    assert tuner.use_cuda_graph and tuner.do_bench.func.__name__ == "do_bench_cudagraph"


def test_signatures_are_those_of_triton():
    given = (
        "configs key prune_configs_by reset_to_zero restore_value pre_hook post_hook warmup rep use_cuda_graph "
        "do_bench cache_results"
    )
    assert list(inspect.signature(autotune).parameters)[:12] == given.split()
    config = "kwargs num_warps num_stages num_ctas maxnreg pre_hook ir_override"
    assert list(inspect.signature(Config).parameters) == config.split()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tuner = tuned(FakeKernel())
    assert tuner.base_fn is body and tuner.keys == ["n"] and tuner.arg_names == ["x", "n", "BLOCK", "FLAG"]
    assert not tuner.user_defined_pre_hook and not tuner.user_defined_post_hook


def test_budget_and_jobs_by_environment(monkeypatch):
    tuner = tuned(FakeKernel())
    assert tuner.time_budget is None and tuner.jobs is None
    monkeypatch.setenv("TTKIT_AUTOTUNING_TIME_BUDGET", "60")
    monkeypatch.setenv("TTKIT_AUTOTUNING_JOBS", "3")
    assert (tuner.time_budget, tuner.jobs) == (60, 3)
    tuner = tuned(FakeKernel(), time_budget=0.5, jobs=1)
    assert (tuner.time_budget, tuner.jobs) == (0.5, 1)


def test_progress_only_on_a_terminal(monkeypatch):
    class Terminal:
        def __init__(self):
            self.text = ""

        def isatty(self):
            return True

        def write(self, text):
            self.text += text

        def flush(self):
            pass

    monkeypatch.setattr("ttkit.autotuning.progress._NOT_BEFORE", -1.0)
    terminal = Terminal()
    progress = Progress("matmul", 2, terminal)
    progress.begin("compiled")
    progress.step()
    assert terminal.text.strip() == "autotune matmul: compiled 1/2 [============            ] 0 s left"
    progress.begin("timed")
    progress.step(best=0.25, skipped=1)
    progress.step(best=0.125, skipped=1)
    assert terminal.text.rstrip().endswith("timed 2/2 [========================] best 0.125 ms, 1 skipped")
    progress.close()
    assert terminal.text.endswith("\r")


# --- heuristics -------------------------------------------------------------------------------------------------------


def test_heuristics_see_arguments_and_each_other():
    kernel = FakeKernel()
    ruled = heuristics({"BLOCK": lambda args: args["n"] * 2, "FLAG": lambda args: args["BLOCK"] > 5})(kernel)
    assert ruled[(1,)](Tensor(1), 5) == "launched"
    assert kernel.runs[0] == {"BLOCK": 10, "FLAG": True}


def test_a_heuristic_may_give_a_dict():
    kernel = FakeKernel()
    heuristics({"BLOCK": lambda args: {"BLOCK": 128}})(kernel)[(1,)](Tensor(1), 5)
    assert kernel.runs[0] == {"BLOCK": 128}
    heuristics({"BLOCK": lambda args: {"BLOCK": 64, "FLAG": True}})(kernel)[(1,)](Tensor(1), 5)
    assert kernel.runs[1] == {"BLOCK": 64, "FLAG": True}


@pytest.mark.parametrize("given, message", [({"OTHER": 1}, "dict without it"), ({"BLOCK": 1, "B": 1}, "no parameter")])
def test_a_heuristic_with_a_dict_of_something_else(given, message):
    with pytest.raises(ValueError, match=message):
        heuristics({"BLOCK": lambda args: given})(FakeKernel())[(1,)](Tensor(1), 5)


def test_heuristics_and_autotune_together():
    kernel = FakeKernel()
    inner = heuristics({"FLAG": lambda args: args["n"] % args["BLOCK"] == 0})(kernel)
    tuner = autotune(CONFIGS, key=["n"], do_bench=by_block(kernel, TIMES))(inner)
    tuner[(1,)](Tensor(1), 128)
    assert kernel.runs[-1]["FLAG"] and kernel.runs[-1]["BLOCK"] == 64
    assert tuner.base_fn is body


def test_interpreted_kernels_are_not_timed():
    import numpy as np

    from ttkit import language as tl

    @autotune([Config({"BLOCK": 8}), Config({"BLOCK": 16})], key=["n"])
    @jit(interpret=True)
    def double(x, n, BLOCK: tl.constexpr):
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(x + at, 2 * tl.load(x + at, mask=at < n), mask=at < n)

    x = np.arange(20, dtype=np.float32)
    double[lambda meta: (-(-20 // meta["BLOCK"]),)](x, 20)
    assert np.array_equal(x, 2 * np.arange(20)) and double.best_config.kwargs == {"BLOCK": 8}


@pytest.mark.parametrize(
    "option, said",
    [
        ({"key": ["nn"]}, "key of autotune: 'nn' is not a parameter of the kernel; did you mean 'n'"),
        ({"key": ["size"]}, "key of autotune: 'size' is not a parameter of the kernel; it has x, n, BLOCK, FLAG"),
        ({"key": ["n"], "reset_to_zero": ["y"]}, "reset_to_zero of autotune: 'y' is not a parameter"),
        ({"key": ["n"], "restore_value": ["y"]}, "restore_value of autotune: 'y' is not a parameter"),
    ],
)
def test_names_that_are_not_parameters(option, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        autotune([Config({"BLOCK": 16})], **option)(FakeKernel())


def test_scripts_of_triton_may_have_keys_that_are_not_parameters():
    """As public packages do."""
    with pytest.warns(AutotuneWarning, match="'size' is not a parameter of the kernel.*it is left aside"):
        made = autotune_as_triton([Config({"BLOCK": 16})], key=["size", "n"])(FakeKernel())
    assert made.keys == ["n"]


def test_an_unknown_option_has_a_suggestion():
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'time_budgt'; did you mean 'time_budget'"):
        autotune(CONFIGS, key=["n"], time_budgt=3)
