"""Special methods of classes that users make values of kernels (`@tl.core._aggregate`): jitted functions, which Python
itself can't call while a kernel is compiled."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

from ttkit.language import tensor
from ttkit.language.base import base_value
from ttkit.language.constexpr import constexpr
from ttkit.language.jit_function import JITFunction
from ttkit.language.tuples import tuple

REFLECTED_COMPARISONS = {
    "__lt__": "__gt__",
    "__gt__": "__lt__",
    "__le__": "__ge__",
    "__ge__": "__le__",
    "__eq__": "__eq__",
    "__ne__": "__ne__",
}
"""Each comparison as the right operand has it."""
Call = builtins.tuple[Callable[..., Any], Any]
"""A method with its argument."""


def special_method(value: Any, name: str) -> Callable[..., Any] | None:
    """The method `name` of a value whose class users made; None if its class has none."""
    if not isinstance(value, base_value) or isinstance(value, (tensor, constexpr, tuple)):
        return None
    if getattr(type(value), name, None) is getattr(object, name, None):
        return None
    method: Callable[..., Any] = getattr(value, name)
    return method


def operator_method(left: Any, right: Any, name: str) -> Call | None:
    """The method of a user's class that computes `left <operator> right`, and its argument; None if there is none.

    Args:
        name: of the left operand's method; the right operand's is asked if the left one has none.
    """
    if (method := special_method(left, name)) is not None:
        return method, right
    reflected = REFLECTED_COMPARISONS.get(name, f"__r{name[2:]}")
    if (method := special_method(right, reflected)) is not None:
        return method, left
    return None


def jitted_property(value: Any, name: str) -> JITFunction | None:
    """The jitted function that computes the property `name` of a value; None if it is something else."""
    member = getattr(type(value), name, None) if isinstance(value, base_value) else None
    getter = member.fget if isinstance(member, property) else None
    return getter if isinstance(getter, JITFunction) else None
