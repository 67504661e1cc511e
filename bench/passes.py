"""Time of each pass beside Triton's own on the same module, and of a whole stage on one kernel.

    .venv/bin/python bench/passes.py [--oracle-python PYTHON] [--operations 2000] [--repeat 9] [--output FILE]

"Kernels" are those of test/data/ir as Triton's front end wrote them, so many that each pass gets about the given
number of operations; a pass gets what Triton's earlier passes made.  "Cases" are the modules of test/data/pass_cases,
again and again: more work for a pass than kernels have.  PYTHON has Triton (docs/compare_with_triton.md).  CPU
times are the least of the runs, in milliseconds; they include verifying, and neither parsing nor printing.
"""

import argparse
import os
import platform
import re
import sys
from datetime import date
from pathlib import Path

from compile_time import versions
from result_file import as_text

ROOT = Path(__file__).resolve().parents[1]
IR = ROOT / "test" / "data" / "ir"
CASES = ROOT / "test" / "data" / "pass_cases"
sys.path.insert(0, str(ROOT / "test" / "oracle"))

import compare  # noqa: E402

TT_PASSES = (
    "inline,triton-rewrite-tensor-pointer,triton-rewrite-tensor-descriptor-to-pointer,canonicalize,triton-combine,"
    "triton-reorder-broadcast,cse,symbol-dce,triton-loop-unroll,triton-licm,triton-loop-aware-cse"
)
# Stages and the kernels that they are timed on.
STAGES = (
    ("ttkit-ttir", "matmul_f64.80.source.ttir"),
    ("ttkit-ttir", "block_pointer_matmul.80.source.ttir"),
    ("ttkit-ttir", "attention.100.source.ttir"),
)


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


def cases(name: str, operations: int) -> str:
    """The cases of a pass, but for those where Triton differs, until there are so many operations."""
    texts = [text for _, text in compare.modules_of(CASES / f"{name}.mlir")]
    usable = [text for text in texts if "Differs from Triton" not in text and "module" not in text]
    parts: list[str] = []
    total = 0
    while total < operations:
        part = re.sub(r"@(\w+)", rf"@\1_{len(parts)}", usable[len(parts) % len(usable)])
        total += operations_in(part)
        parts.append(part)
    return "\n".join(parts)


def after_earlier_passes(name: str, operations: int, triton: compare.Worker) -> str:
    """Kernels as they are before a pass, with at least so many operations."""
    prepare = compare.parse_pipeline(TT_PASSES.partition(name)[0])
    size, text = operations, ""
    # Inlining and canonicalization shrink modules: start from one that leaves enough for this pass.
    while operations_in(text) < operations:
        answer = triton.run(kernels(size), prepare)
        if "error" in answer:
            raise SystemExit(f"Triton fails before {name}: {answer['error']}")
        text, size = answer["text"], size + operations // 10
    return text


def time_passes(operations: int, repeat: int, triton: compare.Worker) -> list[dict[str, object]]:
    """A row for each pass and module: operations, milliseconds here and in Triton, and their ratio."""
    ttkit, rows = compare.ttkit_worker(), []
    for name, options in compare.parse_pipeline(TT_PASSES):
        modules = {"kernels": after_earlier_passes(name, operations, triton)}
        if (CASES / f"{name}.mlir").exists():
            modules["cases"] = cases(name, operations)
        for kind, text in modules.items():
            outcome = compare.compare(text, [(name, options)], ttkit, triton, repeat)
            if outcome.status != compare.EQUAL:
                raise SystemExit(f"{name} on {kind}: {outcome.status}\n{outcome.detail}")
            ours, theirs, count = outcome.ours[0] * 1e3, outcome.theirs[0] * 1e3, operations_in(text)
            rows.append(row(pass_=name, module=kind, operations=count, ttkit_ms=ours, triton_ms=theirs))
            print(
                f"{ours:9.2f} ms {theirs:9.2f} ms {ours / theirs:6.2f}  {name}, {count} operations in {kind}",
                flush=True,
            )
    return rows


def row(pass_: str, module: str, operations: int, ttkit_ms: float, triton_ms: float) -> dict[str, object]:
    """A row of the table: times in milliseconds, and ttkit's by Triton's."""
    times = {"ttkit_ms": round(ttkit_ms, 2), "triton_ms": round(triton_ms, 2), "ratio": round(ttkit_ms / triton_ms, 2)}
    return {"pass": pass_, "module": module, "operations": operations, **times}


def time_stages(repeat: int, triton: compare.Worker) -> list[dict[str, object]]:
    """A row for each stage and kernel: milliseconds."""
    ttkit, rows = compare.ttkit_worker(), []
    for stage, kernel in STAGES:
        outcome = compare.compare((IR / kernel).read_text(), [(stage, {})], ttkit, triton, repeat)
        ours, theirs = sum(outcome.ours) * 1e3, sum(outcome.theirs) * 1e3
        count = operations_in((IR / kernel).read_text())
        rows.append(row(pass_=stage, module=kernel, operations=count, ttkit_ms=ours, triton_ms=theirs))
        print(f"{ours:9.2f} ms {theirs:9.2f} ms {ours / theirs:6.2f}  {stage}, {kernel}", flush=True)
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
    triton = compare.triton_worker(options.oracle_python)
    results = {
        "date": date.today().isoformat(),
        "command": " ".join(["python", *sys.argv]),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "times": "CPU",
        "versions": versions(options.oracle_python),
        "passes": time_passes(options.operations, options.repeat, triton),
        "stages": time_stages(options.repeat, triton),
    }
    if options.output:
        options.output.write_text(as_text(results))


if __name__ == "__main__":
    main()
