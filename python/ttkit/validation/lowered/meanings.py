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

RESTS: dict[str, tuple[str, ...]] = {}
"""What may follow these words in an instruction's name."""
PURE: set[str] = set()
"""Operations whose results depend on registers alone: copies of a loop share them."""


def means(*names: str, pure: bool = False) -> Callable[[LoweredMeaning], LoweredMeaning]:
    """Declares a function to be the meaning of operations, which may be pure."""
    if pure:
        PURE.update(names)
    return declares(LOWERED, names)


def ptx(*names: str, rest: tuple[str, ...] | None = None) -> Callable[[LoweredMeaning], LoweredMeaning]:
    """Declares a function to be the meaning of the instructions that begin so.

    Args:
        rest: what may follow in the name of an instruction; without it the meaning looks at the words itself.
    """
    if rest is not None:
        RESTS.update(dict.fromkeys(names, rest))
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
