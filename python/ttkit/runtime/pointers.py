"""Arguments for pointers: tensors of torch, CuPy, JAX and DLPack, arrays, addresses.

Each type of value has an `Adapter`, found once, which gives the address and the element type.
"""

from __future__ import annotations

import ctypes
import functools
import sys
from collections.abc import Callable
from typing import Any

from ttkit.language.parameters import canonical_type_name, is_type_name
from ttkit.records import dataclass


class ArgumentError(ValueError):
    """An argument that does not fit the kernel's parameter."""


@dataclass(frozen=True)
class Adapter:
    """The way values of a type are read.

    address: of the first element, as an integer.
    dtype: of the elements, whatever the framework calls it.
    on_host: whether the elements may lie in the host's memory, where a kernel can't reach them.
    """

    address: Callable[[Any], int]
    dtype: Callable[[Any], Any]
    on_host: Callable[[Any], bool]


def _never(value: Any) -> bool:
    return False


_ADAPTERS: dict[type, Adapter | None] = {}


def adapter_of(value: Any) -> Adapter | None:
    """The way to read `value`; None for what is not a tensor."""
    kind = type(value)
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = _find_adapter(value)
    return _ADAPTERS[kind]


def _find_adapter(value: Any) -> Adapter | None:
    kind = type(value)
    if hasattr(value, "data_ptr"):
        on_host = (lambda x: not x.is_cuda) if hasattr(kind, "is_cuda") else _never
        return Adapter(lambda x: x.data_ptr(), lambda x: x.dtype, on_host)
    if _is_numpy_array(value):
        return Adapter(lambda x: x.__array_interface__["data"][0], lambda x: x.dtype, lambda x: True)
    if hasattr(getattr(value, "data", None), "ptr") and hasattr(value, "dtype"):  # CuPy
        return Adapter(lambda x: x.data.ptr, lambda x: x.dtype, _never)
    if hasattr(value, "unsafe_buffer_pointer"):  # JAX, whose interfaces don't know all its types
        return Adapter(lambda x: x.unsafe_buffer_pointer(), lambda x: x.dtype, _jax_on_host)
    if hasattr(value, "__cuda_array_interface__"):
        return Adapter(
            lambda x: x.__cuda_array_interface__["data"][0] or 0,
            lambda x: x.__cuda_array_interface__["typestr"],
            _never,
        )
    if hasattr(value, "__dlpack__") and hasattr(value, "__dlpack_device__"):
        on_host = lambda x: x.__dlpack_device__()[0] not in _DLPACK_GPU
        return Adapter(lambda x: _dlpack(x)[0], lambda x: _dlpack(x)[1], on_host)
    return None


def _is_numpy_array(value: Any) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.ndarray)


def _jax_on_host(value: Any) -> bool:
    return all(device.platform == "cpu" for device in value.devices())


def is_array(value: Any) -> bool:
    """Whether it is a tensor or an array, of any framework, that a kernel may take for a pointer."""
    return adapter_of(value) is not None


def element_type(value: Any) -> str:
    """The type of the elements of a tensor as signatures spell it: "fp32".

    Raises:
        TypeError: kernels have no such type.
    """
    adapter = adapter_of(value)
    return dtype_name(value.dtype if adapter is None else adapter.dtype(value))


@functools.cache
def dtype_name(dtype: Any) -> str:
    """A framework's dtype as signatures spell it.

    Raises:
        TypeError: kernels have no such type.
    """
    text = str(dtype).rpartition(".")[2]
    if text[:1] in "<|=" and (numpy := sys.modules.get("numpy")) is not None:  # of an array interface
        text = str(numpy.dtype(text))
    name = canonical_type_name(text)
    if not is_type_name(name) or name == "void":
        raise TypeError(
            f"a tensor of dtype {dtype} can't be passed, since kernels have no such type: pass a view of it, "
            "such as uint8"
        )
    return name


def pointer_value(value: Any) -> int:
    """The address of a tensor's first element, wherever that is."""
    adapter = adapter_of(value)
    assert adapter is not None
    return adapter.address(value)


def pointer(value: Any) -> int:
    """The address on the GPU of what is passed for a pointer: a tensor, an int, or None for null.

    Raises:
        ArgumentError: it has none, or lies in the host's memory.
    """
    if value is None:
        return 0
    adapter = adapter_of(value)
    if adapter is not None:
        address = adapter.address(value)
        if address and (adapter.on_host(value) or _is_elsewhere(value)):
            return _mapped(address, value)
        return address
    if hasattr(value, "__index__"):
        return value.__index__()
    raise ArgumentError(f"is a tensor on the GPU, an address or None; found {type(value).__name__}")


def _mapped(address: int, value: Any) -> int:
    """The address at which the current GPU finds memory of the host or of another GPU, if it can reach it."""
    from ttkit.cuda.libcuda import device_address

    if (found := device_address(address)) is None:
        if (gpu := _gpu_of(value)) is not None:
            raise ArgumentError(
                f"cannot be accessed from GPU {_current_gpu()}, which is current: a {type(value).__name__} is on GPU "
                f"{gpu}: launch within `torch.cuda.device({gpu})`, or move it"
            )
        raise ArgumentError(
            f"cannot be accessed from Triton (cpu tensor?): a {type(value).__name__} is in host memory: "
            "move it to the GPU with .cuda()"
        )
    return found


def _gpu_of(value: Any) -> int | None:
    """The number of the GPU that a tensor of torch lies on."""
    device = getattr(value, "device", None)
    return getattr(device, "index", None) if getattr(device, "type", None) == "cuda" else None


def _is_elsewhere(value: Any) -> bool:
    """Whether a tensor of torch lies on a GPU that is not the current one."""
    gpu = _gpu_of(value)
    return gpu is not None and gpu != _current_gpu()


def _current_gpu() -> int:
    from ttkit.cuda.device import ordinal_of_current_context

    return ordinal_of_current_context()


class _DLTensor(ctypes.Structure):
    """The start of DLTensor, and of DLManagedTensor."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int),
        ("device_id", ctypes.c_int),
        ("ndim", ctypes.c_int),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("byte_offset", ctypes.c_uint64),
    ]


_DLPACK_GPU = (2, 13)  # kDLCUDA, kDLCUDAManaged
# DLDataTypeCode -> the type without or with its bits.
_DLPACK_CODES = {0: "int{}", 1: "uint{}", 2: "float{}", 4: "bfloat{}", 6: "bool"}
_DLPACK_FP8 = {9: "float8e4b15", 10: "float8_e4m3fn", 11: "float8_e4m3fnuz", 12: "float8_e5m2", 13: "float8_e5m2fnuz"}


def _dlpack(value: Any) -> tuple[int, str]:
    """Address and element type."""
    on_gpu = value.__dlpack_device__()[0] in _DLPACK_GPU
    # Stream -1: nothing is waited for, as nothing is with tensors of torch.
    capsule = value.__dlpack__(stream=-1) if on_gpu else value.__dlpack__()
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    # The capsule frees its tensor when it goes; the memory is the value's, which the caller holds.
    tensor = _DLTensor.from_address(get(capsule, b"dltensor"))
    known = {**_DLPACK_CODES, **_DLPACK_FP8}
    name = known.get(tensor.code, f"DLPack's code {tensor.code}").format(tensor.bits)
    return (tensor.data or 0) + tensor.byte_offset, name
