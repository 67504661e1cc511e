"""From the name of an operation of lowered code to the function that gives its registers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ttkit.declarations import declares

LoweredMeaning = Callable[..., Any]
"""Takes (machine, op, *values) and returns the result, () without one.

Raises NotModelled for a form without meaning.
"""

LOWERED: dict[str, LoweredMeaning] = {}
PTX: dict[str, LoweredMeaning] = {}
"""By the first words of an instruction's name; the longest that fit are used.  Takes (assembly, words, *operands)."""


PURE: set[str] = set()
"""Operations whose results depend on registers alone: copies of a loop share them."""


def means(*names: str, pure: bool = False) -> Callable[[LoweredMeaning], LoweredMeaning]:
    """Declares a function to be the meaning of operations, which may be pure."""
    if pure:
        PURE.update(names)
    return declares(LOWERED, names)


def ptx(*names: str) -> Callable[[LoweredMeaning], LoweredMeaning]:
    """Declares a function to be the meaning of the instructions that begin so."""
    return declares(PTX, names)


def load_lowered_meanings() -> None:
    """Imports the families, which declare their meanings."""
    from importlib import import_module

    for family in (
        "elementwise",
        "llvm_meanings",
        "nvvm_meanings",
        "assembly",
        "copies",
        "warp_group",
        "mbarriers",
        "tensor_memory",
        "tensor_cores",
        "tiles",
        "messages",
    ):
        import_module(f"ttkit.validation.lowered.{family}")
