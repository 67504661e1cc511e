"""Memory as a set of buffers: real bounds, and a record of what was written.

Each buffer has an address region of its own, 2^40 bytes wide, and starts in the middle of it: an address tells its
buffer, and one that strays to either side is still known to have meant it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

import ttkit.interpreter.errors as errors
from ttkit.interpreter.memory.running import Running
from ttkit.interpreter.negative_remainders import sign_advice

if TYPE_CHECKING:
    from ttkit.interpreter.decode import Instruction

REGION_BITS = 40
MIDDLE = 1 << (REGION_BITS - 1)
MOST_BYTES = 1 << 32
"""Bytes of a buffer that no array was passed for, for all programs of a batch."""
FIRST_REGION = 1 << 20
"""The regions begin above all addresses that a process or a GPU has: `kernel_memory.py` knows those too."""


class Buffer:
    """Bytes that kernels may access.

    Args:
        name: how errors call it.
        data: its contents; the array itself is written to.  None for `size` bytes that nothing has written yet.
        size: bytes, where there is no data.
    """

    def __init__(self, name: str, data: np.ndarray | None = None, size: int = 0) -> None:
        self.name = name
        if data is None:
            if size > MOST_BYTES:
                raise errors.InterpreterError(f"{name}: {size} bytes; the interpreter takes {MOST_BYTES} at most")
            self.bytes = np.zeros(size, np.uint8)
            self.written: np.ndarray | None = np.zeros(size, np.bool_)
        else:
            if not data.flags.c_contiguous:
                raise ValueError(f"{name}: arrays must be contiguous; pass numpy.ascontiguousarray(...)")
            self.bytes = data.reshape(-1).view(np.uint8)
            self.written = None
        self.base = 0
        self.changed = False
        """Whether anything has been written to it."""

    def check_writable(self) -> None:
        """Refuses to write to an array that Python may only read.

        Raises:
            InterpreterError: it is one.
        """
        if not self.bytes.flags.writeable:
            advice = "pass a copy, or call setflags(write=True)"
            raise errors.InterpreterError(f"the kernel writes to argument {self.name}, a read-only array: {advice}")

    @property
    def size(self) -> int:
        """Bytes of the buffer."""
        return self.bytes.size


class Memory:
    """Global memory.  Addresses are int64."""

    def __init__(self) -> None:
        self.buffers: list[Buffer] = []
        self.races: Any = None
        """Who is told of each access, and looks for races: a RaceRecord, or the sanitizer's; None for nobody."""
        self.order: np.random.Generator | None = None
        """Draws the order of stores and atomic updates; None for that of the programs and elements."""
        self.combining: Callable[[int], np.ndarray] | None = None
        """Gives the order in which reductions combine so many elements; None for one of their own."""
        self.steps = 0
        """Operations that have run, each once for all programs of a batch."""
        self.programs = np.zeros(0, np.int64)
        """Linear indices of all programs, in the order in which they start."""
        self.started = 0
        self.journal: list[tuple[np.ndarray, np.ndarray, np.ndarray]] | None = None
        """What stores have overwritten, in order: views of buffers, indices, the values before.  None: not kept."""
        self.tensor_maps: dict[int, tuple[list[int], int]] = {}
        """Address -> the base, sizes and strides of a tensor map written there, and how it fills."""
        self.lowered_maps: dict[Any, Any] = {}
        """The same for lowered code: `lowered.tensor_maps.TensorMap`."""

    def start_programs(self, count: int) -> np.ndarray:
        """The next programs, fewer than `count` if no more are left."""
        batch = self.programs[self.started : self.started + count]
        self.started += batch.size
        return batch

    def add(self, buffer: Buffer) -> Buffer:
        """Gives a buffer addresses of its own, far from all others; gives it back."""
        self.buffers.append(buffer)
        buffer.base = (FIRST_REGION + len(self.buffers) << REGION_BITS) + MIDDLE
        return buffer

    def in_region(self, number: int) -> Buffer | None:
        """The buffer whose addresses have this number in their upper bits."""
        index = number - FIRST_REGION - 1
        return self.buffers[index] if 0 <= index < len(self.buffers) else None

    def restore(self) -> None:
        """Undoes every write since `journal` was set, and ends the journal."""
        for view, index, values in reversed(self.journal or ()):
            view[index] = values
        self.journal = None

    def load(self, access: Access, dtype: np.dtype) -> np.ndarray:
        """The elements at the enabled addresses, in order; zero for those that `_resolve` leaves out.

        Raises:
            OutOfBounds, Misaligned, Uninitialized
        """
        result, size = np.zeros(access.addresses.size, dtype), dtype.itemsize
        for buffer, where, offsets in self._resolve(access, size):
            self._check_written(access, buffer, where, offsets, size)
            result[where] = _elements(buffer.bytes, dtype)[offsets >> (size.bit_length() - 1)]
            if self.races is not None:
                self.races.read(access, buffer, where, offsets, size)
        return result

    def store(self, access: Access, values: np.ndarray) -> None:
        """Writes one value to each enabled address; of two to the same address the later stays, in `order` if set.

        Raises:
            OutOfBounds, Misaligned
        """
        size = values.dtype.itemsize
        for buffer, where, offsets in self._resolve(access, size):
            if self.order is not None:
                turns = self.order.permutation(offsets.size)
                where, offsets = np.arange(values.size)[where][turns], offsets[turns]
            buffer.check_writable()
            index, view, new = offsets >> (size.bit_length() - 1), _elements(buffer.bytes, values.dtype), values[where]
            old = None if self.journal is None and self.races is None else view[index]
            if self.journal is not None:
                self.journal.append((view, index, old))
            view[index] = new
            buffer.changed = True
            self._note_written(buffer, index, size)
            if self.races is not None:
                self.races.write(access, buffer, where, offsets, size, old, new, view[index])

    def update(self, access: Access, dtype: np.dtype, function: Callable[..., np.ndarray]) -> np.ndarray:
        """Replaces the elements at the enabled addresses; gives what `function` does.

        Args:
            function: takes a buffer as an array of `dtype`, the indices into it and into the access; writes the array.

        Raises:
            OutOfBounds, Misaligned, Uninitialized
        """
        result, size = np.zeros(access.addresses.size, dtype), dtype.itemsize
        for buffer, where, offsets in self._resolve(access, size):
            self._check_written(access, buffer, where, offsets, size)
            buffer.check_writable()
            index = offsets // size
            result[where] = function(_elements(buffer.bytes, dtype), index, where)
            buffer.changed = True
            self._note_written(buffer, index, size)
            if self.races is not None:
                self.races.update(access, buffer, where, offsets, size)
        return result

    def _resolve(self, access: Access, size: int):
        """(buffer, index into the access, byte offsets) for each buffer that the access touches."""
        addresses = access.addresses
        if not addresses.size:
            return
        numbers = addresses >> REGION_BITS
        if (numbers == numbers[0]).all():
            groups: list[Any] = [(int(numbers[0]), slice(None))]
        else:
            groups = [(int(number), np.flatnonzero(numbers == number)) for number in np.unique(numbers)]
        for number, where in groups:
            buffer = self.in_region(number)
            if buffer is not None:
                yield buffer, where, self._offsets(access, buffer, where, size)
            else:
                for buffer, part in self.elsewhere(access, where):
                    yield buffer, part, self._offsets(access, buffer, part, size)

    def elsewhere(self, access: Access, where: Any) -> Iterator[tuple[Buffer, Any]]:
        """Buffers of the addresses `where`, which are in no region, with the indices of each.

        Raises:
            OutOfBounds: there is none.
        """
        access.fail(errors.OutOfBounds, where, 0, f"address {access.addresses[where][0]:#x} is in no buffer")
        yield from ()

    def _offsets(self, access: Access, buffer: Buffer, where: Any, size: int) -> np.ndarray:
        offsets = access.addresses[where] - buffer.base

        def spot(bad: int) -> str:
            """The words of an error on one bad element."""
            return f"{access.verb} {size} bytes at offset {offsets[bad]} of buffer '{buffer.name}'"

        if offsets.min() < 0 or offsets.max() > buffer.size - size:
            bad = int(np.argmax((offsets < 0) | (offsets > buffer.size - size)))
            advice = sign_advice(getattr(access.machine, "module", None), access.op) if offsets[bad] < 0 else ""
            text = f"{spot(bad)}, which has {buffer.size} bytes" + (f"; {advice}" if advice else "")
            access.fail(errors.OutOfBounds, where, bad, text)
        if size > 1 and (offsets & (size - 1)).any():
            bad = int(np.argmax((offsets & (size - 1)) != 0))
            access.fail(errors.Misaligned, where, bad, f"{spot(bad)}, which is not a multiple of {size}")
        return offsets

    def _check_written(self, access: Access, buffer: Buffer, where, offsets: np.ndarray, size: int) -> None:
        if buffer.written is None:
            return
        written = _elements(buffer.written, f"u{size}")[offsets // size]
        if not (written == _all_written(size)).all():
            bad = int(np.argmax(written != _all_written(size)))
            text = f"reads {size} bytes at offset {offsets[bad]} of buffer '{buffer.name}'"
            access.fail(errors.Uninitialized, where, bad, f"{text}, which nothing has written")

    def _note_written(self, buffer: Buffer, index: np.ndarray, size: int) -> None:
        if buffer.written is not None:
            _elements(buffer.written, f"V{size}" if size > 8 else f"u{size}")[index] = _all_written(size)


def _elements(data: np.ndarray, dtype: Any) -> np.ndarray:
    """Bytes as whole elements of a type; those left at the end are in none."""
    size = np.dtype(dtype).itemsize
    return data[: data.size // size * size].view(dtype)


def _all_written(size: int) -> int:
    """`size` true bytes, as an unsigned integer."""
    return int.from_bytes(b"\1" * size, "little")


class Access:
    """The enabled addresses of one operation, and what is needed to say which one is bad.

    Args:
        machine: for the programs.
        op: the operation.
        addresses: int64 [P, *shape].
        mask: bool, of a shape that broadcasts to that of the addresses; None for all.
        verb: "reads" or "writes".
    """

    def __init__(
        self, machine: Running, op: Instruction, addresses: np.ndarray, mask: np.ndarray | None, verb: str
    ) -> None:
        self.machine, self.op, self.verb = machine, op, verb
        shape = addresses.shape if mask is None else np.broadcast_shapes(addresses.shape, mask.shape)
        self.shape = shape
        if addresses.shape != shape:
            addresses = np.broadcast_to(addresses, shape)
        self.mask = None if mask is None or mask.all() else np.broadcast_to(mask, shape)
        self.addresses = addresses.reshape(-1) if self.mask is None else addresses[self.mask]

    def flat_index(self, where, position: int) -> int:
        """The index, in the flattened shape, of an enabled address."""
        position = position if isinstance(where, slice) else int(where[position])
        return position if self.mask is None else int(np.flatnonzero(self.mask)[position])

    def lanes(self, where) -> np.ndarray:
        """The program of each enabled address."""
        per_program = int(np.prod(self.shape[1:], dtype=np.int64))
        flat = np.arange(self.addresses.size) if self.mask is None else np.flatnonzero(self.mask)
        programs = self.machine.programs
        lane = flat[where] // per_program
        return programs[lane] if self.shape[0] == programs.size else np.full(lane.shape, programs[0])

    def elements(self, where) -> np.ndarray:
        """The index of each enabled address in its program's tensor, flattened."""
        per_program = int(np.prod(self.shape[1:], dtype=np.int64))
        flat = np.arange(self.addresses.size) if self.mask is None else np.flatnonzero(self.mask)
        return flat[where] % per_program

    def place(self, where, position: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The program and the element of an enabled address."""
        return place(self.machine, np.unravel_index(self.flat_index(where, position), self.shape), self.shape)

    def fail(self, kind: type, where, position: int, text: str) -> NoReturn:
        """Raises an error about one element of an access, with its program and indices."""
        error = kind(text, self.op, *self.place(where, position))
        error.address = int(self.addresses[where][position])
        raise error


def place(machine: Running, where: Any, shape: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The program and the element of a position in an array [P, ...]."""
    lane = int(where[0]) if shape[0] == machine.programs.size else 0
    program = machine.coordinates(int(machine.programs[lane]))
    return tuple(int(c) for c in program), tuple(int(c) for c in where[1:])


class RaceRecord:
    """Who touched each byte since the start of the launch.  Programs are unordered, so any two of them race on a byte
    that one writes plainly, or that one updates atomically and the other reads."""

    def __init__(self) -> None:
        self._tables: dict[str, dict[int, np.ndarray]] = {"written": {}, "read": {}, "updated": {}}

    def read(self, access: Access, buffer: Buffer, where, offsets: np.ndarray, size: int) -> None:
        """Notes a read, and checks it against what other programs have written or updated."""
        programs = access.lanes(where)
        self._check(access, buffer, where, offsets, programs, "written", "updated")
        self._add(self._table("read", buffer), offsets, size, programs)

    def update(self, access: Access, buffer: Buffer, where, offsets: np.ndarray, size: int) -> None:
        """An atomic read-modify-write: it races with plain accesses only."""
        programs = access.lanes(where)
        self._check(access, buffer, where, offsets, programs, "written", "read")
        self._add(self._table("updated", buffer), offsets, size, programs)

    def write(self, access: Access, buffer: Buffer, where, offsets: np.ndarray, size: int, *values: Any) -> None:
        """Notes a write of `size` bytes at each offset, and checks it against all accesses of other programs, whatever
        the values."""
        programs = access.lanes(where)
        self._check(access, buffer, where, offsets, programs, "written", "read", "updated")
        writers = self._table("written", buffer)
        for byte in range(size):
            writers[offsets + byte] = programs
        # Programs of one batch that hit the same byte overwrite each other's entry: what stays differs for all but one.
        self._check(access, buffer, where, offsets, programs, "written")

    def _table(self, done: str, buffer: Buffer) -> np.ndarray:
        if buffer.base not in self._tables[done]:
            self._tables[done][buffer.base] = np.full(buffer.size, -1, np.int64)
        return self._tables[done][buffer.base]

    def _add(self, table: np.ndarray, offsets: np.ndarray, size: int, programs: np.ndarray) -> None:
        """Notes a program for each byte; -2 is more than one, also of those that come together."""
        for byte in range(size):
            old = table[offsets + byte]
            table[offsets + byte] = np.where((old == -1) | (old == programs), programs, -2)
            mixed = table[offsets + byte] != programs
            table[offsets[mixed] + byte] = -2

    def _check(self, access, buffer, where, offsets, programs, *done: str) -> None:
        for what in done:
            other = self._table(what, buffer)[offsets]
            clash = (other != -1) & (other != programs)
            if not clash.any():
                continue
            bad = int(np.argmax(clash))
            who = "several programs" if other[bad] == -2 else f"program {access.machine.coordinates(int(other[bad]))}"
            place = f"offset {offsets[bad]} of buffer '{buffer.name}'"
            access.fail(errors.Race, where, bad, f"{access.verb} {place}, which was {what} by {who} in the same launch")
