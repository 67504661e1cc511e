"""The GPUs of this process, as a profile describes them."""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import byref, c_int, c_uint, c_void_p
from typing import Any

from ttkit.cuda import libcuda
from ttkit.cuda.device import Device, current_context


def in_use() -> list[int]:
    """Numbers of the GPUs whose context, the one that packages share, is in use.

    Raises:
        DriverMissing: there is no driver, or no GPU.
    """
    count, found = c_int(), []
    libcuda.call("cuDeviceGetCount", byref(count))
    for ordinal in range(count.value):
        flags, is_active = c_uint(), c_int()
        libcuda.call("cuDevicePrimaryCtxGetState", ordinal, byref(flags), byref(is_active))
        if is_active.value:
            found.append(ordinal)
    return found


def contexts_in_use() -> list[int]:
    """The driver's handles of the contexts that packages share, one of each GPU in use; of the first if none is.

    Raises:
        DriverMissing: there is no driver, or no GPU.
    """
    current_context()
    return [context for _, context in _contexts()]


def _contexts() -> Iterator[tuple[int, int]]:
    """Numbers of the GPUs in use, and contexts, which stay alive while their users have them."""
    for ordinal in in_use():
        context = c_void_p()
        libcuda.call("cuDevicePrimaryCtxRetain", byref(context), ordinal)
        try:
            yield ordinal, context.value or 0
        finally:
            libcuda.call("cuDevicePrimaryCtxRelease_v2", ordinal)


def synchronize_all() -> None:
    """Waits until all that was launched, on every GPU, has ended.

    Raises:
        DriverError: a kernel failed.
    """
    before = c_void_p()
    libcuda.call("cuCtxGetCurrent", byref(before))
    for _, context in _contexts():
        libcuda.call("cuCtxSetCurrent", context)
        libcuda.call("cuCtxSynchronize")
    libcuda.call("cuCtxSetCurrent", before)


def properties() -> dict[str, dict[str, Any]]:
    """Properties of the GPUs in use, by number: clocks in kHz, the bus in bits."""
    found = {}
    for ordinal in in_use():
        device = Device.of(ordinal)
        known = device.properties
        found[str(ordinal)] = {
            "arch": str(device.capability),
            "bus_width": known["mem_bus_width"],
            "clock_rate": known["sm_clock_rate"],
            "memory_clock_rate": known["mem_clock_rate"],
            "num_sms": known["multiprocessor_count"],
        }
    return found
