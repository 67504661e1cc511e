"""What workers cost and bring: real runs of a queue of tasks beside their simulation, and the simulation further on.

    python bench/scale.py [--count 40] [--workers 1,2,3,4] [--executor processes] [--repeat 2]
    python bench/scale.py --gpus 0 [--count 56] [--workers 2,4,8,16] [--output FILE.json]

Compiles configurations of a matrix product for sm_90 from an empty cache (tasks that compute), and waits as a GPU's
timing does (tasks that wait); needs no GPU.  Prints seconds.  With --executor dask or ray the workers are theirs.

With --gpus it tunes the product: processes compile, and one for each of these GPUs times.  A first tuning, with one
worker of each kind, says what the tasks cost; the others are compared with what the simulation says from that.
"""

import argparse
import dataclasses
import itertools
import json
import multiprocessing
import os
import shutil
import statistics
import tempfile
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path

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
    """Computes until then; the rounds of its loop, and the seconds of a processor that it got."""
    began, rounds = time.process_time(), 0
    while time.monotonic() < until:
        sum(range(10_000))
        rounds += 1
    return rounds, time.process_time() - began


def spun(workers, seconds):
    """Rounds, and seconds of processors, of so many processes that compute at once."""
    with multiprocessing.get_context("fork").Pool(workers) as pool:
        found = pool.map(spin, [time.monotonic() + 0.05 + seconds] * workers, chunksize=1)
    return sum(rounds for rounds, _ in found), sum(got for _, got in found)


@cache
def speed():
    """Rounds of a process that is alone, in a second of a processor: others slow it down, on the same core even."""
    rounds, got = spun(1, 1.0)
    return rounds / got


def capacity(workers, seconds=1.5):
    """The processors that so many processes get now, beside those of others, as processors of one that is alone."""
    return spun(workers, seconds)[0] / speed() / (seconds + 0.05)


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


# --- tuning on a GPU --------------------------------------------------------------------------------------------------


def tuned(given):
    """Tunes from an empty cache, in this process: its seconds, and of each of its two queues the seconds, those of each
    task, and those in which this process handles an answer."""
    workers, count, gpus = given
    import tuning

    from ttkit.autotuning import elsewhere

    queues = []

    def watched(*words, **named):
        """The answers of a queue, with notes."""
        found, handling, began = {}, 0.0, time.perf_counter()
        for number, answer in each_answer(*words, **named):
            found[number], before = answer.seconds, time.perf_counter()
            yield number, answer
            handling += time.perf_counter() - before
        seconds = [found[number] for number in sorted(found)]
        each = handling / max(1, len(seconds))
        queues.append({"seconds": time.perf_counter() - began, "tasks": seconds, "handling": each})

    elsewhere.each_answer = watched
    os.environ["TRITON_CACHE_DIR"] = folder = tempfile.mkdtemp(prefix="ttkit-bench-")
    words = {"kernel": "matmul", "configs": count, "cluster": "processes", "workers": workers, "gpus": gpus}
    options = argparse.Namespace(**words, jobs=None, store=None, budget=None, trouble=None)
    warnings.simplefilter("ignore")
    found = tuning.measured(options)
    shutil.rmtree(folder, ignore_errors=True)
    kept = {key: found[key] for key in ("seconds", "best", "best_ms")}
    return {"workers": workers, **kept, "skipped": len(found["skipped"]), "queues": queues}


def tuning_alone(*given):
    """A tuning in a process of its own, which has no GPU before."""
    with multiprocessing.get_context("fork").Pool(1) as pool:
        return pool.apply(tuned, [given])


def costs_of(queue, give, processors, computes):
    """The seconds of each task of a queue with one worker, and what is to be simulated besides."""
    first, *others = queue["tasks"]
    usual = statistics.median(others)
    costs = Costs(max(0.0, first - usual), give + queue["handling"], processors, computes)
    return [usual, *others], costs


def tunings(options):
    """Prints real tunings beside their simulation.  Written to a file: all that is known of each."""
    gpus = len(options.gpus.split(","))
    speed()
    give = run("processes", 4, "builtins:len", [""] * 400, warm=True)[0] / 400
    known = tuning_alone(1, options.count, options.gpus.split(",")[0])
    compiling, timing = known["queues"]
    rest = known["seconds"] - compiling["seconds"] - timing["seconds"]
    print(f"{options.count} configurations: one worker {known['seconds']:.2f} s, {known['skipped']} skipped")
    for name, queue in ("compiled", compiling), ("timed", timing):
        seconds, costs = costs_of(queue, give, None, True)
        print(
            f"  {name}: {queue['seconds']:.2f} s; a task {statistics.mean(seconds):.3f} s, "
            f"start {costs.start:.2f} s, given and handled in {1e3 * costs.give:.1f} ms"
        )
    print(f"  the rest {rest:.2f} s", flush=True)
    rows = [known]
    for workers in options.workers * options.repeat:
        had = capacity(workers, 0.7)
        found = tuning_alone(workers, options.count, options.gpus)
        had = (had + capacity(workers, 0.7)) / 2
        simulated = [
            makespan(seconds, width, costs)
            for width, (seconds, costs) in (
                (workers, costs_of(compiling, give, had, True)),
                (gpus, costs_of(timing, give, None, False)),
            )
        ]
        real = [queue["seconds"] for queue in found["queues"]]
        whole = rest + sum(simulated)
        shown = ", ".join(
            f"{name} {real:.2f} s, simulated {simulated:.2f} s ({real / simulated:.2f})"
            for name, real, simulated in zip(
                ("whole", "compiled", "timed"), (found["seconds"], *real), (whole, *simulated)
            )
        )
        print(f"  {workers:3} workers: {shown}; {had:.1f} processors", flush=True)
        rows.append({**found, "processors": had, "simulated": [whole, *simulated]})
        if options.output:
            options.output.write_text(json.dumps({"give": give, "rest": rest, "runs": rows}))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=40, help="configurations")
    parser.add_argument("--workers", type=lambda text: [int(part) for part in text.split(",")], default=[1, 2, 3, 4])
    parser.add_argument("--gpus", default="", help="tunes on these, such as 0,1")
    parser.add_argument("--output", type=Path, help="with --gpus, all of it as JSON")
    parser.add_argument("--executor", choices=("processes", "dask", "ray"), default="processes")
    parser.add_argument("--repeat", type=int, default=2, help="runs, of which the fastest counts")
    options = parser.parse_args()
    os.environ["TRITON_CACHE_DIR"] = tempfile.mkdtemp(prefix="ttkit-bench-")
    if options.gpus:
        tunings(options)
        return
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
