"""Kernels that take some compilers long: their times with ttkit and Triton, and ttkit's error within a limit.

    python bench/blow_ups.py [--only NAME ...] [--oracle-python PYTHON] [--limit 100] [--budget 10] [--output FILE]

The kernels follow descriptions of public reports: unrolled loops of thousands of iterations, one unrolled loop in
another, chains of `tl.where`, divisions in i64, hundreds of arguments, calls of calls, tensors of twelve dimensions,
reductions over tuples, tiles too large for their warps.  Each compilation, from Python source to a cubin for sm_90
with four warps, is a process of its own.  Times are of the CPU, from its start; a process that takes longer than
`--limit` is ended.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from both_languages import load
from result_file import as_text

HERE = Path(__file__).resolve()
ARGUMENTS = 300
HEAD, LOAD = "@jit\ndef k(p, q, n, B: tl.constexpr):\n", "    i = tl.arange(0, B)\n    x = tl.load(p + i, i < n)\n"
STORE = "    tl.store(q + i, x, i < n)\n"


def unrolled(count: int, body: str) -> str:
    """A kernel with an unrolled loop over j around lines that change x."""
    return f"{HEAD}{LOAD}    for j in tl.static_range({count}):\n        {body}\n{STORE}"


def calls(depth: int) -> str:
    """A kernel that calls a function, which calls another one twice, and so on."""
    first = "@jit\ndef f0(x):\n    return x + 1.0\n\n"
    others = [f"@jit\ndef f{j}(x):\n    return f{j - 1}(x) + f{j - 1}(x * 2.0)\n\n" for j in range(1, depth)]
    return f"{first}{''.join(others)}{HEAD}{LOAD}    x = f{depth - 1}(x)\n{STORE}"


def of_tuples(count: int) -> str:
    """A reduction of tuples to the one whose first element is largest."""
    names = [f"{side}{j}" for side in "ab" for j in range(count)]
    chosen = ", ".join(f"tl.where(a0 > b0, a{j}, b{j})" for j in range(count))
    values = ", ".join(f"x + {j}" for j in range(count))
    combine = f"@jit\ndef combine({', '.join(names)}):\n    return {chosen}\n\n"
    body = f"    x = tl.load(p + tl.arange(0, 16384))\n    r = tl.reduce(({values}), 0, combine)\n"
    return f"{combine}{HEAD}{body}    tl.store(q, r[{count - 1}])\n"


def many_arguments() -> str:
    """A sum of what hundreds of pointers point to."""
    names = ", ".join(f"a{j}" for j in range(ARGUMENTS))
    loads = "".join(f"    x += tl.load(a{j} + i, i < n)\n" for j in range(ARGUMENTS))
    head = f"@jit\ndef k({names}, q, n, B: tl.constexpr):\n"
    return f"{head}    i = tl.arange(0, B)\n    x = tl.zeros((B,), tl.float32)\n{loads}{STORE}"


PERMUTED = (11, 3, 5, 7, 9, 1, 0, 2, 4, 6, 8, 10)
SOURCES = {
    "4,000 unrolled iterations": unrolled(4000, "x = x * 1.5 + j"),
    "500 unrolled loads": unrolled(500, "x += tl.load(p + i + j * n, i < n)"),
    "2,000 unrolled loads": unrolled(2000, "x += tl.load(p + i + j * n, i < n)"),
    "40 times 40 unrolled": unrolled(
        40, "for l in tl.static_range(40):\n            x = tl.where(x > j, x * l, x - j)"
    ),
    "64 unrolled products": f"{HEAD}    i = tl.arange(0, 64)\n    at = i[:, None] * n + i[None, :]\n"
    "    x, y = tl.load(p + at).to(tl.float16), tl.zeros((64, 64), tl.float32)\n    for j in tl.static_range(64):\n"
    "        y = tl.dot(x, x, y)\n        x = (y * 0.5).to(tl.float16)\n    tl.store(q + at, y)\n",
    "2,000 selects": unrolled(2000, "x = tl.where(i == j, x + j, x)"),
    "600 branches": f"{HEAD}{LOAD}"
    + "".join(f"    if n > {j}:\n        x = x * {j}.0 + 1\n    else:\n        x = x - {j}.0\n" for j in range(600))
    + STORE,
    "divisions in i64": f"{HEAD}    i = tl.arange(0, 16384).to(tl.int64)\n    x = i\n"
    "    for j in tl.static_range(30):\n"
    "        x = (x * 7919 + j) // (i + 3) % 1000003\n    tl.store(q + i, x)\n",
    f"{ARGUMENTS} pointers": many_arguments(),
    "calls of calls, 2,048": calls(12),
    "twelve dimensions": f"{HEAD}    x = tl.reshape(tl.load(p + tl.arange(0, 4096)), {(2,) * 12})\n"
    f"    x = tl.sum(tl.permute(x, {PERMUTED}), 4)\n"
    "    tl.store(q + tl.arange(0, 2048), tl.reshape(x, (2048,)))\n",
    "a reduction of 8 values": of_tuples(8),
    "sums of 65,536 prefixes": f"{HEAD}    i = tl.arange(0, 65536)\n"
    "    tl.store(q + i, tl.cumsum(tl.load(p + i), 0))\n",
    "4,096 sorted": f"{HEAD}    i = tl.arange(0, 4096)\n    tl.store(q + i, tl.sort(tl.load(p + i)))\n",
    "argmax of 65,536": f"{HEAD}    tl.store(q, tl.argmax(tl.load(p + tl.arange(0, 65536)), 0))\n",
    "a product of 256x256x256": f"{HEAD}    i = tl.arange(0, 256)\n    at = i[:, None] * n + i[None, :]\n"
    "    x = tl.load(p + at).to(tl.float16)\n    tl.store(q + at, tl.dot(x, x))\n",
}


def compile_one(name: str, language: str) -> None:
    """Compiles a kernel in this process, and prints its CPU seconds, or the error of a budget."""
    if language == "ttkit":
        import ttkit as implementation
        import ttkit.language as tl
        from ttkit.compiler.over_budget import BudgetError
        from ttkit.frontend import ASTSource
        from ttkit.target import GPUTarget
    else:
        import triton as implementation
        import triton.language as tl
        from triton.backends.compiler import GPUTarget
        from triton.compiler import ASTSource

        BudgetError = ()
    pointers = [f"a{j}" for j in range(ARGUMENTS)] if "pointers" in name else ["p"]
    signature = dict.fromkeys(pointers, "*fp32")
    signature |= {"q": "*i64" if "i64" in name else "*fp32", "n": "i32", "B": "constexpr"}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "kernel.py")
        path.write_text(SOURCES[name])
        os.environ["TRITON_CACHE_DIR"] = folder
        source = ASTSource(load("kernel", path, implementation.jit, tl).k, signature, {"B": 1024})
        said: Any = None
        try:
            implementation.compile(source, target=GPUTarget("cuda", 90, 32), options={"num_warps": 4})
        except BudgetError as error:
            said = str(error).replace(f"{folder}/", "")
    used = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(json.dumps({"seconds": round(sum(one.ru_utime + one.ru_stime for one in used), 1), "said": said}))


def measured(python: str, name: str, language: str, limit: int, budget: int = 0) -> dict[str, Any]:
    """What a process says of a kernel: its seconds, which are None beyond the limit."""
    command = [python, str(HERE), "--one", language, "--only", name]
    environment = {**os.environ, "TTKIT_COMPILE_SECONDS": str(budget)}
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, env=environment, check=False)
    except subprocess.TimeoutExpired:
        return {"seconds": None, "said": None}
    if done.returncode:
        return {"seconds": None, "said": done.stderr.strip().splitlines()[-1]}
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=list(SOURCES), metavar="NAME")
    parser.add_argument("--oracle-python", default=os.environ.get("TTKIT_ORACLE_PYTHON"), help="a Python with Triton")
    parser.add_argument("--limit", type=int, default=100, help="seconds")
    parser.add_argument("--budget", type=int, default=10, help="seconds of TTKIT_COMPILE_SECONDS")
    parser.add_argument("--one", choices=["ttkit", "triton"], help=argparse.SUPPRESS)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    if options.one:
        compile_one(options.only[0], options.one)
        return
    rows = {}
    print("| kernel | ttkit, s | Triton, s | within the budget |\n| --- | --- | --- | --- |")
    for name in options.only:
        ours = measured(sys.executable, name, "ttkit", options.limit)
        slow = ours["seconds"] is None or ours["seconds"] > options.budget
        within = measured(sys.executable, name, "ttkit", options.limit, options.budget) if slow else ours
        oracle = options.oracle_python
        theirs = measured(oracle, name, "triton", options.limit) if oracle else {"seconds": None, "said": None}
        rows[name] = {"ttkit": ours, "triton": theirs, "within": within}
        cells = [f"over {options.limit}" if one["seconds"] is None else one["seconds"] for one in (ours, theirs)]
        print(f"| {name} | {cells[0]} | {cells[1] if oracle else ''} | {said_in_short(within['said'])} |", flush=True)
    if options.output:
        options.output.write_text(as_text(rows))


def said_in_short(said: str | None) -> str:
    """The line that an error names, and the level; empty without an error."""
    lines = (said or "").split("\n")
    return f"`{lines[1].strip()}`, {lines[0].rpartition('from ')[2]}" if len(lines) > 2 else lines[0]


if __name__ == "__main__":
    main()
