"""Values known while a kernel is compiled."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

from ttkit.language.base import base_type, base_value
from ttkit.language.constant_sizes import check_size
from ttkit.language.errors import BadConstant, BadConstants, LanguageError, NotAnInteger, NotANumber


class constexpr_type(base_type):
    """The type of a `constexpr`: its value."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, constexpr_type) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        return f"constexpr_type[{self.value}]"

    def mangle(self) -> str:
        """The value's text: functions are compiled for each value."""
        return repr(self)

    def _flatten_ir_types(self, out: list[str]) -> None:
        pass

    def _unflatten_ir(self, handles: Any, cursor: int) -> tuple[Any, int]:
        return constexpr(self.value), cursor


class constexpr(base_value):
    """A value known at compile time; arithmetic on it happens at compile time.

    As the annotation of a parameter it asks for such a value: `BLOCK: tl.constexpr`.  A global variable that a kernel
    reads must be one: `SCALE = tl.constexpr(2)`.

    Example:
        >>> size = tl.constexpr(16)
        >>> size * 2 + 1
        constexpr[33]
        >>> tl.arange(0, size // 4)
        int32[4] [0 1 2 3]
    """

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        while isinstance(value, constexpr):
            value = value.value
        self.value: Any = value

    @property
    def type(self) -> constexpr_type:
        """Its type, which has the value in it."""
        return constexpr_type(self.value)

    def __repr__(self) -> str:
        return f"constexpr[{self.value}]"

    def __hash__(self) -> int:
        return hash((self.value, self.type))

    def __index__(self) -> int:
        try:
            return operator.index(self.value)
        except TypeError as error:
            raise NotAnInteger(value=self.value) from error

    def __float__(self) -> float:  # without it, float() takes __index__, which refuses 0.5
        try:
            return float(self.value)
        except (TypeError, ValueError) as error:
            raise NotANumber(value=self.value) from error

    def __bool__(self) -> bool:
        return bool(self.value)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.value)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.value(*args, **kwargs)

    def __getitem__(self, *args: Any) -> Any:
        return self.value.__getitem__(*(unwrap(arg) for arg in args))

    def __neg__(self) -> constexpr:
        return self._of_one("-", operator.neg)

    def __pos__(self) -> constexpr:
        return self._of_one("+", operator.pos)

    def __invert__(self) -> constexpr:
        return self._of_one("~", operator.invert)

    def _of_one(self, sign: str, function: Callable[[Any], Any]) -> constexpr:
        try:
            return constexpr(function(self.value))
        except TypeError as error:
            raise BadConstant(text=str(error), operator=sign, value=self.value) from error

    def __not__(self) -> constexpr:  # the frontend calls it for `not x`
        return constexpr(not self.value)

    def logical_and(self, other: Any) -> constexpr:
        """`and` of two values, while compiling."""
        return constexpr(self.value and unwrap(other))

    def logical_or(self, other: Any) -> constexpr:
        """`or` of two values, while compiling."""
        return constexpr(self.value or unwrap(other))

    def _flatten_ir(self, handles: list[Any]) -> None:
        pass


def as_value(result: Any) -> Any:
    """Result of an operator: a constant, unless the other operand was a tensor."""
    return result if isinstance(result, base_value) else constexpr(result)


def unwrap(value: Any) -> Any:
    """The plain Python value of a constexpr, also inside lists and tuples; anything else as it is."""
    kind = type(value)
    if kind is constexpr:
        return value.value
    if kind is list:
        return [unwrap(item) for item in value]
    if isinstance(value, tuple):
        return tuple(unwrap(item) for item in value)
    return value._unwrapped() if hasattr(kind, "_unwrapped") else value


def _of_two(name: str, swapped: bool) -> Callable[[Any, Any], constexpr]:
    """The method for an operator of Python's, with the constexpr on its left side or, swapped, on its right."""
    function = getattr(operator, f"__{name}__")

    def apply(self: constexpr, other: Any) -> constexpr:
        """The operator on the values.

        Raises:
            BadConstants: Python has none for them.
            ConstantTooLarge: the result would be too large.
        """
        left, right = (unwrap(other), self.value) if swapped else (self.value, unwrap(other))
        check_size(name, left, right)
        try:
            return as_value(function(left, right))
        except TypeError as error:
            if isinstance(error, LanguageError):
                raise
            raise BadConstants(text=str(error), operator=SIGNS[name], left=left, right=right) from error

    return apply


SIGNS = dict(
    pair.split(":") for pair in "add:+ sub:- mul:* truediv:/ floordiv:// mod:% pow:** and:& or:| xor:^ lshift:<< "
    "rshift:>> eq:== ne:!= lt:< le:<= gt:> ge:>=".split()
)  # fmt: skip

for _name in SIGNS:
    setattr(constexpr, f"__{_name}__", _of_two(_name, swapped=False))
    if _name not in ("eq", "ne"):
        setattr(constexpr, f"__r{_name}__", _of_two(_name, swapped=True))

CONSTEXPR_0 = constexpr(0)
