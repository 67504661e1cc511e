"""Variables of the environment that programs have of their own, by functions of Triton."""

from __future__ import annotations

import os

from ttkit.knobs.variables import TRUE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def getenv(name: str, default: str | None = None) -> str | None:
    """The value of a variable."""
    return os.environ.get(name, default)


def getenv_bool(name: str, default: bool | None) -> bool | None:
    """Whether a variable is on, true, yes, y or 1, in small or capital letters; `default` where it is not set."""
    value = os.environ.get(name)
    return default if value is None else value.lower() in TRUE


def setenv(key: str, value: str | None) -> None:
    """Sets a variable, or takes it away; nothing while `knobs.propagate_env` is False."""
    import ttkit.knobs as knobs

    if not knobs.propagate_env:
        return
    if value is None:
        os.environ.pop(key, None)
    else:
        os.environ[key] = value


def toenv(val: Any) -> tuple[str | None] | None:
    """The text of a variable with this value, in a tuple; (None,) for one that is not set, None for other types."""
    if val is None:
        return (None,)
    if type(val) is bool:
        return ("1" if val else "0",)
    return (str(val),) if type(val) in (str, int) else None
