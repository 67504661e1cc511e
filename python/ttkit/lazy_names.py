"""Names of a module that lie in others, which are loaded when one of their names is first used."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy_names(module: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a module, by its full name; `homes` has the module that each name lies in, or is."""

    def load(name: str) -> Any:
        """The object of that name, which the module has from then on.  Raises AttributeError for other names."""
        if name not in homes:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        home = import_module(homes[name])
        value = home if home.__name__ == f"{module}.{name}" else getattr(home, name)
        setattr(sys.modules[module], name, value)
        return value

    return load
