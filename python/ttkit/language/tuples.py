"""Tuples and slices in a kernel."""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Sequence
from operator import index
from typing import Any

from ttkit.language.base import base_type, base_value
from ttkit.language.constant_sizes import check_items
from ttkit.language.constexpr import constexpr, constexpr_type, unwrap
from ttkit.language.types import dtype


class tuple_type(base_type):
    """The type of a `tuple`: the types of its items, and their names if it is a named one.

    Example:
        >>> isinstance(gl.tuple([gl.arange(0, 4, line)]).type, gl.tuple_type)
        True
    """

    def __init__(self, types: Any, fields: Any = None) -> None:
        self.types = types
        self.fields = fields or [""] * len(types)
        self.name = "[" + ",".join([f"{field}:{type}" for field, type in zip(self.fields, self.types)]) + "]"

    def __str__(self) -> str:
        return self.name

    def __iter__(self) -> Iterator[Any]:
        return iter(self.types)

    def __getitem__(self, index: int) -> Any:
        return self.types[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, tuple_type) and self.types == other.types and self.fields == other.fields

    def __hash__(self) -> int:
        return hash(self.name)

    def _flatten_ir_types(self, out: list[str]) -> None:
        for type in self.types:
            if not isinstance(type, constexpr):
                type._flatten_ir_types(out)

    def _unflatten_ir(self, handles: Any, cursor: int) -> builtins.tuple[Any, int]:
        values = []
        for type in self.types:
            value, cursor = type._unflatten_ir(handles, cursor)
            values.append(value)
        return tuple(values, self), cursor

    def mangle(self) -> str:
        """The items' texts between two T."""
        return "T" + "_".join(type.mangle() for type in self.types) + "T"


def _type_of_values(values: Sequence[Any], fields: Any = None) -> tuple_type:
    types = [
        constexpr_type(value) if value is None or isinstance(value, (int, float, str, dtype)) else value.type
        for value in values
    ]
    return tuple_type(types, fields)


class tuple(base_value):
    """A tuple of values, also what a list is in a kernel.

    Example:
        >>> pair = gl.tuple([gl.arange(0, 4, line), 3])
        >>> pair[1], len(pair)
        (3, 2)
    """

    def __init__(self, args: Any, type: Any = None) -> None:
        self.values = list(args)
        if isinstance(type, tuple_type):
            self.type = type
        elif type is not None:
            self.type = tuple_type(type)
        else:
            self.type = _type_of_values(self.values)

    def _unwrapped(self) -> tuple:
        return tuple(unwrap(value) for value in self.values)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, int):
            return self.values[index]
        if isinstance(index, constexpr):
            return self.values[index.value]
        assert isinstance(index, (slice, builtins.slice)), f"tuple index {index} must be a constexpr"
        return tuple(self.values[unwrap(index.start) : unwrap(index.stop) : unwrap(index.step)])

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name not in self.type.fields:
            advice = "; lists in kernels can't change: use values + [value]" if hasattr(list, name) else ""
            raise AttributeError(f"tuple has no field {name!r}{advice}")
        return self.values[self.type.fields.index(name)]

    def _setitem(self, index: Any, value: Any) -> None:
        index = unwrap(index)
        assert isinstance(index, int)
        self.values[index] = value
        self.type = _type_of_values(self.values, self.type.fields)

    def __add__(self, other: Any) -> tuple:
        others = _plain(other)
        check_items(len(self.values) + len(others))
        return tuple(self.values + others)

    def __mul__(self, other: Any) -> tuple:
        assert isinstance(other, constexpr), f"a tuple can be repeated a constexpr number of times, not {other}"
        check_items(len(self.values) * index(other))
        return tuple(self.values * index(other))

    def __eq__(self, other: object) -> Any:
        return _equal(self, other)

    def __ne__(self, other: object) -> Any:
        return _equal(self, other).__not__()

    def __hash__(self) -> int:
        return hash(builtins.tuple(self.values))

    def __str__(self) -> str:
        return str([str(value) for value in self.values])

    def __repr__(self) -> str:
        return f"({', '.join(repr(value) for value in self.values)})"

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values)

    def __len__(self) -> int:
        return len(self.values)

    def _flatten_ir(self, handles: list[Any]) -> None:
        for value in self.values:
            value._flatten_ir(handles)


def _plain(other: Any) -> list[Any]:
    other = unwrap(other)
    return other.values if isinstance(other, tuple) else list(other)


def _equal(left: Any, right: Any) -> Any:
    """Whether two values are equal: of sequences, each item; a constexpr unless that depends on values of tensors."""
    if not (is_sequence(unwrap(left)) and is_sequence(unwrap(right))):
        if is_sequence(unwrap(left)) or is_sequence(unwrap(right)):
            return constexpr(False)
        result = constexpr(True) if left is right else left == right
        return result if isinstance(result, base_value) else constexpr(bool(result))
    lefts, rights = _items(left), _items(right)
    if len(lefts) != len(rights):
        return constexpr(False)
    equal: Any = constexpr(True)
    for each in (_equal(item, other) for item, other in zip(lefts, rights)):
        if isinstance(each, constexpr):
            if not each.value:
                return each
        else:
            equal = each if isinstance(equal, constexpr) else equal & each
    return equal


def _items(sequence: Any) -> list[Any]:
    return list(sequence.value if isinstance(sequence, constexpr) else sequence)


class slice_type(dtype):
    """The type of a `slice`."""

    def __init__(self) -> None:
        self.name = "slice_type"


class slice:
    """`start:stop:step` in a subscript."""

    def __init__(self, start: Any, stop: Any, step: Any) -> None:
        self.start = start
        self.stop = stop
        self.step = step
        self.type = slice_type()


def is_sequence(value: Any) -> bool:
    """Whether `value` is a Python or kernel tuple, or a list."""
    return isinstance(value, (list, builtins.tuple, tuple))


def apply_to_items(value: Any, function: Any) -> tuple:
    """`function` of each item of a tuple or named tuple, as a tuple with the same field names."""
    fields = value.type.fields if isinstance(value, tuple) else getattr(value, "_fields", None)
    values = [function(item) for item in value]
    values = [constexpr(None) if item is None else item for item in values]
    return tuple(values, tuple_type([item.type for item in values], fields))
