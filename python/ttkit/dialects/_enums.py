"""Enumerations whose members know their spelling in the IR: the base of those that are generated.  Imports no MLIR."""

from __future__ import annotations

import sys
from enum import IntEnum, IntFlag
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, ClassVar

    from typing_extensions import Self


class Enumeration(IntEnum):
    """An enumeration: `CacheModifier("cg")`, `CacheModifier(3)` and `CacheModifier.CG` are one; `str` spells it."""

    spelling: str

    def __new__(cls, number: int, spelling: str = "") -> Self:
        member = int.__new__(cls, number)
        member._value_ = number
        member.spelling = spelling
        return member

    def __str__(self) -> str:
        return self.spelling

    @classmethod
    def _missing_(cls, value: object) -> Any:
        for member in cls:
            if member.spelling == value:
                return member
        raise ValueError(f"{value!r} is not a {cls.__name__}: expected {', '.join(map(str, cls))}")


class Flags(IntFlag):
    """An enumeration whose members combine: `AddrSpace("local|global_read")`."""

    spelling: str
    _ignore_ = ["separator"]
    separator: ClassVar[str]
    """What stands between members in the IR."""

    def __new__(cls, number: int, spelling: str = "") -> Self:
        member = int.__new__(cls, number)
        member._value_ = number
        member.spelling = spelling
        return member

    def __str__(self) -> str:
        whole = type(self)._spellings()
        if self._value_ in whole.values():
            return next(spelling for spelling, number in whole.items() if number == self._value_)
        bits = (spelling for spelling, number in whole.items() if number & self._value_ and not number & (number - 1))
        return ("|" if self.separator.strip() == "|" else self.separator.strip()).join(bits)

    @classmethod
    def _spellings(cls) -> dict[str, int]:
        return {member.spelling: member._value_ for member in cls.__members__.values()}

    @classmethod
    def _missing_(cls, value: object) -> Any:
        if not isinstance(value, str):
            return super()._missing_(value)
        whole, number = cls._spellings(), 0
        for part in value.split(cls.separator):
            if part.strip() not in whole:
                raise ValueError(f"{value!r} is not a {cls.__name__}: expected {', '.join(whole)}")
            number |= whole[part.strip()]
        return cls(number)


def on_demand(dialect: str, *kinds: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The `__getattr__` and `__dir__` of a dialect's module, for names of its generated modules.

    kinds: of generated modules that are loaded when first used: "enums" and "attributes", in the order in which they
        are searched; before them "ops", which has the classes of operations.
    """
    module = sys.modules[f"ttkit.dialects.{dialect}"]

    def found(name: str) -> Any:
        """The generated name, which the module has from then on.  Raises AttributeError."""
        if name == "__all__":
            return [public for public in names() if not public.startswith("_")]
        if not name.startswith("__"):
            for kind in ("ops", *kinds):
                value = getattr(import_module(f"ttkit.dialects._{dialect}_{kind}"), name, None)
                if value is not None:
                    return vars(module).setdefault(name, value)
        raise AttributeError(f"the dialect {dialect} has no '{name}'")

    def names() -> list[str]:
        """All names but those of generated modules that are loaded on demand."""
        generated = dir(import_module(f"ttkit.dialects._{dialect}_ops"))
        return sorted({*vars(module), *(name for name in generated if not name.startswith("_"))})

    return found, names
