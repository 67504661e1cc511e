"""Tuning with hundreds of configurations, on the workers of executors.  Needs a GPU.

    python bench/tuning.py --kernel matmul --configs 300 --jobs 1
    python bench/tuning.py --kernel attention --configs 200 --cluster processes --workers 16 --gpus 0,1
    python bench/tuning.py --cluster dask --trouble --output FILE.json
    python bench/tuning.py --executor dask:tcp://host:8786 --timing-executor ray:auto

Compiles from an empty cache, and prints the seconds, the choice, and what was skipped.  --cluster starts workers here:
those that compile, and one for each GPU (`tuning_clusters.py`).  --trouble kills the process of one worker in the
middle, stops that of another, so that it hangs, and kills one that times.
"""

import argparse
import contextlib
import functools
import itertools
import json
import os
import shutil
import signal
import tempfile
import threading
import time
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import tuning_clusters
from autotune import matmul

from ttkit import cdiv, jit
from ttkit import language as tl
from ttkit.autotuning import Config, autotune
from ttkit.cuda.device import DeviceArray
from ttkit.executors import executor_of
from ttkit.testing import do_bench

QUICK = functools.partial(do_bench, warmup=5, rep=20)
SIZE, TOKENS, HEADS, WIDTH = 4096, 4096, 16, 64


