"""Kernels with matrix products on a GPU: ttkit beside Triton, cuBLAS and torch's attention, in one process.

    python bench/products.py [--rounds 40] [--only matmul_ptr attention ...] [--sizes 1024 8192] [--types float16 ...]
                             [--stages 1] [--output FILE]

Needs torch and Triton.  Both compilers get the same sources (product_kernels.py), are launched in random order with the
L2 cache flushed before each launch, and are compared with torch's result.  A figure is TFLOP/s by the mean of the
middle half of the times; of several configurations the best of each compiler counts.  `--stages 1` measures without
software pipelining.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from both_languages import load
from kernels import milliseconds, write_results

SOURCES = Path(__file__).with_name("product_kernels.py")
SIZES = (1024, 2048, 4096, 8192)
TOKENS = (1024, 4096, 16384)
GROUP = 8
# Rows, columns and inner elements (in units of 2 bytes) of a tile; warps; stages.
TILES = ((128, 256, 64, 8, 3), (128, 128, 64, 8, 4), (128, 128, 64, 4, 3), (64, 128, 64, 4, 4))
ATTENTION_TILES = ((128, 64, 8, 2), (128, 64, 8, 3), (128, 128, 8, 2), (64, 64, 4, 3))


@dataclass(frozen=True)
class Numbers:
    """A type of operands: torch's types of operands and results, the type of sums, and a tolerance."""

    operand: torch.dtype
    result: torch.dtype
    tolerance: float
    sums: str = "float32"

    @property
    def inner_scale(self) -> float:
        """Elements in 2 bytes."""
        return 2 / self.operand.itemsize

    def random(self, *shape: int) -> torch.Tensor:
        if self.operand == torch.int8:
            return torch.randint(-64, 64, shape, device="cuda", dtype=torch.int8)
        return torch.randn(*shape, device="cuda").to(self.operand)


NUMBERS = {
    "float16": Numbers(torch.float16, torch.float16, 1e-2),
    "bfloat16": Numbers(torch.bfloat16, torch.bfloat16, 2e-2),
    "tf32": Numbers(torch.float32, torch.float32, 2e-2),
    "float8e4nv": Numbers(torch.float8_e4m3fn, torch.float16, 2e-2),
    "float8e5": Numbers(torch.float8_e5m2, torch.float16, 2e-2),
    "int8": Numbers(torch.int8, torch.int32, 0.0, "int32"),
}


@dataclass
class Case:
    """What is measured: a launch by (compiler, configuration); the reference's launch; results; operations."""

    variants: dict[str, Callable[[Any], Callable[[], Any]]]
    reference: Callable[[], Any] | None
    check: Callable[[], None]
    operations: float
    about: dict[str, Any] = field(default_factory=dict)


def implementations() -> dict[str, Any]:
    """The kernels by both compilers, as modules of the same source with their TensorDescriptor."""
    import triton
    import triton.language
    from triton.tools.tensor_descriptor import TensorDescriptor

    import ttkit
    import ttkit.language
    import ttkit.runtime

    found = {
        "triton": load("products_of_triton", SOURCES, triton.jit, triton.language),
        "ttkit": load("products_of_ttkit", SOURCES, ttkit.jit, ttkit.language),
    }
    found["triton"].TensorDescriptor, found["ttkit"].TensorDescriptor = TensorDescriptor, ttkit.runtime.TensorDescriptor
    return found


def relative_error(found: torch.Tensor, expected: torch.Tensor) -> float:
    """The norm of the difference by that of what is expected."""
    found, expected = found.double(), expected.double()
    return float((found - expected).norm() / expected.norm())


def checked(out: torch.Tensor, expected: torch.Tensor, tolerance: float) -> Callable[[], None]:
    """Checks a result, and spoils it for the next one."""

    def check() -> None:
        error = relative_error(out, expected)
        if not error <= tolerance:
            raise AssertionError(f"relative error {error:.2e}")
        out.fill_(77)

    return check


# --- Matrix products --------------------------------------------------------------------------------------------------


def operands(numbers: Numbers, n: int, stored_by_columns: bool) -> tuple[torch.Tensor, torch.Tensor]:
    """a, row by row, and b: as its transpose, as products of bytes need it, or row by row."""
    a, b = numbers.random(n, n), numbers.random(n, n)
    return a, b.T if stored_by_columns or numbers.operand.itemsize == 1 else b


