"""Kernels in Gluon that combine features give what NumPy gives; test_gluon.py compares their ttgir with Triton's."""

import ml_dtypes
import numpy as np
import pytest
from gluon_comparison import loaded_cases

from ttkit.language import gluon as gl
from ttkit.language.gluon.nvidia.hopper import TensorDescriptor
from ttkit.runtime import driver

RANDOM = np.random.default_rng(0)


@pytest.fixture(scope="module")
def run():
    """Launches a kernel of test/data/gluon by its name, on the CPU, for the target that it is for."""
    with loaded_cases() as (_, cases), pytest.MonkeyPatch.context() as changed:

        def launch(name, grid, *arguments, arch=90):
            case, _ = cases[f"{name}.{arch}"]
            changed.setenv("TTKIT_DEVICE", f"interpret:sm_{arch}")
            driver.reset_active()
            constants = case.constants.values()
            case.kernel[(grid,)](*arguments, *constants, **case.options)

        yield launch
    driver.reset_active()


def normal(*shape, dtype=np.float32):
    return RANDOM.standard_normal(shape).astype(dtype)


def f32(x):
    return x.astype(np.float32)


def described(x, block, swizzle=128, bits=16):
    return TensorDescriptor.from_tensor(x, block, gl.NVMMASharedLayout(swizzle, bits, len(block)))


def test_a_ring_of_copies_for_mma(run):
    a, b, c = normal(64, 96, dtype=np.float16), normal(96, 64, dtype=np.float16), np.zeros((64, 64), np.float16)
    run("async_mma", 1, a, b, c, 96)
    np.testing.assert_allclose(f32(c), f32(a) @ f32(b), atol=5e-2, rtol=1e-2)


def test_views_of_buffers(run):
    x, y = normal(4, 32, 64), np.zeros(512 + 2 * 2048, np.float32)
    run("buffer_views", 1, x, y)
    assert (y[:512].reshape(32, 16) == x[2, 16:32, 32:64].T).all()
    assert (y[512:2560] == x[3].ravel()).all()
    assert (y[2560:].view(np.int32) == x[3].ravel().view(np.int32) + 1).all()


def test_layouts_that_are_found(run):
    x, y = normal(5, 256), np.zeros((17, 256), np.float32)
    run("auto_loop", 1, x, y, 5)
    total = sum(2 * row if step % 2 == 0 else -row for step, row in enumerate(x))
    np.testing.assert_allclose(y[0], total, atol=1e-5)
    assert (y[1:] == x.max(0)).all()


def test_joined_and_split(run):
    x, y = normal(16, 64), np.zeros(4 * 1024, np.float32)
    run("join_split", 1, x, y)
    assert (y[:2048].reshape(2, 16, 64) == [x, 2 * x]).all()
    np.testing.assert_allclose(y[2048:2560], x.reshape(512, 2).sum(1), atol=1e-6)
    assert (y[3072:] == x.ravel()).all()


def test_padded_and_linear_layouts(run):
    x, y = normal(32, 64), np.zeros((32, 64), np.float32)
    run("padded", 1, x, y)
    assert (y == x + (x + 1)).all()
    x, y = normal(32, 32), np.zeros((32, 32), np.float32)
    run("linear", 1, x, y)
    np.testing.assert_allclose(y, x - x.sum(1, keepdims=True), atol=1e-5)


@pytest.mark.parametrize("which", [0, 1])
def test_buffers_that_change_names(run, which):
    x, y = normal(2, 128), np.zeros(128, np.float32)
    run("chosen", 1, x, y, which, 5)
    np.testing.assert_allclose(y, (9 if which else 0) * x[0] + (6 if which else 15) * x[1], atol=1e-4)


@pytest.mark.parametrize("programs", [1, 2, 4])
def test_three_roles(run, programs):
    a, b, c = normal(128, 256, dtype=np.float16), normal(256, 128, dtype=np.float16), np.zeros((128, 128), np.float16)
    run("three_roles", programs, *(described(each, [64, 64]) for each in (a, b, c)), 4)
    np.testing.assert_allclose(f32(c), f32(a) @ f32(b), atol=0.1, rtol=1e-2)


def test_softmax_between_products(run):
    a, b, q = (normal(64, 64, dtype=ml_dtypes.bfloat16) for _ in range(3))
    c = np.zeros((64, 64), np.float32)
    run("wgmma_mixed", 1, a, described(b, [64, 64]), c, described(q, [64, 64]))
    scores = f32(a) @ f32(b).T
    e = np.exp(scores - scores.max(1, keepdims=True))
    wanted = 2 * (f32(e.astype(ml_dtypes.bfloat16)) @ f32(q)) / e.sum(1, keepdims=True)
    np.testing.assert_allclose(c, wanted, atol=3e-2)


def test_values_of_the_first_role(run):
    x, out = normal(128), np.zeros((2, 8, 128), np.float32)
    run("returns_values", 1, x, out, 3)
    np.testing.assert_allclose(out[0, :3], np.tile(np.cumsum(2 * x + 1), (3, 1)), atol=1e-3)
    np.testing.assert_allclose(out[1, :3], 6 * x + 3 + np.arange(3)[:, None], atol=1e-4)


@pytest.mark.parametrize(("tiles", "programs"), [(5, 2), (4, 1), (3, 4)])
def test_persistent_programs(run, tiles, programs):
    kind = ml_dtypes.float8_e5m2
    a, b, c = normal(128 * tiles, 256, dtype=kind), normal(64, 256, dtype=kind), np.zeros((128 * tiles, 64), np.float16)
    operands = described(a, [128, 64], 64, 8), described(b, [64, 64], 64, 8), described(c, [128, 64])
    run("persistent", programs, *operands, tiles, 4)
    np.testing.assert_allclose(f32(c), f32(a) @ f32(b).T, atol=0.1, rtol=1e-2)


def test_products_in_tensor_memory(run):
    a, b, c = normal(128, 64, dtype=np.float16), normal(64, 128, dtype=np.float16), np.zeros((128, 128), np.float32)
    run("tmem_chain", 1, described(a, [128, 64]), described(b, [64, 128]), c, arch=100)
    np.testing.assert_allclose(c, 4 * (f32(a) @ f32(b)), atol=1e-2)


def test_rows_by_tma(run):
    x, y, rows = normal(100, 128), np.zeros((100, 64), np.float32), RANDOM.permutation(100)[:32].astype(np.int32)
    run("doubled_rows", 1, described(x, [1, 32], 128, 32), described(y, [1, 32], 128, 32), rows, arch=100)
    wanted = np.zeros_like(y)
    wanted[rows, :32] = 2 * x[rows, 32:64]
    assert (y == wanted).all()


def test_pairs(run):
    x, y = normal(32, 64), np.zeros(32 + 2048, np.float32)
    run("sum_f2", 1, x, y, arch=100)
    np.testing.assert_allclose(y[32:].reshape(32, 64), 1 + x, atol=1e-4)
    np.testing.assert_allclose(y[:32], (1 + x).sum(1), atol=1e-3)
