"""The functions that a list of launches names: in modules, which are imported, and in files, which are run.

A file is run as a module, up to its first launch, and not as a script: what stands under `if __name__ == "__main__"` is
left out.
"""

from __future__ import annotations

import linecache
import os
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from ttkit.language.jit_function import JITFunction
from ttkit.runtime.driver import driver
from ttkit.runtime.stand_in import StandInDriver
from ttkit.target import GPUTarget

_MOST_WRAPPERS = 10


class LaunchListError(ValueError):
    """A list of launches that can't be read, or a launch that can't be listed or found."""


class _FirstLaunch(BaseException):
    """A file has come to its first launch."""


class _Definitions(StandInDriver):
    """A driver that ends a file at its first launch."""

    def compile_kernel(self, source: Any, target: Any, options: Any) -> Any:
        """Ends the file."""
        raise _FirstLaunch


class ListedModules:
    """Modules and files of a list.

    Args:
        files: {name: text} of files that the list has.
        path: folders of modules; the first is the list's own, where its other files are.
    """

    def __init__(self, files: Mapping[str, str], path: Sequence[str]) -> None:
        self._files, self._path = files, path
        self._loaded: dict[str, tuple[ModuleType, str]] = {}

    def functions(self, name: str) -> Iterator[JITFunction]:
        """The jitted functions of a name, `module:name` or `file.py:name`: that which has it now, then others.

        Raises:
            LaunchListError: there is none, or the module can't be imported.
        """
        where, _, qualified = name.partition(":")
        if where not in self._loaded:
            with self._search_path():
                self._loaded[where] = self._file(where) if where.endswith(".py") else self._module(where)
        module, problem = self._loaded[where]
        found = list(_functions_of(module, qualified))
        if not found:
            raise LaunchListError(problem or f"{where} has no kernel {qualified}")
        yield from found

    @contextmanager
    def _search_path(self) -> Iterator[None]:
        before = list(sys.path)
        sys.path[:0] = [os.path.abspath(folder) for folder in self._path]
        before_driver = driver._active
        driver.set_active(_Definitions(GPUTarget("cuda", 90, 32), interprets=False))
        try:
            yield
        finally:
            sys.path[:] = before
            driver.set_active(before_driver)

    def _module(self, name: str) -> tuple[ModuleType, str]:
        try:
            return import_module(name), ""
        except (Exception, SystemExit, _FirstLaunch) as error:
            return ModuleType(name), f"module {name} can't be imported: {_told(error, name)}"

    def _file(self, name: str) -> tuple[ModuleType, str]:
        """Runs a file; the module, and what ended it."""
        if (text := self._files.get(name)) is None:
            path = os.path.join(self._path[0], name)
            try:
                text = Path(path).read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as error:
                return ModuleType(name), f"{name} can't be read: {error}"
        module = ModuleType(Path(name).stem)
        module.__file__ = name
        # Where Python looks for source lines: there may be no such file here.
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        arguments, shadowed = sys.argv, sys.modules.get(module.__name__)
        sys.argv, sys.modules[module.__name__] = [name], module
        problem = ""
        try:
            exec(compile(text, name, "exec"), module.__dict__)
        except (Exception, SystemExit, _FirstLaunch) as error:
            problem = _told(error, name)
        finally:
            sys.argv = arguments
            if shadowed is not None:
                sys.modules[module.__name__] = shadowed
        return module, problem


def _told(error: BaseException, name: str) -> str:
    """The error that ended a file, with its line."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == name]
    where = f"{name}:{lines[-1]}: " if lines else ""
    if isinstance(error, _FirstLaunch):
        return f'{where}a launch comes before the kernel is defined: put launches under `if __name__ == "__main__"`'
    return f"{where}{type(error).__name__}: {error}"


def _functions_of(module: ModuleType, qualified: str) -> Iterator[JITFunction]:
    found: Any = module
    for name in qualified.split("."):
        found = getattr(found, name, None)
    seen = set()
    for value in [found, *list(vars(module).values())]:
        for _ in range(_MOST_WRAPPERS):  # autotuners, heuristics
            if value is None or isinstance(value, JITFunction):
                break
            value = vars(value).get("fn") if hasattr(value, "__dict__") else None
        if isinstance(value, JITFunction) and value.__qualname__ == qualified and id(value) not in seen:
            seen.add(id(value))
            yield value
