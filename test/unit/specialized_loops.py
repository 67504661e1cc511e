"""Kernels whose loops are divided among groups of warps, with what numpy says they compute."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

import ttkit
import ttkit.language as tl


@ttkit.jit
def product(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, STAGES: tl.constexpr):
    a_tiles = tl.make_tensor_descriptor(a, [m, k], [k, 1], [M, K])
    b_tiles = tl.make_tensor_descriptor(b, [n, k], [k, 1], [N, K])
    c_tiles = tl.make_tensor_descriptor(c, [m, n], [n, 1], [M, N])
    row, column = tl.program_id(0) * M, tl.program_id(1) * N
    total = tl.zeros((M, N), tl.float32)
    for step in tl.range(0, tl.cdiv(k, K), warp_specialize=True, num_stages=STAGES):
        total = tl.dot(a_tiles.load([row, step * K]), b_tiles.load([column, step * K]).T, total)
    c_tiles.store([row, column], total)


@ttkit.jit
def product_to_pointers(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, STAGES: tl.constexpr):
    # Rows are numbers for a descriptor, and for pointers.
    a_tiles = tl.make_tensor_descriptor(a, [m, k], [k, 1], [M, K])
    b_tiles = tl.make_tensor_descriptor(b, [n, k], [k, 1], [N, K])
    row, column = tl.program_id(0) * M, tl.program_id(1) * N
    total = tl.zeros((M, N), tl.float32)
    for step in tl.range(0, tl.cdiv(k, K), warp_specialize=True, num_stages=STAGES):
        total = tl.dot(a_tiles.load([row, step * K]), b_tiles.load([column, step * K]).T, total)
    rows, columns = row + tl.arange(0, M), column + tl.arange(0, N)
    inside = (rows < m)[:, None] & (columns < n)[None, :]
    tl.store(c + rows[:, None] * n + columns[None, :], total, mask=inside)


@ttkit.jit
def persistent(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, STAGES: tl.constexpr):
    a_tiles = tl.make_tensor_descriptor(a, [m, k], [k, 1], [M, K])
    b_tiles = tl.make_tensor_descriptor(b, [n, k], [k, 1], [N, K])
    c_tiles = tl.make_tensor_descriptor(c, [m, n], [n, 1], [M, N])
    across = tl.cdiv(n, N)
    for tile in tl.range(0, tl.cdiv(m, M) * across, warp_specialize=True):
        row, column = tile // across * M, tile % across * N
        total = tl.zeros((M, N), tl.float32)
        for step in tl.range(0, tl.cdiv(k, K), num_stages=STAGES):
            total = tl.dot(a_tiles.load([row, step * K]), b_tiles.load([column, step * K]).T, total)
        c_tiles.store([row, column], total)


@ttkit.jit
def product_in_branch(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, STAGES: tl.constexpr):
    a_tiles = tl.make_tensor_descriptor(a, [m, k], [k, 1], [M, K])
    b_tiles = tl.make_tensor_descriptor(b, [n, k], [k, 1], [N, K])
    c_tiles = tl.make_tensor_descriptor(c, [m, n], [n, 1], [M, N])
    row, column = tl.program_id(0) * M, tl.program_id(1) * N
    if row + column < m + n:
        total = tl.zeros((M, N), tl.float32)
        for step in tl.range(0, tl.cdiv(k, K), warp_specialize=True, num_stages=STAGES):
            total = tl.dot(a_tiles.load([row, step * K]), b_tiles.load([column, step * K]).T, total)
        c_tiles.store([row, column], total)


@ttkit.jit
def product_and_sums(
    a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, STAGES: tl.constexpr, DIVIDED: tl.constexpr
):
    # What is loaded is read by a product, and by operations in registers.
    a_tiles = tl.make_tensor_descriptor(a, [m, k], [k, 1], [M, K])
    b_tiles = tl.make_tensor_descriptor(b, [n, k], [k, 1], [N, K])
    c_tiles = tl.make_tensor_descriptor(c, [m, n], [n, 1], [M, N])
    row, column = tl.program_id(0) * M, tl.program_id(1) * N
    total, sums = tl.zeros((M, N), tl.float32), tl.zeros((M,), tl.float32)
    for step in tl.range(0, tl.cdiv(k, K), warp_specialize=DIVIDED, num_stages=STAGES):
        tile = a_tiles.load([row, step * K])
        total = tl.dot(tile, b_tiles.load([column, step * K]).T, total)
        sums += tl.sum(tile.to(tl.float32), 1)
    c_tiles.store([row, column], total + sums[:, None])


@ttkit.jit
def one_tile(
    query, k_tile, v_tile, largest, total, result, first, start, M: tl.constexpr, N: tl.constexpr, MASK: tl.constexpr
):
    scores = tl.dot(query, k_tile) * 0.125
    if MASK:
        columns = start + tl.arange(0, N)
        scores = tl.where((first + tl.arange(0, M))[:, None] >= columns[None, :], scores, float("-inf"))
    new = tl.maximum(largest, tl.max(scores, 1))
    weights = tl.exp2(scores - new[:, None])
    factor = tl.exp2(largest - new)
    total = total * factor + tl.sum(weights, 1)
    result = tl.dot(weights.to(tl.float16), v_tile, result * factor[:, None])
    return new, total, result


@ttkit.jit
def attend(
    q_tiles, k_tiles, v_tiles, out_tiles, first, length,
    M: tl.constexpr, N: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr, DIVIDED: tl.constexpr
):  # fmt: skip
    query = q_tiles.load([first, 0])
    largest = tl.full((M,), float("-inf"), tl.float32)
    total = tl.zeros((M,), tl.float32)
    result = tl.zeros((M, D), tl.float32)
    end = first + M if CAUSAL else length
    for start in tl.range(0, end, N, warp_specialize=DIVIDED):
        k_tile, v_tile = k_tiles.load([start, 0]).T, v_tiles.load([start, 0])
        largest, total, result = one_tile(query, k_tile, v_tile, largest, total, result, first, start, M, N, CAUSAL)
    out_tiles.store([first, 0], result / total[:, None])


@ttkit.jit
def attention(q, k, v, out, length, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr):
    q_tiles = tl.make_tensor_descriptor(q, [length, D], [D, 1], [M, D])
    k_tiles = tl.make_tensor_descriptor(k, [length, D], [D, 1], [N, D])
    v_tiles = tl.make_tensor_descriptor(v, [length, D], [D, 1], [N, D])
    out_tiles = tl.make_tensor_descriptor(out, [length, D], [D, 1], [M, D])
    attend(q_tiles, k_tiles, v_tiles, out_tiles, tl.program_id(0) * M, length, M, N, D, CAUSAL, True)


@ttkit.jit
def persistent_attention(q, k, v, out, length, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr):
    q_tiles = tl.make_tensor_descriptor(q, [length, D], [D, 1], [M, D])
    k_tiles = tl.make_tensor_descriptor(k, [length, D], [D, 1], [N, D])
    v_tiles = tl.make_tensor_descriptor(v, [length, D], [D, 1], [N, D])
    out_tiles = tl.make_tensor_descriptor(out, [length, D], [D, 1], [M, D])
    for tile in tl.range(tl.program_id(0), length // M, tl.num_programs(0), warp_specialize=True):
        attend(q_tiles, k_tiles, v_tiles, out_tiles, tile * M, length, M, N, D, CAUSAL, False)


@ttkit.jit
def attention_in_two_loops(
    q, k, v, out, length, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr
):
    # Nothing asks for groups of warps: the compiler chooses them.
    q_tiles = tl.make_tensor_descriptor(q, [length, D], [D, 1], [M, D])
    k_tiles = tl.make_tensor_descriptor(k, [length, D], [D, 1], [N, D])
    v_tiles = tl.make_tensor_descriptor(v, [length, D], [D, 1], [N, D])
    out_tiles = tl.make_tensor_descriptor(out, [length, D], [D, 1], [M, D])
    first = tl.program_id(0) * M
    query = q_tiles.load([first, 0])
    largest = tl.full((M,), float("-inf"), tl.float32)
    total = tl.zeros((M,), tl.float32)
    result = tl.zeros((M, D), tl.float32)
    for start in range(0, first if CAUSAL else length, N):
        k_tile, v_tile = k_tiles.load([start, 0]).T, v_tiles.load([start, 0])
        largest, total, result = one_tile(query, k_tile, v_tile, largest, total, result, first, start, M, N, False)
    if CAUSAL:
        for start in range(first, first + M, N):
            k_tile, v_tile = k_tiles.load([start, 0]).T, v_tiles.load([start, 0])
            largest, total, result = one_tile(query, k_tile, v_tile, largest, total, result, first, start, M, N, True)
    out_tiles.store([first, 0], result / total[:, None])


@ttkit.jit
def attention_by_pointers(
    q, k, v, out, length, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr
):
    first = tl.program_id(0) * M
    rows, columns, inner = first + tl.arange(0, M), tl.arange(0, N), tl.arange(0, D)
    query = tl.load(q + rows[:, None] * D + inner[None, :])
    k_tile, v_tile = k + columns[None, :] * D + inner[:, None], v + columns[:, None] * D + inner[None, :]
    largest = tl.full((M,), float("-inf"), tl.float32)
    total = tl.zeros((M,), tl.float32)
    result = tl.zeros((M, D), tl.float32)
    for start in range(0, first + M if CAUSAL else length, N):
        inside = start + columns < length
        left, right = tl.load(k_tile, inside[None, :], 0.0), tl.load(v_tile, inside[:, None], 0.0)
        largest, total, result = one_tile(query, left, right, largest, total, result, first, start, M, N, CAUSAL)
        k_tile += N * D
        v_tile += N * D
    tl.store(out + rows[:, None] * D + inner[None, :], result / total[:, None])


ATTENTION = (attention, persistent_attention, attention_in_two_loops, attention_by_pointers)
PRODUCT = {"M": 128, "N": 128, "K": 64, "STAGES": 3}


@dataclass(frozen=True)
class Loop:
    """A kernel with sizes, for a number of warps.  `groups` of four warps run it on sm_90."""

    name: str
    kernel: Any
    sizes: tuple[int, ...]
    groups: int
    options: dict = field(default_factory=dict)
    warps: int = 4

    def __str__(self) -> str:
        return self.name

    def run(self) -> tuple[np.ndarray, np.ndarray, Any]:
        """What it computes, what numpy does, and the compiled kernel."""
        return self._attention() if self.kernel in ATTENTION else self._product()

    @property
    def loops(self) -> int:
        """How many loops a group of attention runs: with a causal mask one before the diagonal, and one at it."""
        return 1 + self.options.get("CAUSAL", False)

    def programs(self, tiles: int) -> int:
        """How many run a kernel of so many tiles."""
        return 1 if self.kernel in (persistent, persistent_attention) else tiles

    def source(self) -> ttkit.ASTSource:
        """What is compiled, for any GPU."""
        given = {"M": 128, "N": 64, "D": 64, "CAUSAL": False} if self.kernel in ATTENTION else PRODUCT
        pointers = ("q", "k", "v", "out") if self.kernel in ATTENTION else ("a", "b", "c")
        types = {name: "*fp32" if name == "c" else "*fp16" for name in pointers}
        types |= {"length": "i32"} if self.kernel in ATTENTION else dict.fromkeys(("m", "n", "k"), "i32")
        constants = {**given, **self.options}
        divisible = {(index,): [["tt.divisibility", 16]] for index in range(len(types))}
        return ttkit.ASTSource(self.kernel, {**types, **dict.fromkeys(constants, "constexpr")}, constants, divisible)

    def _product(self) -> tuple[np.ndarray, np.ndarray, Any]:
        m, n, k = self.sizes
        rng = np.random.default_rng(1)
        a, b = (rng.integers(-4, 5, shape).astype(np.float16) for shape in ((m, k), (n, k)))
        c = np.full((m, n), 77, np.float32)
        tile = {**PRODUCT, **self.options}
        grid = (self.programs(-(-m // tile["M"])), self.programs(-(-n // tile["N"])))
        compiled = self.kernel[grid](a, b, c, m, n, k, num_warps=self.warps, **tile)
        added = a.astype(np.float32).sum(1, keepdims=True) if self.kernel is product_and_sums else 0
        return c, a.astype(np.float32) @ b.astype(np.float32).T + added, compiled

    def _attention(self) -> tuple[np.ndarray, np.ndarray, Any]:
        (length,) = self.sizes
        tile = {"M": 128, "N": 64, "D": 64, "CAUSAL": False, **self.options}
        rng = np.random.default_rng(1)
        q, k, v = (rng.standard_normal((length, tile["D"])).astype(np.float16) for _ in range(3))
        out = np.full((length, tile["D"]), 77, np.float32)
        given = {"num_warps": self.warps, "num_stages": 2 if self.kernel is persistent_attention else 3}  # memory
        compiled = self.kernel[(self.programs(length // tile["M"]),)](q, k, v, out, length, **given, **tile)
        scores = (q.astype(np.float64) @ k.astype(np.float64).T) * 0.125
        if tile["CAUSAL"]:
            scores[np.arange(length)[:, None] < np.arange(length)[None, :]] = -np.inf
        weights = np.exp2(scores - scores.max(1, keepdims=True))
        return out, (weights @ v.astype(np.float64)) / weights.sum(1, keepdims=True), compiled


LOOPS = [
    Loop("rows", product, (256, 128, 320), 3),
    Loop("edges", product, (200, 136, 328), 3),
    Loop("wide", product, (128, 256, 256), 3, {"N": 256, "STAGES": 2}),
    Loop("one_group", product, (128, 128, 256), 2, {"M": 64}),
    Loop("no_iteration", product, (128, 128, 0), 3),
    Loop("two_stages", product, (128, 128, 512), 3, {"STAGES": 2}),
    Loop("five_stages", product, (128, 128, 512), 3, {"K": 32, "STAGES": 5}),
    Loop("pointers", product_to_pointers, (200, 136, 320), 3),
    Loop("persistent", persistent, (256, 256, 320), 3),
    Loop("persistent_one_group", persistent, (128, 256, 320), 2, {"M": 64}),
    Loop("branch", product_in_branch, (128, 128, 256), 3),
    Loop("sums", product_and_sums, (128, 128, 320), 3, {"DIVIDED": True}),
    Loop("sums_by_all_warps", product_and_sums, (128, 128, 512), 1, {"DIVIDED": False}),
    Loop("attention", attention, (256,), 3),
    Loop("causal_attention", attention, (256,), 3, {"CAUSAL": True}),
    Loop("persistent_attention", persistent_attention, (384,), 3, {"D": 128, "CAUSAL": True}),
    Loop("attention_in_turns", attention, (256,), 3, {"D": 128}),
    Loop("attention_one_group", attention, (128,), 2, {"M": 64}),
    Loop("chosen", attention_in_two_loops, (256,), 3, {"D": 128}, 8),
    Loop("chosen_in_two_loops", attention_in_two_loops, (256,), 3, {"D": 128, "CAUSAL": True}, 8),
    Loop("chosen_of_four_warps", attention_in_two_loops, (128,), 3, {"D": 128, "CAUSAL": True}),
    Loop("chosen_by_pointers", attention_by_pointers, (256,), 3, {"D": 128, "CAUSAL": True}),
    Loop("chosen_by_pointers_of_8_warps", attention_by_pointers, (128,), 3, {"D": 128}, 8),
    Loop("not_chosen", attention_in_two_loops, (128,), 1, {}, 8),
]
