"""Which code the dialects of packages are: part of the cache key of kernels.

Unlike a pass, a dialect may have a say in any kernel: so all of them count, wherever they are installed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import ttkit.dialects.defined as defined
from ttkit.cache.digests import content_digest, files_digest


def dialects_identity() -> str:
    """Identifies the sources of all defined dialects, with all files of their packages; empty if there is none.

    Raises:
        ImportError: a dialect of an installed package can't be imported.
    """
    defined.load_packages()
    modules = {getattr(cls, part) for cls in defined.DIALECTS.values() for part in ("lowering", "meaning", "layouts")}
    modules |= {cls.__module__ for cls in defined.DIALECTS.values()}
    places = sorted({place for module in modules if module for place in _places(module)})
    digests = [files_digest(f"dialect in {place}", dict(_files(place))) for place in places]
    return content_digest("\n".join([*places, *digests]).encode()) if places else ""


def _places(module: str) -> list[str]:
    """The folder of the package that a module is in, or its own file if it is in none."""
    top = sys.modules.get(module.partition(".")[0])
    found = [*getattr(top, "__path__", ())] or [getattr(top, "__file__", None)]
    return [place for place in found if place]


def _files(place: str) -> Iterator[tuple[str, str]]:
    """The Python files of a folder, or the file itself, by their paths."""
    if os.path.isfile(place):
        yield place, place
    for folder, _, names in os.walk(place):
        yield from ((os.path.join(folder, name), os.path.join(folder, name)) for name in names if name.endswith(".py"))
