"""The fastest of several configurations of a kernel, found by timing them: `@autotune`."""

from __future__ import annotations

import functools
import inspect
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import ttkit.knobs as knobs
from ttkit.autotuning import kept_arrays
from ttkit.autotuning.config import QUANTILES, Config, milliseconds
from ttkit.autotuning.errors import TunedArgumentGiven
from ttkit.autotuning.nearest import nearest as nearest_of
from ttkit.autotuning.pruning import pruned
from ttkit.language import interpret_mode
from ttkit.language.jit_function import JITFunction, KernelInterface

TYPE_CHECKING = False
if TYPE_CHECKING:
    from concurrent.futures import Executor

    from typing_extensions import Unpack

    from ttkit.autotuning.settings import TuningSettings
    from ttkit.autotuning.trials import Trials


class Autotuner(KernelInterface):
    """A kernel with configurations; see `autotune` for what is given.

    cache: {tuning key: best configuration}.
    best_config: of the last launch.
    configs_timings: {configuration: [median, 20th and 80th percentile, in ms]} of the last tuning; infinite for a
        configuration that was skipped.
    skipped: {configuration: why}, of the last tuning.
    compile_seconds: {configuration: seconds that compiling it took}, of the last tuning.
    bench_time: seconds that the last tuning took.
    seconds_of_tuning: those of all tunings in this process.
    """

    seconds_of_tuning = 0.0

    def __init__(
        self,
        fn: Any,
        arg_names: list[str],
        configs: Sequence[Config],
        key: Sequence[str],
        reset_to_zero: Sequence[str] | None,
        restore_value: Sequence[str] | None,
        pre_hook: Callable[..., Any] | None = None,
        post_hook: Callable[..., Any] | None = None,
        prune_configs_by: Mapping[str, Any] | None = None,
        warmup: float | None = None,
        rep: float | None = None,
        use_cuda_graph: bool = False,
        do_bench: Callable[..., Any] | None = None,
        cache_results: bool = False,
        **settings: Unpack[TuningSettings],
    ) -> None:
        self.fn = fn
        self.base_fn = fn
        while not inspect.isfunction(self.base_fn):
            self.base_fn = self.base_fn.fn
        self.arg_names, self._names = arg_names, frozenset(arg_names)
        if wrong := [config for config in configs or () if not isinstance(config, Config)]:
            raise TypeError(f"the configs of autotune are of class Config, found {wrong[0]!r}")
        self.configs = configs or [Config({})]
        self.keys = key
        self.cache: dict[tuple[Any, ...], Config] = {}
        self.cache_results = (cache_results or knobs.autotuning.cache) and not knobs.runtime.interpret
        self.nargs: dict[str, Any] | None = None
        self.best_config: Config | None = None
        self.configs_timings: dict[Config, list[float]] = {}
        self.skipped: dict[Config, str] = {}
        self.compile_seconds: dict[Config, float] = {}
        self.bench_time = 0.0
        self._settings = settings
        self._borrowed: set[tuple[Any, ...]] = set()  # keys with the configuration of another
        self._set_hooks(list(reset_to_zero or []), list(restore_value or []), pre_hook, post_hook)
        pruning = dict(prune_configs_by or {})
        self.perf_model = pruning.get("perf_model")
        self.configs_top_k = pruning.get("top_k", 1.0)
        self.early_config_prune = pruning.get("early_config_prune")
        self.num_warmups, self.num_reps, self.use_cuda_graph = warmup, rep, use_cuda_graph
        self._do_bench = do_bench
        if warmup is not None or rep is not None or use_cuda_graph:
            self._set_deprecated_bench()

    def _set_hooks(
        self,
        reset_to_zero: list[str],
        restore_value: list[str],
        pre_hook: Callable[..., Any] | None,
        post_hook: Callable[..., Any] | None,
    ) -> None:
        """The user's hooks, or those that keep what a run writes from being seen by the next."""
        self.reset_to_zero, self.restore_value = reset_to_zero, restore_value
        self.restore_copies: dict[str, Any] = {}
        self.user_defined_pre_hook, self.user_defined_post_hook = pre_hook is not None, post_hook is not None

        def reset_and_keep(kwargs: dict[str, Any], reset_only: bool = False) -> None:
            """Zeroes the arguments to reset; copies those to restore, unless it is told not to."""
            kept_arrays.set_to_zero(kwargs, self.reset_to_zero)
            if not reset_only:
                self.restore_copies = kept_arrays.copies_of(kwargs, self.restore_value)

        def restore(kwargs: dict[str, Any], exception: BaseException | None) -> None:
            """Writes the copies back, also after an error."""
            kept_arrays.write_back(kwargs, self.restore_copies)
            self.restore_copies = {}

        self.pre_hook = pre_hook or reset_and_keep
        self.post_hook = post_hook or (restore if restore_value else _do_nothing)

    def _set_deprecated_bench(self) -> None:
        warnings.warn(
            "warmup, rep and use_cuda_graph of autotune are deprecated: give do_bench=, such as "
            "functools.partial(triton.testing.do_bench, rep=50)",
            DeprecationWarning,
            stacklevel=4,
        )
        import ttkit.runtime.timing as timing

        rep = 100 if self.num_reps is None else self.num_reps
        warmup = 25 if self.num_warmups is None else self.num_warmups
        if self.use_cuda_graph:
            self._do_bench = functools.partial(timing.do_bench_cudagraph, rep=rep)
        else:
            self._do_bench = functools.partial(timing.do_bench, warmup=warmup, rep=rep)

    def _setting(self, name: str) -> Any:
        """An option of `autotune`, or the knob where it is not given."""
        given = self._settings.get(name)
        return getattr(knobs.autotuning, name) if given is None else given

    @property
    def time_budget(self) -> float | None:
        """Most seconds for compiling a configuration, and for one run of it; None for any."""
        return self._setting("time_budget") or None

    @property
    def jobs(self) -> int | None:
        """Number of configurations compiled at once; None for one a processor."""
        return self._setting("jobs") or None

    @property
    def executor(self) -> Executor | None:
        """The executor that compiles configurations; None for processes that this one forks."""
        return _executor_of(self._setting("executor"))

    @property
    def timing_executor(self) -> Executor | None:
        """The executor that times configurations; None for this process."""
        return _executor_of(self._setting("timing_executor"))

    @property
    def store(self) -> str | None:
        """The address of the results that are kept and shared; None where none are."""
        return self._setting("store") or None

    @property
    def nearest(self) -> bool:
        """Whether a new key takes the configuration of the nearest known one, and is not tuned for."""
        return self._setting("nearest")

    @property
    def prune(self) -> float:
        """The number, or the share, of configurations that the predictor keeps; 0 for all."""
        return self._setting("prune")

    @functools.cached_property
    def do_bench(self) -> Callable[..., Any]:
        """The function that times others: `do_bench(call, quantiles=...)` gives milliseconds."""
        if self._do_bench is not None:
            return self._do_bench
        from ttkit.runtime.driver import driver

        return driver.active.get_benchmarker()

    # --- launching ----------------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"Autotuner({self.fn!r}, {len(self.configs)} configurations)"

    def run(self, *args: Any, **kwargs: Any) -> Any:
        """Launches with the best configuration for these arguments, after finding it where it is not known.

        Raises:
            AutotunerError: pruning left no configuration.
            TunedArgumentGiven: an argument is both given and tuned.
            Exception: that of the first configuration, if none can be compiled and run.
        """
        self.nargs = dict(zip(self.arg_names, args))
        config: Config = self.configs[0] if len(self.configs) == 1 else self._config_for(args, kwargs)
        self.best_config = config
        if config.pre_hook is not None:
            config.pre_hook({**self.nargs, **kwargs, **config.all_kwargs()})
        result = self.fn.run(*args, **self._keywords(config, kwargs))
        self.nargs = None
        return result

    def warmup(self, *args: Any, **kwargs: Any) -> list[Any]:
        """Compiles every configuration that pruning leaves, and gives the kernels."""
        self.nargs = dict(zip(self.arg_names, args))
        configs = self.prune_configs(kwargs)
        self.nargs = None
        return [self.fn.warmup(*args, **self._keywords(config, kwargs)) for config in configs]

    def _config_for(self, args: Sequence[Any], kwargs: dict[str, Any]) -> Config:
        arguments = self.nargs or {}
        if not self._names.isdisjoint(kwargs):
            arguments = {**arguments, **{name: value for name, value in kwargs.items() if name in self._names}}
        parts = [arguments[name] for name in self.keys if name in arguments]
        for value in arguments.values():
            if (dtype := getattr(value, "dtype", None)) is not None:
                parts.append(_dtype_name(dtype))
        key = tuple(parts)
        if (found := self.cache.get(key)) is not None:
            return found
        configs = self.prune_configs(kwargs)
        if self._do_bench is None and self._is_interpreted():
            # On the CPU times say nothing of a GPU.
            self.cache[key] = configs[0]
            return configs[0]
        from_disk = self._tune(key, configs, args, kwargs)
        if knobs.autotuning.listener is not None:
            knobs.autotuning.listener(
                fn=_jitted(self.fn),
                key=key,
                best_config=self.cache[key],
                configs_timings=self.configs_timings,
                duration=None if from_disk else self.bench_time,
                cache_hit=from_disk,
            )
        if knobs.autotuning.print and not from_disk:
            print(
                f"Triton autotuning for function {self.base_fn.__name__},\nwith key as {key},\n"
                f"finished after {self.bench_time:.2f}s,\nbest config selected: {self.cache[key]};"
            )
        return self.cache[key]

    def _is_interpreted(self) -> bool:
        return getattr(_jitted(self.fn), "is_interpreted", False) or interpret_mode.mode.is_on

    # --- tuning -------------------------------------------------------------------------------------------------------

    def _tune(self, key: tuple[Any, ...], configs: list[Config], args: Sequence[Any], kwargs: dict[str, Any]) -> bool:
        """Finds the best configuration for `key`; whether the disk had it."""
        from ttkit.autotuning.trials import Trials  # here, as most launches need no tuning

        def benchmark(known: Mapping[Config, list[float]] | None = None) -> Trials:
            """Tries all configurations and chooses the fastest; arguments are reset for its run."""
            start = time.time()
            trials = Trials(self, args, kwargs, configs, known)
            trials.run()
            self.bench_time = time.time() - start
            Autotuner.seconds_of_tuning += self.bench_time
            self.configs_timings, self.skipped = trials.timings, trials.skipped
            self.compile_seconds = trials.compile_seconds
            self.cache[key] = trials.best
            assert self.nargs is not None
            self.pre_hook({**self.nargs, **kwargs, **self.cache[key].all_kwargs()}, reset_only=True)
            return trials

        if self.store and not any(config.pre_hook for config in configs):
            from ttkit.autotuning.shared_tuning import SharedTuning

            shared = SharedTuning(self, _jitted(self.fn), key, configs, {**(self.nargs or {}), **kwargs})
            found = shared.decide(benchmark, nearest=self.nearest)
            if found is None:
                return False
            self.cache[key], self.configs_timings, self.skipped = found.config, found.timings, {}
            return True
        if self.nearest and (near := nearest_of(key, self._tuned_for(configs))) is not None:
            self.cache[key], self.configs_timings, self.skipped = near[1], {}, {}
            self._borrowed.add(key)
            return True
        if self.cache_results:
            return self.check_disk_cache(key, configs, benchmark)
        benchmark()
        return False

    def _tuned_for(self, configs: list[Config]) -> dict[tuple[Any, ...], Config]:
        return {key: config for key, config in self.cache.items() if config in configs and key not in self._borrowed}

    def _choose(self, key: tuple[Any, ...]) -> None:
        timings = self.configs_timings
        self.cache[key] = min(timings, key=lambda config: timings[config])

    def check_disk_cache(self, tuning_key: tuple[Any, ...], configs: list[Config], bench_fn: Callable[[], Any]) -> bool:
        """Takes the timings from disk; where they are not there, runs `bench_fn` and keeps what it finds.

        Hooks can't be kept: with one, and without a key, the disk is left alone.

        Returns:
            whether the disk had them.
        """
        if not tuning_key or any(config.pre_hook for config in configs):
            bench_fn()
            return False
        from ttkit.autotuning.saved_timings import SavedTimings

        saved = SavedTimings(_jitted(self.fn), tuning_key, configs)
        if (timings := saved.load()) is not None:
            self.configs_timings, self.skipped = timings, {}
            self._choose(tuning_key)
            return True
        bench_fn()
        saved.save(self.configs_timings)
        return False

    def _bench(self, *args: Any, config: Config, **meta: Any) -> Any:
        """Milliseconds that the kernel takes with a configuration: the median, and the 20th and 80th percentile.

        Raises:
            TunedArgumentGiven: an argument is both given and tuned.
            Exception: what the kernel's compilation or launch raises.
        """
        if knobs.autotuning.print:
            print(f"Autotuning kernel {self.base_fn.__name__} with config {config}")
        self.check_conflicts(config, meta)
        current = {**meta, **config.all_kwargs()}
        arguments = {**(self.nargs or {}), **current}

        def kernel_call() -> None:
            """One run between the hooks, of which the second is told of an error."""
            if config.pre_hook:
                config.pre_hook(arguments)
            self.pre_hook(arguments)
            try:
                self.fn.run(*args, **current)
            except Exception as error:
                self.post_hook(arguments, exception=error)
                raise
            self.post_hook(arguments, exception=None)

        if self.time_budget is not None:
            from ttkit.autotuning.time_limit import check_runs_in_time

            check_runs_in_time(kernel_call, self.time_budget)
        return milliseconds(self.do_bench(kernel_call, quantiles=QUANTILES))

    def check_conflicts(self, config: Config, given: Mapping[str, Any]) -> None:
        """Raises TunedArgumentGiven if an argument or an option is both given by name and tuned."""
        if conflicts := given.keys() & config.all_kwargs().keys():
            raise TunedArgumentGiven(conflicts)

    def _keywords(self, config: Config, given: dict[str, Any]) -> dict[str, Any]:
        """The arguments that a launch gives by name, with those that are tuned."""
        tuned = config.all_kwargs()
        joined = {**given, **tuned}
        if len(joined) != len(given) + len(tuned):
            self.check_conflicts(config, given)
        return joined

    def prune_configs(self, kwargs: dict[str, Any]) -> list[Config]:
        """The configurations that are worth a try for the arguments of this launch.

        Raises:
            AutotunerError: `early_config_prune` left none.
            TypeError: `top_k` is no number of configurations and no share of them.
        """
        return pruned(self, kwargs)


def _executor_of(given: Executor | str | None) -> Executor | None:
    if given is None or given == "":
        return None
    from ttkit.executors import executor_of

    found: Executor | None = executor_of(given)
    return found


@functools.lru_cache(maxsize=256)
def _dtype_name(dtype: Any) -> str:
    """As text: torch takes its time for that."""
    return str(dtype)


def _do_nothing(kwargs: dict[str, Any], exception: BaseException | None) -> None:
    pass


def _jitted(fn: Any) -> Any:
    """The jitted function under decorators."""
    while not isinstance(fn, JITFunction):
        fn = fn.fn
    return fn
