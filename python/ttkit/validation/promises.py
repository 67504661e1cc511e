"""Promises of operations about their values, which later passes may use: no overflow, no rest, no NaN.

A pass may drop a promise.  One that it makes must be the kernel's, or be known to hold: where it is broken, the value
is poison, and anything may follow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from ttkit.interpreter.broken_hints import broken
from ttkit.interpreter.decode import Function, Instruction
from ttkit.interpreter.errors import InterpreterError
from ttkit.interpreter.run_options import Observer
from ttkit.operation_sets import SIGNED_DIVISIONS
from ttkit.validation.axis_terms import FACTS
from ttkit.validation.claims import DIVISOR, EXACT
from ttkit.validation.comparisons import resized
from ttkit.validation.facts import numbers_of, stated
from ttkit.validation.integers import add, multiply, width
from ttkit.validation.terms import Term

Promise = tuple[str, str]
"""The name of an operation, and what it promises."""
NAMES = {"overflowFlags": "", "fastmath": "", "isExact": "exact", "nneg": "nneg"}
"""Attributes that promise something; of those that are flags, the promise."""
WIDEST = 64


def promises_of(op: Instruction) -> Iterator[str]:
    """The promises of an operation, such as `nsw`."""
    for name, flag in NAMES.items():
        value = op.attributes.get(name)
        if value is True and flag:
            yield flag
        elif value is not None and (found := re.search(r"<(.*)>", str(value))) is not None:
            yield from (word for word in re.findall(r"\w+", found[1]) if word != "none")


def is_kept(op: Instruction, promise: str, args: tuple[Term, ...]) -> bool:
    """Whether integers are known to keep a promise about wrapping."""
    if promise not in ("nsw", "nuw") or len(args) != 2 or op.name not in RESULTS or width(args[0]) >= WIDEST:
        return False
    signed, make = promise == "nsw", RESULTS[op.name]
    wide = (resized(arg, "i64", signed) for arg in args)
    return resized(make(*args), "i64", signed) is make(*wide)


def note_promises(walk: Any, op: Instruction, args: tuple[Any, ...]) -> None:
    """Notes what an operation promises, unless it is known to hold."""
    for promise in promises_of(op) if op.name.startswith(PROMISING) else ():
        if promise != EXACT and not is_kept(op, promise, args):
            walk.promises.setdefault((op.name, promise, args), op)


PROMISING = ("arith.", "math.", "tt.")
"""Dialects whose operations have promises in their attributes."""
RESULTS = {
    "arith.addi": add,
    "arith.subi": lambda a, b: add(a, b, -1),
    "arith.muli": multiply,
}


def new_promises(before: Function, after: Function) -> set[Promise]:
    """The promises of which there are more after a pass."""
    counts: list[dict[Promise, int]] = []
    for function in (before, after):
        found: dict[Promise, int] = {}
        for op in function.operations():
            for promise in promises_of(op):
                found[op.name, promise] = found.get((op.name, promise), 0) + 1
        counts.append(found)
    return {promise for promise, count in counts[1].items() if count > counts[0].get(promise, 0)}


class Broken(InterpreterError):
    """A promise does not hold."""


class Watch(Observer):
    """Raises Broken where values do not keep promises, or facts such as `tt.divisibility`.

    Args:
        promises: those that are looked at; facts always are.
    """

    def __init__(self, promises: set[Promise]) -> None:
        self.promises = promises

    def after(self, machine: Any, op: Instruction, operands: list[Any], results: tuple[Any, ...]) -> None:
        """Checks the values of an operation that has run.

        Raises:
            Broken: it does not keep a promise.
        """
        for promise in (*promises_of(op), DIVISOR):
            if (op.name, promise) in self.promises and not keeps(op, promise, operands, results):
                said = (
                    "divides by zero or overflows"
                    if promise == DIVISOR
                    else f"promises {promise}, and does not keep it"
                )
                text = f"{said}: operands {first_of(operands)}"
                raise Broken(text, op, machine.coordinates(int(machine.programs[0])))
        for name, numbers, unit in stated(op.attributes, op.result_types[0]) if results else ():
            contiguous = numbers_of(op.attributes.get("tt.contiguity"))
            is_known = isinstance(results[0], np.ndarray) and min(numbers, default=0) > 0
            wrong = broken(name, numbers, results[0], unit, contiguous) if is_known else None
            if wrong is not None and wrong.any():
                fact = f"{name} = {', '.join(map(str, numbers))}"
                text = f"promises {fact}, and does not keep it: operands {first_of(operands)}"
                raise Broken(text, op, machine.coordinates(int(machine.programs[0])))


def first_of(operands: list[Any]) -> str:
    """The first elements of operands, as text."""
    return ", ".join(str(np.asarray(one).reshape(-1)[0]) for one in operands)


def states_facts(function: Function) -> bool:
    """Whether an operation states a fact about its result."""
    return any(name in op.attributes for op in function.operations() for name in FACTS)


def keeps(op: Instruction, promise: str, operands: list[Any], results: tuple[Any, ...]) -> bool:
    """Whether values keep a promise; of what is not known here they do."""
    values = [np.asarray(one) for one in (*operands, *results)]
    if promise == DIVISOR:
        a, b = (one.view(f"i{one.dtype.itemsize}") for one in values[:2])
        overflows = (b == -1) & (a == np.iinfo(a.dtype).min) if op.name in SIGNED_DIVISIONS else False
        return not ((b == 0) | overflows).any()
    if promise in ("nnan", "ninf", "fast") and values[-1].dtype.kind not in "iub":
        floats = [one.astype(np.float64) for one in values if one.dtype.kind not in "iub"]
        is_bad = np.isnan if promise == "nnan" else np.isinf if promise == "ninf" else lambda a: ~np.isfinite(a)
        return not any(is_bad(one).any() for one in floats)
    if promise == "nneg":
        return not (values[0].view(f"i{values[0].dtype.itemsize}") < 0).any()
    if op.name == "arith.trunci" and promise in ("nsw", "nuw"):
        kind = "iu"[promise == "nuw"]
        narrow, wide_one = (one.view(f"{kind}{one.dtype.itemsize}").astype(object) for one in (values[1], values[0]))
        return bool(np.all(narrow == wide_one))
    exact = IN_NUMBERS.get(op.name)
    if exact is None or promise not in ("nsw", "nuw", "exact") or values[0].dtype.kind not in "iu":
        return True
    unsigned = promise == "nuw" or op.name in ("arith.divui", "arith.shrui")
    kind = f"{'u' if unsigned else 'i'}{values[0].dtype.itemsize}"
    wide = [one.view(kind).astype(object) for one in values]
    if promise == EXACT:
        wide = [wide[2], wide[1], wide[0]]
    return bool(np.all(exact(*wide[:-1]) == wide[-1]))


IN_NUMBERS: dict[str, Any] = {
    "arith.addi": lambda a, b: a + b,
    "arith.subi": lambda a, b: a - b,
    "arith.muli": lambda a, b: a * b,
    "arith.shli": lambda a, b: a * 2**b,
    **{f"arith.{name}": lambda quotient, b: quotient * b for name in ("divsi", "divui")},
    **{f"arith.{name}": lambda quotient, b: quotient * 2**b for name in ("shrsi", "shrui")},
}
"""By the name of an operation, its result in numbers that do not wrap; of divisions and right shifts, what the result
was made of if they are exact."""
