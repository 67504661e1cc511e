"""Memory of a launch: each access is checked; a bad one is recorded and skipped, so that the kernel runs on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.errors import InterpreterError
from ttkit.interpreter.masks import mask_position
from ttkit.interpreter.memory.global_memory import Access, Buffer
from ttkit.interpreter.negative_remainders import sign_advice
from ttkit.interpreter.python_mode.array_memory import KernelMemory
from ttkit.interpreter.python_mode.host_arrays import HostArray
from ttkit.sanitizer.bounds import Bounds
from ttkit.sanitizer.findings import Finding
from ttkit.sanitizer.initialized import Fresh
from ttkit.sanitizer.races import ProgramRaces
from ttkit.sanitizer.source_lines import sites

ALIGNED = 256
"""Addresses in the interpreter are those of the array up to multiples of this."""
DONE = {"reads": "read", "writes": "written", "updates": "updated"}


class Argument(Buffer):
    """A tensor that is passed, as memory of its own: two views of one allocation have different addresses and share
    the bytes.

    written: of the allocation, bool, or None; bounds: what the kernel may access.
    """

    def __init__(self, name: str, array: HostArray, bounds: Bounds, written: np.ndarray | None) -> None:
        super().__init__(name, array.bytes)
        self.bytes, self.array, self.bounds, self.written = array.bytes, array, bounds, written


class CheckedMemory(KernelMemory):
    """Global memory of one launch.

    Args:
        kinds: of findings to look for, of `findings.KINDS`.
        tell: called with each finding.
        kernel: its name.
        fresh: arrays without contents.
        whole: whether all of an allocation may be accessed, not only the view that was passed.
    """

    def __init__(
        self, kinds: frozenset[str], tell: Callable[[Finding], None], kernel: str, fresh: Fresh, whole: bool = False
    ) -> None:
        super().__init__()
        self.kinds, self.tell, self.kernel, self.fresh, self.whole = kinds, tell, kernel, fresh, whole
        self.races = ProgramRaces(self) if "race" in kinds else None
        self.said: np.ndarray | None = None
        """Addresses of the access under way that a finding is about already; None for none."""
        self.written_maps: dict[int, np.ndarray | None] = {}

    def add_array(self, name: str, array: HostArray) -> int:
        """Adds an argument; gives the address of its first element."""
        if array.address not in self.written_maps:
            watched = "uninitialized" in self.kinds and array.bytes.size
            self.written_maps[array.address] = self.fresh.written(array.address, array.bytes) if watched else None
        buffer = Argument(name, array, Bounds.of(array, self.whole), self.written_maps[array.address])
        self.add(buffer)
        buffer.base += array.address % ALIGNED
        self.arrays.append(array)
        self.passed[len(self.passed), 0] = buffer
        self.described[id(buffer)] = array
        return buffer.base + array.offset

    def copy_back(self) -> None:
        """Takes to their places the arrays that were copied and written."""
        changed = {b.array.address: b.array for b in self.buffers if isinstance(b, Argument) and b.changed}
        for array in changed.values():
            if array.copy_back is not None:
                array.copy_back()

    # --- accesses ----------------------------------------------------------------------------------------------------

    def _resolve(self, access: Access, size: int) -> Iterator[tuple[Buffer, Any, np.ndarray]]:
        """(buffer, indices into the access, byte offsets) of valid accesses."""
        try:
            for buffer, where, offsets in super()._resolve(access, size):
                bad = self._bad(access, buffer, where, offsets, size)
                if bad is None:
                    yield buffer, where, offsets
                elif not bad.all():
                    kept = np.arange(access.addresses.size)[where][~bad]
                    yield buffer, kept, offsets[~bad]
        except InterpreterError as error:  # an address that is in nothing
            self._report(access, "out-of-bounds", error.what, slice(None), 0, fix="pass the tensor as an argument")

    def _offsets(self, access: Access, buffer: Buffer, where: Any, size: int) -> np.ndarray:
        return access.addresses[where] - buffer.base

    def _bad(self, access: Access, buffer: Buffer, where: Any, offsets: np.ndarray, size: int) -> np.ndarray | None:
        """Which of the accesses are bad, after they were reported; None if none is."""
        if isinstance(buffer, Argument):
            outside = buffer.bounds.outside(offsets, size)
        else:
            outside = (offsets < 0) | (offsets > buffer.size - size)
        never = (offsets < 0) | (offsets > buffer.size - size)
        if outside.any() and "out-of-bounds" in self.kinds:
            self._report_outside(access, buffer, where, offsets, size, outside)
        else:
            outside = never
        crooked = offsets % size != 0 if size > 1 else np.zeros(offsets.shape, np.bool_)
        if (crooked & ~outside).any() and "misaligned" in self.kinds:
            bad = int(np.argmax(crooked & ~outside))
            what = f"{access.verb} {size} bytes at byte {offsets[bad] - self._start(buffer)} of {buffer.name}"
            fix = (
                f"addresses of elements of {size} bytes must be multiples of {size}: offsets count elements, not bytes"
            )
            self._report(
                access,
                "misaligned",
                f"{what}, which is not a multiple of {size}",
                where,
                bad,
                buffer=buffer,
                count=int((crooked & ~outside).sum()),
                fix=fix,
            )
        bad_ones = outside | crooked | never
        return bad_ones if bad_ones.any() else None

    @staticmethod
    def _start(buffer: Buffer) -> int:
        return buffer.array.offset if isinstance(buffer, Argument) else 0

    # --- reports -----------------------------------------------------------------------------------------------------

    def _report_outside(
        self, access: Access, buffer: Buffer, where: Any, offsets: np.ndarray, size: int, outside: np.ndarray
    ) -> None:
        if self.said is not None:  # the address has wrapped: that is the bug
            outside = outside & ~np.isin(access.addresses[where], self.said)
            if not outside.any():
                return
        bad = int(np.argmax(outside))
        if isinstance(buffer, Argument):
            text = f"{access.verb} {buffer.name} at {buffer.bounds.describe(int(offsets[bad]))}"
            index = buffer.bounds.index(int(offsets[bad]))
        else:
            text, index = f"{access.verb} offset {offsets[bad]} of {buffer.name}, which has {buffer.size} bytes", None
        self._report(
            access,
            "out-of-bounds",
            text,
            where,
            bad,
            buffer=buffer,
            index=index,
            count=int(outside.sum()),
            fix=self._sign_advice(access, buffer, int(offsets[bad])) or _mask_advice(access.op, buffer, index),
        )

    def _sign_advice(self, access: Access, buffer: Buffer, offset: int) -> str:
        is_before = offset < self._start(buffer)
        return sign_advice(getattr(access.machine, "module", None), access.op) if is_before else ""

    def _check_written(self, access: Access, buffer: Buffer, where: Any, offsets: np.ndarray, size: int) -> None:
        if buffer.written is None:
            return
        missing = ~buffer.written[offsets]
        if not missing.any():
            return
        bad = int(np.argmax(missing))
        index = buffer.bounds.index(int(offsets[bad])) if isinstance(buffer, Argument) else None
        self._report(
            access,
            "uninitialized",
            f"{access.verb} {buffer.name}, of which nothing has written this element",
            where,
            bad,
            buffer=buffer,
            index=index,
            count=int(missing.sum()),
            fix=f"fill {buffer.name} before the launch (zeros in place of empty), or store to it before it is read",
        )

    def _report(
        self,
        access: Access,
        kind: str,
        text: str,
        where: Any,
        bad: int,
        *,
        buffer: Buffer | None = None,
        index: tuple[int, ...] | None = None,
        count: int = 1,
        others: Any = (),
        fix: str = "",
    ) -> None:
        program, element = access.place(where, bad)
        array = buffer.array if isinstance(buffer, Argument) else None
        self.tell(
            Finding(
                kind,
                self.kernel,
                text,
                list(sites(access.op.location, self._name(access))),
                program,
                element,
                None if buffer is None else buffer.name,
                None if array is None else tuple(array.shape),
                index,
                list(others),
                fix,
                count,
            )
        )

    @staticmethod
    def _name(access: Access) -> str:
        """The operation: of lowered code what the assembly does."""
        lowered = "llvm.load" if access.verb == "reads" else "llvm.store"
        return lowered if access.op.name == "llvm.inline_asm" else access.op.name


def _mask_advice(op: Instruction, buffer: Buffer, index: tuple[int, ...] | None) -> str:
    """Advice about an access that is out of bounds."""
    if "descriptor" in op.name or op.attributes.get("boundaryCheck"):
        return "give the descriptor or block pointer the tensor's own shape, and check all dimensions"
    if mask_position(op) is not None:
        limit = ""
        if isinstance(buffer, Argument) and index is not None:
            past = [d for d, (at, size) in enumerate(zip(index, buffer.array.shape)) if at >= size]
            limit = f": index {index[past[0]]} needs to be below {buffer.array.shape[past[0]]}" if past else ""
        return f"the mask lets it through{limit}; compare each index with the size of its dimension"
    return "add mask=..., true for the elements that are there, such as mask=offsets < n"
