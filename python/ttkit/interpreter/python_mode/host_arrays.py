"""Arrays that are passed to kernels which run as Python: numpy's, torch's, CuPy's, and others that say where they lie.

Each is seen as the bytes of the whole allocation that it lies in, so that views, also strided ones, may reach all that
they reach on a GPU.  What lies on the host is used in place; what lies on a GPU is copied, and copied back.
"""

from __future__ import annotations

import ctypes
import gc
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ttkit.interpreter.memory.storages import row_major
from ttkit.language import types

# The name of an array's dtype -> the elements that a pointer to it has.
ELEMENT_TYPES = {
    "bool": types.int1,
    **{f"int{bits}": types.get_int_dtype(bits, True) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": types.get_int_dtype(bits, False) for bits in (8, 16, 32, 64)},
    "float16": types.float16,
    "bfloat16": types.bfloat16,
    "float32": types.float32,
    "float64": types.float64,
    "float8_e5m2": types.float8e5,
    "float8_e4m3fn": types.float8e4nv,
    "float8_e4m3fnuz": types.float8e4b8,
    "float8_e5m2fnuz": types.float8e5b16,
    "float8_e8m0fnu": types.uint8,
}

_ARRAYS = ("ndarray", "Tensor", "Parameter")


@dataclass
class HostArray:
    """An array's memory on the host.

    address: of the allocation's first byte, as the array's owner and pointers in memory have it.
    bytes: uint8, the allocation.
    offset: of the array's first element in it, in bytes.
    element: what a pointer to it points to.
    text: how errors describe it, as "float32[64, 32]".
    owner: what keeps the bytes alive.
    shape, strides: of the array, strides in bytes.
    copy_back: puts the bytes where the array lies, if that is elsewhere.
    """

    address: int
    bytes: np.ndarray
    offset: int
    element: types.dtype
    text: str
    owner: Any
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    copy_back: Callable[[], None] | None = None


def host_array(value: Any) -> HostArray | None:
    """The memory of an array; None if it is none.

    Raises:
        TypeError: kernels have no such elements.
    """
    if isinstance(value, np.ndarray):
        return _of_numpy(value, value.dtype.name)
    if _is_reinterpreted(value):
        found = host_array(value.base)
        if found is not None:
            found.element = value.dtype if isinstance(value.dtype, types.dtype) else element_type(str(value.dtype))
        return found
    if hasattr(value, "untyped_storage"):
        return _of_torch(value)
    if hasattr(value, "__cuda_array_interface__"):
        return _of_cuda(value)
    if hasattr(value, "__dlpack__"):
        value = np.from_dlpack(value)
        return _of_numpy(value, value.dtype.name)
    if hasattr(value, "__array_interface__"):
        value = np.asarray(value)
        return _of_numpy(value, value.dtype.name)
    if hasattr(value, "data_ptr") and hasattr(value, "dtype"):
        return _of_pointer(value)
    return None


def extent(value: Any) -> tuple[int, int]:
    """The addresses of the first byte and of the one after the last, of numpy's array or of torch's storage."""
    if isinstance(value, np.ndarray):
        return _byte_bounds(value)
    storage = value.untyped_storage()
    return storage.data_ptr(), storage.data_ptr() + storage.nbytes()


def live_arrays() -> list[tuple[int, int, Any]]:
    """The live arrays of numpy and torch in this process, with the addresses of their first bytes and of those after
    the last: tables of pointers point to them.

    Only those are found that a container, a frame or an object refers to: numpy's are unknown to the collector.
    """
    tracked = gc.get_objects()
    candidates = (value for value in (*tracked, *gc.get_referents(*tracked)) if type(value).__name__ in _ARRAYS)
    found = []
    for value in {id(value): value for value in candidates}.values():
        try:
            found.append((*extent(value), value))
        except (RuntimeError, AttributeError):
            continue  # it has no memory
    return found


def _is_reinterpreted(value: Any) -> bool:
    """Whether it is an array with another element type: what `reinterpret(tensor, dtype)` gives."""
    return type(value).__name__ == "TensorWrapper"


def element_type(name: str) -> types.dtype:
    """The elements of a pointer to an array with that dtype.

    Raises:
        TypeError: there are none such.
    """
    found = ELEMENT_TYPES.get(name.rpartition(".")[2])
    if found is None:
        raise TypeError(f"kernels have no {name}; expected one of {', '.join(ELEMENT_TYPES)}")
    return found


def bytes_at(address: int, size: int) -> np.ndarray:
    """Memory of this process as uint8 [size]; the caller keeps it alive."""
    return np.frombuffer((ctypes.c_uint8 * size).from_address(address), np.uint8) if size else np.empty(0, np.uint8)


def _described(name: str, shape: Any) -> str:
    return f"{name.rpartition('.')[2]}[{', '.join(map(str, shape))}]"


def _of_numpy(array: np.ndarray, name: str) -> HostArray:
    element = element_type(name)
    owner = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    low, high = _byte_bounds(owner)
    first = array.__array_interface__["data"][0]
    if not low <= first <= high or not owner.size:
        low, high = _byte_bounds(array)
    found = bytes_at(low, high - low)
    found.flags.writeable = array.flags.writeable
    text = _described(name, array.shape)
    return HostArray(low, found, first - low, element, text, array, array.shape, array.strides)


def _byte_bounds(array: np.ndarray) -> tuple[int, int]:
    """The addresses of the first byte and of the one after the last."""
    first = array.__array_interface__["data"][0]
    if not array.size:
        return first, first
    steps = [stride * (size - 1) for stride, size in zip(array.strides, array.shape)]
    return first + sum(min(step, 0) for step in steps), first + sum(max(step, 0) for step in steps) + array.itemsize


def _of_torch(value: Any) -> HostArray:
    storage = value.untyped_storage()
    element, text = element_type(str(value.dtype)), _described(str(value.dtype), value.shape)
    address, size = storage.data_ptr(), storage.nbytes()
    offset = value.data_ptr() - address if size else 0
    shape = tuple(value.shape)
    strides = tuple(step * value.element_size() for step in value.stride())
    if value.device.type == "cpu":
        return HostArray(address, bytes_at(address, size), offset, element, text, storage, shape, strides)
    copy = storage.cpu()
    found, put = bytes_at(copy.data_ptr(), size), lambda: storage.copy_(copy) and None
    return HostArray(address, found, offset, element, text, copy, shape, strides, put)


def _of_pointer(value: Any) -> HostArray | None:
    """An object of a class of its own that says where its elements lie: in an array that lives in this process."""
    address = value.data_ptr()
    array = next((array for low, high, array in live_arrays() if low <= address < high), None)
    found = None if array is None else host_array(array)
    if found is not None:
        found.element, found.offset = element_type(str(value.dtype)), address - found.address
    return found


def _of_cuda(value: Any) -> HostArray:
    """An array that says by `__cuda_array_interface__` where on the GPU it lies."""
    from ttkit.cuda import libcuda
    from ttkit.cuda.device import current_context, synchronize

    interface = value.__cuda_array_interface__
    shape, address = tuple(interface["shape"]), interface["data"][0]
    name = str(getattr(value, "dtype", interface["typestr"]))
    dtype = np.dtype(interface["typestr"])
    steps = interface.get("strides") or row_major(shape, dtype.itemsize)
    size = sum(step * (length - 1) for step, length in zip(steps, shape)) + dtype.itemsize if math.prod(shape) else 0
    copy = np.empty(size, np.uint8)
    current_context()
    if size:
        synchronize()
        libcuda.call("cuMemcpyDtoH_v2", copy.ctypes.data, address, size)

    def copy_back() -> None:
        """Copies the bytes back to the GPU."""
        libcuda.call("cuMemcpyHtoD_v2", address, copy.ctypes.data, size)

    text = _described(name, shape)
    return HostArray(address, copy, 0, element_type(name), text, copy, shape, tuple(steps), copy_back)
