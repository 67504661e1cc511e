"""Problems with many configurations: what bench/choices.py times, and the predictor of configurations is checked with.

A problem is a kernel with arguments; each of its cases is a configuration.  The memory is the same in all.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from cubin_cases import Case, Descriptor, Memory, f16, f32, to

MOST = 24
"""Configurations of a problem."""
N = 1 << 24
ROWS = 4096

Grid = Callable[[dict[str, Any]], tuple[int, ...]]
Problems = dict[str, list[Case]]


def over(size: int, block: int) -> int:
    """The number of blocks that a size has."""
    return -(-size // block)


def problem(
    name: str,
    kernel: str,
    source: str,
    arguments: tuple[Any, ...] | Callable[[dict[str, Any]], tuple[Any, ...]],
    grid: Grid,
    choices: Iterable[tuple[dict[str, Any], dict[str, int]]],
    **fixed: Any,
) -> tuple[str, list[Case]]:
    """A problem: at most MOST of the choices (constants, options), the same ones in each run."""
    found = list(choices)
    found = random.Random(name).sample(found, min(MOST, len(found)))
    cases = []
    for constants, options in found:
        about = " ".join(f"{key}{value}" for key, value in {**constants, **options}.items())
        given = arguments(constants) if callable(arguments) else arguments
        own = {**fixed, **{key: value for key, value in constants.items() if not key.startswith("_")}}
        cases.append(Case(f"{name}: {about}", kernel, grid(constants), given, own, options, source))
    return name, cases


def choices(
    warps: Iterable[int] = (4, 8), stages: Iterable[int] = (3,), most: int = 0, **sizes: Iterable[int]
) -> Iterator[tuple[dict[str, Any], dict[str, int]]]:
    """All combinations.  most: elements of a tile at most; 0 for any."""
    for values in itertools.product(*sizes.values()):
        constants = dict(zip(sizes, values))
        elements = 1
        for value in values:
            elements *= value
        if most and elements > most:
            continue
        for number, depth in itertools.product(warps, stages):
            yield constants, {"num_warps": number, "num_stages": depth}


def tiles(warps: Iterable[int] = (4, 8), stages: Iterable[int] = (2, 3, 4, 5), **sizes: Iterable[int]) -> list[Any]:
    """Those of a matrix product whose slots fit into shared memory, and whose accumulator fits into registers."""
    given: dict[str, Any] = {"BM": (64, 128, 256), "BN": (64, 128, 256), "BK": (32, 64, 128), **sizes}
    return [
        (constants, options)
        for constants, options in choices(warps, stages, **given)
        if 2 * (constants["BM"] + constants["BN"]) * constants["BK"] * options["num_stages"] <= 220_000
        and constants["BM"] * constants["BN"] <= 8192 * options["num_warps"]
    ]


def products() -> Iterator[tuple[str, list[Case]]]:
    """Matrix products."""
    units = {"stride_ak": 1, "stride_bn": 1}
    for m, n, k in (
        (4096, 4096, 4096), (2048, 2048, 2048), (1024, 1024, 1024), (8192, 1024, 2048), (512, 4096, 4096),
        (256, 8192, 4096), (4096, 4096, 512), (1000, 2000, 3000),
    ):  # fmt: skip
        grid = lambda c, m=m, n=n: (over(m, c["BM"]) * over(n, c["BN"]),)
        arguments = f16(m * k), f16(k * n), to("f16", m * n), m, n, k, k, n, n
        fixed = {"GROUP": 8, "ACC": "float32", **units}
        yield problem(f"matmul_ptr {m}x{n}x{k}", "matmul_ptr", "product_kernels", arguments, grid, tiles(), **fixed)
    for m, n, k in ((4096, 4096, 4096), (2048, 2048, 2048), (1024, 4096, 4096), (4096, 1024, 8192)):
        grid = lambda c, m=m, n=n: (over(m, c["BM"]) * over(n, c["BN"]),)

        def described(c: dict[str, Any], m: int = m, n: int = n, k: int = k) -> tuple[Any, ...]:
            """The descriptors of a tile."""
            a, b = Descriptor(m, k, (c["BM"], c["BK"])), Descriptor(n, k, (c["BN"], c["BK"]))
            return a, b, Descriptor(m, n, (c["BM"], c["BN"]), True), m, n, k

        name, found = f"matmul_tma {m}x{n}x{k}", tiles(BK=(64, 128))
        yield problem(name, "matmul_tma", "product_kernels", described, grid, found, GROUP=8, ACC="float32")
    for m, n, k in ((2048, 4096, 4096), (64, 8192, 4096)):
        grid = lambda c, m=m, n=n: (over(m, c["BM"]), over(n, c["BN"]))
        arguments = f16(m * k), Memory("i8", n * k), f16(n), to("f16", m * n), m, n, k
        found = tiles(stages=(2, 3, 4), BM=(64, 128) if m > 64 else (16, 32, 64), BN=(64, 128, 256), BK=(32, 64, 128))
        yield problem(f"matmul_int8_weights {m}", "matmul_int8_weights", "model_kernels", arguments, grid, found)
    for parts in (4, 16):
        n = k = 4096
        grid = lambda c, n=n, parts=parts: (n // c["BN"], parts)
        arguments = f16(16 * k), f16(n * k), to("f32", 16 * n), 16, n, k, parts
        found = choices((1, 2, 4, 8), (2, 3, 4, 5), BM=(16,), BN=(32, 64, 128), BK=(64, 128))
        yield problem(f"matmul_few_rows {parts}", "matmul_few_rows", "model_kernels", arguments, grid, found)


def attentions() -> Iterator[tuple[str, list[Case]]]:
    """Attention, its gradients, and decoding."""
    for d, causal, tokens in (
        (64, False, 4096), (64, True, 4096), (128, False, 4096), (128, True, 4096),
        (64, False, 1024), (128, True, 1024),
    ):  # fmt: skip
        batches, heads = 8192 // tokens, 2048 // d
        size = 2048 * tokens * batches
        tensors = *(f16(size),) * 3, to("f16", size), to("f32", batches * heads * tokens)
        arguments = (*tensors, heads * tokens * d, tokens * d, d, heads, tokens, d**-0.5)
        grid = lambda c, t=tokens, h=batches * heads: (t // c["BM"], h)
        found = choices((4, 8), (1, 2, 3, 4), BM=(64, 128), BN=(32, 64, 128))
        name = f"attention d{d} {'causal' if causal else 'full'} {tokens}"
        yield problem(name, "attention", "product_kernels", arguments, grid, found, D=d, CAUSAL=causal)
    for d in (64, 128):
        tokens, batches, heads = 2048, 2, 2048 // d
        size = 2048 * tokens * batches
        tensors = *(f16(size),) * 4, *(to("f16", size),) * 3, *(f32(batches * heads * tokens),) * 2
        arguments = (*tensors, heads * tokens * d, tokens * d, d, heads, tokens, d**-0.5)
        grid = lambda c, t=tokens, h=batches * heads: (t // c["BN"], h)
        found = choices((4, 8), (1, 2, 3), BM=(32, 64), BN=(64, 128))
        yield problem(f"attention_backward d{d}", "attention_backward", "product_kernels", arguments, grid, found, D=d)
    tokens, rows = 2048, 64 * 2048
    arguments = *(f16(rows * 64),) * 3, f16(tokens * tokens), to("f16", rows * 64), tokens, 0.125
    grid = lambda c: (2048 // c["BM"], 64)
    found = choices((4, 8), (1, 2, 3), BM=(64, 128), BN=(32, 64, 128))
    yield problem("attention_with_bias", "attention_with_bias", "model_kernels", arguments, grid, found, D=64)
    d, bt = 128, 64
    qkv, decay, states = f16(rows * d), Memory("negative", rows), 64 * (tokens // bt) * d * d
    grid = lambda c: (128 // c["BV"], 64)
    found = choices((1, 2, 4, 8), (1, 2, 3, 4), BV=(16, 32, 64, 128))
    arguments = qkv, qkv, decay, to("f16", states), tokens
    yield problem("chunk_state", "chunk_state", "model_kernels", arguments, grid, found, D=d, DV=d, BT=bt)
    grid = lambda c: (128 // c["BV"], 2048 // 64, 64)
    found = choices((2, 4, 8), (1, 2, 3), BK=(32, 64, 128), BV=(32, 64, 128))
    arguments = qkv, qkv, qkv, decay, f16(states), to("f16", rows * d), tokens, d**-0.5
    yield problem("chunk_output", "chunk_output", "model_kernels", arguments, grid, found, D=d, DV=d, BT=bt)


def elements() -> Iterator[tuple[str, list[Case]]]:
    """Kernels of elements, in blocks."""
    blocks = (256, 512, 1024, 2048, 4096, 8192)

    def one(about: str, name: str, source: str, arguments: tuple[Any, ...], n: int = N, block: str = "BLOCK") -> Any:
        """A problem whose grid has a program for each block of n."""
        found = choices((1, 2, 4, 8, 16), (3,), **{block: blocks})
        return problem(about, name, source, arguments, lambda c: (over(n, c[block]),), found)

    for n in (1 << 16, 1 << 20, N):
        yield one(f"add {n}", "add", "vector_kernels", (f32(n), f32(n), to("f32", n), n), n)
    yield one("gelu", "gelu", "vector_kernels", (f32(N), to("f32", N), N - 1))
    state = to("f32", N), f32(N), to("f32", N), to("f32", N)
    yield one("adamw", "adamw", "row_kernels", (*state, N, 0.001))
    arguments = f16(N), f16(N), f32(1024), to("f32", N), N
    yield one("pointwise", "pointwise", "row_kernels", arguments, block="XBLOCK")
    yield one("dropout", "dropout", "row_kernels", (f32(N), to("f32", N), N, 0.5, 77))


def rows() -> Iterator[tuple[str, list[Case]]]:
    """Rows that a program passes over block by block, or holds."""
    blocks, warps = (512, 1024, 2048, 4096, 8192), (1, 2, 4, 8, 16)
    for columns in (1024, 4096, 15872):
        size = ROWS * columns
        arguments = f16(size), to("f16", size), f16(columns), f16(columns), to("f32", ROWS), to("f32", ROWS)
        arguments = (*arguments, columns, columns, 1e-5)
        found = choices(warps, (3,), BLOCK=blocks)
        grid = lambda c: (ROWS,)
        yield problem(f"layer_norm_loop {columns}", "layer_norm_loop", "row_kernels", arguments, grid, found)
    for size in (16384, 65536):
        arguments, grid = (f32(512 * size), to("f32", 512 * size), size, 1e-5), lambda c: (512,)
        found = choices(warps, (3,), BLOCK=blocks)
        yield problem(f"group_norm {size}", "group_norm", "row_kernels", arguments, grid, found)
    for vocabulary in (32000, 128000):
        count = 1024
        arguments = f16(count * vocabulary), Memory(f"index:{vocabulary}", count), to("f32", count), vocabulary
        found = choices(warps, (1, 3), BLOCK=(1024, 4096, 16384))
        grid = lambda c, count=count: (count,)
        yield problem(f"cross_entropy {vocabulary}", "cross_entropy", "vector_kernels", arguments, grid, found)
    for columns in (2048, 32768):
        count = 2 * N // columns
        arguments = f32(count * columns), f32(count * columns), to("f32", count), count, columns
        found = choices((2, 4, 8, 16), (3,), 16384, XBLOCK=(1, 4, 16, 64), RBLOCK=(64, 256, 1024, 2048))
        grid = lambda c, count=count: (over(count, c["XBLOCK"]),)
        yield problem(f"inductor_looped {columns}", "inductor_looped", "row_kernels", arguments, grid, found)
    for columns in (256, 1024):
        count = N // columns
        arguments = f32(count * columns), f32(columns), to("f32", count * columns), count, columns
        found = choices((1, 2, 4, 8, 16), (3,), 16384 // columns, XBLOCK=(1, 2, 4, 8, 16))
        grid = lambda c, count=count: (over(count, c["XBLOCK"]),)
        name = f"inductor_persistent {columns}"
        yield problem(name, "inductor_persistent", "row_kernels", arguments, grid, found, RBLOCK=columns)


def planes() -> Iterator[tuple[str, list[Case]]]:
    """Matrices without products of tensor cores."""
    size = 4096
    for kind, columns in (("f32", size), ("f16", 2 * size)):
        memory = Memory(kind, size * columns)
        arguments = memory, f32(size), to(kind, size * columns), size, columns
        grid = lambda c, columns=columns: (size // c["BM"], columns // c["BN"])
        found = choices((2, 4, 8), (3,), 16384, BM=(8, 16, 32, 64, 128), BN=(32, 64, 128, 256))
        yield problem(f"tile_scale {kind}", "tile_scale", "row_kernels", arguments, grid, found)
    for count in (size, 1024):
        arguments = f32(count * size), f32(size), to("f32", count), count, size
        found = choices((1, 2, 4, 8), (2, 4), 8192, BM=(4, 16, 64), BN=(64, 128, 512))
        grid = lambda c, count=count: (over(count, c["BM"]),)
        yield problem(f"matrix_vector {count}", "matrix_vector", "vector_kernels", arguments, grid, found)
    arguments = f32(size * size), f32(size), to("f32", size), size, size
    found = choices((2, 4, 8), (2, 4), 8192, BM=(8, 32, 128), BN=(32, 64, 128))
    grid = lambda c: (size // c["BN"],)
    yield problem("vector_times_matrix", "vector_times_matrix", "vector_kernels", arguments, grid, found)
    for count in (1024, 8192):
        arguments = f32(count * size), to("f32", size), count, size
        found = choices((2, 4, 8), (2, 4), 8192, BM=(8, 32, 128), BN=(16, 64, 128))
        yield problem(f"column_sum {count}", "column_sum", "vector_kernels", arguments, grid, found)
    m, n, k = 256, 256, 1024
    for kind in ("f32", "f16"):
        arguments = Memory(kind, m * k), Memory(kind, m * n * k), to(kind, m * n), m, n, k
        found = choices((2, 4, 8), (1, 2), 16384, BM=(8, 16), BN=(8, 16, 32), BK=(32, 64, 128))
        grid = lambda c: (256 // c["BM"], 256 // c["BN"])
        yield problem(f"vector_matrix {kind}", "vector_matrix", "vector_kernels", arguments, grid, found)
    arguments = f32(512 * 512), f32(512 * 512), to("f32", 512 * 512), 512, 512
    found = choices((2, 4, 8), (1, 3), 8192, BM=(8, 16, 32), BN=(16, 32, 64), BK=(8, 16))
    grid = lambda c: (512 // c["BM"], 512 // c["BN"])
    yield problem("broadcast_product", "broadcast_product", "vector_kernels", arguments, grid, found)
    for count in (2048, 8192):
        arguments = f32(count * count), to("f32", count * count), count, count
        grid = lambda c, count=count: (count // c["B"],) * 2
        found = choices((1, 2, 4, 8, 16), (3,), B=(16, 32, 64, 128))
        yield problem(f"transpose {count}", "transpose", "vector_kernels", arguments, grid, found)


def states() -> Iterator[tuple[str, list[Case]]]:
    """Recurrences, scans and gathers."""
    x = 16 * 512 * 1024
    arguments = f32(x), Memory("negative", x), to("f32", x), 512, 1024
    found = choices((1, 2, 4, 8), (1, 3), BD=(32, 64, 128, 256))
    grid = lambda c: (1024 // c["BD"], 16)
    yield problem("diagonal_recurrence", "diagonal_recurrence", "vector_kernels", arguments, grid, found)
    x, of_tokens = 8 * 256 * 1024, f32(8 * 256 * 16)
    arguments = f32(x), Memory("positive", x), Memory("negative", 1024 * 16), of_tokens, of_tokens, to("f32", x)
    found = choices((1, 2, 4, 8), (1, 3), BD=(16, 32, 64, 128))
    grid = lambda c: (1024 // c["BD"], 8)
    yield problem("selective_scan", "selective_scan", "vector_kernels", (*arguments, 256, 1024), grid, found, N=16)
    heads, tokens, d = 64, 256, 64
    tensors = *(f16(heads * tokens * d),) * 3, Memory("negative", heads * tokens), to("f16", heads * tokens * d)
    found = choices((1, 2, 4, 8), (1, 3), BV=(8, 16, 32, 64))
    grid = lambda c: (64 // c["BV"], 64)
    name, fixed = "recurrence_first_axis", {"D": d, "DV": d, "BK": d}
    yield problem(name, name, "vector_kernels", (*tensors, tokens, 0.01), grid, found, **fixed)
    count = 1 << 16
    arguments = f16(8192 * 128), Memory("index:8192", count), to("f16", count * 128), count, 128
    found = choices((1, 2, 4, 8), (3,), BN=(8, 16, 32, 64, 128))
    grid = lambda c: (count // c["BN"],)
    yield problem("gather_tile", "gather_tile", "vector_kernels", arguments, grid, found, BD=128)
    arguments = f16(16384 * 512), to("f16", 16384 * 512), 16384, 512
    found = choices((1, 2, 4, 8), (3,), 16384, BT=(32, 64, 128), BD=(16, 32, 64, 128))
    grid = lambda c: (512 // c["BD"], 16384 // c["BT"])
    yield problem("chunk_cumsum", "chunk_cumsum", "vector_kernels", arguments, grid, found)


def more_products() -> Iterator[tuple[str, list[Case]]]:
    """Products with weights of few bits, with scales, of experts, and by programs that stay."""
    n = k = 4096
    for m, rows in ((4096, (64, 128)), (64, (16, 32, 64))):
        a, c = f16(m * k), to("f16", m * n)
        grid = lambda c, m=m: (over(m, c["BM"]), n // c["BN"])
        found = tiles(stages=(2, 3, 4), BM=rows, BN=(64, 128, 256), BK=(32, 64, 128))
        arguments = a, Memory("i32", n * k // 8), f16(n * k // 128), c, m, n, k
        yield problem(f"matmul_int4 {m}", "matmul_int4", "model_kernels", arguments, grid, found, PER_SCALE=128)
        scales = Memory("positive", m * k // 128), Memory("positive", n * k)
        arguments = Memory("f8", m * k), Memory("f8", n * k), *scales, c, m, n, k
        found = tiles(stages=(1, 2, 3, 4), BM=(*rows, 256) if m > 64 else rows, BN=(64, 128, 256), BK=(128,))
        yield problem(f"matmul_block_scaled {m}", "matmul_block_scaled", "model_kernels", arguments, grid, found)
    m = 4096
    indices = Memory(f"index:{m}", m), Memory("index:8", m // 64)
    arguments = f16(m * k), f16(8 * n * k), *indices, to("f16", m * n), m, n, k
    grid = lambda c: (m // c["BM"], n // c["BN"])
    yield problem("matmul_of_experts", "matmul_of_experts", "model_kernels", arguments, grid, tiles())
    for m, n, k in ((4096, 4096, 4096), (1024, 8192, 4096), (2048, 2048, 8192)):
        programs = lambda c, m=m, n=n: min(132, over(m, c["BM"]) * over(n, c["BN"]))

        def described(c: dict[str, Any], m: int = m, n: int = n, k: int = k, of: Any = programs) -> tuple[Any, ...]:
            """The descriptors of a tile, and the number of programs."""
            a, b = Descriptor(m, k, (c["BM"], c["BK"])), Descriptor(n, k, (c["BN"], c["BK"]))
            return a, b, Descriptor(m, n, (c["BM"], c["BN"]), True), m, n, k, of(c)

        name, kernel, grid = (
            f"matmul_tma_persistent {m}x{n}x{k}",
            "matmul_tma_persistent",
            lambda c, of=programs: (of(c),),
        )
        given = described, grid, tiles(stages=(2, 3, 4), BK=(64, 128))
        yield problem(name, kernel, "product_kernels", *given, GROUP=8, ACC="float32")


def more_attentions() -> Iterator[tuple[str, list[Case]]]:
    """Attention as packages write it, its gradients in two kernels, and decoding."""
    tokens, heads = 2048, 64
    found = list(choices((4, 8), (1, 2, 3, 4), BM=(64, 128), BN=(32, 64, 128)))
    for d, causal, road in ((64, True, 0), (128, False, 1), (128, True, 2)):
        size, rows = heads * tokens * d, heads * tokens

        def arguments(c: dict[str, Any], d: int = d, road: int = road) -> tuple[Any, ...]:
            """Pointers, or descriptors of blocks."""
            size, rows = heads * tokens * d, heads * tokens
            tensors: tuple[Any, ...] = (f16(size),) * 3
            if road == 2:
                tensors = Descriptor(rows, d, (c["BM"], d)), *(Descriptor(rows, d, (c["BN"], d)),) * 2
            return *tensors, to("f16", size), to("f32", rows), d**-0.5, tokens * d, d, tokens

        grid = lambda c: (tokens // c["BM"], heads)
        name, fixed = f"forward d{d} {'causal' if causal else 'full'}", {"D": d, "CAUSAL": causal, "BY": road}
        yield problem(name, "forward", "attention_kernels", arguments, grid, found, **fixed)
    gradients = list(choices((4, 8), (1, 2, 3), BM=(32, 64, 128), BN=(32, 64, 128)))
    for d, causal in ((64, True), (128, False)):
        size, rows = heads * tokens * d, heads * tokens
        for kernel, block in (("keys_and_values", "BN"), ("queries", "BM")):
            results = (to("f16", size),) * (2 if kernel == "keys_and_values" else 1)
            given = *(f16(size),) * 4, *results, f32(rows), f32(rows), d**-0.5, tokens * d, d, tokens
            grid = lambda c, block=block: (tokens // c[block], heads)
            name, fixed = f"{kernel} d{d}", {"D": d, "CAUSAL": causal}
            yield problem(name, kernel, "attention_kernels", given, grid, gradients, **fixed)
    for d, tokens_of in ((64, 8192), (128, 4096)):
        batch, heads_of, queries = 16, 8, 16
        rows, kv = batch * heads_of * queries, f16(batch * tokens_of * heads_of * d)
        given = f16(rows * d), kv, kv, to("f32", rows * 32 * d), to("f32", rows * 32)
        given = *given, tokens_of * heads_of * d, heads_of * d, heads_of, tokens_of, d**-0.5
        grid = lambda c, pairs=batch * heads_of: (c["SPLITS"], pairs)
        decoding = choices((1, 2, 4, 8), (1, 2, 3, 4), BN=(32, 64, 128), SPLITS=(4, 8, 16, 32))
        fixed = {"QUERIES": queries, "D": d}
        yield problem(f"flash_decoding d{d}", "flash_decoding", "product_kernels", given, grid, decoding, **fixed)


def more_states() -> Iterator[tuple[str, list[Case]]]:
    """Recurrences with tiles as states, rows by index, and elements."""
    heads, tokens, d = 64, 256, 64
    rows, warps = heads * tokens, (1, 2, 4)
    for kind in ("f16", "f32"):
        given = *(Memory(kind, rows * d),) * 3, to(kind, 8 * rows * d), to("f32", heads * d * d), tokens, 0.01
        grid = lambda c: (d // c["BV"], d // c["BK"], heads)
        found = choices(warps, (1, 3), BK=(8, 16, 32, 64), BV=(8, 16, 32, 64))
        yield problem(f"recurrence {kind}", "recurrence", "vector_kernels", given, grid, found, D=d, DV=d)
    given = *(f16(rows * d),) * 4, *(to("f16", 8 * rows * d),) * 3, tokens, 0.01
    found = choices(warps, (1, 3), BK=(8, 16, 32, 64), BV=(8, 16, 32, 64))
    name = "recurrence_backward"
    yield problem(name, name, "vector_kernels", given, grid, found, D=d, DV=d)
    keys, columns = 32, 64
    x, v = f16(rows * keys), f16(rows * columns)
    given = x, x, v, Memory("negative", rows), to("f16", rows * columns), f32(heads * keys * columns), tokens, columns
    grid = lambda c: (columns // c["BV"], heads)
    found = choices((1, 2, 4, 8), (1, 3), BV=(8, 16, 32, 64))
    yield problem("small_state", "small_state", "row_kernels", given, grid, found, BK=keys)
    found = choices((1, 2, 4, 8, 16), (3,), BLOCK=(256, 512, 1024, 2048, 4096, 8192))
    yield problem(
        "scale", "scale", "vector_kernels", (f32(N), to("f32", N), N, 2.0), lambda c: (over(N, c["BLOCK"]),), found
    )


def problems() -> Problems:
    """All problems by name."""
    from layer_choice_cases import FAMILIES  # it takes its helpers from this file

    families = products, attentions, elements, rows, planes, states, more_products, more_attentions, more_states
    return dict(found for family in (*families, *FAMILIES) for found in family())


if __name__ == "__main__":
    made = problems()
    print(len(made), "problems", sum(map(len, made.values())), "cases")
    for key, cases in made.items():
        print(f"{len(cases):3} {key}")
