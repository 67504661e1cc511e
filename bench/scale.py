"""What workers cost and bring: real runs of a queue of tasks beside their simulation, and the simulation further on.

    python bench/scale.py [--count 40] [--workers 1,2,3,4] [--executor processes] [--repeat 2]

Compiles configurations of a matrix product for sm_90 from an empty cache (tasks that compute), and waits as a GPU's
timing does (tasks that wait); needs no GPU.  Prints seconds.  With --executor dask or ray the workers are theirs.
"""

import argparse
import dataclasses
import itertools
import multiprocessing
import os
import shutil
import statistics
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

os.environ.setdefault("TRITON_OVERRIDE_ARCH", "sm90")

import numpy as np
from autotune import matmul

from ttkit.aot import portable_compile
from ttkit.autotuning import Config
from ttkit.autotuning.compile_ahead import Collector
from ttkit.executors import RayExecutor, dask_executor, isolated
from ttkit.executors.queue_model import Costs, makespan, useful_workers
from ttkit.executors.tasks import each_answer
from ttkit.runtime.mock_tensors import MockTensor

WAITED = 0.3  # seconds: about that of timing a configuration
SIZES = [(m, n, k) for m in (32, 64, 128) for n in (32, 64, 128) for k in (32, 64)]


def compilations(count):
    """Tasks that compile a configuration each."""
    configs = [
        Config({"BM": m, "BN": n, "BK": k}, num_warps=warps, num_stages=stages)
        for stages, warps, (m, n, k) in itertools.product((3, 4, 2, 5), (4, 8), SIZES)
    ]
    half = MockTensor(np.dtype(np.float16))
    arguments = (half, half, half, 4096, 4096, 4096, 4096, 4096, 4096)
    tasks = []
    for config in configs[:count]:
        launch = lambda config=config: matmul.run(*arguments, grid=(1,), warmup=True, **config.all_kwargs())
        (pending,) = Collector().collect(launch)
        source, target, options = pending.compile_fn.args[:3]
        tasks.append(portable_compile.describe(source, options, int(target.arch)))
    return tasks


@contextmanager
def made(kind, workers):
    """An executor of so many workers."""
    if kind == "dask":
        import distributed

        where = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": None}
        with distributed.LocalCluster(**where) as cluster, distributed.Client(cluster) as client:
            yield dask_executor(client)
    elif kind == "ray":
        import ray

        ray.init("local", num_cpus=workers, log_to_driver=False, include_dashboard=False)
        yield RayExecutor()
        ray.shutdown()
    else:
        with ThreadPoolExecutor(workers) as executor:
            yield executor
    isolated.end_all()


def spin(until):
    """Computes until then; the seconds of a processor that it got."""
    while time.monotonic() < until:
        pass
    return time.process_time()


def capacity(workers, seconds=1.5):
    """The processors that so many processes get now, beside those of others."""
    with multiprocessing.get_context("fork").Pool(workers) as pool:
        began = time.monotonic()
        return sum(pool.map(spin, [began + seconds] * workers, chunksize=1)) / seconds


def run(kind, workers, function, tasks, warm=False):
    """Seconds of a run from an empty cache, and those of each task.  `warm`: the workers have begun before."""
    before = os.environ.get("TRITON_CACHE_DIR", "")
    folder = os.environ["TRITON_CACHE_DIR"] = tempfile.mkdtemp(prefix="ttkit-bench-")
    if os.path.isdir(os.path.join(before, ".digests")):  # of ttkit and ptxas, which a second run finds in the cache
        shutil.copytree(os.path.join(before, ".digests"), os.path.join(folder, ".digests"))
    try:
        with made(kind, workers) as executor:
            if warm:
                list(each_answer(executor, "time:sleep", [0.5] * workers))
            began = time.perf_counter()
            answers = dict(each_answer(executor, function, tasks, seconds=300))
            seconds = time.perf_counter() - began
    finally:
        os.environ["TRITON_CACHE_DIR"] = before
        shutil.rmtree(folder, ignore_errors=True)
    failed = [one for one in answers.values() if one.error or one.ended or one.late]
    assert not failed, failed[0]
    return seconds, [answers[number].seconds for number in range(len(tasks))]


def compared(options, function, tasks, seconds, costs):
    """Prints real runs beside their simulation."""
    for workers in options.workers:
        ratios = []
        for _ in range(options.repeat):
            had = costs.processors and capacity(workers)
            real = run(options.executor, workers, function, tasks)[0]
            had = costs.processors and (had + capacity(workers)) / 2  # before and after
            simulated = makespan(seconds, workers, dataclasses.replace(costs, processors=had))
            ratios.append((real / simulated, real, simulated, had))
        ratio, real, simulated, had = statistics.median_low(ratios)
        left = f"   (on {had:.2f} processors)" if had else ""
        print(f"  {workers:4} workers  {real:7.2f} s   simulated {simulated:7.2f} s   real/simulated {ratio:.2f}{left}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=40, help="configurations")
    parser.add_argument("--workers", type=lambda text: [int(part) for part in text.split(",")], default=[1, 2, 3, 4])
    parser.add_argument("--executor", choices=("processes", "dask", "ray"), default="processes")
    parser.add_argument("--repeat", type=int, default=2, help="runs, of which the fastest counts")
    options = parser.parse_args()
    os.environ["TRITON_CACHE_DIR"] = tempfile.mkdtemp(prefix="ttkit-bench-")
    tasks = compilations(options.count)
    cores = len(os.sched_getaffinity(0))

    most = max(options.workers)
    give = run(options.executor, most, "builtins:len", [""] * 400, warm=True)[0] / 400
    _, nothing = run(options.executor, 1, "builtins:len", [""])
    run(options.executor, 1, portable_compile.FUNCTION, tasks[:1])  # reads what later runs find in memory
    alone = capacity(1)
    _, seconds = run(options.executor, 1, portable_compile.FUNCTION, tasks)
    alone = min(1.0, (alone + capacity(1)) / 2)  # of a processor
    mean = alone * statistics.mean(seconds[1:])
    start = max(0.0, alone * seconds[0] - mean)
    seconds = [mean, *(alone * each for each in seconds[1:])]
    print(f"{options.executor}: {len(tasks)} compilations of {mean:.3f} s (median {statistics.median(seconds):.3f} s)")
    print(f"  start of a worker {start:.2f} s, task without work {1e3 * give:.2f} ms, {cores} processors")
    compared(options, portable_compile.FUNCTION, tasks, seconds, Costs(start, give, cores))
    waits = [WAITED] * options.count
    first = nothing[0]
    print(f"{len(waits)} tasks that wait {WAITED} s; start of a worker {first:.2f} s")
    compared(options, "time:sleep", waits, waits, Costs(alone * first, give, cores, computes=False))

    print("simulated, each worker with a processor of its own, 574 configurations:")
    many = [seconds[number % len(seconds)] for number in range(574)]
    for workers in (1, 10, 32, 100, 1000):
        taken = makespan(many, workers, Costs(start, give))
        used = sum(many) / (taken * workers)
        print(f"  {workers:4} workers  {taken:7.1f} s, of which each works {100 * used:.0f} %")
    print(f"  beyond {useful_workers(mean, give):.0f} workers the queue is the limit")


if __name__ == "__main__":
    main()
