"""Gradients of attention in one loop: the next iteration's first product starts early, and results stay right."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ttkit
import ttkit.language as tl
from ttkit.inspection import collect
from ttkit.options import CompileOptions

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


def compiled(by: str, warps: int, stages: int) -> ttkit.Module:
    """The kernel in ttg, for an sm_90, with copies early."""
    depth = DEPTHS[warps]
    halves = dict.fromkeys("qkvd", "*fp16")
    vectors = dict.fromkeys(("logarithms", "sums", "dk", "dv"), "*fp32")
    sums = f"tensordesc<fp32[{QUERIES},{depth}]>" if by == "descriptor" else "*fp32"
    types = {**halves, **vectors, "dq": sums, "n": "i32"}
    sizes = {"KEYS": KEYS * warps // 4, "QUERIES": QUERIES, "DEPTH": depth, "BY": by}
    signature = {name: types.get(name, "constexpr") for name in gradients.arg_names}
    hints = {(i,): [["tt.divisibility", 16]] for i in range(10) if i != 6 or by != "descriptor"}
    options = CompileOptions.for_capability(90, num_warps=warps, num_stages=stages)
    module = ttkit.ASTSource(gradients, signature, sizes, hints).make_ir(ttkit.GPUTarget("cuda", 90, 32), options)
    ttkit.run_passes(module, "ttkit-ttir{capability=90}")
    ttkit.run_passes(module, f"ttkit-ttgir{{capability=90 num-warps={warps} num-stages={stages}}}")
    ttkit.run_passes(module, "ttkit-start-copies-early")
    return module


def arguments(tokens: int, warps: int) -> list[Any]:
    """Random arguments of the kernel."""
    random, keys, depth = np.random.default_rng(tokens), KEYS * warps // 4, DEPTHS[warps]
    shapes = [(tokens, depth), (keys, depth), (keys, depth), (tokens, depth)]
    halves = [(random.standard_normal(shape) / 4).astype(np.float16) for shape in shapes]
    vectors = [random.standard_normal(tokens).astype(np.float32) for _ in range(2)]
    sums = np.zeros((max(tokens, QUERIES), depth), np.float32)
    return [*halves, *vectors, sums, *(np.zeros((keys, depth), np.float32) for _ in range(2)), tokens]


def is_changed(module: ttkit.Module) -> bool:
    """Runs the pass; whether a wgmma starts before the loop."""
    ttkit.run_passes(module, "ttkit-start-next-product")
    (loop,) = collect(module.operation, ["scf.for"])
    inside = collect(loop, ["ttng.warp_group_dot"])
    return any(product not in inside for product in collect(module.operation, ["ttng.warp_group_dot"]))


@pytest.mark.parametrize("tokens", [0, 64, 128, 320])
@pytest.mark.parametrize(("by", "warps"), [("store", 4), ("update", 4), ("descriptor", 4), ("update", 8)])
def test_results_are_the_same(by: str, warps: int, tokens: int) -> None:
    """As before the pass, bit by bit, with one iteration, several or none, and without a race."""
    with ttkit.Context():
        before, after = compiled(by, warps, 3), compiled(by, warps, 3)
        assert is_changed(after)
        results = []
        for module in (before, after):
            given = arguments(tokens, warps)
            ttkit.interpret(module, 1, given, race="groups,fences")
            results.append(given[6:9])
    assert all(np.array_equal(one, other) for one, other in zip(*results, strict=True))
    assert tokens == 0 or all(np.any(one) for one in results[0])


def test_operand_a_is_read_from_shared_memory_where_registers_are_few() -> None:
    """Eight warps with 128 columns: the transposed scores do not go through registers."""
    for warps, is_read in ((4, False), (8, True)):
        with ttkit.Context():
            module = compiled("update", warps, 3)
            assert is_changed(module)
            last = collect(module.operation, ["ttng.warp_group_dot"])[-2]
            assert (str(last.opview.a.type).startswith("!ttg.memdesc")) == is_read


def test_two_stages_are_left_alone() -> None:
    """The next tile would be waited for when its copy has just started."""
    with ttkit.Context():
        assert not is_changed(compiled("update", 4, 2))
