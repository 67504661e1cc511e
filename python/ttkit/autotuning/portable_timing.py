"""Times of a compiled kernel as tasks for other processes and machines: described here, timed there.

A task has the cubin, the grid and the arguments (`portable_arguments.py`).  The worker needs ttkit and a GPU, and
neither the kernel's source nor a compiler.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any, NamedTuple

from ttkit.autotuning.config import QUANTILES, Config
from ttkit.autotuning.device_facts import clock_now, device_facts
from ttkit.autotuning.errors import StillRuns
from ttkit.autotuning.portable_arguments import NotPortable, from_images, to_images
from ttkit.autotuning.time_limit import check_runs_in_time
from ttkit.cuda.libcuda import KernelFault
from ttkit.executors.isolated import ProcessSpoiled, is_portable
from ttkit.language.jit_function import JITFunction
from ttkit.notices import say_once
from ttkit.runtime.compiled_kernel import CompiledKernel, CubinSource
from ttkit.runtime.driver import driver
from ttkit.runtime.launches import grid_sizes
from ttkit.runtime.parameters import argument_types

FUNCTION = "ttkit.autotuning.portable_timing:time_described"
"""Times a task, as `ttkit.executors` names functions."""
DEVICE = "ttkit.autotuning.device_facts:device_facts"
_SERVED = (".cubin", ".json")

_watched: ContextVar[list[tuple[tuple[Any, ...], dict[str, Any]]] | None] = ContextVar("ttkit_watched", default=None)


class Task(NamedTuple):
    """A kernel that is to be timed.

    kinds: types of its arguments.
    reset, restore: places of arguments that are zeroed, and set back, before each run.
    arguments: images of `portable_arguments`.
    do_bench: what times; None for the worker's own.
    time_budget: most seconds of one run.
    """

    name: str
    hash: str
    files: dict[str, bytes]
    kinds: list[Any]
    arguments: list[Any]
    grid: tuple[int, int, int]
    reset: list[int]
    restore: list[int]
    do_bench: Callable[..., Any] | None
    time_budget: float | None


def has_hooks(tuner: Any, config: Config) -> bool:
    """Whether the user's functions are called around each run."""
    return bool(config.pre_hook or tuner.user_defined_pre_hook or tuner.user_defined_post_hook)


def describe(tuner: Any, args: Sequence[Any], kwargs: dict[str, Any], config: Config) -> Task | None:
    """The run of a configuration without hooks as a task; None for one that has to be timed here, since its arguments
    or the timer can't travel.

    Raises:
        Exception: what binding the arguments or compiling raises.
    """
    timer = tuner._do_bench
    if timer is not None and not _is_importable(timer):
        _say_why_here(tuner, "its do_bench is a function that other processes can't import")
        return None
    kernel, bound, grid = _launch(tuner, args, {**kwargs, **config.all_kwargs()})
    if not isinstance(kernel, CompiledKernel):
        return None
    sizes = grid_sizes(grid(bound) if callable(grid) else grid, kernel.name, kernel.metadata.num_ctas)
    kinds, names = argument_types(kernel.src) or [], list(bound)
    try:
        images = to_images(list(bound.values()), kinds)
    except NotPortable as reason:
        _say_why_here(tuner, f"it has {reason} among its arguments")
        return None
    return Task(
        kernel.name,
        kernel.hash,
        {name: data for name, data in kernel.files().items() if name.endswith(_SERVED)},
        kinds,
        images,
        sizes,
        [names.index(name) for name in tuner.reset_to_zero],
        [names.index(name) for name in tuner.restore_value],
        timer,
        tuner.time_budget,
    )


def _say_why_here(tuner: Any, reason: str) -> None:
    say_once(f"{tuner.base_fn.__name__} is timed in this process and not by workers: {reason}")


def _launch(tuner: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[Any, dict[str, Any], Any]:
    """The kernel that a launch would start, its arguments by name, and its grid."""
    function = tuner.fn
    while not isinstance(function, JITFunction):
        function = function.fn
    seen: list[tuple[tuple[Any, ...], dict[str, Any]]] = []

    def hook(*given: Any, **named: Any) -> None:
        """Notes how this thread launches the function, below heuristics."""
        if (noted := _watched.get()) is not None:
            noted.append((given, dict(named)))

    token = _watched.set(seen)
    function.pre_run_hooks.append(hook)
    try:
        kernel = tuner.fn.run(*args, **{**kwargs, "warmup": True})
    finally:
        function.pre_run_hooks.remove(hook)
        _watched.reset(token)
    if not seen:  # a function that launches in a way of its own
        return None, {}, None
    cache = function.launches._device_cache(driver.active.get_current_device())
    bound, _, _ = cache.binder(*seen[-1][0], **seen[-1][1])
    return kernel, bound, kwargs.get("grid")


def _is_importable(timer: Callable[..., Any]) -> bool:
    """Whether another process finds a timer by its name."""
    named = getattr(timer, "func", timer)  # of a functools.partial
    return getattr(named, "__module__", None) != "__main__" and is_portable(timer)


# --- on the other side ------------------------------------------------------------------------------------------------

_last: tuple[list[Any], list[Any]] = [], []  # images and the arguments of the last task, which most tasks share


def is_spoiled() -> bool:
    """Whether this process can't use the GPU any more, as after a fault, which torch tells by errors of its own."""
    try:
        driver.active.get_device_interface().synchronize()
    except Exception:
        return True
    return False


def time_described(task: Task) -> dict[str, Any]:
    """Times a task on the current GPU.

    Returns:
        `times` (the median, and the 20th and 80th percentile, in ms), `device` (`device_facts`), and `clock` (in MHz).

    Raises:
        ProcessSpoiled: the kernel failed on the GPU, or still runs.
        Exception: the driver refuses the kernel, or it takes more time than it may.
    """
    global _last
    if _last[0] != task.arguments:
        _last = [], []  # first free the memory
        _last = task.arguments, from_images(task.arguments)
    arguments = _last[1]
    signature = dict(enumerate(task.kinds))
    kernel = CompiledKernel(CubinSource(task.name, signature), {}, task.hash, contents=task.files)

    def call() -> None:
        """One run, with arguments as they were."""
        for place in task.reset:
            arguments[place].zero_()
        for place in task.restore:
            arguments[place].restore()
        kernel.launch(task.grid, arguments)

    timer = task.do_bench or driver.active.get_benchmarker()
    try:
        if task.time_budget is not None:
            check_runs_in_time(call, task.time_budget, leaves=True)
        times = [float(time) for time in timer(call, quantiles=QUANTILES)]
    except Exception as error:
        if isinstance(error, (KernelFault, StillRuns)) or is_spoiled():
            raise ProcessSpoiled(str(error)) from None
        raise
    return {"times": times, "device": device_facts(), "clock": clock_now()}
