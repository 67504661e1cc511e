"""Accesses of threads to memory: to shared memory by bytes, to global memory among those of the kernel."""

from __future__ import annotations

from typing import Any

from ttkit.interpreter.decode import Instruction
from ttkit.validation.booleans import both, choose
from ttkit.validation.integers import number
from ttkit.validation.lowered.atomics import fits_kind
from ttkit.validation.lowered.bits import bits, bytes_of, integer_sort, joined, split
from ttkit.validation.lowered.effects import Element, Pending, moved
from ttkit.validation.lowered.registers import Register, collapsed, full
from ttkit.validation.terms import Term, make
from ttkit.validation.values import NotModelled

SHARED, GLOBAL = 3, 1


def guarded(machine: Any, guard: Register) -> Register:
    """Which threads do what the current instruction says."""
    count = max(len(guard), len(machine.active))
    pairs = zip(full(guard, count), full(machine.active, count))
    return collapsed(both(*pair) for pair in pairs)


def known(guard: Register, threads: int) -> list[bool]:
    """The same where it depends on the thread alone.

    Raises:
        NotModelled: it does not.
    """
    if not all(term.is_const for term in guard):
        raise NotModelled("an access to shared memory under a condition that is not the thread's alone")
    return [bool(term.attr) for term in full(guard, threads)]


def known_threads(machine: Any, guard: Register) -> list[bool]:
    """Which threads do what the current instruction says, where it depends on the thread alone."""
    return known(guarded(machine, guard), machine.threads)


def place(term: Term) -> int:
    """An address in shared memory.

    Raises:
        NotModelled: it depends on more than the thread.
    """
    if not term.is_const:
        raise NotModelled(f"an address in shared memory that depends on more than the thread: {term}")
    return int(term.attr)


# --- shared memory


def whole_address(term: Term, alignment: int) -> None:
    """Raises NotModelled if an address in shared memory is not a multiple of some bytes."""
    if place(term) % alignment:
        raise NotModelled(f"an access to shared memory at {place(term)}, which {alignment} bytes do not divide")


def load_shared(
    machine: Any, address: Register, size: int, count: int, guard: Register, alignment: int = 1
) -> list[Register]:
    """Words of `size` bytes, one after the other; of threads that the guard leaves out nothing is known."""
    threads, shared = machine.threads, machine.state.shared
    here = known_threads(machine, guard)
    rows: list[list[Term]] = []
    for thread, at in enumerate(full(address, threads)):
        if not here[thread]:
            rows.append([make("undefined", (), "not read", integer_sort(size))] * count)
            continue
        first = place(at)
        whole_address(at, alignment)
        rows.append([shared.load(thread, first + size * n, size) for n in range(count)])
    return [collapsed(row[n] for row in rows) for n in range(count)]


def store_shared(machine: Any, address: Register, words: list[Register], guard: Register, alignment: int = 1) -> None:
    """Writes words one after the other."""
    threads = machine.threads
    here = known_threads(machine, guard)
    columns = [full(word, threads) for word in words]
    writes = []
    for thread, at in enumerate(full(address, threads)):
        if not here[thread]:
            continue
        first = place(at)
        whole_address(at, alignment)
        for column in columns:
            value = bits(column[thread])
            writes.append((thread, first, value))
            first += bytes_of(value.sort)
    machine.state.shared.store(writes)


# --- global memory


def check_aligned(machine: Any, at: Term, alignment: int) -> None:
    """Raises NotModelled if an address is not known to be a multiple of some bytes, more than the kernel's element."""
    one = machine.effects.element_bytes(at)
    if alignment > one and machine.alignment.of(at) % alignment:
        raise NotModelled(f"an address that is not known to be a multiple of {alignment} bytes: {at}")


