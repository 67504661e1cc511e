"""Variables of the environment that programs have of their own, by functions of Triton."""

from __future__ import annotations

import os

_TRUE = frozenset(["on", "true", "1"])


def getenv(name: str, default: str = "") -> str:
    """The value of a variable."""
    return os.environ.get(name, default)


def getenv_bool(name: str, default: bool) -> bool:
    """Whether a variable is on, true or 1, in small or capital letters."""
    value = os.environ.get(name)
    return default if not value else value.lower() in _TRUE


def setenv(key: str, value: str | None) -> None:
    """Sets a variable, or takes it away."""
    if value is None:
        os.environ.pop(key, None)
    else:
        os.environ[key] = value
