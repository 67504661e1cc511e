"""mbarriers of lowered code: each instruction is the event that the kernel has next (`signals.py`)."""

from __future__ import annotations

from typing import Any

from ttkit.interpreter.lowered.ptx_text import Operand
from ttkit.validation.lowered.accesses import guarded, place
from ttkit.validation.lowered.assembly import Assembly
from ttkit.validation.lowered.bits import bits
from ttkit.validation.lowered.buffers import leaves
from ttkit.validation.lowered.groups import check_waited, take
from ttkit.validation.lowered.meanings import ptx
from ttkit.validation.lowered.registers import full, uniform
from ttkit.validation.lowered.shared_memory import WARP, SharedMemory
from ttkit.validation.lowered.signals import BARRIER_BYTES, Signal
from ttkit.validation.lowered.tile_memory import land
from ttkit.validation.terms import Term, make
from ttkit.validation.values import NotModelled


def next_signal(machine: Any, name: str, what: str) -> tuple[Any, Signal]:
    """The kernel's next event, which must have a name.

    Raises:
        NotModelled: it is another one.
    """
    event = machine.effects.events.get((machine.state.memory, machine.path))
    found = machine.source.signals.get(event.after) if event is not None else None
    if found is None or found.name != name:
        has = "nothing" if event is None else event.op.name
        raise NotModelled(f"{what} where the kernel has {has} next", machine.current)
    return event, found


def done(machine: Any, event: Any) -> None:
    """The kernel's next event has happened."""
    machine.state.memory, machine.state.steps = event.after, machine.state.steps + 1


def same(machine: Any, theirs: Term, mine: Term, what: str) -> None:
    """Raises NotModelled unless two terms are known to be equal, with what they are, in words."""
    if not machine.relation.equality.same(theirs, mine):
        raise NotModelled(f"{what}: found {mine}, not {theirs}", machine.current)


def doers(asm: Assembly) -> dict[int, Term]:
    """The threads that may do an instruction, each with its condition."""
    here = full(guarded(asm.machine, asm.guard), asm.machine.threads)
    return {thread: one for thread, one in enumerate(here) if not (one.is_const and not one.attr)}


def by_one(asm: Assembly, name: str, address: Operand, count: int | None) -> tuple[int, Signal] | None:
    """The thread that does the kernel's next event at a barrier; None if no thread does it.

    Raises:
        NotModelled: several threads do it, elsewhere, under another condition or by another number.
    """
    machine, here = asm.machine, doers(asm)
    if not here:
        return None
    event, signal = next_signal(machine, name, f"mbarrier: {name}")
    if len(here) != 1:
        raise NotModelled(f"{len(here)} threads do at an mbarrier what one does: {name}", asm.op)
    [(thread, condition)] = here.items()
    at_its_place(asm, signal, full(asm.address(address), machine.threads)[thread])
    same(machine, signal.condition, condition, f"the condition of an mbarrier's {name}")
    if count is not None and signal.numbers != (count,):
        raise NotModelled(f"an mbarrier's {name} with {count}, not {signal.numbers[0]}", asm.op)
    done(machine, event)
    return thread, signal


def at_its_place(asm: Assembly, signal: Signal, address: Term) -> None:
    """Raises NotModelled unless an address is that of the kernel's barrier."""
    if address.head == "ite" and asm.machine.relation.equality.same(signal.place, address):
        return
    if place(address) != signal.address:
        raise NotModelled(f"an mbarrier at {place(address)}, not at {signal.address}", asm.op)


def uses(asm: Assembly, thread: int, signal: Signal) -> None:
    """A thread uses a barrier, which has been initialized before.

    Raises:
        NotModelled: that is not known.
    """
    assert signal.held is not None
    for one in leaves(signal.place):
        found = asm.machine.state.shared.load(thread, place(one), BARRIER_BYTES)
        same(asm.machine, bits(signal.held), found, "an mbarrier that is used")


def number_of(asm: Assembly, operand: Operand) -> int:
    """A number in an instruction.

    Raises:
        NotModelled: it is not known.
    """
    term = uniform(asm.value(operand))
    if not term.is_const:
        raise NotModelled("a number of an mbarrier that is not known", asm.op)
    return int(term.attr)


