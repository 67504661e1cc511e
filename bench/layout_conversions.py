"""Time of remove-layout-conversions beside Triton's, on loops full of conversions and on long functions.

    .venv/bin/python bench/layout_conversions.py [--oracle-python PYTHON] [--repeat 9] [--output FILE]

"nested" has 40 conversions in three nested loops, as after coalesce: each load and store has its own layout, all else
another.  "straight" is a function of 500, 2,000 and 8,000 operations without loops.  PYTHON has Triton
(docs/compare_with_triton.md).  CPU times are the least of the runs, in milliseconds.
"""

import argparse
import os
import sys
from datetime import date
from pathlib import Path

from result_file import as_text

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "test" / "oracle"))

import compare  # noqa: E402

PASS = "tritongpu-remove-layout-conversions"
FUNCTION = """
#load = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#any = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#store = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
tt.func @kernel(%p: tensor<64x64x!tt.ptr<f32>, #load>, %q: tensor<64x64x!tt.ptr<f32>, #store>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32, #any>
BODY
  tt.return
}
}
"""
# A load and a store at an offset %i, with four conversions; %x becomes %y.
ACCESSES = """
%i_offset = tt.splat %i : i32 -> tensor<64x64xi32, #any>
%i_from = ttg.convert_layout %i_offset : tensor<64x64xi32, #any> -> tensor<64x64xi32, #load>
%i_p = tt.addptr %p, %i_from : tensor<64x64x!tt.ptr<f32>, #load>, tensor<64x64xi32, #load>
%i_loaded = tt.load %i_p : tensor<64x64x!tt.ptr<f32>, #load>
%i_value = ttg.convert_layout %i_loaded : tensor<64x64xf32, #load> -> tensor<64x64xf32, #any>
%i_product = arith.mulf %i_value, %x : tensor<64x64xf32, #any>
%y = arith.addf %i_product, %i_value : tensor<64x64xf32, #any>
%i_stored = ttg.convert_layout %y : tensor<64x64xf32, #any> -> tensor<64x64xf32, #store>
%i_to = ttg.convert_layout %i_offset : tensor<64x64xi32, #any> -> tensor<64x64xi32, #store>
%i_q = tt.addptr %q, %i_to : tensor<64x64x!tt.ptr<f32>, #store>, tensor<64x64xi32, #store>
tt.store %i_q, %i_stored : tensor<64x64x!tt.ptr<f32>, #store>
"""


def accesses(index: str, number: int, before: str) -> tuple[str, str]:
    """The operations of ACCESSES at `index`, and what they make of the value `before`."""
    after = f"%y{number}"
    text = ACCESSES.replace("%i_", f"%v{number}_").replace("%i ", f"{index} ")
    return text.replace("%y", after).replace("%x", before), after


def nested(conversions: int, depth: int = 3) -> str:
    """Loops in each other, with about so many conversions."""
    groups, number, lines, value = conversions // 4, 0, [], "%zero"
    for level in range(depth):
        head = f"%r{level} = scf.for %i{level} = %c0 to %n step %c1 iter_args(%a{level} = {value})"
        lines.append(f"{head} -> (tensor<64x64xf32, #any>) : i32 {{")
        value = f"%a{level}"
        for _ in range(groups // depth + (level < groups % depth)):
            text, value = accesses(f"%i{level}", number, value)
            lines.append(text)
            number += 1
    for level in reversed(range(depth)):
        lines.append(f"scf.yield {value} : tensor<64x64xf32, #any>\n}}")
        value = f"%r{level}"
    return FUNCTION.replace("BODY", "\n".join(lines))


def straight(operations: int) -> str:
    """One block of about so many operations."""
    lines, value = [], "%zero"
    for number in range(operations // len(ACCESSES.split("\n"))):
        text, value = accesses("%n", number, value)
        lines.append(text)
    return FUNCTION.replace("BODY", "\n".join(lines))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--oracle-python", default=os.environ.get("TTKIT_ORACLE_PYTHON"), help="a Python with Triton")
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--output", type=Path, help="a JSON file for the results")
    options = parser.parse_args()
    if not options.oracle_python:
        parser.error("no Python with Triton: give --oracle-python or set TTKIT_ORACLE_PYTHON")
    ttkit, triton = compare.ttkit_worker(), compare.triton_worker(options.oracle_python)
    modules = {"nested 40": nested(40)} | {f"straight {size}": straight(size) for size in (500, 2000, 8000)}
    rows = []
    for name, text in modules.items():
        outcome = compare.compare(text, [(PASS, {})], ttkit, triton, options.repeat)
        if outcome.status != compare.EQUAL:
            raise SystemExit(f"{name}: {outcome.status}\n{outcome.detail}")
        ours, theirs = outcome.ours[0] * 1e3, outcome.theirs[0] * 1e3
        times = {"ttkit_ms": round(ours, 2), "triton_ms": round(theirs, 2), "ratio": round(ours / theirs, 2)}
        rows.append({"module": name, **times})
        print(f"{ours:9.2f} ms {theirs:9.2f} ms {ours / theirs:6.2f}  {name}", flush=True)
    if options.output:
        options.output.write_text(as_text({"date": str(date.today()), "times": "CPU", "rows": rows}))


if __name__ == "__main__":
    main()
