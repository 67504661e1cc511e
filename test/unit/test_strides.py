"""Strides of tensors of pointers."""

import pytest

import ttkit
import ttkit.language as tl
from ttkit.analysis.strides import StrideAnalysis
from ttkit.inspection import collect


@ttkit.jit
def known(x, n, N: tl.constexpr):
    i, j = tl.arange(0, 8)[:, None], tl.arange(0, 16)[None, :]
    tl.store(x + i * 64 - j * 2 + n, 0.0)


@ttkit.jit
def unknown(x, n, N: tl.constexpr):
    i, j = tl.arange(0, 8)[:, None], tl.arange(0, 16)[None, :]
    tl.store(x + i * n + j * 2, 0.0)


@ttkit.jit
def divided(x, n, N: tl.constexpr):
    i, j = tl.arange(0, 8)[:, None], tl.arange(0, 16)[None, :]
    tl.store(x + i // n * 4 + j % 4 + tl.zeros([8, 16], tl.int32), 0.0)


@ttkit.jit
def turned(x, n, N: tl.constexpr):
    i, j = tl.arange(0, 8)[:, None], tl.arange(0, 16)[None, :]
    tl.store(x + tl.trans(i * 64 + j * 3), 0.0)


@ttkit.jit
def carried(x, n, N: tl.constexpr):
    p = x + tl.arange(0, 8)[:, None] * 64 + tl.arange(0, 16)[None, :]
    for _ in range(n):
        p += 1024
        tl.store(p, 0.0)


@pytest.mark.parametrize(
    ("kernel", "strides"),
    [(known, (64, -2)), (unknown, (None, 2)), (divided, (None, None)), (turned, (3, 64)), (carried, (64, 1))],
)
def test_strides(kernel, strides):
    with ttkit.Context():
        source = ttkit.ASTSource(kernel, {"x": "*fp32", "n": "i32", "N": "constexpr"}, {"N": 1})
        module = source.make_ir(ttkit.GPUTarget("cuda", 90, 32))
        ttkit.run_passes(module, "inline,canonicalize")
        (store,) = collect(module.operation, ["tt.store"])
        assert StrideAnalysis().strides(store.operands[0]) == strides


@ttkit.jit
def squared(x, n, N: tl.constexpr):
    i = tl.arange(0, 8)[:, None] + tl.arange(0, 16)[None, :]
    for _ in tl.static_range(64):
        i = i * i + i
    tl.store(x + i, 0.0)


def test_values_that_are_used_twice_are_followed_once():
    """Each square uses its value twice: 2 ** 64 ways lead to the range."""
    test_strides(squared, (None, None))
