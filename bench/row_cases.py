"""Cases of bench/cubins.py without products, most by 4, 8 and 16 warps: what is best depends on their number."""

from __future__ import annotations

from collections.abc import Iterator

from cubin_cases import Case, Memory, f16, f32, to

ROWS = 4096
COLUMNS = 1024, 2048, 4096, 8192, 15872
WARPS = 4, 8, 16
N = 1 << 24


def block_of(columns: int) -> int:
    """The smallest power of two that holds a row."""
    return 1 << (columns - 1).bit_length()


def memory_bound(warps: int) -> Iterator[Case]:
    """The kernels and sizes of bench/kernels.py."""
    source, options = "memory_bound_kernels", {"num_warps": warps}
    for n in (1 << 20, 1 << 24, 1 << 26):
        for block in (1024, 4096):
            arguments = f32(n), f32(n), to("f32", n), n
            name, grid = f"vector_add {n} {block} {warps} warps", (n // block,)
            yield Case(name, "vector_add", grid, arguments, {"BLOCK": block}, options, source)
    for columns in (256, 1024, 2048, 4096, 8192, 12672):
        size = ROWS * columns
        arguments = to("f32", size), f32(size), columns, columns, columns
        name, constants = f"softmax rows {columns} {warps} warps", {"BLOCK": block_of(columns)}
        yield Case(name, "softmax", (ROWS,), arguments, constants, options, source)
    for columns in COLUMNS:
        size = ROWS * columns
        arguments = f16(size), to("f16", size), f16(columns), f16(columns), columns, columns, 1e-5
        name, constants = f"layer_norm {columns} {warps} warps", {"BLOCK": block_of(columns)}
        yield Case(name, "layer_norm", (ROWS,), arguments, constants, options, source)


def row_case(name: str, grid: tuple[int, ...], arguments: tuple, warps: int, about: object, **constants: int) -> Case:
    """A kernel of row_kernels.py."""
    return Case(f"{name} {about} {warps} warps", name, grid, arguments, constants, {"num_warps": warps}, "row_kernels")


def whole_rows(warps: int) -> Iterator[Case]:
    """Kernels whose programs hold a row."""
    for columns in COLUMNS:
        size, block, grid = ROWS * columns, block_of(columns), (ROWS,)
        half, single = f16(size), f32(size)
        to_half, weight, of_rows = to("f16", size), f16(columns), to("f32", ROWS)
        for name, arguments in (
            ("layer_norm_loop", (half, to_half, weight, weight, of_rows, of_rows, columns, columns, 1e-5)),
            ("layer_norm_backward", (to_half, half, half, weight, f32(ROWS), f32(ROWS), columns, columns)),
            ("softmax_backward", (to("f32", size), single, single, columns)),
            ("add_rms_norm", (half, half, weight, to_half, to_half, columns, 1e-5)),
            ("swiglu", (half, half, to_half, columns)),
            ("quantize_rows", (half, to("i8", size), of_rows, columns)),
        ):
            yield row_case(name, grid, arguments, warps, columns, BLOCK=block)


def blocks(warps: int) -> Iterator[Case]:
    """Kernels of elements, and rows that a program passes over block by block."""
    vocabulary = 32000
    for block in (1024, 4096, 16384, 32768):
        arguments = f16(2048 * vocabulary), Memory(f"index:{vocabulary}", 2048), to("f32", 2048), vocabulary
        name, options = f"cross_entropy of {block} {warps} warps", {"num_warps": warps}
        yield Case(name, "cross_entropy", (2048,), arguments, {"BLOCK": block}, options)
    for block in (512, 1024, 4096):
        grid, state = (N // block,), (to("f32", N), f32(N), to("f32", N), to("f32", N))
        yield row_case("adamw", grid, (*state, N, 0.001), warps, block, BLOCK=block)
        yield row_case("pointwise", grid, (f16(N), f16(N), f32(1024), to("f32", N), N), warps, block, XBLOCK=block)
        yield row_case("dropout", grid, (f32(N), to("f32", N), N, 0.5, 77), warps, block, BLOCK=block)
    for block, size in ((1024, 16384), (4096, 65536), (8192, 65536)):
        arguments = f32(512 * size), to("f32", 512 * size), size, 1e-5
        yield row_case("group_norm", (512,), arguments, warps, block, BLOCK=block)
    for m, n in ((32, 64), (64, 64), (128, 128), (16, 256)):
        arguments, grid = (f32(N), f32(4096), to("f32", N), 4096, 4096), (4096 // m, 4096 // n)
        yield row_case("tile_scale", grid, arguments, warps, f"{m}x{n}", BM=m, BN=n)


def generated(warps: int) -> Iterator[Case]:
    """Reductions as torch.compile writes them."""
    for x, columns in ((1, 768), (1, 1024), (8, 128), (32, 64), (4, 512), (1, 4096)):
        rows = N // block_of(columns)
        arguments, about = (
            (f32(rows * columns), f32(columns), to("f32", rows * columns), rows, columns),
            f"{x}x{columns}",
        )
        grid = (rows // x,)
        yield row_case("inductor_persistent", grid, arguments, warps, about, XBLOCK=x, RBLOCK=block_of(columns))
    for x, r, columns in ((1, 2048, 16384), (1, 4096, 100000), (8, 256, 4096), (64, 64, 2048), (32, 128, 8192)):
        rows = max(N // block_of(columns), 64)
        arguments, about = (
            (f32(rows * columns), f32(rows * columns), to("f32", rows), rows, columns),
            f"{x}x{r}x{columns}",
        )
        yield row_case("inductor_looped", (-(-rows // x),), arguments, warps, about, XBLOCK=x, RBLOCK=r)


def states(warps: int) -> Iterator[Case]:
    """Recurrences over tokens whose state is a small tile."""
    tokens, columns, heads = 256, 64, 64
    for keys, values in ((8, 8), (16, 16), (32, 8), (64, 16)):
        x, v = f16(heads * tokens * keys), f16(heads * tokens * columns)
        decay, result = Memory("negative", heads * tokens), to("f16", heads * tokens * columns)
        arguments = x, x, v, decay, result, f32(heads * keys * columns), tokens, columns
        yield row_case(
            "small_state", (columns // values, heads), arguments, warps, f"{keys}x{values}", BK=keys, BV=values
        )
    for width in (8, 32, 128):
        for steps in (16, 256):
            size = 512 * steps * width
            arguments = f32(size), Memory("positive", size), to("f32", size), steps
            yield row_case("single_row", (512,), arguments, warps, f"{width} of {steps}", BD=width)


def row_cases() -> Iterator[Case]:
    """The cases of all families."""
    for warps in WARPS:
        for family in (memory_bound, whole_rows, blocks, generated):
            yield from family(warps)
    for warps in (1, 2, 4):
        yield from states(warps)
