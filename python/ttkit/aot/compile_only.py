"""A device for scripts that launch where there is no GPU: their launches compile, and run nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from ttkit.cuda.device import Device
from ttkit.cuda.libcuda import DriverError
from ttkit.runtime.driver import driver
from ttkit.target import Target


def has_chosen_device() -> bool:
    """Whether launches have a device: a GPU, or that of TTKIT_DEVICE."""
    if os.environ.get("TTKIT_DEVICE"):
        return True
    try:
        Device.current()
    except DriverError:
        return False
    return True


@contextmanager
def compiling_for(capability: int) -> Iterator[None]:
    """Launches compile for this compute capability (90 for sm_90), unless they have a device; undone at the end."""
    if has_chosen_device():
        yield
        return
    before = driver._active
    os.environ["TTKIT_DEVICE"] = Target(capability).arch
    driver._active = None
    try:
        yield
    finally:
        del os.environ["TTKIT_DEVICE"]
        driver._active = before
