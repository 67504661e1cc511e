"""All measurements of tuning on many workers, one after the other, within a given time.  Needs a GPU.

    python bench/tuning_legs.py --output FILE.json [--seconds 345] [--gpus 0,1] [--workers 16] [--joint]

300 configurations of a matrix product and 200 of attention, by one process, processes, Dask, Ray, and with workers that
are killed and stopped; the same choice on four ranks.  With two GPUs, each kernel has one of them and half of the
processors, and both are measured at once; at the end each is tuned on both GPUs.  Each leg is a process with a time
limit, and the file is written after each: a leg that fails, or for which no time is left, is noted as such.
"""

import argparse
import ctypes
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from importlib.util import find_spec
from pathlib import Path

from ttkit.cuda import libcuda

HERE = Path(__file__).parent
CONFIGS = {"matmul": 300, "attention": 200}
SHORTEST = 8.0  # seconds: with less, no leg begins
JOINT = 150.0  # seconds that are kept for the legs after those of one GPU


class Legs:
    """What is measured.  `found`: {name: what the leg wrote, or `error`}."""

    def __init__(self, options):
        self.options = options
        self.until = time.monotonic() + options.seconds
        self.found = {}
        self._lock = threading.Lock()

    def run(self, name, command, *, limit, keep=0.0, gpus="0", processors=None):
        """Runs a leg: a script here, with its words.

        Args:
            limit: seconds.
            keep: seconds at the end that it must leave.
        """
        limit = min(limit, self.until - keep - time.monotonic())
        if limit < SHORTEST:
            self._note(name, {"error": "no time left"})
            return
        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder, "found.json")
            script, *words = command
            words = [sys.executable, HERE / script, *words, "--output", output]
            began = time.monotonic()
            process = subprocess.Popen(
                words,
                env={**os.environ, "CUDA_VISIBLE_DEVICES": gpus, "RAY_AUTH_MODE": "disabled", "TMPDIR": "/tmp"},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                start_new_session=True,
                preexec_fn=(lambda: os.sched_setaffinity(0, processors)) if processors else None,
            )
            try:
                said, _ = process.communicate(timeout=limit)
                error = "" if process.returncode == 0 else said[-1500:]
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                said, _ = process.communicate()
                error = f"more than {limit:.0f} s: {said[-500:]}"
            found = json.loads(output.read_text()) if output.exists() else {"error": error or said[-1500:]}
        self._note(name, {**found, "wall": round(time.monotonic() - began, 1)})

    def _note(self, name, found):
        with self._lock:
            self.found[name] = found
            self.options.output.write_text(json.dumps(self.found))
            print(f"{self.until - time.monotonic():5.0f} s left  {name}: {_short(found)}", flush=True)


def _short(found):
    if "error" in found:
        return f"ERROR {' '.join(found['error'].split())[-300:]}"
    if "ranks" in found:
        return f"the same choice: {found['same']}, timed {found['timed']} of {found['configs']}"
    trouble = f", {len(found['signals'])} signals" if found["signals"] else ""
    return f"{found['seconds']} s, {len(found['skipped'])} skipped, {found['best_ms']:.4f} ms {found['best']}{trouble}"


def of_kernel(legs, kernel, gpu, processors, workers, keep):
    """The legs of a kernel on one GPU."""
    words = ["tuning.py", "--kernel", kernel, "--configs", str(legs.options.configs or CONFIGS[kernel]), "--gpus", gpu]
    cluster = lambda kind: [*words, "--cluster", kind, "--workers", str(workers)]
    given = {"keep": keep, "gpus": gpu, "processors": processors}
    name = f"{kernel}, {workers}"
    legs.run(f"{name} processes", cluster("processes"), limit=70, **given)
    trouble = ["--budget", "12", "--trouble", "3"]
    legs.run(f"{name} processes, trouble", [*cluster("processes"), *trouble], limit=90, **given)
    if find_spec("distributed"):
        legs.run(f"{name} of Dask", cluster("dask"), limit=70, **given)
    if find_spec("ray"):
        legs.run(f"{name} of Ray", cluster("ray"), limit=80, **given)
    legs.run(f"{kernel}, one process", [*words, "--jobs", "1"], limit=170, **given)


def on_all(legs, gpus, workers):
    """The legs on all GPUs: each kernel is compiled on `workers`, and timed on every GPU."""
    shown = ",".join(gpus)
    legs.run("4 ranks", ["tuning_ranks.py", "--gpus", shown], limit=40, gpus=shown)
    if len(gpus) > 1:
        for kernel, count in CONFIGS.items():
            words = ["tuning.py", "--kernel", kernel, "--configs", str(legs.options.configs or count), "--gpus", shown]
            words += ["--workers", str(workers), "--cluster"]
            name = f"{kernel}, {len(gpus)} GPUs, {workers}"
            legs.run(f"{name} processes", [*words, "processes"], limit=45, gpus=shown)
            trouble = ["processes", "--budget", "10", "--trouble", "3"]
            legs.run(f"{name} processes, trouble", [*words, *trouble], limit=60, gpus=shown)
            if find_spec("distributed"):
                legs.run(f"{name} of Dask", [*words, "dask"], limit=60, gpus=shown)
            if kernel == "matmul" and find_spec("dask_cuda"):
                legs.run(f"{kernel}, dask-cuda, {len(gpus)} GPUs", [*words, "dask-cuda"], limit=45, gpus=shown)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=345.0, help="for all legs")
    parser.add_argument("--gpus", default="", help="such as 0,1; by default all")
    parser.add_argument("--workers", type=int, default=16, help="that compile")
    parser.add_argument("--configs", type=int, help="of each kernel, instead of 300 and 200")
    parser.add_argument("--joint", action="store_true", help="only the legs on all GPUs")
    options = parser.parse_args()
    legs = Legs(options)
    gpus = options.gpus.split(",") if options.gpus else gpus_here()
    processors = sorted(os.sched_getaffinity(0))
    print(f"{len(gpus)} GPUs, {len(processors)} processors", flush=True)
    if options.joint:
        pass
    elif len(gpus) < 2:
        for kernel in CONFIGS:
            of_kernel(legs, kernel, gpus[0], None, options.workers, keep=40.0)
    else:
        half = len(processors) // 2
        shares = zip(CONFIGS, gpus, (processors[:half], processors[half:]))
        lanes = [
            threading.Thread(target=of_kernel, args=[legs, kernel, gpu, share, options.workers, JOINT])
            for kernel, gpu, share in shares
        ]
        for lane in lanes:
            lane.start()
        for lane in lanes:
            lane.join()
    on_all(legs, gpus, options.workers)


def gpus_here():
    """The numbers of this machine's GPUs."""
    count = ctypes.c_int()
    libcuda.call("cuDeviceGetCount", ctypes.byref(count))
    return [str(number) for number in range(count.value)]


if __name__ == "__main__":
    main()
