"""Arguments of a launch: from Python's values to the bytes that a kernel takes.

A struct holds them all, in the alignment of C; the driver gets the address of each.  The struct and the addresses are
made once for a kernel, so a launch only packs values.
"""

from __future__ import annotations

import ctypes
import math
import struct
from collections.abc import Sequence
from typing import Any, NamedTuple

from ttkit.runtime.pointers import ArgumentError, pointer

SCRATCH_POINTERS = 2


class Packing(NamedTuple):
    """The way values of a type are passed.

    format: of the struct module; a signed one takes unsigned numbers too.
    letter: what launcher/pack.cpp knows it by; empty for what it leaves to Python.
    c: the type in C.
    """

    format: str
    letter: str
    c: str


POINTER = Packing("Q", "P", "CUdeviceptr")
TENSOR_MAP = Packing("128s", "", "CUtensorMap")
# Types as signatures spell them.
_PACKINGS = {
    "i1": Packing("B", "?", "int8_t"),
    "u1": Packing("B", "?", "uint8_t"),
    "i8": Packing("b", "b", "int8_t"),
    "u8": Packing("b", "B", "uint8_t"),
    "i16": Packing("h", "h", "int16_t"),
    "u16": Packing("h", "H", "uint16_t"),
    "i32": Packing("i", "i", "int32_t"),
    "u32": Packing("i", "I", "uint32_t"),
    "i64": Packing("q", "q", "int64_t"),
    "u64": Packing("q", "Q", "uint64_t"),
    "fp16": Packing("e", "e", "double"),
    "bf16": Packing("H", "E", "double"),
    "fp32": Packing("f", "f", "double"),
    "f32": Packing("f", "f", "double"),
    "fp64": Packing("d", "d", "double"),
    "index": Packing("q", "q", "int64_t"),
    "nvTmaDesc": TENSOR_MAP,
}
# Numbers from here on round to infinity.
_LARGEST = {"e": 65520.0, "f": (2.0 - 2.0**-24) * 2.0**127}
_INTEGERS = {"B": 1, "b": 8, "h": 16, "i": 32, "q": 64}


def packing(kind: str) -> Packing:
    """The way values of a type of a signature are passed.

    Raises:
        ArgumentError: they can't be.
    """
    found = POINTER if kind.startswith("*") else _PACKINGS.get(kind)
    if found is None:
        raise ArgumentError(f"a kernel with a parameter of type {kind} can't be launched")
    return found


def guess_types(values: Sequence[Any]) -> list[str]:
    """Types for values where the kernel's are not known: int is i32 if it fits, float is f32."""

    def guess(value: Any) -> str:
        """The type of one value; what is no number is taken for a pointer."""
        if isinstance(value, bool):
            return "i1"
        if isinstance(value, float):
            return "fp32"
        return "i32" if isinstance(value, int) and -(1 << 31) <= value < 1 << 31 else "*i8"

    return [guess(value) for value in values]


class Packer:
    """The struct of a kernel's arguments, and the scratch pointers after them.

    Args:
        kinds: types of the arguments, as signatures spell them.

    addresses: of each argument, as the driver takes them; they stay the same.

    Raises:
        ArgumentError: a type can't be passed.
    """

    def __init__(self, kinds: Sequence[str]) -> None:
        self.kinds = list(kinds)
        self.formats = [packing(kind).format for kind in kinds]
        self._has_bf16 = "H" in self.formats
        every = [*self.formats, *[POINTER.format] * SCRATCH_POINTERS]
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
        try:
            plain = [
                value if code != "Q" or value.__class__ is int else pointer(value)
                for code, value in zip(self.formats, values)
            ]
        except ArgumentError as error:
            raise ArgumentError(f"Pointer argument (at {self._unreachable(values)}) {error}") from None
        if not self._has_bf16:  # which struct does not know
            try:
                return self._struct.pack_into(self._buffer, 0, *plain, *scratch)
            except (struct.error, TypeError, OverflowError):
                pass
        fitted = [self._fit(index, value) for index, value in enumerate(plain)]
        return self._struct.pack_into(self._buffer, 0, *fitted, *scratch)

    def _unreachable(self, values: Sequence[Any]) -> int:
        """The number of the first argument that is no pointer."""
        for index, (code, value) in enumerate(zip(self.formats, values)):
            if code == "Q":
                try:
                    pointer(value)
                except ArgumentError:
                    return index
        raise AssertionError("all are pointers")

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
            if code in _LARGEST and hasattr(value, "__float__") and abs(float(value)) >= _LARGEST[code]:
                return math.copysign(math.inf, value)
            struct.pack(code, value)
        except (struct.error, TypeError, AttributeError, OverflowError):
            raise ArgumentError(f"argument {index} is a {kind}, found {value!r}") from None
        return value


def _rounded_to_bf16(value: float) -> float:
    """To the nearest number of bf16, ties to even."""
    bits = struct.unpack("<I", bytes(ctypes.c_float(value)))[0]
    if value == value:  # NaN stays
        bits = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def c_type(kind: str) -> str:
    """The type in C of a parameter whose type a signature spells so.

    Raises:
        ArgumentError: there is none.
    """
    return packing("nvTmaDesc" if kind.startswith("tensordesc") else kind).c
