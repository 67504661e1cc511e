"""Registers of all threads of a program: a term for each thread, or one that all have."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from ttkit.validation.terms import Term
from ttkit.validation.values import NotModelled

Register: TypeAlias = tuple[Term, ...]
"""One term, or one for each thread."""


@dataclass(frozen=True)
class Vector:
    """A value of a vector type: a register for each element."""

    parts: tuple[Register, ...]


@dataclass(frozen=True)
class Struct:
    """A value of a struct type."""

    fields: tuple[Value, ...]


Value: TypeAlias = "Register | Vector | Struct"


def mapped(function: Callable[..., Term], *registers: Register) -> Register:
    """A function of registers, thread by thread; equal operands are computed once."""
    if len(registers) == 1:
        made_of = {term: function(term) for term in dict.fromkeys(registers[0])}
        return collapsed([made_of[term] for term in registers[0]])
    if all(len(register) == 1 for register in registers):
        return (function(*(register[0] for register in registers)),)
    count = max(map(len, registers))
    memo: dict[tuple[Term, ...], Term] = {}
    found: list[Term] = []
    for terms in zip(*(register * count if len(register) == 1 else register for register in registers)):
        made = memo.get(terms)
        if made is None:
            made = memo[terms] = function(*terms)
        found.append(made)
    return collapsed(found)


def collapsed(terms: Iterable[Term]) -> Register:
    """A register of terms of all threads; one if they are all the same."""
    made = tuple(terms)
    return made[:1] if made[0] is made[-1] and all(term is made[0] for term in made) else made


def full(register: Register, threads: int) -> Register:
    """A term for each thread."""
    return register * threads if len(register) == 1 else register


def uniform(register: Register) -> Term:
    """The term that all threads have.

    Raises:
        NotModelled: they have different ones.
    """
    if len(register) != 1:
        raise NotModelled("threads have different values where they must agree")
    return register[0]


def numbers(register: Register, threads: int) -> list[int]:
    """The number that each thread has, where these are known.

    Raises:
        NotModelled: one is not.
    """
    if not all(term.is_const for term in register):
        raise NotModelled("an address in shared memory, or a lane, that depends on more than the thread")
    return [term.attr for term in full(register, threads)]


def parts_of(value: Value) -> tuple[Register, ...]:
    """The registers of a number or a vector.

    Raises:
        NotModelled: it is a struct.
    """
    if isinstance(value, Struct):
        raise NotModelled("a struct where numbers are expected")
    return value.parts if isinstance(value, Vector) else (value,)


def with_parts(value: Value, parts: tuple[Register, ...]) -> Value:
    """A value of the same kind."""
    return Vector(parts) if isinstance(value, Vector) else parts[0]
