"""How long the compilations of a tuning take: one after the other, on threads, in forked processes.

    python bench/autotune.py [--workers N] [--repeat N]

A matrix product with eight configurations is compiled for sm_90 from an empty cache; needs no GPU.  Prints seconds.
"""

import argparse
import os
import shutil
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

os.environ.setdefault("TRITON_OVERRIDE_ARCH", "sm90")

import numpy as np

from ttkit import language as tl
from ttkit.autotuning import Config
from ttkit.autotuning.compile_ahead import Collector, compile_all, worker_count
from ttkit.language.jit_function import jit
from ttkit.runtime.mock_tensors import MockTensor

CONFIGS = [
    Config({"BM": m, "BN": n, "BK": k}, num_warps=warps, num_stages=stages)
    for m, n, k, warps, stages in (
        (128, 256, 64, 8, 3),
        (128, 256, 64, 8, 4),
        (128, 128, 64, 4, 4),
        (128, 128, 64, 8, 4),
        (128, 128, 32, 4, 4),
        (256, 128, 64, 8, 3),
        (64, 256, 64, 4, 4),
        (64, 64, 64, 4, 3),
    )
]


@jit
def matmul(a_ptr, b_ptr, c_ptr, M, N, K, lda, ldb, ldc, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    a = a_ptr + rows[:, None] * lda + inner[None, :]
    b = b_ptr + inner[:, None] * ldb + columns[None, :]
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, K, BK):
        x = tl.load(a, mask=inner[None, :] < K - start, other=0.0)
        y = tl.load(b, mask=inner[:, None] < K - start, other=0.0)
        total = tl.dot(x, y, total)
        a += BK
        b += BK * ldb
    c = c_ptr + rows[:, None] * ldc + columns[None, :]
    tl.store(c, total.to(tl.float16), mask=(rows[:, None] < M) & (columns[None, :] < N))


def jobs():
    """What each configuration needs compiled, with nothing in any cache."""
    folder = tempfile.mkdtemp(prefix="ttkit-bench-")
    os.environ["TRITON_CACHE_DIR"] = folder
    matmul.launches.device_caches.clear()
    half = MockTensor(np.dtype(np.float16))

    def launch(config):
        arguments = (half, half, half, 4096, 4096, 4096, 4096, 4096, 4096)
        return lambda: matmul.run(*arguments, grid=(1,), warmup=True, **config.all_kwargs())

    return folder, [Collector().collect(launch(config)) for config in CONFIGS]


def one_by_one(found, workers):
    """In this process, one after the other."""
    compile_all(found, 1)


def threads(found, workers):
    """In as many threads as workers."""
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(lambda kernels: [kernel.finish() for kernel in kernels], found))


def processes(found, workers):
    """In as many forked processes as workers."""
    compile_all(found, workers)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--workers", type=int, default=worker_count())
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    best = {}
    for turn in range(options.repeat + 1):
        for way in (one_by_one, threads, processes):
            folder, found = jobs()
            start = time.perf_counter()
            way(found, options.workers)
            seconds = time.perf_counter() - start
            shutil.rmtree(folder)
            if turn:  # the first turn loads the compiler
                best[way.__name__] = min(seconds, best.get(way.__name__, seconds))
    print(f"{len(CONFIGS)} configurations, {options.workers} workers, best of {options.repeat}:")
    for name, seconds in best.items():
        print(f"{name:12} {seconds:6.2f} s   {best['one_by_one'] / seconds:.2f} times as fast as one by one")


if __name__ == "__main__":
    main()
