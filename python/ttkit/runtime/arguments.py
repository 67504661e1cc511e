"""Arguments of a launch: from Python's values to the bytes that a kernel takes.

A struct holds them all, in the alignment of C; the driver gets the address of each.  The struct and the addresses are
made once for a kernel, so a launch only packs values.
"""

from __future__ import annotations

import ctypes
import math
import struct
from collections.abc import Sequence
from typing import Any

from ttkit.runtime.pointers import ArgumentError, pointer

SCRATCH_POINTERS = 2
POINTER = "Q"
TENSOR_MAP = "128s"
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
# Numbers from here on round to infinity.
_LARGEST = {"e": 65520.0, "f": (2.0 - 2.0**-24) * 2.0**127}
_INTEGERS = {"B": 1, "b": 8, "h": 16, "i": 32, "q": 64}


def format_of(kind: str) -> str:
    """The format of a parameter of a tt type.

    Raises:
        ArgumentError: the type can't be passed.
    """
    if kind.startswith("!tt.ptr"):
        return POINTER
    if kind.startswith("!tt.tensordesc"):
        return TENSOR_MAP
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
