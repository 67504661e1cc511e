"""What `ttkit sanitize --device cuda` costs: kernels on a GPU with their accesses checked, beside themselves without.

python bench/sanitizer.py [--output FILE]           needs torch and a GPU
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import torch

import ttkit
import ttkit.language as tl
from ttkit.sanitizer import checking
from ttkit.testing import do_bench

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))
from layer_norm import layer_norm
from matmul import matmul
from result_file import as_text
from softmax import softmax
from vector_add import vector_add


@ttkit.jit
def gather(x, index, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    where = tl.load(index + i, mask=i < n, other=0)
    tl.store(out + i, tl.load(x + where), mask=i < n)


@ttkit.jit
def histogram(x, bins, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(bins + tl.load(x + i, mask=i < n, other=0), 1, mask=i < n)


def cases():
    """Name -> what launches it."""
    n, rows, columns, size = 1 << 27, 32768, 4096, 4096  # far longer than a launch takes
    on = {"device": "cuda"}
    x, y, out = (torch.rand(n, **on) for _ in range(3))
    index = torch.randint(0, n, (n,), **on, dtype=torch.int32)
    bins, small = torch.zeros(1024, **on, dtype=torch.int32), torch.randint(0, 1024, (n,), **on, dtype=torch.int32)
    table, result = torch.rand(rows, columns, **on), torch.empty(rows, columns, **on)
    weight, bias = torch.rand(columns, **on), torch.rand(columns, **on)
    a, b, c = (torch.rand(size, size, **on).half() for _ in range(3))
    few = torch.rand(1024, **on)
    blocks = (n // 1024,)
    tiles = (size // 128, size // 128)
    return {
        "launch alone": lambda: vector_add[(1,)](few, few, few, 1024, BLOCK=1024),
        "vector add": lambda: vector_add[blocks](x, y, out, n, BLOCK=1024),
        "gather": lambda: gather[blocks](x, index, out, n, BLOCK=1024),
        "histogram": lambda: histogram[blocks](small, bins, n, BLOCK=1024),
        "softmax": lambda: softmax[(rows,)](table, result, columns, columns, BLOCK=columns),
        "layer norm": lambda: layer_norm[(rows,)](table, result, weight, bias, columns, 1e-5, BLOCK=columns),
        "matmul 128x128": lambda: matmul[tiles](a, b, c, size, size, size, M=128, N=128, K=32, num_warps=8),
        "matmul 64x64": lambda: matmul[(size // 64, size // 64)](a, b, c, size, size, size, M=64, N=64, K=32),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", metavar="FILE", help="write the times as JSON")
    options = parser.parse_args()
    rows = []
    for name, launch in cases().items():
        launch()
        plain = do_bench(launch, warmup=10, rep=40)
        with checking("asan,device=cuda") as found:
            launch()
            checked = do_bench(launch, warmup=10, rep=40)
        assert not found.found, found.found
        rows.append({"kernel": name, "plain_ms": plain, "checked_ms": checked, "ratio": checked / plain})
        print(f"{name:<16} {plain:9.4f} ms   checked {checked:9.4f} ms   {checked / plain:5.2f} times", flush=True)
    if options.output:
        Path(options.output).write_text(as_text(rows))


if __name__ == "__main__":
    main()
