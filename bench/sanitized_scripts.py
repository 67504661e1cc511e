"""How long scripts take under `ttkit sanitize all`: test/scripts and four of examples, each in a process of its own.

    python bench/sanitized_scripts.py [--runs 3] [--output FILE]        needs no GPU

Seconds: the least of the runs, of the clock and of the processor (which a busy machine changes less).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

from result_file import as_text

ROOT = Path(__file__).resolve().parents[1]
HELPERS = {"arrays", "graph_helpers", "run_all"}
EXAMPLES = ("vector_add", "softmax", "layer_norm", "matmul")


def scripts() -> list[Path]:
    """The scripts."""
    found = sorted(path for path in (ROOT / "test" / "scripts").glob("*.py") if path.stem not in HELPERS)
    return [*found, *(ROOT / "examples" / f"{name}.py" for name in EXAMPLES)]


def seconds(path: Path) -> tuple[float, float, str]:
    """Time of one run by the clock and by the processor, and the last line that was said.

    Raises:
        RuntimeError: a mistake was found, or the script failed.
    """
    before, started = os.times(), time.perf_counter()
    run = f"import sys; sys.path.insert(0, {str(path.parent)!r}); import {path.stem}; {path.stem}.main()"
    command = [sys.executable, "-m", "ttkit", "sanitize", "all", sys.executable, "-c", run]
    ended = subprocess.run(command, capture_output=True, text=True)
    wall, after = time.perf_counter() - started, os.times()
    if ended.returncode:
        raise RuntimeError(f"{path.name}: {ended.stderr}")
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return wall, cpu, ended.stderr.strip().splitlines()[-1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3, help="of each script")
    parser.add_argument("--output", metavar="FILE", help="write the times as JSON")
    options = parser.parse_args()
    rows = []
    for path in scripts():
        runs = [seconds(path) for _ in range(options.runs)]
        wall, cpu = min(run[0] for run in runs), min(run[1] for run in runs)
        rows.append({"script": path.stem, "seconds": round(wall, 2), "cpu_seconds": round(cpu, 2), "said": runs[0][2]})
        print(f"{path.stem:<22} {wall:5.2f} s   processor {cpu:5.2f} s   {runs[0][2]}", flush=True)
    if options.output:
        Path(options.output).write_text(as_text(rows))


if __name__ == "__main__":
    main()
