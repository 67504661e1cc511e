"""Arguments that a function of the language can't work with, where it did not say so itself.

Functions refuse what they foresee (`language/errors.py`).  What else goes wrong inside of them shows as an error of
Python's about our own code, which tells the kernel's author nothing: here it becomes one about the call.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from opcode import opmap
from typing import Any

from ttkit.installation import folders
from ttkit.language.constexpr import constexpr
from ttkit.language.errors import LanguageError
from ttkit.language.tensor import tensor

_LONGEST = 60  # characters of a value


def text_of_call(fn: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any], error: Exception) -> str:
    """The message for an error in a call: its own, if it is about what the kernel's author wrote.

    Args:
        fn: the function, called with args and kwargs.
    """
    of_constants = getattr(fn, "__module__", "") == constexpr.__module__  # whose operators are Python's
    if isinstance(error, LanguageError) or of_constants or not is_internal(error):
        return str(error)
    try:
        bound = inspect.signature(fn).bind(*args, **kwargs).arguments
    except (TypeError, ValueError):
        return str(error)  # which says what is missing
    given = {name: value for name, value in bound.items() if not name.startswith("_")}
    name = getattr(fn, "__name__", "this function")
    for parameter, value in given.items():
        annotation = inspect.signature(fn).parameters[parameter].annotation
        if annotation in ("tensor", tensor) and not isinstance(value, tensor):
            return f"tl.{name} needs a tensor as its argument '{parameter}', found {_described(value)}"
    listed = ", ".join(f"{parameter} = {_described(value)}" for parameter, value in given.items())
    return f"tl.{name} can't work with {listed or 'no arguments'}; see help(tl.{name})"


def is_internal(error: Exception) -> bool:
    """Whether Python, or MLIR, raised it in code of ours: not what a `raise` there, or the author's own code, says."""
    frame = error.__traceback__
    if type(error).__name__ not in _OF_PYTHON or frame is None:
        return False
    while frame.tb_next is not None:
        frame = frame.tb_next
    code = frame.tb_frame.f_code
    said = code.co_code[frame.tb_lasti] == opmap["RAISE_VARARGS"]
    return not said and any(code.co_filename.startswith(folder) for folder in folders())


_OF_PYTHON = frozenset(
    [
        "AssertionError",
        "AttributeError",
        "IndexError",
        "KeyError",
        "MLIRError",
        "OverflowError",
        "TypeError",
        "UnboundLocalError",
    ]
)


def _described(value: Any) -> str:
    if isinstance(value, tensor):
        return f"a tensor {value.type}"
    kind = "constexpr " if isinstance(value, constexpr) else ""
    text = repr(value.value if isinstance(value, constexpr) else value)
    return kind + (text if len(text) <= _LONGEST else f"{text[:_LONGEST]}...")
