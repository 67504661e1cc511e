"""Starting a kernel through the driver: grid, attributes, stream."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from ctypes import Array, byref
from typing import Any

from ttkit.cuda import libcuda
from ttkit.cuda.device import Device
from ttkit.grids import sizes_of
from ttkit.runtime.pointers import ArgumentError

LARGEST_GRID = (2**31 - 1, 65535, 65535)
# A cluster of more CTAs must be allowed for each kernel.
PORTABLE_CLUSTER = 8
Attributes = list[libcuda.LaunchAttribute]


def grid_sizes(grid: int | Sequence[int], name: str, num_ctas: int = 1) -> tuple[int, int, int]:
    """A grid in three dimensions.  It may have more sizes where these are 1.

    Raises:
        ArgumentError: it has no size, or more than three; a size is no integer, negative or too large.
    """
    largest = (LARGEST_GRID[0] // num_ctas, *LARGEST_GRID[1:])
    sizes, advice = sizes_of(grid)
    if not sizes or any(not 0 <= size <= most for size, most in zip(sizes, largest)):
        end = f": {advice}" if advice else ""
        raise ArgumentError(f"kernel {name}: a grid must have one to three sizes up to {largest}, found {grid!r}{end}")
    x, y, z = (*sizes, 1, 1)[:3]
    return x, y, z


def threads_of(metadata: Mapping[str, Any]) -> int:
    """Threads of a CTA, those of specialized warps too."""
    return 32 * int(metadata["num_warps"])


def launch_attributes(metadata: Mapping[str, Any]) -> Attributes:
    """Attributes of a launch: all that it asks of the driver beyond a grid of programs.

    Args:
        metadata: with num_ctas, launch_pdl, launch_cooperative_grid.
    """
    num_ctas = metadata.get("num_ctas") or 1
    asked: list[tuple[int, list[int]]] = []
    if num_ctas > 1:
        asked += [(libcuda.CLUSTER_DIMENSION, [num_ctas, 1, 1]), (libcuda.CLUSTER_SCHEDULING, [libcuda.SPREAD])]
    if metadata.get("launch_pdl"):
        asked.append((libcuda.PROGRAMMATIC_SERIALIZATION, [1]))
    if metadata.get("launch_cooperative_grid"):
        asked.append((libcuda.COOPERATIVE, [1]))
    made = []
    for identifier, values in asked:
        attribute = libcuda.LaunchAttribute(id=identifier)
        attribute.value[: len(values)] = values
        made.append(attribute)
    return made


def start(
    function: int,
    grid: tuple[int, int, int],
    threads: int,
    shared: int,
    stream: int,
    addresses: Array[Any],
    attributes: Attributes,
) -> int:
    """Starts a kernel; the driver's error code.

    Args:
        grid: CTAs in each dimension.
        threads: of a CTA.
        shared: bytes of shared memory.
        addresses: of the arguments.
    """
    lib = libcuda.library()
    if not attributes:
        return lib.cuLaunchKernel(function, *grid, threads, 1, 1, shared, stream, addresses, None)
    count = len(attributes)
    config = libcuda.LaunchConfig(
        grid, (threads, 1, 1), shared, stream, (libcuda.LaunchAttribute * count)(*attributes), count
    )
    return lib.cuLaunchKernelEx(byref(config), function, addresses, None)


def current_stream(device: int) -> int:
    """The driver's handle of the stream that is current: torch's if torch runs on the GPU, else CuPy's, else the
    default one."""
    return stream_source()(device)


def stream_source() -> Callable[[int], int]:
    """The function that gives the current stream of a device, as frameworks are imported now."""
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_initialized():
        raw = getattr(torch._C, "_cuda_getCurrentRawStream", None)
        return raw or (lambda device: torch.cuda.current_stream(device).cuda_stream)
    cupy = sys.modules.get("cupy")
    if cupy is not None:
        return lambda device: cupy.cuda.get_current_stream().ptr
    return lambda device: 0


def stream_handle(stream: Any) -> int:
    """The driver's handle of a stream: torch's, CuPy's, `__cuda_stream__`, a handle; None for the current one."""
    if stream is None:
        return current_stream(Device.current().ordinal)
    for attribute in ("cuda_stream", "ptr"):  # torch's, CuPy's
        if (handle := getattr(stream, attribute, None)) is not None:
            return handle
    if hasattr(stream, "__cuda_stream__"):
        return stream.__cuda_stream__()[1]
    return int(stream)
