"""A kernel's indices as polynomials.

Each value is a function from the index of an element to a polynomial, a condition, or a pointer: an argument and an
offset in elements.  What is not one of these is unknown.  Arithmetic is that of integers: it must not wrap (`ttkit
sanitize asan` finds where it does).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ttkit.interpreter.decode import Block, Function, Instruction, Region
from ttkit.interpreter.masks import mask_position
from ttkit.operation_sets import POINTER_ACCESSES
from ttkit.sanitizer.proof.conditions import UNKNOWN_CONDITION, Condition, at_most_zero, either
from ttkit.sanitizer.proof.polynomials import Poly, never_positive

Index: TypeAlias = tuple[Poly, ...]
Number: TypeAlias = Callable[[Index], "Poly | None"]
Truth: TypeAlias = Callable[[Index], Condition]


@dataclass(frozen=True)
class Pointer:
    """argument: the number of the kernel's argument; offset: in elements of its type."""

    argument: int
    offset: Number


@dataclass
class Access:
    """An access to check: the operation, the argument (None: not known), where, when, and the element's index."""

    op: Instruction
    argument: int | None
    offset: Poly | None = None
    conditions: list[Condition] = field(default_factory=list)
    index: list[str] = field(default_factory=list)


class Symbols:
    """Walks a kernel.

    given: what stands for each integer argument.
    handlers: of the operations that are known.

    accesses: what it accesses, in order.
    facts: polynomials that are at most zero, whatever happens.
    choices: conditions that hold besides, of minima and maxima.
    unknown: variables whose values are not all possible.
    """

    def __init__(self, function: Function, given: Mapping[str, Poly], handlers: Handlers) -> None:
        self.function, self.handlers = function, handlers
        self.accesses: list[Access] = []
        self.facts: list[Poly] = []
        self.choices: list[Condition] = []
        self.unknown: set[str] = set()
        self.path: list[Condition] = []
        self.noted: list[tuple[Access, Pointer, list[Condition]]] = []
        self.values: dict[int, Any] = {}
        self.numbers = itertools.count()
        self.quotients: dict[tuple[Poly, Poly], Poly] = {}
        block = function.body.blocks[0] if function.body is not None else Block(())
        for number, (slot, kind) in enumerate(zip(block.arguments, function.argument_types)):
            name = function.argument_names[number]
            if kind.pointee is not None and kind.element is not None:
                self.values[slot] = Pointer(number, lambda index: Poly.of(0))
            elif kind.element is not None and kind.element.kind == "i":
                self.values[slot] = lambda index, name=name: given[name]
        for axis in "xyz":
            self.facts.append(Poly.of(f"pid.{axis}") - Poly.of(f"grid.{axis}") + 1)
        if function.body is not None and len(function.body.blocks) == 1:
            self.block(block)
        elif function.body is not None:
            self.forget(function.body)
        for access, pointer, path in self.noted:  # now all that goes around loops is known
            self.finish(access, pointer, path)

    def variable(self, prefix: str) -> Poly:
        """A variable that nothing is known of yet."""
        return Poly.of(f"{prefix}.{next(self.numbers)}")

    def something(self, prefix: str) -> Poly:
        """A number of which nothing is known."""
        name = f"{prefix}.{next(self.numbers)}"
        self.unknown.add(name)
        return Poly.of(name)

    # --- operations

    def block(self, block: Block) -> None:
        """Follows the operations of a block; results of unknown ones are unknown."""
        for op in block.instructions:
            handler = self.handlers.get(op.name)
            if handler is not None:
                handler(self, op)
            elif op.regions:
                for region in op.regions:
                    self.forget(region)

    def forget(self, region: Region) -> None:
        """Code of which it is not known when it runs: accesses in it can't be proved."""
        self.accesses += [Access(op, None) for op in region.operations() if op.name in POINTER_ACCESSES]

    def number(self, slot: int, index: Index) -> Poly | None:
        """A value's element at an index as a polynomial; None if it is none."""
        value = self.values.get(slot)
        return value(index) if callable(value) else None

    def truth(self, slot: int, index: Index) -> Condition:
        """A value's element at an index as a condition."""
        value = self.values.get(slot)
        return value.at(index) if isinstance(value, TruthOf) else UNKNOWN_CONDITION

    def access(self, op: Instruction) -> None:
        """Notes an access."""
        pointer = self.values.get(op.operands[0])
        access = Access(op, pointer.argument if isinstance(pointer, Pointer) else None)
        self.accesses.append(access)
        if isinstance(pointer, Pointer):
            self.noted.append((access, pointer, list(self.path)))

    def finish(self, access: Access, pointer: Pointer, path: list[Condition]) -> None:
        """Finds the offset of an access and the conditions under which it happens."""
        op = access.op
        shape = op.operand_types[0].shape
        access.index = [f"i{d}.{next(self.numbers)}" for d in range(len(shape))]
        index = tuple(Poly.of(name) for name in access.index)
        for name, size in zip(access.index, shape):
            self.facts.append(Poly.of(name) - size + 1)
        access.offset = pointer.offset(index)
        access.conditions = path
        if (position := mask_position(op)) is not None:
            access.conditions = [*path, self.truth(op.operands[position], index)]

    # --- arithmetic

    def divide(self, a: Poly, b: Poly, facts: Sequence[Poly] = ()) -> Poly | None:
        """The quotient, rounded down, of numbers that are not negative; None for others."""
        divisor = b.constant
        if divisor == 0 or (divisor is not None and divisor < 0) or not never_positive(-a, self.facts):
            return None
        if divisor is not None and a.constant is not None:
            return Poly.of(a.constant // divisor)
        if (a, b) not in self.quotients:
            quotient = self.variable("quotient")
            self.quotients[a, b] = quotient
            self.facts += [b * quotient - a, a - b * quotient - b + 1]
        return self.quotients[a, b]

    def extremum(self, a: Poly, b: Poly, smaller: bool) -> Poly:
        """A variable for the smaller or the larger of two, with what is known of it."""
        result = self.variable("least" if smaller else "most")
        if not (never_positive(-a, self.facts) and never_positive(-b, self.facts)):
            self.unknown |= result.variables
        sides = [result - a, result - b] if smaller else [a - result, b - result]
        self.facts += sides
        self.choices.append(either(*(at_most_zero(-side) for side in sides)))
        return result


class TruthOf:
    """A condition for each element."""

    def __init__(self, at: Truth) -> None:
        self.at = at


Handlers: TypeAlias = Mapping[str, "Callable[[Symbols, Instruction], None]"]
"""By the name of an operation, what it makes of its operands (`meanings.py`)."""
