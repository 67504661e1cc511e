"""`import triton` without Triton: a finder whose modules look names up in ttkit.

A module of Triton is one of two kinds here (`names.py` says which):

- an alias: the module of ttkit itself, in `sys.modules` under two names;
- a facade: a module of its own, whose names are found in ttkit on first use.

So nothing is loaded before it is used.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType

from ttkit.compat.missing import reason_missing
from ttkit.compat.module_aliases import ALIASES
from ttkit.compat.names import FACADES, PACKAGES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

ROOT = "triton"


class MissingModule(ModuleNotFoundError):
    """A module of Triton that ttkit does not have.

    missing: its name.
    """

    def __init__(self, missing: str) -> None:
        # With `name`, as those who look for a module by importlib.util.find_spec expect; but `from triton import x`
        # would replace this text by "cannot import name".
        super().__init__(_message(missing), name=None if _is_from_import() else missing)
        self.missing = missing


def _is_from_import() -> bool:
    """Whether the import that is going on is by `from package import module`."""
    frame = sys._getframe(1)
    while frame is not None and (frame.f_globals is globals() or "importlib" in frame.f_code.co_filename):
        if frame.f_code.co_name == "_handle_fromlist":
            return True
        frame = frame.f_back  # type: ignore[assignment]
    return False


class MissingName(AttributeError):
    """A name of Triton that ttkit does not have.

    missing: the name, with its module.
    """

    def __init__(self, missing: str) -> None:
        super().__init__(_message(missing))
        self.missing = missing


def _message(missing: str) -> str:
    reason = reason_missing(missing)
    return f"{missing} is not in ttkit{': ' + reason if reason else ', which runs here in place of Triton'}"


class Facade(ModuleType):
    """A module whose names are elsewhere, by `FACADES`: "module:attribute", or "module" for a module itself."""

    def __init__(self, name: str) -> None:
        super().__init__(name, f"{name}, by ttkit.")
        # A package, so that `from` it asks the finder for what is missing.
        self.__path__: list[str] = folders_of(name)

    def __getattr__(self, name: str) -> Any:
        module = self.__name__
        if (home := FACADES[module].get(name)) is not None:
            value = self.__dict__[name] = find(home)
            return value
        submodule = f"{module}.{name}"
        if submodule in FACADES or submodule in ALIASES:
            return import_module(submodule)
        if name.startswith("__") and name.endswith("__"):
            # What Python itself and tools ask any module for.
            raise AttributeError(f"module '{module}' has no attribute '{name}'")
        raise MissingName(submodule)

    def __setattr__(self, name: str, value: Any) -> None:
        # Importing `triton.runtime.driver` sets `driver` of its package, which is an object, as in Triton.
        is_own_submodule = isinstance(value, ModuleType) and sys.modules.get(f"{self.__name__}.{name}") is value
        if not (is_own_submodule and name in FACADES[self.__name__]):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        inside = self.__name__ + "."
        submodules = {
            name.removeprefix(inside) for name in (*FACADES, *ALIASES) if name.startswith(inside) and "._" not in name
        }
        direct = {name for name in submodules if "." not in name}
        return sorted({*self.__dict__, *FACADES[self.__name__], *direct})


def folders_of(name: str) -> list[str]:
    """Folders with the files of a package of Triton: scripts run those of `triton.tools`."""
    file = import_module(PACKAGES[name]).__file__ if name in PACKAGES else None
    return [] if file is None else [os.path.dirname(file)]


def find(home: str) -> Any:
    """The object at "module:attribute.attribute", or the module."""
    module, _, path = home.partition(":")
    value: Any = import_module(module)
    for attribute in path.split(".") if path else ():
        value = getattr(value, attribute)
    return value


class Finder:
    """Finds `triton` and what is in it; before any other finder."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: Any = None) -> ModuleSpec | None:
        """Finds the loader of a module of Triton; None for a module of something else.

        Raises:
            MissingModule: ttkit has no such module.  `importlib.util.find_spec`, by which programs ask whether there
                is one, gives None instead.
        """
        if name != ROOT and not name.startswith(ROOT + "."):
            return None
        if name not in FACADES and name not in ALIASES:
            if sys._getframe(2).f_globals.get("__name__") == "importlib.util":
                return None
            raise MissingModule(name)
        # A loader is what has these methods: importlib.abc would cost the time to import it.
        is_package = name in FACADES or any(other.startswith(f"{name}.") for other in ALIASES)
        return ModuleSpec(name, Loader(), origin="ttkit", is_package=is_package)  # type: ignore[arg-type]

    def find_distributions(self, context: Any = None) -> Iterator[Any]:
        """The metadata of a package named triton, for those who ask which version is installed."""
        if context is None or context.name is None or context.name.lower() == ROOT:
            yield import_module("ttkit.compat.distribution").TritonDistribution()

    def invalidate_caches(self) -> None:
        """Does nothing: there is no cache.  `importlib.invalidate_caches` calls it on each finder."""


class Loader:
    """Makes a module of Triton."""

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """An empty module that finds its names when they are asked for; None for an alias."""
        return Facade(spec.name) if spec.name in FACADES else None

    def get_code(self, name: str) -> CodeType | None:
        """The code of an alias, for `python -m`."""
        from importlib.util import find_spec  # which importing triton does without

        spec = find_spec(ALIASES[name])
        return spec.loader.get_code(ALIASES[name])  # type: ignore[union-attr]

    def exec_module(self, module: ModuleType) -> None:
        """Puts the module in place that an alias stands for; `module`, which programs may have made by themselves with
        `importlib.util.module_from_spec`, has its names."""
        name = module.__name__
        if (home := ALIASES.get(name)) is not None:
            sys.modules[name] = found = import_module(home)
            module.__dict__["__getattr__"] = found.__getattribute__
            # An import of triton.profiler.scope would set the module in its package, whose `scope` is a class.
            for inside, place in ALIASES.items():
                if inside.startswith(f"{name}.") and place in sys.modules:
                    sys.modules.setdefault(inside, sys.modules[place])
