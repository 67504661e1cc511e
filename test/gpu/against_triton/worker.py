"""Runs kernels through both compilers, one after the other, as `run.py` asks: a JSON object a line, in and out.

    python worker.py SCRATCH CAPABILITY {compile,compiled,call,interpret}

`compile` needs no GPU.  `compiled` gives both compilers the types that the cases declare, `call` launches by
`kernel[grid](...)`; so does `interpret`, on the CPU and with TRITON_INTERPRET=1.  After a fault of a kernel the
process ends: it can't use the GPU any more.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from comparison import compare
from compilers import COMPILERS, Buffers, no_driver
from corpus import load
from launches import KNOWN_DIFFERENCES, Launch, Unlaunchable, launch_of


class Fault(Exception):
    """A kernel ended the context."""


def one(name: str, cases: dict[str, dict[str, Any]], capability: int, how: str) -> dict[str, Any]:
    """Everything about one kernel: `status`, and what it says of each compiler."""
    row: dict[str, Any] = {"name": name}
    try:
        launch = launch_of(name, cases["triton"][name])
    except Unlaunchable as error:
        return {**row, "status": "not launched", "why": str(error)}
    buffers = Buffers(launch, "cpu" if how == "interpret" else "cuda") if how != "compile" else None
    left: dict[str, Any] = {}
    for compiler in COMPILERS:
        try:
            left[compiler] = _run(compiler, cases[compiler][name], launch, buffers, capability, how, row)
        except Fault as error:
            row[f"{compiler}_fault"] = _short(error)
            break
        except Exception as error:
            row[f"{compiler}_error"] = _short(error)
    return {**row, **_verdict(row, launch, left, how)}


def _run(
    compiler: str, case: Any, launch: Launch, buffers: Buffers | None, capability: int, how: str, row: dict[str, Any]
) -> Any:
    start = time.perf_counter()
    if how in ("call", "interpret"):
        assert buffers is not None
        buffers.reset()
        COMPILERS[compiler].call(case, launch.grid, buffers.arguments)
        row[f"{compiler}_seconds"] = round(time.perf_counter() - start, 4)
        return _contents(buffers)
    run = COMPILERS[compiler].compile(case, capability)
    row[f"{compiler}_seconds"] = round(time.perf_counter() - start, 4)
    if buffers is None:
        return None
    buffers.reset()
    run(launch.grid, buffers.arguments)
    return _contents(buffers)


def _contents(buffers: Buffers) -> Any:
    try:
        return buffers.contents()
    except Exception as error:
        raise Fault(str(error)) from error


def _verdict(row: dict[str, Any], launch: Launch, left: dict[str, Any], how: str) -> dict[str, Any]:
    for compiler in COMPILERS:
        if f"{compiler}_fault" in row:
            return {"status": f"{compiler} faults"}
    refused = [compiler for compiler in COMPILERS if f"{compiler}_error" in row]
    if refused:
        return {"status": "both refuse" if len(refused) == len(COMPILERS) else f"{refused[0]} refuses"}
    if how == "compile":
        return {"status": "compiles"}
    difference = compare(launch, left["triton"], left["ttkit"])
    found = {"elements": difference.of, "different": difference.elements, "largest": difference.largest}
    if difference.elements:
        if row["name"] in KNOWN_DIFFERENCES:
            return {"status": "known difference", "why": KNOWN_DIFFERENCES[row["name"]], **found}
        return {"status": "differs", "first": difference.first, "tolerance": launch.tolerance, **found}
    return {"status": "close" if difference.largest else "equal", "tolerance": launch.tolerance, **found}


def _short(error: BaseException) -> str:
    text = str(error).strip() or type(error).__name__
    return f"{type(error).__name__}: {text}"[:600]


def main(scratch: Path, capability: int, how: str) -> None:
    # Kernels print to stdout too.
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    if how == "compile":
        no_driver(capability)
    elif how == "interpret":
        os.environ["TRITON_INTERPRET"] = "1"
    else:
        import torch
        import triton

        torch.cuda.init()
        triton.set_allocator(lambda size, alignment, stream: torch.empty(size, dtype=torch.int8, device="cuda"))
    cases = {compiler: load(compiler, scratch) for compiler in COMPILERS}
    answers.write(json.dumps({"names": sorted(cases["triton"])}) + "\n")
    for line in sys.stdin:
        row = one(json.loads(line)["name"], cases, capability, how)
        answers.write(json.dumps(row) + "\n")
        if any(key.endswith("_fault") for key in row):
            os._exit(3)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
