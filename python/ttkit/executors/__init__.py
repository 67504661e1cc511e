"""Work on any `concurrent.futures.Executor`: of this machine, of Dask, of Ray, or any other.

`tasks.py` hands tasks to an executor and takes their answers.  `isolated.py` is the worker's side: each task runs in a
process of its own, so that one that dies or hangs costs that task alone.  `named.py` finds executors by the texts that
commands take.  `on_dask.py` and `on_ray.py` are adapters; `queue_model.py` says how long tasks take.
"""

from __future__ import annotations

from ttkit.lazy_names import lazy_names

FORMS = "processes:N, gpus:0,1, dask:ADDRESS, ray:ADDRESS or module:attribute"
"""The texts that name executors, see `named_executor`."""
_HOMES = {
    "ExecutorError": "ttkit.executors.named",
    "named_executor": "ttkit.executors.named",
    "executor_of": "ttkit.executors.named",
    "dask_executor": "ttkit.executors.on_dask",
    "RayExecutor": "ttkit.executors.on_ray",
}
__all__ = ["FORMS", *_HOMES]


__getattr__ = lazy_names(__name__, _HOMES)
