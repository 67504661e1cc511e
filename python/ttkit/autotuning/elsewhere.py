"""Compiling and timing configurations on the workers of executors.

`trials` is the round of tuning that asks, an `autotuning.trials.Trials`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from functools import partial
from importlib import import_module
from typing import Any

import ttkit.autotuning.portable_timing as portable_timing
from ttkit.autotuning.compile_ahead import CompileWorkerDied, Outcome, PendingKernel, compile_all, compiles_elsewhere
from ttkit.autotuning.config import Config
from ttkit.autotuning.errors import OverTimeBudget, TimingWorkerDied
from ttkit.executors.isolated import Answer, end_all
from ttkit.executors.tasks import SECONDS, each_answer, on_one_worker
from ttkit.notices import say_once
from ttkit.runtime.compile import is_on_disk, store_files

FINALISTS = 8
"""Configurations that are timed once more, on one device."""
_OF_EACH_WORKER = 2  # fastest configurations of each worker that are finalists too
_RUNS = 20  # a task of timing may take so many time budgets
_START = 30.0  # seconds, and so many more


# --- compiling --------------------------------------------------------------------------------------------------------


def compile_on(
    executor: Executor,
    jobs: list[list[PendingKernel]],
    width: int | None,
    time_budget: float | None,
    on_done: Callable[[Outcome], Any],
) -> list[Outcome]:
    """Compiles each configuration's kernels, as `compile_all`, on an executor; what can't travel in this process and
    its children.

    Args:
        width: configurations at once; None for what the executor says.
    """
    outcomes: dict[int, Outcome] = {}
    able = enumerate(jobs) if compiles_elsewhere() else ()
    tasks = {number: task for number, job in able if (task := _task(job)) is not None}
    numbers, seconds = list(tasks), time_budget or SECONDS
    found = import_module("ttkit.aot.portable_compile")
    for place, answer in each_answer(executor, found.FUNCTION, list(tasks.values()), seconds=seconds, width=width):
        number = numbers[place]
        error = _error_of(answer, "compiling", seconds, CompileWorkerDied)
        if error is None and not _keep(jobs[number][0], answer.value):
            continue  # it is compiled here
        outcomes[number] = _finish(jobs[number], answer) if error is None else Outcome(error, answer.seconds)
        on_done(outcomes[number])
    rest = [number for number in range(len(jobs)) if number not in outcomes]
    here = compile_all([jobs[number] for number in rest], width or 1, time_budget, on_done)
    outcomes.update(zip(rest, here))
    return [outcomes[number] for number in range(len(jobs))]


def _task(job: list[PendingKernel]) -> dict[str, Any] | None:
    """A configuration's compilation as a task; None for one that is done here."""
    if len(job) != 1 or not isinstance(compilation := job[0].compile_fn, partial) or len(compilation.args) < 3:
        return None
    source, target, options = compilation.args[:3]
    if is_on_disk(source, target, options):
        return None
    found: dict[str, Any] | None = import_module("ttkit.aot.portable_compile").describe(
        source, options, int(target.arch)
    )
    return found


def _keep(kernel: PendingKernel, files: dict[str, bytes]) -> bool:
    """Puts what a worker compiled into the cache; whether it is what would have been compiled here."""
    source, target, options = kernel.compile_fn.args[:3]
    if store_files(source, target, options, files):
        return True
    say_once(
        "a worker compiles with another ttkit, ptxas or environment than this process, which does not use its kernels "
        "and compiles them itself"
    )
    return False


def _finish(job: list[PendingKernel], answer: Answer) -> Outcome:
    """Takes the kernel from the cache."""
    try:
        for kernel in job:
            kernel.finish()
    except Exception as error:
        return Outcome(error, answer.seconds)
    return Outcome(None, answer.seconds)


def _error_of(answer: Answer, what: str, seconds: float, died: Callable[[str], BaseException]) -> BaseException | None:
    if answer.late:
        return OverTimeBudget(what, seconds)
    if answer.ended:
        return died(f"the process that did it ended: {answer.ended}")
    return answer.error


# --- timing -----------------------------------------------------------------------------------------------------------


def time_on(executor: Executor, trials: Any, configs: Sequence[Config], width: int | None) -> list[Config]:
    """Times configurations on an executor.

    Returns:
        those that have to be timed here.
    """
    tasks, here = _timing_tasks(trials, configs)
    timed = list(tasks)
    budget = trials.tuner.time_budget
    seconds = SECONDS if budget is None else _START + _RUNS * budget
    answers = each_answer(executor, portable_timing.FUNCTION, list(tasks.values()), seconds=seconds, width=width)
    for place, answer in answers:
        _note(trials, timed[place], answer, seconds)
        trials.step()
    return here


def free_memory() -> None:
    """Ends the processes of this machine that have timed: what follows needs their memory on the GPU."""
    end_all()


def _timing_tasks(trials: Any, configs: Sequence[Config]) -> tuple[dict[Config, portable_timing.Task], list[Config]]:
    tasks, here = {}, []
    for config in configs:
        if portable_timing.has_hooks(trials.tuner, config):
            here.append(config)
            continue
        if (known := trials.failed_ahead(config)) is not None:
            trials.skip(config, known)
            trials.step()
            continue
        try:
            task = portable_timing.describe(trials.tuner, trials.args, trials.kwargs, config)
        except Exception as error:  # the configuration's, which is known when it is launched
            task = None
            trials.note_failure(config, error)
        if task is None:
            here.append(config)
        else:
            tasks[config] = task
    return tasks, here


def _note(trials: Any, config: Config, answer: Answer, seconds: float) -> None:
    error = _error_of(answer, "timing", seconds, TimingWorkerDied)
    if error is not None:
        trials.skip(config, error)
        return
    trials.timings[config] = answer.value["times"]
    trials.devices[config] = {**answer.value["device"], "clock": answer.value["clock"]}


def finalists(timings: dict[Config, list[float]], devices: dict[Config, dict[str, Any]], failed: float) -> list[Config]:
    """The configurations that are timed once more: the fastest ones, and the fastest ones of each worker, as workers
    differ."""
    ordered = sorted((config for config in timings if timings[config][0] < failed), key=lambda one: timings[one])
    found, of_worker = ordered[:FINALISTS], Counter[str]()
    for config in ordered:
        worker = str(devices.get(config, {}).get("worker"))
        of_worker[worker] += 1
        if of_worker[worker] <= _OF_EACH_WORKER and config not in found:
            found.append(config)
    return found


def time_finalists_on(executor: Executor, trials: Any, configs: Sequence[Config]) -> list[Config] | None:
    """Times configurations once more, all on one worker.

    Returns:
        those that were timed; None if they have to be timed here.
    """
    tasks, here = _timing_tasks(trials, configs)
    if here:
        return None
    timed = []
    for config, answer in zip(tasks, on_one_worker(executor, portable_timing.FUNCTION, list(tasks.values()))):
        if answer.value is not None:
            trials.timings[config] = answer.value["times"]
            trials.devices[config] = {**answer.value["device"], "clock": answer.value["clock"]}
            timed.append(config)
    return timed
