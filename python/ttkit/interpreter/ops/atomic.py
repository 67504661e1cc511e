"""Atomic operations on global memory: one element after the other, programs in ascending order, or both in an order
drawn from the seed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.errors import NotInterpretable
from ttkit.interpreter.machine import Machine
from ttkit.interpreter.memory.global_memory import Access
from ttkit.interpreter.ops.registry import interprets
from ttkit.interpreter.values import unsigned

Combine = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""(old, value) -> new, element by element."""


def _of_unsigned(function: Combine) -> Combine:
    return lambda old, value: function(unsigned(old), unsigned(value)).view(old.dtype)


def _of_bits(function: Combine) -> Combine:
    bits = {size: np.dtype(f"u{size}") for size in (2, 4, 8)}
    return lambda old, value: function(old.view(bits[old.itemsize]), value.view(bits[old.itemsize])).view(old.dtype)


def increment(old: np.ndarray, value: np.ndarray) -> np.ndarray:
    """old >= value ? 0 : old + 1"""
    return np.where(old >= value, np.zeros_like(old), old + np.ones_like(old))


def decrement(old: np.ndarray, value: np.ndarray) -> np.ndarray:
    """old == 0 or old > value ? value : old - 1"""
    return np.where((old == 0) | (old > value), value, old - np.ones_like(old))


def exchange_equal(old: np.ndarray, expected: np.ndarray, value: np.ndarray) -> np.ndarray:
    """value where old has the bits of expected, else old; so NaN equals itself, and 0.0 not -0.0."""
    bits = np.dtype(f"u{value.dtype.itemsize}")
    same = np.ascontiguousarray(old).view(bits) == np.ascontiguousarray(expected).view(bits)
    return np.where(same, value, old)


COMBINE: dict[str, Callable[..., np.ndarray]] = {
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "add": np.add,
    "sub": np.subtract,
    "max": np.maximum,
    "min": np.minimum,
    "umax": _of_unsigned(np.maximum),
    "umin": _of_unsigned(np.minimum),
    "fmax": np.fmax,
    "fmin": np.fmin,
    "inc": increment,
    "dec": decrement,
    "exch": lambda old, value: value,
    "cas": exchange_equal,
}
"""Atomic updates by their names in PTX, and in LLVM where PTX has none."""
# By the number of the RMWOp.
READ_MODIFY_WRITE = dict(enumerate("and or xor add add max min umax umin exch".split(), 1))
BITWISE = (np.bitwise_and, np.bitwise_or, np.bitwise_xor)


@interprets("tt.atomic_rmw")
def atomic_rmw(machine: Machine, op: Instruction, pointer, value, mask=None) -> np.ndarray:
    """Atomic update where mask[i]: result[i] = *pointer[i]; *pointer[i] = f(*pointer[i], value[i]).  Zero elsewhere."""
    return update_elements(machine, op, pointer, mask, combination(op, value), value)


def combination(op: Instruction, value: np.ndarray) -> Callable[..., np.ndarray]:
    """The function of the old contents and `value` that an update stores.

    Raises:
        NotInterpretable: no such operation.
    """
    combine = COMBINE.get(READ_MODIFY_WRITE.get(op.attributes["atomic_rmw_op"], ""))
    if combine is None:
        raise NotInterpretable(f"no atomic operation {op.attributes['atomic_rmw_op']}", op)
    return _of_bits(combine) if value.dtype.kind == "f" and combine in BITWISE else combine


def unchanged(old: np.ndarray, value: np.ndarray) -> np.ndarray:
    """The old contents: an atomic read is an update to programs that use the same memory."""
    return old


@interprets("tt.atomic_load")
def atomic_load(machine: Machine, op: Instruction, pointer, mask=None) -> np.ndarray:
    """result[i] = *pointer[i] where mask[i], zero elsewhere."""
    return update_elements(machine, op, pointer, mask, unchanged, np.zeros((), op.result_types[0].element))


