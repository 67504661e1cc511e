"""Cases of attention_kernels.py: three roads to keys and values, with and without a mask, and gradients."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from cubin_cases import Case, Descriptor, f16, f32, to

TOKENS = 4096
HEADS = 64
ROADS = ("pointers", "blocks", "descriptors")
FORWARD = ((128, 128, 8, 2), (128, 128, 8, 3), (128, 128, 4, 2), (128, 64, 8, 3), (128, 64, 4, 3), (64, 64, 4, 3))
BACKWARD = ((64, 128, 8, 2), (128, 128, 8, 1), (64, 64, 4, 2), (32, 64, 4, 2))
ALL_GRADIENTS = ((64, 128, 8, 2), (64, 128, 8, 3), (32, 128, 8, 2), (64, 64, 4, 2), (64, 64, 4, 3))
"""Rows and columns of a tile, warps, stages."""


def attention_cases() -> Iterator[Case]:
    """Attention forward, then its gradients."""
    for d, causal in product((64, 128), (False, True)):
        mask = f"d{d} {'causal' if causal else 'full'}"
        size, rows = HEADS * TOKENS * d, HEADS * TOKENS
        sizes = d**-0.5, TOKENS * d, d, TOKENS
        for (road, name), (m, n, warps, stages) in product(enumerate(ROADS), FORWARD):
            tensors = (f16(size),) * 3
            if name == "descriptors":
                tensors = Descriptor(rows, d, (m, d)), *(Descriptor(rows, d, (n, d)),) * 2
            yield Case(
                f"attention by {name} {mask} {m}x{n} {warps} warps {stages} stages", "forward", (TOKENS // m, HEADS),
                (*tensors, to("f16", size), to("f32", rows), *sizes),
                {"BM": m, "BN": n, "D": d, "CAUSAL": causal, "BY": road},
                {"num_warps": warps, "num_stages": stages}, "attention_kernels",
            )  # fmt: skip
        for kernel, (m, n, warps, stages) in product(("keys_and_values", "queries"), BACKWARD):
            results = (to("f16", size),) * (2 if kernel == "keys_and_values" else 1)
            yield Case(
                f"gradients of {kernel} {mask} {m}x{n} {warps} warps {stages} stages", kernel,
                (TOKENS // (n if kernel == "keys_and_values" else m), HEADS),
                (*(f16(size),) * 4, *results, f32(rows), f32(rows), *sizes),
                {"BM": m, "BN": n, "D": d, "CAUSAL": causal},
                {"num_warps": warps, "num_stages": stages}, "attention_kernels",
            )  # fmt: skip
        for (road, name), (m, n, warps, stages) in product(((0, "pointers"), (2, "descriptors")), ALL_GRADIENTS):
            tensors, sums = (f16(size),) * 4, to("f32", size)
            if name == "descriptors":
                blocks = m, n, n, m
                tensors = tuple(Descriptor(rows, d, (block, d)) for block in blocks)
                sums = Descriptor(rows, d, (m, d), True, "f32")
            yield Case(
                f"all gradients by {name} {mask} {m}x{n} {warps} warps {stages} stages", "all_gradients",
                (TOKENS // n, HEADS), (*tensors, sums, *(to("f16", size),) * 2, f32(rows), f32(rows), *sizes),
                {"BM": m, "BN": n, "D": d, "CAUSAL": causal, "BY": road},
                {"num_warps": warps, "num_stages": stages}, "attention_kernels",
            )  # fmt: skip
