"""The meaning of inline assembly: moves, loads, stores and atomic updates (PTX ISA, "Instructions").

Registers hold bits, as unsigned integers; an instruction reads them as its type says.
"""

from __future__ import annotations

import inspect
import re
import time
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ttkit.declarations import declares
from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.errors import InterpreterError, NotInterpretable
from ttkit.interpreter.lowered.cta_shared_memory import SharedMemories
from ttkit.interpreter.lowered.memory_spaces import load_bytes, store_bytes, update
from ttkit.interpreter.lowered.number_types import NUMBERS, bytes_of
from ttkit.interpreter.lowered.nvvm_ops import special_register
from ttkit.interpreter.lowered.ptx_text import Address, Operand, Statement, statements
from ttkit.interpreter.lowered.threads import Struct, Threads
from ttkit.interpreter.ops.atomic import COMBINE
from ttkit.interpreter.ops.registry import interprets
from ttkit.interpreter.values import put

Array = np.ndarray
Meaning = Callable[..., None]
"""Takes the Assembly, the words of the instruction's name and its operands; assigns results by `Assembly.assign`."""

PTX: dict[str, Meaning] = {}
"""By the first words of the name: the longest that fits is used."""

TYPES: dict[str, np.dtype] = {
    **{f"{kind}{bits}": np.dtype(f"u{bits // 8}") for kind in "bu" for bits in (8, 16, 32, 64)},
    **{f"s{bits}": np.dtype(f"i{bits // 8}") for bits in (8, 16, 32, 64)},
    **{name: NUMBERS[name] for name in ("f16", "bf16", "f32", "f64")},
}
REGISTERS = {"b": np.dtype(np.bool_), "h": np.dtype(np.uint16), "r": np.dtype(np.uint32), "l": np.dtype(np.uint64),
             "c": np.dtype(np.uint16), "f": np.dtype(np.uint32), "d": np.dtype(np.uint64)}  # fmt: skip
"""Registers by the letters of LLVM's constraints."""


def ptx(*names: str) -> Callable[[Meaning], Meaning]:
    """Declares a function to be the meaning of the instructions that begin so."""
    return declares(PTX, names)


@cache
def _takes(meaning: Meaning, count: int) -> bool:
    """Whether the instruction that a function is the meaning of may have so many operands."""
    try:
        inspect.signature(meaning).bind(None, None, *range(count))
    except TypeError:
        return False
    return True


def _meaning_of(statement: Statement, op: Instruction) -> Meaning:
    for count in range(len(statement.words), 0, -1):
        if (found := PTX.get(".".join(statement.words[:count]))) is not None:
            return found
    raise NotInterpretable(f"inline assembly has no meaning here: {statement.name}", op)


@interprets("llvm.inline_asm")
def inline_assembly(threads: Threads, op: Instruction, *operands: Array) -> Any:
    """Runs the instructions of the text one after the other.  $0, $1... are the results, then the operands."""
    return Assembly(threads, op, operands).run()