@interprets("tt.atomic_store")
def atomic_store(machine: Machine, op: Instruction, pointer, value, mask=None) -> tuple:
    """*pointer[i] = value[i] where mask[i]."""
    update_elements(machine, op, pointer, mask, COMBINE["exch"], value)
    return ()


@interprets("tt.atomic_poll")
def atomic_poll(machine: Machine, op: Instruction, pointer, expected, timeout=None) -> np.ndarray:
    """Whether *pointer has the bits of expected.

    Raises:
        NotInterpretable: it does not, and there is no timeout: what other programs do meanwhile is not interpreted.
    """
    found = update_elements(machine, op, pointer, None, unchanged, expected)
    wanted = np.ascontiguousarray(np.broadcast_to(expected, found.shape))
    bits = f"u{found.dtype.itemsize}"
    seen = found.view(bits) == wanted.view(bits)
    if timeout is None and not seen.all():
        raise NotInterpretable("a program waits for what another one is to store", op)
    return seen


@interprets("tt.atomic_cas")
def atomic_cas(machine: Machine, op: Instruction, pointer, expected, value) -> np.ndarray:
    """result[i] = *pointer[i]; if its bits are those of expected[i]: *pointer[i] = value[i]."""
    return update_elements(machine, op, pointer, None, exchange_equal, expected, value)


def update_elements(machine: Machine, op: Instruction, addresses, mask, combine, *values: np.ndarray) -> np.ndarray:
    """Replaces each enabled element by combine(old, *values); gives the old ones, zero where masked off."""
    # Each program does its own update, also where all have the same operands.
    shape = np.broadcast_shapes(
        (machine.programs.size, *addresses.shape[1:]), addresses.shape, *(value.shape for value in values)
    )
    access = Access(machine, op, np.broadcast_to(addresses, shape), mask, "updates")
    values = [np.broadcast_to(value, access.shape) for value in values]
    enabled = [value.reshape(-1) if access.mask is None else value[access.mask] for value in values]
    order = rng.permutation(access.addresses.size) if (rng := machine.memory.order) is not None else None

    def update(view: np.ndarray, index: np.ndarray, where) -> np.ndarray:
        """Combines enabled elements one after the other, in a random order if the machine has one."""
        return in_turn(view, index, order_of(order, where), combine, [value[where] for value in enabled])

    old = machine.memory.update(access, values[0].dtype, update)
    if access.mask is None:
        return old.reshape(access.shape)
    result = np.zeros(access.shape, old.dtype)
    result[access.mask] = old
    return result


def order_of(order: np.ndarray | None, where) -> np.ndarray | None:
    """The order of the elements `where`, as indices into them."""
    return None if order is None else np.argsort(np.argsort(order)[where], kind="stable")


def in_turn(view: np.ndarray, index: np.ndarray, order, combine, values: list[np.ndarray]) -> np.ndarray:
    """view[index[i]] = combine(view[index[i]], values[i]), one after the other; gives the values before.

    The first update of every place is done at once, then the second...  Where few places get many updates, each of them
    goes through its own.
    """
    if order is None:
        order = np.arange(index.size)
    old = np.empty(index.size, view.dtype)
    # Sorted by place, in order within one: `turn` counts the updates of a place.
    by_place = order[np.argsort(index[order], kind="stable")]
    place = index[by_place]
    first = np.flatnonzero(np.concatenate([[True], place[1:] != place[:-1]])) if place.size else np.empty(0, np.int64)
    counts = np.diff(np.append(first, place.size))
    if counts.size and counts.max() > 4 * counts.size and isinstance(combine, np.ufunc):
        for start, count in zip(first, counts):
            part = by_place[start : start + count]
            running = combine.accumulate(np.concatenate([view[index[part[:1]]], values[0][part]]), dtype=view.dtype)
            old[part], view[index[part[0]]] = running[:-1], running[-1]
        return old
    for turn in range(counts.max(initial=0)):
        now = by_place[first[counts > turn] + turn]
        old[now] = view[index[now]]
        view[index[now]] = combine(old[now], *(value[now] for value in values))
    return old
