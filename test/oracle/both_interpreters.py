"""Kernels run as Python by both: ttkit's interpreter and Triton's, on the same inputs.

    python test/oracle/both_interpreters.py write FILE                     (ttkit: inputs and what comes of them)
    ORACLE/bin/python test/oracle/both_interpreters.py compare FILE       (Triton 3.6 and torch, no GPU)

The kernels of test/data/kernels that sm_90 has, once each, a minute together.  Prints what differs or ends with an
error; Triton's interpreter takes numpy up to 2.2, computes bf16 with bits, and leaves what masked atomics return
undefined.
"""

import argparse
import os
import pickle
import signal
import sys
from pathlib import Path

import numpy as np

TEST = Path(__file__).resolve().parents[1]
SECONDS = 60  # of a kernel


def packed(arrays):
    return {name: (array.tobytes(), array.dtype.name, array.shape) for name, array in arrays.items()}


def write(path):
    """Runs the kernels by ttkit."""
    sys.path.insert(0, str(TEST))
    import kernel_modes

    cases, prepared = kernel_modes.load_cases()
    found = {}
    for name, case in cases.items():
        if name in kernel_modes.EXCLUDED or name in kernel_modes.LANGUAGE or 90 not in case.archs:
            continue
        inputs = kernel_modes.Inputs(case, 5)
        before = packed(inputs.arrays)
        ordered = any(part in name for part in kernel_modes.ORDERED)
        if not ordered:
            ordered = kernel_modes.has_races(prepared(case, 90)(), kernel_modes.Inputs(case, 5))
        grid = (1,) if ordered else kernel_modes.GRID
        error, _ = kernel_modes.outcome(lambda case=case, inputs=inputs, grid=grid: run(case, inputs, grid))
        numbers = {key: value for key, value in inputs.python.items() if isinstance(value, (int, float))}
        found[name] = before, packed(inputs.arrays), numbers, grid, error
    path.write_bytes(pickle.dumps(found))
    print(f"{len(found)} kernels")


def run(case, inputs, grid):
    import kernel_modes

    kernel_modes.run_python(case, inputs, grid, 90)


def tensor(stored):
    import torch

    data, kind, shape = stored
    return torch.frombuffer(bytearray(data), dtype=getattr(torch, kind)).reshape(shape)


def run_by_triton(case, tensors, numbers, grid):
    """Runs a kernel, whose arguments are changed; the error that it ends with, if any."""
    from triton.tools.tensor_descriptor import TensorDescriptor

    given = {}
    for name, kind in case.signature.items():
        if str(kind).startswith("tensordesc"):
            block = [int(size) for size in kind.partition("[")[2].rstrip(">]").split(",")]
            given[name] = TensorDescriptor.from_tensor(tensors[name], block)
        elif kind != "constexpr":
            given[name] = tensors[name] if name in tensors else numbers[name]
    signal.alarm(SECONDS)
    try:
        case.kernel[grid](**given, **case.constants)
    except Exception as error:
        while error.__cause__ is not None:
            error = error.__cause__
        return error
    finally:
        signal.alarm(0)
    return None


def distance(mine, theirs):
    """How many elements differ, and the largest distance beside their values; None if none does."""
    left, right = (value.double().nan_to_num(1e300).reshape(-1) for value in (mine, theirs))
    differing = left != right
    if not differing.any():
        return None
    worst = ((left - right).abs() / right.abs().clamp(min=1e-9))[differing].max()
    return f"{int(differing.sum())} of {len(left)}, by {float(worst):.2g}"


def compare(path):
    """Runs the kernels by Triton, and tells what differs."""
    os.environ["TRITON_INTERPRET"] = "1"
    import kernel_sources

    def too_slow(*_):
        raise TimeoutError(f"takes more than {SECONDS} s")

    signal.signal(signal.SIGALRM, too_slow)
    cases = {case.name: case for case in kernel_sources.load_cases(kernel_sources.KERNELS)}
    equal = 0
    for name, (before, after, numbers, grid, ours) in pickle.loads(path.read_bytes()).items():
        tensors = {key: tensor(stored) for key, stored in before.items()}
        theirs = run_by_triton(cases[name], tensors, numbers, grid)
        said = {key: distance(tensor(stored), tensors[key]) for key, stored in after.items()}
        said = {key: text for key, text in said.items() if text}
        if theirs is not None or ours is not None:
            print(f"{name}: Triton {theirs!r}, ttkit {ours}"[:200], flush=True)
        elif said:
            print(f"{name}: {said}", flush=True)
        else:
            equal += 1
    print(f"{equal} kernels with equal results")


if __name__ == "__main__":
    np.seterr(all="ignore")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["write", "compare"])
    parser.add_argument("file", type=Path)
    options = parser.parse_args()
    write(options.file) if options.what == "write" else compare(options.file)
