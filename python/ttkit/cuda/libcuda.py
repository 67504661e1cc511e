"""libcuda through ctypes: its functions, and its errors as exceptions."""

from __future__ import annotations

import ctypes
import functools
import os
import sys
from collections import deque
from ctypes import POINTER, byref, c_char_p, c_float, c_int, c_size_t, c_uint, c_uint64, c_void_p
from typing import Any

import ttkit.knobs as knobs
from ttkit.kernel_errors import TritonError

# What cuInit says in a process forked from one in which it was called.
NOT_INITIALIZED = 3


class DriverError(RuntimeError):
    """A call into the driver failed."""


class DriverMissing(DriverError):
    """There is no driver, or no GPU."""


class DriverForked(DriverMissing):
    """This process was forked from one that uses the GPU, and the driver serves only that one."""


class WrongArchitecture(DriverError):
    """A kernel was compiled for another GPU."""


class OutOfResources(TritonError, DriverError):
    """A kernel needs more of something than the GPU has.

    required, limit: of the resource `name`.
    detail: the line that takes most of it, if that is known.
    """

    detail = ""

    def __init__(self, required: int, limit: int, name: str) -> None:
        self.required, self.limit, self.name = required, limit, name
        super().__init__(required, limit, name)

    def __str__(self) -> str:
        return (
            f"out of resource: {self.name}, Required: {self.required}, Hardware limit: {self.limit}. "
            "Reducing block sizes or `num_stages` may help." + (f"\n  {self.detail}" if self.detail else "")
        )


class KernelFault(DriverError):
    """A kernel did something that ended it: an illegal address, say.  The process can't use the GPU any more."""


class TensorMap(ctypes.Structure):
    """CUtensorMap: what TMA knows of a tensor."""

    _fields_ = [("words", c_uint64 * 16)]


class LaunchAttribute(ctypes.Structure):
    """CUlaunchAttribute, whose value is a union of 64 bytes."""

    _fields_ = [("id", c_int), ("padding", c_int), ("value", c_uint * 16)]


class LaunchConfig(ctypes.Structure):
    """CUlaunchConfig."""

    _fields_ = [
        ("grid", c_uint * 3),
        ("block", c_uint * 3),
        ("shared", c_uint),
        ("stream", c_void_p),
        ("attributes", POINTER(LaunchAttribute)),
        ("attribute_count", c_uint),
    ]


# CUlaunchAttributeID
COOPERATIVE, CLUSTER_DIMENSION, CLUSTER_SCHEDULING, PROGRAMMATIC_SERIALIZATION = 2, 4, 5, 6
SPREAD = 1  # CU_CLUSTER_SCHEDULING_POLICY_SPREAD
# CUpointer_attribute
NOT_READY = 600
DEVICE_POINTER = 3
# CUlimit
PRINTF_FIFO_SIZE = 1
# CUfunction_attribute
MAX_THREADS, STATIC_SHARED, LOCAL_BYTES, REGISTERS, MAX_DYNAMIC_SHARED, NON_PORTABLE_CLUSTER = 0, 1, 3, 4, 8, 14
# CUdevice_attribute
DEVICE_ATTRIBUTES = {
    "max_shared_mem": 97,  # of a program, where it opts in to more than 48 KB
    "max_num_regs": 12,
    "multiprocessor_count": 16,
    "warpSize": 10,
    "sm_clock_rate": 13,
    "mem_clock_rate": 36,
    "mem_bus_width": 37,
    "capability_major": 75,
    "capability_minor": 76,
    "max_threads_per_multiprocessor": 39,
}