def load_global(
    machine: Any,
    address: Register,
    size: int,
    count: int,
    guard: Register,
    others: list[Register] | None = None,
    alignment: int = 1,
    is_volatile: bool = False,
) -> list[Register]:
    """Words of `size` bytes, one after the other; where the guard leaves out a thread, the others.

    Raises:
        NotModelled: the kernel does not read there.
    """
    threads = machine.threads
    memory, effects, pending = machine.state.memory, machine.effects, None
    if is_volatile:
        pending = effects.at(memory, machine.path)
        if not pending.is_volatile:
            raise NotModelled("a volatile read where the kernel has none")
        memory = pending.event.after
    elif effects.is_begun(memory, machine.path):
        raise NotModelled("a read in the midst of a write")
    here = full(guarded(machine, guard), threads)
    guards, given = full(guard, threads), [full(other, threads) for other in others or ()]
    memo: dict[Any, list[Term]] = {}
    rows = []
    for thread, at in enumerate(full(address, threads)):
        rest = tuple(other[thread] for other in given)
        key = at, here[thread], guards[thread], rest
        if key not in memo:
            if not (here[thread].is_const and not here[thread].attr):
                check_aligned(machine, at, alignment)
            memo[key] = _words(machine, memory, at, size, count, here[thread], guards[thread], rest)
            if pending is not None:
                _touched(machine, pending, at, size * count, here[thread])
        if not (here[thread].is_const and not here[thread].attr):
            machine.state.order.access(machine.state.shared, thread)
        rows.append(memo[key])
    if pending is not None:
        advance(machine, pending)
    return [collapsed(row[n] for row in rows) for n in range(count)]


def _touched(machine: Any, pending: Pending, at: Term, size: int, condition: Term) -> None:
    """Notes the elements that a volatile read touches."""
    if condition.is_const and not condition.attr:
        return
    for done in range(size):
        for one in pending.elements.get(moved(at, done), ()):
            if not machine.relation.equality.same(one.mask, condition):
                raise NotModelled("a volatile read under another condition than the kernel's", pending.event.op)
            finish(pending, one)


def _words(
    machine: Any, memory: Term, at: Term, size: int, count: int, here: Term, guard: Term, others: tuple[Term, ...]
) -> list[Term]:
    """The words that one thread reads; without others, what is masked off is undefined."""
    if here.is_const and not here.attr:
        return list(others) or [make("undefined", (), "not read", integer_sort(size))] * count
    found = machine.effects.read(machine.context, memory, at, both(machine.path, here), size * count)
    if not others:
        found = [choose(guard, one, make("undefined", (one,), "masked off", one.sort)) for one in found]
    words = _words_of(found, size)
    return [choose(guard, word, bits(other)) for word, other in zip(words, others)] if others else words


def _words_of(pieces: list[Term], size: int) -> list[Term]:
    """Words of pieces that lie one after the other."""
    found: list[Term] = []
    held: list[Term] = []
    for piece in pieces:
        width = bytes_of(piece.sort)
        held += split(piece, size) if width > size else [bits(piece)]
        while held and sum(bytes_of(one.sort) for one in held[: _fits(held, size)]) == size and _fits(held, size):
            count = _fits(held, size)
            found.append(joined(held[:count]))
            del held[:count]
    if held:
        raise NotModelled("a read of parts of elements")
    return found


def _fits(pieces: list[Term], size: int) -> int:
    """The number of the first pieces that make a word; 0 if they do not."""
    total = 0
    for count, piece in enumerate(pieces, 1):
        total += bytes_of(piece.sort)
        if total == size:
            return count
    return 0


def store_global(machine: Any, address: Register, words: list[Register], guard: Register, alignment: int = 1) -> None:
    """Writes words one after the other.

    Raises:
        NotModelled: the kernel does not write this.
    """
    threads, pending = machine.threads, None
    here = full(guarded(machine, guard), threads)
    columns = [full(word, threads) for word in words]
    seen = set()
    for thread, at in enumerate(full(address, threads)):
        condition = here[thread]
        values = tuple(column[thread] for column in columns)
        if condition.is_const and not condition.attr:
            continue
        pending = machine.effects.at(machine.state.memory, machine.path)
        machine.state.order.write(machine.state.shared, thread, pending.is_scalar)
        if (at, condition, values) in seen and not pending.left:
            continue
        seen.add((at, condition, values))
        check_aligned(machine, at, alignment)
        if pending.event.after.head != "store":
            raise NotModelled("a store where the kernel has an atomic update")
        _written(machine, pending, at, condition, [bits(value) for value in values], thread)
    if pending is not None:
        advance(machine, pending)


def _written(machine: Any, pending: Pending, at: Term, condition: Term, words: list[Term], thread: int) -> None:
    """Notes the elements that words are."""
    done, total = 0, sum(bytes_of(word.sort) for word in words)
    while done < total:
        where = moved(at, done)
        candidates = pending.elements.get(where)
        if not candidates:
            raise NotModelled(f"thread {thread} writes {where}, where the kernel writes nothing")
        size = bytes_of(candidates[0].values[0].sort)
        piece = _piece(words, done, size)
        fitting = _fitting(machine, candidates, piece, condition, pending.event.op, thread)
        for one in fitting:
            finish(pending, one)
        done += size


