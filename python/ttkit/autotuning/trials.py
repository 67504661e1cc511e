"""Trying configurations of a kernel: compile all, then time one after the other."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ttkit.autotuning.argument_state import ArgumentState
from ttkit.autotuning.compile_ahead import (
    Collector,
    CompileWorkerDied,
    KnownFailure,
    Outcome,
    PendingKernel,
    compile_all,
    worker_count,
)
from ttkit.autotuning.config import QUANTILES, Config
from ttkit.autotuning.errors import AutotuneWarning, OverTimeBudget, add_reasons, is_of_one_config, reason
from ttkit.autotuning.progress import Progress

if TYPE_CHECKING:
    from ttkit.autotuning.autotuner import Autotuner

FAILED = float("inf")


class Trials:
    """One round of tuning.

    timings: {configuration: [median, 20th and 80th percentile, in ms]}; infinite for one that was skipped.
    skipped: {configuration: why}.
    compile_seconds: {configuration: seconds}.
    devices: {configuration: facts about the GPU that timed it}, of those that were timed elsewhere.
    compared: the fastest configurations, which one device has timed once more; none where it has timed all.

    Args:
        known: times of an earlier round; what they are of is neither compiled nor timed, unless it is a finalist.
    """

    def __init__(
        self,
        tuner: Autotuner,
        args: Sequence[Any],
        kwargs: dict[str, Any],
        configs: list[Config],
        known: Mapping[Config, list[float]] | None = None,
    ) -> None:
        self.tuner, self.args, self.kwargs, self.configs = tuner, args, kwargs, configs
        self.known = dict(known or {})
        self.timings: dict[Config, list[float]] = dict(self.known)
        self.devices: dict[Config, dict[str, Any]] = {}
        self.compared: list[Config] = []
        self.skipped: dict[Config, str] = {}
        self.compile_seconds: dict[Config, float] = {}
        self._errors: dict[Config, BaseException] = {}
        self._failed_ahead: dict[Config, KnownFailure] = {}
        self._progress = Progress(tuner.base_fn.__name__, len(configs) - len(self.known))

    def run(self) -> None:
        """Fills in the timings.

        Raises:
            Exception: an error that no configuration is to blame for; or the first one's, if all fail.
        """
        try:
            self._compile()
            self._time()
            self._compare()
        finally:
            self._progress.close()
            if self.tuner.timing_executor is not None:
                from ttkit.autotuning.elsewhere import free_memory

                free_memory()
        if len(self.skipped) == len(self.configs):
            first = self._errors[self.configs[0]]
            add_reasons(first, self.skipped)
            raise first
        # In the order of the configurations, as they are asked for and as ties are broken.
        self.timings = {config: self.timings[config] for config in self.configs}
        self.skipped = {config: self.skipped[config] for config in self.configs if config in self.skipped}
        for config, why in self.skipped.items():
            warnings.warn(
                f"autotuning {self.tuner.base_fn.__name__}: config {config} was skipped: {why}",
                AutotuneWarning,
                stacklevel=2,
            )

    def skip(self, config: Config, error: BaseException) -> None:
        """Leaves a configuration out."""
        self.skipped[config] = reason(error)
        self.timings[config] = [FAILED] * len(QUANTILES)
        self._errors[config] = error

    def _compile(self) -> None:
        """Compiles what is not compiled yet.

        A failure here is not final: the autotuner's hooks, which only the launch calls, may change the arguments, and
        they hear of the error.  Only a process that died or took too long is not tried again.
        """
        jobs, configs = [], []
        for config in self.configs:
            self.tuner.check_conflicts(config, self.kwargs)
            if config not in self.known and (found := self._pending(config)):
                configs.append(config)
                jobs.append(found)
        if not jobs:
            return
        self._progress.begin("compiled")
        outcomes = self._outcomes(jobs)
        for config, job, outcome in zip(configs, jobs, outcomes):
            self.compile_seconds[config] = outcome.seconds
            if isinstance(outcome.error, (OverTimeBudget, CompileWorkerDied)):
                self.skip(config, outcome.error)
            elif outcome.error is not None:
                self._failed_ahead[config] = KnownFailure(job, outcome.error)

    def _outcomes(self, jobs: list[list[PendingKernel]]) -> list[Outcome]:
        tuner = self.tuner
        step = lambda outcome: self._progress.step()
        if tuner.executor is None:
            return compile_all(jobs, worker_count(tuner.jobs), tuner.time_budget, step)
        from ttkit.autotuning.elsewhere import compile_on

        return compile_on(tuner.executor, jobs, tuner.jobs, tuner.time_budget, step)

    def failed_ahead(self, config: Config) -> BaseException | None:
        """The error of a configuration that could not be compiled."""
        known = self._failed_ahead.get(config)
        return None if known is None else known.error

    def note_failure(self, config: Config, error: BaseException) -> None:
        """Notes an error that a launch of the configuration will meet again."""
        self._failed_ahead[config] = KnownFailure([], error)

    def step(self) -> None:
        """Shows that one more is timed."""
        best = min((times[0] for times in self.timings.values()), default=FAILED)
        self._progress.step(best=None if best == FAILED else best, skipped=len(self.skipped))

    def _pending(self, config: Config) -> list[PendingKernel]:
        """The compilations that a launch needs after the configuration's hook; none where the hook fails, or binding
        the arguments does."""
        tuner, arguments = self.tuner, {**self.kwargs, **config.all_kwargs()}
        named = {**(tuner.nargs or {}), **arguments}
        state = ArgumentState(named.values())
        try:
            if config.pre_hook is not None:
                try:
                    config.pre_hook(named)
                except Exception:  # the launch raises it
                    return []
            return Collector().collect(lambda: tuner.fn.run(*self.args, **{**arguments, "warmup": True}))
        except Exception as error:
            self._failed_ahead[config] = KnownFailure([], error)
            return []
        finally:
            state.restore()

    def _time(self) -> None:
        self._progress.begin("timed")
        waiting = [config for config in self.configs if config not in self.timings]
        if self.tuner.timing_executor is not None:
            from ttkit.autotuning.elsewhere import time_on

            waiting = time_on(self.tuner.timing_executor, self, waiting, self.tuner.jobs)
        for config in waiting:
            self._time_here(config)
            self.step()

    def _time_here(self, config: Config) -> None:
        known = self._failed_ahead.get(config)
        try:
            with known or contextlib.nullcontext():
                self.timings[config] = self.tuner._bench(*self.args, config=config, **self.kwargs)
        except Exception as error:
            if not (known and known.is_same(error)) and not is_of_one_config(error):
                raise
            self.skip(config, error)

    def _compare(self) -> None:
        """Times the fastest configurations once more on one device, where their times are of several, or of several
        days."""
        timed = [config for config in self.configs if self.timings[config][0] < FAILED]
        sources = {str(self.devices.get(config, {}).get("worker")) for config in timed if config not in self.known}
        if len(sources) + bool(self.known) < 2 or len(timed) < 2:
            return
        from ttkit.autotuning.elsewhere import finalists, time_finalists_on

        last = finalists({config: self.timings[config] for config in timed}, self.devices, FAILED)
        self._progress.begin("compared")
        self._progress.total = len(last)
        executor = self.tuner.timing_executor
        found = None if executor is None else time_finalists_on(executor, self, last)
        if found is None:
            for config in last:
                self.devices.pop(config, None)
                self._time_here(config)
                self.step()
            found = [config for config in last if config not in self.skipped]
        self.compared = found

    @property
    def best(self) -> Config:
        """The fastest configuration of those whose times can be compared."""
        return min(self.compared or self.timings, key=lambda config: self.timings[config])
