"""Functions of a single target."""

from importlib import import_module
from typing import Any

from ttkit.language.extra import cuda

__all__ = ["cuda", "libdevice"]


def __getattr__(name: str) -> Any:
    """libdevice, whose two hundred functions are made when it is asked for."""
    if name != "libdevice":
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return import_module(f"{__name__}.{name}")
