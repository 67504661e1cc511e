"""Memory of kernels that run as Python: the arrays that they get, and those that addresses in memory lead to.

An array that is passed has a region of its own (`memory.py`), so that what strays from it is known to.  A kernel may
also hold the real address of an array: one that it loads from a table of pointers, or gets as an integer.  Such an
array is looked for among those that are passed, and then among all that live in the process.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ttkit.interpreter import errors
from ttkit.interpreter.memory.global_memory import REGION_BITS, Access, Buffer, Memory
from ttkit.interpreter.python_mode.host_arrays import HostArray, host_array, live_arrays


class KernelMemory(Memory):
    """Global memory of one launch."""

    def __init__(self) -> None:
        super().__init__()
        self.arrays: list[HostArray] = []
        self.passed: dict[tuple[int, int], Buffer] = {}
        self.by_address: list[tuple[HostArray, Buffer]] = []
        self.described: dict[int, HostArray] = {}
        """The array that a buffer is of, by the buffer's id."""
        self.living: list[tuple[int, int, Any]] | None = None
        """`live_arrays`, once they have been looked for."""

    def add_array(self, name: str, array: HostArray) -> int:
        """Adds an argument; gives the address of its first element.  Arrays of one allocation share a buffer."""
        key = (array.address, array.bytes.size)
        buffer = self.passed.get(key) if array.bytes.size else None
        if buffer is None:
            buffer = self.passed[key] = self.add(Buffer(name, array.bytes))
            buffer.bytes = array.bytes
            self.arrays.append(array)
            self.described[id(buffer)] = array
        return buffer.base + array.offset

    def copy_back(self) -> None:
        """Takes to their places the arrays that were copied and written."""
        found = [(array, self.passed[array.address, array.bytes.size]) for array in self.arrays] + self.by_address
        changed = {id(array): array for array, buffer in found if buffer.changed and array.copy_back is not None}
        for array in changed.values():
            assert array.copy_back is not None
            array.copy_back()

    def elsewhere(self, access: Access, where: Any) -> Iterator[tuple[Buffer, Any]]:
        """Arrays at real addresses; see `Memory.elsewhere`."""
        left = np.arange(access.addresses.size)[where]
        while left.size:
            address = int(access.addresses[left[0]])
            found = self._at(address)
            if found is None:
                access.fail(
                    errors.OutOfBounds, left, 0, f"{access.verb} address {address:#x}, which is in no known array"
                )
            array, buffer = found
            addresses = access.addresses[left]
            inside = (addresses >= array.address) & (addresses < array.address + array.bytes.size)
            yield buffer, left[inside]
            left = left[~inside]

    def _at(self, address: int) -> tuple[HostArray, Buffer] | None:
        for array, buffer in self.by_address:
            if array.address <= address < array.address + array.bytes.size:
                return array, buffer
        for array in self._candidates(address):
            if array.address <= address < array.address + array.bytes.size:
                key = (array.address, array.bytes.size)
                name = self.passed[key].name if key in self.passed else array.text
                buffer = Buffer(name, array.bytes)
                buffer.base = array.address
                self.described[id(buffer)] = array
                self.by_address.append((array, buffer))
                return array, buffer
        return None

    def _candidates(self, address: int) -> Iterator[HostArray]:
        yield from self.arrays
        if self.living is None:
            self.living = live_arrays()
        for low, high, value in self.living:
            try:
                if low <= address < high and (found := host_array(value)) is not None:
                    yield found
            except TypeError:
                continue  # elements that kernels have none of

    def describe(self, address: int) -> tuple[str, str] | None:
        """Offset of an address in an argument, and the array that it is in or strayed from; None if unknown."""
        buffer = self.in_region(address >> REGION_BITS)
        if buffer is None:
            buffer = next((b for _, b in self.by_address if b.base <= address < b.base + b.size), None)
        if buffer is None:
            return None
        array = self.described[id(buffer)]
        offset = address - buffer.base - array.offset
        count, rest = divmod(abs(offset), max(1, array.element.primitive_bitwidth // 8))
        size = f"{abs(offset)} bytes" if rest else f"{count} elements"
        pointer = f"{buffer.name} {'-' if offset < 0 else '+'} {size}"
        return pointer, f"{buffer.name}: {array.text}, {buffer.size} bytes"
