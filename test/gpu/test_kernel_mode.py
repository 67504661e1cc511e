"""Kernels that run as Python with arrays that lie on a GPU: they are copied to the CPU, and back."""

import ml_dtypes
import numpy as np
import pytest

import ttkit
import ttkit.language as tl
from ttkit.runtime import DeviceArray


@ttkit.jit(interpret=True)
def scaled(x, out, n, factor, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + index, tl.load(x + index, mask=index < n) * factor, mask=index < n)


@ttkit.jit(interpret=True)
def through_a_table(table, out, N: tl.constexpr):
    row = tl.load(table + tl.program_id(0)).to(tl.pointer_type(tl.float32))
    index = tl.arange(0, N)
    tl.store(out + tl.program_id(0) * N + index, tl.load(row + index))


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int32, ml_dtypes.bfloat16])
def test_arrays_of_the_device(dtype):
    values = np.arange(100).astype(dtype)
    x, out = DeviceArray(values), DeviceArray(np.zeros(100, dtype))
    scaled[(4,)](x, out, 100, 2, BLOCK=32)
    np.testing.assert_array_equal(out.numpy(), values * dtype(2))
    np.testing.assert_array_equal(x.numpy(), values)


def test_the_same_as_on_the_gpu():
    values = np.random.default_rng(0).standard_normal(1000).astype(np.float32)
    compiled = ttkit.jit(scaled.fn)
    x, here, there = DeviceArray(values), DeviceArray(np.zeros_like(values)), DeviceArray(np.zeros_like(values))
    scaled[(8,)](x, here, 1000, 1.5, BLOCK=128)
    compiled[(8,)](x, there, 1000, 1.5, BLOCK=128)
    np.testing.assert_array_equal(here.numpy(), there.numpy())


def test_torch():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    for dtype in (torch.float32, torch.bfloat16, torch.float16):
        x = torch.randn(10, 100, device="cuda").to(dtype)
        out = torch.zeros(100, device="cuda", dtype=dtype)
        scaled[(4,)](x[3], out, 100, 2.0, BLOCK=32)
        assert torch.equal(out, x[3] * 2)
    rows = [torch.randn(16, device="cuda") for _ in range(3)]
    out = torch.zeros(48, device="cuda")
    through_a_table[(3,)](torch.tensor([row.data_ptr() for row in rows], device="cuda"), out, 16)
    assert torch.equal(out, torch.cat(rows))


def test_cupy():
    cupy = pytest.importorskip("cupy", reason="CuPy is not installed")
    x, out = cupy.arange(100, dtype=cupy.float32), cupy.zeros(100, cupy.float32)
    scaled[(4,)](x, out, 100, 2.0, BLOCK=32)
    assert (out == x * 2).all()
