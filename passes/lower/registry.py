"""From the name of an operation to the function that lowers it."""

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

Handler = Callable[..., Any]
"""Takes (lowering, op, *operands): the operation as its class, and what its operands became.  Returns what the result
becomes, a list of that if there are several results, or None if there is none."""

Function = TypeVar("Function", bound=Handler)

HANDLERS: dict[str, Handler] = {}

FAMILIES = (
    "arith",
    "async_copy",
    "atomic",
    "control_flow",
    "conversion",
    "debug",
    "dot",
    "extern",
    "fence",
    "function",
    "gather",
    "histogram",
    "index",
    "layout",
    "math",
    "mbarrier",
    "memory",
    "pointer",
    "program",
    "reduce",
    "scan",
    "shared_memory",
    "tma",
    "view",
)


def lowers(*names: str) -> Callable[[Function], Function]:
    """Declares a function to lower operations."""

    def declare(handler: Function) -> Function:
        for name in names:
            if name in HANDLERS:
                raise ValueError(f"two handlers of {name}")
            HANDLERS[name] = handler
        return handler

    return declare


def handlers() -> dict[str, Handler]:
    """All handlers: imports the families, which declare them."""
    for family in FAMILIES:
        import_module(f"ttkit.passes.lower.{family}")
    return HANDLERS
