"""The examples in Gluon run in the interpreter: results of several shapes, and of rings of several depths."""

import importlib
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from ttkit.language import gluon
from ttkit.language import gluon as gl
from ttkit.language.gluon.nvidia.blackwell import (
    TensorDescriptor,
    TensorMemoryLayout,
    TensorMemoryScalesLayout,
    allocate_tensor_memory,
    float2,
    get_tmem_reg_layout,
    mbarrier,
    tcgen05_mma_scaled,
    tma,
)
from ttkit.runtime import driver

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def load(tmp_path_factory, monkeypatch):
    """Loads an example, for a GPU that the interpreter stands in for."""
    before = set(sys.modules)
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path_factory.getbasetemp() / "gluon"))
    monkeypatch.syspath_prepend(str(EXAMPLES))

    def loaded(name, device):
        monkeypatch.setenv("TTKIT_DEVICE", f"interpret:{device}")
        driver.reset_active()
        return importlib.import_module(name)

    yield loaded
    driver.reset_active()
    for name in {"showing", *(name for name in sys.modules if name.startswith("gluon_"))} - before:
        sys.modules.pop(name, None)


def numbers(*shape):
    return np.random.default_rng(0).standard_normal(shape).astype(np.float16)


@pytest.mark.parametrize(
    ("name", "device"),
    [
        ("gluon_tma_copy", "sm_90"),
        ("gluon_wgmma", "sm_90"),
        ("gluon_warp_roles", "sm_90"),
        ("gluon_attention", "sm_90"),
        ("gluon_tcgen05", "sm_100"),
    ],
)
def test_examples_run(name, device, load):
    load(name, device).main()


@pytest.mark.parametrize("stages", [2, 3, 5])
@pytest.mark.parametrize(
    ("name", "device"), [("gluon_wgmma", "sm_90"), ("gluon_warp_roles", "sm_90"), ("gluon_tcgen05", "sm_100")]
)
def test_products_with_rings_of_several_depths(name, device, stages, load):
    a, b = numbers(64, 200), numbers(32, 200)
    blocks = {"M": 128} if name == "gluon_tcgen05" else {"M": 64}
    found = load(name, device).product(a, b, **blocks, N=32, K=64, STAGES=stages)
    assert np.allclose(found, a.astype(np.float32) @ b.T.astype(np.float32), atol=2e-2, rtol=1e-2)


@gluon.jit
def pairs(src, dst, N: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [8, 4], [4, 1], [1, 0])
    row, column = gl.arange(0, 32, gl.SliceLayout(1, layout)), gl.arange(0, N, gl.SliceLayout(0, layout))
    x = float2.pack(gl.load(src + row[:, None] * N + column[None, :]), axis=1)
    y = float2.fma(x, float2.full_like(x, gl.to_tensor(2.0)), x * x - x) + x
    first, second = float2.unpack2(y.sum(axis=1))
    value = gl.convert_layout(float2.unpack(y, axis=1), layout)
    gl.store(dst + row[:, None] * N + column[None, :], value)
    gl.store(dst + 32 * N + gl.arange(0, 32, first.type.layout), first + second)


def test_pairs_of_numbers(load):
    load("showing", "sm_100")
    x, result = numbers(32, 64).astype(np.float32), np.zeros(33 * 64, np.float32)
    pairs[(1,)](x, result, 64)
    wanted = x * x + 2 * x
    assert np.allclose(result[: 32 * 64].reshape(32, 64), wanted, atol=1e-5)
    assert np.allclose(result[32 * 64 :][:32], wanted.sum(1), atol=1e-3)


@gluon.jit
def scaled(a_rows, scales, dst, FORMAT: gl.constexpr):
    """a @ a.T, the right operand read in another format than its type says."""
    memory: gl.constexpr = TensorMemoryLayout((128, 128), 1)
    scale_memory: gl.constexpr = TensorMemoryScalesLayout()
    a = gl.allocate_shared_memory(gl.float8e4nv, [128, 128], a_rows.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, 128 * 128)
    tma.async_copy_global_to_shared(a_rows, [0, 0], bar, a)
    registers: gl.constexpr = get_tmem_reg_layout(gl.int8, (128, 4), scale_memory, 4)
    row, column = gl.arange(0, 128, gl.SliceLayout(1, registers)), gl.arange(0, 4, gl.SliceLayout(0, registers))
    loaded = gl.load(scales + row[:, None] * 4 + column[None, :])
    scale = allocate_tensor_memory(gl.int8, [128, 4], scale_memory, loaded)
    acc = allocate_tensor_memory(gl.float32, [128, 128], memory)
    mbarrier.wait(bar, 0)
    tcgen05_mma_scaled(a, a.permute([1, 0]), acc, scale, scale, "e4m3", FORMAT, use_acc=False, mbarriers=[bar])
    mbarrier.wait(bar, 1)
    layout: gl.constexpr = get_tmem_reg_layout(gl.float32, (128, 128), memory, 4)
    row, column = gl.arange(0, 128, gl.SliceLayout(1, layout)), gl.arange(0, 128, gl.SliceLayout(0, layout))
    gl.store(dst + row[:, None] * 128 + column[None, :], acc.load(layout))


@pytest.mark.parametrize(("format", "dtype"), [("e4m3", ml_dtypes.float8_e4m3fn), ("e5m2", ml_dtypes.float8_e5m2)])
def test_scaled_products(format, dtype, load):
    load("showing", "sm_100")
    rng = np.random.default_rng(0)
    a = rng.integers(-2, 3, (128, 128)).astype(ml_dtypes.float8_e4m3fn)
    scales, result = rng.integers(120, 127, (128, 4)).astype(np.int8), np.zeros((128, 128), np.float32)
    scaled[(1,)](TensorDescriptor.from_tensor(a, [128, 128], gl.NVMMASharedLayout(128, 8)), scales, result, format)
    wide = np.repeat(2.0 ** (scales.astype(np.float32) - 127), 32, axis=1)
    assert np.allclose(result, (a.astype(np.float32) * wide) @ (a.view(dtype).astype(np.float32) * wide).T)
