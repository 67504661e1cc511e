"""The driver that kernels run with: `driver.active`, by Triton's names.

driver.active.get_current_target()      # GPUTarget("cuda", 90, 32)
driver.set_active(MyDriver())           # any object with these methods; reset_active() goes back
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property
from importlib import import_module
from typing import Any

import ttkit.knobs as knobs
from ttkit.cuda import libcuda
from ttkit.cuda.device import Device, ordinal_of_current_context
from ttkit.cuda.libcuda import DriverForked, DriverMissing
from ttkit.language import interpret_mode
from ttkit.runtime.arguments import c_type
from ttkit.runtime.cuda_utils import CudaUtils
from ttkit.runtime.launcher import Launcher
from ttkit.runtime.launches import current_stream
from ttkit.target import GPUTarget

__all__ = ["CudaDriver", "DriverConfig", "DriverMissing", "driver", "reset_active", "set_active"]

L2_BYTES = 256 << 20
"""Bytes of a buffer that is larger than any cache of a GPU."""


class CudaDriver:
    """NVIDIA's GPUs, through libcuda.

    Devices are numbers, streams the driver's handles.  All methods raise DriverMissing where there is no GPU.
    """

    launcher_cls = Launcher

    @cached_property
    def utils(self) -> CudaUtils:
        """The driver's calls by which kernels are loaded, and facts about GPUs, see `CudaUtils`."""
        return CudaUtils()

    @staticmethod
    def is_active() -> bool:
        """Whether there is a GPU, even if only the process that this one was forked from can use it."""
        try:
            libcuda.library()
        except DriverForked:
            return True
        except DriverMissing:
            return False
        return True

    def get_current_device(self) -> int:
        """The number of the GPU whose context is current."""
        return ordinal_of_current_context()

    def set_current_device(self, device: int) -> None:
        """Makes the context of a GPU, by its number, current in this thread."""
        libcuda.make_current(device)

    def get_current_stream(self, device: int | None = None) -> int:
        """Torch's current stream if torch runs on the GPU, else CuPy's, else the default one."""
        return current_stream(self.get_current_device() if device is None else device)

    def get_device_capability(self, device: int | None = None) -> tuple[int, int]:
        """(9, 0) for sm_90."""
        return divmod(Device.of(self.get_current_device() if device is None else device).capability, 10)

    def get_current_target(self) -> GPUTarget:
        """The GPU in use as a target, such as GPUTarget("cuda", 90, 32)."""
        return GPUTarget("cuda", Device.of(self.get_current_device()).capability, 32)

    @staticmethod
    def set_interpret_mode(on: bool = True) -> None:
        """Whether kernels run as Python from now on: `ttkit.runtime.set_interpret_mode`."""
        interpret_mode.set_interpret_mode(on)

    def get_active_torch_device(self) -> Any:
        """The current GPU as torch names it; the CPU where there is none and kernels run as Python."""
        import torch

        if interpret_mode.is_interpreting() and not self.is_active():
            return torch.device("cpu")
        return torch.device("cuda", self.get_current_device())

    def get_device_interface(self) -> Any:
        """`torch.cuda`; without torch what timing needs of it, `ttkit.runtime.cuda_events`."""
        if (torch := _torch_on_gpu()) is not None:
            return torch.cuda
        from ttkit.runtime.cuda_events import DeviceInterface

        return DeviceInterface

    def get_benchmarker(self) -> Callable[..., Any]:
        """The function that `autotune` measures with: `ttkit.testing.do_bench`."""
        benchmarker: Callable[..., Any] = import_module("ttkit.runtime.timing").do_bench  # which is above
        return benchmarker

    def get_empty_cache_for_benchmark(self) -> Any:
        """A buffer larger than the L2 cache; `clear_cache` writes it, so that nothing else stays in the cache."""
        if (torch := _torch_on_gpu()) is not None:
            return torch.empty(L2_BYTES // 4, dtype=torch.int, device="cuda")
        from ttkit.runtime.cuda_events import Zeros

        return Zeros(L2_BYTES)

    def clear_cache(self, cache: Any) -> None:
        """Writes the buffer of `get_empty_cache_for_benchmark`, so that the L2 cache holds nothing else."""
        cache.zero_()

    def map_python_to_cpp_type(self, ty: str) -> str:
        """See `ttkit.runtime.arguments.c_type`."""
        return c_type(ty)


def _torch_on_gpu() -> Any:
    """Torch, if it is installed and has the GPU."""
    try:
        import torch
    except ImportError:
        return None
    return torch if torch.cuda.is_available() else None


class DriverConfig:
    """Which driver is used."""

    def __init__(self) -> None:
        self._active: Any = None
        self._scoped: ContextVar[Any] = ContextVar("ttkit.driver", default=None)
        self._watchers: list[Callable[[], None]] = []

    @cached_property
    def default(self) -> Any:
        """libcuda's, made without looking for a GPU; or what TTKIT_SANITIZE and TTKIT_DEVICE say, read when it is first
        needed.

        Raises:
            ValueError: they have no such value, or TRITON_DEFAULT_BACKEND asks for another backend.
        """
        if knobs.runtime.default_backend not in (None, "", "nvidia", "cuda"):
            raise ValueError(
                f"TRITON_DEFAULT_BACKEND is {knobs.runtime.default_backend!r}, but ttkit has one backend: unset it, or "
                "set it to nvidia"
            )
        if knobs.runtime.sanitize:
            return import_module("ttkit.sanitizer.sanitizing_driver").driver_of_knob()  # which is above
        if knobs.runtime.device:
            from ttkit.runtime.stand_in import StandInDriver

            return StandInDriver.of_knob()
        return CudaDriver()

    @property
    def active(self) -> Any:
        """The driver of the scope that this thread is in, else the one that was set, else the default one."""
        if (scoped := self._scoped.get()) is not None:
            return scoped
        return self.default if self._active is None else self._active

    @contextmanager
    def scoped(self, driver: Any) -> Iterator[None]:
        """A `with` statement's scope with another driver, in this thread alone.

        Kernels that have been launched outside of it need caches of their own: their keys do not say which driver.
        """
        token = self._scoped.set(driver)
        try:
            yield
        finally:
            self._scoped.reset(token)

    def is_active(self) -> bool:
        """Whether the driver in use has a GPU: one that was set and doesn't say is taken to have one."""
        return bool(getattr(self.active, "is_active", lambda: True)())

    def set_active(self, driver: Any) -> None:
        """Uses another driver, in every thread."""
        self._active = driver
        self._changed()

    def reset_active(self) -> None:
        """Goes back to the default, for which TTKIT_DEVICE is read anew."""
        self._active = None
        self.__dict__.pop("default", None)
        self._changed()

    def watch(self, function: Callable[[], None]) -> None:
        """`function` is called whenever another driver becomes active."""
        self._watchers.append(function)

    def _changed(self) -> None:
        for function in self._watchers:
            function()


driver = DriverConfig()

# `ttkit.runtime.driver.active` too, where Triton's scripts take this module for the object.
set_active, reset_active = driver.set_active, driver.reset_active


def __getattr__(name: str) -> Any:
    if name in ("active", "default"):
        return getattr(driver, name)
    raise AttributeError(f"module 'ttkit.runtime.driver' has no attribute '{name}'")
