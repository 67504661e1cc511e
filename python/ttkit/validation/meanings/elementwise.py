"""Operations on each element: integers exactly, floats by exact facts, others as functions of their operands."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from mlir import ir

import ttkit.validation.comparisons as comparisons
import ttkit.validation.floats as floats
import ttkit.validation.integers as integers
from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.ops.arith import constant_array
from ttkit.interpreter.ops.registry import HANDLERS
from ttkit.interpreter.values import DTYPES, ValueType
from ttkit.validation.bitcasts import recast
from ttkit.validation.booleans import both, choose, either
from ttkit.validation.registry import means
from ttkit.validation.terms import REBUILD, Term, at_index, indices, make
from ttkit.validation.values import NotModelled, Token, parts_of, sort_of, with_parts

IGNORED = ("fastmath", "overflowFlags", "isExact", "ttg.partition", "loop.stage", "loop.cluster", "nneg", "pure",
           "async_task_id")  # fmt: skip
"""Attributes that change no result, or only allow others."""


def key_of(op: Instruction) -> tuple[Any, ...]:
    """The attributes that say what an operation does."""
    return tuple(
        sorted(
            (name, str(value))
            for name, value in op.attributes.items()
            if name not in IGNORED and not name.startswith(("\0", "tt.", "loop.", "ttg.", "allocation."))
        )
    )


@means("arith.constant")
def constant(walk: Any, op: Instruction) -> Term:
    """The number; of a tensor of different ones, an element of a table."""
    kind = op.result_types[0]
    array = constant_array(op)[0]
    sort = sort_of(kind)
    value = op.attributes["value"]
    if not kind.shape or (isinstance(value, ir.DenseElementsAttr) and value.is_splat) or array.size == 1:
        return literal(array.flat[0] if kind.shape else array, sort)
    return element_of(tuple(indices(kind.shape)), (kind.shape, np.ascontiguousarray(array).tobytes()), sort)


def element_of(index: tuple[Term, ...], table: tuple[tuple[int, ...], bytes], sort: str) -> Term:
    """An element of a table of numbers, given as shape and bytes."""
    if not all(term.is_const for term in index):
        return make("table", index, table, sort)
    shape, data = table
    return literal(np.frombuffer(data, DTYPES[sort]).reshape(shape)[tuple(term.attr for term in index)], sort)


REBUILD["table"] = element_of


def literal(value: Any, sort: str) -> Term:
    """A number of numpy as a constant."""
    if sort[0] == "i":
        return integers.number(int(value), sort) if sort != "i1" else integers.number(int(bool(value)), sort)
    return floats.constant(value, sort)


@means("ub.poison")
def poison(walk: Any, op: Instruction) -> Any:
    """A value that may be anything: equal only to itself."""
    if not op.result_types[0].has_arrays:
        return Token()
    return make("undefined", (), "poison", sort_of(op.result_types[0]))


def folded(op: Instruction, args: tuple[Term, ...], sort: str) -> Term | None:
    """The result of an operation on numbers, by the interpreter; None if it is not one on numbers."""
    if not all(arg.is_const for arg in args) or op.handler is None or not args:
        return None
    arrays = [number_array(arg) for arg in args]
    with np.errstate(all="ignore"):
        result = op.handler(None, op, *arrays)
    return literal(np.asarray(result).reshape(-1)[0], sort) if isinstance(result, np.ndarray) else None


def number_array(term: Term) -> np.ndarray:
    """A constant as the interpreter has it."""
    if term.sort[0] == "i":
        return np.array([term.attr]).astype(DTYPES[term.sort])
    return np.array([floats.value_of(term)], DTYPES[term.sort])


def function(walk: Any, op: Instruction, *args: Term) -> Term:
    """An operation of which only this is known: equal operands give equal results.

    Raises:
        NotModelled: it has several results, or operands that are not tensors.
    """
    if len(op.results) != 1 or not all(isinstance(arg, Term) for arg in args):
        raise NotModelled("it has several results, or operands that are not tensors", op)
    sort = sort_of(op.result_types[0])
    found = folded(op, args, sort) if op.name in PURE else None
    return found if found is not None else make("call", args, (op.name, key_of(op)), sort)


PURE = (
    *(f"math.{name}" for name in """
    absf acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 floor fma fpowi
    ipowi isfinite isinf isnan isnormal log log10 log1p log2 powf round roundeven rsqrt sin sinh sqrt tan tanh trunc
    absi ctlz cttz ctpop clampf""".split()),
    *(f"arith.{name}" for name in "fptosi fptoui remf ceildivsi ceildivui floordivsi".split()),
    *(f"tt.{name}" for name in "approx_divf precise_divf precise_sqrt mulhiui fp_to_fp clampf".split()),
)  # fmt: skip
means(*PURE)(function)


# --- integers


def bitwise(name: str, a: Term, b: Term) -> Term | None:
    """and, or, xor of integers where something is known of one of them."""
    bits = integers.width(a)
    for one, other in ((a, b), (b, a)):
        if not other.is_const:
            continue
        mask = other.attr
        if name == "andi":
            if mask in (0, -1):
                return other if mask == 0 else one
            if mask > 0 and mask & (mask + 1) == 0 and mask.bit_length() < bits:
                return integers.remainder_unsigned(one, integers.number(mask + 1, a.sort))
        if mask == 0:
            return one
        if name == "xori" and mask == -1:
            return integers.subtract(integers.number(-1, a.sort), one)
    if a is b:
        return integers.number(0, a.sort) if name == "xori" else a
    return None


def _shift_left(a: Term, b: Term) -> Term | None:
    if b.is_const and 0 <= b.attr < integers.width(a):
        return integers.scaled(a, 1 << b.attr)
    return None


def _shift_right(a: Term, b: Term) -> Term | None:
    if b.is_const and 0 <= b.attr < integers.width(a) - 1:
        return integers.divide_unsigned(a, integers.number(1 << b.attr, a.sort))
    return None


def _as_unsigned(divide: Callable[[Term, Term], Term]) -> Callable[[Term, Term], Term | None]:
    def signed(a: Term, b: Term) -> Term | None:
        """The operation on numbers that are not negative."""
        known = integers.never_negative(a) and b.is_const and b.attr > 0
        return divide(a, b) if known else None

    return signed


def _known_divisor(divide: Callable[[Term, Term], Term]) -> Callable[[Term, Term], Term | None]:
    return lambda a, b: divide(a, b) if b.is_const and b.attr > 0 else None


RULES: dict[str, Callable[[Term, Term], Term | None]] = {
    "addi": integers.add,
    "subi": integers.subtract,
    "muli": integers.multiply,
    "andi": lambda a, b: bitwise("andi", a, b),
    "ori": lambda a, b: bitwise("ori", a, b),
    "xori": lambda a, b: bitwise("xori", a, b),
    "shli": _shift_left,
    "shrui": _shift_right,
    "shrsi": lambda a, b: _shift_right(a, b) if integers.never_negative(a) else None,
    "divui": _known_divisor(integers.divide_unsigned),
    "remui": _known_divisor(integers.remainder_unsigned),
    "divsi": _as_unsigned(integers.divide_unsigned),
    "remsi": _as_unsigned(integers.remainder_unsigned),
    "maxsi": lambda a, b: extreme("maxsi", a, b),
    "minsi": lambda a, b: extreme("minsi", a, b),
    "maxui": lambda a, b: a if a is b else None,
    "minui": lambda a, b: a if a is b else None,
}
SHIFTS = ("shli", "shrui", "shrsi")
COMMUTATIVE = ("andi", "ori", "xori", "maxsi", "minsi", "maxui", "minui")
OF_BOOLEANS: dict[str, Callable[[Term, Term], Term]] = {
    "addi": comparisons.make_xor,
    "subi": comparisons.make_xor,
    "xori": comparisons.make_xor,
    "muli": both,
    "andi": both,
    "ori": either,
    "minui": both,
    "maxui": either,
    "maxsi": both,
    "minsi": either,
}


def extreme(name: str, a: Term, b: Term) -> Term:
    """The larger or smaller of two signed numbers."""
    if a is b:
        return a
    below = comparisons.less(a, b)
    if below.is_const:
        return b if bool(below.attr) == (name == "maxsi") else a
    above = comparisons.less(b, a)
    if above.is_const:
        return a if bool(above.attr) == (name == "maxsi") else b
    return make(name, sorted((a, b), key=lambda t: t.number), None, a.sort)


@means(*(f"arith.{name}" for name in RULES))
def integer(walk: Any, op: Instruction, a: Term, b: Term) -> Term:
    """The row of RULES; without one that applies, a function of the operands."""
    name = op.name.removeprefix("arith.")
    if a.sort == "i1" and name in OF_BOOLEANS:
        return OF_BOOLEANS[name](a, b)
    if (number := folded(op, (a, b), a.sort)) is not None:
        return number
    found = RULES[name](a, b) if a.sort != "i1" else None
    if found is not None:
        return found
    if name in COMMUTATIVE:
        a, b = sorted((a, b), key=lambda t: t.number)
    made = make("call", (a, b), (op.name, ()), a.sort)
    return shifted(made, b) if name in SHIFTS else made


def shifted(made: Term, by: Term) -> Term:
    """A shift, which has no definition by as many bits as the number has, or more."""
    bits = integers.width(made)
    low, high = integers.exact_interval(by)
    if (low >= 0 and high < bits) or by.is_const or by.sort == "i1":
        return made
    inside = comparisons.less_unsigned(by, integers.number(bits, by.sort))
    return choose(inside, made, make("undefined", (made,), "shift", made.sort))


@cache
def plain(name: str, sort: str) -> Instruction:
    """An instruction without attributes that gives a number of a sort, for `folded`."""
    kind = ValueType((), DTYPES[sort], sort)
    return Instruction(name, (), (), (), (kind,), {}, "unknown", handler=HANDLERS.get(name))


def call_again(args: tuple[Term, ...], attr: Any, sort: str) -> Term:
    """A function of other operands, of which more may be known."""
    if isinstance(attr, tuple) and len(attr) == 2 and attr[1] == () and isinstance(attr[0], str):
        name = attr[0]
        if name.removeprefix("arith.") in RULES and len(args) == 2:
            return integer(None, plain(name, sort), *args)
        if name in PURE and all(arg.is_const for arg in args):
            found = folded(plain(name, sort), args, sort)
            if found is not None:
                return found
    return make("call", args, attr, sort)


REBUILD["call"] = call_again


@means("arith.mulsi_extended", "arith.mului_extended", "arith.addui_extended")
def extended(walk: Any, op: Instruction, a: Term, b: Term) -> tuple[Term, Term]:
    """The low half, and the high half or whether it wrapped."""
    low = integers.add(a, b) if op.name == "arith.addui_extended" else integers.multiply(a, b)
    first, second = sorted((a, b), key=lambda t: t.number)
    return low, make("call", (first, second), (op.name, "high"), sort_of(op.result_types[1]))


@means("arith.cmpi")
def cmpi(walk: Any, op: Instruction, a: Term, b: Term) -> Term:
    """eq ne slt sle sgt sge ult ule ugt uge."""
    return comparisons.compare(op.attributes["predicate"], a, b)


@means("arith.extsi", "arith.extui", "arith.trunci", "arith.index_cast", "arith.index_castui")
def resize(walk: Any, op: Instruction, a: Term) -> Term:
    """The integer in another width."""
    return comparisons.resized(a, sort_of(op.result_types[0]), op.name not in ("arith.extui", "arith.index_castui"))


# --- floats and choices


@means(*(f"arith.{name}" for name in ("addf", "subf", "mulf", "divf", *floats.IDEMPOTENT)))
def floating(walk: Any, op: Instruction, a: Term, b: Term) -> Term:
    """By the facts of `floats`."""
    found = folded(op, (a, b), a.sort)
    return found if found is not None else floats.binary(op.name.removeprefix("arith."), a, b)


@means("arith.negf")
def negf(walk: Any, op: Instruction, a: Term) -> Term:
    """-a"""
    return floats.negated(a)


@means("arith.cmpf")
def cmpf(walk: Any, op: Instruction, a: Term, b: Term) -> Term:
    """By the facts of `floats`."""
    found = folded(op, (a, b), "i1")
    return found if found is not None else floats.compare(op.attributes["predicate"], a, b)


@means("arith.extf", "arith.truncf", "arith.sitofp", "arith.uitofp")
def convert(walk: Any, op: Instruction, a: Term) -> Term:
    """Exact if it widens; else a function of the operand."""
    sort = sort_of(op.result_types[0])
    if op.name == "arith.extf" and a.head == "call" and a.attr[0] == "arith.extf":
        a = a.args[0]  # both are exact
    found = folded(op, (a,), sort)
    return found if found is not None else make("call", (a,), (op.name, key_of(op)), sort)


@means("arith.bitcast", "tt.bitcast")
def bitcast(walk: Any, op: Instruction, a: Term) -> Term:
    """The same bits in another type."""
    return recast(a, sort_of(op.result_types[0]))


@means("arith.select")
def select(walk: Any, op: Instruction, condition: Term, a: Any, b: Any) -> Any:
    """condition ? a : b

    Raises:
        NotModelled: a and b are buffers.
    """
    if isinstance(a, Term):
        return choose(condition, a, b)
    if isinstance(a, Token) and isinstance(b, Token):
        return a
    if a is b or condition.is_const:
        return b if condition.is_const and not condition.attr else a
    if type(a) is not type(b) or not parts_of(a):
        raise NotModelled("a choice between buffers", op)
    return with_parts(a, tuple(choose(condition, *pair) for pair in zip(parts_of(a), parts_of(b))))


@means("ttg.fp4_to_fp")
def fp4_to_fp(walk: Any, op: Instruction, source: Term) -> Term:
    """Each byte is two numbers along the axis: the low half, then the high one."""
    axis = op.attributes["axis"]
    place = indices(op.result_types[0].shape)[axis]
    two = integers.number(2, "i32")
    byte = at_index(source, {axis: integers.divide_unsigned(place, two)})
    half = integers.remainder_unsigned(place, two)
    return make("call", (byte, half), op.name, sort_of(op.result_types[0]))
