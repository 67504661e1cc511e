"""Inline assembly: its instructions one after the other, for all threads."""

from __future__ import annotations

from typing import Any

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.lowered.ptx_text import Address, Operand, Statement, statements
from ttkit.validation.booleans import choose, negation, truth
from ttkit.validation.comparisons import resized
from ttkit.validation.integers import add, number
from ttkit.validation.lowered.accesses import (
    guarded,
    load_global,
    load_shared,
    store_global,
    store_shared,
    update,
    whole_address,
)
from ttkit.validation.lowered.bits import as_flag, bits, bytes_of, join, joined, low_part, sized, split, wide
from ttkit.validation.lowered.elementwise import element_sort
from ttkit.validation.lowered.histograms import COUNT, count_elements
from ttkit.validation.lowered.llvm_meanings import regrouped
from ttkit.validation.lowered.meanings import PTX, RESTS, means, ptx
from ttkit.validation.lowered.register_order import function_of, text_of_assembly
from ttkit.validation.lowered.registers import Register, Struct, Value, full, mapped, parts_of
from ttkit.validation.lowered.shared_memory import WARP
from ttkit.validation.terms import make
from ttkit.validation.values import NotModelled

SIZES = {"b": 1, "h": 2, "r": 4, "l": 8, "c": 2, "f": 4, "d": 8}
"""Bytes of registers by the letters of LLVM's constraints."""
TYPES = {
    f"{kind}{bits_}": bits_ // 8
    for kind in ("b", "u", "s", "f")
    for bits_ in (8, 16, 32, 64)
    if kind + str(bits_) != "f8"
}
TYPES |= {"f16": 2, "bf16": 2, "f16x2": 4, "bf16x2": 4}
PAIRS = {"f16x2": "f16", "bf16x2": "bf16"}
"""Types of which a register holds two."""
ON_REGISTERS = ("mov", "add", "createpolicy")
"""Instructions that do nothing but give their results."""


class Assembly:
    """One piece of inline assembly while it runs.

    registers: by name, words of bits; predicates as i1.
    guard: for which threads the current instruction is.
    unfinished: whether registers are still being loaded from tensor memory.
    fenced: whether products of warp groups may access registers that threads have accessed.
    sums: the registers that the latest of these products makes.
    """

    def __init__(self, machine: Any, op: Instruction, operands: tuple[Value, ...]) -> None:
        self.machine, self.op = machine, op
        given = "".join(op.attributes["constraints"].split())
        constraints = [one for one in given.split(",") if one and not one.startswith("~")]
        self.outputs = [one.lstrip("=&") for one in constraints if one.startswith("=")]
        self.registers: dict[str, Register] = {}
        self.guard: Register = (truth(True),)
        self.unfinished = self.fenced = False
        self.sums: list[Register] = []
        for place, (value, constraint) in enumerate(zip(operands, constraints[len(self.outputs) :], strict=True)):
            register = word(value)
            self.registers[f"${len(self.outputs) + place}"] = register
            if constraint.isdecimal():
                self.registers[f"${constraint}"] = register

    def run(self) -> Value:
        """Runs the instructions; gives the results.

        Raises:
            NotModelled: an instruction has no meaning here, or a result is not set.
        """
        if text_of_assembly(self.op) in self.machine.source.assembly:
            self._as_function()
            return self._results()
        try:
            found = statements(self.op.attributes["asm_string"])
        except ValueError as error:
            raise NotModelled(f"inline assembly that is not modelled: {error}", self.op) from None
        for statement in found:
            if self.unfinished and statement.words[0] != "tcgen05":
                break
            self._statement(statement)
        if self.unfinished:
            raise NotModelled("registers are used before tensor memory is loaded: no tcgen05.wait::ld", self.op)
        return self._results()

    def _as_function(self) -> None:
        """Assembly of the user is a function of its words."""
        count = len(self.op.operands)
        words = [self.registers[f"${len(self.outputs) + place}"] for place in range(count)]
        for place, constraint in enumerate(self.outputs):
            size = SIZES.get(constraint[-1], 4)
            self.registers[f"${place}"] = (
                mapped(
                    lambda *terms, n=place, by=size: function_of(self.op, n, [bits(term) for term in terms], by), *words
                )
                if words
                else (function_of(self.op, place, [], size),)
            )

    def _results(self) -> Value:
        results = []
        for place, constraint in enumerate(self.outputs):
            register = self.registers.get(f"${place}")
            if register is None:
                raise NotModelled("inline assembly that does not set a result", self.op)
            results.append(self._as_output(register, constraint))
        if not self.op.results:
            return ()
        kind = self.op.result_types[0]
        if kind.element is None:
            return Struct(tuple(results))
        if element_sort(kind) == "i1":
            return (
                results[0]
                if results[0][0].sort == "i1"
                else mapped(lambda term: resized(term, "i1", False), results[0])
            )
        narrow = mapped(lambda term: low_part(term, bytes_of(element_sort(kind)) * max(1, kind.size)), results[0])
        return regrouped(self.op, (narrow,), kind)

    def _as_output(self, register: Register, constraint: str) -> Register:
        if constraint[-1] == "b":
            return register
        size = SIZES[constraint[-1]]
        return mapped(lambda term: sized(term, size), register)

    def _statement(self, statement: Statement) -> None:
        self.guard = (truth(True),)
        if statement.guard:
            given = mapped(as_flag, self.value(statement.guard))
            self.guard = mapped(negation, given) if statement.negated else given
        for count in range(len(statement.words), 0, -1):
            name = ".".join(statement.words[:count])
            meaning = PTX.get(name)
            if meaning is not None:
                rest = ".".join(statement.words[count:])
                if rest not in RESTS.get(name, (rest,)):
                    break
                if name not in ON_REGISTERS:
                    self.acts_on_memory()
                meaning(self, list(statement.words), *statement.operands)
                return
        raise NotModelled(f"inline assembly that is not modelled: {statement.name}", self.op)

    def acts_on_memory(self) -> None:
        """Raises NotModelled unless LLVM knows that the assembly does more than its results."""
        if not self.op.attributes.get("has_side_effects"):
            said = "an access to memory that LLVM may move or leave out: it is not said to have effects"
            raise NotModelled(said, self.op)

    def value(self, operand: Operand) -> Register:
        """A register or a number: bits.

        Raises:
            NotModelled: something else.
        """
        if isinstance(operand, str):
            if operand in self.registers:
                return self.registers[operand]
            try:
                return (number(int(operand.rstrip("U"), 0), "i64"),)
            except ValueError:
                pass
        raise NotModelled(f"an operand of inline assembly that is not modelled: {operand}", self.op)

    def read(self, operand: Operand, size: int) -> Register:
        """A register as a word of `size` bytes: its lower part, or with zeros above."""
        return mapped(lambda term: sized(bits(term), size), self.value(operand))

    def address(self, operand: Operand) -> Register:
        """An address in memory.

        Raises:
            NotModelled: of a tensor map.
        """
        if not isinstance(operand, Address):
            return mapped(wide, self.value(operand))
        if operand.coordinates:
            raise NotModelled("coordinates of a tensor map", self.op)
        return mapped(lambda term: add(wide(term), number(operand.offset, "i64")), self.value(operand.base))

    def assign(self, operand: Operand, value: Register) -> None:
        """Sets a register where the guard holds.

        Raises:
            NotModelled: nothing is known of the register elsewhere, or it is not one register.
        """
        if operand == "_":
            return
        if not isinstance(operand, str):
            raise NotModelled("several registers as one result", self.op)
        if all(term.is_const and term.attr for term in self.guard):
            self.registers[operand] = value
            return
        before = self.registers.get(operand)
        if before is None:
            before = mapped(lambda term: make("undefined", (), "register", term.sort), value)
        self.registers[operand] = mapped(
            lambda guard, new, old: choose(
                guard, new, sized(bits(old), bytes_of(new.sort)) if new.sort != old.sort else old
            ),
            self.guard,
            value,
            before,
        )


