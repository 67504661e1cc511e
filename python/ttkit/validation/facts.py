"""Facts about values that operations and functions state: hints such as `tt.divisibility`, contiguous copies.

A pass may drop a fact.  One that it states must be the kernel's, or follow from the value's term and from the kernel's
facts (`axis_terms.py`).  The arguments of called functions state facts about what they are given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from mlir import ir

from ttkit.interpreter.decode import Function, Instruction
from ttkit.operation_sets import ASYNC_COPY
from ttkit.validation.axis_terms import FACTS, Groups, Hints, power_in
from ttkit.validation.booleans import truth
from ttkit.validation.terms import Term, has_part, session
from ttkit.validation.values import Value

FACT, CONTIGUOUS = "fact", "contiguity"
POINTER_RANGE = "tt.pointer_range"
WIDEST_COPY = 16
"""Bytes of one transfer of an asynchronous copy."""
FIRST = re.compile(r"order = \[(\d+)")
Stated = tuple[str, tuple[int, ...], int]
"""A fact, its numbers, and the distance of neighbours: bytes for pointers, 1 for numbers."""


def numbers_of(value: Any) -> tuple[int, ...] | None:
    """The numbers of a hint, one for each dimension; None if it is not one of integers."""
    if isinstance(value, ir.DenseElementsAttr):
        if not isinstance(value.type.element_type, ir.IntegerType):
            return None
        return tuple(int(one) for one in value)
    return (value,) if isinstance(value, int) and not isinstance(value, bool) else None


def stated(attributes: dict[str, Any], kind: Any, names: tuple[str, ...] = FACTS) -> Iterator[Stated]:
    """The facts in attributes, about a value of a type."""
    for name in names:
        numbers = numbers_of(attributes[name]) if name in attributes else None
        if numbers is not None:
            yield name, numbers, unit_of(kind)


def note_arguments(walk: Any, op: Instruction | None, function: Function, values: list[Value]) -> None:
    """Notes what a function states about its arguments, at a call of it or where it is the kernel.

    Without an operation the facts are the kernel's own.
    """
    for attributes, value, kind in zip(function.argument_attributes, values, function.argument_types):
        for fact in stated(attributes, kind, (*FACTS, POINTER_RANGE)):
            if isinstance(value, Term):
                note(walk, op, fact, value)


def note_results(walk: Any, op: Instruction, results: Any) -> None:
    """Notes what an operation states about its results."""
    if not any(name in op.attributes for name in FACTS):
        return
    given = results if isinstance(results, tuple) else (results,)
    for value, kind in zip(given, op.result_types):
        for fact in stated(op.attributes, kind):
            if isinstance(value, Term):
                note(walk, op, fact, value)


def note(walk: Any, op: Instruction | None, fact: Stated, value: Term) -> None:
    """Notes one fact, and the operation that states it, None for the kernel."""
    walk.hints.setdefault(value, {}).setdefault(fact[0], fact[1:])
    walk.promises.setdefault((FACT, fact, (value,)), op)


def unit_of(kind: Any) -> int:
    """The distance of neighbours: the bytes of what a pointer points to, 1 for a number."""
    known = kind.pointee is not None and kind.pointee.element is not None
    return int(kind.pointee.element.itemsize) if known else 1


def note_copy(walk: Any, op: Instruction, operands: tuple[Any, ...]) -> None:
    """Notes how many elements an asynchronous copy may move at once.  Its masks must be equal for them, too."""
    count = op.attributes.get(CONTIGUOUS, 1)
    if op.name != ASYNC_COPY or count <= 1:
        return
    pointer, kind, has_mask = operands[0], op.operand_types[0], op.attributes["operandSegmentSizes"][2]
    mask = operands[2] if has_mask else truth(True)
    order = FIRST.search(kind.text)
    dimension = int(order[1]) if order and "parent" not in kind.text else 0 if len(kind.shape) == 1 else -1
    size = unit_of(kind)
    at_once = min(count, max(1, WIDEST_COPY // size))
    walk.promises.setdefault((CONTIGUOUS, (dimension, at_once, size), (pointer, mask)), op)


# --- what follows


def is_kept(key: Any, before: Any) -> bool:
    """Whether the kernel keeps a fact or a promise that it does not state.

    Args:
        key: as in `Outcome.promises`.
        before: the kernel's outcome.
    """
    name, promise, args = key
    if key in before.promises or is_of_loop(key, before.promises):
        return True
    if name == FACT:
        return follows(promise, args[0], before.hints)
    if name == CONTIGUOUS:
        later = session().many is not None and any(has_part(arg, "carried") for arg in args)
        return later or moves_at_once(promise, args, before.hints)
    return False


def is_of_loop(key: Any, known: Any) -> bool:
    """Whether a promise in a loop may be one that the kernel makes in a loop: of the same arguments and reads.

    What loops carry has other names after a pass, and prologues have what it is at first.
    """
    name, promise, args = key
    if name == CONTIGUOUS:
        return any(one[:2] == key[:2] and any(arg.loops for arg in one[2]) for one in known)
    if (*key[:2], ()) in known:
        return True
    mine = leaves_of(args)
    for other in known:
        if other[:2] == (name, promise) and any(isinstance(arg, Term) and arg.loops for arg in other[2]):
            theirs = leaves_of(other[2])
            if "carried" in theirs or mine - {"carried", "count"} <= theirs:
                return True
    return False


def leaves_of(args: tuple[Any, ...]) -> set[Any]:
    """The symbols in terms, and the operations that read memory; those of loops without their names."""
    found: set[Any] = set()
    stack, seen = [arg for arg in args if isinstance(arg, Term)], set()
    while stack:
        term = stack.pop()
        if term in seen or term.sort == "mem":
            continue
        seen.add(term)
        if term.head in ("carried", "count"):
            found.add(term.head)
        elif term.head == "read" or not (term.args or term.is_const):
            found.add((term.head, term.attr))
        stack.extend(term.args)
    return found


def follows(fact: Stated, value: Term, hints: Hints) -> bool:
    """Whether a value keeps a fact, as its term shows."""
    name, numbers, unit = fact
    if name == POINTER_RANGE:
        return False
    known, _ = hints.get(value, {}).get(name, ((), 1))
    for dimension, number in enumerate(numbers):
        if number <= 1 or (dimension < len(known) and known[dimension] % number == 0):
            continue
        if number & (number - 1):
            return False
        if name == "tt.divisibility" and Groups(dimension, 1, hints).power(value) < number:
            return False
        step = {"tt.constancy": 0, "tt.contiguity": unit}.get(name)
        if step is not None and Groups(dimension, number, hints).step(value) != step:
            return False
    return True


def moves_at_once(copy: tuple[int, int, int], args: tuple[Term, ...], hints: Hints) -> bool:
    """Whether groups of elements are neighbours in memory, begin where a transfer may, and have one mask."""
    dimension, count, size = copy
    if dimension < 0 or count & (count - 1):
        return False
    groups = Groups(dimension, count, hints)
    pointer, mask = args
    aligned = groups.power(pointer) >= power_in(count * size)
    return groups.step(pointer) == size and aligned and groups.step(mask) == 0


def text_of(key: Any) -> str:
    """A fact with its numbers, or the name of a promise, in words."""
    name, promise, _ = key
    if name == CONTIGUOUS:
        return f"that {promise[1]} elements may be copied at once"
    if name == FACT:
        return f"{promise[0]} = {', '.join(map(str, promise[1]))}"
    return str(promise)