_OUT = POINTER(c_void_p)
_SIGNATURES: dict[str, list[Any]] = {
    "cuInit": [c_uint],
    "cuDriverGetVersion": [POINTER(c_int)],
    "cuDeviceGetCount": [POINTER(c_int)],
    "cuDeviceGet": [POINTER(c_int), c_int],
    "cuDeviceGetName": [c_char_p, c_int, c_int],
    "cuDeviceGetAttribute": [POINTER(c_int), c_int, c_int],
    "cuDevicePrimaryCtxRetain": [_OUT, c_int],
    "cuDevicePrimaryCtxRelease_v2": [c_int],
    "cuDevicePrimaryCtxGetState": [c_int, POINTER(c_uint), POINTER(c_int)],
    "cuCtxGetCurrent": [_OUT],
    "cuCtxSetCurrent": [c_void_p],
    "cuCtxGetDevice": [POINTER(c_int)],
    "cuCtxSynchronize": [],
    "cuStreamSynchronize": [c_void_p],
    "cuStreamIsCapturing": [c_void_p, POINTER(c_int)],
    "cuEventCreate": [_OUT, c_uint],
    "cuEventDestroy_v2": [c_void_p],
    "cuEventRecord": [c_void_p, c_void_p],
    "cuEventSynchronize": [c_void_p],
    "cuEventElapsedTime": [POINTER(c_float), c_void_p, c_void_p],
    "cuMemsetD8Async": [c_uint64, ctypes.c_ubyte, c_size_t, c_void_p],
    "cuModuleLoadData": [_OUT, c_char_p],
    "cuModuleGetFunction": [_OUT, c_void_p, c_char_p],
    "cuFuncGetAttribute": [POINTER(c_int), c_int, c_void_p],
    "cuFuncSetAttribute": [c_void_p, c_int, c_int],
    "cuPointerGetAttribute": [c_void_p, c_int, c_uint64],
    "cuTensorMapEncodeTiled": [
        *(c_void_p, c_int, c_uint, c_uint64),
        *[POINTER(c_uint64)] * 2,
        *[POINTER(c_uint)] * 2,
        *[c_int] * 4,
    ],
    "cuTensorMapEncodeIm2col": [
        *(c_void_p, c_int, c_uint, c_uint64),
        *[POINTER(c_uint64)] * 2,
        *[POINTER(c_int)] * 2,
        *(c_uint, c_uint, POINTER(c_uint)),
        *[c_int] * 4,
    ],
    "cuCtxGetLimit": [POINTER(c_size_t), c_int],
    "cuCtxSetLimit": [c_int, c_size_t],
    "cuOccupancyMaxActiveClusters": [POINTER(c_int), c_void_p, POINTER(LaunchConfig)],
    "cuLaunchKernel": [c_void_p, *[c_uint] * 7, c_void_p, c_void_p, c_void_p],
    "cuLaunchKernelEx": [POINTER(LaunchConfig), c_void_p, c_void_p, c_void_p],
    "cuMemAlloc_v2": [POINTER(c_uint64), c_size_t],
    "cuMemFree_v2": [c_uint64],
    "cuMemcpyHtoD_v2": [c_uint64, c_void_p, c_size_t],
    "cuMemcpyDtoDAsync_v2": [c_uint64, c_uint64, c_size_t, c_void_p],
    "cuMemcpyDtoH_v2": [c_void_p, c_uint64, c_size_t],
    "cuMemGetAddressRange_v2": [POINTER(c_uint64), POINTER(c_size_t), c_uint64],
    "cuMemsetD8_v2": [c_uint64, ctypes.c_ubyte, c_size_t],
    "cuOccupancyMaxActiveBlocksPerMultiprocessor": [POINTER(c_int), c_void_p, c_int, c_size_t],
    "cuGetErrorName": [c_int, POINTER(c_char_p)],
    "cuGetErrorString": [c_int, POINTER(c_char_p)],
}

# CUresult
_OUT_OF_MEMORY, _NO_DEVICE = 2, 100
_OTHER_ARCHITECTURE = {200, 209, 218, 222}  # invalid image, no binary for GPU, invalid PTX, unsupported PTX
_LAUNCH_RESOURCES = 701
_FAULTS = {
    700: "accessed memory out of bounds",
    702: "exceeded the driver's time limit",
    710: "stopped at a failed assertion",
    714: "faulted on the hardware's stack",
    715: "executed an illegal instruction",
    716: "accessed memory at a misaligned address",
    717: "used an address of the wrong kind of memory",
    718: "jumped to an invalid address",
    719: "failed",
}

RECENT: deque[str] = deque(maxlen=8)
"""Names of kernels launched from Python since the last synchronization, which an error may be of; the latest last."""


def library_path() -> str:
    """The file of libcuda: as TRITON_LIBCUDA_PATH has it, a folder or the file, else where the system finds it."""
    name = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
    given = knobs.nvidia.libcuda_path
    if not given:
        return name
    return os.path.join(given, name) if os.path.isdir(given) else given


