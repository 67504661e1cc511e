"""How the time of each stage grows with the size of a kernel, up to 50,000 operations: a table of times and exponents.

    python bench/growth.py [--sizes 500 2500 10000 50000] [--kernels chain] [--limit 120] [--output FILE]

Kernels in tt: a chain of operations, each of which needs the one before it; operations that need only the arguments; a
chain on tensors; loads and stores; branches one after the other.  Each size runs in a process of its own.  The
exponent is that between a size and the one before it: 1 is linear.  Times are of the CPU.
"""

from __future__ import annotations

import argparse
import importlib
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from result_file import as_text

from ttkit.compiler.compilation import Compilation
from ttkit.compiler.sources import IRSource
from ttkit.frontend import ASTSource
from ttkit.options import CompileOptions
from ttkit.target import GPUTarget

HEAD = "tt.func public @k(%p: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %n: i32) {\n"
TARGET = GPUTarget("cuda", 90, 32)
STAGES = ("parse", "ttir", "ttgir", "llir", "ptx")


def chain(count: int) -> str:
    """A chain of scalar operations, each of the one before."""
    lines = ["  %x0 = arith.addi %n, %n : i32"]
    for index in range(count // 2):
        lines.append(f"  %y{index} = arith.muli %x{index}, %n : i32")
        lines.append(f"  %x{index + 1} = arith.xori %y{index}, %x0 : i32")
    return "\n".join([*lines, f"  tt.store %p, %x{count // 2} : !tt.ptr<i32>"])


def wide(count: int) -> str:
    """Products that need only the arguments, added up as a tree."""
    lines, level = [], []
    for index in range(count // 3):
        lines.append(f"  %c{index} = arith.constant {2 * index + 3} : i32")
        lines.append(f"  %m{index} = arith.muli %n, %c{index} : i32")
        level.append(f"%m{index}")
    number = 0
    while len(level) > 1:
        pairs = [level[at : at + 2] for at in range(0, len(level), 2)]
        for position, pair in enumerate(pairs):
            if len(pair) == 2:
                lines.append(f"  %s{number} = arith.xori {pair[0]}, {pair[1]} : i32")
                pairs[position] = [f"%s{number}"]
                number += 1
        level = [pair[0] for pair in pairs]
    return "\n".join([*lines, f"  tt.store %p, {level[0]} : !tt.ptr<i32>"])


def tensors(count: int) -> str:
    """A chain of operations on tensors of 128."""
    kind = "tensor<128xi32>"
    lines = [
        f"  %r = tt.make_range {{start = 0 : i32, end = 128 : i32}} : {kind}",
        f"  %t = tt.splat %n : i32 -> {kind}",
    ]
    lines.append(f"  %x0 = arith.addi %r, %t : {kind}")
    lines += [f"  %x{i + 1} = arith.{('muli', 'xori')[i % 2]} %x{i}, %{'tr'[i % 2]} : {kind}" for i in range(count)]
    pointers = "tensor<128x!tt.ptr<i32>>"
    lines.append(f"  %b = tt.splat %p : !tt.ptr<i32> -> {pointers}")
    lines.append(f"  %q = tt.addptr %b, %r : {pointers}, {kind}")
    return "\n".join([*lines, f"  tt.store %q, %x{count} : {pointers}"])


def accesses(count: int) -> str:
    """Loads and stores at constant offsets, one after the other."""
    lines = []
    for index in range(count // 5):
        lines.append(f"  %c{index} = arith.constant {2 * index} : i32")
        lines.append(f"  %a{index} = tt.addptr %p, %c{index} : !tt.ptr<i32>, i32")
        lines.append(f"  %v{index} = tt.load %a{index} : !tt.ptr<i32>")
        lines.append(f"  %w{index} = arith.addi %v{index}, %n : i32")
        lines.append(f"  tt.store %a{index}, %w{index} : !tt.ptr<i32>")
    return "\n".join(lines)


def branches(count: int) -> str:
    """scf.ifs one after the other, each on the result of the one before."""
    lines = ["  %x0 = arith.addi %n, %n : i32"]
    for index in range(count // 4):
        lines.append(f"  %c{index} = arith.cmpi sgt, %x{index}, %n : i32")
        lines.append(f"  %x{index + 1} = scf.if %c{index} -> (i32) {{\n    %a{index} = arith.muli %x{index}, %n : i32")
        lines.append(f"    scf.yield %a{index} : i32\n  }} else {{\n    scf.yield %x{index} : i32\n  }}")
    return "\n".join([*lines, f"  tt.store %p, %x{count // 4} : !tt.ptr<i32>"])


def python(count: int) -> str:
    """The chain as a kernel in Python, whose way to tt is the column of parsing."""
    body = "\n".join(f"    x = x * n + {index}" for index in range(count // 3))  # with the constant three operations
    head = "import ttkit\nimport ttkit.language as tl\n\n\n@ttkit.jit\ndef k(p, n):\n    x = n\n"
    return f"{head}{body}\n    tl.store(p, x)\n"


SHAPES = {
    "chain": chain,
    "wide": wide,
    "tensors": tensors,
    "accesses": accesses,
    "branches": branches,
    "python": python,
}


def measure(shape: str, count: int) -> dict[str, float]:
    """Seconds of each stage, of this process's CPU and that of those it starts."""
    time.perf_counter = lambda: sum(os.times()[:4])
    options = CompileOptions.for_capability(90)
    text = SHAPES[shape](count)
    if shape == "python":
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "kernel_of_growth.py")
            path.write_text(text)
            sys.path.insert(0, folder)
            kernel = importlib.import_module(path.stem).k
            made = Compilation(ASTSource(kernel, {"p": "*i32", "n": "i32"}), TARGET, options, until="ptx").run()
        return made.seconds
    text = f"module {{\n{HEAD}{text}\n  tt.return\n}}\n}}\n"
    source = IRSource("k.ttir", 90, text)
    return Compilation(source, TARGET, options, until="ptx").run().seconds


def table(sizes: list[int], limit: float, shapes: list[str]) -> list[dict]:
    """Seconds of each stage for all shapes and sizes, each in a process of its own, and the exponents of growth."""
    rows: list[dict] = []
    for shape in shapes:
        before: dict = {}
        for count in sizes:
            command = [sys.executable, __file__, "--one", shape, str(count)]
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=True)
            except subprocess.TimeoutExpired:
                print(f"{shape:10}{count:7}  more than {limit:g} s")
                break
            except subprocess.CalledProcessError as error:
                print(f"{shape:10}{count:7}  {(error.stderr.strip().splitlines() or ['failed'])[-1][:160]}")
                break
            seconds = json.loads(done.stdout)
            row = {"kernel": shape, "operations": count, "seconds": seconds, "exponents": {}}
            for stage in STAGES if before else ():
                ratio = math.log(count / before["operations"])
                row["exponents"][stage] = (
                    math.log(max(seconds[stage], 1e-4) / max(before["seconds"][stage], 1e-4)) / ratio
                )
            cells = [f"{seconds[stage]:8.2f} ({row['exponents'].get(stage, 0):.2f})" for stage in STAGES]
            print(f"{shape:10}{count:7}" + "".join(cells), flush=True)
            rows.append(row)
            before = row
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="*", default=[500, 2500, 10000, 50000])
    parser.add_argument("--kernels", nargs="*", choices=list(SHAPES), default=list(SHAPES))
    parser.add_argument("--limit", type=float, default=120.0, help="seconds for one")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print(json.dumps(measure(given.one[0], int(given.one[1]))))
        return
    print(f"{'kernel':10}{'ops':>7}" + "".join(f"{stage:>15}" for stage in STAGES))
    rows = table(given.sizes, given.limit, given.kernels)
    if given.output:
        given.output.write_text(as_text(rows))


if __name__ == "__main__":
    main()
