"""A bundle of 300 kernels for four GPUs: how long it takes to compile, and to launch from it.  Needs no GPU.

    python bench/bundles.py [--count 300] [--targets 80,89,90,120] [--jobs 2] [--output FILE.json]

Variants of four kernels: elements, rows, matrix products, attention.  A process of its own, in which the compiler may
not run, then makes 10,000 calls, with all launches found and none computed (TTKIT_DEVICE).  Load times are those of a
kernel's first call, in time of the processor, with the key of its arguments and the digest of its files; the first call
of each function, which also reads its source, is a figure of its own.
"""

import argparse
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from autotune import matmul

import ttkit
from ttkit import language as tl
from ttkit.runtime import MockTensor

CALLS = 10_000
F16, F32 = MockTensor(tl.float16), MockTensor(tl.float32)


@ttkit.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, at < n) + tl.load(y + at, at < n), at < n)


@ttkit.jit
def rms_norm(x, weight, out, columns, eps, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    row = tl.program_id(0) * columns
    value = tl.load(x + row + at, at < columns, other=0.0).to(tl.float32)
    scale = tl.rsqrt(tl.sum(value * value, 0) / columns + eps)
    tl.store(out + row + at, value * scale * tl.load(weight + at, at < columns, other=0.0), at < columns)


def launches():
    """Launches without end: kernel, arguments, options."""
    for warps, kind, block, n in itertools.product((1, 2, 4, 8), (F16, F32), (256, 512, 1024, 2048), (4096, 1000)):
        yield add, (kind, kind, kind, n), {"BLOCK": block, "num_warps": warps}
    for warps, kind, block in itertools.product((1, 2, 4, 8, 16), (F16, F32), (512, 1024, 2048, 4096, 8192)):
        for columns in (block, block - 8):
            yield rms_norm, (kind, kind, kind, columns, 1e-5), {"BLOCK": block, "num_warps": warps}
    for warps, stages, m, n, k in itertools.product((4, 8), (2, 3, 4, 5), (32, 64, 128), (32, 64, 128), (32, 64)):
        tile = {"BM": m, "BN": n, "BK": k, "num_warps": warps, "num_stages": stages}
        yield matmul, (F16, F16, F16, *(4096,) * 6), tile


def compile_all(count, targets, jobs, path):
    """Writes the bundle; seconds, and what failed."""
    from ttkit.aot.bundle_builder import build, write_bundle
    from ttkit.aot.launch_list import LaunchList

    found = LaunchList()
    for kernel, arguments, options in itertools.islice(launches(), count):
        found.add_call(kernel, *arguments, **options)
    began = time.perf_counter()
    made = build([found], targets, jobs=jobs)
    seconds = time.perf_counter() - began
    write_bundle(path, made)
    return seconds, len(found), made


def serve(count):
    """Calls all launches of the bundle that TTKIT_BUNDLE names, and prints what happened."""
    from ttkit.compiler.compilation import Compilation
    from ttkit.runtime.bundle_answers import counts

    compilations = []
    Compilation.run = lambda *_, **__: compilations.append(1) or sys.exit("a compilation")
    chosen = list(itertools.islice(launches(), count))
    began = time.perf_counter()
    ttkit.load_bundle(os.environ["TTKIT_BUNDLE"])
    index = time.perf_counter() - began
    calls, first, functions = 0, [], {}
    while calls < CALLS:
        for kernel, arguments, options in chosen:
            began = time.process_time()
            kernel.warmup(*arguments, grid=(1,), **options)
            taken = 1e3 * (time.process_time() - began)  # others may use the processor meanwhile
            if kernel not in functions:
                functions[kernel] = taken
            elif calls < len(chosen):
                first.append(taken)
            calls += 1
    cuts = statistics.quantiles(first, n=100)
    about = {"calls": calls, "compilations": len(compilations), "counts": counts(), "index_ms": 1e3 * index}
    about |= {
        "kernel_ms": statistics.median(first),
        "kernel_ms_90": cuts[89],
        "kernel_ms_99": cuts[98],
        "first_ms": max(functions.values()),
    }
    print(json.dumps(about))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--targets", default="80,89,90,120")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--output", type=Path)
    parser.add_argument("--serve", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.serve)
        return
    targets = [int(text) for text in options.targets.split(",")]
    with tempfile.TemporaryDirectory(prefix="ttkit-bench-") as folder:
        os.environ["TRITON_CACHE_DIR"] = folder
        path = Path(folder, "bundle.ttkit")
        used = sum(os.times()[2:4])
        seconds, count, made = compile_all(options.count, targets, options.jobs, path)
        used = sum(os.times()[2:4]) - used
        found = {"launches": count, "kernels": len(made.kernels), "failures": made.failures[:5], "seconds": seconds}
        found |= {"processor_seconds": used, "jobs": options.jobs, "bytes": path.stat().st_size, "served": {}}
        print(f"{len(made.kernels)} kernels of {count} launches in {seconds:.0f} s ({used:.0f} s of processors)")
        print(f"  {path.stat().st_size / 1e6:.1f} MB, {len(made.failures)} failures {made.failures[:2]}", flush=True)
        for target in targets:
            given = {"TTKIT_BUNDLE": str(path), "TTKIT_DEVICE": f"sm_{target}", "TTKIT_BUNDLE_MISS": "error"}
            command = [sys.executable, __file__, "--serve", str(options.count)]
            said = subprocess.run(command, env={**os.environ, **given}, capture_output=True, text=True)
            if said.returncode:
                print(f"  sm_{target}: {said.stderr.strip()[-300:]}")
                continue
            about = found["served"][f"sm_{target}"] = json.loads(said.stdout)
            times = (
                f"{about['kernel_ms']:.2f} ms (90 %: {about['kernel_ms_90']:.2f}, 99 %: {about['kernel_ms_99']:.2f})"
            )
            print(f"  sm_{target}: {about['calls']} calls, {about['compilations']} compilations, {about['counts']}")
            print(
                f"    the index loads in {about['index_ms']:.0f} ms, a kernel in {times}, {about['first_ms']:.0f} once",
                flush=True,
            )
    if options.output:
        options.output.write_text(json.dumps(found))


if __name__ == "__main__":
    main()
