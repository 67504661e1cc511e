"""The GPU that times are of, as results name it."""

from __future__ import annotations

import os
import socket
from ctypes import byref, c_int
from typing import Any

import ttkit.cuda.nvml as nvml
from ttkit.cuda import libcuda
from ttkit.cuda.device import Device
from ttkit.runtime.driver import CudaDriver, driver


def device_facts(_: Any = None) -> dict[str, str]:
    """Facts about the current GPU.

        device      its name
        driver      the version of its driver
        clocks      the highest clock rates of its multiprocessors and memory, in MHz
        worker      this host and process

    Raises:
        DriverMissing: there is no GPU.
    """
    worker = f"{socket.gethostname()}:{os.getpid()}"
    if not isinstance(driver.active, CudaDriver):
        target = driver.active.get_current_target()
        return {"device": f"stand-in for sm_{target.arch}", "driver": "", "clocks": "", "worker": worker}
    found = Device.of(driver.active.get_current_device())
    rates = [found.properties.get(name, 0) // 1000 for name in ("sm_clock_rate", "mem_clock_rate")]
    return {
        "device": found.name,
        "driver": _driver_version(),
        "clocks": f"{rates[0]}/{rates[1]} MHz",
        "worker": worker,
    }


def clock_now() -> int | None:
    """The clock rate of the current GPU's multiprocessors now, in MHz; None where nobody says."""
    try:
        return nvml.state(driver.active.get_current_device()).sm_clock
    except (nvml.NvmlError, libcuda.DriverError, RuntimeError):
        return None


def _driver_version() -> str:
    try:
        return nvml.driver_version()
    except nvml.NvmlError:
        found = c_int()
        libcuda.library().cuDriverGetVersion(byref(found))
        return f"CUDA {found.value // 1000}.{found.value % 1000 // 10}"
