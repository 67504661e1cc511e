"""Loops with warp_specialize=True on Hopper: ttkit beside Triton, and beside the same kernels pipelined; one process.

    python bench/specialized.py [--rounds 40] [--only matmul persistent attention causal_attention] [--output FILE]

Needs torch and Triton.  Figures are those of products.py.  Triton 3.6 ends the process on some such kernels and its
causal attention is wrong (a row's number is moved twice), so its failures are counted, not measured.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from both_languages import load
from kernels import write_results
from products import Case, checked, measure

SOURCES = Path(__file__).with_name("specialized_kernels.py")
# Rows, columns, inner elements, stages; four warps each, as specialization wants.
TILES = ((128, 128, 64, 3), (128, 128, 64, 4), (128, 256, 64, 3), (64, 128, 64, 4))
ATTENTION_TILES = ((128, 64, 2), (128, 128, 2), (64, 64, 3))
SIZE, TOKENS, HEADS = 4096, 4096, 16


def implementations() -> dict[str, Any]:
    """The kernels by both compilers, as modules of the same source."""
    import triton
    import triton.language

    import ttkit
    import ttkit.language
    import ttkit.runtime

    for package in (triton, ttkit.runtime):
        package.set_allocator(lambda size, align, stream: torch.empty(size, dtype=torch.int8, device="cuda"))
    return {
        "triton": load("specialized_of_triton", SOURCES, triton.jit, triton.language),
        "ttkit": load("specialized_of_ttkit", SOURCES, ttkit.jit, ttkit.language),
    }


def products(kernel: str) -> Case:
    """A square product in float16."""
    a, b = (torch.randn(SIZE, SIZE, device="cuda").half() for _ in range(2))
    out = torch.empty(SIZE, SIZE, device="cuda", dtype=torch.float16)
    programs = torch.cuda.get_device_properties(0).multi_processor_count

    def variant(m: int, n: int, k: int, stages: int, split: bool) -> Callable[[Any], Callable[[], Any]]:
        grid = (programs, 1) if kernel == "persistent" else (SIZE // m, SIZE // n)
        options = {"M": m, "N": n, "K": k, "STAGES": stages, "SPLIT": split, "num_warps": 4}
        return lambda module: lambda: getattr(module, kernel)[grid](a, b, out, SIZE, SIZE, SIZE, **options)

    variants = {
        f"{m}x{n}x{k} s{stages}{' specialized' if split else ''}": variant(m, n, k, stages, split)
        for m, n, k, stages in TILES
        for split in (True, False)
    }
    return Case(variants, lambda: a @ b.T, checked(out, a @ b.T, 1e-2), 2 * SIZE**3)


def attention(causal: bool, d: int = 128) -> Case:
    """Attention of one sequence."""
    q, k, v = (torch.randn(1, HEADS, TOKENS, d, device="cuda").half() for _ in range(3))
    out = torch.empty_like(q)

    def reference() -> Any:
        return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)

    def variant(m: int, n: int, stages: int, split: bool) -> Callable[[Any], Callable[[], Any]]:
        options = {"M": m, "N": n, "D": d, "STAGES": stages, "SPLIT": split, "CAUSAL": causal, "num_warps": 4}
        return lambda module: lambda: module.attention[TOKENS // m, HEADS](q, k, v, out, TOKENS, **options)

    variants = {
        f"{m}x{n} s{stages}{' specialized' if split else ''}": variant(m, n, stages, split)
        for m, n, stages in ATTENTION_TILES
        for split in (True, False)
    }
    operations = 4 * HEADS * TOKENS**2 * d / (2 if causal else 1)
    return Case(variants, reference, checked(out, reference(), 1e-2), operations)


MEASURED: dict[str, Callable[[], Case]] = {
    "matmul": lambda: products("matmul"),
    "persistent": lambda: products("persistent"),
    "attention": lambda: attention(False),
    "causal_attention": lambda: attention(True),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--only", nargs="*", choices=list(MEASURED), default=list(MEASURED))
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    modules, rows = implementations(), []
    for kernel in options.only:
        rows.append({"kernel": kernel, **measure(MEASURED[kernel](), modules, options.rounds)})
        print(json.dumps(rows[-1]), flush=True)
        if options.output:
            write_results(rows, options.output)


if __name__ == "__main__":
    main()
