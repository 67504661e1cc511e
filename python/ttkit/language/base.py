"""The common bases of all values of a kernel and of their types."""

from __future__ import annotations

from typing import Any


class base_value:
    """A value that a kernel computes with.  `type` is its `base_type`.

    Example:
        >>> isinstance(gl.arange(0, 4, line), gl.base_value)
        True
    """

    __slots__ = ()
    type: Any

    def _flatten_ir(self, handles: list[Any]) -> None:
        """Appends the IR values that this value consists of."""
        raise NotImplementedError


class base_type:
    """The type of a `base_value`.

    Example:
        >>> isinstance(gl.arange(0, 4, line).type, gl.base_type)
        True
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        raise NotImplementedError("Types must implement __eq__")

    def __ne__(self, other: object) -> bool:
        return not (self == other)

    def _flatten_ir_types(self, out: list[str]) -> None:
        """Appends the IR types of the values that `_flatten_ir` gives."""
        raise NotImplementedError

    def _unflatten_ir(self, handles: Any, cursor: int) -> tuple[Any, int]:
        """The value made of the IR values from `cursor` on, and where the next begins."""
        raise NotImplementedError

    def mangle(self) -> str:
        """The type in the name of a function that is compiled for it."""
        raise NotImplementedError(f"NYI: Type mangling for type {self.__class__}")
