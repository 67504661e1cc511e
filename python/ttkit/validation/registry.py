"""From the name of an operation to the function that gives its terms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ttkit.declarations import declares

Meaning = Callable[..., Any]
"""Takes (walk, op, *values) and returns the result, or a tuple of them.

Raises NotModelled for a form that has no meaning here.
"""

MEANINGS: dict[str, Meaning] = {}


def means(*names: str) -> Callable[[Meaning], Meaning]:
    """Declares a function to be the meaning of operations."""
    return declares(MEANINGS, names)


EXACT_IF_UNROLLED = (
    "ttg.async_copy_global_to_local",
    "ttg.async_commit_group",
    "ttg.async_wait",
    "ttng.warp_group_dot",
    "ttng.warp_group_dot_wait",
)
"""Operations that have an exact meaning only where loops are followed one iteration after the other."""

FAMILIES = ("elementwise", "tensors", "memory", "buffers", "asynchronous", "control")


def load_meanings() -> None:
    """Imports the families of operations, which declare their meanings."""
    from importlib import import_module

    for family in FAMILIES:
        import_module(f"ttkit.validation.meanings.{family}")