def word(value: Value) -> Register:
    """An operand as one register of bits; a boolean stays."""
    parts = parts_of(value)
    if len(parts) == 1:
        return mapped(lambda term: term if term.sort == "i1" else bits(term), parts[0])
    return mapped(lambda *terms: joined([bits(term) for term in terms]), *parts)


@means("llvm.inline_asm")
def inline_assembly(machine: Any, op: Instruction, *operands: Value) -> Value:
    """The results of the instructions."""
    return Assembly(machine, op, operands).run()


# --- moves and memory


@ptx("mov")
def move(asm: Assembly, words: list[str], target: Operand, source: Operand) -> None:
    """target = source; several registers are the parts of a wider one, the low first.

    Raises:
        NotModelled: the type is not known here.
    """
    size = TYPES.get(words[-1])
    if size is None or len(words) != 2:
        raise NotModelled(f"inline assembly that is not modelled: {'.'.join(words)}", asm.op)
    if isinstance(source, tuple):
        parts = [asm.read(one, size // len(source)) for one in source]
        asm.assign(target, mapped(lambda *terms: join(list(terms)), *parts))
    elif isinstance(target, tuple):
        whole = asm.read(source, size)
        for place, one in enumerate(target):
            asm.assign(one, mapped(lambda term, n=place: split(term, size // len(target))[n], whole))
    else:
        asm.assign(target, asm.read(source, size))


def listed(operand: Operand) -> tuple[str, ...]:
    """The registers of an operand, one or several.

    Raises:
        NotModelled: it is an address.
    """
    if isinstance(operand, Address):
        raise NotModelled("an address where registers are expected")
    return operand if isinstance(operand, tuple) else (operand,)


KNOWN_OF_ACCESSES = {"ld", "st", "volatile", "global", "shared", "v2", "v4", "v8", "L2::cache_hint", "L1::evict_first",
    "L1::evict_last", "L1::no_allocate", "L1::evict_normal", "ca", "cg", "cs", "cv", "wb", "wt", "lu",
    "L2::128B", "L2::64B", "L2::256B", "L2::evict_first", "L2::evict_last", "L2::evict_normal"}  # fmt: skip


def access_of(asm: Assembly, words: list[str]) -> tuple[str, int]:
    """The space and the size of the words of an access.

    Raises:
        NotModelled: it is ordered, or of another kind.
    """
    spaces = [word_ for word_ in words if word_ in ("global", "shared")]
    if len(spaces) != 1 or words[-1] not in TYPES or set(words[:-1]) - KNOWN_OF_ACCESSES:
        raise NotModelled(f"inline assembly that is not modelled: {'.'.join(words)}", asm.op)
    return spaces[0], TYPES[words[-1]]


@ptx("ld")
def load(asm: Assembly, words: list[str], target: Operand, address: Operand, *policy: Operand) -> None:
    """target = memory; where the guard does not hold, the registers stay."""
    space, size = access_of(asm, words)
    targets = listed(target)
    where, count = asm.address(address), len(targets)
    if space == "shared":
        found = load_shared(asm.machine, where, size, count, asm.guard, alignment=size * count)
    else:
        others = [asm.registers.get(one) for one in targets]
        given = None if any(one is None for one in others) else [asm.read(one, size) for one in targets]
        found = load_global(
            asm.machine, where, size, count, asm.guard, given, size * count, is_volatile="volatile" in words
        )
        for one, value in zip(targets, found):
            asm.registers[one] = value
        return
    for one, value in zip(targets, found):
        asm.assign(one, value)


@ptx("st")
def store(asm: Assembly, words: list[str], address: Operand, source: Operand, *policy: Operand) -> None:
    """memory = source where the guard holds."""
    space, size = access_of(asm, words)
    values = [asm.read(one, size) for one in listed(source)]
    function = store_shared if space == "shared" else store_global
    function(asm.machine, asm.address(address), values, asm.guard, alignment=size * len(values))


@ptx("createpolicy")
def policy(asm: Assembly, words: list[str], target: Operand, *rest: Operand) -> None:
    """Advice for caches: any number."""
    asm.assign(target, (number(0, "i64"),))


@ptx("atom", "red")
def atomic(asm: Assembly, words: list[str], *operands: Operand) -> None:
    """target = memory; memory = f(memory, values)

    Raises:
        NotModelled: of several registers, or of shared memory unless it counts elements.
    """
    target, address, *values = operands if words[0] == "atom" else ("_", *operands)
    size = TYPES.get(words[-1])
    space = [word_ for word_ in words if word_ in ("global", "shared")]
    if len(space) != 1 or size is None or isinstance(target, tuple) or any(isinstance(v, tuple) for v in values):
        raise NotModelled(f"inline assembly that is not modelled: {'.'.join(words)}", asm.op)
    given = [asm.read(value, size) for value in values]
    where = asm.address(address)
    if "shared" in words:
        [amount] = given
        if target != "_" or tuple(words) != COUNT or any(not (one.is_const and one.attr == 1) for one in amount):
            raise NotModelled(f"inline assembly that is not modelled: {'.'.join(words)}", asm.op)
        count_elements(asm.machine, where, guarded(asm.machine, asm.guard))
        return
    if words[-1] not in PAIRS:
        asm.assign(target, update(asm.machine, where, given, asm.guard, tuple(words)))
        return
    found = []
    for half in (0, 1):  # each is updated by itself
        place = mapped(lambda term, by=half * size // 2: add(term, number(by, "i64")), where)
        parts = [mapped(lambda term, n=half: split(term, size // 2)[n], value) for value in given]
        found.append(update(asm.machine, place, parts, asm.guard, (*words[:-1], PAIRS[words[-1]])))
    asm.assign(target, mapped(lambda low, high: join([low, high]), *found))


@ptx("stmatrix.sync.aligned.m8n8")
def store_matrices(asm: Assembly, words: list[str], address: Operand, source: Operand) -> None:
    """Stores 8x8 matrices of 16 bits, as ldmatrix loads them.

    Raises:
        NotModelled: some threads do not, or elements have another size.
    """
    machine = asm.machine
    machine.together()
    if words[-1] != "b16" or len(asm.guard) != 1 or not (asm.guard[0].is_const and asm.guard[0].attr):
        raise NotModelled(f"inline assembly that is not modelled: {'.'.join(words)}", asm.op)
    rows = full(asm.address(address), machine.threads)
    for matrix, one in enumerate(listed(source)):
        given = asm.read(one, 4)
        halves = [mapped(lambda term, n=half: split(term, 2)[n], given) for half in (0, 1)]
        for half in (0, 1):
            addresses = []
            for thread in range(machine.threads):
                lane = thread % WARP
                row, column = lane // 4, lane % 4 * 2 + half
                if "trans" in words:
                    row, column = column, row
                start = rows[thread - lane + 8 * matrix + row]
                whole_address(start, 16)
                addresses.append(number(start.attr + 2 * column, "i64"))
            store_shared(machine, tuple(addresses), [halves[half]], (truth(True),), alignment=2)
