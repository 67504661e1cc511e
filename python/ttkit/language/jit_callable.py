"""The base of `@jit` and `@constexpr_function`: functions that are compiled, or run while compiling."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable
from functools import cached_property
from importlib import import_module
from typing import Any

from ttkit.language.constexpr import constexpr_type

_ABSENT = object()
SOURCE_CHANGES = {"count": 0}
"""How often a function's source was replaced in this process.  The hash of any function that was found before may be
outdated then: it may call that one."""
_ANY_ARGUMENTS = inspect.signature(lambda *args, **kwargs: None)
"""What `inspect.signature` says of a jitted function: a collector of tests that asks takes none of its parameters for a
fixture.  Its own is `.signature`."""


class SourceIsFixed(AttributeError, TypeError):
    """`src` was set.  Triton means an AttributeError, but its setter lacks a parameter, so it raises a TypeError."""


class JITCallable:
    """A Python function whose source is compiled, or that runs while compiling."""

    def __init__(self, fn: Callable[..., Any]) -> None:
        self.fn: Any = fn
        self.signature = inspect.signature(fn)
        self._src_override: str | None = None
        self._tree: ast.FunctionDef | None = None
        self.hash: str | None = None
        self.hashed_at: int | None = None  # SOURCE_CHANGES, when the hash was found
        self.used_global_vals: dict[tuple[str, int], tuple[Any, Any]] = {}
        for name in ("__doc__", "__name__", "__qualname__", "__module__"):
            setattr(self, name, getattr(fn, name))
        self.__globals__ = fn.__globals__
        self.__signature__ = _ANY_ARGUMENTS
        if not str(fn.__module__).startswith("ttkit."):
            _ = self._source_lines  # to complain now; our own functions are read when they are used

    @cached_property
    def _source_lines(self) -> tuple[list[str], int]:
        try:
            return inspect.getsourcelines(self.fn)
        except OSError as error:
            raise ValueError("@jit functions should be defined in a Python file") from error

    @property
    def raw_src(self) -> list[str]:
        """The source lines with decorators.  New ones don't change `src`, which is compiled."""
        return self._source_lines[0]

    @raw_src.setter
    def raw_src(self, lines: list[str]) -> None:
        """Sets the lines, of the same place in the file."""
        self._source_lines = (lines, self.starting_line_number)

    @property
    def starting_line_number(self) -> int:
        """The line of the file on which its source begins, counted from 1."""
        return self._source_lines[1]

    @starting_line_number.setter
    def starting_line_number(self, line: int) -> None:
        """Sets the line, for source that was made from another file's."""
        self._source_lines = (self.raw_src, line)
        self.__dict__.pop("location", None)

    @property
    def src(self) -> str:
        """The source from `def` on, without indentation."""
        if self._src_override is not None:
            return self._src_override
        return self._plain_src

    @src.setter
    def src(self, value: str) -> None:
        """Always raises SourceIsFixed."""
        raise SourceIsFixed("Cannot set attribute 'src' directly: use '_unsafe_update_src()'")

    @cached_property
    def _plain_src(self) -> str:
        text = textwrap.dedent("".join(self.raw_src))
        found = re.search(r"^def\s+\w+\s*\(", text, re.MULTILINE)
        if found is None:
            raise ValueError(f"{self.__name__}: @jit takes functions defined with `def`")
        return text[found.start() :]

    def _unsafe_update_src(self, new_src: str) -> None:
        """Replaces the source.  Functions that call this one, and kernels that get it as an argument, are compiled
        anew when they are used next."""
        self._src_override = new_src
        self._tree = None
        self.hash = None
        if self.hashed_at is not None:  # else nothing depends on the old source yet
            SOURCE_CHANGES["count"] += 1

    @cached_property
    def location(self) -> tuple[str, int]:
        """The file, and the line of `def`."""
        offset = next(index for index, line in enumerate(self.raw_src) if line.strip().startswith("def "))
        return self.fn.__code__.co_filename, self.starting_line_number + offset

    @cached_property
    def full_name(self) -> str:
        """Module and qualified name, with a dot between."""
        return f"{self.fn.__module__}.{self.fn.__qualname__}"

    def parse(self) -> ast.Module:
        """The syntax tree of `src`."""
        return ast.parse(self.src)

    def tree(self) -> ast.FunctionDef:
        """The function in `parse()`, made once.  Raises ValueError if the source is more than one function."""
        if self._tree is None:
            body = self.parse().body
            if len(body) != 1 or not isinstance(body[0], ast.FunctionDef):
                raise ValueError(f"the source code of {self.__name__} must be one function")
            self._tree = body[0]
        return self._tree

    @property
    def cache_key(self) -> str:
        """Identifies the code: source, functions that it calls, values of global variables, as hexadecimal digits.

        Raises:
            RuntimeError: the function refers to a function that is not jitted, or two functions saw different values
                of a global variable.
        """
        if self.hash is not None and self.hashed_at == SOURCE_CHANGES["count"]:
            return self.hash
        return import_module("ttkit.frontend.dependencies").find(self)

    def check_globals(self) -> None:
        """Compares the global variables that the code depends on with their values when `cache_key` was found.

        Raises:
            RuntimeError: one of them has another value.
        """
        for (name, _), (value, namespace) in self.used_global_vals.items():
            found = namespace.get(name, _ABSENT)
            if found is not value and import_module("ttkit.frontend.dependencies").differs(value, found):
                shown = "nothing" if found is _ABSENT else found
                raise RuntimeError(
                    f"Global variable {name} has changed since we compiled this kernel, from {value} to {shown}"
                )

    def captured(self) -> dict[str, Any]:
        """Variables of the functions around this one that it uses."""
        cells = self.fn.__closure__
        if not cells:
            return {}
        names = self.fn.__code__.co_freevars
        return {name: cell.cell_contents for name, cell in zip(names, cells) if is_filled(cell)}

    def get_capture_scope(self) -> dict[str, Any]:
        """Every variable from outside that the function can see."""
        return self.__globals__ | self.captured()

    @property
    def type(self) -> Any:
        """Its type as an argument of another kernel: a constant."""
        return constexpr_type(self)


def is_filled(cell: Any) -> bool:
    """Whether a cell of a closure has its value already."""
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True
