"""Which code a user's pass is: part of the cache key of kernels that it compiles.

A pass is identified by its options, by the values that a function has captured, and by the text of its file.  The
files of users that this file imports count too, directly or not.  Files of ttkit and of installed packages don't
count: the key has a digest of ttkit anyway, and packages don't change under a process.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import os
import sys
import sysconfig
from types import CodeType, FunctionType, ModuleType
from typing import Any

from ttkit.frontend.dependencies import stable_text
from ttkit.installation import folders
from ttkit.language.jit_callable import is_filled

# Tells values that have no text from those of other processes.
_PROCESS = os.urandom(8).hex()


def source_digest(origin: Any) -> str:
    """Identifies a pass, its class, or a function that is used as one, as hexadecimal digits.

    What a pass or function holds is looked at each time, its code once: it does not change under a process.
    """
    code = origin.func if isinstance(origin, functools.partial) else origin
    if not isinstance(code, (type, FunctionType)):
        code = getattr(code, "__func__", None) or type(code)
    return hashlib.sha256("\n".join([_code_digest(code), *_values(origin)]).encode()).hexdigest()


@functools.cache
def _code_digest(code: Any) -> str:
    return hashlib.sha256(_code(code).encode()).hexdigest()


def _code(code: Any) -> str:
    """The text of all files that the code is in; of code without a file, from a prompt, what it was compiled to."""
    texts: dict[str, str] = {}
    _collect(sys.modules.get(code.__module__), texts)
    try:
        own = inspect.getsource(code)
    except (OSError, TypeError):
        own = _compiled(code)
    file = _file_of(code)
    if file is not None and file not in texts:  # its module is no longer the one that was imported
        own += _text(file)
    return "\n".join([f"{code.__module__}.{code.__qualname__}", own, *(texts[path] for path in sorted(texts))])


def _values(origin: Any) -> list[str]:
    """Values that the code captures: fields of a pass, closure variables, defaults, arguments of a partial."""
    if isinstance(origin, functools.partial):
        return [*_values(origin.func), _value(origin.args), _value(origin.keywords)]
    if isinstance(origin, FunctionType):
        cells = [cell.cell_contents for cell in origin.__closure__ or () if is_filled(cell)]
        return [_value(cells), _value(origin.__defaults__), _value(origin.__kwdefaults__)]
    if isinstance(origin, type):
        return []
    owner = getattr(origin, "__self__", None)
    return [_value(getattr(origin if owner is None else owner, "__dict__", {}))]


def _value(value: Any) -> str:
    text = stable_text(value)
    return f"{text} {_PROCESS}" if " at 0x" in text else text


def _collect(module: ModuleType | None, texts: dict[str, str]) -> None:
    """The files of a module and of those that its variables are from, by path."""
    path = getattr(module, "__file__", None)
    if module is None or path is None or path in texts or not _is_users(path):
        return
    texts[path] = _text(path)
    for value in list(vars(module).values()):
        inner = value if isinstance(value, ModuleType) else sys.modules.get(getattr(value, "__module__", None) or "")
        _collect(inner, texts)


@functools.cache
def _installed() -> tuple[str, ...]:
    """Folders whose files don't count."""
    kinds = ("stdlib", "platstdlib", "purelib", "platlib")
    places = [*folders(), *(sysconfig.get_path(kind) for kind in kinds)]
    return tuple(os.path.realpath(folder) + os.sep for folder in places if folder)


def _is_users(path: str) -> bool:
    return not os.path.realpath(path).startswith(_installed())


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def _file_of(code: Any) -> str | None:
    try:
        return inspect.getsourcefile(code)
    except (TypeError, OSError):  # OSError: a class typed into a notebook or at a prompt
        return None


def _compiled(code: Any) -> str:
    """Bytecode of a function, or of all functions that a class itself defines."""
    if isinstance(code, FunctionType):
        return _instructions(code.__code__)
    functions = [value for value in vars(code).values() if isinstance(value, FunctionType)]
    return "".join(_instructions(function.__code__) for function in functions)


def _instructions(code: CodeType) -> str:
    inner = "".join(_instructions(item) for item in code.co_consts if isinstance(item, CodeType))
    constants = [item for item in code.co_consts if not isinstance(item, CodeType)]
    return f"{code.co_code.hex()} {constants!r} {code.co_names!r} {inner}"


__all__ = ["source_digest"]
