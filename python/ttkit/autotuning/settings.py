"""The options of `autotune` that Triton's does not have: where a kernel is tuned, for how long, and for whom."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypedDict

from ttkit.suggestions import suggestion

if TYPE_CHECKING:
    from concurrent.futures import Executor


class TuningSettings(TypedDict, total=False):
    """Options of `autotune`; each is by default as `knobs.autotuning` says (TTKIT_AUTOTUNING_TIME_BUDGET...).

    time_budget: seconds to compile a configuration, and to run it once.
    jobs: configurations compiled at once; else as many as there are processors, or workers.
    executor: compiles: any `concurrent.futures.Executor`, or a text for `ttkit.executors.named_executor`, such as
        "processes:4"; else processes that are forked.
    timing_executor: times, on workers with GPUs, and the fastest again on one of them (docs/scale.md); else this
        process.
    store: keeps times and choices for other processes: a file for SQLite, or an address of SQLAlchemy or Redis.
    nearest: a new value of `key` takes the configuration of the nearest one that was tuned for.
    prune: how many (an int), or which share (a float), to compile of those predicted to be the fastest; not beside a
        perf_model.
    """

    time_budget: float | None
    jobs: int | None
    executor: Executor | str | None
    timing_executor: Executor | str | None
    store: str | None
    nearest: bool | None
    prune: float | None


def check_settings(given: Mapping[str, Any]) -> None:
    """Checks the names of options, and how many configurations are to be compiled.

    Raises:
        TypeError, ValueError: there is no such option, or prune is neither a number of configurations nor a share.
    """
    known = TuningSettings.__annotations__
    for name in given:
        if name not in known:
            raise TypeError(f"autotune() got an unexpected keyword argument '{name}'{suggestion(name, known)}")
    if (prune := given.get("prune")) is not None:
        _check_share(prune)


def _check_share(value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"prune is a number of configurations, or a share of them such as 0.1; found {value!r}")
    if value <= 0 or (isinstance(value, float) and value > 1):
        raise ValueError(f"prune is a number of configurations from 1 on, or a share of at most 1.0; found {value!r}")
