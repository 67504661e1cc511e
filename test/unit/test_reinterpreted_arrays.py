"""Arrays of numpy whose elements a kernel on the CPU takes for another type: `reinterpret(array, dtype)`."""

import numpy as np
import pytest

import ttkit
import ttkit.language as tl
from ttkit.runtime import reinterpret
from ttkit.runtime.driver import driver


@ttkit.jit
def copy(x, out):
    index = tl.arange(0, 4)
    tl.store(out + index, tl.load(x + index))


@pytest.fixture
def on_the_cpu(monkeypatch):
    monkeypatch.setenv("TTKIT_DEVICE", "interpret:sm_90")
    driver.reset_active()
    yield
    driver.reset_active()


@pytest.mark.parametrize("interpret", [False, True])
@pytest.mark.parametrize(
    "array, dtype, expected",
    [
        (np.array([1, -2, 0.5, 0], np.float32), tl.int32, np.array([0x3F800000, -0x40000000, 0x3F000000, 0], np.int32)),
        (np.array([0x3FC0, 0xC000, 0, 0x7F80], np.uint16), tl.bfloat16, np.array([1.5, -2, 0, np.inf], np.float32)),
        (np.array([0x3C, 0xC0, 0, 0x38], np.uint8), tl.float8e5, np.array([1, -2, 0, 0.5], np.float32)),
        (np.array([-1, 2, 3, 4], np.int64), tl.uint64, np.array([2**64 - 1, 2, 3, 4], np.uint64)),
    ],
)
def test_numpy_arrays_of_other_elements(on_the_cpu, array, dtype, expected, interpret):
    kernel = ttkit.jit(copy.fn, interpret=True) if interpret else copy
    found, back = np.zeros_like(expected), np.zeros_like(array)
    kernel[(1,)](reinterpret(array, dtype), found)
    np.testing.assert_array_equal(found, expected)
    kernel[(1,)](found, reinterpret(back, dtype))
    np.testing.assert_array_equal(back, array)


def test_arrays_of_the_host_are_not_taken_for_ones_of_the_gpu():
    array = np.zeros(4, np.float32)
    assert not reinterpret(array, tl.int32).is_cuda
    assert reinterpret(array, tl.int32).data_ptr() == array.ctypes.data


def test_numbers_are_not_taken_for_others():
    with pytest.raises(TypeError, match="Cannot reinterpret a <class 'int'>"):
        reinterpret(3, tl.int32)
