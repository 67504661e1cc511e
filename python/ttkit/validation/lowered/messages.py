"""Prints and assertions of lowered code: each line, and each report of a failure, is one of the kernel's next event.

A print is a sequence of lines: for each operand one for each register, which all threads print, with the index of the
element that the layout gives each of them.  An assertion is a report by each thread that holds a false element, under
that condition; memory goes on where the paths join again.  Arguments of a print lie on the stack of a thread: they must
be stored in the block that prints them.  File and line of an assertion are not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ttkit.interpreter.decode import CONSTANT_SHIFT, CONSTANTS, END_OF_CONSTANTS, Instruction
from ttkit.interpreter.values import ValueType
from ttkit.operation_sets import ASSERTIONS
from ttkit.validation.booleans import both, negation, truth
from ttkit.validation.comparisons import resized
from ttkit.validation.integers import number, sum_of, width
from ttkit.validation.lowered.bits import bits, bytes_of
from ttkit.validation.lowered.meanings import means
from ttkit.validation.lowered.places import places
from ttkit.validation.lowered.registers import Register, Value, collapsed, full, parts_of, uniform
from ttkit.validation.terms import Term, at_place, make
from ttkit.validation.values import NotModelled, sort_of

CONVERSION = re.compile(r"%(?:%|\d*(?P<kind>llx|lli|llu|[uixfp]))")
SIZES = {"f": 8, "p": 8, "llx": 8, "lli": 8, "llu": 8}
"""Bytes of an argument of vprintf by its conversion; 4 of others."""
WORD = 32


@dataclass
class Block:
    """The stack and the output of a block of lowered code so far.

    stack: words by the alloca and the byte.
    lines: of the kernel's print that comes next.
    """

    stack: dict[tuple[Any, int], Register] = field(default_factory=dict)
    lines: int = 0


def place_on_stack(address: Term, op: Instruction) -> tuple[Any, int]:
    """The alloca that a pointer is to, and the byte.

    Raises:
        NotModelled: it is to other memory.
    """
    total = dict(sum_of(address))
    offset = total.pop((), 0)
    if len(total) == 1:
        [(key, factor)] = total.items()
        if factor == 1 and len(key) == 1 and key[0].head == "stack":
            return key[0].attr, offset
    raise NotModelled("memory of one thread, or of an unknown space", op)


@means("llvm.alloca")
def alloca(machine: Any, op: Instruction, count: Register) -> Register:
    """Memory of each thread."""
    return (make("stack", (), (machine.context, op.results[0]), "i64"),)


def store_on_stack(machine: Any, op: Instruction, value: Value, address: Register) -> None:
    """Writes words one after the other."""
    slot, first = place_on_stack(uniform(address), op)
    stack = machine.here.stack
    for part in parts_of(value):
        word = collapsed(bits(term) for term in part)
        size = bytes_of(word[0].sort)
        for key in [one for one in stack if one[0] == slot]:
            if key[1] < first + size and first < key[1] + bytes_of(stack[key][0].sort):
                del stack[key]
        stack[slot, first] = word
        first += size


# --- prints


@dataclass(frozen=True)
class Line:
    """A line that all threads print: its format, and the numbers in it, without those of the program."""

    text: str
    numbers: tuple[Register, ...]


def lines_of(event: Any, threads: int) -> Iterator[Line]:
    """The lines of a print of the kernel, in order."""
    op = event.op
    terms = [closed.args[0] for closed in event.after.args[1:]]
    prefix, start = op.attributes["prefix"].replace("%", "%%"), "pid (%u, %u, %u)"
    if not terms:
        yield Line(f"{start}{prefix}\n", ())
    for operand, (term, kind) in enumerate(zip(terms, op.operand_types, strict=True)):
        conversion = conversion_of(kind, bool(op.attributes["hex"]), bool(op.attributes["isSigned"][operand]), op)
        index = ", ".join(f"%{len(str(size)) if size > 1 else 0}u" for size in kind.shape)
        which = f"(operand {operand}) " if len(terms) > 1 else ""
        text = f"{start} idx ({index}){prefix}{which}{conversion[0]}\n"
        for row in places(kind.text, threads) if kind.shape else ([()] * threads,):
            where = [collapsed(number(one[d], "i32") for one in row) for d in range(len(kind.shape))]
            value = collapsed(conversion[1](at_place(term, enumerate(one))) for one in row)
            yield Line(text, (*where, value))


def conversion_of(kind: ValueType, is_hex: bool, is_signed: bool, op: Instruction) -> tuple[str, Any]:
    """The conversion of printf for an element, and the function that gives the number which printf takes.

    Raises:
        NotModelled: it is not known which digits this has.
    """
    if kind.pointee is not None or "!tt.ptr" in kind.text:
        return "%p", lambda term: term
    sort = sort_of(kind)
    size = 8 * bytes_of(sort)
    if sort[0] != "i":
        if is_hex or size == 8:
            raise NotModelled("a print of a float's bits, or of a float of 8 bits", op)
        return "%f", lambda term: term if sort == "f64" else make("call", (term,), ("arith.extf", ()), "f64")
    if sort == "i1" and (is_signed or is_hex):
        raise NotModelled("a print of a boolean with a sign, or of its bits", op)
    long = "ll" if size > WORD else ""
    text = f"%0{size // 4}{long}x" if is_hex else f"%{long}{'i' if is_signed else 'u'}"
    return f"0x{text}" if is_hex else text, lambda term: widened(term, is_signed)


def widened(term: Term, is_signed: bool) -> Term:
    """An integer as C passes it."""
    return resized(term, "i32", signed=is_signed) if width(term) < WORD else term


def print_line(machine: Any, op: Instruction, text: Register, frame: Register) -> Value:
    """vprintf: a line of the kernel's print that comes next.

    Raises:
        NotModelled: the kernel prints something else, or only some threads do.
    """
    event = machine.effects.events.get((machine.state.memory, machine.path))
    if event is None or event.op.name != "tt.print":
        raise NotModelled(f"a print where the kernel has {'nothing' if event is None else event.op.name} next", op)
    machine.all_here("a print")
    found, lines = message_at(machine, text, op), list(lines_of(event, machine.threads))
    line = lines[machine.here.lines]
    if found != line.text:
        raise NotModelled(f"a print of {found!r}, not {line.text!r}", op)
    program = tuple((make("program", (), axis, "i32"),) for axis in range(3))
    for given, wanted in zip(arguments_of(machine, op, found, frame), (*program, *line.numbers), strict=True):
        check_argument(machine, op, given, wanted)
    machine.here.lines += 1
    if machine.here.lines == len(lines):
        machine.state.memory, machine.state.steps, machine.here.lines = event.after, machine.state.steps + 1, 0
    return (make("undefined", (), "characters", "i32"),)


def check_argument(machine: Any, op: Instruction, given: Register, wanted: Register) -> None:
    """Raises NotModelled unless each thread prints the element that it must."""
    count = max(len(given), len(wanted))
    for thread, (mine, theirs) in enumerate(zip(full(given, count), full(wanted, count))):
        if not machine.relation.equality.same(bits(theirs), mine):
            raise NotModelled(f"thread {thread} prints {mine}, not {theirs}", op)


def arguments_of(machine: Any, op: Instruction, text: str, frame: Register) -> list[Register]:
    """The arguments that a format reads from the stack, each at a multiple of its size.

    Raises:
        NotModelled: one has not been stored in this block, or in another size.
    """
    slot, at = place_on_stack(uniform(frame), op)
    found = []
    for kind in (match["kind"] for match in CONVERSION.finditer(text)):
        if kind is None:
            continue
        size = SIZES.get(kind, 4)
        at = -(-at // size) * size
        word = machine.here.stack.get((slot, at))
        if word is None or bytes_of(word[0].sort) != size:
            raise NotModelled("an argument of a print that is not stored beside it", op)
        found.append(word)
        at += size
    return found


def message_at(machine: Any, pointer: Register, op: Instruction) -> str:
    """The text at a pointer.

    Raises:
        NotModelled: it is not a constant of the module.
    """
    term = uniform(pointer)
    if not term.is_const or term.attr not in machine.module.texts:
        raise NotModelled("a text that is not a constant of the module", op)
    return str(machine.module.texts[term.attr])


# --- assertions


def report(machine: Any, op: Instruction, message: Register) -> tuple:
    """__assertfail: threads report that elements of theirs are false.

    Raises:
        NotModelled: the kernel has no such assertion next, or threads report under another condition.
    """
    event, found = next_assertion(machine, machine.state.memory), message_at(machine, message, op)
    if event is None:
        raise NotModelled("a report of a failure where the kernel has no assertion next", op)
    said = event.op.attributes["message" if event.op.name == "tt.assert" else "msg"]
    if found != said:
        raise NotModelled(f"a failure that is reported as {found!r}, not {said!r}", op)
    fails = conditions_of(event, machine.threads)
    for thread, active in enumerate(full(machine.active, machine.threads)):
        mine, theirs = both(machine.path, active), both(event.path, fails[thread])
        if mine.is_const and not mine.attr:
            continue
        if not machine.relation.equality.same(theirs, mine):
            raise NotModelled(f"thread {thread} reports a failure where {mine}, not where {theirs}", op)
        machine.reported.setdefault(event.after, set()).add(thread)
    return ()


def next_assertion(machine: Any, memory: Term) -> Any:
    """The assertion of the kernel that comes next on some path; None without one."""
    fitting = [one for (before, _), one in machine.effects.events.items()
               if before is memory and one.op.name in ASSERTIONS]  # fmt: skip
    return fitting[0] if len(fitting) == 1 else None


def conditions_of(event: Any, threads: int) -> list[Term]:
    """For each thread, when an element that it holds is false."""
    [closed], [kind] = event.after.args[1:], event.op.operand_types
    term = closed.args[0]
    found = [truth(True)] * threads
    for row in places(kind.text, threads) if kind.shape else ([()] * threads,):
        found = [both(so_far, at_place(term, enumerate(one))) for so_far, one in zip(found, row)]
    return [negation(one) for one in found]


def pass_assertions(machine: Any) -> None:
    """Goes on after assertions of which all threads that may fail have a report."""
    while True:
        event = machine.effects.events.get((machine.state.memory, machine.path))
        if event is None or event.op.name not in ASSERTIONS:
            return
        reported = machine.reported.get(event.after, set())
        fails = conditions_of(event, machine.threads)
        if any(not (one.is_const and not one.attr) and n not in reported for n, one in enumerate(fails)):
            return
        if not all(term.is_const and term.attr for term in machine.active):
            return
        machine.state.memory, machine.state.steps = event.after, machine.state.steps + 1


# --- tables


def load_table(machine: Any, op: Instruction, address: Register, size: int, count: int) -> list[Register] | None:
    """Words of a table of constants; None if a pointer is not known to be to one.

    Raises:
        NotModelled: they are outside of it.
    """
    rows = []
    for term in address:
        if not term.is_const or not CONSTANTS <= term.attr < END_OF_CONSTANTS:
            return None
        table_number, at = divmod(term.attr - CONSTANTS, 1 << CONSTANT_SHIFT)
        table = machine.module.tables[table_number] if table_number < len(machine.module.tables) else None
        if table is None or at + size * count > len(table):
            raise NotModelled("a read outside of a table of constants", op)
        words = (table[at + size * n : at + size * (n + 1)] for n in range(count))
        rows.append([number(int.from_bytes(word, "little", signed=True), f"i{8 * size}") for word in words])
    return [collapsed(row[n] for row in rows) for n in range(count)]
