"""Processes and threads that launch, compile, tune and clear caches on one GPU: nothing may fail, and nothing grow.

    python test/gpu/soak.py --seconds 1200            on a GPU
    python test/gpu/soak.py --seconds 2 --variants 2 --processes 2 --fake libcuda.so.1    as test/unit/test_soak.py does

Every process has threads of its own; all share one cache on disk, from which entries are removed meanwhile.  Each
second a process notes its memory and its open files, and what is used of the GPU's memory.  The time counts from when
each has done everything once; the median of the last quarter is compared with that of the second.  Results of kernels
are compared with numpy's, but with the fake driver, which runs nothing.

Modules of kernels stay on the GPU until the process ends, as Triton's do, each once: a kernel whose cache is cleared
takes the one that is there.  `GPU_GROWTH` leaves room for stacks and the like.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from ctypes import byref, c_size_t
from pathlib import Path

import numpy as np

import ttkit
import ttkit.language as tl

SIZE = 1 << 12
MEMORY_GROWTH = 64 << 20  # bytes of a process
FILES_GROWTH = 4
GPU_GROWTH = 256 << 20  # bytes of all processes together


@ttkit.jit
def scale(x, out, n, FACTOR: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n) * FACTOR, mask=i < n)


@ttkit.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n), mask=i < n)


class Work:
    """What the threads of a process do until the end."""

    def __init__(self, variants: int, is_fake: bool) -> None:
        self.variants, self.is_fake, self.end = variants, is_fake, 0.0
        self.x = np.arange(SIZE, dtype=np.float32)
        self.counts: dict[str, int] = {}
        self.errors: list[str] = []
        self.lock = threading.Lock()

    def thread(self, seed: int) -> None:
        from ttkit.cuda.device import DeviceArray

        rng = random.Random(seed)
        x, out = DeviceArray(self.x), DeviceArray(np.zeros(SIZE, np.float32))
        actions = [self.launch] * 60 + [self.compile] * 30 + [self.forget] + [self.clear] + [self.tune]
        while time.monotonic() < self.end and not self.errors:
            action = rng.choice(actions)
            try:
                action(rng, x, out)
            except Exception:
                self.errors.append(f"{action.__name__}\n{traceback.format_exc()}")
            with self.lock:
                self.counts[action.__name__] = self.counts.get(action.__name__, 0) + 1

    def warm_up(self) -> None:
        """Everything once, so that what grows later grows for no reason."""
        from ttkit.cuda.device import DeviceArray

        x, out = DeviceArray(self.x), DeviceArray(np.zeros(SIZE, np.float32))
        for factor in range(self.variants):
            self.scale(factor, x, out)
        for action in (self.launch, self.tune, self.clear):
            action(random.Random(0), x, out)

    def compare(self, out: object, expected: np.ndarray) -> None:
        if not self.is_fake and not np.array_equal(out.numpy(), expected):
            raise AssertionError("a kernel computes something else")

    def launch(self, rng: random.Random, x: object, out: object) -> None:
        add[(SIZE // 256,)](x, x, out, SIZE, BLOCK=256)
        self.compare(out, 2 * self.x)

    def compile(self, rng: random.Random, x: object, out: object) -> None:
        """A variant, which is compiled, found on disk, or at hand."""
        self.scale(rng.randrange(self.variants), x, out)

    def scale(self, factor: int, x: object, out: object) -> None:
        scale[(SIZE // 512,)](x, out, SIZE, FACTOR=factor, BLOCK=512)
        self.compare(out, factor * self.x)

    def forget(self, rng: random.Random, x: object, out: object) -> None:
        """What this process has at hand; it is on disk."""
        scale.device_caches.clear()

    def clear(self, rng: random.Random, x: object, out: object) -> None:
        """An entry of the disk's cache, under the eyes of all processes."""
        folder = Path(os.environ["TRITON_CACHE_DIR"])
        entries = [path for path in folder.iterdir() if path.is_dir()] if folder.exists() else []
        if entries:
            shutil.rmtree(rng.choice(entries), ignore_errors=True)

    def tune(self, rng: random.Random, x: object, out: object) -> None:
        configs = [ttkit.Config({"BLOCK": block}, num_warps=4) for block in (128, 256)]
        tuner = ttkit.autotune(configs, key=["n"], do_bench=lambda call, quantiles: [call() or rng.random()] * 3)(add)
        tuner[lambda meta: (SIZE // meta["BLOCK"],)](x, x, out, SIZE)
        self.compare(out, 2 * self.x)


def used_memory() -> int:
    """Bytes of this process that are in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def used_on_gpu() -> int:
    """Bytes of the GPU's memory that are in use, by all processes; 0 where the driver does not say."""
    from ttkit.cuda import libcuda

    function = getattr(libcuda.library(), "cuMemGetInfo_v2", None)
    free, total = c_size_t(), c_size_t()
    if function is None or function(byref(free), byref(total)):
        return 0
    return total.value - free.value


def process(given: argparse.Namespace) -> dict:
    """One process: its counts, errors and samples."""
    work = Work(given.variants, bool(given.fake))
    work.warm_up()
    work.end = time.monotonic() + given.seconds
    threads = [threading.Thread(target=work.thread, args=(given.seed * 1000 + n,)) for n in range(given.threads)]
    for thread in threads:
        thread.start()
    samples = []
    while any(thread.is_alive() for thread in threads):
        samples.append((used_memory(), len(os.listdir("/proc/self/fd")), used_on_gpu() if work.counts else 0))
        time.sleep(min(1.0, given.seconds / 20))
    return {"counts": work.counts, "errors": work.errors, "samples": samples}


def growth(samples: list, column: int) -> float:
    """By how much the median of the last quarter is above that of the second."""
    values = [sample[column] for sample in samples]
    quarter = max(1, len(values) // 4)
    return statistics.median(values[-quarter:]) - statistics.median(values[quarter : 2 * quarter] or values)


def soak(given: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "TRITON_CACHE_DIR": os.path.join(folder, "cache")}
        if given.fake:
            environment["TRITON_LIBCUDA_PATH"] = given.fake
        common = ["--seconds", str(given.seconds), "--threads", str(given.threads), "--fake", given.fake,
                  "--variants", str(given.variants)]  # fmt: skip
        commands = [[sys.executable, __file__, "--seed", str(n), *common] for n in range(1, given.processes + 1)]
        running = [
            subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for command in commands
        ]
        answers = [each.communicate()[0] for each in running]
        ended = [each.returncode for each in running]
    results = [json.loads(answer) for answer in answers if answer.startswith("{")]
    failed = [f"a process ended with exit code {code}" for code in ended if code]
    failed += [error for result in results for error in result["errors"]]
    counts: dict[str, int] = {}
    for result in results:
        for name, count in result["counts"].items():
            counts[name] = counts.get(name, 0) + count
    print(f"{given.processes} processes, {given.threads} threads each, {given.seconds:g} s: {counts}")
    limits = (("memory", 0, MEMORY_GROWTH), ("open files", 1, FILES_GROWTH), ("GPU memory", 2, GPU_GROWTH))
    for name, column, limit in limits:
        most = max((growth(result["samples"], column) for result in results), default=0)
        last = max((result["samples"][-1][column] for result in results), default=0)
        print(f"{name}: {last} in the end, at most, and {most:g} more than in the second quarter; limit {limit}")
        if most > limit:
            failed.append(f"{name} grows by {most:g}")
    print("\n".join(failed) or "nothing failed, nothing grew")
    return 1 if failed else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--variants", type=int, default=24, help="of a kernel that are compiled")
    parser.add_argument("--fake", default="", help="a libcuda that runs nothing, see test/unit/fake_driver")
    parser.add_argument("--seed", type=int, default=0, help="of one process: internal")
    given = parser.parse_args()
    if not given.seed:
        return soak(given)
    print(json.dumps(process(given)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
