"""Single statements of the language in every type, through Triton and through ttkit on a GPU, bit by bit: a table.

    python test/gpu/against_triton/statements.py [--jobs 14] [--every 1] [--only REGEX] [--json FILE]

Needs a GPU, torch, Triton 3.6 and ttkit.  A case is a kernel of three lines: loads of two types, a statement, a store
of its result: operators between any two types and with constants, conversions, functions, reductions, scans, atomics.
What Triton refuses is counted and not looked at.  `--every 4` takes every fourth case; there are some 8,000, each some
0.3 s of a core for both.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import pickle
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

DEVICE = os.environ.get("STATEMENTS_DEVICE", "cuda")  # cpu: to try this file, with TRITON_INTERPRET=1
TORCH = {
    "i1": "bool",
    "i8": "int8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "u8": "uint8",
    "u16": "uint16",
    "u32": "uint32",
    "u64": "uint64",
    "f16": "float16",
    "bf16": "bfloat16",
    "f32": "float32",
    "f64": "float64",
    "e5": "float8_e5m2",
    "e4": "float8_e4m3fn",
}
NAMES = TORCH | {"i1": "int1", "e5": "float8e5", "e4": "float8e4nv"}
OPERATORS = "+ - * / // % & | ^ << >> == <".split()
CONSTANTS = ("2", "-1", "0.5", "300", "3000000000", "2**40", "True", "1e300")
ONE = "abs exp exp2 log log2 sin cos sqrt sqrt_rn rsqrt floor ceil erf sigmoid softmax flip sort ravel".split()
REDUCTIONS = "sum max min argmax argmin xor_sum reduce_or cumsum cumprod".split()
MODES = ("axis=0", "axis=1", "axis=None", "axis=1, keep_dims=True", "axis=0, reverse=True", "axis=0, dtype=tl.float32")
ATOMICS = "atomic_add atomic_max atomic_min atomic_and atomic_or atomic_xor atomic_xchg".split()
PRELUDE = """import triton
import triton.language as tl

@triton.jit
def keep(out, r):
    if len(r.shape) == 0:
        tl.store(out.to(tl.pointer_type(r.dtype)), r)
    else:
        tl.store(out.to(tl.pointer_type(r.dtype)) + tl.arange(0, r.numel), tl.reshape(r, [r.numel]))

