"""Operations as polynomials, conditions and pointers: the handlers of `Symbols`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ttkit.declarations import declares
from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.ops.arith import constant_array
from ttkit.operation_sets import POINTER_ACCESSES
from ttkit.sanitizer.proof.conditions import FALSE, TRUE, UNKNOWN_CONDITION, Condition, at_most_zero, both, either
from ttkit.sanitizer.proof.polynomials import Poly, never_positive
from ttkit.sanitizer.proof.symbols import Index, Number, Pointer, Symbols, TruthOf

HANDLERS: dict[str, Callable[[Symbols, Instruction], None]] = {}


def handles(*names: str) -> Any:
    """Declares the handler of operations, by name."""
    return declares(HANDLERS, names)


@handles(*POINTER_ACCESSES)
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