class Assembly:
    """One piece of inline assembly while it runs.

    Args:
        threads: `Threads`; in tt and ttg `ops.extern.ElementRows`.

    Attributes:
        mask: for which threads the current instruction is, bool [P].
        unfinished: what has left registers that are not there yet; empty if nothing has.
    """

    def __init__(self, threads: Any, op: Instruction, operands: tuple[Array, ...]) -> None:
        self.threads, self.op = threads, op
        given = "".join(op.attributes["constraints"].split())
        constraints = [one for one in given.split(",") if one and not one.startswith("~")]
        self.outputs = [one.lstrip("=&") for one in constraints if one.startswith("=")]
        self.registers: dict[str, Array] = {}
        for number, (value, constraint) in enumerate(
            zip(operands, constraints[len(self.outputs) :], strict=True), len(self.outputs)
        ):
            self.registers[f"${number}"] = as_bits(value)
            if constraint.isdecimal():
                self.registers[f"${constraint}"] = as_bits(value)
        self.mask = np.ones(threads.count, np.bool_)
        self.unfinished = ""

    def run(self) -> Any:
        """Runs the instructions; gives the results as the operation's types."""
        values = self.outcome()
        if not self.op.results:
            return ()
        kind = self.op.result_types[0]
        return Struct(values) if kind.element is None else from_bits(values[0], kind.element, kind.shape)

    def outcome(self) -> list[Array]:
        """Runs the instructions; gives the bits of the results.

        Raises:
            NotInterpretable: an instruction has no meaning.
            InterpreterError: the assembly ends before its results are complete: later code may read them at once.
        """
        try:
            found = statements(self.op.attributes["asm_string"])
        except ValueError as error:
            raise NotInterpretable(f"inline assembly has no meaning here: {error}", self.op) from None
        for statement in found:
            self.mask = np.ones(self.threads.count, np.bool_)
            if statement.guard:
                guard = self.threads.full(self.value(statement.guard)) != 0
                self.mask = ~guard if statement.negated else guard
            meaning = _meaning_of(statement, self.op)
            if not _takes(meaning, len(statement.operands)):
                raise NotInterpretable(f"{statement.name} does not take {len(statement.operands)} operands", self.op)
            meaning(self, list(statement.words), *statement.operands)
        if self.unfinished:
            raise InterpreterError(f"inline assembly ends before {self.unfinished}", self.op)
        return [
            self.registers.get(f"${number}", np.zeros(1, REGISTERS[constraint[-1]]))
            for number, constraint in enumerate(self.outputs)
        ]

    def value(self, operand: Operand) -> Array:
        """The bits of a register or a number: unsigned, bool for a predicate, [P] or [1].

        Raises:
            NotInterpretable: another operand, or a register that nothing has set.
        """
        if not isinstance(operand, str):
            raise NotInterpretable(f"inline assembly has an operand {operand} that has no meaning here", self.op)
        if operand in self.registers:
            return self.registers[operand]
        if operand.startswith("%"):
            return self.special(operand)
        if re.fullmatch(r"0[fF][0-9a-fA-F]{8}", operand):
            return np.array([int(operand[2:], 16)], np.uint32)
        try:
            return np.array([int(operand.rstrip("U"), 0) & (1 << 64) - 1], np.uint64)
        except ValueError:
            raise NotInterpretable(f"inline assembly reads {operand}, which nothing has set", self.op) from None

    def special(self, name: str) -> Array:
        """The value of a special register.

        Raises:
            NotInterpretable: a clock, or what only threads have, for an element.
        """
        if name == "%globaltimer":
            return np.array([time.time_ns()], np.uint64)
        if name.startswith("%clock"):
            raise NotInterpretable(
                f"inline assembly reads {name}, and there is no clock of a multiprocessor here", self.op
            )
        if name == "%smid":
            return np.zeros(1, np.uint32)
        return as_bits(special_register(self.threads, self.op, name.removeprefix("%")))

    def read(self, operand: Operand, kind: str) -> Array:
        """A register read as a type, `s32`.  Raises NotInterpretable if there is no such type."""
        dtype = TYPES.get(kind)
        if dtype is None:
            raise NotInterpretable(f"inline assembly has a type .{kind} that has no meaning here", self.op)
        value = self.value(operand)
        if value.dtype == np.bool_:
            return value.astype(dtype)
        bits = np.dtype(f"u{dtype.itemsize}")
        return np.ascontiguousarray(value if value.dtype == bits else value.astype(bits)).view(dtype)

    def uniform(self, operand: Operand) -> int:
        """A number that all threads have.  Raises NotInterpretable if they have different ones."""
        value = self.value(operand)
        if (value != value.flat[0]).any():
            raise NotInterpretable("threads of one instruction have different values where they must agree", self.op)
        return int(value.flat[0])

    def executing(self) -> list[int]:
        """The positions of the threads for which the current instruction is."""
        return np.flatnonzero(self.mask).tolist()

    def of(self, operand: Operand, position: int) -> int:
        """A thread's value of an operand, or its address."""
        values = self.address(operand) if isinstance(operand, Address) else self.value(operand)
        return int(self.threads.full(values)[position])

    def address(self, operand: Operand) -> Array:
        """The address of a memory operand, int64 [P] or [1]."""
        base, offset = (operand.base, operand.offset) if isinstance(operand, Address) else (operand, 0)
        return self.value(base).astype(np.int64) + offset

    def assign(self, operand: Operand, value: Array) -> None:
        """Sets a register where the mask is true.  Its size is that of its constraint, else of the value."""
        if not isinstance(operand, str) or operand == "_":
            return
        bits = value if value.dtype == np.bool_ else np.ascontiguousarray(value).view(f"u{value.dtype.itemsize}")
        if operand.startswith("$") and int(operand[1:]) < len(self.outputs):
            letter = self.outputs[int(operand[1:])][-1]
            bits = bits.astype(REGISTERS.get(letter, bits.dtype))
        if not self.mask.all():
            lanes = np.flatnonzero(self.mask)
            bits = put(self.registers.get(operand), self.threads.full(bits)[lanes], lanes, self.threads.count)
        self.registers[operand] = bits

    def unknown(self, words: list[str]) -> NotInterpretable:
        """The error about an instruction that has no meaning here, which handlers raise for words they don't know."""
        return NotInterpretable(f"inline assembly has no meaning here: {'.'.join(words)}", self.op)


