"""Operations on numbers of lowered code: those that mean what arith's and math's do, element by element."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.lowered.llvm_ops import SAME
from ttkit.interpreter.ops.arith import constant_array
from ttkit.interpreter.ops.registry import HANDLERS
from ttkit.interpreter.values import ValueType
from ttkit.validation.comparisons import resized
from ttkit.validation.integers import add, exact_interval, number, sum_of, width
from ttkit.validation.lowered.meanings import means
from ttkit.validation.lowered.registers import Register, Value, Vector, mapped, parts_of
from ttkit.validation.meanings.elementwise import literal
from ttkit.validation.registry import MEANINGS, load_meanings
from ttkit.validation.terms import Term, make
from ttkit.validation.values import NotModelled, sort_of

PROMISES = ("isExact", "nonNeg", "is_int_min_poison", "is_zero_poison")
HARMLESS = ("#llvm.fastmath<none>", "#llvm.fastmath<contract>")
"""Flags of float operations: fusing a product and a sum is allowed everywhere."""


def element_sort(kind: ValueType) -> str:
    """The sort of a number, or of a vector's elements."""
    return sort_of(ValueType((), kind.element, kind.text if kind.element is None else ""))


def like(value: Value, parts: list[Register]) -> Value:
    """Registers as a vector if the value is one."""
    return Vector(tuple(parts)) if isinstance(value, Vector) else parts[0]


def each(function: Callable[..., Term], *values: Value) -> Value:
    """A function of numbers, or of the elements of vectors of one length; a number goes with each element.

    Raises:
        NotModelled: an operand is a struct.
    """
    columns = [parts_of(value) for value in values]
    count = max(map(len, columns))
    rows = zip(*(column * count if len(column) == 1 else column for column in columns), strict=True)
    return like(max(values, key=lambda value: isinstance(value, Vector)), [mapped(function, *row) for row in rows])


def without_definition(terms: tuple[Term, ...], sort: str) -> Term | None:
    """Poison, if an operand of an operation is poison."""
    if any(term.head == "undefined" and term.attr == "poison" for term in terms):
        return make("undefined", (), "poison", sort)
    return None


def same_as(ours: str, theirs: str) -> Callable[..., Value]:
    """The meaning of an operation that is that of another one on each element."""

    def meaning(machine: Any, op: Instruction, *values: Value) -> Value:
        """The other's meaning of an instruction of its name."""
        check_promises(op)
        alias = op.attributes.get("\0proof")
        if alias is None:
            kept = {name: op.attributes[name] for name in ("predicate",) if name in op.attributes}
            scalar = ValueType((), op.result_types[0].element, "")
            alias = dataclasses.replace(
                op, name=theirs, attributes=kept, result_types=(scalar,), handler=HANDLERS.get(theirs)
            )
            op.attributes["\0proof"] = alias
        sort = element_sort(op.result_types[0])
        disjoint = bool(op.attributes.get("isDisjoint"))

        def of_one(*terms: Term) -> Term:
            """The result for one element of one thread."""
            poison = without_definition(terms, sort)
            if poison is not None:
                return poison
            if disjoint:
                return sum_of_disjoint(op, *terms)
            return quick(theirs, *terms) or MEANINGS[theirs](None, alias, *terms)

        return each(of_one, *values)

    meaning.__doc__ = f"As {theirs}."
    return meaning


def quick(name: str, *terms: Term) -> Term | None:
    """Integer operations on known numbers, which addresses are made of."""
    if len(terms) != 2 or not (terms[0].is_const and terms[1].is_const) or terms[0].sort not in ("i32", "i64"):
        return None
    function = QUICK.get(name)
    if function is None or (name == "arith.shli" and not 0 <= terms[1].attr < width(terms[0])):
        return None
    return number(function(terms[0].attr, terms[1].attr), terms[0].sort)


QUICK: dict[str, Callable[[int, int], int]] = {
    "arith.addi": lambda a, b: a + b,
    "arith.subi": lambda a, b: a - b,
    "arith.muli": lambda a, b: a * b,
    "arith.andi": lambda a, b: a & b,
    "arith.ori": lambda a, b: a | b,
    "arith.xori": lambda a, b: a ^ b,
    "arith.shli": lambda a, b: a << b,
}


def check_promises(op: Instruction) -> None:
    """Raises NotModelled if an operation promises LLVM what is not checked here."""
    flags = op.attributes.get("fastmathFlags")
    if flags is not None and str(flags) not in HARMLESS:
        raise NotModelled(f"flags {flags}", op)
    for name in PROMISES:
        if op.attributes.get(name):
            raise NotModelled(f"a promise to LLVM that is not checked: {name}", op)


def sum_of_disjoint(op: Instruction, a: Term, b: Term) -> Term:
    """a | b = a + b of numbers that have no bit in common.

    Raises:
        NotModelled: it is not known that they have none.
    """
    if a.is_const and b.is_const:
        if a.attr & b.attr:
            raise NotModelled("a promise to LLVM that does not hold: these have no bits in common", op)
        return number(a.attr | b.attr, a.sort)
    for one, other in ((a, b), (b, a)):
        low, high = exact_interval(other)
        if low >= 0 and high < power_of(one):
            return add(one, other)
    raise NotModelled(f"a promise to LLVM that is not proved: {a} and {b} have no bits in common", op)


def power_of(term: Term) -> int:
    """A power of two that divides a sum, whether it wraps or not."""
    found = 1 << (width(term) - 1)
    for _, factor in sum_of(term).items():
        found = min(found, factor & -factor)
    return found


load_meanings()
for _ours, _theirs in SAME.items():
    if _theirs in MEANINGS and _ours != "llvm.mlir.constant":
        means(_ours, pure=True)(same_as(_ours, _theirs))


@means("llvm.mlir.constant")
def constant(machine: Any, op: Instruction) -> Value:
    """A number, or a vector of numbers."""
    kind = op.result_types[0]
    sort = element_sort(kind)
    array = constant_array(op)[0]
    if not kind.shape:
        return (literal(array, sort),)
    return Vector(tuple((literal(one, sort),) for one in array.reshape(-1)))


@means("llvm.intr.assume")
def assume(machine: Any, op: Instruction, condition: Value, *bundles: Value) -> tuple:
    """A promise to LLVM that the kernel makes too.

    Raises:
        NotModelled: it does not make it, or the promise is about more than a condition.
    """
    if bundles:
        raise NotModelled("a promise to LLVM that is not checked: operand bundles", op)
    for term in parts_of(condition)[0]:
        if term.is_const and term.attr:
            continue
        same = machine.relation.equality.same
        if not any(path is machine.path and same(one, term) for path, one in machine.source.assumed):
            raise NotModelled("a promise to LLVM that the kernel does not make", op)
    return ()


@means("llvm.freeze", "llvm.intr.launder.invariant.group")
def unchanged(machine: Any, op: Instruction, value: Value) -> Value:
    """The value."""
    return value


def to_generic(op: Instruction) -> bool:
    """Whether a pointer to global memory becomes a generic one, which has the same number."""
    return op.operand_types[0].text == "!llvm.ptr<1>" and op.result_types[0].text == "!llvm.ptr"


@means("llvm.ptrtoint", "llvm.inttoptr", "llvm.addrspacecast", pure=True)
def cast_pointer(machine: Any, op: Instruction, value: Value) -> Value:
    """The same number.

    Raises:
        NotModelled: pointers change their address space.
    """
    if op.name == "llvm.addrspacecast" and not to_generic(op):
        raise NotModelled("a pointer in another address space", op)
    return each(lambda term: resized(term, element_sort(op.result_types[0]), signed=False), value)
