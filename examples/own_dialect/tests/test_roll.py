"""`rotate` in kernels: interpreted, as Python, and compiled to PTX.  No GPU is needed."""

import numpy as np
import pytest
import roll

import ttkit
import ttkit.language as tl


@ttkit.jit
def kernel(x_ptr, out_ptr, SHIFT: tl.constexpr, AXIS: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    place = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(out_ptr + place, roll.rotate(tl.load(x_ptr + place), SHIFT, AXIS))


@pytest.mark.parametrize("shift, axis", [(1, 0), (5, 1), (-3, -1)])
@pytest.mark.parametrize("variable", ["TTKIT_DEVICE=interpret:sm_90", "TRITON_INTERPRET=1"])
def test_results(monkeypatch, variable, shift, axis):
    monkeypatch.setenv(*variable.split("="))
    x, out = np.random.default_rng(0).random((16, 32), np.float32), np.zeros((16, 32), np.float32)
    ttkit.jit(kernel.fn)[(1,)](x, out, shift, axis, 16, 32)
    assert np.array_equal(out, np.roll(x, -shift, axis))


def test_ptx(monkeypatch):
    """A warp has whole rows: nothing goes through shared memory."""
    monkeypatch.setenv("TTKIT_DEVICE", "sm_90")
    x = np.zeros((16, 32), np.float32)
    compiled = kernel.warmup(x, x, 1, 1, 16, 32, grid=(1,))
    assert "shfl.sync" in compiled.asm["ptx"] and compiled.metadata.shared == 0
