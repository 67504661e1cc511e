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

from ttkit.interpreter.decode import Block, Function, Instruction
from ttkit.interpreter.ops.arith import constant_array
from ttkit.sanitizer.proof.polynomials import Poly, never_positive

Index: TypeAlias = tuple[Poly, ...]


@dataclass(frozen=True)
class Condition:
    """kind: "le" (poly at most zero), "and", "or", "true", "false", or "unknown"."""

    kind: str
    poly: Poly | None = None
    parts: tuple[Condition, ...] = ()

    def facts(self) -> list[Poly]:
        """Polynomials that are at most zero where it holds."""
        if self.kind == "le":
            assert self.poly is not None
            return [self.poly]
        return [fact for part in self.parts for fact in part.facts()] if self.kind == "and" else []

    @property
    def is_exact(self) -> bool:
        """Whether nothing in it is unknown."""
        return self.kind != "unknown" and all(part.is_exact for part in self.parts)

    def negated(self) -> Condition:
        """The condition that holds where this one does not."""
        if self.kind == "le":
            assert self.poly is not None
            return at_most_zero(Poly.of(1) - self.poly)
        if self.kind in ("and", "or"):
            return Condition("or" if self.kind == "and" else "and", parts=tuple(part.negated() for part in self.parts))
        return {"true": FALSE, "false": TRUE}.get(self.kind, UNKNOWN_CONDITION)


TRUE, FALSE, UNKNOWN_CONDITION = Condition("true"), Condition("false"), Condition("unknown")


def at_most_zero(poly: Poly) -> Condition:
    """The condition that a polynomial is 0 or less."""
    return Condition("le", poly)


def both(*parts: Condition) -> Condition:
    """The condition that all of these hold."""
    return Condition("and", parts=parts)


def either(*parts: Condition) -> Condition:
    """The condition that one of these holds."""
    return Condition("or", parts=parts)


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

    accesses: what it accesses, in order.
    facts: polynomials that are at most zero, whatever happens.
    choices: conditions that hold besides, of minima and maxima.
    unknown: variables whose values are not all possible.
    """

    def __init__(self, function: Function, given: Mapping[str, Poly]) -> None:
        self.function = function
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
        else:
            for each in function.body.blocks if function.body is not None else ():
                self.forget(each)
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
            handler = HANDLERS.get(op.name)
            if handler is not None:
                handler(self, op)
            elif op.regions:
                for region in op.regions:
                    for inner in region.blocks:
                        self.forget(inner)

    def forget(self, block: Block) -> None:
        """Code of which it is not known when it runs: accesses in it can't be proved."""
        for op in block.instructions:
            if op.name in MASKS:
                self.accesses.append(Access(op, None))
            for region in op.regions:
                for inner in region.blocks:
                    self.forget(inner)

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
        position = MASKS[op.name]
        if position is not None:
            counts = op.attributes.get("operandSegmentSizes")
            if bool(counts[position]) if counts is not None else len(op.operands) > position:
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


MASKS: dict[str, int | None] = {"tt.load": 1, "tt.store": 2, "tt.atomic_rmw": 2, "tt.atomic_cas": None}
HANDLERS: dict[str, Callable[[Symbols, Instruction], None]] = {}


def handles(*names: str) -> Any:
    """Declares the handler of operations, by name."""

    def note(function: Any) -> Any:
        """Enters the function in the table, under each name."""
        for name in names:
            HANDLERS[name] = function
        return function

    return note


@handles(*MASKS)
def _access(symbols: Symbols, op: Instruction) -> None:
    symbols.access(op)
    if op.results and op.result_types[0].element is not None and op.result_types[0].element.kind == "i":
        symbols.values[op.results[0]] = lambda index: symbols.something("loaded")


@handles("arith.constant")
def _constant(symbols: Symbols, op: Instruction) -> None:

    kind = op.result_types[0]
    if kind.element is None or kind.element.kind not in "ib":
        return
    values = constant_array(op)
    if (values == values.flat[0]).all():
        number = int(values.flat[0])
        if kind.element.kind == "b":
            symbols.values[op.results[0]] = TruthOf(lambda index: TRUE if number else FALSE)
        else:
            symbols.values[op.results[0]] = lambda index: Poly.of(number)