@functools.cache
def library() -> Any:
    """libcuda, initialized.

    Raises:
        DriverMissing: there is no driver, or no GPU that it can use.
    """
    try:
        lib = ctypes.CDLL(library_path())
    except OSError as error:
        raise DriverMissing(f"no NVIDIA driver: {error}. Install one, or do without: {_WITHOUT_GPU}") from None
    for function, arguments in _SIGNATURES.items():
        found = getattr(lib, function, None)
        if found is not None:  # cuLaunchKernelEx is of CUDA 11.8
            found.restype, found.argtypes = c_int, arguments
    if (code := lib.cuInit(0)) == NOT_INITIALIZED:
        raise DriverForked(
            "this process was forked from one that uses the GPU, so the driver does not serve it: start processes with "
            'multiprocessing.set_start_method("spawn"), or only compile in this one'
        )
    if code:
        raise DriverMissing(f"the NVIDIA driver finds no GPU: {_describe(lib, code)}. To do without: {_WITHOUT_GPU}")
    return lib


def is_loaded() -> bool:
    """Whether somebody in this process has asked for the driver, with success."""
    return library.cache_info().currsize > 0


_WITHOUT_GPU = (
    "TTKIT_DEVICE=interpret:sm_90 compiles kernels and runs what they are compiled to on the CPU, TTKIT_DEVICE=sm_90 "
    "only compiles them; TRITON_INTERPRET=1 runs them as Python, tt-run runs IR"
)


def call(name: str, *arguments: Any) -> None:
    """Calls a function of libcuda.

    Raises:
        DriverError: it failed; the subclass says how.
    """
    if code := getattr(library(), name)(*arguments):
        raise error_of(code, name)


def has_happened(event: int | None) -> bool:
    """Whether the GPU has come to an event.

    Raises:
        DriverError: a kernel before it failed.
    """
    code: int = library().cuEventQuery(c_void_p(event))
    if code not in (0, NOT_READY):
        raise error_of(code, "cuEventQuery")
    return code == 0


def make_current(device: int) -> int:
    """Makes the context that every package shares, of a GPU, the current one; its handle.

    Raises:
        DriverMissing: there is no driver, or no such GPU.
    """
    context, handle = c_void_p(), c_int()
    call("cuDeviceGet", byref(handle), device)
    call("cuDevicePrimaryCtxRetain", byref(context), handle)
    call("cuCtxSetCurrent", context)
    assert context.value is not None
    return context.value


def device_address(address: int) -> int | None:
    """The address at which kernels of the current context find memory; None for memory that they can't reach.

    Raises:
        DriverMissing: there is no driver, or no GPU.
    """
    found = c_uint64()
    code = library().cuPointerGetAttribute(byref(found), DEVICE_POINTER, address)
    return None if code else found.value


def recent_kernels() -> list[str]:
    """Names of the kernels launched since the last synchronization, the latest last."""
    launcher = sys.modules.get("ttkit_launcher")
    return [*RECENT, *(launcher.recent() if launcher is not None else ())]


def forget_recent_kernels() -> None:
    """All that was launched has ended."""
    RECENT.clear()
    if (launcher := sys.modules.get("ttkit_launcher")) is not None:
        launcher.forget_recent()


def error_of(code: int, function: str, kernel: str | None = None) -> DriverError:
    """The exception for an error code.

    Args:
        kernel: what was about to run; without, the error may be of any kernel that was launched before.
    """
    text = _describe(library(), code)
    if code in _FAULTS:
        names = list(dict.fromkeys(reversed(recent_kernels())))
        if kernel is not None and kernel not in names:
            names.insert(0, kernel)
        which = f"kernel {names[0]}" if len(names) == 1 else f"one of the kernels {', '.join(names)}" if names else ""
        advice = "tt-run checks every access on the CPU; this process can't use the GPU any more"
        return KernelFault(f"{which or 'a kernel'} {_FAULTS[code]} ({text}): {advice}")
    subject = f"kernel {kernel}: " if kernel else ""
    if code in _OTHER_ARCHITECTURE:
        return WrongArchitecture(f"{subject}the GPU can't run this code ({text}): compile it for this GPU's target")
    if code == _NO_DEVICE:
        return DriverMissing(f"the NVIDIA driver finds no GPU: {text}")
    if code == _LAUNCH_RESOURCES:
        return DriverError(f"{subject}needs more registers or threads than a multiprocessor has: use fewer warps")
    if code == _OUT_OF_MEMORY:
        return DriverError(f"{subject}the GPU is out of memory ({text})")
    return DriverError(f"{subject}{function}: {text}")


def describe(code: int) -> str:
    """The name and the text of an error code."""
    return _describe(library(), code)


def _describe(lib: Any, code: int) -> str:
    name, text = c_char_p(), c_char_p()
    if lib.cuGetErrorName(code, byref(name)) or lib.cuGetErrorString(code, byref(text)):
        return f"error {code}"
    return f"{(name.value or b'').decode()}, {(text.value or b'').decode()}"
