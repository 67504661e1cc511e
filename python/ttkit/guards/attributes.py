"""A check that operations keep the attributes that users' code gives them.

MLIR drops an attribute of a kind that an operation does not take, and has none then, also where it needs one: printing
such an operation ends the process.  Here the attribute is refused, and the operation keeps the one that it had.  An
attribute that is removed gets its default, if the operation has one for it.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from mlir import ir

from ttkit.guards.erased import is_watched, owner_of

_MAP = ir.OpAttributeMap


def check_attributes() -> None:
    """Has the functions of the bindings that set and remove attributes check what is there afterwards.  Once."""
    if getattr(_MAP.__delitem__, "__wrapped__", None) is not None:
        return
    set_one, remove = _MAP.__setitem__, _MAP.__delitem__

    @functools.wraps(set_one, ("__doc__",), ())
    def checked_set(attributes: ir.OpAttributeMap, name: str, value: ir.Attribute) -> None:
        """Sets an attribute.

        Raises:
            ValueError: the operation takes no attribute of this kind by that name.
        """
        if not is_watched():
            set_one(attributes, name, value)
            return
        before = _named(attributes, name)
        set_one(attributes, name, value)
        if not _has(attributes, name, value):
            if before is not None:
                set_one(attributes, name, before)
            raise ValueError(_refused(owner_of(attributes), name, value, before))

    @functools.wraps(remove, ("__doc__",))
    def checked_remove(attributes: ir.OpAttributeMap, name: str) -> None:
        """Removes an attribute, or gives it its default."""
        remove(attributes, name)
        if is_watched():
            default = _default(owner_of(attributes), name)
            if default is not None:
                set_one(attributes, name, default)

    _MAP.__setitem__, _MAP.__delitem__ = checked_set, checked_remove
    for cls, name, kind in ((ir.Operation, "create", staticmethod), (ir.OpView, "build_generic", classmethod)):
        setattr(cls, name, kind(_checking(cls.__dict__[name].__func__)))


def _checking(create: Callable[..., Any]) -> Callable[..., Any]:
    """A function that creates an operation, and checks the attributes that it is given: the only dictionary."""

    @functools.wraps(create, ("__doc__",), ())
    def checked(*arguments: Any, **named: Any) -> Any:
        """Creates an operation.

        Raises:
            ValueError: it takes no attribute of a kind that is given.
        """
        made = create(*arguments, **named)
        if is_watched():
            for given in (one for one in (*arguments, *named.values()) if isinstance(one, dict)):
                check_kept(made.operation, given)
        return made

    checked.__wrapped__ = inspect.unwrap(create)
    return checked


def check_kept(op: ir.Operation, given: Mapping[str, ir.Attribute]) -> None:
    """Checks that a new operation has the attributes that it was given.

    Raises:
        ValueError: it takes no attribute of the kind of one; it is erased.
    """
    for name, value in given.items():
        if not _has(op.attributes, name, value):
            text = _refused(op, name, value, _default(op, name))
            op.erase()
            raise ValueError(text)


def _named(attributes: ir.OpAttributeMap, name: str) -> ir.Attribute | None:
    return attributes.get(name, None)


def _has(attributes: ir.OpAttributeMap, name: str, value: ir.Attribute) -> bool:
    found = _named(attributes, name)
    return found is not None and found == value


def _default(op: ir.Operation, name: str) -> ir.Attribute | None:
    """The default of an attribute, of a new operation of the same name."""
    with ir.Location.unknown(op.context):
        return _named(ir.Operation.create(op.name, ip=False).attributes, name)


def _refused(op: ir.Operation, name: str, value: ir.Attribute, other: ir.Attribute | None) -> str:
    kind = "" if other is None else f"; it takes one as {other}"
    return f"{op.location}: '{op.name}' can't have the attribute '{name}' = {value}{kind}"
