"""Gradients of attention in one loop: the next iteration's first product starts early, and results stay right."""

from __future__ import annotations

import numpy as np
import pytest
from gradient_kernels import DEPTHS, QUERIES, arguments, expected, gradients, sizes_of

import ttkit
from ttkit.inspection import collect
from ttkit.options import CompileOptions


def compiled(by: str, warps: int, stages: int) -> ttkit.Module:
    """The kernel in ttg, for an sm_90, with copies early."""
    halves = dict.fromkeys("qkvd", "*fp16")
    vectors = dict.fromkeys(("logarithms", "sums", "dk", "dv"), "*fp32")
    sums = f"tensordesc<fp32[{QUERIES},{DEPTHS[warps]}]>" if by == "descriptor" else "*fp32"
    types = {**halves, **vectors, "dq": sums, "n": "i32"}
    sizes = sizes_of(by, warps)
    signature = {name: types.get(name, "constexpr") for name in gradients.arg_names}
    hints = {(i,): [["tt.divisibility", 16]] for i in range(10) if i != 6 or by != "descriptor"}
    options = CompileOptions.for_capability(90, num_warps=warps, num_stages=stages)
    module = ttkit.ASTSource(gradients, signature, sizes, hints).make_ir(ttkit.GPUTarget("cuda", 90, 32), options)
    ttkit.run_passes(module, "ttkit-ttir{capability=90}")
    ttkit.run_passes(module, f"ttkit-ttgir{{capability=90 num-warps={warps} num-stages={stages}}}")
    ttkit.run_passes(module, "ttkit-start-copies-early")
    return module


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
    for found, right in zip(results[0], expected(given), strict=True):
        np.testing.assert_allclose(found, right, rtol=2e-3, atol=2e-2)


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