def _fitting(
    machine: Any, candidates: list[Element], piece: Term, condition: Term, op: Instruction, thread: int
) -> list[Element]:
    """The elements at an address that a word is: one that is not done yet, if there is one, and those like it.

    The quick ways are tried for all of them first: many elements may share an address.

    Raises:
        NotModelled: there are none.
    """
    equality = machine.relation.equality
    ordered = sorted(candidates, key=lambda one: one.done > 0)
    for same in (equality.identical, equality.same_at_sight, equality.same):
        for one in ordered:
            if same(one.mask, condition) and same(bits(one.values[0]), piece):
                return [other for other in candidates if other is one or is_like(other, one)]
    one = ordered[0]
    where = f"element {list(one.index)} of {op.name}: thread {thread} writes"
    if any(equality.same(bits(other.values[0]), piece) for other in ordered):
        raise NotModelled(f"{where} it where {condition}, not where {one.mask}")
    raise NotModelled(f"{where} {piece}, not {bits(one.values[0])}")


def is_like(one: Element, other: Element) -> bool:
    """Whether an element is done with another one: it has the same value, or none, where the other has its own."""
    value = one.values[0]
    return one.mask is other.mask and (value is other.values[0] or value.head == "undefined")


def _piece(words: list[Term], start: int, size: int) -> Term:
    """Bytes of words that lie one after the other."""
    found, place_ = [], 0
    for word in words:
        width = bytes_of(word.sort)
        first, last = max(start, place_), min(start + size, place_ + width)
        if first < last:
            step = last - first
            if (first - place_) % step or width % step:
                raise NotModelled("a write of parts of elements")
            found.append(split(word, step)[(first - place_) // step])
        place_ += width
    if not found:
        raise NotModelled("a write of parts of elements")
    return joined(found)


def finish(pending: Pending, element: Element) -> None:
    """Notes that an element has been done."""
    if not element.done:
        pending.left -= 1
    element.done += 1


def advance(machine: Any, pending: Pending) -> None:
    """Memory is as after a write of the kernel, if all of it has been done."""
    if not pending.left:
        machine.state.memory = pending.event.after
        machine.state.steps += 1


# --- atomic updates


def update(machine: Any, address: Register, values: list[Register], guard: Register, kind: tuple[str, ...]) -> Register:
    """The old word at an address, for each thread; memory is combined with values.

    Args:
        kind: the words of the instruction: operation, order, scope and type.

    Raises:
        NotModelled: the kernel does not update memory so.
    """
    threads, pending = machine.threads, None
    here = full(guarded(machine, guard), threads)
    columns = [full(value, threads) for value in values]
    found: list[Term] = []
    size = bytes_of(bits(columns[0][0]).sort)
    order = next((word for word in ("relaxed", "acquire", "release", "acq_rel") if word in kind), "")
    for thread, at in enumerate(full(address, threads)):
        condition = here[thread]
        if condition.is_const and not condition.attr:
            found.append(make("undefined", (), "not read", integer_sort(size)))
            continue
        pending = machine.effects.at(machine.state.memory, machine.path)
        words = [bits(column[thread]) for column in columns]
        if pending.is_scalar:
            observed = machine.effects.is_observed(pending)
            machine.state.order.update(machine.state.shared, thread, order, observed)
        else:
            machine.state.order.access(machine.state.shared, thread)
        found.append(_updated(machine, pending, at, condition, words, kind, thread))
    if pending is not None:
        advance(machine, pending)
    return collapsed(found)


def _updated(
    machine: Any, pending: Pending, at: Term, condition: Term, words: list[Term], kind: tuple[str, ...], thread: int
) -> Term:
    """The old value of the element that one thread updates."""
    after, op = pending.event.after, pending.event.op
    if after.head != "atomic" or not fits_kind(op, kind):
        raise NotModelled(f"an update {'.'.join(kind)} where the kernel has another one", op)
    for one in pending.elements.get(at, ()):
        same = machine.relation.equality.same
        if one.done or not same(one.mask, condition) or len(one.values) != len(words):
            continue
        if all(same(bits(value), word) for value, word in zip(one.values, words)):
            finish(pending, one)
            index = [number(i, "i32") for i in one.index]
            old = make("call", (make("closed", (after,), None, "mem"), *index), "old", one.values[0].sort)
            return bits(choose(condition, old, make("undefined", (old,), "masked off", old.sort)))
    raise NotModelled(f"thread {thread} updates {at} with {words} where {condition}, and the kernel does not", op)
