"""What gluon_bench.py times: kernels in Gluon by subject, with sizes, arguments and what they must compute."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

SMS = 132


@dataclass(frozen=True)
class Array:
    """A matrix or a vector in global memory, of the numbers that its name stands for; `out` is what a kernel writes."""

    name: str
    shape: tuple[int, ...]
    dtype: str = "fp16"


@dataclass(frozen=True)
class Block:
    """A descriptor of a matrix, for blocks of a shape."""

    array: Array
    block: tuple[int, int]


@dataclass(frozen=True)
class Layout:
    """A layout that the implementation makes: a class of Gluon and its arguments."""

    kind: str
    arguments: tuple[Any, ...]


@dataclass(frozen=True)
class Case:
    """A kernel with its arguments; `subject` names what it computes, for the check and the rival."""

    name: str
    file: str
    kernel: str
    grid: tuple[int, ...]
    arguments: tuple[Any, ...]
    constants: dict[str, Any]
    warps: int
    subject: tuple[Any, ...]
    flops: int = 0
    bytes: int = 0
    options: dict[str, Any] = field(default_factory=dict)


ROWS4 = Layout("BlockedLayout", ([1, 4], [1, 32], [4, 1], [1, 0]))


def memory_cases(scale: int) -> list[Case]:
    """Copies and sums; a scale of 1 is some hundred MB."""
    count, side = (1 << 26) // scale, int(8192 / math.isqrt(scale))
    source, out = Array("a", (count,), "fp32"), Array("out", (count,), "fp32")
    found = []
    for each, warps in ((1, 4), (4, 4), (4, 8)):
        block = 32 * each * warps * (4 if each == 4 else 1)
        layout = Layout("BlockedLayout", ([each], [32], [warps], [0]))
        found.append(
            Case(
                f"introduction: copy, {each} a thread, {warps} warps", "gluon_kernels", "copied",
                (-(-count // block),), (source, out, count), {"BLOCK": block, "layout": layout}, warps, ("copy",),
                bytes=8 * count,
            )
        )  # fmt: skip
    a, b, c = (Array(name, (side, side), "fp32") for name in ("a", "b", "out"))
    along = Layout("BlockedLayout", ([1, 4], [2, 16], [4, 1], [1, 0]))
    across = Layout("BlockedLayout", ([4, 1], [32, 1], [1, 4], [0, 1]))
    for name, write in (("two layouts", along), ("one layout", across)):
        constants = {"M": 64, "N": 64, "read": along, "write": write}
        found.append(
            Case(
                f"layouts: transposed by {name}", "gluon_kernels", "transposed", (side // 64, side // 64),
                (a, c, side, side), constants, 4, ("transposed",), bytes=8 * side * side,
            )
        )  # fmt: skip
    vectors = [Array(name, (count,), "fp32") for name in ("a", "b", "out")]
    for stages, steps in ((2, 8), (3, 8), (4, 16)):
        found.append(
            Case(
                f"async copy: sum, {stages} stages", "gluon_kernels", "added_by_async_copies",
                (-(-count // (2048 * steps)),), (*vectors, count, steps),
                {"BLOCK": 2048, "STAGES": stages, "layout": Layout("BlockedLayout", ([4], [32], [4], [0])),
                 "shared": Layout("SwizzledSharedLayout", (1, 1, 1, [0]))}, 4, ("sum",), bytes=12 * count,
            )
        )  # fmt: skip
    for kernel, title in (("added_by_tma", "TMA"), ("added_by_roles", "warp specialization")):
        for stages, steps in ((2, min(8, side // 32)), (3, min(8, side // 32))):
            blocks = [Block(array, (64, 32)) for array in (a, b, c)]
            found.append(
                Case(
                    f"{title}: sum, {stages} stages", "gluon_kernels", kernel, (side // 64, side // (32 * steps)),
                    (*blocks, steps), {"STAGES": stages, "layout": ROWS4}, 4, ("sum",), bytes=12 * side * side,
                )
            )  # fmt: skip
    return found


def product_cases(sizes: list[int], blocks: list[tuple[int, ...]]) -> list[Case]:
    """Products; a block is M, N, K, stages, warps, columns of a store, rows of tiles in a group."""
    found = []
    for n in sizes:
        a, b, c = (Array(name, (n, n)) for name in ("a", "b", "out"))
        for kernel, title in (("ring", "wgmma"), ("persistent", "persistence"), ("roles", "warp specialization")):
            for M, N, K, stages, warps, width, group in blocks:
                tiles = -(-n // M) * -(-n // N)
                grid = (tiles if kernel == "ring" else min(tiles, SMS),)
                constants = {"STAGES": stages, "GROUP": group} | ({"WARPS": warps} if kernel == "roles" else {})
                found.append(
                    Case(
                        f"{title}: product {n}, {M}x{N}x{K}, {stages} stages, {warps} warps, by {width}, {group}",
                        "gluon_product_kernels", kernel, grid,
                        (Block(a, (M, K)), Block(b, (N, K)), Block(c, (M, width)), n, n, n), constants, warps,
                        ("product", n), flops=2 * n**3,
                    )
                )  # fmt: skip
    return found


def attention_cases(shapes: list[tuple[int, int, int, int]], forms: list[tuple[Any, ...]]) -> list[Case]:
    """Attention; a shape is D, tokens, heads, causal; a form D, groups, columns, stages, turns, overlap, persistent."""
    found = []
    for D, tokens, heads, causal in shapes:
        q, k, v, out = (Array(name, (heads * tokens, D)) for name in ("q", "k", "v", "out"))
        for of, groups, columns, stages, turns, overlap, lasting in forms:
            if of != D:
                continue
            rows = 64 * groups
            even = tokens % rows == 0 and tokens % columns == 0
            tiles = heads * -(-tokens // rows)
            constants = {"GROUPS": groups, "STAGES": stages, "CAUSAL": bool(causal), "TURNS": turns, "OVERLAP": overlap}
            constants |= {"EVEN": even, "REGISTERS": 240 if groups == 2 else 160}
            words = f"{' turns' if turns else ''}{' overlap' if overlap else ''}{' persistent' if lasting else ''}"
            found.append(
                Case(
                    f"warp specialization: attention d{D} {tokens} {'causal' if causal else 'full'}, {rows}x{columns}, "
                    f"{stages} stages{words}", "gluon_attention_kernels", "attention",
                    (min(tiles, SMS) if lasting else tiles,),
                    (Block(q, (64, D)), Block(k, (columns, D)), Block(v, (columns, D)),
                     Block(out, (64, D)) if even else out, tokens, heads, D**-0.5 * math.log2(math.e)),
                    constants, 4, ("attention", D, tokens, heads, causal),
                    flops=4 * heads * tokens * tokens * D // (2 if causal else 1),
                )
            )  # fmt: skip
    return found


PRODUCT_BLOCKS = [
    (128, 256, 64, 3, 8, 64, 8),
    (128, 256, 64, 4, 8, 64, 8),
    (128, 256, 64, 4, 8, 64, 16),
    (256, 128, 64, 3, 8, 64, 8),
    (256, 128, 64, 4, 8, 32, 8),
    (128, 128, 64, 4, 4, 64, 8),
]
FORMS = [
    (d, groups, columns, stages, turns, overlap, lasting)
    for d, groups, columns, stages in ((128, 2, 128, 2), (64, 2, 128, 2), (64, 3, 128, 2))
    for turns, overlap, lasting in (
        (False, True, False),
        (True, True, False),
        (True, True, True),
        (False, True, True),
        (True, False, True),
    )
]


def all_cases() -> list[Case]:
    """Everything for a GPU."""
    shapes = [
        (d, tokens, 65536 // tokens * (2048 // (16 * d)), causal)
        for d in (64, 128)
        for tokens in (4096, 8192, 16384)
        for causal in (0, 1)
    ]
    return [*memory_cases(1), *product_cases([8192, 4096], PRODUCT_BLOCKS), *attention_cases(shapes, FORMS)]


def small_cases() -> list[Case]:
    """The same kernels in sizes for the interpreter."""
    small = [(128, 64, 64, 3, 4, 64, 2), (128, 64, 64, 3, 4, 32, 2), (128, 64, 64, 4, 4, 16, 2)]
    shapes = [(64, 384, 1, causal) for causal in (0, 1)]
    forms = [(64, 2, 64, 2, True, True, True), (64, 2, 128, 2, False, True, False), (64, 3, 128, 2, True, False, True)]
    return [*memory_cases(4096), *product_cases([320], small), *attention_cases(shapes, forms)]
