"""Classes of several values: `@aggregate` makes a Python class with annotated fields a value of the kernel.

    @aggregate
    class Range:
        start: tl.tensor
        size: tl.constexpr

        @constexpr_function
        def __init__(self, start, size):
            self.start = start
            self.size = size

        @jit
        def indices(self):
            return self.start + tl.arange(0, self.size)

Methods are jitted functions, or run while compiling.
"""

from __future__ import annotations

import inspect
from typing import Any

from ttkit.language.base import base_type, base_value
from ttkit.language.building import active
from ttkit.language.builtin import builtin, current_semantic
from ttkit.language.errors import LanguageError
from ttkit.language.jit_function import JITCallable


class MissingField(LanguageError, AttributeError):
    template = "constructor for {name} did not initialize attribute '{field}'"


class UnknownField(LanguageError, AttributeError):
    template = "{name} has no attribute '{field}'; its fields are {fields}"


class WrongField(LanguageError, TypeError):
    template = "Expected {expected} for attribute '{field}', got {found}"


class aggregate_type(base_type):
    """The type of an aggregate: its class and the types of its fields, by name."""

    def __init__(self, base_cls: type, fields: list[tuple[str, Any]]) -> None:
        self.base_cls: Any = base_cls
        self.fields = fields

    def __eq__(self, other: object) -> bool:
        return isinstance(other, aggregate_type) and self.base_cls is other.base_cls and self.fields == other.fields

    def __hash__(self) -> int:
        return hash((self.base_cls, tuple(name for name, _ in self.fields)))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}: {type}" for name, type in self.fields)
        return f"{self.base_cls.__name__}({fields})"

    def mangle(self) -> str:
        """Text for names of functions that are compiled for this class with fields of these types."""
        fields = ", ".join(type.mangle() for _, type in self.fields)
        return f"{self.base_cls.__module__}.{self.base_cls.__qualname__}<{fields}>"

    def _flatten_ir_types(self, out: list[str]) -> None:
        for _, type in self.fields:
            type._flatten_ir_types(out)

    def _unflatten_ir(self, handles: Any, cursor: int) -> tuple[Any, int]:
        instance = self.base_cls._empty()
        for name, type in self.fields:
            value, cursor = type._unflatten_ir(handles, cursor)
            setattr(instance, name, value)
        return instance, cursor


@builtin
def aggregate_replace(instance: Any, **changes: Any) -> Any:
    """A copy of an aggregate with some of its fields changed.

    Raises:
        UnknownField, WrongField: as assigning to a field does.

    Example:
        >>> @tl.core._aggregate
        ... class Pair:
        ...     a: tl.tensor
        ...     b: tl.tensor
        ...     def __init__(self, a, b):
        ...         self.a, self.b = a, b
        >>> tl.aggregate_replace(Pair(tl.arange(0, 2), tl.arange(2, 4)), a=tl.arange(4, 6)).a
        int32[2] [4 5]
    """
    made = instance._empty()
    for name, value in {**{name: getattr(instance, name) for name, _ in instance.type.fields}, **changes}.items():
        setattr(made, name, value)
    return made


def _aggregate(cls: Any) -> Any:
    """The class `cls`, whose annotated fields are values, as a value itself.

    Its constructor may have parameters `_semantic` and `_generator`, as builtins may.  Methods are jitted functions,
    constexpr functions or builtins.
    """
    names = list(cls.__annotations__)
    constructor = cls.__init__
    wanted = [] if isinstance(constructor, JITCallable) else list(inspect.signature(constructor).parameters)

    class aggregate_value(base_value):
        __triton_builtin__ = True
        __triton_aggregate__ = True

        @classmethod
        def _empty(this_cls) -> Any:
            return object.__new__(this_cls)

        def __new__(this_cls, *args: Any, _semantic: Any = None, _generator: Any = None, **kwargs: Any) -> Any:
            instance = this_cls._empty()
            if "_semantic" in wanted:
                kwargs["_semantic"] = current_semantic()
            if "_generator" in wanted:
                kwargs["_generator"] = active.generator
            run = constructor.fn if isinstance(constructor, JITCallable) else constructor
            run(instance, *args, **kwargs)
            for name in names:
                if name not in instance.__dict__:
                    raise MissingField(name=cls.__name__, field=name)
            return instance

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            pass  # __new__ has called the class's own

        def __setattr__(self, name: str, value: Any) -> None:
            if name not in names:
                raise UnknownField(name=cls.__name__, field=name, fields=", ".join(names))
            expected = cls.__annotations__[name]
            if not isinstance(expected, str) and not isinstance(value, expected):
                raise WrongField(expected=expected, field=name, found=type(value))
            super().__setattr__(name, value)

        @property
        def type(self) -> aggregate_type:
            """The type of the value, from those of its fields."""
            return aggregate_type(aggregate_value, [(name, getattr(self, name).type) for name in names])

        def _flatten_ir(self, handles: list[Any]) -> None:
            for name in names:
                getattr(self, name)._flatten_ir(handles)

    for name, member in inspect.getmembers(cls):
        if name != "__init__" and (inspect.isroutine(member) or isinstance(member, (JITCallable, property))):
            if name.startswith("__") and name not in vars(cls):
                continue
            setattr(aggregate_value, name, vars(cls).get(name, member))
    for name in ("__name__", "__module__", "__qualname__", "__doc__"):
        setattr(aggregate_value, name, getattr(cls, name))
    return aggregate_value
