"""Memory on the GPU that a kernel needs besides its arguments."""

from __future__ import annotations

import sys
from contextvars import ContextVar
from typing import Any, Protocol

import ttkit.locks as locks
from ttkit.cuda.device import DeviceMemory, current_context


class Buffer(Protocol):
    """Memory on the GPU, as a tensor of torch is."""

    def data_ptr(self) -> int:
        """The address on the GPU."""


class Allocator(Protocol):
    """Memory for a kernel: `size` bytes at a multiple of `alignment`, on a stream."""

    def __call__(self, size: int, alignment: int, stream: int | None) -> Buffer: ...


class NullAllocator:
    """An allocator of kernels that need none."""

    def __call__(self, size: int, alignment: int, stream: int | None) -> Buffer:
        raise RuntimeError(
            "Kernel requires a runtime memory allocation, but no allocator was set. "
            "Use triton.set_allocator to specify an allocator."
        )


class DefaultAllocator:
    """Torch's memory if torch runs on the GPU; else one buffer a use and stream, whose launches wait for each other.

    The driver aligns to 256 bytes, at least as much as any kernel asks for.
    """

    def __init__(self) -> None:
        self._buffers: dict[tuple[int, int | None], DeviceMemory] = {}
        self._lock = locks.lock()

    def __call__(self, size: int, alignment: int, stream: int | None) -> Buffer:
        torch = sys.modules.get("torch")
        if torch is not None and torch.cuda.is_initialized():
            # Torch gives it to no other stream before this launch has ended.
            return torch.empty(size, dtype=torch.int8, device="cuda")

        key = current_context(), stream
        with self._lock:
            found = self._buffers.get(key)
            if found is None or found.nbytes < size:
                self._buffers.pop(key, None)
                found = self._buffers[key] = DeviceMemory(size)
        return found


_scratch: ContextVar[Allocator | None] = ContextVar("ttkit_allocator", default=None)
_profile: Allocator | None = None
_defaults = DefaultAllocator(), DefaultAllocator()


def set_allocator(allocator: Allocator | None) -> None:
    """Sets what gives kernels memory of their own, in this context (`contextvars`).

    Args:
        allocator: called with a size and an alignment in bytes, and a stream; gives what has `data_ptr()`, and which
            is kept until the kernel has been launched.  None for the default.
    """
    _scratch.set(allocator)


def set_profile_allocator(allocator: Allocator | None) -> None:
    """Sets what gives memory to kernels that measure themselves, in every thread."""
    global _profile
    _profile = allocator


def has_profile_allocator() -> bool:
    """Whether `set_profile_allocator` gave one (Triton 3.8)."""
    return _profile is not None


def scratch_buffer(size: int, alignment: int, stream: int) -> Any:
    """Memory that is a kernel's own while it runs."""
    return (_scratch.get() or _defaults[0])(size, alignment, stream)


def profile_buffer(size: int, alignment: int, stream: int) -> Any:
    """Memory for what a kernel measures."""
    return (_profile or _defaults[1])(size, alignment, stream)
