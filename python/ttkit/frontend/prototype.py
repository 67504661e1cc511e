"""The arguments of a function that is being compiled: which are values, which constants."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from ttkit.language.constexpr import constexpr
from ttkit.language.debug import string_attribute
from ttkit.language.record import Value
from ttkit.language.tuples import is_sequence, tuple, tuple_type

Path: TypeAlias = Any  # of an argument or a part of one: (1,), (1, 0)...


def is_named_tuple(value: Any) -> bool:
    """Whether it is a class of named tuples."""
    return isinstance(value, type) and issubclass(value, builtins.tuple) and hasattr(value, "_fields")


def paths_where(items: Any, wanted: Callable[[Path, Any], bool]) -> list[Path]:
    """The paths to the leaves of nested sequences that are wanted, in order."""
    found: list[Path] = []

    def walk(path: Any, item: Any) -> None:
        """Notes the path of an item, or those of what is in it."""
        if is_sequence(item) or isinstance(item, tuple_type):
            for index, inner in enumerate(item):
                walk((*path, index), inner)
        elif wanted(path, item):
            found.append(path)

    walk((), items)
    return found


def at_path(items: Any, path: Path) -> Any:
    """The item of nested tuples that an index of each level leads to."""
    for index in path:
        items = items[index]
    return items


class Prototype:
    """Types, constants and attributes of the arguments of a call.

    Args:
        types: of each argument; None where it is a constant.
        constants: {path: value} of what is known.
        attributes: {path: [(name, integer)]}, such as tt.divisibility.
    """

    def __init__(self, types: Sequence[Any], constants: dict[Path, Any], attributes: dict[Path, Any]) -> None:
        self.types = list(types)
        self.constants = constants
        self.attributes = attributes
        self._paths = paths_where(self.types, lambda path, type: path not in constants and type is not None)
        self._argument_attributes: dict[int, dict[str, int]] = {}

    def argument_types(self) -> list[str]:
        """The types in the IR of what is not a constant."""
        found: list[str] = []
        for path in self._paths:
            at_path(self.types, path)._flatten_ir_types(found)
        return found

    def arguments(self, handles: Sequence[Value]) -> list[Any]:
        """The arguments as the kernel sees them, made of the function's IR arguments."""
        cursor = 0

        def make(path: Any, type: Any) -> Any:
            """A parameter's value: a constant, a tuple of values, or the function's next arguments."""
            nonlocal cursor
            if path in self.constants:
                return constexpr(self.constants[path])
            if isinstance(type, tuple_type) or is_sequence(type):
                values = [make((*path, index), inner) for index, inner in enumerate(type)]
                return tuple(values, tuple_type([value.type for value in values], getattr(type, "fields", None)))
            if type is None:
                return constexpr(None)
            if path in self.attributes:
                self._argument_attributes[cursor] = dict(self.attributes[path])
            value, cursor = type._unflatten_ir(handles, cursor)
            return value

        return [make((index,), type) for index, type in enumerate(self.types)]

    def function_attributes(self, name: str, results: Sequence[str], public: bool, noinline: bool) -> dict[str, str]:
        """The attributes of the tt.func."""
        types = self.argument_types()
        result = f"({', '.join(results)})" if len(results) != 1 else results[0]
        attributes = {
            "sym_name": string_attribute(name),
            "function_type": f"({', '.join(types)}) -> {result}",
            "sym_visibility": '"public"' if public else '"private"',
            "noinline": "true" if noinline else "false",
        }
        if self._argument_attributes:
            dictionaries = [self._dictionary(index) for index in range(len(types))]
            attributes["arg_attrs"] = f"[{', '.join(dictionaries)}]"
        return attributes

    def _dictionary(self, index: int) -> str:
        found = self._argument_attributes.get(index, {})
        return "{" + ", ".join(f"{name} = {value} : i32" for name, value in found.items()) + "}"
