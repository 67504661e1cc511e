"""Copies from global to shared memory in the background (cp.async), by groups that threads wait for."""

from __future__ import annotations

from typing import Any

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.lowered.ptx_text import Operand
from ttkit.validation.booleans import both, choose, truth
from ttkit.validation.integers import number
from ttkit.validation.lowered.accesses import known_threads, load_global, place, whole_address
from ttkit.validation.lowered.assembly import Assembly
from ttkit.validation.lowered.bits import bits
from ttkit.validation.lowered.meanings import means, ptx
from ttkit.validation.lowered.registers import Register, full, mapped
from ttkit.validation.terms import Term
from ttkit.validation.values import NotModelled

WORD = 4
SIZES = (4, 8, 16)
KNOWN = {"cp", "async", "ca", "cg", "shared", "global", "L2::cache_hint", "L2::64B", "L2::128B", "L2::256B"}


@ptx("cp.async")
def copy(asm: Assembly, words: list[str], target: Operand, source: Operand, size: Operand, *rest: Operand) -> None:
    """Begins to copy `size` bytes, or zeros where fewer are read.

    Raises:
        NotModelled: of a number of bytes that is neither that nor 0.
    """
    if set(words) - KNOWN:
        raise NotModelled(f"inline assembly that is not modelled: {'.'.join(words)}", asm.op)
    [count] = {term.attr for term in asm.value(size)}
    if count not in SIZES:
        raise NotModelled("a copy of an unknown number of bytes", asm.op)
    machine, guard = asm.machine, asm.guard
    hints = 1 if "L2::cache_hint" in words else 0
    reads: Register = (truth(True),)
    if len(rest) > hints:
        reads = mapped(lambda term: whole_size(term, count), asm.value(rest[0]))
    zero = (number(0, f"i{8 * WORD}"),)
    parts = load_global(
        machine, asm.address(source), WORD, count // WORD, mapped(both, guard, reads), [zero] * (count // WORD), count
    )
    here = known_threads(machine, guard)
    columns = [full(part, machine.threads) for part in parts]
    writes = []
    for thread, at in enumerate(full(asm.address(target), machine.threads)):
        if here[thread]:
            whole_address(at, count)
            for word, column in enumerate(columns):
                writes.append((thread, place(at) + WORD * word, bits(column[thread])))
    machine.state.shared.store(writes, machine.state.shared.group)


def whole_size(term: Term, count: int) -> Term:
    """The condition under which all bytes are read, by their number: all, or none.

    Raises:
        NotModelled: it may be another one.
    """
    if term.is_const and term.attr in (0, count):
        return truth(term.attr == count)
    if term.head == "ite":
        return choose(term.args[0], whole_size(term.args[1], count), whole_size(term.args[2], count))
    raise NotModelled(f"a copy of an unknown number of bytes: {term}")


@means("nvvm.cp.async.commit.group")
def commit(machine: Any, op: Instruction) -> tuple:
    """The open group is closed.

    Raises:
        NotModelled: for some threads only.
    """
    machine.all_here("the end of a group of copies")
    machine.state.shared.group += 1
    return ()


@means("nvvm.cp.async.wait.group")
def wait(machine: Any, op: Instruction) -> tuple:
    """All groups but the newest ones have arrived.

    Raises:
        NotModelled: for some threads only.
    """
    machine.all_here("a wait for copies")
    machine.state.shared.arrive(op.attributes["n"])
    return ()
