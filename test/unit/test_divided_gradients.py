"""Gradients of attention whose results need more registers than four warps have: divided, and still right."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ttkit
import ttkit.language as tl
from ttkit.inspection import collect
from ttkit.options import CompileOptions

ROWS, TOKENS, DEPTH, COLUMNS = 128, 192, 128, 32


@ttkit.jit
def gradients(q, k, v, d, logarithms, sums, dk, dv, n, DEPTH: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """The gradients of keys and values; vectors are loaded beside the tiles."""
    rows, depth, columns = tl.arange(0, ROWS), tl.arange(0, DEPTH), tl.arange(0, COLUMNS)
    keys = tl.load(k + rows[:, None] * DEPTH + depth[None, :])
    values = tl.load(v + rows[:, None] * DEPTH + depth[None, :])
    to_keys = tl.zeros([ROWS, DEPTH], tl.float32)
    to_values = tl.zeros([ROWS, DEPTH], tl.float32)
    queries = q + columns[None, :] * DEPTH + depth[:, None]
    outputs = d + columns[:, None] * DEPTH + depth[None, :]
    for start in range(0, n, COLUMNS):
        query = tl.load(queries)
        logarithm = tl.load(logarithms + start + columns)
        share = tl.exp2(tl.dot(keys, query) - logarithm[None, :])
        output = tl.load(outputs)
        to_values += tl.dot(share.to(tl.float16), output)
        total = tl.load(sums + start + columns)
        change = share * (tl.dot(values, tl.trans(output)) - total[None, :])
        to_keys += tl.dot(change.to(tl.float16), tl.trans(query))
        queries += COLUMNS * DEPTH
        outputs += COLUMNS * DEPTH
    tl.store(dv + rows[:, None] * DEPTH + depth[None, :], to_values)
    tl.store(dk + rows[:, None] * DEPTH + depth[None, :], to_keys)


def compiled(stages: int) -> ttkit.Module:
    """The kernel with layouts, for four warps of an sm_90."""
    types = {**dict.fromkeys("qkvd", "*fp16"), **dict.fromkeys(("logarithms", "sums", "dk", "dv"), "*fp32"), "n": "i32"}
    sizes = {"DEPTH": DEPTH, "ROWS": ROWS, "COLUMNS": COLUMNS}
    signature = {name: types.get(name, "constexpr") for name in gradients.arg_names}
    hints = {(i,): [["tt.divisibility", 16]] for i in range(9)}
    options = CompileOptions.for_capability(90, num_warps=4, num_stages=stages)
    source = ttkit.ASTSource(gradients, signature, sizes, hints)
    module = source.make_ir(ttkit.GPUTarget("cuda", 90, 32), options)
    ttkit.run_passes(module, "ttkit-ttir{capability=90}")
    ttkit.run_passes(module, f"ttkit-ttgir{{capability=90 num-warps=4 num-stages={stages}}}")
    return module


def arguments() -> list[Any]:
    """Random arguments of the kernel."""
    random = np.random.default_rng(0)
    shapes = [(TOKENS, DEPTH), (ROWS, DEPTH), (ROWS, DEPTH), (TOKENS, DEPTH)]
    halves = [(random.standard_normal(shape) / 4).astype(np.float16) for shape in shapes]
    vectors = [random.standard_normal(TOKENS).astype(np.float32) for _ in range(2)]
    return [*halves, *vectors, *(np.zeros((ROWS, DEPTH), np.float32) for _ in range(2)), TOKENS]


def expected(q: Any, k: Any, v: Any, d: Any, logarithms: Any, sums: Any, *_: Any) -> tuple[Any, Any]:
    """Both gradients, by NumPy."""
    q, k, v, d = (one.astype(np.float32) for one in (q, k, v, d))
    share = np.exp2(k @ q.T - logarithms[None, :])
    change = share * (v @ d.T - sums[None, :])
    return change.astype(np.float16).astype(np.float32) @ q, share.astype(np.float16).astype(np.float32) @ d


@pytest.mark.parametrize("stages", [2, 5])
def test_divided_gradients_are_right(stages: int) -> None:
    """Each thread's products start early and are waited for late, without a race."""
    given = arguments()
    with ttkit.Context():
        module = compiled(stages)
        assert collect(module.operation, ["ttg.warp_specialize"])
        ttkit.run_passes(module, "ttkit-overlap-products,ttkit-release-late,ttkit-start-products-early")
        products = collect(module.operation, ["ttng.warp_group_dot"])
        assert products and all(product.opview.isAsync for product in products)
        ttkit.interpret(module, 1, given, race="groups,fences")
    for found, right in zip(given[6:8], expected(*given), strict=True):
        np.testing.assert_allclose(found, right, rtol=2e-3, atol=2e-2)


def test_memory_is_what_was_planned() -> None:
    """As many slots as fit: one more would not."""
    with ttkit.Context():
        module = compiled(12)
        ttkit.run_passes(module, "allocate-shared-memory-nv{compute-capability=90 ptx-version=87}")
        used = module.operation.attributes["ttg.shared"].value
    slot = 2 * 2 * COLUMNS * DEPTH
    assert 232448 - slot < used <= 232448
