"""Constraints by annotations in brackets: classes of types and attributes, unions, single ones, and parameters."""

from __future__ import annotations

from collections.abc import Callable
from types import NoneType, UnionType
from typing import Any, Literal, NewType, TypeVar, Union, get_args, get_origin

from mlir import ir

from ttkit.records import dataclass


@dataclass(frozen=True)
class Constraint:
    """A condition on a type or an attribute.

    Attributes:
        words: after "must be of", such as "a RankedTensorType" or "type i32".
        holds: whether one is that.
    """

    words: str
    holds: Callable[[Any], bool]


@dataclass(frozen=True)
class Parameters:
    """`Pair[ir.F32Type, 4]`: a class of types or attributes of one's own, and what its parameters must be.

    Attributes:
        parameters: for each a class of types or attributes, a value that it equals, or `typing.Any`.
    """

    of: Any
    parameters: tuple[Any, ...]

    def __or__(self, other: Any) -> Any:
        return Union[self, other]  # noqa: UP007

    def __call__(self) -> Any:
        """Nothing can be made of it; `Union` takes only what can be called.  Raises TypeError."""
        name = self.of.__name__
        raise TypeError(f"{name}[...] says what must be there, and makes nothing; {name}.get makes one")


def members(hint: Any) -> tuple[Any, ...]:
    """The members of a union; else the annotation alone."""
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def without_none(hint: Any) -> Any:
    """The annotation X of `X | None`; None if it is no such one."""
    rest = [member for member in members(hint) if member is not NoneType]
    if len(rest) == len(members(hint)) or not rest:
        return None
    return Union[tuple(rest)]  # noqa: UP007


def constraint_of(hint: Any, base: type) -> Constraint | None:
    """The constraint that an annotation names.

    Args:
        base: ir.Type or ir.Attribute.

    Returns:
        None for an annotation that names none.
    """
    parts = [_of_member(member, base) for member in members(hint)]
    if any(part is None for part in parts):
        return None
    found = [part for part in parts if part is not None]
    if len(found) == 1:
        return found[0]
    return Constraint(" or ".join(part.words for part in found), lambda one: any(part.holds(one) for part in found))


def stands_for_one_type(hint: Any) -> bool:
    """Whether all values with an annotation have one and the same type: a NewType, or a TypeVar as in MLIR."""
    return isinstance(hint, (NewType, TypeVar))


def _of_member(hint: Any, base: type) -> Constraint | None:
    if stands_for_one_type(hint):
        bound = hint.__bound__ if isinstance(hint, TypeVar) else hint.__supertype__
        return None if bound in (None, base) else constraint_of(bound, base)
    if isinstance(hint, type) and issubclass(hint, base):
        return Constraint(_with_article(hint.__name__), lambda one: isinstance(one, hint))
    if get_origin(hint) is Literal and all(isinstance(text, str) for text in get_args(hint)):
        texts = get_args(hint)
        return Constraint(f"type {' or '.join(texts)}", lambda one: str(one) in texts)
    if isinstance(hint, Parameters) and issubclass(hint.of, base):
        return _with_parameters(hint)
    return None


def _with_parameters(hint: Parameters) -> Constraint:
    """Raises TypeError for parameters that the class does not have."""
    names = [part.name for part in hint.of.parts]
    if len(hint.parameters) != len(names):
        raise TypeError(f"{hint.of.__name__} has parameters ({', '.join(names)}), found {len(hint.parameters)}")
    wanted = [_of_parameter(parameter) for parameter in hint.parameters]

    def holds(one: Any) -> bool:
        """Whether it is of the class, and each parameter is what it must be."""
        return isinstance(one, hint.of) and all(part.holds(getattr(one, name)) for name, part in zip(names, wanted))

    return Constraint(f"type {hint.of.spelling}<{', '.join(part.words for part in wanted)}>", holds)


def _of_parameter(hint: Any) -> Constraint:
    if hint is Any:
        return Constraint("anything", lambda one: True)
    found = constraint_of(hint, ir.Type) or constraint_of(hint, ir.Attribute)
    if found is not None:
        return Constraint(found.words.removeprefix("type "), found.holds)
    return Constraint(str(hint), lambda one: bool(one == hint))


def _with_article(name: str) -> str:
    return f"a{'n' * (name[0] in 'AEIOU')} {name}"
