"""Arguments of a launch: from Python's values to the bytes that a kernel takes.

A struct holds them all, in the alignment of C; the driver gets the address of each.  The struct and the addresses are
made once for a kernel, so a launch only packs values.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from typing import Any


class ArgumentError(ValueError):
    """An argument that does not fit the kernel's parameter."""


SCRATCH_POINTERS = 2
POINTER = "Q"
# Types of tt -> formats of the struct module.
_FORMATS = {
    "i1": "B",
    "i8": "b",
    "i16": "h",
    "i32": "i",
    "i64": "q",
    "index": "q",
    "f16": "e",
    "bf16": "H",
    "f32": "f",
    "f64": "d",
}
_INTEGERS = {"B": 1, "b": 8, "h": 16, "i": 32, "q": 64}


def format_of(kind: str) -> str:
    """The format of a parameter of a tt type.

    Raises:
        ArgumentError: the type can't be passed.
    """
    if kind.startswith("!tt.ptr"):
        return POINTER
    if kind in _FORMATS:
        return _FORMATS[kind]
    raise ArgumentError(f"a parameter of type {kind} can't be launched from here")


def guess_formats(values: Sequence[Any]) -> list[str]:
    """Formats for values where the kernel's types are not known: int is i32 if it fits, float is f32."""

    def guess(value: Any) -> str:
        if isinstance(value, float):
            return "f"
        if isinstance(value, bool):
            return "B"
        if isinstance(value, int):
            return "i" if -(1 << 31) <= value < 1 << 31 else POINTER
        return POINTER

    return [guess(value) for value in values]


class Packer:
    """The struct of a kernel's arguments, and the scratch pointers behind them.

    addresses: of each argument, as the driver takes them; they stay the same.
    """

    def __init__(self, formats: Sequence[str], kinds: Sequence[str] | None = None) -> None:
        self.formats, self.kinds = list(formats), list(kinds or formats)
        self._has_bf16 = "H" in self.formats
        every = [*self.formats, *[POINTER] * SCRATCH_POINTERS]
        self._struct = struct.Struct("@" + "".join(every))
        self._buffer = ctypes.create_string_buffer(self._struct.size + 8)
        base = ctypes.addressof(self._buffer)
        starts = [
            struct.calcsize("@" + "".join(every[: index + 1])) - struct.calcsize("@" + every[index])
            for index in range(len(every))
        ]
        self.addresses = (ctypes.c_void_p * len(every))(*[base + start for start in starts])

    def pack(self, values: Sequence[Any], *scratch: int) -> None:
        """Writes the values into the struct.

        Raises:
            ArgumentError: there are too many or too few, or one does not fit.
        """
        if len(values) != len(self.formats):
            raise ArgumentError(f"it takes {len(self.formats)} arguments, found {len(values)}")
        # A list comprehension and one call: this is the time of a launch.
        plain = [
            value if code != "Q" or value.__class__ is int else pointer(value)
            for code, value in zip(self.formats, values)
        ]
        if not self._has_bf16:  # which struct does not know
            try:
                return self._struct.pack_into(self._buffer, 0, *plain, *scratch)
            except (struct.error, TypeError, OverflowError):
                pass
        fitted = [self._fit(index, value) for index, value in enumerate(plain)]
        return self._struct.pack_into(self._buffer, 0, *fitted, *scratch)

    def _fit(self, index: int, value: Any) -> Any:
        """A value as its parameter takes it: unsigned numbers as signed, bf16 as its bits."""
        code, kind = self.formats[index], self.kinds[index]
        try:
            if code == "H":
                return struct.unpack("<I", struct.pack("<f", _rounded_to_bf16(float(value))))[0] >> 16
            if code in _INTEGERS:
                bits, number = _INTEGERS[code], value.__index__()
                if not -(1 << (bits - 1)) <= number < 1 << bits:
                    raise ArgumentError(f"argument {index} is a {kind}, which can't hold {number}")
                signed = number - (1 << bits) if number >= 1 << (bits - 1) and bits > 1 else number
                return signed & 1 if bits == 1 else signed
            struct.pack(code, value)
        except (struct.error, TypeError, AttributeError, OverflowError):
            raise ArgumentError(f"argument {index} is a {kind}, found {value!r}") from None
        return value


def _rounded_to_bf16(value: float) -> float:
    """To the nearest number of bf16, ties to even."""
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    if value == value:  # NaN stays
        bits = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def pointer(value: Any) -> int:
    """The address on the GPU of what is passed for a pointer: torch, CuPy, DLPack, an int, or None for null.

    Raises:
        ArgumentError: it has none, or lies in the host's memory.
    """
    if value is None:
        return 0
    if hasattr(value, "data_ptr"):
        if not getattr(value, "is_cuda", True):
            raise ArgumentError("a tensor lies in the host's memory: move it to the GPU, with .cuda()")
        return value.data_ptr()
    if hasattr(value, "__cuda_array_interface__"):
        return value.__cuda_array_interface__["data"][0] or 0
    if hasattr(value, "__dlpack__"):
        return _dlpack_pointer(value)
    if hasattr(value, "__index__"):
        return value.__index__()
    raise ArgumentError(f"a pointer is a tensor on the GPU, an address or None; found {type(value).__name__}")


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


def _dlpack_pointer(value: Any) -> int:
    if value.__dlpack_device__()[0] not in _DLPACK_GPU:
        raise ArgumentError(f"a {type(value).__name__} lies in the host's memory: move it to the GPU")
    capsule = value.__dlpack__()
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    # The capsule frees its tensor when it goes; the memory is the value's, which the caller holds.
    tensor = _DLTensor.from_address(get(capsule, b"dltensor"))
    return (tensor.data or 0) + tensor.byte_offset
