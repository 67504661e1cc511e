"""Whole-process times of tt-opt: start-up on a small file, and throughput on a large one beside mlir-opt.

    .venv/bin/python bench/opt_throughput.py [--repeat 7] [--operations 20000]

Both tools run `--canonicalize --cse` on modules of the same number of operations: arith in a func.func for mlir-opt,
and the tt equivalent (loads, pointer arithmetic, arith on tensors) in a tt.func for tt-opt; tt-opt also runs the arith
module.  Prints the median and minimum of several runs, and the share of passes written in Python in a pipeline that
has them.
"""

import argparse
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import mlir
from result_file import as_text

BIN = Path(sys.executable).parent
MLIR_OPT = Path(next(iter(mlir.__path__))) / "bin" / "mlir-opt"
SMALL = Path(__file__).parents[1] / "examples" / "kernels" / "matmul_bias.ttir"


def arith_module(operations: int) -> str:
    """A function of so many operations of arith on tensors."""
    lines = ["func.func @f(%x0: i32, %y: tensor<64xf32>) -> tensor<64xf32> {"]
    value = "%y"
    for n in range(operations // 4):
        lines.append(f"  %c{n} = arith.constant dense<{n % 97}.5> : tensor<64xf32>")
        lines.append(f"  %a{n} = arith.addf {value}, %c{n} : tensor<64xf32>")
        lines.append(f"  %b{n} = arith.mulf %a{n}, {value} : tensor<64xf32>")
        lines.append(f"  %d{n} = arith.subf %b{n}, %a{n} : tensor<64xf32>")
        value = f"%d{n}"
    return "\n".join([*lines, f"  return {value} : tensor<64xf32>", "}"])


def tt_module(operations: int) -> str:
    """A kernel of so many operations of tt, two of five of them accesses."""
    lines = ["tt.func public @f(%p: !tt.ptr<f32>, %y: tensor<64xf32>) {"]
    lines.append("  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>")
    value, pointers = "%y", "tensor<64x!tt.ptr<f32>>"
    for n in range(operations // 5):
        lines.append(f"  %s{n} = tt.splat %p : !tt.ptr<f32> -> {pointers}")
        lines.append(f"  %q{n} = tt.addptr %s{n}, %r : {pointers}, tensor<64xi32>")
        lines.append(f"  %l{n} = tt.load %q{n} : {pointers}")
        lines.append(f"  %a{n} = arith.addf {value}, %l{n} : tensor<64xf32>")
        lines.append(f"  tt.store %q{n}, %a{n} : {pointers}")
        value = f"%a{n}"
    return "\n".join([*lines, "  tt.return", "}"])


def seconds(command: list[str], repeat: int) -> list[float]:
    """Wall seconds of each run of a command."""
    times = []
    for _ in range(repeat + 1):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return times[1:]  # the first run fills the page cache


def python_share(path: str) -> float:
    """Share of the time in passes, of those in Python, for the upstream passes and ours together."""
    passes = ["--canonicalize", "--triton-combine", "--triton-reorder-broadcast", "--cse"]
    run = subprocess.run(
        [BIN / "tt-opt", path, *passes, "--mlir-timing", "-o", "/dev/null"], check=True, capture_output=True, text=True
    )
    rows = {name: float(time) for time, name in re.findall(r"(\d+\.\d+) \(.*?%\)\s+(\w+)", run.stderr)}
    ours = rows["CombineOps"] + rows["ReorderBroadcast"]
    return ours / (ours + rows["Canonicalizer"] + rows["CSE"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--operations", type=int, default=20000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        arith, tt = Path(folder, "arith.mlir"), Path(folder, "tt.mlir")
        arith.write_text(arith_module(options.operations))
        tt.write_text(tt_module(options.operations))
        passes = ["--canonicalize", "--cse", "-o", "/dev/null"]
        runs = {
            "tt-opt, small file": [BIN / "tt-opt", SMALL, "-o", "/dev/null"],
            "tt-opt, small file, combine and reorder-broadcast": [
                BIN / "tt-opt", SMALL, "--triton-combine", "--triton-reorder-broadcast", "-o", "/dev/null"
            ],
            "mlir-opt, arith": [MLIR_OPT, arith, *passes],
            "tt-opt, arith": [BIN / "tt-opt", arith, *passes],
            "tt-opt, tt": [BIN / "tt-opt", tt, *passes],
        }  # fmt: skip
        results = {}
        for name, command in runs.items():
            times = seconds([str(part) for part in command], options.repeat)
            results[name] = {"median_s": round(statistics.median(times), 4), "min_s": round(min(times), 4)}
        results["ratio of medians to mlir-opt"] = {
            name: round(results[name]["median_s"] / results["mlir-opt, arith"]["median_s"], 3)
            for name in ("tt-opt, arith", "tt-opt, tt")
        }
        results["share of passes in Python, tt"] = round(python_share(str(tt)), 3)
        print(as_text({"operations": options.operations, "results": results}), end="")


if __name__ == "__main__":
    main()
