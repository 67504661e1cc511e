"""Functions and classes that only have a name."""

from __future__ import annotations

from typing import Any

from ttkit.language.builtin import builtin
from ttkit.language.errors import OtherGPU


def refused(name: str) -> Any:
    """A function of this name, such as "cdna3.mfma", which refuses each call."""

    def function(*args: Any, **kwargs: Any) -> Any:
        """Refuses the call.  Raises OtherGPU."""
        raise OtherGPU(function=name)

    function.__name__ = function.__qualname__ = name.rpartition(".")[2]
    function.__doc__ = f"{name} is for AMD's GPUs.  Raises OtherGPU."
    return builtin(function)


class Refused:
    """Base of classes of which there are no objects."""

    place: str

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise OtherGPU(function=f"{self.place}.{type(self).__name__}")
