"""The GPU that is current, and memory on it."""

from __future__ import annotations

import functools
from ctypes import byref, c_int, c_uint64, c_void_p, create_string_buffer
from typing import Any

import numpy as np

from ttkit.runtime import driver


def current_context() -> int:
    """The driver's current context; that of the first GPU if there is none yet, as other packages use it.

    Raises:
        DriverMissing: there is no driver, or no GPU.
    """
    context, lib = c_void_p(), driver.library()
    if lib.cuCtxGetCurrent(byref(context)) == 0 and context.value:
        return context.value
    device = c_int()
    driver.call("cuDeviceGet", byref(device), 0)
    driver.call("cuDevicePrimaryCtxRetain", byref(context), device)
    driver.call("cuCtxSetCurrent", context)
    assert context.value is not None
    return context.value


class Device:
    """A GPU."""

    def __init__(self, ordinal: int) -> None:
        self.ordinal = ordinal
        text = create_string_buffer(128)
        driver.call("cuDeviceGetName", text, 128, ordinal)
        self.name = text.value.decode()

    @classmethod
    def current(cls) -> Device:
        """The GPU of the current context.

        Raises:
            DriverMissing: there is no driver, or no GPU.
        """
        current_context()
        ordinal = c_int()
        driver.call("cuCtxGetDevice", byref(ordinal))
        return _device(ordinal.value)

    @functools.cached_property
    def properties(self) -> dict[str, int]:
        """What Triton calls device properties: sizes in bytes, clock rates in kHz, bus width in bits."""
        found = {}
        for name, attribute in driver.DEVICE_ATTRIBUTES.items():
            value = c_int()
            driver.call("cuDeviceGetAttribute", byref(value), attribute, self.ordinal)
            found[name] = value.value
        return found

    @property
    def capability(self) -> int:
        """90 for compute capability 9.0."""
        return 10 * self.properties["capability_major"] + self.properties["capability_minor"]


@functools.cache
def _device(ordinal: int) -> Device:
    return Device(ordinal)


def synchronize() -> None:
    """Waits until all that was launched has ended.

    Raises:
        KernelFault: a kernel did something that ended it; names the kernels that it may be.
    """
    driver.call("cuCtxSynchronize")
    driver.recent.clear()


class DeviceArray:
    """A numpy array's elements on the GPU.  Other packages see it by `__cuda_array_interface__`.

    shape, dtype: those of the array; any type of numpy or ml_dtypes.
    """

    def __init__(self, array: np.ndarray) -> None:
        current_context()
        self._pointer = 0
        self.shape, self.dtype = array.shape, array.dtype
        self.nbytes = max(array.nbytes, 1)
        pointer = c_uint64()
        driver.call("cuMemAlloc_v2", byref(pointer), self.nbytes)
        self._pointer, self._free = pointer.value, driver.library().cuMemFree_v2
        self.copy_from(array)

    def copy_from(self, array: np.ndarray) -> None:
        """Replaces the elements by those of an array of as many bytes."""
        contiguous = np.ascontiguousarray(array)
        if contiguous.nbytes:
            driver.call("cuMemcpyHtoD_v2", self._pointer, contiguous.ctypes.data, contiguous.nbytes)

    def numpy(self) -> np.ndarray:
        """The elements, once all that was launched has ended.

        Raises:
            KernelFault: a kernel did something that ended it.
        """
        synchronize()
        array = np.empty(self.shape, self.dtype)
        if array.nbytes:
            driver.call("cuMemcpyDtoH_v2", array.ctypes.data, self._pointer, array.nbytes)
        return array

    def data_ptr(self) -> int:
        """The address of the first element."""
        return self._pointer

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (self._pointer, False), "version": 3}

    def __del__(self) -> None:
        if getattr(self, "_pointer", 0):
            self._free(self._pointer)
