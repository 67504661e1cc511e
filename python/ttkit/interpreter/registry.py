"""From the name of an operation to the function that gives its meaning."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Handler = Callable[..., Any]
"""Takes (machine, op, *operands) and returns the result: an array, or a tuple of them where there are several."""

HANDLERS: dict[str, Handler] = {}


def interprets(*names: str) -> Callable[[Handler], Handler]:
    """Declares a function to be the meaning of operations."""

    def declare(handler: Handler) -> Handler:
        for name in names:
            if name in HANDLERS:
                raise ValueError(f"two meanings of {name}")
            HANDLERS[name] = handler
        return handler

    return declare


def load_handlers() -> None:
    """Imports the families of operations, which declare their meanings."""
    from importlib import import_module

    for family in FAMILIES:
        import_module(f"ttkit.interpreter.{family}")


FAMILIES = (
    "arith_ops",
    "async_ops",
    "atomic_ops",
    "block_pointer_ops",
    "control_flow_ops",
    "conversion_ops",
    "debug_ops",
    "descriptor_ops",
    "dot_ops",
    "extern_ops",
    "index_ops",
    "math_ops",
    "mbarrier_ops",
    "memory_ops",
    "program_ops",
    "reduce_ops",
    "shared_memory_ops",
    "tma_ops",
    "view_ops",
    "warp_specialize_ops",
    "wgmma_ops",
)