def library_product(numbers: Numbers, a: torch.Tensor, b: torch.Tensor) -> Callable[[], torch.Tensor]:
    """The product by cuBLAS."""
    if numbers.operand == torch.int8:
        return lambda: torch._int_mm(a, b)
    if numbers.operand.itemsize == 1:
        one = torch.ones((), device="cuda")
        if numbers.operand == torch.float8_e5m2:  # cuBLAS multiplies e5m2 by e4m3 only
            b = b.float().to(torch.float8_e4m3fn).T.contiguous().T
        return lambda: torch._scaled_mm(a, b, one, one, out_dtype=torch.bfloat16)
    torch.backends.cuda.matmul.allow_tf32 = True
    return lambda: torch.matmul(a, b)


def exact_product(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """The product as torch computes it, of fp8 in f16."""
    if a.dtype == torch.int8:
        return torch._int_mm(a, b)
    wide = torch.float16 if a.dtype.itemsize == 1 else a.dtype
    return torch.matmul(a.to(wide), b.to(wide))


def matmul_ptr(n: int, type: str, stages: int | None) -> Case:
    """A product of n x n matrices by pointers."""
    numbers = NUMBERS[type]
    a, b = operands(numbers, n, False)
    c = torch.empty(n, n, device="cuda", dtype=numbers.result)

    def variant(bm: int, bn: int, bk: int, warps: int, depth: int) -> Callable[[Any], Callable[[], Any]]:
        grid = (-(-n // bm) * -(-n // bn),)
        strides = (*a.stride(), *b.stride(), c.stride(0))
        return lambda module: (
            lambda: module.matmul_ptr[grid](
                a, b, c, n, n, n, *strides, BM=bm, BN=bn, BK=bk, GROUP=GROUP,
                ACC=getattr(module.tl, numbers.sums), num_warps=warps, num_stages=depth,
            )
        )  # fmt: skip

    return Case(
        tiles(variant, numbers, stages),
        library_product(numbers, a, b),
        checked(c, exact_product(a, b), numbers.tolerance),
        2 * n**3,
    )


def tiles(variant: Any, numbers: Numbers, stages: int | None) -> dict[str, Any]:
    """The variants of a product, by name: tile, warps and stages."""
    found = {}
    for bm, bn, inner, warps, depth in TILES:
        depth, bk = stages or depth, int(inner * numbers.inner_scale)
        found[f"{bm}x{bn}x{bk} {warps} warps {depth} stages"] = variant(bm, bn, bk, warps, depth)
    return found


def matmul_tma(n: int, type: str, stages: int | None, persistent: bool = False) -> Case:
    """A product of n x n matrices by tensor descriptors; persistent programs take several tiles."""
    numbers = NUMBERS[type]
    a, b = operands(numbers, n, True)
    c = torch.empty(n, n, device="cuda", dtype=numbers.result)
    programs = torch.cuda.get_device_properties(0).multi_processor_count

    def variant(bm: int, bn: int, bk: int, warps: int, depth: int) -> Callable[[Any], Callable[[], Any]]:
        def of(module: Any) -> Callable[[], Any]:
            described = [
                module.TensorDescriptor.from_tensor(tensor, list(block))
                for tensor, block in ((a, (bm, bk)), (b.T, (bn, bk)), (c, (bm, bn)))
            ]
            options = {"BM": bm, "BN": bn, "BK": bk, "GROUP": GROUP, "num_warps": warps, "num_stages": depth}
            options["ACC"] = getattr(module.tl, numbers.sums)
            count = -(-n // bm) * -(-n // bn)
            if persistent:
                grid = (min(programs, count),)
                return lambda: module.matmul_tma_persistent[grid](*described, n, n, n, grid[0], **options)
            return lambda: module.matmul_tma[(count,)](*described, n, n, n, **options)

        return of

    return Case(
        tiles(variant, numbers, stages),
        library_product(numbers, a, b),
        checked(c, exact_product(a, b), numbers.tolerance),
        2 * n**3,
    )


def grouped(n: int, type: str, stages: int | None) -> Case:
    """Four products: n, n/2, n/4 and n/8 rows and columns."""
    sizes = [(n >> i, n >> i, n >> i) for i in range(4)]
    pairs = [tuple(NUMBERS[type].random(*shape) for shape in ((m, k), (k, columns))) for m, columns, k in sizes]
    results = [torch.empty(m, columns, device="cuda", dtype=torch.float16) for m, columns, _ in sizes]
    table = torch.tensor(sizes, device="cuda", dtype=torch.int32)
    addresses = [
        torch.tensor([x.data_ptr() for x in list_], device="cuda", dtype=torch.int64)
        for list_ in ([a for a, _ in pairs], [b for _, b in pairs], results)
    ]
    programs = torch.cuda.get_device_properties(0).multi_processor_count

    def variant(bm: int, bn: int, bk: int, warps: int, depth: int) -> Callable[[Any], Callable[[], Any]]:
        return lambda module: (
            lambda: module.grouped_matmul[(programs,)](
                *addresses, table, len(sizes), programs, BM=bm, BN=bn, BK=bk, num_warps=warps, num_stages=depth
            )
        )

    def reference() -> None:
        for (a, b), c in zip(pairs, results):
            torch.matmul(a, b, out=c)

    expected = [torch.matmul(a, b) for a, b in pairs]

    def check() -> None:
        for c, right in zip(results, expected):
            checked(c, right, 1e-2)()

    operations = sum(2 * m * columns * k for m, columns, k in sizes)
    return Case(tiles(variant, NUMBERS[type], stages), reference, check, operations)


# --- Attention --------------------------------------------------------------------------------------------------------


def attention_inputs(tokens: int, d: int) -> list[torch.Tensor]:
    """q, k, v of 16,384 tokens in all, 2,048 elements of all heads."""
    shape = max(1, 16384 // tokens), 2048 // d, tokens, d
    return [torch.randn(shape, device="cuda", dtype=torch.float16) for _ in range(3)]


def attention(tokens: int, type: str, stages: int | None) -> Case:
    """Attention forward; `type` is `d128` or `d64`, with `-causal` behind it."""
    d, causal = int(type.split("-")[0][1:]), type.endswith("causal")
    q, k, v = attention_inputs(tokens, d)
    out, lse = torch.empty_like(q), torch.empty(q.shape[:3], device="cuda")
    heads, scale = q.shape[1], d**-0.5

    def reference() -> torch.Tensor:
        return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal, scale=scale)

    def variant(bm: int, bn: int, warps: int, depth: int) -> Callable[[Any], Callable[[], Any]]:
        grid = (tokens // bm, q.shape[0] * heads)
        return lambda module: (
            lambda: module.attention[grid](
                q, k, v, out, lse, *q.stride()[:3], heads, tokens, scale,
                BM=bm, BN=bn, D=d, CAUSAL=causal, num_warps=warps, num_stages=depth,
            )
        )  # fmt: skip

    variants = {
        f"{bm}x{bn} {warps} warps {stages or depth} stages": variant(bm, bn, warps, stages or depth)
        for bm, bn, warps, depth in ATTENTION_TILES
    }
    operations = 4 * q.shape[0] * heads * tokens**2 * d * (0.5 if causal else 1)
    return Case(variants, reference, checked(out, reference(), 1e-2), operations)


def attention_backward(tokens: int, type: str, stages: int | None) -> Case:
    """The gradients of attention; `type` is `d64` or `d128`."""
    d = int(type[1:])
    q, k, v = attention_inputs(tokens, d)
    dout, heads, scale = torch.randn_like(q), q.shape[1], d**-0.5
    leaves = [x.detach().clone().requires_grad_() for x in (q, k, v)]
    forward = torch.nn.functional.scaled_dot_product_attention(*leaves, scale=scale)
    expected = torch.autograd.grad(forward, leaves, dout, retain_graph=True)
    scores = [(q[:, h].float() @ k[:, h].float().transpose(-1, -2)) * scale for h in range(heads)]
    lse = torch.stack([torch.logsumexp(s, -1) for s in scores], 1) * 1.4426950408889634
    delta = (forward.float() * dout.float()).sum(-1).detach().contiguous()
    found = [torch.empty_like(q) for _ in range(3)]
    del scores

    def variant(bm: int, bn: int, warps: int, depth: int) -> Callable[[Any], Callable[[], Any]]:
        grid = (tokens // bn, q.shape[0] * heads)
        return lambda module: (
            lambda: module.attention_backward[grid](
                q, k, v, dout, *found, lse, delta, *q.stride()[:3], heads, tokens, scale,
                BM=bm, BN=bn, D=d, num_warps=warps, num_stages=depth,
            )
        )  # fmt: skip

    def check() -> None:
        for gradient, right in zip(found, expected):
            checked(gradient, right, 2e-2)()

    variants = {
        f"{bm}x{bn} {warps} warps {stages or depth} stages": variant(bm, bn, warps, stages or depth)
        for bm, bn, warps, depth in ((64, 128, 8, 2), (64, 64, 4, 2), (32, 128, 4, 2))
    }
    operations = 14 * q.shape[0] * heads * tokens**2 * d
    return Case(variants, lambda: torch.autograd.grad(forward, leaves, dout, retain_graph=True), check, operations)


def flash_decoding(tokens: int, type: str, stages: int | None) -> Case:
    """Attention of 16 queries to many tokens, in 16 parts that are joined afterwards."""
    batch, heads, queries, d, splits = 16, 8, 16, int(type[1:]), 16
    q = torch.randn(batch, heads, queries, d, device="cuda", dtype=torch.float16)
    k, v = (torch.randn(batch, tokens, heads, d, device="cuda", dtype=torch.float16) for _ in range(2))
    partial = torch.empty(batch, heads, splits, queries, d, device="cuda")
    lse, scale = torch.empty(batch, heads, splits, queries, device="cuda"), d**-0.5

    def reference() -> torch.Tensor:
        return torch.nn.functional.scaled_dot_product_attention(q, k.transpose(1, 2), v.transpose(1, 2), scale=scale)

    expected = reference()

    def check() -> None:
        weights = torch.softmax(lse * 0.6931471805599453, 2)
        error = relative_error((partial * weights[..., None]).sum(2), expected)
        assert error <= 1e-2, f"relative error {error:.2e}"
        partial.fill_(77)

    def variant(bn: int, warps: int, depth: int) -> Callable[[Any], Callable[[], Any]]:
        return lambda module: (
            lambda: module.flash_decoding[(splits, batch * heads)](
                q, k, v, partial, lse, *k.stride()[:2], heads, tokens, scale,
                QUERIES=queries, BN=bn, D=d, SPLITS=splits, num_warps=warps, num_stages=depth,
            )
        )  # fmt: skip

    variants = {
        f"{bn} {warps} warps {stages or depth} stages": variant(bn, warps, stages or depth)
        for bn, warps, depth in ((64, 4, 2), (128, 4, 2), (64, 2, 3))
    }
    return Case(variants, reference, check, 4 * batch * heads * queries * tokens * d)


MATMUL_TYPES = tuple(NUMBERS)
MEASURED: dict[str, tuple[Callable[..., Case], tuple[int, ...], tuple[str, ...]]] = {
    "matmul_ptr": (matmul_ptr, SIZES, MATMUL_TYPES),
    "matmul_tma": (matmul_tma, SIZES, MATMUL_TYPES),
    "matmul_tma_persistent": (lambda *about: matmul_tma(*about, persistent=True), (4096, 8192), ("float16",)),
    "grouped_matmul": (grouped, (4096,), ("float16",)),
    "attention": (attention, TOKENS, ("d64-full", "d64-causal", "d128-full", "d128-causal")),
    "attention_backward": (attention_backward, (1024, 4096), ("d64", "d128")),
    "flash_decoding": (flash_decoding, (4096, 16384), ("d128",)),
}


# --- Measuring --------------------------------------------------------------------------------------------------------


def measure(case: Case, modules: dict[str, Any], rounds: int) -> dict[str, Any]:
    """TFLOP/s of all, ttkit's ratios, and what failed."""
    launches: dict[Any, Callable[[], Any]] = {}
    failures: dict[str, str] = {}
    for who, module in modules.items():
        for name, variant in case.variants.items():
            try:
                launch = variant(module)
                launch()
                case.check()
                launches[who, name] = launch
            except Exception as error:
                failures[f"{who}: {name}"] = f"{type(error).__name__}: {error}".split("\n")[0][:120]
    if case.reference is not None:
        case.reference()
        launches["torch", ""] = case.reference
    times = milliseconds(launches, rounds)
    best = {who: min((t for (w, _), t in times.items() if w == who), default=None) for who in (*modules, "torch")}
    row: dict[str, Any] = {f"{who}_tflop_s": round(case.operations / t / 1e9, 1) for who, t in best.items() if t}
    if best["triton"] and best["ttkit"]:
        row["ratio"] = round(best["triton"] / best["ttkit"], 3)
        both = [name for name in case.variants if ("triton", name) in times and ("ttkit", name) in times]
        row["ratios"] = {name: round(times["triton", name] / times["ttkit", name], 3) for name in both}
    if best["torch"] and best["ttkit"]:
        row["ratio_to_torch"] = round(best["torch"] / best["ttkit"], 3)
    if failures:
        row["failures"] = failures
    return row


def results(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Measures what the options choose; an error becomes a row."""
    modules = implementations()
    for kernel in options.only:
        make, sizes, types = MEASURED[kernel]
        for type in types:
            for size in sizes:
                if (options.sizes and size not in options.sizes) or (options.types and type not in options.types):
                    continue
                about = {"kernel": kernel, "size": size, "type": type}
                try:
                    yield {**about, **measure(make(size, type, options.stages), modules, options.rounds)}
                except Exception as error:
                    yield {**about, "error": repr(error)[:300]}
                torch.cuda.empty_cache()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--only", nargs="*", choices=list(MEASURED), default=list(MEASURED))
    parser.add_argument("--sizes", nargs="*", type=int)
    parser.add_argument("--types", nargs="*")
    parser.add_argument("--stages", type=int, help="of every configuration")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    rows = []
    for row in results(options):
        rows.append(row)
        print(json.dumps(row), flush=True)
        if options.output:
            write_results(rows, options.output)


if __name__ == "__main__":
    main()
