"""Loads, stores and atomic updates by any pointer: to global memory, shared memory, or a thread's stack."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.errors import InterpreterError, Misaligned
from ttkit.interpreter.lowered.shared import END_OF_SHARED, SharedMemories
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


def element_size(size: int) -> int:
    """Bytes that are checked as one element: accesses of several elements are of words of up to 8."""
    return next(width for width in (8, 4, 2, 1) if size % width == 0)


def load_bytes(threads: Threads, op: Instruction, pointer: Array, size: int, mask: Array | None = None) -> Array:
    """uint8 [P, size] from memory, zero where `mask` is false.

    Raises:
        OutOfBounds, Misaligned, Uninitialized, Race
    """
    if mask is not None and not mask.any():
        return np.zeros((threads.count, size), np.uint8)
    used = pointer if mask is None or pointer.shape[0] == 1 else pointer[mask]
    if _is_shared(used):
        return threads.batch.the(SharedMemories).load(threads, pointer, size, mask)
    if _is_stack(used):
        stack, place = stack_of(threads, used)
        return stack[np.ix_(threads.rows, place + np.arange(size))]
    width = element_size(size)
    check_aligned(threads, op, used, mask, size)
    places = threads.full(pointer)[:, None] + np.arange(0, size, width)
    access = Access(threads, op, places, None if mask is None else threads.full(mask)[:, None], "reads")
    values = threads.memory.load(access, np.dtype(f"u{width}"))
    found = np.zeros(places.shape, f"u{width}")
    if access.mask is None:
        found[...] = values.reshape(places.shape)
    else:
        found[access.mask] = values
    return found.view(np.uint8)


def store_bytes(threads: Threads, op: Instruction, pointer: Array, value: Array, mask: Array | None = None) -> None:
    """Writes uint8 [P, size] to memory where `mask` is true.

    Raises:
        OutOfBounds, Misaligned, Race
    """
    if mask is not None and not mask.any():
        return
    used = pointer if mask is None or pointer.shape[0] == 1 else pointer[mask]
    value = np.ascontiguousarray(threads.full(value))
    if _is_shared(used):
        threads.batch.the(SharedMemories).store(threads, pointer, value, mask)
        return
    size = value.shape[1]
    if _is_stack(used):
        stack, place = stack_of(threads, used)
        stack[np.ix_(threads.rows, place + np.arange(size))] = value
        return
    width = element_size(size)
    check_aligned(threads, op, used, mask, size)
    places = threads.full(pointer)[:, None] + np.arange(0, size, width)
    access = Access(threads, op, places, None if mask is None else threads.full(mask)[:, None], "writes")
    elements = value.view(f"u{width}")
    threads.memory.store(access, elements.reshape(-1) if access.mask is None else elements[access.mask])


def update(
    threads: Threads, op: Instruction, pointer: Array, mask: Array, combine: Callable[..., Array], *values: Array
) -> Array:
    """memory = combine(memory, *values) where `mask`, thread by thread; gives what was there before."""
    if not mask.any():
        return np.zeros(threads.count, values[0].dtype)
    used = pointer if pointer.shape[0] == 1 else pointer[mask]
    if not _is_shared(used):
        return update_elements(threads, op, threads.full(pointer), mask, combine, *values)
    shared, chosen = threads.batch.the(SharedMemories), threads.part(mask)
    size = values[0].dtype.itemsize
    cta, byte = shared.places(chosen, threads.full(pointer)[mask], size, "updates")
    view = shared.data.reshape(-1)[: shared.data.size // size * size].view(values[0].dtype)
    place = (cta[:, 0] * shared.size + byte[:, 0]) // size
    result = np.zeros(threads.count, values[0].dtype)
    result[mask] = in_turn(view, place, None, combine, [value[mask] for value in values])
    return result


def check_aligned(threads: Threads, op: Instruction, pointer: Array, mask: Array | None, size: int) -> None:
    """Raises Misaligned if an access of several elements does not begin at a multiple of its size."""
    if size & (size - 1) == 0 and (pointer & (size - 1)).any():
        program = threads.coordinates(int(threads.programs[0]))
        address = int(pointer[pointer & (size - 1) != 0][0])
        raise Misaligned(f"accesses {size} bytes at address {address:#x}, which is not a multiple of that", op, program)


def stack_of(threads: Threads, pointer: Array) -> tuple[Array, int]:
    """The memory of an allocation, and the byte of it that all threads point to."""
    if (pointer != pointer[0]).any():
        raise InterpreterError("threads access different places of their stacks")
    number, place = int(pointer[0] - STACK) >> STACK_SHIFT, int(pointer[0] - STACK) & (1 << STACK_SHIFT) - 1
    return threads.batch.stacks[number], place