def as_bits(value: Array) -> Array:
    """A scalar, or a vector in one register, as an unsigned integer [P]; bool stays."""
    if value.ndim > 1:
        size = value.dtype.itemsize * value.shape[1]
        return np.ascontiguousarray(value).view(f"u{size}").reshape(len(value))
    return value if value.dtype == np.bool_ else value.view(f"u{value.dtype.itemsize}")


def from_bits(value: Array, element: np.dtype, shape: tuple[int, ...]) -> Array:
    """Bits of a register as a value of a type."""
    if element == np.bool_:
        return value != 0
    wanted = element.itemsize * int(np.prod(shape, dtype=int))
    if value.dtype.itemsize != wanted:
        value = value.astype(f"u{wanted}")
    return np.ascontiguousarray(value).view(element).reshape(len(value), *shape)


# --- Moves and memory -------------------------------------------------------------------------------------------------
@ptx("mov")
def move(asm: Assembly, words: list[str], target: Operand, source: Operand) -> None:
    """target = source; several registers are the parts of a wider one, the low first."""
    if isinstance(source, tuple):
        parts = [asm.threads.full(asm.value(one)) for one in source]
        asm.assign(target, np.stack(parts, 1).view(f"u{words[-1][1:] and int(words[-1][1:]) // 8}")[:, 0])
        return
    value = asm.read(source, words[-1]) if words[-1] != "pred" else asm.value(source)
    if isinstance(target, tuple):
        parts = np.ascontiguousarray(value)[:, None].view(f"u{value.dtype.itemsize // len(target)}")
        for number, one in enumerate(target):
            asm.assign(one, parts[:, number])
        return
    asm.assign(target, value)


def listed(operand: Operand) -> tuple[str, ...]:
    """The registers of an operand, one or several."""
    return operand if isinstance(operand, tuple) else (operand,)


ORDERED = {"acquire", "relaxed"}
"""Words of a load that other programs may write at the same time."""


