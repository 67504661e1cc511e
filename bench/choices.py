"""Times of many configurations of many kernels: what the predictor of configurations is fitted to.  Needs a GPU.

    python bench/choices.py --output FILE.json [--seconds 220] [--jobs 16] [--only NAME ...]

The problems are those of choice_cases.py.  Compiles all of their cases on --jobs processes, then times them, each
problem's in random order with the L2 cache flushed, without torch.  The file has, for each case, its microseconds, its
registers, stack and shared memory.  With --compile-only nothing is timed.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("TRITON_OVERRIDE_ARCH", "sm90")

from both_languages import load
from choice_cases import problems
from cubin_cases import Case
from cubins import FLUSHED_BYTES, HERE, Driver, Kernel, bytes_of, file_name, flushed_times, specialized, vars_of
from result_file import as_text

ROUNDS, SLOW_US = 9, 3000.0
TOGETHER = 8  # problems that one process times: a kernel that fails costs the rest of its problem


def source_of(case: Case) -> tuple[Any, dict[str, Any]]:
    """What the compiler takes for a case: its source, and its options."""
    import ttkit
    import ttkit.language as tl
    from ttkit.frontend import ASTSource

    name = f"{case.source}_of_choices"
    module = sys.modules.get(name) or load(name, HERE / f"{case.source}.py", ttkit.jit, tl)
    kernel = getattr(module, case.kernel)
    return ASTSource(kernel, *specialized(kernel, case, tl)), dict(case.options)


def compiled(given: tuple[Case, Path]) -> tuple[str, dict[str, Any]]:
    """Writes a case's cubin; its name, and its resources or its error."""
    case, folder = given
    import ttkit
    from ttkit.profiler.resources import registers_of, stack_bytes_of
    from ttkit.target import GPUTarget

    began = time.perf_counter()
    try:
        source, options = source_of(case)
        made = ttkit.compile(source, target=GPUTarget("cuda", 90, 32), options=options)
        path, metadata, cubin = folder / file_name(case), made.metadata, made.asm["cubin"]
        about = {"name": metadata.name, "shared": metadata.shared, "threads": 32 * metadata.num_warps, "target": 90}
        about |= {"scratch": metadata.global_scratch_size}
        about |= {"maps": [vars_of(plan) for plan in getattr(metadata, "tensordesc_meta", None) or ()]}
        path.with_suffix(".json").write_text(json.dumps(about))
        path.with_suffix(".cubin").write_bytes(cubin)
        found = {"registers": registers_of(cubin), "stack": stack_bytes_of(cubin), "shared": metadata.shared}
    except Exception as error:
        return case.name, {"error": f"{type(error).__name__}: {error}"[:200]}
    return case.name, {**found, "compile": round(time.perf_counter() - began, 3)}


def compile_all(cases: list[Case], folder: Path, jobs: int, seconds: float) -> dict[str, dict[str, Any]]:
    """The resources of all cases that are compiled within the time."""
    found: dict[str, dict[str, Any]] = {}
    until = time.monotonic() + seconds
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        answers = pool.imap_unordered(compiled, [(case, folder) for case in cases])
        try:
            while len(found) < len(cases):
                name, about = answers.next(timeout=max(0.1, until - time.monotonic()))
                found[name] = about
        except multiprocessing.TimeoutError:
            print(f"no time for {len(cases) - len(found)} compilations", flush=True)
    return found


def time_problems(names: list[str], folder: Path, output: Path) -> None:
    """Times the compiled cases of problems, and adds a line for each problem to a file."""
    driver = Driver()
    flushed = driver.allocate(FLUSHED_BYTES)
    for name in names:
        cases = [case for case in problems()[name] if (folder / file_name(case)).with_suffix(".cubin").exists()]
        if not cases:
            continue
        memory = []
        for argument in cases[0].arguments:
            if not isinstance(argument, (int, float)):
                kind = "f32" if getattr(argument, "kind", "") == "i32" else argument.kind
                memory.append(driver.filled(kind, bytes_of(argument)))
        kernels, once = {}, {}
        for case in cases:
            try:
                kernels[case.name] = Kernel(driver, folder / file_name(case), case, memory)
            except RuntimeError:  # such as too much shared memory
                continue
        once = flushed_times(driver, kernels, 2, flushed)
        limit = min(SLOW_US, 12 * min(once.values()))
        fast = {key: kernel for key, kernel in kernels.items() if once[key] <= limit}
        times = {**once, **flushed_times(driver, fast, ROUNDS, flushed)}
        with output.open("a") as file:
            file.write(json.dumps({"problem": name, "gpu": driver.gpu, "us": times}) + "\n")
        for address in memory:
            driver.cuMemFree_v2(ctypes.c_uint64(address))


def timed(names: list[str], folder: Path, until: float) -> dict[str, dict[str, Any]]:
    """Lines of all problems, timed in processes of their own until the time is over."""
    lines: dict[str, dict[str, Any]] = {}
    waiting = list(names)
    output = folder / "times.jsonl"
    while waiting and (left := until - time.monotonic()) > 2:
        some = waiting[:TOGETHER]
        command = [sys.executable, __file__, "--time", str(folder), str(output), *some]
        try:
            subprocess.run(command, timeout=left, check=False)
        except subprocess.TimeoutExpired:
            print("no time for the rest", flush=True)
        found = [json.loads(line) for line in output.read_text().splitlines()] if output.exists() else []
        lines = {line["problem"]: line for line in found}
        done = [name for name in some if name in lines]
        failed = [name for name in some if name not in lines][:1]  # the process ended with this one
        if failed:
            print(f"{failed[0]}: failed", flush=True)
        waiting = [name for name in waiting if name not in (*done, *failed)]
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--output", type=Path)
    parser.add_argument("--seconds", type=float, default=220.0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", nargs="*", default=[], help="problems whose names begin so")
    parser.add_argument("--compile-only", action="store_true")
    parser.add_argument("--time", nargs="+", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.time:
        time_problems(given.time[2:], Path(given.time[0]), Path(given.time[1]))
        return
    chosen = {name: cases for name, cases in problems().items() if name.startswith(tuple(given.only or [""]))}
    until = time.monotonic() + given.seconds
    with tempfile.TemporaryDirectory(prefix="ttkit-bench-") as text:
        folder = Path(text)
        os.environ["TRITON_CACHE_DIR"] = str(folder / "cache")
        cases = [case for group in chosen.values() for case in group]
        about = compile_all(cases, folder, given.jobs, 0.6 * given.seconds)
        failed = {name: one["error"] for name, one in about.items() if "error" in one}
        print(
            f"{len(about)} compiled in {given.seconds - until + time.monotonic():.0f} s, {len(failed)} not", flush=True
        )
        for name, error in list(failed.items())[:8]:
            print(f"  {name}: {error}", flush=True)
        lines = {} if given.compile_only else timed(list(chosen), folder, until)
    rows = [
        {"problem": name, "case": case.name, "us": round(us, 3), **about.get(case.name, {})}
        for name, line in lines.items()
        for case in chosen[name]
        if (us := line["us"].get(case.name)) is not None
    ]
    gpu = next((line["gpu"] for line in lines.values()), "")
    print(f"{len(rows)} cases of {len(lines)} problems timed on {gpu or 'no GPU'}")
    if given.output:
        command = "python bench/choices.py"
        given.output.write_text(as_text({"gpu": gpu, "command": command, "failed": failed, "results": rows}))


if __name__ == "__main__":
    main()
