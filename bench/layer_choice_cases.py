"""More problems of choice_cases.py: layers of models, with and without products."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from choice_cases import ROWS, N, choices, over, problem, tiles
from cubin_cases import Case, Memory, f16, f32, to

WARPS = (1, 2, 4, 8, 16)
Found = Iterator[tuple[str, list[Case]]]


def _layer(name: str, arguments: Any, grid: Any, found: Any, about: str = "", **fixed: Any) -> tuple[str, list[Case]]:
    """A problem of layer_kernels.py."""
    return problem(f"{name} {about}".strip(), name, "layer_kernels", arguments, grid, found, **fixed)


def norms() -> Found:
    """Softmax, norms, and their gradients."""
    for columns, power, rows in ((256, 256, 65536), (1500, 2048, 11264)):
        found = choices(WARPS, (3,), 32768 // power, BM=(1, 2, 4, 8, 16, 32))
        grid = lambda c, rows=rows: (rows // c["BM"],)
        size = rows * columns
        given = f16(size), to("f16", size), columns
        yield _layer("softmax_tile", given, grid, found, str(columns), BN=power)
    columns, blocks = 50000, (1024, 2048, 4096, 8192)
    found = choices(WARPS, (1, 3), BLOCK=blocks)
    yield _layer("softmax_online", (f16(512 * columns), to("f16", 512 * columns), columns), lambda c: (512,), found)
    columns = 2048
    size = 8192 * columns
    found = choices(WARPS, (3,), 8, BM=(1, 2, 4, 8))
    given = f16(size), f16(size), f16(columns), to("f16", size), to("f16", size), columns, 1e-5
    yield _layer("rms_norm_residual", given, lambda c: (8192 // c["BM"],), found, BN=columns)
    columns = 4096
    size = ROWS * columns
    found = choices((2, 4, 8, 16), (1, 3), PER=(4, 8, 16, 32, 64))
    given = f16(size), f16(size), f16(columns), to("f16", size), to("f32", size // 4), columns, 1e-5
    yield _layer("rms_norm_backward", given, lambda c: (ROWS // c["PER"],), found, BN=columns)
    for rows, columns in ((32768, 512), (4096, 4096)):
        given = f32(rows * columns), to("f32", 64 * columns), to("f32", 64 * columns), rows, columns
        found = choices((2, 4, 8), (1, 3), 8192 * 64, BM=(8, 32, 64), BN=(32, 64, 128), PARTS=(4, 16, 64))
        grid = lambda c, columns=columns: (columns // c["BN"], c["PARTS"])
        yield _layer("column_moments", given, grid, found, str(columns))


def losses() -> Found:
    """Gradients and sums along a vocabulary, and of elements."""
    columns, blocks = 32000, (1024, 2048, 4096, 8192)
    size = 1024 * columns
    found = list(choices((2, 4, 8, 16), (1, 3), BLOCK=blocks))
    given = f16(size), Memory(f"index:{columns}", 1024), Memory("positive", 1024), to("f16", size), columns
    yield _layer("cross_entropy_gradient", given, lambda c: (1024,), found)
    given = Memory("negative", size), Memory("negative", size), to("f32", 1024), columns
    yield _layer("kl_divergence", given, lambda c: (1024,), found)
    found = choices(WARPS, (3,), BLOCK=(256, 512, 1024, 2048, 4096, 8192))
    given = *(f16(N),) * 3, to("f16", N), to("f16", N), N
    yield _layer("swiglu_backward", given, lambda c: (over(N, c["BLOCK"]),), found)


def tokens() -> Found:
    """Rotary embeddings, routing, embeddings, and other axes."""
    heads, d = 32, 128
    size = ROWS * heads * d
    given = f16(size), f16(ROWS * d // 2), f16(ROWS * d // 2), to("f16", size), ROWS, heads
    found = choices((1, 2, 4, 8), (3,), BT=(1, 2, 4, 8, 16, 32, 64))
    yield _layer("rotary_tokens", given, lambda c: (ROWS // c["BT"], heads), found, HALF=d // 2)
    given, count = (f16(65536 * 64), to("f32", 65536 * 8), to("i32", 65536 * 8)), 65536
    found = choices((1, 2, 4, 8), (3,), BM=(1, 4, 8, 16, 32, 64, 128))
    yield _layer("route_tokens", given, lambda c: (count // c["BM"],), found, EXPERTS=64, TOP=8)
    columns = 2048
    given = f16(32768 * columns), Memory("index:32768", 16384 * 4), f32(16384 * 4), to("f16", 16384 * columns), columns
    found = choices((1, 2, 4, 8), (1, 3), 8192, BM=(1, 4, 16, 32), BD=(128, 256, 512, 2048))
    yield _layer("combine_experts", given, lambda c: (16384 // c["BM"], columns // c["BD"]), found, TOP=4)
    columns = 1024
    given = f32(16384 * columns), Memory("index:32000", 16384), to("f32", 32000 * columns), 16384, columns
    found = choices((1, 2, 4, 8), (3,), 8192, BN=(1, 4, 16, 64), BD=(64, 128, 256, 1024))
    yield _layer("embedding_backward", given, lambda c: (16384 // c["BN"], columns // c["BD"]), found)
    given = f16(8192 * 32 * 128), to("f16", 8192 * 32 * 128), 8192, 32
    found = choices((1, 2, 4, 8), (3,), 64, BT=(1, 4, 8, 16, 32, 64), BH=(1, 2, 4, 8))
    yield _layer("swap_axes", given, lambda c: (8192 // c["BT"], 32 // c["BH"]), found, D=128)
    given = Memory("index:256", 1 << 22), to("i32", 256)
    found = choices((2, 4, 8, 16), (1,), PER=(1, 2, 4, 8, 16), BLOCK=(1024, 2048, 4096))
    grid = lambda c: ((1 << 22) // (c["PER"] * c["BLOCK"]),)
    yield _layer("count_values", given, grid, found, BINS=256)


def numbers() -> Found:
    """Quantization, sorting, and sums up to a place."""
    groups = N // 128
    given = f16(N), to("i8", N), to("f32", groups), groups
    found = choices(WARPS, (3,), BM=(1, 4, 16, 32, 64, 128))
    yield _layer("quantize_groups", given, lambda c: (groups // c["BM"],), found, GROUP=128)
    words = N // 8
    given = Memory("i32", words), f16(N // 128), to("f16", N), words
    found = choices(WARPS, (3,), BLOCK=(32, 64, 128, 256, 512, 1024))
    yield _layer("dequantize_int4", given, lambda c: (words // c["BLOCK"],), found, PER_SCALE=128)
    given = f32(65536 * 64), to("f32", 65536 * 64)
    found = choices((1, 2, 4, 8), (3,), BM=(1, 2, 4, 8, 16, 32))
    yield _layer("sort_rows", given, lambda c: (65536 // c["BM"],), found, N=64)
    given = f32(2048 * 8192), to("f32", 2048 * 8192), 8192
    found = choices(WARPS, (1, 3), BLOCK=(256, 512, 1024, 2048, 4096, 8192))
    yield _layer("cumsum_blocks", given, lambda c: (2048,), found)
    size = 8 * 2048 * 1024
    given = f32(size), Memory("positive", size), to("f32", size), 2048, 1024
    found = choices((1, 2, 4, 8), (1, 3), 4096, BT=(16, 32, 64, 128), BD=(8, 16, 32, 64))
    yield _layer("gated_scan", given, lambda c: (1024 // c["BD"], 8), found)


def pixels() -> Found:
    """Convolutions without products, pooling, resizing, distances."""
    size = 8 * 2048 * 1024
    given = f16(size), f16(4096), to("f16", size), 2048, 1024
    found = choices((1, 2, 4, 8), (3,), 16384, BT=(4, 16, 32, 64, 128), BD=(32, 64, 128, 256))
    yield _layer("short_convolution", given, lambda c: (2048 // c["BT"], 1024 // c["BD"], 8), found, TAPS=4)
    images, side, channels = 32, 64, 256
    size = images * side * side * channels
    given, count = (f16(size), to("f16", size // 4), side, side, channels), images * side * side // 4
    found = choices((1, 2, 4, 8), (3,), 8192, BP=(1, 4, 16, 32, 64), BC=(32, 64, 128, 256))
    yield _layer("max_pool", given, lambda c: (count // c["BP"], channels // c["BC"]), found)
    given = f32(64 * 256 * 256), to("f32", 64 * 512 * 512), 256, 256
    found = choices(WARPS, (3,), BLOCK=(256, 512, 1024, 2048, 4096))
    yield _layer("resize_image", given, lambda c: (4 * 256 * 256 // c["BLOCK"], 64), found)
    given = f32(1024 * 256), f32(1024 * 256), to("f32", 1024 * 1024), 1024, 256
    found = choices((2, 4, 8), (1, 3), 16384, BM=(8, 16, 32, 64), BN=(8, 16, 32, 64), BK=(4, 8, 16, 32))
    yield _layer("pair_distances", given, lambda c: (1024 // c["BM"], 1024 // c["BN"]), found)


def _product(name: str, arguments: Any, grid: Any, found: Any, about: str = "", **fixed: Any) -> tuple[str, list[Case]]:
    """A problem of model_kernels.py."""
    return problem(f"{name} {about}".strip(), name, "model_kernels", arguments, grid, found, **fixed)


def products() -> Found:
    """Products with fewer bits, with something before or after them, in parts and in blocks."""
    m = n = k = 4096
    plane = lambda c, m=m, n=n: (m // c["BM"], n // c["BN"])
    scales = Memory("positive", m), Memory("positive", n)
    found = tiles(stages=(2, 3, 4), BM=(64, 128, 256), BN=(64, 128, 256), BK=(64, 128))
    for kind, name in (("f8", "matmul_fp8"), ("i8", "matmul_int8")):
        given = Memory(kind, m * k), Memory(kind, n * k), *scales, to("f16", m * n), m, n, k
        yield _product(name, given, plane, found)
    k = 2048
    given = f16(m * k), f16(k * n), f16(k * n), to("f16", m * n), m, n, k
    found = tiles(stages=(2, 3, 4), BM=(64, 128), BN=(64, 128), BK=(32, 64))
    yield _product("matmul_gated", given, plane, found)
    for m, n, k in ((4096, 4096, 1024), (512, 2048, 8192)):
        grid = lambda c, m=m, n=n: (over(m, c["BM"]) * over(n, c["BN"]),)
        given = f16(m * k), f16(k * n), f16(n), to("f16", m * n), m, n, k
        found = tiles(stages=(2, 3, 4))
        yield _product("matmul_gelu", given, grid, found, str(m), GROUP=8)
    count, n, k = 8192, 1024, 2048
    given = f16(count * k), f16(count * n), to("f32", k * n), count, n, k
    found = choices((4, 8), (2, 3, 4), BM=(64, 128), BN=(64, 128), BT=(32, 64), PARTS=(1, 4, 8))
    grid = lambda c: (2048 // c["BM"], 1024 // c["BN"], c["PARTS"])
    yield _product("matmul_of_gradients", given, grid, found)
    m = n = 512
    given = f16(64 * m * 256), f16(64 * 256 * n), to("f16", 64 * m * n), m, n, 256
    found = tiles(stages=(1, 2, 3, 4), BM=(32, 64, 128), BN=(32, 64, 128, 256), BK=(32, 64))
    yield _product("matmul_batched", given, lambda c: (512 // c["BM"], 512 // c["BN"], 64), found)


def blocks() -> Found:
    """Products of low rank, of blocks, convolutions, and linear attention."""
    rows, n, k = 8192, 4096, 4096
    given = f16(rows * k), f16(k * 16), f16(16 * n), to("f16", rows * n), n, k
    found = choices((2, 4, 8), (2, 3, 4), BM=(16, 32, 64, 128), BN=(64, 128, 256), BK=(64, 128))
    yield _product("matmul_low_rank", given, lambda c: (rows // c["BM"],), found, RANK=16)
    rows, columns, in_row = 64, 2048, 16
    given = f16(rows * in_row * 64 * 64), Memory("index:64", rows * in_row), f16(4096 * columns)
    given = *given, to("f16", rows * 64 * columns), columns, in_row
    found = choices((2, 4, 8), (1, 2, 3, 4), BN=(32, 64, 128, 256))
    yield _product("matmul_of_blocks", given, lambda c: (rows, columns // c["BN"]), found, BM=64, BK=64)
    for images, side, channels, n in ((16, 56, 64, 64), (32, 14, 256, 512)):
        size = images * side * side
        given = f16(size * channels), f16(9 * channels * n), to("f16", size * n), side, side, channels, n
        found = tiles(stages=(2, 3, 4), BM=(32, 64, 128), BN=(32, 64, 128), BK=(32, 64))
        grid = lambda c, size=size, n=n: (over(size, c["BM"]), over(n, c["BN"]))
        yield _product("convolution", given, grid, [one for one in found if one[0]["BN"] <= n], str(channels))
    count, heads, d = 2048, 64, 128
    size = heads * count * d
    given = f16(size), f16(size), f16(size), to("f16", size), count, d**-0.5
    found = choices((2, 4, 8), (1, 2, 3), BT=(16, 32, 64, 128), BV=(16, 32, 64, 128))
    yield _product("linear_attention", given, lambda c: (d // c["BV"], heads), found, D=d, DV=d)


def attentions() -> Found:
    """Attention in a window, and to pages."""
    count, heads, found = 4096, 32, list(choices((4, 8), (1, 2, 3, 4), BM=(32, 64, 128), BN=(32, 64, 128)))
    for d, window in ((64, 1024), (128, 256)):
        size = heads * count * d
        given = f16(size), f16(size), f16(size), to("f16", size), count, d**-0.5, window
        grid = lambda c: (count // c["BM"], heads)
        yield problem(f"window_attention {window}", "window_attention", "attention_kernels", given, grid, found, D=d)
    batch, heads_of, queries, d, page = 32, 8, 16, 128, 16
    count = 2048
    kv, rows = f16(batch * count * heads_of * d), batch * heads_of * queries
    index = Memory(f"index:{batch * count // page}", batch * count // page)
    given = f16(rows * d), kv, kv, index, to("f32", rows * 16 * d), to("f32", rows * 16), count, heads_of, d**-0.5
    found = choices((1, 2, 4, 8), (1, 2, 3, 4), BN=(16, 32, 64, 128), SPLITS=(1, 4, 8, 16))
    grid = lambda c: (c["SPLITS"], heads_of, batch)
    fixed = {"QUERIES": queries, "D": d, "PAGE": page}
    yield problem("paged_decoding", "paged_decoding", "attention_kernels", given, grid, found, **fixed)


FAMILIES = norms, losses, tokens, numbers, pixels, products, blocks, attentions
