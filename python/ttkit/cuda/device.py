"""The GPU that is current, and memory on it."""

from __future__ import annotations

import functools
import math
import sys
from ctypes import byref, c_int, c_uint64, c_void_p, create_string_buffer
from typing import TYPE_CHECKING, Any

from ttkit.cuda import libcuda

if TYPE_CHECKING:
    import numpy as np


def current_context() -> int:
    """The driver's current context.  If this thread has none yet, that of torch's current GPU, else of the first, as
    other packages share it.

    Raises:
        DriverMissing: there is no driver, or no GPU.
    """
    context, lib = c_void_p(), libcuda.library()
    if lib.cuCtxGetCurrent(byref(context)) == 0 and context.value:
        return context.value
    torch = sys.modules.get("torch")
    device = torch.cuda.current_device() if torch is not None and torch.cuda.is_initialized() else 0
    return libcuda.make_current(device)


def ordinal_of_current_context() -> int:
    """The number of the GPU that `current_context` is of."""
    current_context()
    ordinal = c_int()
    libcuda.call("cuCtxGetDevice", byref(ordinal))
    return ordinal.value


class Device:
    """A GPU."""

    def __init__(self, ordinal: int) -> None:
        self.ordinal = ordinal
        text = create_string_buffer(128)
        libcuda.call("cuDeviceGetName", text, 128, ordinal)
        self.name = text.value.decode()

    @classmethod
    def current(cls) -> Device:
        """The GPU of the current context.

        Raises:
            DriverMissing: there is no driver, or no GPU.
        """
        return _device(ordinal_of_current_context())

    @staticmethod
    def of(ordinal: int) -> Device:
        """The GPU of a number."""
        return _device(ordinal)

    @functools.cached_property
    def properties(self) -> dict[str, int]:
        """Device properties, as Triton calls them: sizes in bytes, clock rates in kHz, bus width in bits."""
        found = {}
        for name, attribute in libcuda.DEVICE_ATTRIBUTES.items():
            value = c_int()
            libcuda.call("cuDeviceGetAttribute", byref(value), attribute, self.ordinal)
            found[name] = value.value
        return found

    @property
    def capability(self) -> int:
        """90 for compute capability 9.0."""
        return 10 * self.properties["capability_major"] + self.properties["capability_minor"]


@functools.cache
def _device(ordinal: int) -> Device:
    return Device(ordinal)


def forget_driver() -> None:
    """Looks for libcuda anew when it is needed: TRITON_LIBCUDA_PATH has changed.  Kernels that were loaded are not
    loaded again."""
    libcuda.library.cache_clear()
    _device.cache_clear()
    if (native := sys.modules.get("ttkit.runtime.native")) is not None:
        native.forget_driver()


def synchronize() -> None:
    """Waits until all that was launched has ended.

    Raises:
        KernelFault: a kernel did something that ended it; names the kernels that it may be.
    """
    libcuda.call("cuCtxSynchronize")
    libcuda.forget_recent_kernels()


class DeviceMemory:
    """Memory of the driver; it goes with this object.

    nbytes: its size.
    """

    def __init__(self, nbytes: int) -> None:
        self._address, self.nbytes = 0, nbytes
        current_context()
        found = c_uint64()
        libcuda.call("cuMemAlloc_v2", byref(found), nbytes)
        self._address, self._free = found.value, libcuda.library().cuMemFree_v2

    def data_ptr(self) -> int:
        """The address of the first byte."""
        return self._address

    def __del__(self) -> None:
        if getattr(self, "_address", 0):
            self._free(self._address)  # waits for launches that use it


class DeviceArray(DeviceMemory):
    """A numpy array's elements on the GPU.  Other packages see it by `__cuda_array_interface__`.

    shape, dtype: those of the array; any type of numpy or ml_dtypes.
    """

    def __init__(self, array: np.ndarray) -> None:
        super().__init__(max(array.nbytes, 1))
        self.shape, self.dtype = array.shape, array.dtype
        self.copy_from(array)

    def copy_from(self, array: np.ndarray) -> None:
        """Replaces the elements by those of an array of as many bytes."""
        import numpy as np

        contiguous = np.ascontiguousarray(array)
        if contiguous.nbytes:
            libcuda.call("cuMemcpyHtoD_v2", self._address, contiguous.ctypes.data, contiguous.nbytes)

    def numpy(self) -> np.ndarray:
        """The elements, once all that was launched has ended.

        Raises:
            KernelFault: a kernel did something that ended it.
        """
        import numpy as np

        synchronize()
        array = np.empty(self.shape, self.dtype)
        if array.nbytes:
            libcuda.call("cuMemcpyDtoH_v2", array.ctypes.data, self._address, array.nbytes)
        return array

    def first_bytes(self, count: int) -> bytes:
        """The first bytes of the elements, once all that was launched has ended; all if there are fewer.

        Raises:
            KernelFault: a kernel did something that ended it.
        """
        synchronize()
        found = create_string_buffer(max(0, min(count, math.prod(self.shape) * self.itemsize)))
        if len(found):
            libcuda.call("cuMemcpyDtoH_v2", found, self._address, len(found))
        return found.raw

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return int(self.dtype.itemsize)

    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes from an element to the next one in each dimension: the elements lie row after row."""
        return tuple(self.itemsize * math.prod(self.shape[axis + 1 :]) for axis in range(len(self.shape)))

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (self._address, False), "version": 3}