@jit
def attention(q_ptr, k_ptr, v_ptr, out_ptr, tokens, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    head, inner, columns = tl.program_id(1) * tokens * D, tl.arange(0, D), tl.arange(0, BN)
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    q = tl.load(q_ptr + head + rows[:, None] * D + inner[None, :])
    most, sums = tl.full([BM], -float("inf"), tl.float32), tl.zeros([BM], tl.float32)
    total = tl.zeros([BM, D], tl.float32)
    for first in range(0, tokens, BN):
        at = first + columns
        scores = tl.dot(q, tl.load(k_ptr + head + at[None, :] * D + inner[:, None])) * scale
        larger = tl.maximum(most, tl.max(scores, 1))
        shrink, p = tl.exp2(most - larger), tl.exp2(scores - larger[:, None])
        sums = sums * shrink + tl.sum(p, 1)
        v = tl.load(v_ptr + head + at[:, None] * D + inner[None, :])
        total = tl.dot(p.to(tl.float16), v, total * shrink[:, None])
        most = larger
    tl.store(out_ptr + head + rows[:, None] * D + inner[None, :], (total / sums[:, None]).to(tl.float16))


def random(*shape):
    return DeviceArray(np.random.default_rng(0).standard_normal(shape).astype(np.float16))


def product_configs(count):
    """Configurations of a matrix product."""
    tiles = itertools.product((64, 128, 256), (64, 128, 256), (32, 64, 128))
    choices = itertools.product((4, 8), range(2, 8), tiles)
    configs = [
        Config({"BM": m, "BN": n, "BK": k}, num_warps=warps, num_stages=stages) for warps, stages, (m, n, k) in choices
    ]
    return configs[:count]


def products(count):
    """A matrix product, its configurations, and its launch."""
    a, b, c = random(SIZE, SIZE), random(SIZE, SIZE), random(SIZE, SIZE)
    grid = lambda given: (cdiv(SIZE, given["BM"]), cdiv(SIZE, given["BN"]))
    return matmul, product_configs(count), lambda tuned: tuned[grid](a, b, c, *[SIZE] * 6)


def attentions(count):
    """Attention, its configurations, and its launch."""
    choices = itertools.product((4, 8), range(1, 7), (None, 128, 168, 232), (64, 128), (32, 64, 128))
    configs = [
        Config({"BM": m, "BN": n}, num_warps=warps, num_stages=stages, maxnreg=registers)
        for warps, stages, registers, m, n in choices
    ]
    q, k, v, out = (random(HEADS, TOKENS, WIDTH) for _ in range(4))
    grid = lambda given: (cdiv(TOKENS, given["BM"]), HEADS)
    return attention, configs[:count], lambda tuned: tuned[grid](q, k, v, out, TOKENS, WIDTH**-0.5 * 1.44, D=WIDTH)


def descendants(*, on_gpu):
    """Processes that run tasks for this one, directly or for its workers: those that have loaded the driver, or not."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
    mine = {os.getpid()}
    while found := {child for child, parent in parents.items() if parent in mine} - mine:
        mine |= found
    told = []
    for one in sorted(mine):
        with contextlib.suppress(OSError):
            serves = b"isolated import serve" in Path(f"/proc/{one}/cmdline").read_bytes()
            if serves and ("libcuda.so" in Path(f"/proc/{one}/maps").read_text()) == on_gpu:
                told.append(one)
    return told


def trouble(after, told):
    """Some seconds after the start, kills a process that compiles, and stops another; later kills one that times."""
    time.sleep(after)
    for on_gpu, signals in ((False, (signal.SIGKILL, signal.SIGSTOP)), (True, (signal.SIGKILL,))):
        until = time.monotonic() + 100.0
        while len(found := descendants(on_gpu=on_gpu)) < len(signals) and time.monotonic() < until:
            time.sleep(0.1)
        time.sleep(on_gpu * 1.0)  # until it has timed some
        for process, number in zip(found, signals):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, number)
                told.append(f"{number.name} to a process that {'times' if on_gpu else 'compiles'}")


@contextlib.contextmanager
def workers_of(options):
    """What compiles, what times, and the seconds that starting both takes."""
    if not options.cluster:
        yield executor_of(options.executor), executor_of(options.timing_executor), 0.0
        return
    began = time.perf_counter()
    with tuning_clusters.KINDS[options.cluster](options.workers, options.gpus.split(",")) as (compiling, timing):
        yield compiling, timing, time.perf_counter() - began


def measured(options):
    """Tunes, and gives what is to be known of it."""
    kernel, configs, launch = {"matmul": products, "attention": attentions}[options.kernel](options.configs)
    told = []
    with workers_of(options) as (compiling, timing, start):
        where = {"executor": compiling, "timing_executor": timing, "jobs": options.jobs, "store": options.store}
        tuned = autotune(configs, [], do_bench=QUICK, time_budget=options.budget, **where)(kernel)
        if options.trouble is not None:
            threading.Thread(target=trouble, args=[options.trouble, told], daemon=True).start()
        began = time.perf_counter()
        launch(tuned)
        seconds = time.perf_counter() - began
    texts = {config: json.dumps({k: v for k, v in config.all_kwargs().items() if v is not None}) for config in configs}
    return {
        "kernel": options.kernel,
        "configs": len(configs),
        "seconds": round(seconds, 2),
        "start": round(start, 2),
        "compiling": round(sum(tuned.compile_seconds.values()), 2),
        "signals": told,
        "best": texts[tuned.best_config],
        "best_ms": tuned.configs_timings[tuned.best_config][0],
        "skipped": {texts[config]: why[:200] for config, why in tuned.skipped.items()},
        "ms": {texts[one]: times[0] for one, times in tuned.configs_timings.items() if one not in tuned.skipped},
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kernel", choices=("matmul", "attention"), default="matmul")
    parser.add_argument("--configs", type=int, default=300)
    parser.add_argument("--executor", default="")
    parser.add_argument("--timing-executor", default="")
    parser.add_argument("--cluster", choices=list(tuning_clusters.KINDS), default="")
    parser.add_argument("--workers", type=int, default=16, help="of a cluster, that compile")
    parser.add_argument("--gpus", default="0", help="of a cluster, such as 0,1")
    parser.add_argument("--jobs", type=int, help="configurations at once; 1 for one process")
    parser.add_argument("--store", help="of times, see autotune")
    parser.add_argument("--budget", type=float, help="seconds of a compilation, and of a run")
    parser.add_argument("--trouble", type=float, nargs="?", const=5.0, metavar="SECONDS")
    parser.add_argument("--output", type=Path, help="all of it as JSON")
    options = parser.parse_args()
    os.environ["TRITON_CACHE_DIR"] = folder = tempfile.mkdtemp(prefix="ttkit-bench-")
    warnings.simplefilter("ignore")
    found = measured(options)
    shutil.rmtree(folder, ignore_errors=True)
    if options.output:
        options.output.write_text(json.dumps(found))
    told = f", {', '.join(found['signals'])}" if found["signals"] else ""
    print(
        f"{found['kernel']}: {found['configs']} configurations in {found['seconds']} s after {found['start']} s{told}"
    )
    print(f"  {found['compiling']} s of compilations, {len(found['skipped'])} skipped")
    for why, count in Counter(why.partition(":")[0][:60] for why in found["skipped"].values()).most_common():
        print(f"  {count:4} {why}")
    print(f"  {found['best_ms']:.4f} ms: {found['best']}")


if __name__ == "__main__":
    main()
