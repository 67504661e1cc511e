"""Work on any `concurrent.futures.Executor`: of this machine, of Dask, of Ray, or any other.

`tasks.py` hands tasks to an executor and takes their answers.  `isolated.py` is the worker's side: each task runs in a
process of its own, so that one that dies or hangs costs that task alone.  `named.py` finds executors by the texts that
commands take.  `on_dask.py` and `on_ray.py` are adapters; `queue_model.py` says how long tasks take.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

FORMS = "processes:N, gpus:0,1, dask:ADDRESS, ray:ADDRESS or module:attribute"
"""The texts that name executors, see `named_executor`."""
_PLACES = {
    "ExecutorError": "named",
    "named_executor": "named",
    "executor_of": "named",
    "dask_executor": "on_dask",
    "RayExecutor": "on_ray",
}
__all__ = ["FORMS", *_PLACES]


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        found = globals()[name] = getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