"""
ROW = ["i = tl.arange(0, 16)", "x = tl.load(a + i)", "y = tl.load(b + i)"]
SQUARE = ["i = tl.arange(0, 32)", *(f"{v} = tl.load({p} + i[:, None] * 32 + i[None, :])" for v, p in ("xa", "yb"))]


def cases() -> dict[str, tuple[str, str, list[str]]]:
    """{what it is: (types of a and b, lines that make r)}, in a fixed order."""
    made: dict[str, tuple[str, str, list[str]]] = {}

    def add(name: str, left: str, right: str, lines: list[str], statement: str) -> None:
        made[f"{left} {right}: {name}"] = (left, right, [*lines, f"r = {statement}"])

    for left in TORCH:
        for right in TORCH:
            for operator in OPERATORS:
                shift = " & 7" if operator in ("<<", ">>") and right[0] in "iu" and right != "i1" else ""
                add(f"x {operator} y", left, right, ROW, f"x {operator} (y{shift})")
            add(f"to {right}", left, left, ROW, f"x.to(tl.{NAMES[right]})")
            add(f"bits of {right}", left, left, ROW, f"x.to(tl.{NAMES[right]}, bitcast=True)")
            add(f"to {right} rtz", left, left, ROW, f"tl.cast(x, tl.{NAMES[right]}, fp_downcast_rounding='rtz')")
            for function in ("where(i > 3, x, y)", "maximum(x, y)", "minimum(x, y)", "fdiv(x, y)", "umulhi(x, y)"):
                add(function, left, right, ROW, f"tl.{function}")
            for function in ("div_rn(x, y)", "fma(x, y, x)", "clamp(x, y, x)", "join(x, y)", "atomic_add(a + i, y)"):
                add(function, left, right, ROW, f"tl.{function}")
            add("dot", left, right, SQUARE, "tl.dot(xa, yb)")
        for constant in CONSTANTS:
            for operator in OPERATORS:
                add(f"x {operator} {constant}", left, left, ROW, f"x {operator} {constant}")
                if operator in "+-//<<":
                    add(f"{constant} {operator} x", left, left, ROW, f"{constant} {operator} x")
        for function in ONE:
            add(function, left, left, ROW, f"tl.{function}(x)")
        for function in REDUCTIONS:
            for mode in MODES:
                add(f"{function} {mode}", left, left, SQUARE, f"tl.{function}(xa, {mode})")
            if function in ("max", "min"):
                for rest in ("", ", return_indices_tie_break_left=False"):
                    add(
                        f"{function} index{rest}",
                        left,
                        left,
                        SQUARE,
                        f"tl.{function}(xa, 1, return_indices=True{rest})[1]",
                    )
        for function in ATOMICS:
            add(function, left, left, ROW, f"tl.{function}(a + i, x)")
            add(f"{function} some", left, left, ROW, f"tl.{function}(a + i, y, mask=i < 3, sem='relaxed', scope='cta')")
        for statement in ("not x", "~x", "-x", "tl.histogram(x, 8)", "tl.topk(x, 4)", "tl.interleave(x, y)", "x.T"):
            add(statement, left, left, ROW, statement)
        for statement in ("tl.atomic_cas(a + i, x, y)", "tl.gather(x, i // 2, 0)", "tl.rand(0, x)", "tl.randint(x, i)"):
            add(statement, left, left, ROW, statement)
        for statement in (
            "xa.T",
            "tl.sort(xa, descending=True)",
            "tl.flip(xa, 0)",
            "tl.softmax(xa)",
            "tl.split(tl.join(xa, yb))[1]",
        ):
            add(statement, left, left, SQUARE, statement)
    return made


def memory(kind: str, second: bool) -> Any:
    """1024 elements of a type; integers of all sizes, and floats around 0; no zero in what may divide."""
    import torch

    generator = torch.Generator().manual_seed(17 + second)
    dtype = getattr(torch, TORCH[kind])
    if kind[0] in "fbe":
        values = torch.randn(1024, generator=generator, dtype=torch.float64) * 3
        return values.to(torch.float32).to(dtype) if kind[0] == "e" else values.to(dtype)
    values = torch.randint(-(2**62), 2**62, (1024,), generator=generator) >> torch.randint(
        0, 60, (1024,), generator=generator
    )
    if kind == "i1":
        return values % 2 == 1
    bits = int(kind[1:])
    whole = (
        values.view(torch.uint8).view(1024, 8)[:, : bits // 8].contiguous().view(getattr(torch, f"int{bits}")).view(-1)
    )
    whole[whole == 0] = 1
    return whole.view(dtype)


def work(side: str, numbers: list[int], source: str, path: str) -> None:
    """Runs cases; {number: results as bytes, or the text of an error} to `path`."""
    if side == "ttkit":
        import ttkit.compat

        ttkit.compat.install()
    import torch

    spec = importlib.util.spec_from_file_location("statements_to_run", source)
    kernels = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(kernels)
    wanted, found = list(cases().values()), {}
    for number in numbers:
        left, right, _ = wanted[number]
        a, b = memory(left, False).to(DEVICE), memory(right, True).to(DEVICE)
        out = torch.zeros(16384, dtype=torch.uint8, device=DEVICE)
        try:
            kernel = getattr(kernels, f"k{number}")[(1,)](a, b, out, num_warps=4)
            stores = " ".join(re.findall(r"tt\.store .*", kernel.asm["ttir"] if kernel else ""))
            kinds = re.findall(r"!tt\.ptr<(\w+)>", stores)
            found[number] = (out.cpu().numpy().tobytes(), a.view(torch.uint8).cpu().numpy().tobytes(), kinds[-1:])
        except Exception as error:
            lines = str(error).strip().splitlines() or [""]
            found[number] = f"{type(error).__name__}: {lines[-1]}"[:300]
            if "illegal" in lines[-1] or "misaligned" in lines[-1]:
                break  # the process has lost the GPU
    with open(path, "wb") as file:
        pickle.dump(found, file)


def distance(expected: bytes, found: bytes, kinds: list[str]) -> str:
    """How far results of floats are apart, in the largest one's share; else which element differs first."""
    import torch

    names = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64}
    if not kinds or kinds[0] not in names:
        return f"byte {next(n for n in range(len(expected)) if expected[n] != found[n])}, {''.join(kinds)}"
    left, right = (torch.frombuffer(bytearray(one), dtype=names[kinds[0]]).double() for one in (expected, found))
    if not torch.equal(left.isfinite(), right.isfinite()):
        return f"infinite or not, {kinds[0]}"
    scale = left[left.isfinite()].abs().max().clamp(min=1e-300)
    return f"{float((left - right)[left.isfinite()].abs().max() / scale):.1e} of the largest, {kinds[0]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=14)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--work", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        side, numbers, source, path = options.work
        work(side, json.loads(numbers), source, path)
        return
    wanted = cases()
    chosen = [n for n, name in enumerate(wanted) if n % options.every == 0 and re.search(options.only, name)]
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "statements_to_run.py")
        bodies = [
            f"@triton.jit\ndef k{n}(a, b, out):\n    " + "\n    ".join([*lines, "keep(out, r)"]) + "\n"
            for n, (_, _, lines) in enumerate(wanted.values())
        ]
        Path(source).write_text(PRELUDE + "\n".join(bodies))
        processes, results = [], {"triton": {}, "ttkit": {}}
        share = max(1, options.jobs // 2)
        for side in results:
            for part in range(share):
                path = os.path.join(folder, f"{side}{part}")
                command = [sys.executable, __file__, "--work", side, json.dumps(chosen[part::share]), source, path]
                environment = os.environ | {"TRITON_CACHE_DIR": os.path.join(folder, f"cache-{side}")}
                processes.append((side, path, subprocess.Popen(command, env=environment)))
        for side, path, process in processes:
            process.wait()
            if os.path.exists(path):
                with open(path, "rb") as file:
                    results[side] |= pickle.load(file)
    counts: Counter[str] = Counter()
    rows = []
    for number, name in enumerate(wanted):
        theirs, ours = (results[side].get(number, "did not run") for side in ("triton", "ttkit"))
        if number not in chosen:
            continue
        if isinstance(theirs, str):
            status, detail = ("both refuse", "") if isinstance(ours, str) else ("Triton refuses", theirs)
        elif isinstance(ours, str):
            status, detail = "ttkit refuses", ours
        else:
            status, detail = "equal", ""
            for expected, found, kinds in ((theirs[0], ours[0], theirs[2]), (theirs[1], ours[1], [])):
                if status == "equal" and expected != found:
                    status, detail = "differs", distance(expected, found, kinds)
        counts[status] += 1
        if status in ("differs", "ttkit refuses"):
            rows.append({"case": name, "status": status, "detail": detail})
            print(f"{name:50} {status:14} {detail}", flush=True)
    print(", ".join(f"{count} {status}" for status, count in counts.most_common()))
    if options.json:
        options.json.write_text(json.dumps({"counts": counts, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
