"""Cases of bench/cubins.py that pass over rows block by block, by blocks and warps: what is best depends on both."""

from __future__ import annotations

from collections.abc import Iterator

from cubin_cases import Case, Memory, f16, f32, to

ROWS = 4096
COLUMNS = 4096, 32000
BLOCKS = 1024, 4096, 8192
WARPS = 4, 8, 16


def kernels(columns: int) -> Iterator[tuple[str, tuple]]:
    """Kernels of loop_kernels.py with their arguments before the length of a block."""
    n, of_rows = ROWS * columns, to("f32", ROWS)
    half, single, logarithms = f16(n), f32(n), Memory("negative", n)
    yield "jensen_shannon", (logarithms, logarithms, of_rows, to("f32", n), columns, columns, 0.5)
    yield "relative_entropy", (half, half, of_rows, columns, columns)
    yield "cosine_of_rows", (single, single, of_rows, columns, columns)
    yield "online_softmax", (half, to("f16", n), columns, columns)
    yield "softcap_loss", (half, of_rows, columns, columns, 30.0)
    yield "rms_norm_of_sum", (half, half, f16(columns), to("f16", n), to("f16", n), columns, columns, 1e-5)
    yield "running_variance", (single, of_rows, to("f32", ROWS), columns, columns)


def loop_cases() -> Iterator[Case]:
    for columns in COLUMNS:
        for kernel, arguments in kernels(columns):
            for block in BLOCKS:
                for warps in WARPS:
                    name = f"{kernel} {columns} by {block} {warps} warps"
                    options = {"num_warps": warps}
                    yield Case(name, kernel, (ROWS,), arguments, {"BLOCK": block}, options, "loop_kernels")
