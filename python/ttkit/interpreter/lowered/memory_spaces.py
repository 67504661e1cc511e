"""Loads, stores and atomic updates by any pointer: to global memory, shared memory, or a thread's stack."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ttkit.interpreter.decode import CONSTANT_SHIFT, CONSTANTS, END_OF_CONSTANTS, Instruction
from ttkit.interpreter.errors import InterpreterError, Misaligned
from ttkit.interpreter.lowered.cta_shared_memory import END_OF_SHARED, SharedMemories
from ttkit.interpreter.lowered.threads import Threads
from ttkit.interpreter.memory.global_memory import Access
from ttkit.interpreter.ops.atomic import in_turn, update_elements

Array = np.ndarray

STACK = 1 << 50
"""Pointers to what llvm.alloca gives begin here."""
STACK_SHIFT = 32
"""The number of the allocation is from this bit on."""
END_OF_STACK = 1 << 52


def _is_shared(pointer: Array) -> bool:
    return bool((pointer < END_OF_SHARED).all())


def _is_stack(pointer: Array) -> bool:
    return bool((pointer >= STACK).all() and (pointer < END_OF_STACK).all())


def _is_constant(pointer: Array) -> bool:
    return bool((pointer >= CONSTANTS).all() and (pointer < END_OF_CONSTANTS).all())


def access_by_words(
    threads: Threads, op: Instruction, pointer: Array, size: int, mask: Array | None, verb: str
) -> tuple[Access, np.dtype]:
    """An access to global memory, and the type of the words of up to 8 bytes that are checked as one element each.

    Raises:
        Misaligned: it has several elements and does not begin at a multiple of its size.
    """
    if size & (size - 1) == 0 and (bad := (used_of(pointer, mask) & (size - 1)) != 0).any():
        address = int(used_of(pointer, mask)[bad][0])
        text = f"accesses {size} bytes at address {address:#x}, which is not a multiple of that"
        raise Misaligned(text, op, threads.coordinates(int(threads.programs[0])))
    width = next(width for width in (8, 4, 2, 1) if size % width == 0)
    places = threads.full(pointer)[:, None] + np.arange(0, size, width)
    enabled = None if mask is None else threads.full(mask)[:, None]
    return Access(threads, op, places, enabled, verb), np.dtype(f"u{width}")


def used_of(pointer: Array, mask: Array | None) -> Array:
    """The pointers of the threads that access memory."""
    return pointer if mask is None or pointer.shape[0] == 1 else pointer[mask]


def load_bytes(threads: Threads, op: Instruction, pointer: Array, size: int, mask: Array | None = None) -> Array:
    """uint8 [P, size] from memory, zero where `mask` is false.

    Raises:
        OutOfBounds, Misaligned, Uninitialized, Race
    """
    if mask is not None and not mask.any():
        return np.zeros((threads.count, size), np.uint8)
    used = used_of(pointer, mask)
    if _is_shared(used):
        return threads.batch.the(SharedMemories).load(threads, pointer, size, mask)
    if _is_stack(used):
        stack, place = stack_of(threads, used)
        return stack[np.ix_(threads.rows, place + np.arange(size))]
    if _is_constant(used):
        return constant_bytes(threads, op, pointer, size, mask)
    access, word = access_by_words(threads, op, pointer, size, mask, "reads")
    values = threads.memory.load(access, word)
    found = np.zeros(access.shape, word)
    if access.mask is None:
        found[...] = values.reshape(access.shape)
    else:
        found[access.mask] = values
    return found.view(np.uint8)


def constant_bytes(threads: Threads, op: Instruction, pointer: Array, size: int, mask: Array | None) -> Array:
    """uint8 [P, size] from a table of constants, zero where `mask` is false.

    Raises:
        InterpreterError: it is read outside of its bounds, or is not a table.
    """
    places = threads.full(pointer)
    if mask is not None:
        places = np.where(mask, places, used_of(pointer, mask)[0])
    number = int(places[0] - CONSTANTS) >> CONSTANT_SHIFT
    tables = threads.batch.module.tables
    table = np.frombuffer((tables[number] if number < len(tables) else None) or b"", np.uint8)
    begin = places - CONSTANTS - (number << CONSTANT_SHIFT)
    if (begin < 0).any() or (begin + size > table.size).any():
        raise InterpreterError(f"reads a constant of {table.size} bytes outside of its bounds", op)
    found = table[begin[:, None] + np.arange(size)]
    return found if mask is None else np.where(threads.full(mask)[:, None], found, 0).astype(np.uint8)


def store_bytes(threads: Threads, op: Instruction, pointer: Array, value: Array, mask: Array | None = None) -> None:
    """Writes uint8 [P, size] to memory where `mask` is true.

    Raises:
        OutOfBounds, Misaligned, Race
    """
    if mask is not None and not mask.any():
        return
    used = used_of(pointer, mask)
    value = np.ascontiguousarray(threads.full(value))
    if _is_shared(used):
        threads.batch.the(SharedMemories).store(threads, pointer, value, mask)
        return
    size = value.shape[1]
    if _is_stack(used):
        stack, place = stack_of(threads, used)
        stack[np.ix_(threads.rows, place + np.arange(size))] = value
        return
    access, word = access_by_words(threads, op, pointer, size, mask, "writes")
    elements = value.view(word)
    threads.memory.store(access, elements.reshape(-1) if access.mask is None else elements[access.mask])


def update(
    threads: Threads, op: Instruction, pointer: Array, mask: Array, combine: Callable[..., Array], *values: Array
) -> Array:
    """memory = combine(memory, *values) where `mask`, thread by thread; gives what was there before."""
    if not mask.any():
        return np.zeros(threads.count, values[0].dtype)
    if not _is_shared(used_of(pointer, mask)):
        return update_elements(threads, op, threads.full(pointer), mask, combine, *values)
    shared, chosen = threads.batch.the(SharedMemories), threads.part(mask)
    size = values[0].dtype.itemsize
    cta, byte = shared.places(chosen, threads.full(pointer)[mask], size, "updates")
    shared.update(chosen, cta, byte)
    view = shared.data.reshape(-1)[: shared.data.size // size * size].view(values[0].dtype)
    place = (cta[:, 0] * shared.size + byte[:, 0]) // size
    result = np.zeros(threads.count, values[0].dtype)
    result[mask] = in_turn(view, place, None, combine, [value[mask] for value in values])
    return result


def stack_of(threads: Threads, pointer: Array) -> tuple[Array, int]:
    """The memory of an allocation, and the byte of it that all threads point to.

    Raises:
        InterpreterError: threads point to different places.
    """
    if (pointer != pointer[0]).any():
        raise InterpreterError("threads access different places of their stacks")
    number, place = int(pointer[0] - STACK) >> STACK_SHIFT, int(pointer[0] - STACK) & (1 << STACK_SHIFT) - 1
    return threads.batch.stacks[number], place
