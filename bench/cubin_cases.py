"""What bench/cubins.py compiles and times: kernels with their constants, grids and arguments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

POINTERS = {
    "f8": "fp8e4nv",
    "f16": "fp16",
    "f32": "fp32",
    "negative": "fp32",
    "positive": "fp32",
    "i8": "i8",
    "i32": "i32",
}
N = 1 << 20
HEADS, TOKENS = 64, 512


@dataclass(frozen=True)
class Memory:
    """A tensor: random numbers of a kind ("f16", "negative" f32, "index:100" of i64 below 100...), or a result."""

    kind: str
    elements: int
    is_result: bool = False

    @property
    def type(self) -> str:
        return "*i64" if self.kind.startswith("index") else f"*{POINTERS[self.kind]}"


@dataclass(frozen=True)
class Descriptor:
    """A matrix that TMA reads or writes in blocks."""

    rows: int
    columns: int
    block: tuple[int, int]
    is_result: bool = False
    kind: str = "f16"

    @property
    def type(self) -> str:
        return f"tensordesc<{POINTERS[self.kind]}[{self.block[0]},{self.block[1]}]>"


@dataclass(frozen=True)
class Case:
    """A kernel of `source`.py: a launch by `grid` with `arguments`: Memory, Descriptor, int (i32), float (f32)."""

    name: str
    kernel: str
    grid: tuple[int, ...]
    arguments: tuple[Any, ...]
    constants: dict[str, Any] = field(default_factory=dict)
    options: dict[str, int] = field(default_factory=dict)
    source: str = "vector_kernels"


def f16(n: int) -> Memory:
    """Memory of n random f16."""
    return Memory("f16", n)


def f32(n: int) -> Memory:
    """Memory of n random f32."""
    return Memory("f32", n)


def to(kind: str, n: int) -> Memory:
    """Memory of n elements that the kernel writes."""
    return Memory(kind, n, True)


def small() -> Iterator[Case]:
    """Elementwise kernels, softmax, norms and the like."""
    for block in (128, 1024):
        yield Case(f"add 100, {block}", "add", (1,), (f32(1024), f32(1024), to("f32", 1024), 100), {"BLOCK": block})
    yield Case("add", "add", (N // 1024,), (f32(N), f32(N), to("f32", N), N), {"BLOCK": 1024})
    yield Case("scale", "scale", (64,), (f32(1 << 16), to("f32", 1 << 16), 65000, 2.0), {"BLOCK": 1024})
    yield Case("gelu", "gelu", (N // 1024,), (f32(N), to("f32", N), N - 1), {"BLOCK": 1024})
    for rows, columns, block in ((128, 100, 128), (1024, 1024, 1024)):
        tensors = to("f32", rows * columns), f32(rows * columns)
        yield Case(f"softmax {columns}", "small_softmax", (rows,), (*tensors, columns, columns), {"BLOCK": block})
    yield Case(
        "rms_norm",
        "rms_norm",
        (2048,),
        (f16(2048 * 4096), f16(4096), to("f16", 2048 * 4096), 4096, 1e-5),
        {"BLOCK": 4096},
    )
    halves = f16(2048 * 64)
    yield Case(
        "rotary",
        "rotary",
        (2048, 16),
        (f16(2048 * 2048), halves, halves, to("f16", 2048 * 2048), 2048, 16),
        {"HALF": 64},
    )
    vocabulary = 32000
    yield Case(
        "cross_entropy", "cross_entropy", (1024,),
        (f16(1024 * vocabulary), Memory(f"index:{vocabulary}", 1024), to("f32", 1024), vocabulary),
        {"BLOCK": 4096}, {"num_warps": 8},
    )  # fmt: skip
    yield Case("transpose", "transpose", (32, 32), (f32(1 << 22), to("f32", 1 << 22), 2048, 2048), {"B": 64})


def broadcast_products() -> Iterator[Case]:
    """Products without tl.dot: broadcast, multiplied and summed."""
    m, n, k = 128, 128, 512
    for kind, bm, bn, bk, warps in (
        ("f32", 16, 16, 32, 4), ("f32", 16, 32, 64, 8), ("f32", 16, 32, 64, 4), ("f16", 16, 32, 64, 4),
    ):  # fmt: skip
        yield Case(
            f"vector_matrix {kind} {bm}x{bn}x{bk} {warps} warps", "vector_matrix", (m // bm, n // bn),
            (Memory(kind, m * k), Memory(kind, m * n * k), to(kind, m * n), m, n, k),
            {"BM": bm, "BN": bn, "BK": bk}, {"num_warps": warps, "num_stages": 1},
        )  # fmt: skip
    size = 4096
    for columns, bm, bn in ((size, 32, 128), (size - 1, 16, 256)):
        arguments = f32(size * size), f32(size), to("f32", size), size, columns
        yield Case(f"matrix_vector {columns}", "matrix_vector", (size // bm,), arguments, {"BM": bm, "BN": bn})
    arguments = f32(size * size), f32(size), to("f32", size), size, size
    yield Case("vector_times_matrix", "vector_times_matrix", (32,), arguments, {"BM": 32, "BN": 128})
    yield Case("column_sum", "column_sum", (64,), (f32(size * size), to("f32", size), 1024, size), {"BM": 32, "BN": 64})
    arguments = f32(512 * 512), f32(512 * 512), to("f32", 512 * 512), 512, 512
    yield Case("broadcast_product", "broadcast_product", (32, 16), arguments, {"BM": 16, "BN": 32, "BK": 16})
    for axis in range(3):
        tensors = f32(512 * 8192), to("f32", 512 * 8192)
        yield Case(f"sum_3d {axis}", "sum_3d", (512,), tensors, {"B": 8, "M": 16, "N": 64, "AXIS": axis})


def recurrences() -> Iterator[Case]:
    """Linear recurrences over tokens, with a state in registers."""
    rows = HEADS * TOKENS
    for kind, d, bk, bv, warps in (
        ("f16", 64, 8, 8, 1), ("f16", 64, 32, 32, 1), ("f16", 64, 32, 32, 4), ("f16", 64, 64, 64, 4),
        ("f32", 100, 32, 32, 1), ("f32", 16, 16, 8, 4),
    ):  # fmt: skip
        parts = -(-d // bk)
        inputs = (Memory(kind, rows * d),) * 3
        yield Case(
            f"recurrence {kind} {d} {bk}x{bv} {warps} warps", "recurrence", (-(-d // bv), parts, HEADS),
            (*inputs, to(kind, parts * rows * d), to("f32", HEADS * d * d), TOKENS, 0.01),
            {"D": d, "DV": d, "BK": bk, "BV": bv}, {"num_warps": warps},
        )  # fmt: skip
    for d, bv, warps in ((128, 8, 1), (64, 32, 4)):
        arguments = (*(f16(rows * d),) * 3, Memory("negative", rows), to("f16", rows * d), TOKENS, 0.01)
        constants = {"D": d, "DV": d, "BK": d, "BV": bv}
        yield Case(
            f"recurrence_first_axis {d}x{bv}", "recurrence_first_axis", (d // bv, HEADS), arguments, constants,
            {"num_warps": warps},
        )  # fmt: skip
    for kind, bk, warps in (("f32", 32, 1), ("f16", 64, 4)):
        arguments = *(Memory(kind, rows * 64),) * 4, *(to(kind, 2 * rows * 64),) * 3, TOKENS, 0.01
        yield Case(
            f"recurrence_backward {kind}", "recurrence_backward", (2, 64 // bk, HEADS), arguments,
            {"D": 64, "DV": 64, "BK": bk, "BV": 32}, {"num_warps": warps},
        )  # fmt: skip
    x = 16 * TOKENS * 1024
    arguments = f32(x), Memory("negative", x), to("f32", x), TOKENS, 1024
    yield Case("diagonal_recurrence", "diagonal_recurrence", (8, 16), arguments, {"BD": 128})
    x, states = 8 * TOKENS * 1024, f32(8 * TOKENS * 16)
    arguments = f32(x), Memory("positive", x), Memory("negative", 1024 * 16), states, states, to("f32", x), TOKENS, 1024
    yield Case("selective_scan", "selective_scan", (16, 8), arguments, {"N": 16, "BD": 64})


def gathers_and_scans() -> Iterator[Case]:
    """Rows by index, and sums up to each place."""
    rows, d = 4096, 1024
    arguments = f16(8192 * d), Memory("index:8192", rows), to("f16", rows * d), d
    yield Case("gather_rows", "gather_rows", (rows,), arguments, {"BD": d})
    arguments = f16(8192 * 128), Memory("index:8192", rows), to("f16", rows * 128), rows, 128
    yield Case("gather_tile", "gather_tile", (rows // 32,), arguments, {"BN": 32, "BD": 128})
    yield Case("row_cumsum", "row_cumsum", (1024,), (f32(N), to("f32", N), 1000), {"BLOCK": 1024})
    arguments = f16(4096 * 512), to("f32", 4096 * 512), 4096, 512
    yield Case("chunk_cumsum", "chunk_cumsum", (8, 64), arguments, {"BT": 64, "BD": 64})


def attention() -> Iterator[Case]:
    """Attention forward, with and without a causal mask."""
    tokens = 4096
    for d in (64, 128):
        heads, size = 2048 // d, 4 * 2048 * tokens
        tensors = *(f16(size),) * 3, to("f16", size), to("f32", 4 * heads * tokens)
        for causal in (False, True):
            for bm, bn, warps, stages in ((128, 64, 8, 2), (128, 64, 8, 3), (128, 128, 8, 2), (64, 64, 4, 3)):
                yield Case(
                    f"attention d{d} {'causal' if causal else 'full'} {bm}x{bn} {warps} warps {stages} stages",
                    "attention", (tokens // bm, 4 * heads),
                    (*tensors, heads * tokens * d, tokens * d, d, heads, tokens, d**-0.5),
                    {"BM": bm, "BN": bn, "D": d, "CAUSAL": causal}, {"num_warps": warps, "num_stages": stages},
                    "product_kernels",
                )  # fmt: skip


def attention_by_tma() -> Iterator[Case]:
    """Attention forward by TMA: with a group of warps that loads, and where all warps do."""
    tokens = 4096
    for d in (64, 128):
        heads = 2048 // d
        size = heads * tokens * d
        for causal in (False, True):
            for bn, stages in ((64, 2), (64, 3), (128, 2)):
                for name, warps, split in (("specialized_attention", 4, True), ("attention_by_tma", 8, False)):
                    yield Case(
                        f"{name} d{d} {'causal' if causal else 'full'} 128x{bn} {stages} stages",
                        "attention", (tokens // 128, heads), (*(f16(size),) * 3, to("f16", size), tokens),
                        {"M": 128, "N": bn, "D": d, "STAGES": stages, "SPLIT": split, "CAUSAL": causal},
                        {"num_warps": warps}, "specialized_kernels",
                    )  # fmt: skip


def attention_backward() -> Iterator[Case]:
    tokens, size = 2048, 4 * 2048 * 2048
    for d in (64, 128):
        heads = 2048 // d
        tensors = *(f16(size),) * 4, *(to("f16", size),) * 3, *(f32(4 * heads * tokens),) * 2
        for bm, bn, warps in ((64, 128, 8), (64, 64, 4), (32, 128, 4)):
            yield Case(
                f"attention_backward d{d} {bm}x{bn} {warps} warps", "attention_backward", (tokens // bn, 4 * heads),
                (*tensors, heads * tokens * d, tokens * d, d, heads, tokens, d**-0.5),
                {"BM": bm, "BN": bn, "D": d}, {"num_warps": warps, "num_stages": 2}, "product_kernels",
            )  # fmt: skip


def products() -> Iterator[Case]:
    """Matrix products of 4096 x 4096, by pointers."""
    n = 4096
    for bm, bn, warps, stages in ((128, 256, 8, 3), (128, 128, 8, 4), (128, 128, 4, 3), (64, 128, 4, 4)):
        grid, options = (n // bm * (n // bn),), {"num_warps": warps, "num_stages": stages}
        about = f"{bm}x{bn} {warps} warps {stages} stages"
        tile = {"BM": bm, "BN": bn, "GROUP": 8}
        for kind, result, acc, bk, unit in (
            ("f16", "f16", "float32", 64, ("stride_ak", "stride_bn")),
            ("f32", "f32", "float32", 32, ("stride_ak", "stride_bn")),
            ("i8", "i32", "int32", 128, ("stride_ak", "stride_bk")),
            ("i8", "i32", "int32", 128, ("stride_ak", "stride_bn")),
            ("f8", "f16", "float32", 128, ("stride_ak", "stride_bk")),
        ):
            rows = " by rows" if kind == "i8" and "stride_bn" in unit else ""
            tensors = Memory(kind, n * n), Memory(kind, n * n), to(result, n * n)
            constants = {**tile, "BK": bk, "ACC": acc, **dict.fromkeys(unit, 1)}
            arguments = (*tensors, *(n,) * 6)
            yield Case(
                f"matmul_ptr {kind}{rows} {about}", "matmul_ptr", grid, arguments, constants, options, "product_kernels"
            )
        for kind, name, bk in (("f16", "", 64), ("f8", " f8", 128)):
            a, b = Descriptor(n, n, (bm, bk), kind=kind), Descriptor(n, n, (bn, bk), kind=kind)
            arguments = a, b, Descriptor(n, n, (bm, bn), True), n, n, n
            constants = {**tile, "BK": bk, "ACC": "float32"}
            yield Case(
                f"matmul_tma{name} {about}", "matmul_tma", grid, arguments, constants, options, "product_kernels"
            )
            if kind == "f16":
                programs = min(132, grid[0])
                yield Case(
                    f"matmul_tma_persistent {about}", "matmul_tma_persistent", (programs,), (*arguments, programs),
                    constants, options, "product_kernels",
                )  # fmt: skip


def models() -> Iterator[Case]:
    """Products as models have them (model_kernels.py)."""

    def case(
        name: str,
        kernel: str,
        grid: tuple[int, ...],
        arguments: tuple[Any, ...],
        warps: int,
        stages: int,
        **constants: Any,
    ) -> Case:
        options = {"num_warps": warps, "num_stages": stages}
        return Case(
            f"{name} {warps} warps {stages} stages", kernel, grid, arguments, constants, options, "model_kernels"
        )

    tokens, d, bt = 2048, 128, 64
    rows = HEADS * tokens
    qkv, decay, states = f16(rows * d), Memory("negative", rows), HEADS * (tokens // bt) * d * d
    for bv, warps, stages in ((64, 4, 2), (128, 4, 2), (32, 4, 3)):
        arguments = qkv, qkv, decay, to("f16", states), tokens
        yield case(
            f"chunk_state {bv}", "chunk_state", (d // bv, HEADS), arguments, warps, stages, D=d, DV=d, BT=bt, BV=bv
        )
    for bk, bv, warps, stages in ((64, 64, 4, 2), (128, 128, 8, 2), (64, 128, 4, 3)):
        arguments = qkv, qkv, qkv, decay, f16(states), to("f16", rows * d), tokens, d**-0.5
        grid = d // bv, tokens // bt, HEADS
        yield case(
            f"chunk_output {bk}x{bv}", "chunk_output", grid, arguments, warps, stages, D=d, DV=d, BT=bt, BK=bk, BV=bv
        )
    arguments = Memory("positive", HEADS * tokens * 32), to("f32", HEADS * tokens * 32), tokens
    yield case("unit_lower_inverse", "unit_lower_inverse", (tokens // 32, HEADS), arguments, 1, 1, B=16)
    n = 4096
    for m, bm, bn, bk, warps, stages in (
        (4096, 128, 128, 64, 8, 3),
        (4096, 128, 128, 64, 4, 3),
        (64, 64, 64, 128, 4, 4),
        (16, 16, 64, 128, 4, 4),
    ):
        grid, tile = (m // bm, n // bn), {"BM": bm, "BN": bn, "BK": bk}
        a, c, about = f16(m * n), to("f16", m * n), f"{m} {bm}x{bn}x{bk}"
        words = Memory("i32", n * n // 8), f16(n * n // 128)
        yield case(
            f"matmul_int4 {about}", "matmul_int4", grid, (a, *words, c, m, n, n), warps, stages, **tile, PER_SCALE=128
        )
        weights = Memory("i8", n * n), f16(n)
        yield case(
            f"matmul_int8_weights {about}",
            "matmul_int8_weights",
            grid,
            (a, *weights, c, m, n, n),
            warps,
            stages,
            **tile,
        )
        scaled = Memory("f8", m * n), Memory("f8", n * n), Memory("positive", m * n // 128), Memory("positive", n * n)
        yield case(
            f"matmul_block_scaled {m} {bm}x{bn}x128",
            "matmul_block_scaled",
            grid,
            (*scaled, c, m, n, n),
            warps,
            stages,
            **tile | {"BK": 128},
        )
        if m >= 64:
            indices = Memory(f"index:{m}", m), Memory("index:8", m // bm)
            arguments = a, f16(8 * n * n), *indices, c, m, n, n
            yield case(f"matmul_of_experts {about}", "matmul_of_experts", grid, arguments, warps, stages, **tile)
    for bm, bn, warps in ((64, 256, 4), (128, 256, 8)):
        arguments = (
            Memory("f8", n * n),
            Memory("f8", n * n),
            Memory("positive", n * n // 128),
            Memory("positive", n * n),
        )
        yield case(
            f"matmul_block_scaled {n} {bm}x{bn}x128", "matmul_block_scaled", (n // bm, n // bn),
            (*arguments, to("f16", n * n), n, n, n), warps, 3, BM=bm, BN=bn, BK=128,
        )  # fmt: skip
    for bn, warps, stages in ((64, 4, 4), (128, 4, 3)):
        arguments = f16(16 * n), f16(n * n), to("f32", 16 * n), 16, n, n, 8
        yield case(
            f"matmul_few_rows {bn}", "matmul_few_rows", (n // bn, 8), arguments, warps, stages, BM=16, BN=bn, BK=64
        )
    for bm, bn, warps, stages in ((128, 64, 8, 2), (64, 64, 4, 2), (128, 64, 4, 3)):
        arguments = qkv, qkv, qkv, f16(tokens * tokens), to("f16", rows * 64), tokens, 0.125
        yield case(
            f"attention_with_bias {bm}x{bn}",
            "attention_with_bias",
            (tokens // bm, HEADS),
            arguments,
            warps,
            stages,
            BM=bm,
            BN=bn,
            D=64,
        )


def all_cases() -> list[Case]:
    """The cases of all families, and those of models."""
    vectors = small, broadcast_products, recurrences, gathers_and_scans
    matrices = attention, attention_by_tma, attention_backward, products, models
    return [case for part in (*vectors, *matrices) for case in part()]
