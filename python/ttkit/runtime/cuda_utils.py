"""`driver.active.utils`: loading, properties, occupancy, tensor maps."""

from __future__ import annotations

import hashlib
from ctypes import byref, c_int, c_size_t, c_void_p, pointer
from typing import Any, NamedTuple

import ttkit.locks as locks
from ttkit.cuda import libcuda
from ttkit.cuda.device import Device, current_context
from ttkit.runtime.tensor_maps import fill_tma_descriptor, fill_tma_descriptor_im2col

# What every kernel may have without asking.
SHARED_WITHOUT_ASKING = 48 * 1024
_BLOCK = 128


class Loaded(NamedTuple):
    """A kernel in a GPU's memory.

    module, function: the driver's handles.
    n_regs: registers of a thread.
    n_spills: registers that a thread keeps in memory.
    n_max_threads: most threads of a program.
    """

    module: int
    function: int
    n_regs: int
    n_spills: int
    n_max_threads: int


class CudaUtils:
    """Functions of the driver, by the names that Triton has for them.

    Modules stay loaded until the process ends, since launches may be in flight, or captured in a graph.  So a kernel
    that is compiled again, or read from the cache again, takes the one that is there.
    """

    def __init__(self) -> None:
        self._loaded: dict[tuple[Any, ...], Loaded] = {}
        self._lock = locks.lock()

    def load_binary(self, name: str, data: bytes, shared: int, device: int) -> Loaded:
        """Loads a kernel into the current context, once.

        Args:
            name: of the kernel in the cubin.
            shared: bytes of shared memory that launches will ask for.
            device: not looked at; the context decides.

        Raises:
            DriverError: the driver refuses the cubin; WrongArchitecture if it is of another GPU.
        """
        key = libcuda.library(), current_context(), name, shared, hashlib.sha256(data).digest()
        with self._lock:
            if (found := self._loaded.get(key)) is None:
                found = self._loaded[key] = self._load(name, data, shared)
        return found

    def _load(self, name: str, data: bytes, shared: int) -> Loaded:
        module, function = c_void_p(), c_void_p()
        _call(name, "cuModuleLoadData", byref(module), data)
        _call(name, "cuModuleGetFunction", byref(function), module, name.encode())
        assert function.value is not None and module.value is not None
        if shared > SHARED_WITHOUT_ASKING:
            _call(name, "cuFuncSetAttribute", function, libcuda.MAX_DYNAMIC_SHARED, shared)
        asked = libcuda.REGISTERS, libcuda.LOCAL_BYTES, libcuda.MAX_THREADS
        registers, local, threads = (function_attribute(function.value, attribute, name) for attribute in asked)
        return Loaded(module.value, function.value, registers, local // 4, threads)

    def allow_large_clusters(self, function: int) -> None:
        """Lets a kernel have clusters of more CTAs than every GPU with clusters has."""
        _call("", "cuFuncSetAttribute", function, libcuda.NON_PORTABLE_CLUSTER, 1)

    def get_device_properties(self, device: int) -> dict[str, int]:
        """Sizes in bytes, clock rates in kHz, bus width in bits, by Triton's names."""
        return dict(Device.of(device).properties)

    def cuOccupancyMaxActiveClusters(self, function: int, shared: int, cluster: int) -> int:
        """The number of clusters that the GPU runs at once, of so many CTAs with `shared` bytes of shared memory."""
        _call("", "cuFuncSetAttribute", function, libcuda.MAX_DYNAMIC_SHARED, shared)
        self.allow_large_clusters(function)
        attribute = libcuda.LaunchAttribute(id=libcuda.CLUSTER_DIMENSION)
        attribute.value[:3] = [cluster, 1, 1]
        config = libcuda.LaunchConfig((cluster, 1, 1), (_BLOCK, 1, 1), shared, None, pointer(attribute), 1)
        count = c_int()
        _call("", "cuOccupancyMaxActiveClusters", byref(count), function, byref(config))
        return count.value

    def set_printf_fifo_size(self, size: int) -> None:
        """Bytes that `device_print` may fill before what is oldest is lost.  Before the first kernel that prints.

        Raises:
            ValueError: it is negative.
        """
        if size < 0:
            raise ValueError("fifo size must be non-negative")
        current_context()
        held = c_size_t()
        libcuda.call("cuCtxGetLimit", byref(held), libcuda.PRINTF_FIFO_SIZE)
        if held.value != size:  # once a kernel has printed, the driver refuses even the size that there is
            libcuda.call("cuCtxSetLimit", libcuda.PRINTF_FIFO_SIZE, size)

    fill_tma_descriptor = staticmethod(fill_tma_descriptor)
    fill_tma_descriptor_im2col = staticmethod(fill_tma_descriptor_im2col)


def function_attribute(function: int, attribute: int, name: str) -> int:
    """CUfunction_attribute of a kernel."""
    value = c_int()
    _call(name, "cuFuncGetAttribute", byref(value), attribute, function)
    return value.value


def _call(kernel: str, name: str, *arguments: Any) -> None:
    if code := getattr(libcuda.library(), name)(*arguments):
        raise libcuda.error_of(code, name, kernel or None)