@handles("tt.make_range")
def _make_range(symbols: Symbols, op: Instruction) -> None:
    start = int(op.attributes["start"])
    symbols.values[op.results[0]] = lambda index: index[0] + start


@handles("tt.get_program_id", "tt.get_num_programs")
def _program(symbols: Symbols, op: Instruction) -> None:
    axis = "xyz"[int(op.attributes["axis"])]
    name = f"pid.{axis}" if op.name == "tt.get_program_id" else f"grid.{axis}"
    symbols.values[op.results[0]] = lambda index: Poly.of(name)


def reindexed(symbols: Symbols, op: Instruction, source: Callable[[Index], Index]) -> None:
    """The result has the elements of the operand at other indices."""
    value = symbols.values.get(op.operands[0])
    if isinstance(value, TruthOf):
        symbols.values[op.results[0]] = TruthOf(lambda index: value.at(source(index)))
    elif isinstance(value, Pointer):
        symbols.values[op.results[0]] = Pointer(value.argument, lambda index: value.offset(source(index)))
    elif callable(value):
        symbols.values[op.results[0]] = lambda index: value(source(index))


@handles("tt.splat")
def _splat(symbols: Symbols, op: Instruction) -> None:
    reindexed(symbols, op, lambda index: ())


@handles("tt.expand_dims")
def _expand_dims(symbols: Symbols, op: Instruction) -> None:
    axis = int(op.attributes["axis"])
    reindexed(symbols, op, lambda index: (*index[:axis], *index[axis + 1 :]))


@handles("tt.broadcast")
def _broadcast(symbols: Symbols, op: Instruction) -> None:
    shape = op.operand_types[0].shape
    reindexed(symbols, op, lambda index: tuple(Poly.of(0) if n == 1 else i for n, i in zip(shape, index)))


@handles("tt.trans")
def _trans(symbols: Symbols, op: Instruction) -> None:
    order = op.attributes["order"]
    reindexed(symbols, op, lambda index: tuple(index[list(order).index(d)] for d in range(len(index))))


@handles("ttg.convert_layout", "arith.extsi", "arith.trunci", "arith.index_cast", "tt.bitcast")
def _same(symbols: Symbols, op: Instruction) -> None:
    if op.name != "tt.bitcast" and op.operand_types[0].element is not None and op.operand_types[0].element.kind == "b":
        return
    if op.name == "tt.bitcast" and op.operand_types[0].pointee != op.result_types[0].pointee:
        return
    reindexed(symbols, op, lambda index: index)


def of_two(combine: Callable[[Symbols, Poly, Poly], Poly | None]) -> Callable[[Symbols, Instruction], None]:
    """The handler of an operation whose result at an index follows from two operands there."""

    def handler(symbols: Symbols, op: Instruction) -> None:
        """Notes the result, if it is an integer."""
        first, second = op.operands

        def value(index: Index) -> Poly | None:
            """The number at an index; None if it is not known."""
            a, b = symbols.number(first, index), symbols.number(second, index)
            return None if a is None or b is None else combine(symbols, a, b)

        if op.result_types[0].element is not None and op.result_types[0].element.kind == "i":
            symbols.values[op.results[0]] = value

    return handler


def _remainder(symbols: Symbols, a: Poly, b: Poly) -> Poly | None:
    quotient = symbols.divide(a, b)
    return None if quotient is None else a - b * quotient


def _shifted(symbols: Symbols, a: Poly, b: Poly) -> Poly | None:
    return None if b.constant is None else a * (1 << b.constant)


def _shifted_back(symbols: Symbols, a: Poly, b: Poly) -> Poly | None:
    return None if b.constant is None else symbols.divide(a, Poly.of(1 << b.constant))


def _divided_up(symbols: Symbols, a: Poly, b: Poly) -> Poly | None:
    return symbols.divide(a + b - 1, b)


