"""The most that the current GPU does, measured: what kernels are compared with."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import c_uint64
from typing import NamedTuple

import numpy as np

import ttkit.language as tl
from ttkit.cuda import libcuda
from ttkit.cuda.device import DeviceArray
from ttkit.language.jit_function import jit
from ttkit.runtime.cuda_events import DeviceInterface, Event

_COPIED = 256 << 20  # bytes, more than a cache holds
_SIZE = 4096  # of the square matrices
_RUNS = 5


class Roofs(NamedTuple):
    """The roofs of a GPU.

    bandwidth: bytes a second, read and written together, of a copy within its memory.
    products: operations a second of a product of f16 matrices.
    """

    bandwidth: float
    products: float


@jit
def product(a, b, c, N: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):  # type: ignore[no-untyped-def]
    """A block of c = a @ b for square matrices of N rows."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, N, BK):
        x = tl.load(a + rows[:, None] * N + (k + inner)[None, :])
        y = tl.load(b + (k + inner)[:, None] * N + columns[None, :])
        total = tl.dot(x, y, total)
    tl.store(c + rows[:, None] * N + columns[None, :], total.to(tl.float16))


def measured() -> Roofs:
    """Measures both: in a second, and 0.6 GB of the GPU's memory.

    Raises:
        DriverMissing: there is no GPU.
    """
    return Roofs(_bandwidth(), _products())


def _bandwidth() -> float:
    source, target = (DeviceArray(np.zeros(_COPIED, np.uint8)) for _ in range(2))

    def copy() -> None:
        """Starts one copy."""
        libcuda.call("cuMemcpyDtoDAsync_v2", c_uint64(target.data_ptr()), c_uint64(source.data_ptr()), _COPIED, 0)

    return 2 * _COPIED / _seconds(copy)


def _products() -> float:
    random = np.random.default_rng(0)
    a, b, c = (DeviceArray(random.standard_normal((_SIZE, _SIZE), np.float32).astype(np.float16)) for _ in range(3))
    grid = (_SIZE // 128, _SIZE // 256)

    def multiply() -> None:
        """Starts one product."""
        product[grid](a, b, c, _SIZE, BM=128, BN=256, BK=64, num_warps=8)

    return 2 * _SIZE**3 / _seconds(multiply)


def _seconds(run: Callable[[], None]) -> float:
    """The least time of a run, between events."""
    run()
    found = []
    for _ in range(_RUNS):
        start, end = Event(enable_timing=True), Event(enable_timing=True)
        start.record()
        run()
        end.record()
        DeviceInterface.synchronize()
        found.append(start.elapsed_time(end) / 1e3)
    return min(found)
