"""Arrays of numpy and of other frameworks that a kernel overwrites while it is tuned."""

import numpy as np
import pytest

import ttkit
import ttkit.language as tl
from ttkit.autotuning import kept_arrays
from ttkit.runtime import ArgumentError
from ttkit.runtime.driver import driver

CONFIGS = [ttkit.Config({"BLOCK": 16}), ttkit.Config({"BLOCK": 32})]


@ttkit.jit
def accumulate(x, out, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + index, tl.load(out + index, mask=index < n) + tl.load(x + index, mask=index < n), mask=index < n)


@pytest.fixture(autouse=True)
def on_the_cpu(monkeypatch):
    monkeypatch.setenv("TTKIT_DEVICE", "interpret:sm_90")
    driver.reset_active()
    yield
    driver.reset_active()


class Elements:
    """A part of `DeviceArray`'s interface, and of its memory's."""

    def __init__(self, array):
        self._array = array.copy()

    def numpy(self):
        """A copy, as from a GPU."""
        return self._array.copy()

    def copy_from(self, array):
        """Overwrites all."""
        self._array[...] = array


def tuned(**options):
    """The kernel with both configurations, each of which runs once while they are timed."""

    def bench(run, quantiles=None):
        run()
        return [1.0, 1.0, 1.0]

    return ttkit.autotune(configs=CONFIGS, key=["n"], do_bench=bench, **options)(accumulate)


def test_numpy_arrays_are_reset_and_restored():
    x, grid = np.ones(64, np.float32), lambda meta: (ttkit.cdiv(64, meta["BLOCK"]),)
    for option, first, expected in (("reset_to_zero", np.nan, 1), ("restore_value", 5, 6)):
        out = np.full(64, first, np.float32)
        tuned(**{option: ["out"]})[grid](x, out, 64)
        assert (out == expected).all(), option


def test_arrays_through_the_host():
    arrays = {"a": Elements(np.array([np.nan, 2])), "b": Elements(np.array([3, 4]))}
    copies = kept_arrays.copies_of(arrays, "b")
    kept_arrays.set_to_zero(arrays, "ab")
    assert not arrays["a"].numpy().any() and not arrays["b"].numpy().any()
    kept_arrays.write_back(arrays, copies)
    assert arrays["b"].numpy().tolist() == [3, 4]


def test_arrays_of_other_elements():
    base = np.array([1.5, 2.5], np.float32)
    arrays = {"x": ttkit.runtime.reinterpret(base, tl.int32)}
    copies = kept_arrays.copies_of(arrays, "x")
    kept_arrays.set_to_zero(arrays, "x")
    assert not base.any()
    kept_arrays.write_back(arrays, copies)
    assert base.tolist() == [1.5, 2.5]


def test_what_has_no_elements_to_assign():
    for change, option in ((kept_arrays.set_to_zero, "reset_to_zero"), (kept_arrays.copies_of, "restore_value")):
        with pytest.raises(ArgumentError, match=rf"{option} of autotune names 'n', .* found int; pass a tensor"):
            change({"n": 3}, ["n"])