HANDLERS.update(
    {
        "arith.addi": of_two(lambda symbols, a, b: a + b),
        "arith.subi": of_two(lambda symbols, a, b: a - b),
        "arith.muli": of_two(lambda symbols, a, b: a * b),
        "arith.divsi": of_two(lambda symbols, a, b: symbols.divide(a, b)),
        "arith.remsi": of_two(_remainder),
        "arith.ceildivsi": of_two(_divided_up),
        "arith.minsi": of_two(lambda symbols, a, b: symbols.extremum(a, b, True)),
        "arith.maxsi": of_two(lambda symbols, a, b: symbols.extremum(a, b, False)),
        "arith.shli": of_two(_shifted),
        "arith.shrsi": of_two(_shifted_back),
    }
)


COMPARISONS: dict[int, Callable[[Poly, Poly], Condition]] = {
    0: lambda a, b: both(at_most_zero(a - b), at_most_zero(b - a)),
    1: lambda a, b: either(at_most_zero(a - b + 1), at_most_zero(b - a + 1)),
    2: lambda a, b: at_most_zero(a - b + 1),
    3: lambda a, b: at_most_zero(a - b),
    4: lambda a, b: at_most_zero(b - a + 1),
    5: lambda a, b: at_most_zero(b - a),
}
"""By the number of arith's predicate."""


@handles("arith.cmpi")
def _cmpi(symbols: Symbols, op: Instruction) -> None:
    compare = COMPARISONS.get(int(op.attributes["predicate"]))

    def at(index: Index) -> Condition:
        """The condition at an index."""
        a, b = (symbols.number(slot, index) for slot in op.operands)
        return UNKNOWN_CONDITION if compare is None or a is None or b is None else compare(a, b)

    symbols.values[op.results[0]] = TruthOf(at)


@handles("arith.andi", "arith.ori", "arith.xori")
def _logical(symbols: Symbols, op: Instruction) -> None:
    first, second = op.operands
    if op.result_types[0].element is None or op.result_types[0].element.kind != "b":
        return

    def at(index: Index) -> Condition:
        """The condition at an index; a xor b is (a or b) and not (a and b)."""
        a, b = symbols.truth(first, index), symbols.truth(second, index)
        if op.name == "arith.andi":
            return both(a, b)
        if op.name == "arith.ori":
            return either(a, b)
        return both(either(a, b), either(a.negated(), b.negated()))

    symbols.values[op.results[0]] = TruthOf(at)


@handles("arith.select")
def _select(symbols: Symbols, op: Instruction) -> None:
    condition, first, second = op.operands
    if op.result_types[0].element is None or op.result_types[0].element.kind != "i":
        return

    def value(index: Index) -> Poly | None:
        """The number at an index; None if one of the two is not known."""
        inside: Index = index if op.operand_types[0].rank else ()
        when = symbols.truth(condition, inside)
        a, b = symbols.number(first, index), symbols.number(second, index)
        return None if a is None or b is None else chosen(symbols, when, a, b)

    symbols.values[op.results[0]] = value


def chosen(symbols: Symbols, when: Condition, a: Poly, b: Poly) -> Poly:
    """One of two numbers."""
    if when.kind in ("true", "false") or a == b:
        return a if when.kind == "true" or a == b else b
    result = symbols.variable("chosen")
    if not (when.is_exact and never_positive(-a, symbols.facts) and never_positive(-b, symbols.facts)):
        symbols.unknown |= result.variables
    same_a = both(at_most_zero(result - a), at_most_zero(a - result))
    same_b = both(at_most_zero(result - b), at_most_zero(b - result))
    symbols.choices.append(either(both(when, same_a), both(when.negated(), same_b)))
    for side in (a, b):  # a bound that both have
        if never_positive(a - side, symbols.facts) and never_positive(b - side, symbols.facts):
            symbols.facts.append(result - side)
    return result


