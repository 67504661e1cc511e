"""`CublasLt` without a GPU: a libcublasLt that multiplies on the host, and refusals."""

import ctypes
import gc
import subprocess

import numpy as np
import pytest
from fake_driver import _FLAGS, SOURCE

import ttkit.compat
from ttkit.compat import cublas


class Tensor:
    """As much of a tensor of torch as products look at."""

    def __init__(self, values, dtype=None):
        self.values = np.ascontiguousarray(values)
        self.shape, self.dtype = self.values.shape, dtype or f"torch.{self.values.dtype}"

    def data_ptr(self):
        return self.values.ctypes.data

    def numel(self):
        return self.values.size

    def element_size(self):
        return self.values.itemsize


@pytest.fixture(scope="module")
def fake(tmp_path_factory):
    path = tmp_path_factory.mktemp("cublas") / "libfakeLt.so"
    made = subprocess.run(["gcc", *_FLAGS[:3], "-o", path, SOURCE.with_name("libcublasLt.c")], capture_output=True)
    if made.returncode:
        pytest.skip("no C compiler that knows _Float16")
    lib = ctypes.CDLL(str(path))
    lib.fake_cublas_workspace.restype = ctypes.c_uint64
    return lib


@pytest.fixture
def cublas_lt(fake, gpu, monkeypatch):
    """A CublasLt whose library is the one above."""
    monkeypatch.setattr(cublas, "_NAMES", ())
    monkeypatch.setattr(cublas, "candidates", lambda: iter([fake._name]))
    cublas.library.cache_clear()
    ttkit.compat.install(children=False)
    try:
        from triton._C.libtriton import nvidia

        yield nvidia.cublas.CublasLt(Tensor(np.zeros(64, np.uint8)))
    finally:
        ttkit.compat.uninstall()
        gc.collect()
        cublas.library.cache_clear()


def random(*shape):
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(np.float32)


def test_products_of_rows(cublas_lt, fake):
    a, b, c = random(3, 5), random(4, 5), Tensor(np.zeros((3, 4), np.float32))
    assert cublas_lt.matmul(Tensor(a), Tensor(b), c) is None
    np.testing.assert_allclose(c.values, a @ b.T, rtol=1e-5)
    assert fake.fake_cublas_compute() == 77 and fake.fake_cublas_workspace() == 64  # TF32

    added = Tensor(random(3, 4).astype(np.float16))
    cublas_lt.gemm(Tensor(a), Tensor(b), added, c, 2.0, -1)
    np.testing.assert_allclose(c.values, 2 * a @ b.T - added.values, rtol=1e-3, atol=1e-3)
    assert fake.fake_cublas_added() == 2


def test_types_of_float8(cublas_lt, fake):
    """The addend has type float16, and sums are kept in what the tensor core has."""
    operands = [Tensor(np.zeros((16, 16), np.uint8), "torch.float8_e4m3fn") for _ in range(3)]
    with pytest.raises(RuntimeError, match="cuBLAS Error: 15, of cublasLtMatmul"):  # not known to this library
        cublas_lt.matmul(*operands)
    assert (fake.fake_cublas_compute(), fake.fake_cublas_fast(), fake.fake_cublas_added()) == (68, 1, 2)


def test_nothing_is_left(cublas_lt, fake):
    before = fake.fake_cublas_alive()
    other = cublas.CublasLt(Tensor(np.zeros(8, np.uint8)))
    fake.fake_cublas_no_algorithm(1)
    try:
        with pytest.raises(RuntimeError, match="No valid algorithm found"):
            other.matmul(*[Tensor(random(4, 4)) for _ in range(3)])
    finally:
        fake.fake_cublas_no_algorithm(0)
    assert fake.fake_cublas_alive() == before + 2
    del other
    gc.collect()
    assert fake.fake_cublas_alive() == before


@pytest.mark.parametrize(
    "shapes, dtype, message",
    [
        (((4, 4), (4, 4), (4, 4)), "torch.float64", "Unsupported data type. It is torch.float64; use one of float8"),
        (((4, 4), (4,), (4, 4)), None, "Only 2D matrices"),
        (((3, 5), (5, 4), (3, 4)), None, r"A is \[3, 5\], B is \[5, 4\]. Expected A.shape\[1\] == B.shape\[1\]. Note"),
        (((3, 5), (4, 5), (4, 4)), None, r"Expected A.shape\[0\] == C.shape\[0\]\.$"),
        (((3, 5), (4, 5), (3, 5)), None, r"B is \[4, 5\], C is \[3, 5\]. Expected B.shape\[0\] == C.shape\[1\]. Note"),
    ],
)
def test_what_does_not_fit(cublas_lt, shapes, dtype, message):
    with pytest.raises(RuntimeError, match=message):
        cublas_lt.matmul(*[Tensor(random(*shape), dtype) for shape in shapes])


def test_addends_that_do_not_fit(cublas_lt):
    a, half = Tensor(random(4, 4)), Tensor(np.zeros((4, 5), np.float16))
    with pytest.raises(RuntimeError, match="Data types do not match"):
        cublas_lt.matmul(a, a, half)
    with pytest.raises(RuntimeError, match=r"C dtype must be float16, got torch\.float32"):
        cublas_lt.gemm(a, a, a, a, 1, 1)
    with pytest.raises(RuntimeError, match=r"C and D shapes must match: C is \[4, 5\], D is \[4, 4\]"):
        cublas_lt.gemm(a, a, half, a, 1, 1)


def test_without_the_library(monkeypatch):
    monkeypatch.setattr(cublas, "_NAMES", ("libcublasLt.so.0",))
    monkeypatch.setattr(cublas, "candidates", lambda: iter(["libcublasLt.so.0"]))
    cublas.library.cache_clear()
    with pytest.raises(RuntimeError, match=r"Could not find `libcublasLt\.so`: install torch or the wheel"):
        cublas.CublasLt(Tensor(np.zeros(8, np.uint8)))
    cublas.library.cache_clear()


def test_places_of_the_library(monkeypatch, tmp_path):
    """A toolkit's, then the system's."""
    (tmp_path / "lib64").mkdir()
    for name in ("libcublasLt.so.12", "libcublasLt.so.12.9.1"):
        (tmp_path / "lib64" / name).touch()
    monkeypatch.setattr(cublas, "toolkit_folders", lambda: (str(tmp_path),))
    found = [*cublas.candidates()]
    assert found[0] == str(tmp_path / "lib64" / "libcublasLt.so.12") and found[-1] == "libcublasLt.so"
