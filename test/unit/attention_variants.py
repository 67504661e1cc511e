"""Random kernels of attention as text, with what numpy says they compute: loops that warp groups may divide."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import numpy as np

HEAD = """
import ttkit
import ttkit.language as tl


@ttkit.jit
def step(
    query, key, value, acc, total, largest, rows, columns, bias, keys,
    BIAS: tl.constexpr, KEYS: tl.constexpr, WINDOW: tl.constexpr, MASK: tl.constexpr,
):
    scores = tl.dot(query, key) * 0.125
    if BIAS:
        scores = scores + tl.load(bias[:, None] + columns[None, :])
    if KEYS:
        scores = tl.where(tl.load(keys + columns)[None, :] > 0, scores, -1.0e6)
    if MASK:
        scores = tl.where(rows[:, None] >= columns[None, :], scores, -1.0e6)
    if WINDOW:
        scores = tl.where(rows[:, None] - columns[None, :] < 100, scores, -1.0e6)
    new = tl.maximum(largest, tl.max(scores, 1))
    weights = tl.exp2(scores - new[:, None])
    factor = tl.exp2(largest - new)
    acc = tl.dot(weights.to(tl.float16), value, acc * factor[:, None])
    return acc, total * factor + tl.sum(weights, 1), new
"""


@dataclass(frozen=True)
class Variant:
    """A kernel of attention.

    loads: descriptor or pointer.  causal: 0 for no mask, 1 for a mask in one loop, 2 for a loop with and one without.
    start: the first column.  options: of a step, bias, keys and window.  listed: memory says which columns come when.
    """

    loads: str
    query: str
    columns: int
    stages: int
    warps: int
    causal: int
    start: int
    carries: bool
    stores_sums: bool
    options: tuple[str, ...]
    listed: bool

    rows = 128
    depth = 128
    length = 256

    @staticmethod
    def random(seed: int) -> Variant:
        """The variant of a number."""
        draw = random.Random(seed)
        loads = draw.choice(["descriptor", "pointer"])
        columns, stages = draw.choice([(64, 1), (64, 2), (64, 3), (128, 1), (128, 2), (128, 3)])
        large = columns * stages == 3 * 128  # no room for tiles of a bias
        return Variant(
            loads,
            draw.choice([loads, "pointer"]),
            columns,
            stages,
            draw.choice([4, 8]),
            draw.choice([0, 1, 2]),
            draw.choice([0, 0, columns]),
            draw.random() < 0.5,
            draw.random() < 0.5,
            tuple(name for name in ("keys", "window", "bias")[: 2 if large else 3] if draw.random() < 0.15),
            draw.random() < 0.3,
        )

    @property
    def text(self) -> str:
        """Its source."""
        by_pointer = self.loads == "pointer"
        lines = [
            "    first = tl.program_id(0) * 128",
            f"    columns, inner = tl.arange(0, {self.columns}), tl.arange(0, 128)",
        ]
        lines += ["    rows = first + tl.arange(0, 128)", "    own = bias + rows * length"]
        if by_pointer:
            lines += ["    k_tile = k + columns[None, :] * 128 + inner[:, None]"]
            lines += ["    v_tile = v + columns[:, None] * 128 + inner[None, :]"]
        else:
            lines += [f"    {name}_tiles = {descriptor(name, size)}" for name, size in self._described()]
        by_rows = "rows[:, None] * 128 + inner[None, :]"
        lines += [
            f"    query = tl.load(q + {by_rows})" if self.query == "pointer" else "    query = q_tiles.load([first, 0])"
        ]
        lines += ["    acc, total = tl.zeros((128, 128), tl.float32), tl.full((128,), 1.0, tl.float32)"]
        lines += ["    largest = tl.full((128,), -1.0e6, tl.float32)"]
        start = str(self.start)
        bounds = [(start, "first", False), ("first", "first + 128", True)]
        loops = {0: [(start, "length", False)], 1: [(start, "first + 128", True)], 2: bounds}[self.causal]
        for low, high, mask in loops:
            lines += self._loop(low, high, mask, by_pointer)
        if self.stores_sums:
            lines += ["    tl.store(sums + rows, largest + tl.log2(total))"]
        result = "(acc / total[:, None]).to(tl.float16)"
        lines += [
            f"    tl.store(out + {by_rows}, {result})" if by_pointer else f"    out_tiles.store([first, 0], {result})"
        ]
        head = "@ttkit.jit\ndef kernel(q, k, v, out, sums, bias, keys, blocks, length):"
        return "\n".join([HEAD, "", head, *lines, ""])

    def _described(self) -> list[tuple[str, int]]:
        described = [("k", self.columns), ("v", self.columns), ("out", 128)]
        return [("q", 128), *described] if self.query == "descriptor" else described

    def _loop(self, low: str, high: str, mask: bool, by_pointer: bool) -> list[str]:
        chosen = [name in self.options for name in ("bias", "keys", "window")]
        call = "step(query, key, value, acc, total, largest, rows, at + columns, own, keys, "
        lines = []
        if by_pointer and self.carries:
            lines += [f"    k_at, v_at = k_tile + {low} * 128, v_tile + {low} * 128"]
            load = [
                "key, value = tl.load(k_at), tl.load(v_at)",
                f"k_at += {self.columns * 128}",
                f"v_at += {self.columns * 128}",
            ]
        elif by_pointer:
            load = ["inside = at + columns < length", "key = tl.load(k_tile + at * 128, inside[None, :], 0.0)"]
            load += ["value = tl.load(v_tile + at * 128, inside[:, None], 0.0)"]
        else:
            load = ["key, value = k_tiles.load([at, 0]).T, v_tiles.load([at, 0])"]
        if self.listed and not (by_pointer and self.carries):
            load = [f"at = tl.load(blocks + number) * {self.columns}", *load]
            lines += [f"    for number in range({low} // {self.columns}, ({high}) // {self.columns}):"]
        else:
            lines += [f"    for at in range({low}, {high}, {self.columns}):"]
        lines += ["        " + line for line in load]
        return [*lines, f"        acc, total, largest = {call}{str([*chosen, mask])[1:-1]})"]

    def arguments(self, seed: int) -> dict[str, Any]:
        """Arrays by the names of parameters."""
        rng = np.random.default_rng(seed)
        shape = (self.length, self.depth)
        given = {name: rng.standard_normal(shape).astype(np.float16) for name in ("q", "k", "v")}
        given |= {"out": np.zeros(shape, np.float16), "sums": np.zeros(self.length, np.float32)}
        given["bias"] = rng.standard_normal((self.length, self.length)).astype(np.float32)
        given["keys"] = (rng.random(self.length) > 0.3).astype(np.int32)
        blocks = np.arange(self.length // self.columns, dtype=np.int32)
        if not self.causal:
            blocks[self.start // self.columns :] = blocks[self.start // self.columns :][::-1].copy()
        return {**given, "blocks": blocks, "length": self.length}

    def expected(self, given: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
        """The result and the logarithms of the sums, in float64."""
        q, k, v = (given[name].astype(np.float64) for name in ("q", "k", "v"))
        row, column = np.arange(self.length)[:, None], np.arange(self.length)[None, :]
        scores = q @ k.T * 0.125
        scores = scores + given["bias"] if "bias" in self.options else scores
        hidden = np.zeros(scores.shape, bool)
        hidden |= (given["keys"] <= 0)[None, :] if "keys" in self.options else False
        hidden |= row < column if self.causal else False
        hidden |= row - column >= 100 if "window" in self.options else False
        scores = np.where(hidden, -1.0e6, scores)
        first = row // 128 * 128
        covered = (column >= self.start) & (column < (first + 128 if self.causal else self.length))
        if self.causal == 2:
            covered |= (column >= first) & (column < first + 128)
        most = np.maximum(np.where(covered, scores, -np.inf).max(1, keepdims=True), -1.0e6)
        weights = np.where(covered, np.exp2(scores - most), 0)
        total = weights.sum(1, keepdims=True) + np.exp2(-1.0e6 - most)
        return weights @ v / total, (most + np.log2(total))[:, 0]


def descriptor(name: str, size: int) -> str:
    """A descriptor of rows of 128 elements."""
    return f"tl.make_tensor_descriptor({name}, [length, 128], [128, 1], [{size}, 128])"
