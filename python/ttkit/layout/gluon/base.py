"""Base of Gluon's layouts: plain fields, comparison, the attribute's text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cached_property
from typing import Any

from ttkit.layout.drawing.triton_text import layout_text
from ttkit.layout.encoding_base import Layout
from ttkit.layout.to_linear import to_linear_layout


def plain(value: Any) -> Any:
    """A value without the constexprs and tuples that kernels wrap around it: numbers, and lists of them."""
    value = getattr(value, "value", value) if type(value).__name__ == "constexpr" else value
    if isinstance(value, (list, tuple)) or hasattr(value, "_unwrapped"):
        return [plain(item) for item in value]
    return value


def frozen(value: Any) -> Any:
    """Lists as tuples, which have a hash."""
    return tuple(frozen(item) for item in value) if isinstance(value, list) else value


class GluonLayout:
    """A layout as kernels in Gluon write it.

    Subclasses are frozen dataclasses.  Two are equal if class and fields are.
    """

    type: Any
    """Its type in a kernel, a constant; `ttkit.language.gluon` adds the property."""
    _make_encoding: Callable[[], Layout]

    def __post_init__(self) -> None:
        for field in fields(self):  # type: ignore[arg-type]
            object.__setattr__(self, field.name, plain(getattr(self, field.name)))
        self._check()

    def _check(self) -> None:
        """Checks what fields must satisfy together.  Raises ValueError."""

    def _refuse(self, message: str) -> None:
        raise ValueError(f"{type(self).__name__}: {message}")

    def _check_ranks(self, rank: int, **bases: Any) -> None:
        for name, rows in bases.items():
            for basis in rows:
                if len(basis) != rank:
                    self._refuse(f"each basis of {name} must have {rank} coordinates, found {basis}")

    def _key(self) -> Any:
        return type(self), *(frozen(getattr(self, field.name)) for field in fields(self))  # type: ignore[arg-type]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GluonLayout) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    @cached_property
    def encoding(self) -> Layout:
        """The layout as a value of `ttkit.layout.encodings`.

        Raises:
            ValueError: there is no such attribute: fields that do not go together, or a layout that is still open.
        """
        return self._make_encoding()

    @property
    def text(self) -> str:
        """The attribute in the IR.  Raises ValueError as `encoding` does, and for a layout that kernels can't have."""
        if parent := getattr(self, "parent", None):
            _ = parent.text
        return str(self.encoding)

    def format_tensor_view(self, shape: Any) -> str:
        """The elements of a tensor of this shape, each with the threads that hold it, or its place in memory.

        Raises:
            ValueError: the layout is not one for such a tensor.
        """
        return layout_text(to_linear_layout(plain(shape), self.encoding))

    def format_hardware_view(self, shape: Any) -> str:
        """The threads of each warp, or the places in memory, each with its elements of a tensor of this shape.

        Raises:
            ValueError: the layout is not one for such a tensor.
        """
        return layout_text(to_linear_layout(plain(shape), self.encoding), hardware_view=True)

    def mangle(self) -> str:
        """The layout in names of functions that are compiled for it."""
        raise NotImplementedError


class DistributedLayout(GluonLayout):
    """A layout of tensors held in registers.

    Example:
        >>> isinstance(rows, gl.DistributedLayout), rows.rank
        (True, 2)
    """

    @property
    def rank(self) -> int:
        """Number of dimensions of its tensors."""
        raise NotImplementedError


class SharedLayout(GluonLayout):
    """A layout of tensors held in shared memory.

    Example:
        >>> isinstance(gl.SwizzledSharedLayout(1, 1, 1, [0]), gl.SharedLayout), isinstance(rows, gl.SharedLayout)
        (True, False)
    """

    rank: int


def joined(values: Any) -> str:
    """Numbers in names of functions."""
    return "_".join(map(str, values))


def joined_bases(bases: Any) -> str:
    """Bases in names of functions."""
    return "_".join("~".join(map(str, basis)) for basis in bases or ())