def known_words(asm: Assembly, words: list[str], known: str) -> None:
    """Raises NotModelled if an instruction has a suffix that is not known."""
    if set(words) - set(known.split()):
        raise NotModelled(f"inline assembly that is not modelled: {'.'.join(words)}", asm.op)


@ptx("mbarrier.init")
def init(asm: Assembly, words: list[str], address: Operand, count: Operand) -> None:
    """Phase 0 ends after `count` arrivals."""
    known_words(asm, words, "mbarrier init shared::cta b64")
    number = number_of(asm, count)
    found = by_one(asm, "init", address, number)
    if found is not None:
        made = make("call", (), ("mbarrier", number), "i64")
        asm.machine.state.shared.store([(found[0], found[1].address, made)])


@ptx("mbarrier.inval")
def inval(asm: Assembly, words: list[str], address: Operand) -> None:
    """The bytes are free."""
    known_words(asm, words, "mbarrier inval shared::cta b64")
    found = by_one(asm, "inval", address, None)
    if found is not None:
        thread, signal = found
        uses(asm, thread, signal)
        ended(asm.machine.state.shared, signal)  # a right kernel ends all phases with copies before
        asm.machine.state.shared.store([(thread, signal.address, make("undefined", (), "empty", "i64"))])


def ended(shared: SharedMemory, signal: Signal) -> None:
    """A phase of a barrier is over: copies that count there have arrived, and the works that it tells of have ended."""
    land(shared, signal.address)
    shared.works.end(signal.place)


def by_several(asm: Assembly, address: Operand, count: int) -> None:
    """Threads arrive, each `count` times, as the kernel does next.

    Raises:
        NotModelled: together they arrive another number of times, elsewhere, or under another condition.
    """
    machine, here = asm.machine, doers(asm)
    if not here:
        return
    event, signal = next_signal(machine, "arrive", "an arrival at an mbarrier")
    if signal.numbers != (count * len(here),):
        raise NotModelled(f"{count * len(here)} arrivals at an mbarrier, not {signal.numbers[0]}", asm.op)
    for thread, condition in here.items():
        at_its_place(asm, signal, full(asm.address(address), machine.threads)[thread])
        same(machine, signal.condition, condition, "the condition of an arrival")
        uses(asm, thread, signal)
    released(asm, list(here))
    check_waited(machine, list(here))
    take(machine, signal)
    done(machine, event)


@ptx("mbarrier.arrive")
def arrive(asm: Assembly, words: list[str], state: Operand, address: Operand, *count: Operand) -> None:
    """Arrives; with expect_tx once, and the phase waits for more bytes."""
    known_words(asm, words, "mbarrier arrive expect_tx shared::cta b64")
    number = number_of(asm, count[0]) if count else 1
    if "expect_tx" not in words:
        by_several(asm, address, number)
        return
    found = by_one(asm, "expect", address, number)
    if found is not None:
        uses(asm, *found)
        check_waited(asm.machine, [found[0]])
        take(asm.machine, found[1])


def released(asm: Assembly, threads: list[int]) -> None:
    """Raises NotModelled unless all that threads have done comes before the arrival of one of those that arrive."""
    shared = asm.machine.state.shared
    if shared.products.pending or shared.stores.pending:
        raise NotModelled("an arrival while a product or a copy reads shared memory", asm.op)
    for cell in shared.cells.values():
        for stamp in (cell.writer, *cell.readers):
            if not shared.released(stamp, threads, asm.machine.threads // WARP):
                raise NotModelled("an arrival that may come before what other threads do in shared memory", asm.op)


@ptx("wait.mbarrier", rest=("",))
def wait(asm: Assembly, words: list[str], address: Operand, phase: Operand) -> None:
    """All threads wait for a phase; the copies that count at the barrier have arrived.

    Raises:
        NotModelled: some do not, or for another phase.
    """
    machine = asm.machine
    machine.all_here("a wait at an mbarrier")
    condition = uniform(asm.guard)
    if condition.is_const and not condition.attr:
        return
    event, signal = next_signal(machine, "wait", "a wait at an mbarrier")
    at_its_place(asm, signal, uniform(asm.address(address)))
    same(machine, signal.condition, condition, "the condition of a wait")
    same(machine, signal.terms[0], uniform(asm.read(phase, 4)), "the phase of a wait")
    for thread in range(machine.threads):
        uses(asm, thread, signal)
    ended(machine.state.shared, signal)
    take(machine, signal)
    done(machine, event)
