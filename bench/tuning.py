"""Tuning with hundreds of configurations, on the workers of executors.  Needs a GPU.

    python bench/tuning.py --kernel matmul --configs 300
    python bench/tuning.py --kernel attention --configs 200 --executor processes:16 --timing-executor gpus:0,1
    python bench/tuning.py --executor dask:tcp://host:8786 --timing-executor ray:local --trouble

Compiles from an empty cache, and prints the seconds, the choice, and what was skipped.  --trouble kills the process of
one worker after some seconds, and stops that of another, so that it hangs.
"""

import argparse
import itertools
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
from autotune import matmul

from ttkit import cdiv, jit
from ttkit import language as tl
from ttkit.autotuning import Config, autotune
from ttkit.cuda.device import DeviceArray

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


def products(count):
    """The configurations of a matrix product, and its launch."""
    tiles = itertools.product((64, 128, 256), (64, 128, 256), (32, 64, 128))
    choices = itertools.product((4, 8), range(2, 8), tiles)
    configs = [
        Config({"BM": m, "BN": n, "BK": k}, num_warps=warps, num_stages=stages) for warps, stages, (m, n, k) in choices
    ]
    a, b, c = random(SIZE, SIZE), random(SIZE, SIZE), random(SIZE, SIZE)
    grid = lambda given: (cdiv(SIZE, given["BM"]), cdiv(SIZE, given["BN"]))
    return matmul, configs[:count], lambda tuned: tuned[grid](a, b, c, *[SIZE] * 6)


def attentions(count):
    """The configurations of attention, and its launch."""
    choices = itertools.product((4, 8), range(1, 7), (None, 128, 168, 232), (64, 128), (32, 64, 128))
    configs = [
        Config({"BM": m, "BN": n}, num_warps=warps, num_stages=stages, maxnreg=registers)
        for warps, stages, registers, m, n in choices
    ]
    q, k, v, out = (random(HEADS, TOKENS, WIDTH) for _ in range(4))
    grid = lambda given: (cdiv(TOKENS, given["BM"]), HEADS)
    return attention, configs[:count], lambda tuned: tuned[grid](q, k, v, out, TOKENS, WIDTH**-0.5 * 1.44, D=WIDTH)


def descendants():
    """Processes that run tasks for this one, directly or for its workers."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    mine = {os.getpid()}
    while found := {child for child, parent in parents.items() if parent in mine} - mine:
        mine |= found
    return [one for one in sorted(mine) if b"isolated import serve" in Path(f"/proc/{one}/cmdline").read_bytes()]


def trouble(after):
    """Kills a process after some seconds, and stops another."""
    time.sleep(after)
    for process, number in zip(descendants(), (signal.SIGKILL, signal.SIGSTOP)):
        os.kill(process, number)
        print(f"  {number.name} to a worker's process")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kernel", choices=("matmul", "attention"), default="matmul")
    parser.add_argument("--configs", type=int, default=300)
    parser.add_argument("--executor", default="")
    parser.add_argument("--timing-executor", default="")
    parser.add_argument("--budget", type=float, default=60.0, help="seconds of a compilation, and of a run")
    parser.add_argument("--trouble", type=float, nargs="?", const=10.0, metavar="SECONDS")
    options = parser.parse_args()
    os.environ["TRITON_CACHE_DIR"] = folder = tempfile.mkdtemp(prefix="ttkit-bench-")
    kernel, configs, launch = {"matmul": products, "attention": attentions}[options.kernel](options.configs)
    where = {"executor": options.executor or None, "timing_executor": options.timing_executor or None}
    tuned = autotune(configs, key=[], time_budget=options.budget, **where)(kernel)
    if options.trouble is not None:
        threading.Thread(target=trouble, args=[options.trouble], daemon=True).start()
    warnings.simplefilter("ignore")
    began = time.perf_counter()
    launch(tuned)
    seconds = time.perf_counter() - began
    shutil.rmtree(folder, ignore_errors=True)
    skipped = Counter(why.partition(":")[0][:60] for why in tuned.skipped.values())
    print(f"{options.kernel}: {len(configs)} configurations in {seconds:.1f} s, {sum(skipped.values())} skipped")
    for why, count in skipped.most_common():
        print(f"  {count:4} {why}")
    print(f"  {tuned.configs_timings[tuned.best_config][0]:.4f} ms: {tuned.best_config}")


if __name__ == "__main__":
    main()
