"""Kernels on a GPU: loading cubins, launching them, and what memory that needs.

    kernel = Kernel.from_file("k.cubin")                    # with k.json beside it, as tt-compile writes them
    kernel[(64,)](x, y, out, 65536)                         # pointers: torch, CuPy, DLPack, DeviceArray, int
    kernel.synchronize()                                    # errors of the kernel, by its name

All through libcuda, which comes with NVIDIA's driver: no other package is needed.
"""

from ttkit.frontend.interpret_mode import set_interpret_mode
from ttkit.runtime.device import Device, DeviceArray, synchronize
from ttkit.runtime.driver import DriverError, DriverMissing, KernelFault, OutOfResources, WrongArchitecture
from ttkit.runtime.kernel import ArgumentError, Kernel

__all__ = [
    "ArgumentError",
    "Device",
    "DeviceArray",
    "DriverError",
    "DriverMissing",
    "Kernel",
    "KernelFault",
    "OutOfResources",
    "WrongArchitecture",
    "set_interpret_mode",
    "synchronize",
]
