"""Work on any `concurrent.futures.Executor`: of this machine, of Dask, of Ray, or any other.

`tasks.py` hands tasks to an executor and takes their answers.  `isolated.py` is the worker's side: each task runs in a
process of its own, so that one that dies or hangs costs that task alone.  `named.py` finds executors by the texts that
commands take.  `dask_executor.py` and `ray_executor.py` are adapters; `queue_model.py` says how long tasks take.
"""

from ttkit.executors.dask_executor import dask_executor
from ttkit.executors.named import ExecutorError, named_executor
from ttkit.executors.ray_executor import RayExecutor

__all__ = ["ExecutorError", "RayExecutor", "dask_executor", "named_executor"]
