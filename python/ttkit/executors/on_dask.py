"""The workers of a Dask cluster as an executor."""

from __future__ import annotations

import os
from concurrent.futures import Executor
from typing import Any


def dask_executor(client: Any, **options: Any) -> Executor:
    """An executor of `distributed`, with the number of its workers' threads as `width`.

    Args:
        client: a `distributed.Client`, the address of a scheduler, or the file that a scheduler writes.
        options: of `Client.get_executor`: `resources={"GPU": 1}` takes only workers that have one, `workers=` names
            them.

    Raises:
        ImportError: `distributed` is not installed.
        OSError: there is no such scheduler.
    """
    from distributed import Client  # type: ignore[import-not-found, import-untyped, unused-ignore]

    if isinstance(client, str):
        client = Client(scheduler_file=client) if os.path.exists(client) else Client(client)
    executor: Executor = client.get_executor(pure=False, **options)
    threads = client.nthreads()
    executor.width = len(threads) if "resources" in options else sum(threads.values())
    return executor
