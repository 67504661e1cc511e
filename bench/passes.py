"""Time of each pass beside Triton's own on the same module, and of a whole stage on one kernel.

    .venv/bin/python bench/passes.py [--oracle-python PYTHON] [--operations 2000] [--repeat 9] [--output FILE]

The module holds kernels of test/data/ir as Triton's front end wrote them, so many that each pass gets about the given
number of operations; a pass gets what Triton's earlier passes made.  PYTHON has Triton (docs/compare_with_triton.md).
Times are the least of the runs, in milliseconds; they include verifying, and neither parsing nor printing.
"""

import argparse
import json
import os
import platform
import re
import sys
from datetime import date
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
IR = ROOT / "test" / "data" / "ir"
sys.path.insert(0, str(ROOT / "test" / "oracle"))

import compare  # noqa: E402

TT_PASSES = (
    "inline,triton-rewrite-tensor-pointer,triton-rewrite-tensor-descriptor-to-pointer,canonicalize,triton-combine,"
    "triton-reorder-broadcast,cse,symbol-dce,triton-loop-unroll,triton-licm,triton-loop-aware-cse"
)
# Stages -> the kernel that they are timed on.
STAGES = {}


def operations_in(text: str) -> int:
    """How many operations a module holds, itself not counted."""
    return sum(1 for line in text.splitlines() if re.match(r"\s+(%[\w:, ]+ = )?\"?\w+\.\w", line))


def functions_of(path: Path, suffix: int) -> str:
    """The functions of a module, their names made different by a suffix."""
    lines = path.read_text().strip().splitlines()
    assert lines[0].startswith("module") and lines[-1] == "}", path
    return re.sub(r"@(\"[^\"]*|\w+)", rf"@\1_{suffix}", "\n".join(lines[1:-1])).replace(f'"_{suffix}', f'_{suffix}"')


def kernels(operations: int) -> str:
    """A module of kernels with at least so many operations."""
    files = sorted(IR.glob("*.source.ttir"))
    parts: list[str] = []
    total = 0
    while total < operations:
        part = functions_of(files[len(parts) % len(files)], len(parts))
        total += operations_in(part)
        parts.append(part)
    return "\n".join(["module {", *parts, "}"])


def time_passes(operations: int, repeat: int, triton: compare.Worker) -> dict[str, dict[str, float]]:
    """Name of a pass -> operations before it, milliseconds here and in Triton, and their ratio."""
    ttkit, rows = compare.ttkit_worker(), {}
    for name, options in compare.parse_pipeline(TT_PASSES):
        # Inlining and canonicalization shrink modules: start from one that leaves enough for this pass.
        prepare = compare.parse_pipeline(TT_PASSES.partition(name)[0])
        size, text = operations, ""
        while operations_in(text) < operations:
            answer = triton.run(kernels(size), prepare)
            if "error" in answer:
                raise SystemExit(f"Triton fails before {name}: {answer['error']}")
            text, size = answer["text"], size + operations // 10
        outcome = compare.compare(text, [(name, options)], ttkit, triton, repeat)
        if outcome.status != compare.EQUAL:
            raise SystemExit(f"{name}: {outcome.status}\n{outcome.detail}")
        ours, theirs = outcome.ours[0] * 1e3, outcome.theirs[0] * 1e3
        rows[name] = {"operations": operations_in(text), "ttkit_ms": ours, "triton_ms": theirs, "ratio": ours / theirs}
        print(f"{ours:9.2f} ms {theirs:9.2f} ms {ours / theirs:6.2f}  {name} ({operations_in(text)} operations)")
    return rows


def time_stages(repeat: int) -> dict[str, dict[str, object]]:
    """Name of a stage -> its kernel and milliseconds."""
    rows: dict[str, dict[str, object]] = {}
    for stage, kernel in STAGES.items():
        _, (seconds,) = compare.run_here((IR / kernel).read_text(), [(stage, {})], repeat)
        rows[stage] = {"kernel": kernel, "ttkit_ms": seconds * 1e3}
        print(f"{seconds * 1e3:9.2f} ms  {stage} ({kernel})")
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--oracle-python", default=os.environ.get("TTKIT_ORACLE_PYTHON"), help="a Python with Triton")
    parser.add_argument("--operations", type=int, default=2000)
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--output", type=Path, help="a JSON file for the results")
    options = parser.parse_args()
    if not options.oracle_python:
        parser.error("no Python with Triton: give --oracle-python or set TTKIT_ORACLE_PYTHON")
    results = {
        "date": date.today().isoformat(),
        "command": " ".join(["python", *sys.argv]),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "versions": {"ttkit": version("ttkit"), "mlir": version("xtc-mlir-python-bindings"), "triton": "3.6.0"},
        "passes": time_passes(options.operations, options.repeat, compare.triton_worker(options.oracle_python)),
        "stages": time_stages(options.repeat),
    }
    if options.output:
        options.output.write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