@handles("tt.addptr")
def _addptr(symbols: Symbols, op: Instruction) -> None:
    pointer, offset = symbols.values.get(op.operands[0]), op.operands[1]
    if not isinstance(pointer, Pointer):
        return

    def moved(index: Index) -> Poly | None:
        """The offset at an index, in elements; None if it is not known."""
        before, more = pointer.offset(index), symbols.number(offset, index)
        return None if before is None or more is None else before + more

    symbols.values[op.results[0]] = Pointer(pointer.argument, moved)


@handles("scf.if")
def _if(symbols: Symbols, op: Instruction) -> None:
    condition = symbols.truth(op.operands[0], ())
    for region, when in zip(op.regions, (condition, condition.negated())):
        if region.blocks:
            symbols.path.append(when)
            symbols.block(region.blocks[0])
            symbols.path.pop()
    if not op.results:
        return
    ends = [region.blocks[0].instructions[-1].operands for region in op.regions]
    for result, kind, first, second in zip(op.results, op.result_types, *ends):
        a, b = symbols.values.get(first), symbols.values.get(second)
        if isinstance(a, Pointer) and isinstance(b, Pointer) and a.argument == b.argument:
            symbols.values[result] = Pointer(a.argument, _either(symbols, condition, a.offset, b.offset))
        elif kind.element is not None and kind.element.kind == "i" and callable(a) and callable(b):
            symbols.values[result] = _either(symbols, condition, a, b)


def _either(symbols: Symbols, when: Condition, first: Number, second: Number) -> Number:
    def value(index: Index) -> Poly | None:
        """The number at an index; None if one of the two is not known."""
        a, b = first(index), second(index)
        return None if a is None or b is None else chosen(symbols, when, a, b)

    return value


@handles("scf.for")
def _for(symbols: Symbols, op: Instruction) -> None:
    """The counter is lower + turn * step; what grows by the same in each turn is its start + turn * that."""
    lower, upper, step = (symbols.number(slot, ()) for slot in op.operands[:3])
    body = op.regions[0].blocks[0]
    counter, carried = body.arguments[0], body.arguments[1:]
    turn = symbols.variable("turn")
    if lower is not None and upper is not None and step is not None:
        symbols.values[counter] = lambda index: lower + turn * step
        symbols.path.append(at_most_zero(lower + turn * step - upper + 1))
    else:
        symbols.path.append(UNKNOWN_CONDITION)
    defined = {slot: each for each in body.instructions for slot in each.results}
    inside = {*body.makes, *(slot for each in body.instructions for slot in each.results)}
    ends = body.instructions[-1].operands
    grows = [_growth(argument, end, defined, inside) for argument, end in zip(carried, ends)]
    for argument, start, growth in zip(carried, op.operands[3:], grows):
        if growth is not None:
            _carry(symbols, argument, start, growth, turn)
    symbols.block(body)
    symbols.path.pop()
    turns = symbols.something("turns")
    for result, start, growth in zip(op.results, op.operands[3:], grows):
        if growth is not None:
            _carry(symbols, result, start, growth, turns)


def _growth(argument: int, end: int, defined: dict[int, Instruction], inside: set[int]) -> list[int] | None:
    """The amount that is added to a carried value in each turn, as slots; None if it is made in another way."""
    steps: list[int] = []
    while end != argument:
        op = defined.get(end)
        if op is None or op.name not in ("tt.addptr", "arith.addi"):
            return None
        steps.append(op.operands[1])
        end = op.operands[0]
    return steps


def _carry(symbols: Symbols, slot: int, start: int, growth: list[int], turn: Poly) -> None:
    before = symbols.values.get(start)

    def after(value: Number) -> Number:
        """A number after `turn` turns."""

        def at(index: Index) -> Poly | None:
            """start + turn * growth at an index; None if the growth is not known, or changes from turn to turn."""
            total = value(index)
            for step in growth:
                more = symbols.number(step, index)
                if total is None or more is None or more.variables & (turn.variables | symbols.unknown):
                    return None
                total = total + turn * more
            return total

        return at

    if isinstance(before, Pointer):
        symbols.values[slot] = Pointer(before.argument, after(before.offset))
    elif callable(before) and not isinstance(before, TruthOf):
        symbols.values[slot] = after(before)
