"""Files with kernels of packages that can't be imported here whole: read as they are, with stand-ins for the rest.

Packages' own starts need their compiled parts, or other packages; the files with kernels mostly need torch and Triton.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
import types
from pathlib import Path
from unittest import mock


class StandIn(types.ModuleType):
    """A module without kernels: what it is asked for and has no answer to is a mock, of `envs` None."""

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        return None if self.__name__.endswith(".envs") else mock.MagicMock()


class Files(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds a package's files with kernels, packages without their `__init__`, and stand-ins for all else.

    answers: {module: {name: value}} of stand-ins.
    real: parts of names of files without kernels that are read as they are.
    """

    def __init__(self, package: str, answers: dict[str, dict], real: tuple[str, ...] = ()) -> None:
        found = importlib.machinery.PathFinder.find_spec(package, sys.path)
        if found is None or not found.submodule_search_locations:
            raise ImportError(f"no {package} on the path")
        self.package, self.answers, self.real = package, answers, real
        self.root = Path(found.submodule_search_locations[0])

    def find_spec(self, fullname: str, path=None, target=None):
        if fullname.split(".")[0] != self.package:
            return None
        name = fullname.removeprefix(self.package).removeprefix(".")
        file = self.root.joinpath(*name.split("."))
        source = file.with_suffix(".py")
        wanted = name not in self.answers and source.is_file()
        if wanted and (any(part in name for part in self.real) or "triton.jit" in source.read_text(encoding="utf-8")):
            return importlib.util.spec_from_file_location(fullname, source)
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec):
        module = StandIn(spec.name)
        module.__path__ = [str(self.root.joinpath(*spec.name.split(".")[1:]))]
        vars(module).update(self.answers.get(spec.name.removeprefix(f"{self.package}."), {}))
        return module

    def exec_module(self, module) -> None:
        pass


def file_of(name: str, answers: dict[str, dict] | None = None, real: tuple[str, ...] = ()) -> types.ModuleType:
    """A package's file by its whole name; the first call of a package says what stands in for the rest."""
    package = name.split(".")[0]
    if package not in sys.modules:
        sys.meta_path.insert(0, Files(package, answers or {}, real))
        importlib.import_module(package)
    return importlib.import_module(name)
