"""Bandwidth of memory-bound kernels on a GPU: ttkit beside Triton and torch, in one process.

    python bench/kernels.py [--rounds 60] [--only vector_add softmax layer_norm] [--output FILE]

Needs torch and Triton.  Both compilers get the sources of memory_bound_kernels.py.  Each round launches every variant
once, in random order, with the L2 cache flushed before each: in a fixed order whoever comes second seems up to 5 %
slower (H200, 2026-11).  A figure is the mean of the middle half of the times; of several blocks or numbers of warps the
best counts.  Results are compared with torch's.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
from both_languages import load
from result_file import as_text

SOURCES = Path(__file__).with_name("memory_bound_kernels.py")
ROWS = 4096
SIZES = {
    "vector_add": [1 << power for power in range(12, 28)],
    "softmax": [256, 1024, 2048, 4096, 8192, 12672],
    "layer_norm": [1024, 2048, 4096, 8192, 15872],
}
WARPS = (4, 8, 16)
FLUSHED_BYTES = 256 << 20
# Small kernels differ by less than the clock's steps, so they are timed more often.
SMALL, MORE_OFTEN = 1 << 21, 3

Launch = Callable[[], Any]
Variants = dict[str, Callable[[Any], Launch]]


def implementations() -> dict[str, Any]:
    """The kernels by both compilers, as modules of the same source."""
    import triton
    import triton.language

    import ttkit
    import ttkit.language

    return {
        "triton": load("kernels_of_triton", SOURCES, triton.jit, triton.language),
        "ttkit": load("kernels_of_ttkit", SOURCES, ttkit.jit, ttkit.language),
    }


def next_power_of_2(n: int) -> int:
    """The least power of two that is not smaller."""
    return 1 << (n - 1).bit_length()


# --- What is measured: launches of a module's kernel by variant, torch's launch, a check of the results, and bytes ----


def vector_add(n: int) -> tuple[Variants, Launch, Callable[[], None], int]:
    """Variants, torch's launch, the check of the result, and the bytes that are moved."""
    x, y = torch.rand(n, device="cuda"), torch.rand(n, device="cuda")
    out = torch.empty_like(x)

    def variant(block: int, warps: int) -> Callable[[Any], Launch]:
        grid = (-(-n // block),)
        return lambda module: lambda: module.vector_add[grid](x, y, out, n, BLOCK=block, num_warps=warps)

    variants = {f"block {block}": variant(block, warps) for block, warps in ((1024, 4), (2048, 8))}
    return variants, lambda: torch.add(x, y, out=out), lambda: torch.testing.assert_close(out, x + y), 3 * 4 * n


def softmax(columns: int) -> tuple[Variants, Launch, Callable[[], None], int]:
    """As `vector_add`, of rows of so many columns."""
    x = torch.randn(ROWS, columns, device="cuda")
    out, block = torch.empty_like(x), next_power_of_2(columns)
    strides = x.stride(0), out.stride(0)

    def variant(warps: int) -> Callable[[Any], Launch]:
        return lambda module: lambda: module.softmax[(ROWS,)](out, x, *strides, columns, BLOCK=block, num_warps=warps)

    def check() -> None:
        torch.testing.assert_close(out, torch.softmax(x, 1))

    variants = {f"{warps} warps": variant(warps) for warps in WARPS}
    return variants, lambda: torch.softmax(x, 1), check, 2 * 4 * ROWS * columns


def layer_norm(columns: int) -> tuple[Variants, Launch, Callable[[], None], int]:
    """As `vector_add`, of rows of so many columns, f16."""
    x = torch.randn(ROWS, columns, device="cuda", dtype=torch.float16)
    weight, bias = (torch.rand(columns, device="cuda", dtype=torch.float16) for _ in range(2))
    out, block = torch.empty_like(x), next_power_of_2(columns)

    def reference() -> torch.Tensor:
        return torch.nn.functional.layer_norm(x, (columns,), weight, bias, 1e-5)

    def variant(warps: int) -> Callable[[Any], Launch]:
        return lambda module: (
            lambda: module.layer_norm[(ROWS,)](
                x, out, weight, bias, x.stride(0), columns, 1e-5, BLOCK=block, num_warps=warps
            )
        )

    def check() -> None:
        torch.testing.assert_close(out, reference(), atol=2e-2, rtol=1e-2)

    return {f"{warps} warps": variant(warps) for warps in WARPS}, reference, check, 2 * 2 * ROWS * columns


MEASURED = {"vector_add": vector_add, "softmax": softmax, "layer_norm": layer_norm}


# --- Measuring --------------------------------------------------------------------------------------------------------


def milliseconds(launches: dict[Any, Launch], rounds: int) -> dict[Any, float]:
    """The mean of the middle half of each launch's times."""
    flushed = torch.empty(FLUSHED_BYTES // 4, dtype=torch.int32, device="cuda")
    events: dict[Any, list[Any]] = {key: [] for key in launches}
    for _ in range(rounds):
        for key in random.sample(list(launches), len(launches)):
            flushed.zero_()
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            start.record()
            launches[key]()
            end.record()
            events[key].append((start, end))
    torch.cuda.synchronize()

    def mean(pairs: list[Any]) -> float:
        times = sorted(start.elapsed_time(end) for start, end in pairs)
        middle = times[len(times) // 4 : -(len(times) // 4) or None]
        return sum(middle) / len(middle)

    return {key: mean(pairs) for key, pairs in events.items()}


def measure(kernel: str, size: int, modules: dict[str, Any], rounds: int) -> dict[str, Any]:
    """GB/s of all at one size, and ttkit's ratios to Triton."""
    variants, torchs, check, size_in_bytes = MEASURED[kernel](size)
    launches: dict[Any, Launch] = {
        (who, name): variant(module) for who, module in modules.items() for name, variant in variants.items()
    }
    for launch in launches.values():
        launch()
        check()
    launches["torch"] = torchs
    torchs()
    times = milliseconds(launches, rounds)
    best = {who: min(times[who, name] for name in variants) for who in modules}
    return {
        "kernel": kernel,
        "size": size,
        **{f"{who}_gb_s": round(size_in_bytes / best[who] / 1e6, 1) for who in modules},
        "torch_gb_s": round(size_in_bytes / times["torch"] / 1e6, 1),
        "ratio": round(best["triton"] / best["ttkit"], 3),
        "ratio_to_torch": round(times["torch"] / best["ttkit"], 3),
        "ratios": {name: round(times["triton", name] / times["ttkit", name], 3) for name in variants},
    }


def results(only: list[str], rounds: int) -> Iterator[dict[str, Any]]:
    """Measures the chosen kernels in all their sizes."""
    modules = implementations()
    for kernel in only:
        for size in SIZES[kernel]:
            often = MORE_OFTEN if kernel == "vector_add" and size < SMALL else 1
            yield measure(kernel, size, modules, rounds * often)


def write_results(rows: list[dict[str, Any]], path: Path) -> None:
    """Writes rows as JSON, with the GPU and the versions that they were measured with."""
    import triton

    import ttkit

    versions = {"triton": triton.__version__, "ttkit": ttkit.__version__, "torch": torch.__version__}
    about = {"gpu": torch.cuda.get_device_name(), "versions": versions, "results": rows}
    path.write_text(as_text(about))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--only", nargs="*", choices=list(SIZES), default=list(SIZES))
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    rows = []
    for row in results(options.only, options.rounds):
        rows.append(row)
        print(json.dumps(row), flush=True)
    if options.output:
        write_results(rows, options.output)


if __name__ == "__main__":
    main()
