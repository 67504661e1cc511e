"""Results of functions by the rules of Triton 3.7 and later: constants stay constants if every `return` agrees.

    def steps(n, BLOCK: tl.constexpr):       def sign(x):
        return BLOCK // 16                       if x < 0:
                                                     return -1
                                                 return x          # of int32: so the -1 is an int32

A caller of `steps` may use the result as a constexpr.  Before 3.7 every number that is returned is a tensor.
"""

from __future__ import annotations

import builtins
from typing import Any

import ttkit.language as language
from ttkit.frontend.errors import InconsistentReturn
from ttkit.frontend.visitor import flatten
from ttkit.language.constants import scalar_constant, type_of_number
from ttkit.language.constexpr import as_value, constexpr, constexpr_type
from ttkit.language.record import Block, Builder, Location
from ttkit.language.tensor import tensor
from ttkit.language.tuples import apply_to_items, tuple, tuple_type

NUMBERS = (bool, int, float)


class Returns:
    """The `return` statements of one function, whose operations are added when all are known."""

    def __init__(self) -> None:
        self.found: list[builtins.tuple[Any, Block, Location | None]] = []

    def add(self, value: Any, builder: Builder) -> None:
        """Notes that the function returns `value` at the current place."""
        self.found.append((_kept(value), builder.block, builder.loc))

    def finish(self, builder: Builder) -> Any:
        """Adds the operations, each at its place, and gives the type of the result; `void` if there is none.

        Raises:
            InconsistentReturn: two results have no common type.
        """
        if not self.found:
            return language.void
        block, loc = builder.block, builder.loc
        common = _type(self.found[0][0])
        for value, _, _ in self.found[1:]:
            common = common_type(common, _type(value))
        for value, place, where in self.found:
            builder.block, builder.loc = place, where
            builder.emit_op("tt.return", flatten([_in_type(value, common)]))
        builder.block, builder.loc = block, loc
        return language.void if common == constexpr_type(None) else common


def _kept(value: Any) -> Any:
    if isinstance(value, tensor) and value.type == language.void:  # `return tl.store(...)`
        return constexpr(None)
    return apply_to_items(value, _kept) if isinstance(value, tuple) else as_value(value)


def _type(value: Any) -> Any:
    return value.type


def common_type(first: Any, second: Any) -> Any:
    """The type of a result that is of type `first` after one `return` and `second` after another.

    Raises:
        InconsistentReturn: there is none.
    """
    if isinstance(first, tuple_type) and isinstance(second, tuple_type):
        if len(first.types) == len(second.types) and first.fields == second.fields:
            return tuple_type([common_type(a, b) for a, b in zip(first.types, second.types)], first.fields)
    elif first == second:
        return first
    else:
        of_first, of_second = _of_tensor(first), _of_tensor(second)
        if of_first == of_second and of_first is not None:
            return of_first
    raise InconsistentReturn(first=first, second=second)


def has_number(type: Any) -> bool:
    """Whether a result of this type is a number that is a constant, or a tuple with one."""
    if isinstance(type, tuple_type):
        return any(map(has_number, type.types))
    return isinstance(type, constexpr_type) and isinstance(type.value, NUMBERS)


def _of_tensor(type: Any) -> Any:
    """The type of a constant as a tensor, None for what is no number; other types as they are."""
    if not isinstance(type, constexpr_type):
        return type
    return type_of_number(type.value) if isinstance(type.value, NUMBERS) else None


def _in_type(value: Any, type: Any) -> Any:
    if value.type == type:
        return value
    if isinstance(value, tuple):
        return tuple([_in_type(item, each) for item, each in zip(value.values, type.types)], type)
    return scalar_constant(value.value, type)
