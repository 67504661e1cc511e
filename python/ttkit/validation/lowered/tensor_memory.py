"""Tensor memory of lowered code: columns that are taken and given back, loads and stores by warps (tcgen05).

An address is the base that the program has got, row << 16 and the column; here it is one of those after shared memory
(`shared_memory.py`), so that races and what loops hold are found as there.  A warp has the 32 rows of its number
modulo 4.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ttkit.interpreter.lowered.cta_tensor_memory import LEAST_COLUMNS, PATTERN, WORDS
from ttkit.interpreter.lowered.cta_tensor_memory import place as place_in_shape
from ttkit.interpreter.lowered.ptx_text import Address, Operand
from ttkit.validation.booleans import choose
from ttkit.validation.integers import sum_of
from ttkit.validation.lowered.accesses import guarded, known_threads, place
from ttkit.validation.lowered.assembly import Assembly, listed
from ttkit.validation.lowered.bits import bits, join, sized, split
from ttkit.validation.lowered.meanings import ptx
from ttkit.validation.lowered.registers import collapsed, full, uniform
from ttkit.validation.lowered.shared_memory import COLUMNS, ROWS, TENSOR_MEMORY, WARP, WORD
from ttkit.validation.terms import Term, make
from ttkit.validation.values import NotModelled


def base_of(number: int) -> Term:
    """The address of the first column that a program has got."""
    return make("call", (), ("tensor memory", number), "i32")


def cell(row: Any, column: Any) -> Any:
    """The address here of words of tensor memory."""
    return TENSOR_MEMORY + (row * COLUMNS + column) * WORD


def offset_of(asm: Assembly, operand: Operand, thread: int) -> tuple[int, int]:
    """The row and the column that a thread gives, from the base on.

    Raises:
        NotModelled: it is not known.
    """
    base, more = (operand.base, operand.offset) if isinstance(operand, Address) else (operand, 0)
    term = full(asm.read(base, 4), asm.machine.threads)[thread]
    parts = dict(sum_of(term))
    found = parts.pop((), 0) + more
    if parts != {(base_of(asm.machine.state.shared.columns),): 1} or not 0 <= found < ROWS << 16:
        raise NotModelled(f"an address in tensor memory that is not known: {term}", asm.op)
    return found >> 16, found & 0xFFFF


# --- columns


def by_a_warp(asm: Assembly, words: list[str], known: str) -> int | None:
    """The first thread of the warp that does an instruction; None if no thread is here.

    Raises:
        NotModelled: several do it, or a part of one, or it is of another form.
    """
    if ".".join(words) != known:
        raise NotModelled(f"inline assembly that is not modelled: {'.'.join(words)}", asm.op)
    here = known_threads(asm.machine, asm.guard)
    warps = {thread // WARP for thread, does in enumerate(here) if does}
    if not warps:
        return None
    if len(warps) != 1 or sum(here) != WARP:
        raise NotModelled(f"{sum(here)} threads do what one warp does with tensor memory", asm.op)
    return warps.pop() * WARP


@ptx("tcgen05.alloc")
def alloc(asm: Assembly, words: list[str], target: Operand, count: Operand) -> None:
    """A warp takes columns, and the address of the first is in shared memory.

    Raises:
        NotModelled: it is the second time, or of a number that the hardware does not take.
    """
    thread = by_a_warp(asm, words, "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32")
    if thread is None:
        return
    shared, columns = asm.machine.state.shared, uniform(asm.value(count)).attr
    if shared.columns or columns not in [LEAST_COLUMNS << n for n in range(5)]:
        raise NotModelled(f"{columns} columns of tensor memory, where there are {shared.columns}", asm.op)
    shared.columns = columns
    at = place(full(asm.address(target), asm.machine.threads)[thread])
    if at % WORD:
        raise NotModelled("the address of tensor memory at no multiple of 4 bytes", asm.op)
    shared.store([(thread, at, base_of(columns))])


@ptx("tcgen05.relinquish_alloc_permit")
def relinquish(asm: Assembly, words: list[str]) -> None:
    """The program takes no more columns."""
    by_a_warp(asm, words, "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned")


@ptx("tcgen05.dealloc")
def dealloc(asm: Assembly, words: list[str], base: Operand, count: Operand) -> None:
    """A warp gives columns back, after all that is done with them.

    Raises:
        NotModelled: others than it has, or something may still use them.
    """
    thread = by_a_warp(asm, words, "tcgen05.dealloc.cta_group::1.sync.aligned.b32")
    if thread is None:
        return
    shared = asm.machine.state.shared
    if offset_of(asm, base, thread) != (0, 0) or uniform(asm.value(count)).attr != shared.columns:
        raise NotModelled("other columns of tensor memory are given back than are there", asm.op)
    for at in [at for at in (*shared.cells, *shared.works.reads, *shared.works.writes) if at >= TENSOR_MEMORY]:
        shared.unread(at)
        shared.check_write(shared.cells.get(at), thread)
        shared.cells.pop(at, None)
    shared.columns = 0


# --- loads and stores


def words_of(asm: Assembly, words: list[str], count: int, address: Operand, second: tuple[Operand, ...]) -> np.ndarray:
    """The addresses of words: [threads, words of a thread, columns of a word].

    Raises:
        NotModelled: threads of a warp give different ones, or another warp's.
    """
    machine = asm.machine
    machine.together()
    form = PATTERN.fullmatch(".".join(words))
    if form is None or (shape := form["shape"]) not in WORDS or count != WORDS[shape] * int(form["repeat"]):
        raise NotModelled(f"inline assembly that is not modelled: {'.'.join(words)}", asm.op)
    thread = np.arange(machine.threads)
    given = np.array([offset_of(asm, address, n) for n in range(machine.threads)])
    if (given.reshape(-1, WARP, 2) != given.reshape(-1, WARP, 2)[:, :1]).any():
        raise NotModelled("threads of a warp that give different places of tensor memory", asm.op)
    distance = uniform(asm.value(second[0])).attr if second else 0
    is_second = (thread % WARP >= WARP // 2) & (shape == "16x32bx2")
    each = 2 if form["spread"] else 1
    found = np.zeros((machine.threads, count, each), np.int64)
    for number in range(count):
        row, column = place_in_shape(shape, thread % WARP, number)
        row = row + given[:, 0] + np.where(is_second, distance >> 16, 0)
        column = column * each + given[:, 1] + np.where(is_second, distance & 0xFFFF, 0)
        if (row // WARP != (machine.first // WARP + thread // WARP) % 4).any():
            raise NotModelled("a warp uses rows of tensor memory that are another's", asm.op)
        if (column + each > machine.state.shared.columns).any():
            raise NotModelled(f"columns of tensor memory beyond {machine.state.shared.columns}", asm.op)
        found[:, number] = cell(row, column)[:, None] + WORD * np.arange(each)
    return found


@ptx("tcgen05.ld")
def load(asm: Assembly, words: list[str], target: Operand, address: Operand, *second: Operand) -> None:
    """target = tensor memory; the registers are there after the wait.

    Raises:
        NotModelled: some threads do not load.
    """
    machine = asm.machine
    machine.all_here("a load of tensor memory")
    if not (asm.guard[0].is_const and asm.guard[0].attr):
        raise NotModelled("a load of tensor memory under a condition", asm.op)
    places = words_of(asm, words, len(listed(target)), address, second)
    shared, size = machine.state.shared, WORD // places.shape[2]
    for number, name in enumerate(listed(target)):
        column = []
        for thread in range(machine.threads):
            parts = [shared.load(thread, int(at), size) for at in places[thread, number]]
            column.append(join(parts) if len(parts) > 1 else bits(parts[0]))
        asm.registers[name] = collapsed(column)
    asm.unfinished = True


@ptx("tcgen05.wait::ld", rest=("sync.aligned",))
def wait_for_loads(asm: Assembly, words: list[str]) -> None:
    """Registers are loaded."""
    asm.machine.together()
    asm.unfinished = False


@ptx("tcgen05.st")
def store(asm: Assembly, words: list[str], address: Operand, *operands: Operand) -> None:
    """Tensor memory = registers, where the guard holds for all threads; after the wait.

    Raises:
        NotModelled: nothing is known of what stands there where the guard does not hold.
    """
    *second, source = operands
    machine, shared = asm.machine, asm.machine.state.shared
    machine.all_here("a store to tensor memory")
    condition = uniform(guarded(machine, asm.guard))
    if condition.is_const and not condition.attr:
        return
    names = listed(source)
    places = words_of(asm, words, len(names), address, tuple(second))
    size, writes = WORD // places.shape[2], []
    for number, name in enumerate(names):
        value = full(asm.read(name, WORD), machine.threads)
        for thread in range(machine.threads):
            parts = [value[thread]] if size == WORD else split(value[thread], size)
            for at, part in zip(places[thread, number].tolist(), parts):
                if not condition.is_const:
                    part = choose(condition, bits(part), sized(shared.load(thread, at, size), size))
                writes.append((thread, at, bits(part)))
    shared.store(writes)
    shared.stores_begun.update((at, thread) for thread, at, _ in writes)


@ptx("tcgen05.wait::st", rest=("sync.aligned",))
def wait_for_stores(asm: Assembly, words: list[str]) -> None:
    """Stores of threads are over."""
    machine, shared = asm.machine, asm.machine.state.shared
    machine.together()
    here = machine.running()
    for at in [at for at, thread in shared.stores_begun.items() if here[thread]]:
        thread = shared.stores_begun.pop(at)
        for byte in range(at, at + WORD):
            if byte in shared.cells:
                shared.own(byte).writer = shared.stamp(thread)
