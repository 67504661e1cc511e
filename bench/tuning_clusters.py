"""Clusters on this machine for `tuning.py`: workers that compile, and a worker for each GPU."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Iterator
from concurrent.futures import Executor

from ttkit.executors import RayExecutor, dask_executor, named_executor

Pair = tuple[Executor, Executor]
"""What compiles, and what times."""


@contextlib.contextmanager
def processes(workers: int, gpus: list[str]) -> Iterator[Pair]:
    """Processes of this machine."""
    yield named_executor(f"processes:{workers}"), named_executor(f"gpus:{','.join(gpus)}")


@contextlib.contextmanager
def dask(workers: int, gpus: list[str]) -> Iterator[Pair]:
    """A scheduler and its workers; those with GPUs see one each, as dask-cuda would start them."""
    from distributed import Client, Nanny, Scheduler, SpecCluster

    options = {"nthreads": 1, "dashboard": False, "silence_logs": logging.ERROR}
    compiling = {"cls": Nanny, "options": {**options, "resources": {"CPU": 1}}}
    spec = {f"cpu-{number}": compiling for number in range(workers)}
    for gpu in gpus:
        here = {"resources": {"GPU": 1}, "env": {"CUDA_VISIBLE_DEVICES": gpu}}
        spec[f"gpu-{gpu}"] = {"cls": Nanny, "options": {**options, **here}}
    scheduler = {"cls": Scheduler, "options": {"dashboard": False, "host": "127.0.0.1"}}
    with (
        SpecCluster(scheduler=scheduler, workers=spec, silence_logs=logging.ERROR) as cluster,
        Client(cluster) as client,
    ):
        client.wait_for_workers(len(spec))
        yield dask_executor(client, resources={"CPU": 1}), dask_executor(client, resources={"GPU": 1})


@contextlib.contextmanager
def dask_cuda(workers: int, gpus: list[str]) -> Iterator[Pair]:
    """The same with the workers of dask-cuda, which it pins to GPUs; the others are processes of this machine."""
    from dask_cuda import LocalCUDACluster
    from distributed import Client

    where = {"CUDA_VISIBLE_DEVICES": ",".join(gpus), "dashboard_address": None}
    with LocalCUDACluster(**where) as cluster, Client(cluster) as client:
        client.wait_for_workers(len(gpus))
        yield named_executor(f"processes:{workers}"), dask_executor(client)


@contextlib.contextmanager
def ray(workers: int, gpus: list[str]) -> Iterator[Pair]:
    """A cluster of Ray, whose tasks see the GPU that they have."""
    import ray as cluster

    os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(gpus)
    how = {"address": "local", "log_to_driver": False, "include_dashboard": False, "object_store_memory": 512 << 20}
    cluster.init(num_cpus=workers + len(gpus), num_gpus=len(gpus), **how)
    try:
        compiling, timing = RayExecutor(), RayExecutor(num_gpus=1)
        compiling.width = workers
        yield compiling, timing
    finally:
        cluster.shutdown()


KINDS = {"processes": processes, "dask": dask, "dask-cuda": dask_cuda, "ray": ray}
