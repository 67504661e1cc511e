"""libcupti through ctypes: which one there is, and its functions.

CUPTI is NVIDIA's library for profilers.  The wheel nvidia-cuda-cupti has it (`pip install ttkit[profile]`); torch
brings it along.
"""

from __future__ import annotations

import ctypes
import functools
import glob
import os
from collections.abc import Iterator
from ctypes import POINTER, byref, c_char_p, c_int, c_size_t, c_uint32, c_uint64, c_void_p
from importlib.machinery import PathFinder
from typing import Any

import ttkit.knobs as knobs
from ttkit.cuda_toolkit import toolkit_folders

# CUpti_CallbackDomain, CUpti_CallbackIdResource
DRIVER_API, RUNTIME_API, RESOURCE = 1, 2, 3
GRAPH_NODE_CREATED, GRAPH_NODE_CLONED = 13, 20
# CUpti_driver_api_trace_cbid: cuLaunchKernel, cuLaunchKernelEx, cuLaunchCooperativeKernel, cuGraphLaunch, and theirs of
# a stream for each thread.
DRIVER_LAUNCHES = (307, 442, 652, 653, 477, 478, 514, 515)
# CUpti_runtime_api_trace_cbid: cudaLaunchKernel, cudaLaunchKernelExC, cudaLaunchCooperativeKernel, cudaGraphLaunch, and
# __cudaLaunchKernel of CUDA 13.
RUNTIME_LAUNCHES = (211, 214, 430, 431, 269, 270, 311, 312)
RUNTIME_LAUNCHES_13 = (505, 506)
_NOT_PERMITTED = 35
FLUSH_FORCED = 1


class CuptiError(RuntimeError):
    """CUPTI is missing, or refuses."""


_SIGNATURES: dict[str, list[Any]] = {
    "cuptiGetVersion": [POINTER(c_uint32)],
    "cuptiGetResultString": [c_int, POINTER(c_char_p)],
    "cuptiActivityRegisterCallbacks": [c_void_p, c_void_p],
    "cuptiActivityEnable": [c_int],
    "cuptiActivityDisable": [c_int],
    "cuptiActivityFlushAll": [c_uint32],
    "cuptiActivityGetNextRecord": [c_void_p, c_size_t, POINTER(c_void_p)],
    "cuptiSubscribe": [POINTER(c_void_p), c_void_p, c_void_p],
    "cuptiUnsubscribe": [c_void_p],
    "cuptiFinalize": [],
    "cuptiEnableCallback": [c_uint32, c_void_p, c_int, c_uint32],
    "cuptiGetGraphNodeId": [c_void_p, POINTER(c_uint64)],
}


def candidates() -> Iterator[str]:
    """Files that may be libcupti, the first choice first: TRITON_CUPTI_LIB_PATH, wheels, the CUDA toolkit's, the
    system's."""
    if folder := knobs.proton.cupti_lib_dir:
        yield from _in_folder(folder)
        return
    for toolkit in toolkit_folders():
        for inside in ("lib", "extras/CUPTI/lib64", "lib64"):
            yield from _in_folder(os.path.join(toolkit, inside))
    found = PathFinder.find_spec("nvidia")
    for place in (found.submodule_search_locations or ()) if found is not None else ():
        yield from _in_folder(os.path.join(place, "cuda_cupti", "lib"))  # wheels for CUDA 12
    yield from ("libcupti.so.13", "libcupti.so.12", "libcupti.so")


def _in_folder(folder: str) -> list[str]:
    return sorted(glob.glob(os.path.join(folder, "libcupti.so*")), key=len)[:1]


@functools.cache
def library() -> Any:
    """libcupti.

    Raises:
        CuptiError: there is none.
    """
    tried = []
    for path in candidates():
        try:
            lib = ctypes.CDLL(path)
        except OSError as error:
            tried.append(f"{path}: {error}")
            continue
        for function, arguments in _SIGNATURES.items():
            if (found := getattr(lib, function, None)) is not None:
                found.restype, found.argtypes = c_int, arguments
        return lib
    raise CuptiError(f"no libcupti: pip install ttkit[profile], or set TRITON_CUPTI_LIB_PATH ({tried[-1]})")


def call(name: str, *arguments: Any) -> None:
    """Calls a function of libcupti.

    Raises:
        CuptiError: there is no libcupti, or it refuses.
    """
    lib = library()
    function = getattr(lib, name, None)
    if function is None:
        raise CuptiError(f"this libcupti has no {name}: use one of CUDA 12.8 or newer")
    if code := function(*arguments):
        text = c_char_p()
        lib.cuptiGetResultString(code, byref(text))
        advice = (
            ": the driver lets only administrators profile (NVreg_RestrictProfilingToAdminUsers)"
            if code == _NOT_PERMITTED
            else ""
        )
        raise CuptiError(f"{name}: {(text.value or b'').decode() or code}{advice}")


def major_version() -> int:
    """12 or 13: of CUDA, whose CUPTI this is.

    Raises:
        CuptiError: there is no libcupti, or its records are not known here.
    """
    version = c_uint32()
    call("cuptiGetVersion", byref(version))
    if version.value >= 130000:
        return version.value // 10000
    if version.value >= 18:  # of CUDA 12.0
        return 12
    raise CuptiError(f"this libcupti is of CUDA 11 or older (version {version.value}): use one of CUDA 12 or 13")


def next_record(buffer: bytes, place: int) -> int:
    """The place of the next record; the end of the buffer if there is none."""
    address = ctypes.cast(c_char_p(buffer), c_void_p).value or 0
    record = c_void_p(address + place)
    if library().cuptiActivityGetNextRecord(address, len(buffer), byref(record)) or not record.value:
        return len(buffer)
    return record.value - address