@ptx("ld")
def load(asm: Assembly, words: list[str], target: Operand, address: Operand, *policy: Operand) -> None:
    """target = memory; caches and policies change nothing.  With an order, it is an update that changes nothing."""
    dtype, targets = TYPES[words[-1]], listed(target)
    if ORDERED & {*words}:
        zero = np.zeros(asm.threads.count, f"u{dtype.itemsize}")
        for number, one in enumerate(targets):
            place = asm.address(address) + number * dtype.itemsize
            asm.assign(one, update(asm.threads, asm.op, place, asm.mask, COMBINE["or"], zero).view(dtype))
        return
    found = load_bytes(asm.threads, asm.op, asm.address(address), dtype.itemsize * len(targets), asm.mask)
    for number, one in enumerate(targets):
        piece = np.ascontiguousarray(found[:, number * dtype.itemsize : (number + 1) * dtype.itemsize])
        asm.assign(one, piece.view(dtype)[:, 0])


@ptx("st")
def store(asm: Assembly, words: list[str], address: Operand, source: Operand, *policy: Operand) -> None:
    """memory = source."""
    value = np.concatenate([bytes_of(asm.threads.full(asm.read(one, words[-1]))) for one in listed(source)], 1)
    store_bytes(asm.threads, asm.op, asm.address(address), value, asm.mask)


def _operation_of(asm: Assembly, words: list[str]) -> str:
    found = [word for word in words if word in COMBINE]
    if len(found) != 1 or words[-1] not in TYPES:
        raise asm.unknown(words)
    return found[0]


PAIRS = {"f16x2": "f16", "bf16x2": "bf16"}
"""Types of two elements -> that of each."""


@ptx("atom")
def atomic(asm: Assembly, words: list[str], target: Operand, address: Operand, *values: Operand) -> None:
    """target = memory; memory = f(memory, values), in one step for each thread and element."""
    if words[-1] in PAIRS:
        update_pairs(asm, words, target, address, *values)
        return
    combine, first = COMBINE[_operation_of(asm, words)], asm.address(address)
    for number, one in enumerate(listed(target)):
        given = [asm.threads.full(asm.read(listed(value)[number], words[-1])) for value in values]
        place = first + number * TYPES[words[-1]].itemsize
        asm.assign(one, update(asm.threads, asm.op, place, asm.mask, combine, *given))


def update_pairs(asm: Assembly, words: list[str], target: Operand, address: Operand, value: Operand) -> None:
    """An update of pairs of 16-bit elements, each pair in a register: every element by itself."""
    kind, first = PAIRS[words[-1]], asm.address(address)
    dtype, combine = TYPES[kind], COMBINE[_operation_of(asm, [*words[:-1], kind])]
    for number, (one, given) in enumerate(zip(listed(target), listed(value))):
        halves = bytes_of(asm.threads.full(asm.read(given, "b32"))).view(dtype)
        old = np.empty_like(halves)
        for half in range(2):
            place = first + (2 * number + half) * dtype.itemsize
            mine = np.ascontiguousarray(halves[:, half])
            old[:, half] = update(asm.threads, asm.op, place, asm.mask, combine, mine)
        asm.assign(one, old.view(np.uint32)[:, 0])


@ptx("red")
def reduction(asm: Assembly, words: list[str], address: Operand, value: Operand) -> None:
    """memory = f(memory, value), in one step for each thread and element."""
    if _operation_of(asm, words) == "cas":
        raise asm.unknown(words)
    atomic(asm, words, ("_",) * len(listed(value)), address, value)


@ptx("createpolicy", "griddepcontrol", "prefetch", "applypriority", "discard", "nanosleep")
def without_effect(asm: Assembly, words: list[str], target: Operand = "_", *rest: Operand) -> None:
    """Advice for caches, and waits for other launches: nothing."""
    if words[0] == "createpolicy":
        asm.assign(target, np.zeros(1, np.uint64))


@ptx("fence", "membar")
def fence(asm: Assembly, words: list[str], *operands: Operand) -> None:
    """The order of accesses: they are in order here.  What tensor cores and copies see is kept apart from it."""
    if words[:3] == ["fence", "proxy", "async"]:
        asm.threads.batch.the(SharedMemories).fence(asm.threads.part(asm.mask))
