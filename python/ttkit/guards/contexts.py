"""A check that what is put into a module is of its context.

What the bindings take from any is refused where users' code is at work.

Otherwise IR would hold attributes, types and locations that end with another context.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

from mlir import ir
from mlir.rewrite import PatternRewriter

from ttkit.guards.erased import asks_for_watching, is_watched, owner_of

_OPERATION_BASE = ir.Operation.__mro__[1]
_KINDS = (ir.Value, _OPERATION_BASE, ir.Attribute, ir.Type, ir.Location)


def check_contexts() -> None:
    """Has the functions of the bindings that put something into an operation check its context.  Once."""
    if hasattr(ir.Block.append, "__wrapped__"):
        return
    operation, value = _OPERATION_BASE, ir.Value
    for cls, names, where in (
        (operation, "move_before move_after clone", _itself),
        (ir.Operation, "replace_uses_of_with", _itself),
        (value, "replace_all_uses_with replace_all_uses_except set_type", _itself),
        (ir.BlockArgument, "set_type set_location", _itself),
        (ir.Block, "append add_argument create_before create_after append_to", lambda block: block.owner),
        (ir.OpAttributeMap, "__setitem__", owner_of),
        (ir.OpOperandList, "__setitem__", lambda operands: operands[0]),
        (ir.InsertionPoint, "insert", lambda point: point.block.owner),
        (PatternRewriter, "replace_op", None),
    ):
        for name in names.split():
            if name in cls.__dict__:
                setattr(cls, name, _checked(cls.__dict__[name], where))
    ir.Operation.create = staticmethod(_checked(ir.Operation.create, None))
    location = _OPERATION_BASE.location
    setter = _checked(location.fset, _itself)
    _OPERATION_BASE.location = property(location.fget, setter, doc=location.__doc__)


def _itself(owner: Any) -> Any:
    return owner


def _checked(original: Callable[..., Any], where: Callable[[Any], Any] | None) -> Callable[..., Any]:
    """A function that checks its arguments: they are of the context of `where` its first one is, or else of one.

    Raises:
        ValueError: one is of another context.
    """

    @functools.wraps(original, ("__doc__",), ())
    def checked(*arguments: Any, **named: Any) -> Any:
        """Calls the original, on operands of one context while that is watched."""
        if asks_for_watching() and is_watched():  # the first alone takes a tenth of the time
            owner = arguments if where is None else (where(arguments[0]), *arguments[1:])
            check_one_context(owner, named)
        return original(*arguments, **named)

    return checked


def check_one_context(*given: Any) -> None:
    """Checks operations, values, blocks, types, attributes, locations and insertion points, or collections of them.

    Raises:
        ValueError: they are of different contexts.
    """
    found = _contexts(given)
    if any(other is not found[0] for other in found):
        raise ValueError(_MIXED)


_MIXED = (
    "IR of one context can't use operations, values, types, attributes or locations of another: parse both in the same"
)


def _contexts(given: Iterable[Any]) -> list[ir.Context]:
    """The contexts of what there is of IR."""
    found: list[ir.Context] = []
    for one in given:
        if isinstance(one, _KINDS):
            found.append(one.context)
        elif isinstance(one, (ir.Block, ir.Region)):
            found.append(one.owner.context)
        elif isinstance(one, ir.InsertionPoint):
            found.append(one.block.owner.context)
        elif isinstance(one, dict):
            found += _contexts(one.values())
        elif isinstance(one, (list, tuple)):
            found += _contexts(one)
    return found
