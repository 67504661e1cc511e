"""NVML through ctypes: clocks and power of a GPU.  The library is a part of the driver, so it needs no package."""

from __future__ import annotations

import ctypes
import functools
import sys
from ctypes import byref, c_char_p, c_int, c_uint, c_ulonglong, c_void_p
from typing import Any

from ttkit.cuda import libcuda
from ttkit.records import dataclass

_NAME = "nvml.dll" if sys.platform == "win32" else "libnvidia-ml.so.1"
_SM, _MEMORY = 1, 2  # nvmlClockType_t
# nvmlClocksThrottleReason...  A GPU that has nothing to do, or runs at the clock that was set, is not slowed.
_REASONS = {
    0x4: "power cap",
    0x8: "hardware",
    0x10: "sync boost",
    0x20: "temperature",
    0x40: "temperature, in hardware",
    0x80: "power brake",
}


class NvmlError(RuntimeError):
    """NVML is missing, or does not know."""


@dataclass(frozen=True)
class State:
    """The work of a GPU at a moment.

    sm_clock, memory_clock: in MHz.
    power: in W.
    energy: in J, since the driver was loaded; None where the GPU does not count it.
    slowed_by: reasons why its clock is lower than it could be.
    """

    sm_clock: int
    memory_clock: int
    power: float
    energy: float | None
    slowed_by: tuple[str, ...]


@functools.cache
def library() -> Any:
    """libnvidia-ml, initialized.

    Raises:
        NvmlError: there is none, or it can't be used.
    """
    try:
        lib = ctypes.CDLL(_NAME)
    except OSError as error:
        raise NvmlError(f"no NVML: {error}") from None
    lib.nvmlErrorString.restype = c_char_p
    if code := lib.nvmlInit_v2():
        raise NvmlError(f"nvmlInit: {lib.nvmlErrorString(code).decode()}")
    return lib


def driver_version() -> str:
    """The version of the driver, such as "580.65.06".

    Raises:
        NvmlError: there is no NVML.
    """
    text = ctypes.create_string_buffer(96)
    _call("nvmlSystemGetDriverVersion", text, c_uint(len(text)))
    return text.value.decode()


def _call(name: str, *arguments: Any) -> None:
    lib = library()
    if code := getattr(lib, name)(*arguments):
        raise NvmlError(f"{name}: {lib.nvmlErrorString(code).decode()}")


@functools.cache
def _handle(ordinal: int) -> c_void_p:
    """The GPU by its place on the bus: NVML counts GPUs otherwise than CUDA_VISIBLE_DEVICES."""
    bus = ctypes.create_string_buffer(32)
    libcuda.call("cuDeviceGetPCIBusId", bus, c_int(len(bus)), c_int(ordinal))
    found = c_void_p()
    _call("nvmlDeviceGetHandleByPciBusId_v2", bus, byref(found))
    return found


def state(ordinal: int) -> State:
    """The work of a GPU now.

    Args:
        ordinal: the driver's number of the GPU.

    Raises:
        NvmlError: there is no NVML, or it does not know this GPU.
        DriverError: there is no such GPU.
    """
    handle = _handle(ordinal)
    clocks = [c_uint(), c_uint()]
    for kind, clock in zip((_SM, _MEMORY), clocks):
        _call("nvmlDeviceGetClockInfo", handle, c_int(kind), byref(clock))
    power, energy, reasons = c_uint(), c_ulonglong(), c_ulonglong()
    _call("nvmlDeviceGetPowerUsage", handle, byref(power))
    counts_energy = library().nvmlDeviceGetTotalEnergyConsumption(handle, byref(energy)) == 0
    if library().nvmlDeviceGetCurrentClocksThrottleReasons(handle, byref(reasons)):
        reasons.value = 0
    return State(
        clocks[0].value,
        clocks[1].value,
        power.value / 1000,
        energy.value / 1000 if counts_energy else None,
        tuple(text for bit, text in _REASONS.items() if reasons.value & bit),
    )
