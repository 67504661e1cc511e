"""Runs the smoke calls of public packages through Triton and through ttkit, and compares the results: a table.

    python test/gpu/public_packages/run.py [--packages liger fla...] [--only REGEX] [--jobs 8] [--json FILE]

Needs a GPU, torch, Triton 3.6, ttkit and the packages (liger-kernel, fla-core, flag-gems, torchao, unsloth,
torchvision, transformers; the Python files of vllm, sglang, lightllm, bitsandbytes, transformer-engine, xformers and
amd-aiter; what is not installed is a row that says so).  Each call runs in a process of its own for each compiler,
Triton or ttkit imported as `triton`.  Autotuners keep their first one, so that both compute in the same order.

`equal` is bit by bit; `close`, within 2% of the largest value for 16-bit floats and 0.2% else (the distance is in the
table); the rest is said as it is.  PUBLIC_PACKAGES_FACTOR=4 makes rows and tokens four times as many.

`test/outsiders/run.py kernels` runs the same calls at three shapes and times their kernels.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from catalogue import all_calls, first_configuration_only
from judging import judge


def run_call(compiler: str, package: str, name: str, path: str) -> None:
    """In a process of its own: the call's results, or its error, to `path`."""
    if compiler == "ttkit":
        import ttkit.compat

        ttkit.compat.install()
    import torch

    first_configuration_only()

    start = time.perf_counter()
    try:
        results = [result.detach().cpu() for result in all_calls()[package][name]()]
        torch.save({"results": results, "seconds": time.perf_counter() - start}, path)
    except Exception as error:
        lines = [line for line in str(error).splitlines() if line.strip()] or [""]
        torch.save({"error": f"{type(error).__name__}: {' | '.join(lines[:3])}"[:400]}, path)
        if os.environ.get("PUBLIC_PACKAGES_TRACE"):
            raise


def outcome(compiler: str, package: str, name: str, folder: str, seconds: float) -> dict:
    """What `run_call` left, read here."""
    import torch

    path = os.path.join(folder, f"{compiler}-{package}-{name}.pt")
    command = [sys.executable, __file__, "--call", compiler, package, name, path]
    environment = os.environ | {
        "TRITON_CACHE_DIR": os.path.join(folder, f"cache-{compiler}"),
        "FLAGGEMS_CACHE_DIR": f"{path}.flaggems",
    }
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, env=environment)
    except subprocess.TimeoutExpired:
        return {"error": f"takes more than {seconds:.0f} s"}
    if not os.path.exists(path):
        return {"error": f"the process ended with {done.returncode}: {done.stderr.strip()[-300:]}"}
    return torch.load(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packages", nargs="*")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=120, help="limit of a call")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--call", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.call:
        run_call(*options.call)
        return

    wanted = [
        (package, name)
        for package, functions in all_calls().items()
        for name in functions
        if (not options.packages or package in options.packages) and re.search(options.only, name)
    ]
    table = []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        outcomes = {
            (compiler, *key): pool.submit(outcome, compiler, *key, folder, options.seconds)
            for key in wanted
            for compiler in ("triton", "ttkit")
        }
        for package, name in wanted:
            theirs, ours = (outcomes[compiler, package, name].result() for compiler in ("triton", "ttkit"))
            status, detail, _ = judge(theirs, ours)
            table.append({"package": package, "call": name, "status": status, "detail": detail})
            print(f"{package:10} {name:45} {status:13} {detail}", flush=True)
            if options.json:
                options.json.write_text(json.dumps(table, indent=1) + "\n")
    counts = {status: sum(row["status"] == status for row in table) for status in sorted({r["status"] for r in table})}
    print(", ".join(f"{count} {status}" for status, count in counts.items()))


if __name__ == "__main__":
    main()
