"""What a user waits for before a kernel runs: import, the first compilation, the next one, a process later the cache.

    python bench/cold_start.py [--oracle-python PYTHON] [--repeat 5] [--output FILE] [KERNEL ...]

Each figure is of processes of their own, those of the two compilers taking turns; medians.  A process imports the
compiler, compiles one kernel for sm_90 from source to cubin through `compile(ASTSource(...))` into an empty cache, then
compiles another one; a second process does the same with the cache as the first left it.  `process` is a whole process
that imports and compiles one kernel, from start to exit.  Wall milliseconds, and CPU milliseconds with those of ptxas;
on a machine with other work only the CPU figures say much.  Modules are byte-compiled before.  PYTHON has Triton
(docs/compare_with_triton.md), whose `initialization` is mostly the digest of its own library.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path

from clocks import clock, since
from compile_time import versions
from result_file import as_text

HERE = Path(__file__).resolve().parent
NAMES = ("vector_add", "softmax", "layer_norm", "reductions", "attention_row", "matmul")


def run(python: str, which: str, names: list[str], cache: str) -> dict:
    """The times of one process, with those of the whole of it."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["TRITON_CACHE_DIR"] = cache
    start = clock()
    command = [python, str(HERE / "cold_start_kernels.py"), which, *names]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    whole = since(start)
    if done.returncode:
        raise SystemExit(f"{which} fails on {names[0]}:\n{done.stderr}")
    return {**json.loads(done.stdout.splitlines()[-1]), "process": whole}


def median(samples: list[dict]) -> dict:
    """The median of each figure, of dictionaries in dictionaries."""
    if isinstance(samples[0], dict):
        return {key: median([sample[key] for sample in samples if key in sample]) for key in samples[0]}
    return round(statistics.median(samples), 1)


def measure(name: str, pythons: dict[str, str], repeat: int) -> dict[str, dict]:
    """For each compiler the figures of a kernel."""
    other = NAMES[(NAMES.index(name) + 1) % len(NAMES)]
    samples: dict[str, list[dict]] = {which: [] for which in pythons}
    for _ in range(repeat):
        for which, python in pythons.items():
            with tempfile.TemporaryDirectory() as cache:
                alone = run(python, which, [name], cache)
                cached = run(python, which, [name], cache)
            with tempfile.TemporaryDirectory() as cache:
                both = run(python, which, [name, other], cache)
            found = {**both, "process": alone["process"]}
            found |= {"cached": cached["first"], "cached_process": cached["process"]}
            samples[which].append(found)
    return {which: median(found) for which, found in samples.items()}


def show(name: str, found: dict[str, dict]) -> dict[str, dict[str, float]]:
    """Prints a kernel's figures; gives ttkit's divided by Triton's."""
    ratios: dict[str, dict[str, float]] = {}
    for key in ("import", "first", "second", "cached", "process", "cached_process"):
        cells = []
        for kind in ("wall", "cpu"):
            values = [figures[key][kind] for figures in found.values()]
            if len(values) == 2:
                ratios.setdefault(key, {})[kind] = round(values[0] / values[1], 2)
            texts = [f"{value:7.0f}" for value in values] + [f"{ratios[key][kind]:5.2f}" for _ in values[1:]]
            cells.append(" ".join(texts))
        print(f"{name:14} {key:15} wall {cells[0]}   cpu {cells[1]}", flush=True)
    for which, figures in found.items():
        for key in ("first_stages", "second_stages"):
            total = sum(value for stage, value in figures[key].items() if stage != "initialization")
            print(f"{name:14} {key:15} {which:7} {figures[key]}, stages {total:.0f}", flush=True)
    return ratios


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernels", nargs="*", choices=[*NAMES, []], metavar="KERNEL", help=", ".join(NAMES))
    parser.add_argument("--oracle-python", default=os.environ.get("TTKIT_ORACLE_PYTHON"), help="a Python with Triton")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--output", type=Path, help="a JSON file for the results")
    options = parser.parse_args()
    pythons = {"ttkit": sys.executable, **({"triton": options.oracle_python} if options.oracle_python else {})}
    for which, python in pythons.items():  # byte-compiles, and brings files into memory
        with tempfile.TemporaryDirectory() as cache:
            for name in options.kernels or NAMES:
                run(python, which, [name], cache)
    load = os.getloadavg()[0]
    kernels = []
    for name in options.kernels or NAMES:
        found = measure(name, pythons, options.repeat)
        kernels.append({"kernel": name, **found, "ratios": show(name, found)})
    if options.output:
        about = {
            "date": date.today().isoformat(),
            "command": " ".join(["python", "bench/cold_start.py", *sys.argv[1:]]),
            "machine": f"{os.cpu_count()}-core {platform.machine()} CPU, load {load:.1f} at the start",
            "times": "milliseconds, medians",
            "versions": versions(options.oracle_python),
            "kernels": kernels,
        }
        options.output.write_text(as_text(about))


if __name__ == "__main__":
    main()
