"""Views that a loop carries: another part of the same buffer in each iteration.

Where the buffer is a part of the memory's term, all that is known of a view is which elements of the buffer it has.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeGuard

from ttkit.validation.terms import Term, at_index, indices
from ttkit.validation.values import Index, NotModelled, Value, View, parts_of, with_parts


def may_move(value: Value) -> TypeGuard[View]:
    """Whether a value is a view that may be another part of its buffer in the next iteration."""
    return isinstance(value, View) and value.buffer.is_shared


def places_of(view: View) -> tuple[Term, ...]:
    """The index in the buffer, as functions of that in the view."""
    return tuple(view.places(indices(view.shape)))


def carried_parts(value: Value) -> tuple[Term, ...]:
    """The terms of a value that loops carry."""
    return places_of(value) if may_move(value) else parts_of(value)


def with_carried(value: Value, parts: tuple[Term, ...]) -> Value:
    """The same kind of value of other terms."""
    if not may_move(value):
        return with_parts(value, parts)

    def places(index: Index) -> Index:
        """The element of the buffer."""
        return [at_index(part, dict(enumerate(index))) for part in parts]

    return replace(value, places=places, covers=not_known)


def not_known(index: Index) -> tuple[Term, Index]:
    """Raises NotModelled: nothing tells which elements of a buffer such a view has."""
    raise NotModelled("a part of a buffer that a loop carries")
