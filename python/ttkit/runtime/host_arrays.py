"""NumPy arrays as arguments: copied to the GPU for a launch, and what the kernel changed copied back.

A convenience, for tests and first steps: each launch copies, and waits for the kernel.  Arrays that share memory share
it on the GPU too, strides are kept, and so is the alignment that the kernel was compiled for.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ttkit.cuda import libcuda
from ttkit.cuda.device import DeviceMemory

if TYPE_CHECKING:
    import numpy as np

ALIGNMENT = 256  # of the driver's memory


def has_host_arrays(arguments: Sequence[Any]) -> bool:
    """Whether there is a NumPy array among the arguments, or in tuples among them."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and any(
        isinstance(value, numpy.ndarray) or (isinstance(value, tuple) and has_host_arrays(value)) for value in arguments
    )


class Region:
    """Memory of the host, from `low` to `high`, and its copy on the GPU."""

    def __init__(self, low: int, high: int) -> None:
        self.low, self.size = low, high - low
        self.memory = DeviceMemory(self.size + ALIGNMENT)
        self.start = self.memory.data_ptr() + low % ALIGNMENT
        libcuda.call("cuMemcpyHtoD_v2", self.start, low, self.size)

    def copy(self) -> np.ndarray:
        """The bytes that are on the GPU now."""
        import numpy

        found = numpy.empty(self.size, numpy.uint8)
        libcuda.call("cuMemcpyDtoH_v2", found.ctypes.data, self.start, self.size)
        return found


class HostArrays:
    """The NumPy arrays of one launch.

    Args:
        arguments: of the launch.
        types: of the arguments, as a signature has them: arrays passed for pointers to constants are not copied back.
    """

    def __init__(self, arguments: Sequence[Any], types: Sequence[Any]) -> None:
        self._arrays: list[tuple[np.ndarray, bool]] = []
        self._find(arguments, types)
        bounds = sorted(byte_bounds(array) for array, _ in self._arrays if array.size)
        merged: list[list[int]] = []
        for low, high in bounds:
            if merged and low < merged[-1][1]:
                merged[-1][1] = max(merged[-1][1], high)
            else:
                merged.append([low, high])
        self._regions = [Region(low, high) for low, high in merged]
        libcuda.call("cuStreamSynchronize", 0)  # the kernel's stream may not wait for these copies

    def _find(self, arguments: Sequence[Any], types: Sequence[Any]) -> None:
        import numpy

        for value, kind in zip(arguments, types):
            if isinstance(value, numpy.ndarray):
                self._arrays.append((value, not str(kind).startswith("*k") and value.flags.writeable))
            elif isinstance(value, tuple) and isinstance(kind, tuple):
                self._find(value, kind)

    def on_gpu(self, arguments: Sequence[Any]) -> list[Any]:
        """The arguments with addresses on the GPU in place of arrays."""
        import numpy

        return [
            self._address(value)
            if isinstance(value, numpy.ndarray)
            else tuple(self.on_gpu(value))
            if isinstance(value, tuple)
            else value
            for value in arguments
        ]

    def _address(self, array: np.ndarray) -> int:
        return self._region(array).start + array.ctypes.data - self._region(array).low if array.size else 0

    def _region(self, array: np.ndarray) -> Region:
        low, _ = byte_bounds(array)
        return next(region for region in self._regions if region.low <= low < region.low + region.size)

    def copy_back(self, stream: int) -> None:
        """Waits for the kernel, and writes what it may have changed into the arrays.

        Raises:
            KernelFault: it did something that ended it.
        """
        import numpy

        libcuda.call("cuStreamSynchronize", stream)
        changed = [array for array, is_output in self._arrays if is_output and array.size]
        copies = {id(region): region.copy() for region in {id(r): r for r in map(self._region, changed)}.values()}
        for array in changed:
            region = self._region(array)
            offset = array.ctypes.data - region.low
            array[...] = numpy.ndarray(array.shape, array.dtype, copies[id(region)], offset, array.strides)


def byte_bounds(array: np.ndarray) -> tuple[int, int]:
    """The addresses of the first byte of an array that has elements, and of the byte after its last."""
    low = high = array.ctypes.data
    for size, stride in zip(array.shape, array.strides):
        if stride < 0:
            low += (size - 1) * stride
        else:
            high += (size - 1) * stride
    return low, high + array.itemsize
