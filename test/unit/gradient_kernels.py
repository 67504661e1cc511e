"""Gradients of attention in one loop, which writes those of queries in each iteration, and what NumPy computes."""

from __future__ import annotations

from typing import Any

import numpy as np

import ttkit
import ttkit.language as tl

KEYS, QUERIES = 64, 64
DEPTHS = {4: 64, 8: 128}
"""Columns of queries and keys for so many warps: with 8 the registers for operand a do not fit."""


@ttkit.jit
def gradients(
    q, k, v, d, logarithms, sums, dq, dk, dv, n, KEYS: tl.constexpr, QUERIES: tl.constexpr, DEPTH: tl.constexpr,
    BY: tl.constexpr,
):  # fmt: skip
    """The gradients of KEYS keys and values, added to those of queries.  BY: pointers, updates or descriptors."""
    keys, depth, some = tl.arange(0, KEYS), tl.arange(0, DEPTH), tl.arange(0, QUERIES)
    here = keys[:, None] * DEPTH + depth[None, :]
    key, value = tl.load(k + here), tl.load(v + here)
    to_keys, to_values = tl.zeros([KEYS, DEPTH], tl.float32), tl.zeros([KEYS, DEPTH], tl.float32)
    for start in range(0, n, QUERIES):
        rows = start + some
        there = rows[:, None] * DEPTH + depth[None, :]
        query, output = tl.load(q + there), tl.load(d + there)
        share = tl.exp2(tl.dot(key, query.T) - tl.load(logarithms + rows)[None, :])
        to_values = tl.dot(share.to(tl.float16), output, to_values)
        change = (share * (tl.dot(value, output.T) - tl.load(sums + rows)[None, :])).to(tl.float16)
        to_keys = tl.dot(change, query, to_keys)
        to_query = tl.dot(change.T, key)
        if BY == "store":
            tl.store(dq + there, to_query)
        elif BY == "update":
            tl.atomic_add(dq + there, to_query, sem="relaxed")
        else:
            dq.atomic_add([start, 0], to_query)
    tl.store(dk + here, to_keys)
    tl.store(dv + here, to_values)


def sizes_of(by: str, warps: int) -> dict[str, Any]:
    """The kernel's constants."""
    return {"KEYS": KEYS * warps // 4, "QUERIES": QUERIES, "DEPTH": DEPTHS[warps], "BY": by}


def arguments(tokens: int, warps: int) -> list[Any]:
    """Random arguments of the kernel."""
    random, keys, depth = np.random.default_rng(tokens), KEYS * warps // 4, DEPTHS[warps]
    shapes = [(tokens, depth), (keys, depth), (keys, depth), (tokens, depth)]
    halves = [(random.standard_normal(shape) / 4).astype(np.float16) for shape in shapes]
    vectors = [random.standard_normal(tokens).astype(np.float32) for _ in range(2)]
    sums = np.zeros((max(tokens, QUERIES), depth), np.float32)
    return [*halves, *vectors, sums, *(np.zeros((keys, depth), np.float32) for _ in range(2)), tokens]


def expected(arguments: list[Any]) -> list[Any]:
    """All three gradients, by NumPy."""
    q, k, v, d = (one.astype(np.float32) for one in arguments[:4])
    logarithms, sums = arguments[4:6]
    share = np.exp2(k @ q.T - logarithms[None, :])
    change = (share * (v @ d.T - sums[None, :])).astype(np.float16).astype(np.float32)
    to_queries = np.zeros_like(arguments[6])
    to_queries[: len(q)] = change.T @ k
    return [to_queries, change @ q, share.astype(np.float16).astype(np.float32) @ d]
