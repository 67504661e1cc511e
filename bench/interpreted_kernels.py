"""Times of kernels that run as Python: ttkit's interpreter mode, or Triton's.

    .venv/bin/python bench/interpreted_kernels.py [--triton PYTHON] [--repeat 3]

PYTHON is an interpreter that has triton, torch and numpy (Triton 3.6 needs numpy below 2.4): it runs the same kernels,
after ttkit, and the ratio of the medians is given.  ttkit gets arrays of numpy, Triton tensors of torch on the CPU.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time

import numpy as np
from result_file import as_text

if "--inside" in sys.argv and sys.argv[sys.argv.index("--inside") + 1] == "triton":
    import torch
    import triton as compiler
    import triton.language as tl

    wrapped = torch.from_numpy
else:
    import ttkit as compiler
    import ttkit.language as tl

    def wrapped(array):
        return array


@compiler.jit
def add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = index < n
    total = tl.load(x_ptr + index, mask=mask) + tl.load(y_ptr + index, mask=mask)
    tl.store(out_ptr + index, total, mask=mask)


@compiler.jit
def softmax(x_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    row = tl.program_id(0) * columns
    x = tl.load(x_ptr + row + index, mask=index < columns, other=-float("inf"))
    weight = tl.exp(x - tl.max(x, 0))
    tl.store(out_ptr + row + index, weight / tl.sum(weight, 0), mask=index < columns)


@compiler.jit
def matmul(a_ptr, b_ptr, c_ptr, M, N, K, BLOCK: tl.constexpr, GROUP: tl.constexpr):
    pid = tl.program_id(0)
    rows, columns = tl.cdiv(M, BLOCK), tl.cdiv(N, BLOCK)
    first = pid // (GROUP * columns) * GROUP
    size = min(rows - first, GROUP)
    pid_m = first + pid % (GROUP * columns) % size
    pid_n = pid % (GROUP * columns) // size
    m, n, k = pid_m * BLOCK + tl.arange(0, BLOCK), pid_n * BLOCK + tl.arange(0, BLOCK), tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK, BLOCK), tl.float32)
    for step in range(tl.cdiv(K, BLOCK)):
        a = tl.load(a_ptr + m[:, None] * K + (step * BLOCK + k)[None, :])
        b = tl.load(b_ptr + (step * BLOCK + k)[:, None] * N + n[None, :])
        total += tl.dot(a, b)
    tl.store(c_ptr + m[:, None] * N + n[None, :], total)


@compiler.jit
def causal(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    rows = pid * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, (pid + 1) * BLOCK, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + rows[:, None] * n + columns[None, :])
        total += tl.sum(tl.where(rows[:, None] >= columns[None, :], x, 0.0), 1)
    tl.store(out_ptr + rows, total)


def cases():
    """Name, launch and check of each kernel."""
    rng = np.random.default_rng(0)

    def random(*shape):
        return rng.random(shape, np.float32)

    n = 4096 * 1024
    x, y, out = random(n), random(n), np.zeros(n, np.float32)
    yield (
        "vector add, 4096 programs of 1024",
        lambda: add[(4096,)](wrapped(x), wrapped(y), wrapped(out), n, BLOCK=1024),
        lambda: np.testing.assert_array_equal(out, x + y),
    )
    rows, result = random(1024, 1000), np.zeros((1024, 1000), np.float32)
    yield (
        "softmax, 1024 rows of 1000",
        lambda: softmax[(1024,)](wrapped(rows), wrapped(result), 1000, BLOCK=1024),
        lambda: np.testing.assert_allclose(result.sum(1), 1, 1e-4),
    )
    a, b, c = random(512, 512), random(512, 512), np.zeros((512, 512), np.float32)
    yield (
        "matmul, 512^3 in blocks of 64",
        lambda: matmul[(64,)](wrapped(a), wrapped(b), wrapped(c), 512, 512, 512, BLOCK=64, GROUP=4),
        lambda: np.testing.assert_allclose(c, a @ b, 1e-2),
    )
    square, sums = random(1024, 1024), np.zeros(1024, np.float32)
    yield (
        "sums of a triangle, 1024 rows in blocks of 32",
        lambda: causal[(32,)](wrapped(square), wrapped(sums), 1024, BLOCK=32),
        lambda: np.testing.assert_allclose(sums, np.tril(square).sum(1), 1e-3),
    )


def measure(repeat: int) -> dict[str, list[float]]:
    """Seconds of each run of each kernel, without the first."""
    times: dict[str, list[float]] = {}
    for name, run, check in cases():
        for _ in range(repeat + 1):
            start = time.perf_counter()
            run()
            times.setdefault(name, []).append(round(time.perf_counter() - start, 4))
        check()
        del times[name][0]
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--triton", help="a Python that has triton, torch and numpy")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        print(json.dumps(measure(options.repeat)))
        return
    pythons = {"ttkit": sys.executable, **({"triton": options.triton} if options.triton else {})}
    found = {
        name: json.loads(
            subprocess.run(
                [python, __file__, "--inside", name, "--repeat", str(options.repeat)],
                env={**os.environ, "TRITON_INTERPRET": "1"},
                stdout=subprocess.PIPE,
                check=True,
            ).stdout
        )
        for name, python in pythons.items()
    }
    results = {}
    for case, times in found["ttkit"].items():
        results[case] = {"ttkit_s": statistics.median(times)}
        if "triton" in found:
            results[case]["triton_s"] = statistics.median(found["triton"][case])
            results[case]["ratio"] = round(results[case]["ttkit_s"] / results[case]["triton_s"], 3)
    print(as_text(results), end="")


if __name__ == "__main__":
    main()
