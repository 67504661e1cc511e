"""The workers of a Ray cluster as an executor."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any


class RayExecutor(Executor):
    """Tasks of Ray, as futures of Python.

    Args:
        address: of the cluster, such as "auto"; None starts one on this machine, unless there is one.
        options: of each task: `num_gpus=1`, `num_cpus=2`, `resources={...}`.

    width: tasks that the cluster runs at once.

    Raises:
        ImportError: `ray` is not installed.
        ConnectionError: there is no such cluster.
    """

    def __init__(self, address: str | None = None, **options: Any) -> None:
        import ray  # type: ignore[import-not-found, import-untyped, unused-ignore]

        self._ray = ray
        if not ray.is_initialized():
            ray.init(address=address, log_to_driver=False, include_dashboard=False)
        # A task that took its worker down is given to another by `each_answer`, once.
        # By itself, Ray starts a process for each task with a GPU; what a task holds there, its own process holds.
        self._call = ray.remote(**{"max_retries": 0, "max_calls": 0, **options})(_call)
        needs = {"CPU": options.get("num_cpus", 1), "GPU": options.get("num_gpus", 0)}
        has = ray.cluster_resources()
        self.width = max(1, int(min(has.get(name, 0) / count for name, count in needs.items() if count)))
        self._references: dict[Future[Any], Any] = {}

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Runs `fn(*args, **kwargs)` on a worker."""
        reference = self._call.remote(fn, args, kwargs)
        future: Future[Any] = reference.future()
        self._references[future] = reference  # else Ray forgets the task
        future.add_done_callback(lambda done: self._references.pop(done, None))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Ends no cluster: others may use it."""
        if cancel_futures:
            for reference in list(self._references.values()):
                self._ray.cancel(reference)


def _call(fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return fn(*args, **kwargs)
