"""Times on a GPU through the driver alone: what `torch.cuda` offers for it, where there is no torch."""

from __future__ import annotations

from ctypes import byref, c_float, c_void_p
from typing import Any

from ttkit.cuda import libcuda
from ttkit.cuda.device import DeviceMemory, current_context, ordinal_of_current_context
from ttkit.runtime.launches import stream_handle

_BLOCKING_SYNC, _DISABLE_TIMING = 1, 2  # CUevent_flags


class Event:
    """A point in a stream's work.

    enable_timing: `elapsed_time` may be asked for.
    blocking: waiting for it leaves the processor to others.
    """

    def __init__(self, enable_timing: bool = False, blocking: bool = False) -> None:
        current_context()
        self._handle = 0
        found = c_void_p()
        flags = (0 if enable_timing else _DISABLE_TIMING) | (_BLOCKING_SYNC if blocking else 0)
        libcuda.call("cuEventCreate", byref(found), flags)
        self._handle = found.value or 0

    def record(self, stream: Any = None) -> None:
        """Marks what the stream has to do so far; without one, the current stream."""
        libcuda.call("cuEventRecord", self._handle, stream_handle(stream))

    def synchronize(self) -> None:
        """Waits until the stream has come to it."""
        libcuda.call("cuEventSynchronize", self._handle)

    def query(self) -> bool:
        """Whether the stream has come to it."""
        return libcuda.has_happened(self._handle)

    def elapsed_time(self, end_event: Event) -> float:
        """Milliseconds from this one to another; both have been waited for.

        Raises:
            DriverError: the GPU is still to reach one, or one was made without `enable_timing`.
        """
        milliseconds = c_float()
        libcuda.call("cuEventElapsedTime", byref(milliseconds), self._handle, end_event._handle)
        return milliseconds.value

    def __del__(self) -> None:
        if getattr(self, "_handle", 0):
            libcuda.library().cuEventDestroy_v2(self._handle)


class DeviceInterface:
    """The part of `torch.cuda` that timing uses."""

    Event = Event

    @staticmethod
    def synchronize(device: int | None = None) -> None:
        """Waits until all that was launched has ended."""
        current_context()
        libcuda.call("cuCtxSynchronize")

    @staticmethod
    def current_device() -> int:
        """The number of the current GPU."""
        return ordinal_of_current_context()


class Zeros(DeviceMemory):
    """Memory on the GPU that `zero_` writes: to flush caches with."""

    def zero_(self) -> None:
        """Sets all of it to zero, on the current stream."""
        libcuda.call("cuMemsetD8Async", self.data_ptr(), 0, self.nbytes, stream_handle(None))
