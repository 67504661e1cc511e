"""Functions of elements in kernels: interpreted, as Python, and compiled to PTX.  No GPU is needed."""

import each
import numpy as np
import pytest

import ttkit
import ttkit.language as tl


@ttkit.jit
def larger_first(a, b):
    return tl.maximum(a, b), tl.minimum(a, b) * 2


@ttkit.jit
def kernel(x_ptr, y_ptr, least, TIMES: tl.constexpr, N: tl.constexpr):
    place = tl.program_id(0) * N + tl.arange(0, N)
    x, y = each.map((tl.load(x_ptr + place), tl.load(y_ptr + place)), larger_first, TIMES)
    within = each.limits(least, None)
    for _ in range(2):
        within = each.limits(least + tl.program_id(0), 1.5)  # carried by a loop
    tl.store(x_ptr + place, x)
    tl.store(y_ptr + place, each.clamp(y, within))


def expected(x, y, least, times):
    for _ in range(times):
        x, y = np.maximum(x, y), np.minimum(x, y) * 2
    least = np.repeat(least + np.arange(2, dtype=np.float32), len(x) // 2)
    return x, np.minimum(np.maximum(y, least), np.float32(1.5))


@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize("variable", ["TTKIT_DEVICE=interpret:sm_90", "TRITON_INTERPRET=1"])
def test_results(monkeypatch, variable, times):
    monkeypatch.setenv(*variable.split("="))
    x, y = np.random.default_rng(0).random((2, 64), np.float32)
    wanted = expected(x, y, np.float32(0.25), times)
    ttkit.jit(kernel.fn)[(2,)](x, y, 0.25, times, 32)
    assert np.array_equal(x, wanted[0]) and np.array_equal(y, wanted[1])


def test_ptx(monkeypatch):
    monkeypatch.setenv("TTKIT_DEVICE", "sm_90")
    x = np.zeros(64, np.float32)
    compiled = kernel.warmup(x, x, 0.25, 1, 32, grid=(2,))
    assert "!each.limits<f32>" in compiled.asm["ttgir"] and "max" in compiled.asm["ptx"]
