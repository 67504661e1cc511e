"""Which code the dialects of packages are: part of the cache key of kernels.

Unlike a pass, a dialect may have a say in any kernel: so all of them count, wherever they are installed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib.util import find_spec

import ttkit.entry_points as entry_points
from ttkit.cache.digests import content_digest, files_digest

# Tells dialects that have no file from those of other processes.
_PROCESS = os.urandom(8).hex()


def dialects_identity() -> str:
    """Identifies all Python files of the packages that dialects are in; empty if there is no dialect.

    Nothing is imported: a kernel that the cache has is launched without MLIR.
    """
    modules = {entry.value for entry in entry_points.entries(entry_points.DIALECTS)}
    defined = sys.modules.get("ttkit.dialects.defined")  # who defines dialects has imported it
    modules |= {cls.__module__ for cls in getattr(defined, "DIALECTS", {}).values()}
    tops = sorted({module.partition(":")[0].partition(".")[0] for module in modules})
    digests = [_digest(place) for top in tops for place in _places(top)]
    return content_digest("\n".join([*tops, *digests]).encode()) if tops else ""


def _digest(place: str) -> str:
    return files_digest(f"dialect in {place}", dict(_files(place))) if place else _PROCESS


def _places(module: str) -> list[str]:
    """The folders of a package, or the file of a module; an empty text for one that was typed at a prompt."""
    loaded = sys.modules.get(module)
    if loaded is not None:
        return [*getattr(loaded, "__path__", ())] or [getattr(loaded, "__file__", None) or ""]
    spec = find_spec(module)
    if spec is None:
        return []  # which is told when a context is made
    return [*(spec.submodule_search_locations or [spec.origin or ""])]


def _files(place: str) -> Iterator[tuple[str, str]]:
    """The Python files of a folder, or the file itself, by their paths."""
    if os.path.isfile(place):
        yield place, place
    for folder, _, names in os.walk(place):
        yield from ((os.path.join(folder, name), os.path.join(folder, name)) for name in names if name.endswith(".py"))
