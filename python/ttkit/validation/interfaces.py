"""Arguments and results of functions, before and after a pass."""

from __future__ import annotations

from typing import Any

from ttkit.interpreter.decode import Function, Module
from ttkit.interpreter.ops.descriptor import is_descriptor
from ttkit.interpreter.values import ValueType
from ttkit.validation.terms import Session, Term
from ttkit.validation.values import parts_of, symbolic_arguments


def changed_interface(before: Module, after: Module, name: str, launch_follows: bool) -> tuple[str, bool]:
    """The change of how a function is called, in words, empty if there is none; whether callers are certain to fail.

    Descriptors may become what they hold: pointer, sizes, strides and padding.  Where the launch follows, their blocks
    may have another shape.
    """
    old, new = before.functions[name], after.functions.get(name)
    if new is None or new.body is None:
        return "the function is gone after the pass", not old.private
    if new.is_lowered:
        return "", False
    if new.private and not old.private:
        return "the function is public before the pass, and private after it", True
    for what in ("argument", "result"):
        ours, theirs = (getattr(one, f"{what}_types") for one in (old, new))
        opened = any(map(is_descriptor, ours)) and not any(map(is_descriptor, theirs))
        if opened and what == "argument":
            with Session():
                ours, theirs = (parts_of_arguments(one) for one in (old, new))
        if len(ours) != len(theirs):
            return f"the function has {len(ours)} {what}s before the pass, and {len(theirs)} after it", not (
                opened or old.private
            )
        for place, (a, b) in enumerate(zip(ours, theirs)):
            if not opened and plain_type(a, launch_follows) != plain_type(b, launch_follows):
                return f"{what} {place} has type {a.text} before the pass, and {b.text} after it", not old.private
    return "", False


def parts_of_arguments(function: Function) -> list[Term]:
    """The symbols of arguments, several of a descriptor."""
    return [part for value in symbolic_arguments(function) for part in parts_of(value)]


def plain_type(kind: ValueType | None, any_block: bool = False) -> Any:
    """The part of a type that a caller sees: no layout, and with `any_block` no shape of a descriptor's blocks."""
    if kind is None:
        return None
    if any_block and is_descriptor(kind):
        return kind.element, kind.pointee.rank, kind.pointee.element
    return kind.shape, kind.element, plain_type(kind.pointee)
